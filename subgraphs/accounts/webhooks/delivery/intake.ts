/**
 * Makes deliveries of the outbox's notices. The outbox hands out numbers in the order of its commits, so whoever has read up to a
 * number has seen everything before it. How far that is moves in the transaction that stores the deliveries, and only from where
 * the reading began: of several processes one does it, and none leaves a gap.
 */
import { nothingYet } from '#platform/database/tables.js'
import { NOTICE_TOPIC, type NoticeType } from '#platform/events/notices.js'
import type { Outbox, OutboxEvent, OutboxPayload } from '#platform/events/outbox.js'
import { newId } from '#platform/ids.js'
import type { DeliveryQueue } from './delivery-queue.js'
import { DeliveryState, type Webhook, type WebhookDelivery, WebhookDeliveryEntity } from '../webhook.js'
import type { WebhookStore } from '../webhook-store.js'

/** @returns what reads until nothing is left, and how many deliveries it made. */
export function createIntake(
  outbox: Pick<Outbox, 'read'>,
  store: Pick<DeliveryQueue, 'readUpTo' | 'advance'>,
  webhooks: Pick<WebhookStore, 'active'>,
  now: () => number,
): () => Promise<number> {
  return async () => {
    for (let made = 0; ;) {
      const from = await store.readUpTo()
      const notices = await outbox.read({ topic: NOTICE_TOPIC, afterSequence: from })
      const last = notices.at(-1)
      if (!last) return made
      // After the notices: a webhook that was there when one of them was committed is seen here.
      const receivers = await webhooks.active()
      const deliveries = notices.flatMap((event) => deliveriesOf(event, receivers, now()))
      // Where somebody else was faster, the next reading begins behind it.
      if (await store.advance(from, last.sequence, deliveries)) made += deliveries.length
    }
  }
}

function deliveriesOf(event: OutboxEvent, receivers: readonly Webhook[], queuedAt: number): WebhookDelivery[] {
  const { sequence, subject, createdAt, payload } = event
  const type = payload['type'] as NoticeType
  const data = JSON.parse(String(payload['data'])) as OutboxPayload
  const wants = ({ types, afterSequence }: Webhook) => sequence > afterSequence && (types === null || types.includes(type))
  return receivers.filter(wants).map(({ id: webhookId }) => ({
    ...nothingYet(WebhookDeliveryEntity),
    id: newId('msg', queuedAt),
    webhookId,
    sequence,
    type,
    subject,
    data,
    occurredAt: createdAt,
    state: DeliveryState.PENDING,
    queuedAt,
    attempts: 0,
    dueAt: queuedAt,
    leaseUntil: 0,
  }))
}
