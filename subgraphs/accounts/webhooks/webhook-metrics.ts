/** What operators see of webhooks without asking each: attempts by what came of them, and what waits or was given up. */
import { Counter, Gauge, type Registry } from 'prom-client'
import { readOnce } from '#platform/metrics/read-once.js'
import { DeliveryState } from './webhook.js'
import type { Attempt } from './delivery/webhook-transport.js'

/** Of the whole installation. */
export interface Undelivered {
  readonly pending: number
  readonly dead: number
  /** When the pending one that has waited longest was put in the queue; null without any. Epoch milliseconds. */
  readonly oldestAt: number | null
}

export interface WebhookMetrics {
  attempt(attempt: Attempt): void
}

const OUTCOMES = { TAKEN: 'taken', REFUSED: 'refused', UNANSWERED: 'unanswered' } as const

const outcomeOf = ({ status, failure }: Attempt) =>
  failure === null ? OUTCOMES.TAKEN : status === null ? OUTCOMES.UNANSWERED : OUTCOMES.REFUSED

export function createWebhookMetrics(registry: Registry, read: () => Promise<Undelivered>, now: () => number): WebhookMetrics {
  const attempts = new Counter({
    name: 'sluice_webhook_attempts_total',
    help: 'Messages sent to webhooks, each attempt, by outcome: taken, refused (any answer but 2xx), unanswered.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  for (const outcome of Object.values(OUTCOMES)) attempts.inc({ outcome }, 0)
  const undelivered = readOnce(read)
  const gauge = (name: string, help: string, labelNames: string[], show: (of: Gauge, found: Undelivered) => void) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      // Every process of an installation tells the same.
      aggregator: 'max',
      async collect() {
        const found = await undelivered()
        if (found) show(this, found)
      },
    })
  gauge(
    'sluice_webhook_messages',
    'Messages to webhooks that are not delivered, of the whole installation, by state: pending, dead.',
    ['state'],
    (of, { pending, dead }) => {
      of.set({ state: DeliveryState.PENDING }, pending)
      of.set({ state: DeliveryState.DEAD }, dead)
    },
  )
  gauge(
    'sluice_webhook_oldest_waiting_seconds',
    'How long the message to a webhook has waited that has waited longest; 0 without any.',
    [],
    (of, { oldestAt }) => of.set(oldestAt === null ? 0 : Math.max(0, now() - oldestAt) / 1000),
  )
  return { attempt: (attempt) => attempts.inc({ outcome: outcomeOf(attempt) }) }
}
