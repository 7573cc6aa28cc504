/** The budgets of an account or of a key, for administrators. */
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useQuery } from 'urql'
import { BudgetsOfAccountDocument } from '../../generated/console-budgets.js'
import { faultOf } from '../graph/faults.js'
import { Button, IconButton } from '../ui/forms/button.js'
import { Dialog } from '../ui/layout/dialog.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { Skeleton } from '../ui/notices/skeleton.js'
import { BudgetLine } from './budget-line.js'
import { DeleteBudget, EditBudget, type BudgetOwner } from './edit-budget.js'
import { inOrder, isCap, titleOf, type BudgetRow } from './words.js'

type Act = { readonly kind: 'add' } | { readonly kind: 'change' | 'delete'; readonly budget: BudgetRow }

export function BudgetsDialog({ of: owner, onClose }: { readonly of: BudgetOwner; readonly onClose: () => void }) {
  const { accountId, keyId, name } = owner
  const [act, setAct] = useState<Act | null>(null)
  const [{ data, error }, ask] = useQuery({
    query: BudgetsOfAccountDocument,
    variables: { id: accountId },
    requestPolicy: 'cache-and-network',
  })
  const budgets = data?.account?.budgets.filter((budget) => budget.keyId === keyId)
  const back = () => setAct(null)
  const changed = () => {
    back()
    ask({ requestPolicy: 'network-only' })
  }
  if (act?.kind === 'add') return <EditBudget of={owner} budget={null} onClose={back} onSaved={changed} />
  if (act?.kind === 'change') return <EditBudget of={owner} budget={act.budget} onClose={back} onSaved={changed} />
  if (act?.kind === 'delete') return <DeleteBudget budget={act.budget} onClose={back} onDeleted={changed} />
  return (
    <Dialog title={`Budgets of ${name}`} isOpen onClose={onClose}>
      <div className="grid min-h-0 gap-3 overflow-y-auto p-4 text-sm" tabIndex={0} role="region" aria-label="Budgets">
        {error && !budgets && <FaultNotice fault={faultOf(error)} />}
        {!budgets && !error && <Skeleton className="h-16 w-full" />}
        {budgets?.length === 0 && (
          <p className="text-muted">
            None: {keyId === null ? 'its credits are all that bounds it.' : 'what bounds its account bounds it.'}
          </p>
        )}
        {budgets && budgets.length > 0 && <List budgets={budgets} act={setAct} />}
      </div>
      <div className="flex shrink-0 justify-end gap-2 border-t border-line px-4 py-3">
        <Button onClick={onClose}>Close</Button>
        <Button variant="primary" onClick={() => setAct({ kind: 'add' })}>
          <Plus className="size-4" aria-hidden="true" />
          Add budget
        </Button>
      </div>
    </Dialog>
  )
}

const List = ({ budgets, act }: { readonly budgets: readonly BudgetRow[]; readonly act: (what: Act) => void }) => (
  <ul className="grid gap-3">
    {inOrder(budgets).map((budget) => (
      <li key={budget.id} className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <BudgetLine budget={budget} />
        </div>
        {!isCap(budget) && (
          <span className="-mt-1 flex">
            <IconButton label={`Change ${titleOf(budget)}`} onClick={() => act({ kind: 'change', budget })}>
              <Pencil className="size-4" />
            </IconButton>
            <IconButton label={`Delete ${titleOf(budget)}`} onClick={() => act({ kind: 'delete', budget })}>
              <Trash2 className="size-4" />
            </IconButton>
          </span>
        )}
      </li>
    ))}
  </ul>
)
