/**
 * The rules of money as pure functions: from an account and a hold to what they become. The SQLite adapter applies them under
 * the database's write lock; the Postgres adapter states the same rules in SQL, and one suite holds both to them.
 */
import { SWEPT, type Usage } from './ledger.js'
import type { AccountRow, HoldRow } from './operation.js'

export type Refusal = 'balance' | 'monthly_cap'

/** `spent` starts again with a new month. A clock that steps back never reopens a past one. */
export function rollPeriod(account: AccountRow, period: string): AccountRow {
  return period > account.period ? { ...account, spent: 0n, period } : account
}

/** Why `amount` cannot be set aside; null when it can. Expects a rolled account. The cap covers what is spent and held. */
export function refusal(account: AccountRow, amount: bigint): Refusal | null {
  if (account.balance - account.held < amount) return 'balance'
  if (account.monthlyCap !== null && account.monthlyCap - account.spent - account.held < amount) return 'monthly_cap'
  return null
}

export const setAside = (account: AccountRow, amount: bigint): AccountRow => ({ ...account, held: account.held + amount })

/** What an account can still set aside; never negative. */
export function available(account: AccountRow): bigint {
  const free = account.balance - account.held
  const capLeft = account.monthlyCap === null ? free : account.monthlyCap - account.spent - account.held
  const least = capLeft < free ? capLeft : free
  return least > 0n ? least : 0n
}

export interface Bill {
  readonly account: AccountRow
  readonly hold: HoldRow
  /** What moves from the customer to revenue now. */
  readonly charge: bigint
}

/** Charges an open hold up to `total` counted from its beginning: never less than before, never more than the hold. */
export function bill(account: AccountRow, hold: HoldRow, total: bigint, closeAs: 'settled' | 'expired' | null): Bill {
  const wanted = total < hold.amount ? total : hold.amount
  const captured = wanted > hold.captured ? wanted : hold.captured
  const charge = captured - hold.captured
  const freed = closeAs === null ? charge : hold.amount - hold.captured
  const closedState = closeAs === 'expired' ? 'expired' : captured > 0n ? 'captured' : 'released'
  return {
    charge,
    hold: { ...hold, captured, state: closeAs === null ? 'open' : closedState },
    account: {
      ...account,
      balance: account.balance - charge,
      held: account.held - freed,
      spent: account.spent + charge,
    },
  }
}

/** Kinds of entries. A capture's watermark is part of its kind, so that the entry's key makes each capture once-only. */
export const chargeKind = (closing: boolean, captured: bigint): string => (closing ? 'charge' : `capture:${captured}`)

/**
 * Whether the usage record says all that a closed hold would: the row goes, and its id lives on in the record. A session's hold
 * has no record, and one that a sweep closed stays to be looked at.
 */
export const isTold = (hold: HoldRow, usage: Usage | null): boolean =>
  hold.purpose === 'chat' && hold.state !== 'expired' && usage !== null && usage.endedAs !== SWEPT
