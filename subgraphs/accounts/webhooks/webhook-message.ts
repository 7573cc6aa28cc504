/** What is sent: a small JSON document, signed as Standard Webhooks (https://www.standardwebhooks.com). */
import { randomBytes } from 'node:crypto'
import { Webhook as Signer } from 'standardwebhooks'
import type { OutboxPayload } from '#platform/events/outbox.js'
import type { Posting } from './webhook-transport.js'

export interface Message {
  /** The same however often it is sent: receivers know by it what they had already. */
  readonly id: string
  readonly type: string
  readonly data: OutboxPayload
  /** Epoch milliseconds. */
  readonly occurredAt: number
}

const SECRET_BYTES = 32

export const newWebhookSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** @param nowMs of the attempt: receivers refuse what was signed long ago. */
export function signedPosting(webhook: { url: string; secret: string }, message: Message, nowMs: number): Posting {
  const { id, type, data, occurredAt } = message
  const body = JSON.stringify({ type, timestamp: new Date(occurredAt).toISOString(), data })
  const sentAt = new Date(nowMs)
  return {
    url: webhook.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'sluice',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(nowMs / 1000)),
      'webhook-signature': new Signer(webhook.secret).sign(id, sentAt, body),
    },
    body,
  }
}
