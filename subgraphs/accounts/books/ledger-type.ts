/** What the graph shows of the ledger: entries and holds. */
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql'
import { connectionType } from '#platform/paging/connection.js'
import type { NanoUsd } from '#platform/money.js'
import { DateTimeScalar, DecimalScalar } from '#platform/scalars.js'
import { HoldPurpose, HoldState } from '../ledger/ledger-columns.js'

registerEnumType(HoldState, {
  name: 'HoldState',
  description: 'Where a hold is in its life; every state but OPEN is final.',
  valuesConfig: {
    OPEN: { description: 'The amount is reserved.' },
    CAPTURED: { description: 'Something was charged, the rest was given back.' },
    RELEASED: { description: 'Nothing was charged.' },
    EXPIRED: { description: 'Its request outlived its time; what had been delivered was charged.' },
  },
})

const LedgerEntryKind = {
  TOP_UP: 'top_up',
  CHARGE: 'charge',
  ADJUSTMENT: 'adjustment',
  DAILY_CHARGES: 'daily_charges',
  DAILY_CREDITS: 'daily_credits',
} as const
export type LedgerEntryKind = (typeof LedgerEntryKind)[keyof typeof LedgerEntryKind]
registerEnumType(LedgerEntryKind, {
  name: 'LedgerEntryKind',
  description: 'What moved credits.',
  valuesConfig: {
    TOP_UP: { description: 'Credits that were added.' },
    CHARGE: { description: 'What a request or a GPU cost.' },
    ADJUSTMENT: { description: 'A correction that the operator made.' },
    DAILY_CHARGES: { description: 'The charges of a day that is too old to be kept one by one.' },
    DAILY_CREDITS: { description: 'The credits that were added on such a day.' },
  },
})

registerEnumType(HoldPurpose, {
  name: 'HoldPurpose',
  description: 'What credits are reserved for.',
  valuesConfig: {
    CHAT: { description: 'A chat completion.' },
    GPU_SESSION: { description: 'A GPU: a rental, or a session that serves a model.' },
  },
})

@ObjectType({ description: "One line of the append-only ledger, from the account's side." })
export class LedgerEntry {
  @Field(() => ID, { description: 'Sortable by time.' })
  id!: string

  @Field(() => DecimalScalar, { description: 'USD; negative for a charge.' })
  amount!: NanoUsd

  @Field(() => LedgerEntryKind, { description: 'What moved the credits.' })
  kind!: LedgerEntryKind

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
  amount!: NanoUsd

  @Field(() => DecimalScalar, { description: 'USD charged from it so far.' })
  captured!: NanoUsd

  @Field(() => HoldState, { description: 'Where it is in its life.' })
  state!: HoldState

  @Field(() => HoldPurpose, { description: 'What it is for.' })
  purpose!: HoldPurpose

  @Field(() => DateTimeScalar, { description: 'When it is given back if nobody settles it.' })
  expiresAt!: number
}

export const LedgerEntryConnection = connectionType(LedgerEntry, { name: 'LedgerEntry', of: 'ledger entries, newest first.' })

export const CreditHoldConnection = connectionType(CreditHold, {
  name: 'CreditHold',
  of: 'open holds, those that expire first before the others.',
})
