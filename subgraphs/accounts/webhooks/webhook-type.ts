/** What the graph shows of webhooks, and what it takes to make and change one. */
import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql'
import { NoticeType } from '#platform/events/notices.js'
import { countedConnectionType } from '#platform/paging/connection.js'
import { DateTimeScalar, JsonScalar } from '#platform/scalars.js'
import { DeliveryState, WebhookOff } from './webhook.js'

registerEnumType(NoticeType, {
  name: 'WebhookEvent',
  description:
    'What a webhook may be sent. The `type` of a message is the name in small letters with a dot, such as "balance.low".',
  valuesConfig: {
    BALANCE_LOW: { description: 'An account has less than the amount that is set.' },
    CAP_REACHED: { description: 'An account or a key has used 80 or 100 % of its monthly cap.' },
    PROVIDER_DOWN: { description: 'No deployment of a provider answers.' },
    PROVIDER_UP: { description: 'A provider answers again.' },
    PRICE_PENDING: { description: 'A price of a price list waits for an administrator.' },
    PRICE_CHANGED: { description: 'A price has come into force, or was withdrawn.' },
    RENTAL_PROVISIONING: { description: 'A GPU was rented.' },
    RENTAL_RUNNING: { description: 'A rental runs.' },
    RENTAL_TERMINATED: { description: 'A rental has ended.' },
    GPU_ORPHAN: { description: 'A machine was found that no session answers for, and is destroyed.' },
    KEY_CREATED: { description: 'An API key was made.' },
    KEY_REVOKED: { description: 'An API key was revoked.' },
    LEDGER_INVARIANT_BROKEN: { description: 'The ledger does not keep one of its promises.' },
  },
})

registerEnumType(DeliveryState, {
  name: 'WebhookDeliveryState',
  description: 'Where a message is.',
  valuesConfig: {
    PENDING: { description: 'Waits to be sent, for the first time or again.' },
    DELIVERED: { description: 'The receiver has taken it.' },
    DEAD: { description: 'Was given up: a dead letter, which can be sent again.' },
  },
})

registerEnumType(WebhookOff, {
  name: 'WebhookOff',
  description: 'Why nothing is sent to a webhook.',
  valuesConfig: {
    GONE: { description: 'Its receiver answered 410.' },
    OPERATOR: { description: 'An administrator turned it off.' },
  },
})

@ObjectType('WebhookDelivery', { description: 'A message to a webhook.', simpleResolvers: true })
export class WebhookDeliveryType {
  @Field(() => ID, { description: 'The `webhook-id` of the message: the same however often it is sent.' })
  id!: string

  @Field(() => NoticeType, { description: 'What it tells of.' })
  type!: NoticeType

  @Field(() => String, { description: 'What it is about, by id: messages about one subject are sent in their order.' })
  subject!: string

  @Field(() => JsonScalar, { description: 'The `data` of the message.' })
  data!: unknown

  @Field(() => DateTimeScalar, { description: 'When it happened.' })
  occurredAt!: number

  @Field(() => DeliveryState, { description: 'Where the message is.' })
  state!: DeliveryState

  @Field(() => Int, { description: 'How often it was tried since it was last put in the queue.' })
  attempts!: number

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was last tried.' })
  attemptedAt!: number | null

  @Field(() => Int, { nullable: true, description: 'The HTTP status of the last attempt; null when there was no answer.' })
  answered!: number | null

  @Field(() => String, { nullable: true, description: 'Why the last attempt failed; null when it did not.' })
  failure!: string | null
}

export const WebhookDeliveryConnection = countedConnectionType(WebhookDeliveryType, {
  name: 'WebhookDelivery',
  of: 'messages to a webhook, newest first.',
})

@ObjectType('Webhook', { description: 'An address that is sent signed messages about what operators want to know.' })
export class WebhookType {
  @Field(() => ID, { description: 'Such as whk_...' })
  id!: string

  @Field(() => String, { description: 'A name for people.' })
  name!: string

  @Field(() => String, { description: 'Where messages go.' })
  url!: string

  @Field(() => [NoticeType], { nullable: true, description: 'What it is sent; null for everything.' })
  types!: readonly NoticeType[] | null

  @Field(() => DateTimeScalar, { description: 'When it was made.' })
  createdAt!: number

  @Field(() => DateTimeScalar, { nullable: true, description: 'Since when nothing is sent to it; null while it is on.' })
  offSince!: number | null

  @Field(() => WebhookOff, { nullable: true, description: 'Why nothing is sent to it; null while it is on.' })
  offBecause!: WebhookOff | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Until when messages are signed with the secret before this one too; null when its secret was never changed.',
  })
  earlierSecretUntil!: number | null
}

export const WebhookConnection = countedConnectionType(WebhookType, { name: 'Webhook', of: 'webhooks, oldest first.' })

@ObjectType({ description: 'A new webhook with its secret.' })
export class CreateWebhookPayload {
  @Field(() => WebhookType, { description: 'The webhook.' })
  webhook!: WebhookType

  @Field(() => String, {
    description: 'The secret (whsec_...) that messages are signed with, as Standard Webhooks. It is shown here and never again.',
  })
  secret!: string
}

@ObjectType({ description: 'A webhook with its new secret.' })
export class RotateWebhookSecretPayload {
  @Field(() => WebhookType, { description: 'The webhook as it is now.' })
  webhook!: WebhookType

  @Field(() => String, { description: 'The new secret (whsec_...). It is shown here and never again.' })
  secret!: string
}

@ObjectType({ description: 'A webhook that was removed.', simpleResolvers: true })
export class RemoveWebhookPayload {
  @Field(() => ID, { description: 'Its id.' })
  id!: string
}

@ObjectType({ description: 'A webhook that was turned on or off.' })
export class SetWebhookEnabledPayload {
  @Field(() => WebhookType, { description: 'The webhook as it is now.' })
  webhook!: WebhookType
}

@ObjectType({ description: 'What came of a test message.', simpleResolvers: true })
export class TestWebhookPayload {
  @Field(() => Boolean, { description: 'Whether the receiver has taken it.' })
  isDelivered!: boolean

  @Field(() => Int, { nullable: true, description: 'The HTTP status of its answer; null when there was none.' })
  answered!: number | null

  @Field(() => String, { nullable: true, description: 'Why it failed; null when it did not.' })
  failure!: string | null
}

@ObjectType({ description: 'Messages that were put in the queue again.', simpleResolvers: true })
export class ReplayWebhookPayload {
  @Field(() => Int, { description: 'How many.' })
  replayed!: number
}

@InputType({ description: 'A new webhook.' })
export class CreateWebhookInput {
  @Field(() => String, {
    description: 'Where messages go: https://..., no user and password, and no private address unless allowed.',
  })
  url!: string

  @Field(() => String, { nullable: true, description: 'A name for people; the host of the address when left out.' })
  name?: string | null

  @Field(() => [NoticeType], { nullable: true, description: 'What it is sent; everything when left out.' })
  types?: NoticeType[] | null
}

@InputType({ description: 'Which webhook gets a new secret, and how long messages are signed with the old one too.' })
export class RotateWebhookSecretInput {
  @Field(() => ID, { description: 'The webhook.' })
  id!: string

  @Field(() => Int, {
    nullable: true,
    description: 'How long messages are signed with both secrets, up to 30 days; a day when left out.',
  })
  graceSeconds?: number | null
}

@InputType({ description: 'Which webhook to remove, with everything that was sent to it.' })
export class RemoveWebhookInput {
  @Field(() => ID, { description: 'The webhook.' })
  id!: string
}

@InputType({ description: 'Which webhook to turn on or off.' })
export class SetWebhookEnabledInput {
  @Field(() => ID, { description: 'The webhook.' })
  id!: string

  @Field(() => Boolean, {
    description: 'Off: nothing is sent, and what waits becomes dead letters. On: it hears of what happens from then on.',
  })
  isEnabled!: boolean
}

@InputType({ description: 'Which webhook to send a test message to.' })
export class TestWebhookInput {
  @Field(() => ID, { description: 'The webhook.' })
  id!: string
}

@InputType({ description: 'Which messages to send again.' })
export class ReplayWebhookInput {
  @Field(() => ID, { description: 'The webhook.' })
  id!: string

  @Field(() => [ID], {
    nullable: true,
    description: 'Delivered messages and dead letters of it, at most 500; every dead letter when left out.',
  })
  deliveryIds?: string[] | null
}
