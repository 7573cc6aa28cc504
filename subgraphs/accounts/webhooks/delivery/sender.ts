/**
 * Sends what is due, and tries again what failed: after seconds at first, after hours in the end. A few at a time for each
 * webhook, so that a slow receiver holds up nobody else. A delivery is leased while it is sent; the lease of a process that died
 * runs out, and the delivery is sent again.
 */
import { randomUUID } from 'node:crypto'
import type { Clock } from '#platform/clock.js'
import type { Logger } from '#platform/log.js'
import { type DeliveryQueue, LONGEST_WAIT_MS } from './delivery-queue.js'
import { DeliveryState, type Webhook, type WebhookDelivery, WebhookOff } from '../webhook.js'
import { signedPosting } from './webhook-message.js'
import type { WebhookMetrics } from '../webhook-metrics.js'
import type { WebhookStore } from '../webhook-store.js'
import type { Attempt, WebhookTransport } from './webhook-transport.js'

export interface SenderOptions {
  readonly webhooks: Pick<WebhookStore, 'active' | 'turnOff'>
  readonly deliveries: DeliveryQueue
  readonly transport: WebhookTransport
  /** How long a message that fails is tried again. */
  readonly retryMs: number
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: WebhookMetrics
  /** From 0 to 1. */
  readonly random: () => number
  /** An attempt is over: there is room again, and the next of its subject may have its turn. */
  readonly onEnded: () => void
}

export interface Sender {
  /** Sends what is due now; answers when something else is due next, null when nothing is. */
  look(): Promise<number | null>
  /** Ends attempts that are under way; they count as not made. */
  stop(): Promise<void>
}

/** Under way at once, for one webhook. */
const AT_ONCE = 4
const FIRST_WAIT_MS = 5_000
const WAIT_FACTOR = 3
const LAST_WAIT_MS = 8 * 3_600_000
/** Receivers that were down at the same moment are not to be asked at the same moment. */
const JITTER = 0.2
/** A message whose time ran out behind others, or while nothing ran, is tried this often all the same. */
const LEAST_ATTEMPTS = 5
const GONE = 410

/** How long to wait after this many failures. */
const waitAfter = (failures: number, random: number): number =>
  Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * WAIT_FACTOR ** (failures - 1)) * (1 + JITTER * random)

export function createSender(options: SenderOptions): Sender {
  const { webhooks, deliveries, transport, metrics, clock, log, onEnded } = options
  const stopping = new AbortController()
  const underWay = new Map<string, Set<Promise<void>>>()

  async function send(webhook: Webhook, delivery: WebhookDelivery, token: string): Promise<void> {
    const attempt = await transport.post(signedPosting(webhook, delivery, clock.now()), stopping.signal)
    if (stopping.signal.aborted && attempt.status === null) return deliveries.giveBack(delivery.id, token)
    metrics.attempt(attempt)
    const end = endOf(delivery, attempt, clock.now(), options)
    const isOurs = await deliveries.finish(delivery.id, token, end)
    if (attempt.status === GONE) {
      const isNews = await webhooks.turnOff(webhook.id, WebhookOff.GONE, clock.now())
      if (isNews) log.warn({ webhookId: webhook.id }, 'a webhook was turned off: its receiver says that it is gone')
    } else if (isOurs && end.state === DeliveryState.DEAD) {
      const { id: deliveryId, type } = delivery
      log.warn({ webhookId: webhook.id, deliveryId, type, failure: end.failure }, 'a webhook message was given up')
    }
  }

  function begin(webhook: Webhook, delivery: WebhookDelivery, token: string): void {
    const its = underWay.get(webhook.id) ?? new Set()
    underWay.set(webhook.id, its)
    const sent = send(webhook, delivery, token)
      // The lease runs out, and the delivery is sent again.
      .catch((error: unknown) =>
        log.warn({ err: error, webhookId: webhook.id }, 'what came of a webhook message was not written'),
      )
      .finally(() => {
        its.delete(sent)
        onEnded()
      })
    its.add(sent)
  }

  const room = (webhookId: string) => AT_ONCE - (underWay.get(webhookId)?.size ?? 0)

  return {
    async look() {
      const due = await deliveries.nextDue()
      if (due.size === 0) return null
      const now = clock.now()
      for (const webhook of await webhooks.active()) {
        const limit = room(webhook.id)
        if (limit <= 0 || stopping.signal.aborted || !isDue(due.get(webhook.id) ?? null, now)) continue
        const token = randomUUID()
        for (const delivery of await deliveries.claim(webhook.id, token, now, limit)) begin(webhook, delivery, token)
      }
      const later = [...due.values()].filter((at) => !isDue(at, now))
      return later.length === 0 ? null : Math.min(...later)
    },
    async stop() {
      stopping.abort()
      await Promise.all([...underWay.values()].flatMap((its) => [...its]))
    },
  }
}

const isDue = (at: number | null, now: number): boolean => at !== null && (at <= now || at > now + LONGEST_WAIT_MS)

function endOf(delivery: WebhookDelivery, { status, failure }: Attempt, now: number, { retryMs, random }: SenderOptions) {
  const attempts = delivery.attempts + 1
  const attempted = { attempts, attemptedAt: now, answered: status, failure }
  if (failure === null) return { ...attempted, state: DeliveryState.DELIVERED, dueAt: now, endedAt: now }
  const isOver = status === GONE || (attempts >= LEAST_ATTEMPTS && now - delivery.queuedAt >= retryMs)
  if (isOver) return { ...attempted, state: DeliveryState.DEAD, dueAt: now, endedAt: now }
  return { ...attempted, state: DeliveryState.PENDING, dueAt: now + waitAfter(attempts, random()), endedAt: null }
}
