/** The verbs of webhooks, and what is done for them unasked. */
import type { Registry } from 'prom-client'
import { DAY_MS, HOUR_MS } from '#platform/clock.js'
import { AppError, invalidRequest } from '#platform/errors.js'
import { NOTICE_TOPIC, type NoticeType } from '#platform/events/notices.js'
import type { Unread } from '#platform/events/outbox.js'
import { newId } from '#platform/ids.js'
import type { Page, PageRequest } from '#platform/paging/page.js'
import { createDeliveryQueue } from './delivery/delivery-queue.js'
import { createDeliveryStore, type DeliveryFilter } from './delivery/delivery-store.js'
import { type Webhook, type WebhookDelivery, WebhookOff } from './webhook.js'
import { createWebhookMetrics } from './webhook-metrics.js'
import { newWebhookSecret, signedPosting } from './delivery/webhook-message.js'
import { createWebhookStore, type SecretChange } from './webhook-store.js'
import { createWebhookTransport, type Attempt } from './delivery/webhook-transport.js'
import { createUrlCheck } from './webhook-url.js'
import { createWebhookWork, WEBHOOKS_CHANGED, type WebhookWorkDependencies } from './delivery/webhook-work.js'

export interface WebhookOptions {
  readonly most: number
  readonly allowNetworks: readonly string[]
  readonly allowHttp: boolean
  readonly attemptMs: number
  readonly retryMs: number
  readonly keepMs: number
}

export interface WebhooksDependencies extends WebhookWorkDependencies {
  readonly registry: Registry
  readonly options: WebhookOptions
}

export interface NewWebhook {
  readonly url: string
  /** Null for the host of the address. */
  readonly name: string | null
  /** Null for everything. */
  readonly types: readonly NoticeType[] | null
}

export interface Webhooks {
  /** The secret is answered this once. @throws AppError 400, 409 when there are as many as there may be */
  add(webhook: NewWebhook): Promise<{ readonly webhook: Webhook; readonly secret: string }>
  /** @throws AppError 404 */
  remove(id: string): Promise<Webhook>
  /** What waits for one that is turned off becomes dead letters; one that is turned on hears of what happens from then on. */
  setOn(id: string, isOn: boolean): Promise<Webhook>
  /**
   * A new secret, answered this once; the old one signs too for `graceSeconds`, a day when null.
   * @throws AppError 400, 404, 409 when it is being changed by somebody else
   */
  rotateSecret(id: string, graceSeconds: number | null): Promise<{ readonly webhook: Webhook; readonly secret: string }>
  /** Sends a signed test message now, once. */
  test(id: string): Promise<Attempt>
  /** Sends these again, or every dead letter when given null; answers how many. @throws AppError 409 for one that is off */
  replay(id: string, deliveryIds: readonly string[] | null): Promise<number>
  find(id: string): Promise<Webhook | null>
  /** Oldest first. */
  page(page: PageRequest): Promise<Page<Webhook>>
  count(): Promise<number>
  /** Newest first. */
  deliveries(filter: DeliveryFilter, page: PageRequest): Promise<Page<WebhookDelivery>>
  countDeliveries(filter: DeliveryFilter): Promise<number>
  /** The notices that are not yet made into deliveries: the outbox keeps them. */
  unread(): Promise<Unread>
  /** Forgets what ended long ago. */
  prune(): Promise<void>
  /** Begins to send. */
  start(): Promise<void>
  stop(): Promise<void>
}

const MAX_NAME = 200
const USUAL_GRACE_SECONDS = DAY_MS / 1000
const MAX_GRACE_SECONDS = (30 * DAY_MS) / 1000
/** However many are named at once. */
const MAX_REPLAYED = 500

const notFound = (): AppError => new AppError('not_found', 'There is no such webhook.', { param: 'id' })

export function createWebhooks(dependencies: WebhooksDependencies): Webhooks {
  const { database, outbox, events, clock, registry, options } = dependencies
  const store = createWebhookStore(database)
  const queue = createDeliveryQueue(database)
  const deliveries = createDeliveryStore(database)
  const checkUrl = createUrlCheck(options)
  const transport = createWebhookTransport({ ...options, clock })
  const metrics = createWebhookMetrics(registry, deliveries.undelivered, () => clock.now())
  const work = createWebhookWork(dependencies, store, queue, transport, metrics)

  async function mustFind(id: string): Promise<Webhook> {
    const webhook = await store.find(id)
    if (!webhook) throw notFound()
    return webhook
  }

  return {
    async add(asked) {
      const webhook = newWebhook(asked, checkUrl, clock.now(), await outbox.latest())
      if ((await store.count()) >= options.most) {
        throw new AppError('conflict', `There are ${options.most} webhooks, which is the most ("webhooks.most").`)
      }
      await store.insert(webhook)
      return { webhook, secret: webhook.secret }
    },
    async remove(id) {
      const webhook = await mustFind(id)
      await store.remove(id)
      return webhook
    },
    async setOn(id, isOn) {
      await mustFind(id)
      if (isOn) await store.turnOn(id, await outbox.latest())
      else await store.turnOff(id, WebhookOff.OPERATOR, clock.now())
      return mustFind(id)
    },
    async rotateSecret(id, graceSeconds) {
      const change = changeOfSecret(await mustFind(id), graceSeconds, clock.now())
      const isOurs = await store.changeSecret(change)
      if (!isOurs) throw new AppError('conflict', 'The secret of this webhook was changed just now.', { param: 'id' })
      return { webhook: await mustFind(id), secret: change.to }
    },
    async test(id) {
      const webhook = await mustFind(id)
      const now = clock.now()
      const message = { id: newId('msg', now), type: 'webhook.test', data: { webhookId: id }, occurredAt: now }
      return transport.post(signedPosting(webhook, message, now))
    },
    async replay(id, deliveryIds) {
      const webhook = await mustFind(id)
      if (webhook.offSince !== null) throw new AppError('conflict', 'This webhook is off. Turn it on first.', { param: 'id' })
      if (deliveryIds && (deliveryIds.length === 0 || deliveryIds.length > MAX_REPLAYED)) {
        throw invalidRequest(`Name 1 to ${MAX_REPLAYED} deliveries, or leave the list out for all dead letters.`, 'deliveryIds')
      }
      const count = await deliveries.requeue(id, deliveryIds, clock.now())
      events.publish(WEBHOOKS_CHANGED, {})
      return count
    },
    find: store.find,
    page: store.page,
    count: store.count,
    deliveries: deliveries.page,
    countDeliveries: deliveries.count,
    unread: async () => ({ topic: NOTICE_TOPIC, afterSequence: await queue.readUpTo() }),
    prune: async () => void (await deliveries.prune(clock.now() - options.keepMs)),
    start: work.start,
    async stop() {
      await work.stop()
      await transport.close()
    },
  }
}

/** @throws AppError 400 */
function changeOfSecret({ id, secret: from }: Webhook, graceSeconds: number | null, nowMs: number): SecretChange {
  const grace = graceSeconds ?? USUAL_GRACE_SECONDS
  if (grace < 0 || grace > MAX_GRACE_SECONDS) {
    throw invalidRequest(`"graceSeconds" is from 0 to ${MAX_GRACE_SECONDS}.`, 'graceSeconds')
  }
  return { id, from, to: newWebhookSecret(), untilMs: nowMs + grace * 1000 }
}

/** @throws AppError 400 */
function newWebhook(
  { url, name: given, types }: NewWebhook,
  checkUrl: (url: string) => string,
  nowMs: number,
  afterSequence: number,
): Webhook {
  const address = checkUrl(url)
  const name = given ?? new URL(address).host.slice(0, MAX_NAME)
  if (name.length === 0 || name.length > MAX_NAME) throw invalidRequest(`A name has 1 to ${MAX_NAME} characters.`, 'name')
  if (types?.length === 0) throw invalidRequest('A list of events has at least one.', 'types')
  return {
    id: newId('whk', nowMs),
    name,
    url: address,
    types: types === null ? null : [...new Set(types)],
    secret: newWebhookSecret(),
    earlierSecret: null,
    earlierSecretUntil: null,
    afterSequence,
    createdAt: nowMs,
    offSince: null,
    offBecause: null,
  }
}

/** The options as a configuration says them. */
export interface WebhookSettings {
  readonly most: number
  readonly allow_networks: readonly string[]
  readonly allow_http: boolean
  readonly attempt_seconds: number
  readonly retry_hours: number
  readonly keep_days: number
}

export const webhookOptions = (settings: WebhookSettings): WebhookOptions => ({
  most: settings.most,
  allowNetworks: settings.allow_networks,
  allowHttp: settings.allow_http,
  attemptMs: settings.attempt_seconds * 1000,
  retryMs: settings.retry_hours * HOUR_MS,
  keepMs: settings.keep_days * DAY_MS,
})
