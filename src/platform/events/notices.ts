/**
 * Notices: what the people who run an installation want to be told without looking. A notice is an event of the outbox, so it
 * is committed together with what it tells of; webhooks are made of them.
 */
import type { NewOutboxEvent, OutboxPayload } from './outbox.js'

export const NOTICE_TOPIC = 'notice'

/** Every kind of notice: what went to a receiver once keeps its name and its shape. */
export const NoticeType = {
  BALANCE_LOW: 'balance.low',
  CAP_REACHED: 'cap.reached',
  PROVIDER_DOWN: 'provider.down',
  PROVIDER_UP: 'provider.up',
  PRICE_PENDING: 'price.pending',
  PRICE_CHANGED: 'price.changed',
  RENTAL_PROVISIONING: 'rental.provisioning',
  RENTAL_RUNNING: 'rental.running',
  RENTAL_TERMINATED: 'rental.terminated',
  GPU_ORPHAN: 'gpu.orphan',
  KEY_CREATED: 'key.created',
  KEY_REVOKED: 'key.revoked',
  LEDGER_INVARIANT_BROKEN: 'ledger.invariant_broken',
} as const
export type NoticeType = (typeof NoticeType)[keyof typeof NoticeType]

export type Notice = NewOutboxEvent & { readonly topic: typeof NOTICE_TOPIC }

/**
 * @param subject what the notice is about, by its id: notices of one subject are sent in their order.
 * @param data small and flat: ids, words, amounts as decimal texts; never a secret.
 */
export const notice = (type: NoticeType, subject: string, data: OutboxPayload): Notice => ({
  topic: NOTICE_TOPIC,
  subject,
  payload: { type, data: JSON.stringify(data) },
})
