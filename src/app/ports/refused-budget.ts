/** A budget as the ledger's refusals show it. */
import type { RefusedBudget } from '#platform/requests/refused-budget.js'
import { budgetOf, type BudgetSnapshot } from '../../../subgraphs/accounts/index.js'

/** Of a budget that refused something. */
export function refusedBudget(budget: BudgetSnapshot | null): RefusedBudget {
  const refused = budget && budgetOf(budget)
  if (!refused) throw new Error('A budget without a cap refused a hold.')
  const { name, every, models, cap, spent, held, ownerId, accountId, resetsAt } = refused
  return { name, owner: ownerId === accountId ? 'account' : 'key', every, models, cap, spent, held, resetsAt }
}
