/** What is sent: a small JSON document, signed as Standard Webhooks (https://www.standardwebhooks.com). */
import { randomBytes } from 'node:crypto'
import { Webhook as Signer } from 'standardwebhooks'
import type { OutboxPayload } from '#platform/events/outbox.js'
import type { Webhook } from '../webhook.js'
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

type Signing = Pick<Webhook, 'url' | 'secret' | 'earlierSecret' | 'earlierSecretUntil'>

/** Receivers take a message of which one signature is right: while a secret is changed, whoever knows the old one or the new. */
const secretsAt = ({ secret, earlierSecret, earlierSecretUntil }: Signing, nowMs: number): string[] =>
  earlierSecret !== null && nowMs < (earlierSecretUntil ?? 0) ? [secret, earlierSecret] : [secret]

/** @param nowMs of the attempt: receivers refuse what was signed long ago. */
export function signedPosting(webhook: Signing, message: Message, nowMs: number): Posting {
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
      'webhook-signature': secretsAt(webhook, nowMs)
        .map((secret) => new Signer(secret).sign(id, sentAt, body))
        .join(' '),
    },
    body,
  }
}
