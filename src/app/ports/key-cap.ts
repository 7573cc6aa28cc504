/** A key's monthly cap as the ledger's refusals show it. */
import type { KeyCap } from '#platform/requests/key-cap.js'
import type { BudgetSnapshot } from '../../../subgraphs/accounts/index.js'

/** Of a budget that refused something. */
export function keyCapOf(budget: BudgetSnapshot | null): KeyCap {
  if (!budget || budget.monthlyCap === null) throw new Error('A budget without a cap refused a hold.')
  return { cap: budget.monthlyCap, spent: budget.spent, held: budget.held }
}
