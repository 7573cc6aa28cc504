/** What the graph shows of an account, its keys, its money and its use. */
import { Directive, Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql'
import { DateTimeScalar, DecimalScalar } from '#platform/scalars.js'
import type { Scope } from '#platform/requests/context.js'
import type { Account, ColdStartMode, ScanTier } from './account.js'

const ScanTierEnum = { FREE: 'free', PRO: 'pro', ENTERPRISE: 'enterprise' } as const
registerEnumType(ScanTierEnum, {
  name: 'ScanTier',
  description: 'How many scan requests an account may make.',
  valuesConfig: {
    FREE: { description: '60 requests a minute and 1,000 a day.' },
    PRO: { description: '300 requests a minute and 10,000 a day.' },
    ENTERPRISE: { description: 'The limits that the operator configured.' },
  },
})

const ColdStartModeEnum = { RESPOND: 'respond', RETRY: 'retry', WAIT: 'wait' } as const
registerEnumType(ColdStartModeEnum, {
  name: 'ColdStartMode',
  description: 'What a chat request for a model that is still being deployed gets.',
  valuesConfig: {
    RESPOND: { description: '202 with the deploying body.' },
    RETRY: { description: '503 with Retry-After, which SDKs retry by themselves.' },
    WAIT: { description: 'The connection is held until the model serves, for at most 100 seconds.' },
  },
})

const ScopeEnum = { CHAT: 'chat', GPU: 'gpu', SCAN: 'scan', METRICS: 'metrics', ADMIN: 'admin' } as const
registerEnumType(ScopeEnum, {
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

/** The balance is read from the ledger when one of its fields is asked for. */
@ObjectType('Account', { description: 'Who owns keys, credits, rentals and scans.' })
@Directive('@key(fields: "id")')
export class AccountType {
  @Field(() => ID, { description: 'Such as acc_...' })
  id!: string

  @Field(() => String, { description: 'A name for people.' })
  name!: string

  @Field(() => ScanTierEnum, { description: 'The rate limits of the scanner.' })
  scanTier!: ScanTier

  @Field(() => ColdStartModeEnum, { description: 'The default answer to a chat request for a model that is being deployed.' })
  coldStartMode!: ColdStartMode

  @Field(() => Int, { nullable: true, description: "Most GPU sessions at once; null for the server's limit." })
  maxConcurrentSessions!: number | null

  @Field(() => DecimalScalar, { nullable: true, description: 'Most USD an hour over all GPU sessions; null for no limit.' })
  maxHourlySpend!: string | null

  @Field(() => DateTimeScalar, { description: 'When the account was created.' })
  createdAt!: number

  static of(account: Account, formatUsd: (nano: bigint) => string): AccountType {
    return Object.assign(new AccountType(), {
      id: account.id,
      name: account.name,
      scanTier: account.scanTier,
      coldStartMode: account.coldStartMode,
      maxConcurrentSessions: account.maxConcurrentSessions ?? null,
      maxHourlySpend: account.maxHourlySpend == null ? null : formatUsd(account.maxHourlySpend),
      createdAt: account.createdAt,
    })
  }
}

@ObjectType('ApiKey', { description: 'An API key; the secret itself is never shown again.' })
export class ApiKeyType {
  @Field(() => ID, { description: 'Such as key_...' })
  id!: string

  @Field(() => String, { description: 'A name for people.' })
  name!: string

  @Field(() => String, { description: 'The public beginning of the secret.' })
  prefix!: string

  @Field(() => [ScopeEnum], { description: 'What the key may do.' })
  scopes!: string[]

  @Field(() => [ID], { nullable: true, description: 'The only models that it may ask; null for every model.' })
  models!: string[] | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Most USD that it may spend in a calendar month (UTC); null for all that its account may.',
  })
  monthlyCap!: string | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'What was charged under the cap in this month, in USD, together with the keys that share it; null for a key that never had one.',
  })
  spentThisMonth!: string | null

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

@ObjectType({ description: 'A new API key with its secret, which is shown here and never again.' })
export class CreatedApiKey {
  @Field(() => ApiKeyType, { description: 'The key.' })
  apiKey!: ApiKeyType

  @Field(() => String, { description: 'The secret to send as "Authorization: Bearer <secret>".' })
  secret!: string
}

@InputType({ description: 'A new account.' })
export class CreateAccountArgs {
  @Field(() => String, { description: 'A name for people, 1 to 200 characters.' })
  name!: string

  @Field(() => DecimalScalar, { nullable: true, description: 'Credits to start with, in USD.' })
  credits?: string

  @Field(() => DecimalScalar, { nullable: true, description: 'Most USD that may be spent in a calendar month (UTC).' })
  monthlyCap?: string | null

  @Field(() => ScanTierEnum, { nullable: true, description: 'The rate limits of the scanner; FREE when left out.' })
  scanTier?: ScanTier

  @Field(() => ColdStartModeEnum, {
    nullable: true,
    description: 'The mode of this server (`compute.cold_start_mode`) when left out.',
  })
  coldStartMode?: ColdStartMode
}

@InputType({ description: 'What to change of an account; a field that is left out stays, null removes a limit.' })
export class UpdateAccountArgs {
  @Field(() => String, { nullable: true, description: 'A name for people, 1 to 200 characters.' })
  name?: string

  @Field(() => DecimalScalar, { nullable: true, description: 'Most USD that may be spent in a calendar month (UTC).' })
  monthlyCap?: string | null

  @Field(() => ScanTierEnum, { nullable: true, description: 'The rate limits of the scanner.' })
  scanTier?: ScanTier

  @Field(() => ColdStartModeEnum, { nullable: true, description: 'What a request for a cold model gets.' })
  coldStartMode?: ColdStartMode

  @Field(() => Int, { nullable: true, description: 'Most GPU sessions at once.' })
  maxConcurrentSessions?: number | null

  @Field(() => DecimalScalar, { nullable: true, description: 'Most USD an hour over all GPU sessions.' })
  maxHourlySpend?: string | null
}

@InputType({ description: 'A new API key.' })
export class CreateApiKeyArgs {
  @Field(() => ID, { nullable: true, description: 'Administrators only: the account that gets the key. Your own when left out.' })
  accountId?: string

  @Field(() => String, { nullable: true, description: 'A name for people.' })
  name?: string

  @Field(() => [ScopeEnum], { nullable: true, description: 'CHAT, GPU and SCAN when left out.' })
  scopes?: Scope[]

  @Field(() => [ID], { nullable: true, description: 'The only models that it may ask, by id; every model when left out.' })
  models?: string[] | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Most USD that it may spend in a calendar month (UTC), within the account's own limits; no cap when left out.",
  })
  monthlyCap?: string | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'When the key stops working by itself; never when left out.' })
  expiresAt?: Date | null
}

export const UsageGroupingEnum = { DAY: 'day', MODEL: 'model', KEY: 'key' } as const
registerEnumType(UsageGroupingEnum, {
  name: 'UsageGrouping',
  description: 'What usage is added up by.',
  valuesConfig: {
    DAY: { description: 'Calendar day, UTC.' },
    MODEL: { description: 'Canonical model id.' },
    KEY: { description: 'API key id.' },
  },
})

@ObjectType({ description: 'Usage added up over one day, model or key.' })
export class UsageSummary {
  @Field(() => String, { description: 'The day as YYYY-MM-DD, the model id or the key id.' })
  group!: string

  @Field(() => Int, { description: 'Requests.' })
  requests!: number

  @Field(() => Float, { description: 'Prompt tokens that were not cached.' })
  inputTokens!: number

  @Field(() => Float, { description: 'Prompt tokens that the provider had cached.' })
  cachedInputTokens!: number

  @Field(() => Float, { description: 'Completion tokens.' })
  outputTokens!: number

  @Field(() => DecimalScalar, { description: 'What was charged, in USD.' })
  cost!: string
}
