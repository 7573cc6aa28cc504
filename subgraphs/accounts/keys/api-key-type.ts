/** What the graph shows of an API key, and what it takes to make and change one. */
import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql'
import { NodeType } from '../nodes/node-type.js'
import { countedConnectionType } from '#platform/paging/connection.js'
import { Scope, type AnswerScanPolicy } from '#platform/requests/context.js'
import type { NanoUsd } from '#platform/money.js'
import { DateTimeScalar, DecimalScalar } from '#platform/scalars.js'
import { Severity } from '#platform/vocabulary/graph-enums.js'
import { AnswerScanMode } from '#platform/vocabulary/words.js'

registerEnumType(Scope, {
  name: 'Scope',
  description: 'What an API key may do.',
  valuesConfig: {
    CHAT: { description: 'Chat completions.' },
    GPU: { description: 'Rent and terminate GPUs.' },
    SCAN: { description: 'Scan code.' },
    METRICS: { description: 'Read /metrics: for scrapers.' },
    ADMIN: { description: 'Everything, for every account.' },
  },
})

registerEnumType(AnswerScanMode, {
  name: 'AnswerScanMode',
  description: 'What is done about rules that code in answers breaks.',
  valuesConfig: {
    REPORT: { description: 'They are told with the answer.' },
    BLOCK: {
      description:
        'They are told, and the code is withheld: a whole answer has a notice in its place, a stream ends behind the block. So does code that could not be looked at.',
    },
  },
})

@ObjectType('AnswerScanPolicy', { description: 'What an API key demands of the code in answers.' })
class AnswerScanPolicyType implements AnswerScanPolicy {
  @Field(() => AnswerScanMode, { description: 'What is done about rules that it breaks.' })
  mode!: AnswerScanMode

  @Field(() => [String], { description: 'The standards by which it is scanned; all enabled ones when empty.' })
  standards!: readonly string[]

  @Field(() => Severity, { description: 'Nothing below it counts.' })
  minSeverity!: Severity
}

@InputType({ description: 'What an API key demands of the code in answers.' })
export class AnswerScanPolicyInput {
  @Field(() => AnswerScanMode, { description: 'What is done about rules that it breaks.' })
  mode!: AnswerScanMode

  @Field(() => [String], { nullable: true, description: 'Standards by name; all enabled ones when left out or empty.' })
  standards?: string[] | null

  @Field(() => Severity, { nullable: true, description: 'Nothing below it counts; LOW when left out.' })
  minSeverity?: Severity | null
}

@ObjectType('ApiKey', { implements: NodeType, description: 'An API key; the secret itself is never shown again.' })
export class ApiKeyType {
  @Field(() => ID, { description: 'Such as key_...' })
  id!: string

  @Field(() => String, { description: 'A name for people.' })
  name!: string

  @Field(() => String, { description: 'The public beginning of the secret.' })
  prefix!: string

  @Field(() => [Scope], { description: 'What the key may do.' })
  scopes!: readonly Scope[]

  @Field(() => [ID], { nullable: true, description: 'The only models that it may ask; null for every model.' })
  models!: readonly string[] | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Most USD that it may spend in a calendar month (UTC); null for all that its account may.',
  })
  monthlyCap!: NanoUsd | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'What was charged under the cap in this month, in USD, together with the keys that share it; null for a key that never had one.',
  })
  spentThisMonth!: NanoUsd | null

  @Field(() => Int, { nullable: true, description: 'Most chat requests in a minute (UTC); null for any number.' })
  requestsPerMinute!: number | null

  @Field(() => Int, { nullable: true, description: 'Most tokens of chat requests in a minute (UTC); null for any number.' })
  tokensPerMinute!: number | null

  @Field(() => AnswerScanPolicyType, { nullable: true, description: 'What it demands of the code in answers; null for nothing.' })
  answerScan!: AnswerScanPolicy | null

  @Field(() => DateTimeScalar, { description: 'When the key was created.' })
  createdAt!: number

  @Field(() => DateTimeScalar, { nullable: true, description: 'When the key stops working by itself.' })
  expiresAt!: number | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'When the key was revoked.' })
  revokedAt!: number | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'When the key was last used, to the minute.' })
  lastUsedAt!: number | null

  @Field(() => ID, { nullable: true, description: 'The key that a rotation put in the place of this one.' })
  replacedBy!: string | null
}

export const ApiKeyConnection = countedConnectionType(ApiKeyType, {
  name: 'ApiKey',
  of: 'API keys, newest first, revoked ones included.',
})

const SECRET = 'The secret to send as "Authorization: Bearer <secret>". It is shown here and never again.'

@ObjectType({ description: 'A new API key with its secret.' })
export class CreateApiKeyPayload {
  @Field(() => ApiKeyType, { description: 'The key.' })
  apiKey!: ApiKeyType

  @Field(() => String, { description: SECRET })
  secret!: string
}

@ObjectType({ description: 'The API key that takes the place of another, with its secret.' })
export class RotateApiKeyPayload {
  @Field(() => ApiKeyType, { description: 'The new key.' })
  apiKey!: ApiKeyType

  @Field(() => ApiKeyType, { description: 'The old key, which ends with its grace period.' })
  replacedKey!: ApiKeyType

  @Field(() => String, { description: SECRET })
  secret!: string
}

@ObjectType({ description: 'An API key that was revoked.' })
export class RevokeApiKeyPayload {
  @Field(() => ApiKeyType, { description: 'The key as it is now.' })
  apiKey!: ApiKeyType
}

@ObjectType({ description: 'An API key whose models were changed.' })
export class SetApiKeyModelsPayload {
  @Field(() => ApiKeyType, { description: 'The key as it is now.' })
  apiKey!: ApiKeyType
}

@ObjectType({ description: 'An API key whose monthly cap was changed.' })
export class SetApiKeyMonthlyCapPayload {
  @Field(() => ApiKeyType, { description: 'The key as it is now.' })
  apiKey!: ApiKeyType
}

@ObjectType({ description: 'An API key whose rates were changed.' })
export class SetApiKeyRateLimitsPayload {
  @Field(() => ApiKeyType, { description: 'The key as it is now.' })
  apiKey!: ApiKeyType
}

@ObjectType({ description: 'An API key that demands something else of the code in answers.' })
export class SetApiKeyAnswerScanPayload {
  @Field(() => ApiKeyType, { description: 'The key as it is now.' })
  apiKey!: ApiKeyType
}

@InputType({ description: 'A new API key.' })
export class CreateApiKeyInput {
  @Field(() => ID, { nullable: true, description: 'Administrators only: the account that gets the key. Your own when left out.' })
  accountId?: string | null

  @Field(() => String, { nullable: true, description: 'A name for people.' })
  name?: string | null

  @Field(() => [Scope], { nullable: true, description: 'CHAT, GPU and SCAN when left out.' })
  scopes?: Scope[] | null

  @Field(() => [ID], { nullable: true, description: 'The only models that it may ask, by id; every model when left out.' })
  models?: string[] | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Most USD that it may spend in a calendar month (UTC), within the account's own limits; no cap when left out.",
  })
  monthlyCap?: string | null

  @Field(() => Int, {
    nullable: true,
    description: 'Administrators only: most chat requests in a minute (UTC); any number when left out.',
  })
  requestsPerMinute?: number | null

  @Field(() => Int, {
    nullable: true,
    description: 'Administrators only: most tokens of chat requests in a minute (UTC); any number when left out.',
  })
  tokensPerMinute?: number | null

  @Field(() => AnswerScanPolicyInput, {
    nullable: true,
    description: 'Administrators only: what it demands of the code in answers; nothing when left out.',
  })
  answerScan?: AnswerScanPolicyInput | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'When the key stops working by itself; never when left out.' })
  expiresAt?: Date | null
}

@InputType({ description: 'Which key to replace, and how long it goes on.' })
export class RotateApiKeyInput {
  @Field(() => ID, { description: 'The key to replace.' })
  id!: string

  @Field(() => Int, { nullable: true, description: 'How long the old key stays valid; a day when left out.' })
  graceSeconds?: number | null
}

@InputType({ description: 'Which key to end.' })
export class RevokeApiKeyInput {
  @Field(() => ID, { description: 'The key.' })
  id!: string
}

@InputType({ description: 'Which models a key may ask.' })
export class SetApiKeyModelsInput {
  @Field(() => ID, { description: 'The key.' })
  id!: string

  @Field(() => [ID], { nullable: true, description: 'The only models that it may ask; every model when left out.' })
  models?: string[] | null
}

@InputType({ description: 'What a key may spend in a calendar month.' })
export class SetApiKeyMonthlyCapInput {
  @Field(() => ID, { description: 'The key. Those that share its cap, as a rotated one does, get it too.' })
  id!: string

  @Field(() => DecimalScalar, { nullable: true, description: 'Most USD a month (UTC); no cap when left out.' })
  monthlyCap?: string | null
}

@InputType({ description: 'What a key may ask in a minute.' })
export class SetApiKeyRateLimitsInput {
  @Field(() => ID, { description: 'The key. Those that share its rates, as a rotated one does, get them too.' })
  id!: string

  @Field(() => Int, {
    nullable: true,
    description: 'Most chat requests in a minute (UTC); any number for null, as it is when left out.',
  })
  requestsPerMinute?: number | null

  @Field(() => Int, {
    nullable: true,
    description: 'Most tokens of chat requests in a minute (UTC); any number for null, as it is when left out.',
  })
  tokensPerMinute?: number | null
}

@InputType({ description: 'What a key demands of the code in answers.' })
export class SetApiKeyAnswerScanInput {
  @Field(() => ID, { description: 'The key. Those that it was rotated to or from demand the same.' })
  id!: string

  @Field(() => AnswerScanPolicyInput, { nullable: true, description: 'Nothing when left out.' })
  answerScan?: AnswerScanPolicyInput | null
}
