/** What of the webhooks' page is in its address. */
import type { WebhookDeliveryState } from '../../generated/console-webhooks.js'

export const STATES: Readonly<Record<WebhookDeliveryState, string>> = {
  PENDING: 'Waiting',
  DELIVERED: 'Delivered',
  DEAD: 'Given up',
}

export interface WebhooksSearch {
  /** Whose messages are shown; those of the first when left out. */
  readonly webhook?: string
  readonly state?: WebhookDeliveryState
  /** The message that is open. */
  readonly message?: string
}

const isState = (value: unknown): value is WebhookDeliveryState => typeof value === 'string' && Object.hasOwn(STATES, value)

export const readWebhooksSearch = ({ webhook, state, message }: Record<string, unknown>): WebhooksSearch => ({
  ...(typeof webhook === 'string' && webhook !== '' && { webhook }),
  ...(isState(state) && { state }),
  ...(typeof message === 'string' && message !== '' && { message }),
})
