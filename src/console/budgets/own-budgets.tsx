/** The budgets that bind whoever looks, beside the monthly cap, which has a card of its own. */
import { useEffect } from 'react'
import { useQuery } from 'urql'
import { BudgetsOwnDocument } from '../../generated/console-budgets.js'
import { faultOf } from '../graph/faults.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { BudgetLine } from './budget-line.js'
import { inOrder } from './words.js'

/** @param news changes when something was spent */
export function OwnBudgets({ news }: { readonly news: number }) {
  const [{ data, error }, ask] = useQuery({ query: BudgetsOwnDocument, requestPolicy: 'cache-and-network' })
  useEffect(() => {
    if (news > 0) ask({ requestPolicy: 'network-only' })
  }, [news, ask])
  const account = data?.viewer
  const budgets = account?.budgets.filter(({ id }) => id !== account.id) ?? []
  if (error && !account) return <FaultNotice fault={faultOf(error)} />
  if (budgets.length === 0) return null
  return (
    <ul aria-label="Budgets" className="grid shrink-0 grid-cols-[repeat(auto-fill,minmax(min(20rem,100%),1fr))] gap-3 text-sm">
      {inOrder(budgets).map((budget) => (
        <li key={budget.id} className="min-w-0 rounded-md border border-line bg-surface px-3.5 py-2.5">
          <BudgetLine budget={budget} />
        </li>
      ))}
    </ul>
  )
}
