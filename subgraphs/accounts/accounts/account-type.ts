/** What the graph shows of an account, and what it takes to open and change one. */
import { Directive, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql'
import { NodeType } from '../nodes/node-type.js'
import type { NanoUsd } from '#platform/money.js'
import { countedConnectionType } from '#platform/paging/connection.js'
import { DateTimeScalar, DecimalScalar } from '#platform/scalars.js'
import { LedgerEntry } from '../books/ledger-type.js'
import { ScanTier } from '#platform/vocabulary/words.js'
import { ColdStartMode } from './account.js'

registerEnumType(ScanTier, {
  name: 'ScanTier',
  description: 'How many scan requests an account may make.',
  valuesConfig: {
    FREE: { description: '60 requests a minute and 1,000 a day.' },
    PRO: { description: '300 requests a minute and 10,000 a day.' },
    ENTERPRISE: { description: 'The limits that the operator configured.' },
  },
})

registerEnumType(ColdStartMode, {
  name: 'ColdStartMode',
  description: 'What a chat request for a model that is still being deployed gets.',
  valuesConfig: {
    RESPOND: { description: '202 with the deploying body.' },
    RETRY: { description: '503 with Retry-After, which SDKs retry by themselves.' },
    WAIT: { description: 'The connection is held until the model serves, for at most 100 seconds.' },
  },
})

/** The balance is read from the ledger when one of its fields is asked for. */
@ObjectType('Account', { implements: NodeType, description: 'Who owns keys, credits, rentals and scans.' })
@Directive('@key(fields: "id")')
export class AccountType {
  @Field(() => ID, { description: 'Such as acc_...' })
  id!: string

  @Field(() => String, { description: 'A name for people.' })
  name!: string

  @Field(() => ScanTier, { description: 'The rate limits of the scanner.' })
  scanTier!: ScanTier

  @Field(() => ColdStartMode, { description: 'The default answer to a chat request for a model that is being deployed.' })
  coldStartMode!: ColdStartMode

  @Field(() => Int, { nullable: true, description: "Most GPU sessions at once; null for the server's limit." })
  maxConcurrentSessions!: number | null

  @Field(() => DecimalScalar, { nullable: true, description: 'Most USD an hour over all GPU sessions; null for no limit.' })
  maxHourlySpend!: NanoUsd | null

  @Field(() => DateTimeScalar, { description: 'When the account was created.' })
  createdAt!: number
}

export const AccountConnection = countedConnectionType(AccountType, { name: 'Account', of: 'accounts, oldest first.' })

@ObjectType({ description: 'A new account.' })
export class CreateAccountPayload {
  @Field(() => AccountType, { description: 'The account.' })
  account!: AccountType
}

@ObjectType({ description: 'An account that was changed.' })
export class UpdateAccountPayload {
  @Field(() => AccountType, { description: 'The account as it is now.' })
  account!: AccountType
}

@ObjectType({ description: 'Credits that were added.' })
export class AddCreditsPayload {
  @Field(() => LedgerEntry, { description: 'The line of the ledger; the same when the idempotency key was used before.' })
  entry!: LedgerEntry

  @Field(() => AccountType, { description: 'The account with its new balance.' })
  account!: AccountType
}

@InputType({ description: 'A new account.' })
export class CreateAccountInput {
  @Field(() => String, { description: 'A name for people, 1 to 200 characters.' })
  name!: string

  @Field(() => DecimalScalar, { nullable: true, description: 'Credits to start with, in USD.' })
  credits?: string

  @Field(() => DecimalScalar, { nullable: true, description: 'Most USD that may be spent in a calendar month (UTC).' })
  monthlyCap?: string | null

  @Field(() => ScanTier, { nullable: true, description: 'The rate limits of the scanner; FREE when left out.' })
  scanTier?: ScanTier

  @Field(() => ColdStartMode, {
    nullable: true,
    description: 'The mode of this server (`compute.cold_start_mode`) when left out.',
  })
  coldStartMode?: ColdStartMode
}

@InputType({ description: 'What to change of an account; a field that is left out stays, null removes a limit.' })
export class UpdateAccountInput {
  @Field(() => ID, { description: 'The account.' })
  id!: string

  @Field(() => String, { nullable: true, description: 'A name for people, 1 to 200 characters.' })
  name?: string

  @Field(() => DecimalScalar, { nullable: true, description: 'Most USD that may be spent in a calendar month (UTC).' })
  monthlyCap?: string | null

  @Field(() => ScanTier, { nullable: true, description: 'The rate limits of the scanner.' })
  scanTier?: ScanTier

  @Field(() => ColdStartMode, { nullable: true, description: 'What a request for a cold model gets.' })
  coldStartMode?: ColdStartMode

  @Field(() => Int, { nullable: true, description: 'Most GPU sessions at once.' })
  maxConcurrentSessions?: number | null

  @Field(() => DecimalScalar, { nullable: true, description: 'Most USD an hour over all GPU sessions.' })
  maxHourlySpend?: string | null
}

@InputType({ description: 'Credits to add to an account.' })
export class AddCreditsInput {
  @Field(() => ID, { description: 'The account.' })
  accountId!: string

  @Field(() => DecimalScalar, { description: 'USD, more than 0.' })
  amount!: string

  @Field(() => String, { description: 'Any text that names this payment, 1 to 200 characters.' })
  idempotencyKey!: string
}
