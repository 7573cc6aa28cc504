/** What of budgets is told in words. */
import type { BudgetAction, BudgetPeriod, BudgetsRowFragment } from '../../generated/console-budgets.js'
import { shareOf, sumOfDecimals } from '../format/decimal.js'

export type BudgetRow = BudgetsRowFragment

export const PERIODS = [
  ['HOUR', 'An hour'],
  ['DAY', 'A day'],
  ['WEEK', 'A week, from Monday'],
  ['MONTH', 'A calendar month'],
  ['TOTAL', 'In all'],
] as const satisfies readonly (readonly [BudgetPeriod, string])[]

export const ACTIONS = [
  ['STOP', 'It refuses what would exceed it'],
  ['WARN', 'It only tells webhooks'],
] as const satisfies readonly (readonly [BudgetAction, string])[]

const KINDS: Readonly<Record<BudgetPeriod, string>> = {
  HOUR: 'Hourly',
  DAY: 'Daily',
  WEEK: 'Weekly',
  MONTH: 'Monthly',
  TOTAL: 'Total',
}

/** A monthly cap is set with its account or its key, and shown as a budget. */
export const isCap = ({ id }: BudgetRow): boolean => !id.startsWith('bdg_')

export const titleOf = (budget: BudgetRow): string =>
  budget.name || (isCap(budget) ? 'Monthly cap' : `${KINDS[budget.period]} budget`)

/** With what is under way: 1 when there is no room for anything more. */
export const usedShare = ({ spent, held, amount }: BudgetRow): number => shareOf(sumOfDecimals([spent, held]), amount)

/** The shortest period first. */
export function inOrder(budgets: readonly BudgetRow[]): readonly BudgetRow[] {
  const rankOf = ({ period }: BudgetRow) => PERIODS.findIndex(([one]) => one === period)
  return budgets.toSorted((a, b) => rankOf(a) - rankOf(b) || titleOf(a).localeCompare(titleOf(b)))
}
