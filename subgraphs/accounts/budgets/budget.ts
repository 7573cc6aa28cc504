/** A budget as callers see it. */
import type { AccountSnapshot, BudgetSnapshot } from '../ledger/ledger.js'
import { BudgetAction } from '../ledger/ledger-columns.js'
import { spanNamed } from '../ledger/budget-period.js'
import { BudgetPeriod } from '#platform/vocabulary/words.js'

/** With what its row says in short. */
export interface Budget extends Pick<
  BudgetSnapshot,
  'accountId' | 'name' | 'every' | 'action' | 'warnAt' | 'spent' | 'held' | 'ownerId'
> {
  readonly id: string
  readonly cap: bigint
  readonly models: readonly string[] | null
  /** Epoch milliseconds. */
  readonly startsAt: number
  /** Null for a total, which never begins anew. */
  readonly resetsAt: number | null
}

/** Null for one that was deleted: it goes on counting what its holds charge. */
export function budgetOf({ budgetId: id, cap, models, period, ...budget }: BudgetSnapshot): Budget | null {
  if (cap === null) return null
  const { from, to } = spanNamed(budget.every, period)
  return { ...budget, id, cap, models: modelsOf(models), startsAt: from, resetsAt: to }
}

/** From JSON. */
export const modelsOf = (models: string | null): readonly string[] | null =>
  models === null ? null : (JSON.parse(models) as string[])

/** The monthly cap of an account, which is counted in the account's own row. */
export function budgetOfAccount({ accountId, monthlyCap, spent, held, period }: AccountSnapshot): Budget | null {
  if (monthlyCap === null) return null
  const { from, to } = spanNamed(BudgetPeriod.MONTH, period)
  const terms = { name: '', every: BudgetPeriod.MONTH, action: BudgetAction.STOP, warnAt: 80, models: null }
  return { id: accountId, accountId, ownerId: accountId, ...terms, cap: monthlyCap, spent, held, startsAt: from, resetsAt: to }
}
