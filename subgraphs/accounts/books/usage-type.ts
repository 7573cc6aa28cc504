/** What the graph shows of usage: one record a request, and records added up. */
import { ArgsType, Directive, Field, Float, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
import { connectionType, pageArgs } from '#platform/paging/connection.js'
import { parseUsd, type NanoUsd } from '#platform/money.js'
import { DateTimeScalar, DecimalScalar } from '#platform/scalars.js'
import { ChatApi } from '#platform/vocabulary/graph-enums.js'
import { UsageSource } from '#platform/vocabulary/words.js'
import { NodeType } from '../nodes/node-type.js'
import { PriceChangeStub } from '../entity-stubs.js'
import { UsageOutcome } from '../ledger/ledger-columns.js'
import type { UsageFilter } from './usage-filter.js'

registerEnumType(UsageSource, {
  name: 'UsageSource',
  description: 'Where a token count comes from.',
  valuesConfig: {
    REPORTED: { description: 'The provider reported it.' },
    COUNTED: { description: 'Counted here from what was delivered, because the provider did not say.' },
  },
})

registerEnumType(UsageOutcome, {
  name: 'UsageOutcome',
  description: 'How a request ended. Whatever ended it, only what was delivered is charged.',
  valuesConfig: {
    COMPLETED: { description: 'The answer was delivered whole.' },
    CLIENT_CLOSED: { description: 'The caller left before its end.' },
    TIME_LIMIT: { description: 'It took longer than a request may.' },
    KEY_ENDED: { description: 'Its API key was revoked or expired meanwhile.' },
    SERVER_STOPPED: { description: 'The server was stopped.' },
    SERVER_LOST: { description: 'The server died; another one charged what had been delivered.' },
    PROVIDER_CUT: { description: 'The provider broke off.' },
    BLOCKED: { description: 'Its code breaks rules that the key demands: it was withheld, or the answer ended behind it.' },
    FAILED: { description: 'No provider answered.' },
  },
})

@ObjectType({ implements: NodeType, description: 'One request: its tokens and what it cost. No prompt and no answer is kept.' })
@Directive('@key(fields: "id")')
export class UsageRecord {
  @Field(() => ID, { description: 'The request id.' })
  id!: string

  /** For authorisation; not shown. */
  accountId!: string

  @Field(() => ID, { description: 'The API key that asked.' })
  keyId!: string

  @Field(() => ID, { description: 'Canonical model id.' })
  modelId!: string

  @Field(() => ID, { nullable: true, description: 'The deployment that answered; null when none did.' })
  deploymentId!: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The routing identifier of the provider that answered, "session" for a GPU of this server; null when none did.',
  })
  providerId!: string | null

  @Field(() => ID, { nullable: true, description: 'The price version that the cost was worked out from.' })
  priceVersionId!: string | null

  @Field(() => PriceChangeStub, { nullable: true, description: 'That version; null while prices cannot be asked for.' })
  priceVersion!: PriceChangeStub | null

  @Field(() => Int, { description: 'Prompt tokens that were not cached.' })
  inputTokens!: number

  @Field(() => Int, { description: 'Prompt tokens that the provider had cached.' })
  cachedInputTokens!: number

  @Field(() => Int, { description: 'Completion tokens.' })
  outputTokens!: number

  @Field(() => UsageSource, { description: 'Where the counts come from.' })
  usageSource!: string

  @Field(() => DecimalScalar, { description: 'What was charged, in USD.' })
  cost!: NanoUsd

  @Field(() => UsageOutcome, { description: 'How it ended.' })
  outcome!: UsageOutcome

  @Field(() => DateTimeScalar, { description: 'When the request arrived.' })
  createdAt!: number

  @Field(() => Float, {
    nullable: true,
    description: 'Milliseconds from the arrival of the request to the first token of a stream; null when none was streamed.',
  })
  firstTokenMs!: number | null

  @Field(() => Float, { description: 'Milliseconds in all.' })
  durationMs!: number

  @Field(() => Int, {
    nullable: true,
    description: 'How many deployments were asked, with the one that answered; null for requests of before this was counted.',
  })
  attempts!: number | null

  @Field(() => ChatApi, {
    nullable: true,
    description: 'The API that it came by; null for requests of before this was kept, and for those of a server that died.',
  })
  api!: ChatApi | null

  @Field(() => Int, { nullable: true, description: 'Violations in the code of the answer; null where it was not scanned.' })
  codeFindings!: number | null
}

export const UsageRecordConnection = connectionType(UsageRecord, { name: 'UsageRecord', of: 'usage records.' })

const UsageSort = {
  NEWEST: 'newest',
  OLDEST: 'oldest',
  COSTLIEST: 'costliest',
  SLOWEST: 'slowest',
} as const
export type UsageSort = (typeof UsageSort)[keyof typeof UsageSort]
registerEnumType(UsageSort, {
  name: 'UsageSort',
  description: 'The order of usage records.',
  valuesConfig: {
    NEWEST: { description: 'By arrival, the newest first.' },
    OLDEST: { description: 'By arrival, the oldest first.' },
    COSTLIEST: { description: 'By cost, the highest first; of the last 30 days when `from` is left out.' },
    SLOWEST: { description: 'By duration, the longest first; of the last 30 days when `from` is left out.' },
  },
})

const FILTERS = {
  model: 'Only of this canonical model id.',
  key: 'Only asked with this API key.',
  provider: 'Only answered by this provider; "session" for GPUs of this server.',
  outcome: 'Only those that ended so.',
  api: 'Only those that came by this API.',
  minCost: 'Only those that cost at least so many USD.',
  to: 'Only before this moment; now when left out.',
}

@ArgsType()
export class UsageArgs extends pageArgs({ standard: 50, most: 500 }) {
  @Field(() => ID, { nullable: true, description: FILTERS.model })
  model?: string | null

  @Field(() => ID, { nullable: true, description: FILTERS.key })
  key?: string | null

  @Field(() => ID, { nullable: true, description: FILTERS.provider })
  provider?: string | null

  @Field(() => UsageOutcome, { nullable: true, description: FILTERS.outcome })
  outcome?: UsageOutcome | null

  @Field(() => ChatApi, { nullable: true, description: FILTERS.api })
  api?: ChatApi | null

  @Field(() => DecimalScalar, { nullable: true, description: FILTERS.minCost })
  minCost?: string | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'Only from this moment on.' })
  from?: Date | null

  @Field(() => DateTimeScalar, { nullable: true, description: FILTERS.to })
  to?: Date | null

  @Field(() => UsageSort, { nullable: true, description: 'The order; NEWEST when left out.' })
  sort?: UsageSort | null
}

const UsageGrouping = {
  HOUR: 'hour',
  DAY: 'day',
  MODEL: 'model',
  KEY: 'key',
  PROVIDER: 'provider',
} as const
export type UsageGrouping = (typeof UsageGrouping)[keyof typeof UsageGrouping]
registerEnumType(UsageGrouping, {
  name: 'UsageGrouping',
  description: 'What usage is added up by.',
  valuesConfig: {
    HOUR: { description: 'Hour, UTC; of 31 days at most.' },
    DAY: { description: 'Calendar day, UTC.' },
    MODEL: { description: 'Canonical model id.' },
    KEY: { description: 'API key id.' },
    PROVIDER: { description: 'Routing identifier of the provider; "session" for GPUs of this server.' },
  },
})

@ArgsType()
export class UsageByArgs {
  @Field(() => UsageGrouping, { description: 'What to add up by.' })
  group!: UsageGrouping

  @Field(() => ID, { nullable: true, description: FILTERS.model })
  model?: string | null

  @Field(() => ID, { nullable: true, description: FILTERS.key })
  key?: string | null

  @Field(() => ID, { nullable: true, description: FILTERS.provider })
  provider?: string | null

  @Field(() => UsageOutcome, { nullable: true, description: FILTERS.outcome })
  outcome?: UsageOutcome | null

  @Field(() => ChatApi, { nullable: true, description: FILTERS.api })
  api?: ChatApi | null

  @Field(() => DecimalScalar, { nullable: true, description: FILTERS.minCost })
  minCost?: string | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'Only from this moment on; 30 days before the end when left out.' })
  from?: Date | null

  @Field(() => DateTimeScalar, { nullable: true, description: FILTERS.to })
  to?: Date | null
}

/** What both lists are narrowed by. */
export const usageFilter = ({
  model,
  key,
  provider,
  outcome,
  api,
  minCost,
  from,
  to,
}: Omit<UsageByArgs, 'group'>): UsageFilter => ({
  modelId: model ?? null,
  keyId: key ?? null,
  providerId: provider ?? null,
  outcome: outcome ?? null,
  api: api ?? null,
  minCost: minCost == null ? null : parseUsd(minCost, 'minCost'),
  from: from?.getTime() ?? null,
  to: to?.getTime() ?? null,
})

@ObjectType({ description: 'Usage added up over what was asked for.' })
export class UsageSummary {
  @Field(() => String, {
    nullable: true,
    description: 'The hour as an ISO 8601 time, the day as YYYY-MM-DD, else the id; null for requests that no provider answered.',
  })
  group!: string | null

  @Field(() => Int, { description: 'Requests.' })
  requests!: number

  @Field(() => Float, { description: 'Prompt tokens that were not cached.' })
  inputTokens!: number

  @Field(() => Float, { description: 'Prompt tokens that the provider had cached.' })
  cachedInputTokens!: number

  @Field(() => Float, { description: 'Completion tokens.' })
  outputTokens!: number

  @Field(() => DecimalScalar, { description: 'What was charged, in USD.' })
  cost!: NanoUsd
}
