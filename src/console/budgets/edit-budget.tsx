/** The dialogs by which administrators make, change and delete a budget. */
import { useState } from 'react'
import { useMutation } from 'urql'
import {
  BudgetsCreateDocument,
  BudgetsDeleteDocument,
  BudgetsUpdateDocument,
  type BudgetAction,
  type BudgetPeriod,
} from '../../generated/console-budgets.js'
import { amountFault } from '../format/amount-input.js'
import { exactDecimal } from '../format/decimal.js'
import { faultOf } from '../graph/faults.js'
import { TextField } from '../ui/forms/field.js'
import { SelectField } from '../ui/forms/select-field.js'
import { toggled } from '../ui/forms/toggled.js'
import { FormDialog } from '../ui/layout/form-dialog.js'
import { ModelList } from './model-list.js'
import { ACTIONS, PERIODS, titleOf, type BudgetRow } from './words.js'

/** Whose budgets they are. */
export interface BudgetOwner {
  readonly accountId: string
  /** Null for those of the whole account. */
  readonly keyId: string | null
  readonly name: string
}

interface EditBudgetProps {
  readonly of: BudgetOwner
  /** Null for a new one. */
  readonly budget: BudgetRow | null
  readonly onClose: () => void
  readonly onSaved: () => void
}

const percentFault = (typed: string): string | null =>
  /^(?:100|[1-9]\d?)$/.test(typed.trim()) ? null : 'A percentage from 1 to 100.'

/** What is typed, and whether it can be sent. */
function useTyped(budget: BudgetRow | null) {
  const [name, setName] = useState(budget?.name ?? '')
  const [amount, setAmount] = useState(budget === null ? '' : exactDecimal(budget.amount, 0).replaceAll(',', ''))
  const [period, setPeriod] = useState<BudgetPeriod>(budget?.period ?? 'DAY')
  const [action, setAction] = useState<BudgetAction>(budget?.action ?? 'STOP')
  const [warnAt, setWarnAt] = useState(String(budget?.warnAt ?? 80))
  const [models, setModels] = useState<readonly string[]>(budget?.models ?? [])
  const isReady = /[1-9]/.test(amount) && amountFault(amount) === null && percentFault(warnAt) === null
  return { name, setName, amount, setAmount, period, setPeriod, action, setAction, warnAt, setWarnAt, models, setModels, isReady }
}

function useSave({ of: { accountId, keyId }, budget, onSaved }: EditBudgetProps) {
  const [created, create] = useMutation(BudgetsCreateDocument)
  const [updated, update] = useMutation(BudgetsUpdateDocument)
  const save = async ({ name, amount, period, action, warnAt, models }: ReturnType<typeof useTyped>) => {
    const terms = {
      name: name.trim(),
      amount: amount.trim(),
      action,
      warnAt: Number(warnAt),
      models: models.length > 0 ? [...models] : null,
    }
    const saved =
      budget === null
        ? (await create({ input: { ...terms, period, accountId, keyId } })).data?.createBudget
        : (await update({ input: { ...terms, id: budget.id } })).data?.updateBudget
    if (saved) onSaved()
  }
  const error = created.error ?? updated.error
  return { save, isBusy: created.fetching || updated.fetching, fault: error ? faultOf(error) : null }
}

export function EditBudget(props: EditBudgetProps) {
  const { of: owner, budget, onClose } = props
  const typed = useTyped(budget)
  const { save, isBusy, fault } = useSave(props)
  return (
    <FormDialog
      title={budget === null ? 'Add a budget' : 'Change a budget'}
      isOpen
      onClose={onClose}
      action={budget === null ? 'Add budget' : 'Save'}
      isBusy={isBusy}
      isReady={typed.isReady}
      fault={fault}
      onSubmit={() => void save(typed)}
    >
      <p>
        What <b className="wrap-anywhere font-medium">{owner.name}</b> may spend. It holds at once, everywhere; what is already
        spent in its period stays spent.
      </p>
      <div className="grid gap-4 md:grid-cols-2">
        <TextField
          label="Amount in USD"
          value={typed.amount}
          onChange={typed.setAmount}
          placeholder="10"
          inputMode="decimal"
          error={amountFault(typed.amount)}
          autoFocus
        />
        {budget === null ? (
          <SelectField label="In" value={typed.period} choices={PERIODS} onChange={typed.setPeriod} />
        ) : (
          <TextField label="Name" value={typed.name} onChange={typed.setName} placeholder="Such as “team”" />
        )}
        <SelectField label="When it is used up" value={typed.action} choices={ACTIONS} onChange={typed.setAction} />
        <TextField
          label="Webhooks are told at percent"
          value={typed.warnAt}
          onChange={typed.setWarnAt}
          inputMode="numeric"
          error={percentFault(typed.warnAt)}
        />
        {budget === null && <TextField label="Name" value={typed.name} onChange={typed.setName} placeholder="Such as “team”" />}
      </div>
      <ModelList chosen={typed.models} onToggle={(id) => typed.setModels(toggled(typed.models, id))} />
    </FormDialog>
  )
}

interface DeleteBudgetProps {
  readonly budget: BudgetRow
  readonly onClose: () => void
  readonly onDeleted: () => void
}

export function DeleteBudget({ budget, onClose, onDeleted }: DeleteBudgetProps) {
  const [{ fetching, error }, remove] = useMutation(BudgetsDeleteDocument)
  const submit = async () => {
    const { data } = await remove({ id: budget.id })
    if (data?.deleteBudget) onDeleted()
  }
  return (
    <FormDialog
      title="Delete a budget"
      isOpen
      onClose={onClose}
      action="Delete"
      isDangerous
      isBusy={fetching}
      fault={error ? faultOf(error) : null}
      onSubmit={() => void submit()}
    >
      <p>
        <b className="wrap-anywhere font-medium">{titleOf(budget)}</b> refuses nothing any more, and what it counted is forgotten.
      </p>
    </FormDialog>
  )
}
