/**
 * The rules of money as pure functions: from an account and a hold to what they become. The SQLite adapter applies them under
 * the database's write lock; the Postgres adapter states the same rules in SQL, and one suite holds both to them.
 */
import { type AccountRow, type BudgetRow, type HoldRow, NO_USAGE, type Usage, UsageOutcome } from './ledger-columns.js'

export type Refusal = 'balance' | 'monthly_cap' | 'key_cap'

/** Whose month is counted: an account, or a budget within it. */
type Counted = Pick<BudgetRow, 'monthlyCap' | 'held' | 'spent' | 'period'>

/** `spent` starts again with a new month. A clock that steps back never reopens a past one. */
export function rollPeriod<T extends Counted>(counted: T, period: string): T {
  return period > counted.period ? { ...counted, spent: 0n, period } : counted
}

/** What a cap leaves, which covers what is spent and held; negative when it was lowered below that, null without a cap. */
function capLeft({ monthlyCap, spent, held }: Counted): bigint | null {
  return monthlyCap === null ? null : monthlyCap - spent - held
}

/** Why `amount` cannot be set aside; null when it can. Expects rolled rows. */
export function refusal(account: AccountRow, budget: BudgetRow | null, amount: bigint): Refusal | null {
  if (account.balance - account.held < amount) return 'balance'
  if (isBeyond(account, amount)) return 'monthly_cap'
  if (budget && isBeyond(budget, amount)) return 'key_cap'
  return null
}

function isBeyond(counted: Counted, amount: bigint): boolean {
  const left = capLeft(counted)
  return left !== null && left < amount
}

export const setAside = <T extends Counted>(counted: T, amount: bigint): T => ({ ...counted, held: counted.held + amount })

/** What an account can still set aside; never negative. */
export function available(account: AccountRow): bigint {
  const free = account.balance - account.held
  const left = capLeft(account) ?? free
  return atLeastZero(left < free ? left : free)
}

/** What the budget leaves of what its account has; null when it has no cap. */
export function availableOfBudget(budget: BudgetRow): bigint | null {
  const left = capLeft(budget)
  return left === null ? null : atLeastZero(left)
}

const atLeastZero = (amount: bigint): bigint => (amount > 0n ? amount : 0n)

export interface Bill {
  readonly account: AccountRow
  readonly hold: HoldRow
  /** What moves from the customer to revenue now. */
  readonly charge: bigint
  /** What is no longer set aside: the charge, and at the end the rest. */
  readonly freed: bigint
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
    freed,
    hold: { ...hold, captured, state: closeAs === null ? 'open' : closedState },
    account: {
      ...account,
      balance: account.balance - charge,
      held: account.held - freed,
      spent: account.spent + charge,
    },
  }
}

/**
 * Charges and closes a hold that was never written, and so is no part of the account's `held`: what other holds cover stays
 * covered, whatever the process that kept it in memory believed.
 */
export function chargeUnwritten(account: AccountRow, hold: HoldRow, total: bigint): Bill {
  const free = atLeastZero(account.balance - account.held)
  const { hold: closed, charge } = bill(account, hold, total < free ? total : free, 'settled')
  const { balance, spent } = account
  return { hold: closed, charge, freed: 0n, account: { ...account, balance: balance - charge, spent: spent + charge } }
}

/** What a bill of one of its holds does to a budget. */
export const billBudget = (budget: BudgetRow, { charge, freed }: Bill): BudgetRow => ({
  ...budget,
  held: budget.held - freed,
  spent: budget.spent + charge,
})

/** How a reservation under the id of an open or closed hold is answered; nothing changes. */
export function replayed(
  hold: HoldRow,
  { accountId, purpose, amount }: Pick<HoldRow, 'accountId' | 'purpose' | 'amount'>,
): 'conflict' | 'closed' | 'replayed' {
  if (hold.accountId !== accountId || hold.purpose !== purpose) return 'conflict'
  if (hold.state !== 'open') return 'closed'
  // A session's hold may have been extended since.
  return hold.amount < amount ? 'conflict' : 'replayed'
}

/** Kinds of entries. A capture's watermark is part of its kind, so that the entry's key makes each capture once-only. */
export const chargeKind = (closing: boolean, captured: bigint): string => (closing ? 'charge' : `capture:${captured}`)

/** What is known about a request whose process died: which model and key, and what it had metered. */
export const sweptUsage = ({ keyId, modelId, createdAt }: HoldRow, now: number): Usage => ({
  ...NO_USAGE,
  keyId: keyId ?? '',
  modelId: modelId ?? '',
  usageSource: 'counted',
  endedAs: UsageOutcome.SERVER_LOST,
  createdAt,
  durationMs: Math.max(0, now - createdAt),
})

/**
 * Whether the usage record says all that a closed hold would: the row goes, and its id lives on in the record. A session's hold
 * has no record, and one that a sweep closed stays to be looked at.
 */
export const isTold = (hold: HoldRow, usage: Usage | null): boolean =>
  hold.purpose === 'chat' && hold.state !== 'expired' && usage !== null && usage.endedAs !== UsageOutcome.SERVER_LOST
