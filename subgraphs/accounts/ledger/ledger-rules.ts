/**
 * The rules of money as pure functions: from an account and a hold to what they become. The SQLite adapter applies them under
 * the database's write lock; the Postgres adapter states the same rules in SQL, and one suite holds both to them.
 */
import { periodAt } from './budget-period.js'
import {
  type AccountRow,
  BudgetAction,
  type BudgetRow,
  type HoldRow,
  NO_USAGE,
  type Usage,
  UsageOutcome,
} from './ledger-columns.js'

export type Refusal = 'balance' | 'monthly_cap' | 'budget'

/** Whose spending is counted: an account's in a month, or a budget's in its period. */
type Counted = Pick<BudgetRow, 'held' | 'spent' | 'period'>

/** `spent` starts again with a new period. A clock that steps back never reopens a past one. */
export function rollPeriod<T extends Counted>(counted: T, period: string): T {
  return period > counted.period ? { ...counted, spent: 0n, period } : counted
}

export const rollBudget = (budget: BudgetRow, now: number): BudgetRow => rollPeriod(budget, periodAt(budget.every, now).name)

/** What a cap leaves, which covers what is spent and held; negative when it was lowered below that, null without a cap. */
const capLeft = (cap: bigint | null, { spent, held }: Counted): bigint | null => (cap === null ? null : cap - spent - held)

const leftOf = (account: AccountRow): bigint | null => capLeft(account.monthlyCap, account)

/** Null for a budget that refuses nothing. */
const leftOfBudget = (budget: BudgetRow): bigint | null =>
  budget.action === BudgetAction.STOP ? capLeft(budget.cap, budget) : null

/** Why `amount` cannot be set aside; null when it can. Expects rolled rows. */
export function refusal(account: AccountRow, budgets: readonly BudgetRow[], amount: bigint): Refusal | null {
  if (account.balance - account.held < amount) return 'balance'
  if (isBeyond(leftOf(account), amount)) return 'monthly_cap'
  return budgets.some((budget) => isBeyond(leftOfBudget(budget), amount)) ? 'budget' : null
}

const isBeyond = (left: bigint | null, amount: bigint): boolean => left !== null && left < amount

/** Of budgets that a hold is to come out of, the one that leaves least; null when none of them refuses anything. */
export function tightest(budgets: readonly BudgetRow[]): BudgetRow | null {
  let found: { readonly budget: BudgetRow; readonly left: bigint } | null = null
  for (const budget of budgets) {
    const left = leftOfBudget(budget)
    if (left !== null && (found === null || left < found.left)) found = { budget, left }
  }
  return found?.budget ?? null
}

export const setAside = <T extends Counted>(counted: T, amount: bigint): T => ({ ...counted, held: counted.held + amount })

/** What an account can still set aside; never negative. */
export function available(account: AccountRow): bigint {
  const free = account.balance - account.held
  const left = leftOf(account) ?? free
  return atLeastZero(left < free ? left : free)
}

/** What the budget leaves of what its account has; null when it refuses nothing. */
export function availableOfBudget(budget: BudgetRow): bigint | null {
  const left = leftOfBudget(budget)
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
