/** What is done for webhooks unasked. Several processes may do it at once: the outbox is read by one, and deliveries are leased. */
import { delay, type Clock } from '#platform/clock.js'
import type { Database } from '#platform/database/database.js'
import type { EventBus } from '#platform/events/events.js'
import { NOTICE_TOPIC } from '#platform/events/notices.js'
import type { Outbox } from '#platform/events/outbox.js'
import type { Logger } from '#platform/log.js'
import type { DeliveryQueue } from './delivery-queue.js'
import { createIntake } from './intake.js'
import { createSender } from './sender.js'
import type { WebhookMetrics } from '../webhook-metrics.js'
import type { WebhookStore } from '../webhook-store.js'
import type { WebhookTransport } from './webhook-transport.js'

const DEFAULT_POLL_MS = 5_000
/** Tells the processes that send that there is something to send. */
export const WEBHOOKS_CHANGED = 'webhooks.changed'

export interface WebhookWorkDependencies {
  readonly database: Database
  readonly outbox: Outbox
  readonly events: EventBus
  readonly clock: Clock
  readonly log: Logger
  readonly options: { readonly retryMs: number }
  /** From 0 to 1; spreads the attempts. */
  readonly random?: () => number
  /** How often it is looked without a hint. */
  readonly pollMs?: number
}

/** Reads the outbox and sends what is due, when it is told to and now and then. */
export function createWebhookWork(
  { database, outbox, events, clock, log, options, random = Math.random, pollMs = DEFAULT_POLL_MS }: WebhookWorkDependencies,
  webhooks: WebhookStore,
  deliveries: DeliveryQueue,
  transport: WebhookTransport,
  metrics: WebhookMetrics,
) {
  const { retryMs } = options
  const takeIn = createIntake(outbox, deliveries, webhooks, () => clock.now())
  const sender = createSender({ webhooks, deliveries, transport, metrics, retryMs, clock, log, random, onEnded: wake })
  const stopping = new AbortController()
  const stopListening: (() => void)[] = []
  let asleep = new AbortController()
  let isHinted = false
  let running: Promise<void> = Promise.resolve()

  function wake(): void {
    isHinted = true
    asleep.abort()
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      isHinted = false
      asleep = new AbortController()
      const next = await takeIn()
        .then(() => sender.look())
        .catch((error: unknown) => {
          log.warn({ err: error }, 'webhooks were not looked after')
          return null
        })
      const waitMs = next === null ? pollMs : Math.min(pollMs, next - clock.now())
      if (!isHinted && waitMs > 0) await delay(clock, waitMs, asleep.signal)
    }
  }

  return {
    async start() {
      if (database.dialect === 'sqlite') await deliveries.breakLeases()
      stopListening.push(outbox.onPublished(NOTICE_TOPIC, wake), events.listen(WEBHOOKS_CHANGED, wake))
      running = run()
    },
    async stop() {
      for (const end of stopListening.splice(0)) end()
      stopping.abort()
      wake()
      await running
      await sender.stop()
    },
  }
}
