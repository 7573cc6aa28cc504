/** Webhooks over a real database and outbox, sending to a real receiver, with a clock that is moved by hand. */
import { Registry } from 'prom-client'
import { expect, vi } from 'vitest'
import type { Database, Dialect } from '#platform/database/database.js'
import { createInProcessEvents } from '#platform/events/events.js'
import { notice, type NoticeType } from '#platform/events/notices.js'
import { createOutbox, OutboxEventEntity, type Outbox } from '#platform/events/outbox.js'
import { tablesOf } from '#platform/database/tables.js'
import { createLog } from '#platform/log.js'
import { createDeliveryQueue, type DeliveryQueue } from '../../../subgraphs/accounts/webhooks/delivery/delivery-queue.js'
import {
  type DeliveryState,
  type WebhookDelivery,
  WebhookDeliveryEntity,
  WebhookEntity,
  WebhookReaderEntity,
} from '../../../subgraphs/accounts/webhooks/webhook.js'
import { createWebhooks, type WebhookOptions, type Webhooks } from '../../../subgraphs/accounts/webhooks/webhooks.js'
import { testDatabase } from '../../kit/database.js'
import { ManualClock } from '../../kit/manual-clock.js'
import { webhookReceiver, type WebhookReceiver } from '../../kit/webhook-receiver.js'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

const OPTIONS: WebhookOptions = {
  most: 3,
  allowNetworks: ['127.0.0.0/8'],
  allowHttp: true,
  attemptMs: 15_000,
  retryMs: 3 * DAY,
  keepMs: 30 * DAY,
}

export interface WebhooksKit extends AsyncDisposable {
  readonly database: Database
  readonly clock: ManualClock
  readonly outbox: Outbox
  readonly queue: DeliveryQueue
  readonly receiver: WebhookReceiver
  readonly webhooks: Webhooks
  /** With the figures of `webhooks`. */
  readonly registry: Registry
  /** Lines that were logged. */
  readonly logged: string[]
  /** Another process of the installation, or the next one. */
  another(options?: Partial<WebhookOptions>): Webhooks
  /** A webhook for the receiver. */
  register(types?: readonly NoticeType[] | null): Promise<string>
  /** A notice in the outbox, and the hint that there is one. */
  say(subject: string, n: number, type?: NoticeType): Promise<void>
  /** Resolves when nothing is unread, nothing is under way and nothing is due whose turn it is. */
  settled(): Promise<void>
  list(webhookId: string, state?: DeliveryState | null): Promise<WebhookDelivery[]>
}

export async function webhooksKit(dialect: Dialect, options: Partial<WebhookOptions> = {}): Promise<WebhooksKit> {
  const database = await testDatabase(dialect, [WebhookEntity, WebhookDeliveryEntity, WebhookReaderEntity, OutboxEventEntity])
  const clock = new ManualClock()
  const events = createInProcessEvents()
  const outbox = createOutbox({ database, events, clock })
  const receiver = await webhookReceiver(() => clock.now())
  const logged: string[] = []
  const log = createLog({ level: 'trace', destination: { write: (line: string) => void logged.push(line) } })
  const running: Webhooks[] = []
  const registry = new Registry()
  const another = (changes: Partial<WebhookOptions> = {}) => {
    const made = createWebhooks({
      database,
      outbox,
      events,
      clock,
      log,
      registry: running.length === 0 ? registry : new Registry(),
      options: { ...OPTIONS, ...options, ...changes },
      random: () => 0,
      pollMs: HOUR,
    })
    running.push(made)
    return made
  }
  const webhooks = another()
  const tables = tablesOf<typeof WebhookDeliveryEntity>(database)
  const queue = createDeliveryQueue(database)
  return {
    database,
    clock,
    outbox,
    queue,
    receiver,
    webhooks,
    registry,
    logged,
    another,
    async register(types = null) {
      const { webhook, secret } = await webhooks.add({ url: receiver.url, name: null, types })
      receiver.secret = secret
      return webhook.id
    },
    async say(subject, n, type = 'rental.running') {
      const events = [notice(type, subject, { rentalId: subject, n })]
      await database.kysely.transaction().execute((tx) => outbox.append(tx, events))
      outbox.published(events)
    },
    settled: () =>
      vi.waitFor(
        async () => {
          expect(await outbox.read(await webhooks.unread())).toEqual([])
          // From one look: between two, one ends and the next of its subject has its turn.
          const waiting = await tables
            .selectFrom('webhook_delivery')
            .selectAll()
            .where('state', '=', 'pending')
            .orderBy('sequence')
            .execute()
          const firsts = waiting.filter(({ subject }, at) => waiting.findIndex((other) => other.subject === subject) === at)
          expect(firsts.filter(({ leaseToken, dueAt }) => leaseToken !== null || dueAt <= clock.now())).toEqual([])
        },
        { timeout: 20_000, interval: 2 },
      ),
    async list(webhookId, state = null) {
      const page = await webhooks.deliveries({ webhookId, state }, { size: 500, isBackward: false, cursor: null })
      return page.edges.map(({ node }) => node).toReversed()
    },
    async [Symbol.asyncDispose]() {
      for (const one of running) await one.stop()
      await receiver[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}
