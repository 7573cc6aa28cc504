/** What of webhooks is told in words. */
import type {
  WebhookDeliveryState,
  WebhookEvent,
  WebhooksMessagesQuery,
  WebhooksTableQuery,
} from '../../generated/console-webhooks.js'
import type { Tone } from '../ui/badge.js'

export type WebhookRow = NonNullable<WebhooksTableQuery['webhooks']>['nodes'][number]

export type Message = NonNullable<WebhooksMessagesQuery['webhook']>['deliveries']['nodes'][number]

/** By what they tell of, in the order in which they are offered. */
export const EVENTS = [
  ['BALANCE_LOW', 'A balance is low'],
  ['CAP_REACHED', 'A cap or a budget is nearly used, or all of it'],
  ['PROVIDER_DOWN', 'A provider does not answer'],
  ['PROVIDER_UP', 'A provider answers again'],
  ['PRICE_CHANGED', 'A price has come into force, or was withdrawn'],
  ['PRICE_PENDING', 'A price waits for an administrator'],
  ['RENTAL_PROVISIONING', 'A GPU was rented'],
  ['RENTAL_RUNNING', 'A rental runs'],
  ['RENTAL_TERMINATED', 'A rental has ended'],
  ['GPU_ORPHAN', 'A stray machine was found'],
  ['KEY_CREATED', 'A key was made'],
  ['KEY_REVOKED', 'A key was revoked'],
  ['LEDGER_INVARIANT_BROKEN', 'The ledger does not balance'],
] as const satisfies readonly (readonly [WebhookEvent, string])[]

/** As it stands in messages: "balance.low". */
export const eventName = (event: WebhookEvent): string => event.toLowerCase().replace('_', '.')

export const STATE_TONES: Readonly<Record<WebhookDeliveryState, Tone>> = { PENDING: 'warn', DELIVERED: 'good', DEAD: 'bad' }
