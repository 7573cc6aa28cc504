/** What the graph shows of the ledger: entries, holds and usage records. */
import { Directive, Field, Float, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
import { DateTimeScalar, DecimalScalar } from '#platform/scalars.js'

const HoldStateEnum = { OPEN: 'open', CAPTURED: 'captured', RELEASED: 'released', EXPIRED: 'expired' } as const
registerEnumType(HoldStateEnum, {
  name: 'HoldState',
  description: 'Where a hold is in its life; every state but OPEN is final.',
  valuesConfig: {
    OPEN: { description: 'The amount is reserved.' },
    CAPTURED: { description: 'Something was charged, the rest was given back.' },
    RELEASED: { description: 'Nothing was charged.' },
    EXPIRED: { description: 'Its request outlived its time; what had been delivered was charged.' },
  },
})

const UsageSourceEnum = { REPORTED: 'reported', COUNTED: 'counted' } as const
registerEnumType(UsageSourceEnum, {
  name: 'UsageSource',
  description: 'Where a token count comes from.',
  valuesConfig: {
    REPORTED: { description: 'The provider reported it.' },
    COUNTED: { description: 'Counted here from what was delivered, because the provider did not say.' },
  },
})

@ObjectType({ description: "One line of the append-only ledger, from the account's side." })
export class LedgerEntry {
  @Field(() => ID, { description: 'Sortable by time.' })
  id!: string

  @Field(() => DecimalScalar, { description: 'USD; negative for a charge.' })
  amount!: string

  @Field(() => String, { description: 'top_up, charge, or the adjustment that an operator made.' })
  kind!: string

  @Field(() => ID, { nullable: true, description: 'The hold that was captured; null for a top-up.' })
  holdId!: string | null

  @Field(() => DateTimeScalar, { description: 'When it was written.' })
  createdAt!: number
}

@ObjectType({ description: 'Credits reserved for something that is under way.' })
export class CreditHold {
  @Field(() => ID, { description: 'The request id of a chat, the session id of a GPU.' })
  id!: string

  @Field(() => DecimalScalar, { description: 'USD reserved.' })
  amount!: string

  @Field(() => DecimalScalar, { description: 'USD charged from it so far.' })
  captured!: string

  @Field(() => HoldStateEnum, { description: 'Where it is in its life.' })
  state!: string

  @Field(() => String, { description: 'chat or session.' })
  purpose!: string

  @Field(() => DateTimeScalar, { description: 'When it is given back if nobody settles it.' })
  expiresAt!: number
}

@ObjectType({ description: 'One request: its tokens and what it cost. No prompt and no answer is kept.' })
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

  @Field(() => ID, { nullable: true, description: 'The price version that the cost was worked out from.' })
  priceVersionId!: string | null

  @Field(() => Int, { description: 'Prompt tokens that were not cached.' })
  inputTokens!: number

  @Field(() => Int, { description: 'Prompt tokens that the provider had cached.' })
  cachedInputTokens!: number

  @Field(() => Int, { description: 'Completion tokens.' })
  outputTokens!: number

  @Field(() => UsageSourceEnum, { description: 'Where the counts come from.' })
  usageSource!: string

  @Field(() => DecimalScalar, { description: 'What was charged, in USD.' })
  cost!: string

  @Field(() => String, {
    description: 'completed, client_closed, time_limit, key_ended, server_stopped, provider_cut or failed.',
  })
  endedAs!: string

  @Field(() => DateTimeScalar, { description: 'When the request arrived.' })
  createdAt!: number

  @Field(() => Float, { nullable: true, description: 'Milliseconds to the first token.' })
  firstTokenMs!: number | null

  @Field(() => Float, { description: 'Milliseconds in all.' })
  durationMs!: number
}

@ObjectType({ description: 'Whether there is more behind this page.' })
export class PageInfo {
  @Field(() => Boolean, { description: 'True when another page follows.' })
  hasNextPage!: boolean

  @Field(() => String, { nullable: true, description: 'Pass as `after` to get the next page.' })
  endCursor!: string | null
}

@ObjectType({ description: 'A page of ledger entries, newest first.' })
export class LedgerEntryConnection {
  @Field(() => [LedgerEntry], { description: 'The entries.' })
  nodes!: LedgerEntry[]

  @Field(() => PageInfo, { description: 'Whether there is more.' })
  pageInfo!: PageInfo
}

@ObjectType({ description: 'A page of usage records, newest first.' })
export class UsageConnection {
  @Field(() => [UsageRecord], { description: 'The records.' })
  nodes!: UsageRecord[]

  @Field(() => PageInfo, { description: 'Whether there is more.' })
  pageInfo!: PageInfo
}
