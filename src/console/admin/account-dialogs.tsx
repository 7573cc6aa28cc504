/** What is done with an account. */
import { useState } from 'react'
import { useMutation } from 'urql'
import {
  AdminAddCreditsDocument,
  AdminCreateAccountDocument,
  AdminUpdateAccountDocument,
  type ColdStartMode,
  type ScanTier,
  type AdminAccountFragment,
} from '../../generated/console-admin.js'
import { amountFault, amountOrNull } from '../format/amount-input.js'
import { exactDecimal } from '../format/decimal.js'
import { Money } from '../format/money.js'
import { faultOf } from '../graph/faults.js'
import { TextField } from '../ui/forms/field.js'
import { FormDialog } from '../ui/layout/form-dialog.js'
import { SelectField } from '../ui/forms/select-field.js'
import { toast } from '../ui/notices/toasts.js'

interface AmountProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly placeholder?: string
  readonly hint?: string
}

const AmountField = (props: AmountProps) => <TextField {...props} inputMode="decimal" error={amountFault(props.value)} />

interface AccountDialogProps {
  readonly account: AdminAccountFragment
  readonly onClose: () => void
}

export function AddCredits({ account, onClose }: AccountDialogProps) {
  const [amount, setAmount] = useState('')
  // Of this dialog: a second click, or another try after a break, adds nothing twice.
  const [idempotencyKey] = useState(() => `console-${crypto.randomUUID()}`)
  const [{ fetching, error }, add] = useMutation(AdminAddCreditsDocument)
  const submit = async () => {
    const { data } = await add({ input: { accountId: account.id, amount: amount.trim(), idempotencyKey } })
    if (!data?.addCredits) return
    toast(`$${exactDecimal(data.addCredits.entry.amount, 2)} added to ${account.name}.`)
    onClose()
  }
  return (
    <FormDialog
      title="Add credits"
      isOpen
      onClose={onClose}
      action="Add credits"
      isBusy={fetching}
      isReady={amount.trim() !== '' && amountFault(amount) === null}
      fault={error ? faultOf(error) : null}
      onSubmit={() => void submit()}
    >
      <p>
        <b className="wrap-anywhere font-medium">{account.name}</b> has <Money amount={account.balance} />, of which{' '}
        <Money amount={account.held} /> are held.
      </p>
      <AmountField label="Amount in USD" value={amount} onChange={setAmount} placeholder="10" />
    </FormDialog>
  )
}

export function CreateAccount({ onClose, onCreated }: { readonly onClose: () => void; readonly onCreated: () => void }) {
  const [name, setName] = useState('')
  const [credits, setCredits] = useState('')
  const [cap, setCap] = useState('')
  const [{ fetching, error }, create] = useMutation(AdminCreateAccountDocument)
  const submit = async () => {
    const input = { name: name.trim(), credits: amountOrNull(credits), monthlyCap: amountOrNull(cap) }
    const { data } = await create({ input })
    if (!data?.createAccount) return
    toast(`${name.trim()} is open.`)
    onCreated()
  }
  return (
    <FormDialog
      title="Open an account"
      isOpen
      onClose={onClose}
      action="Open account"
      isBusy={fetching}
      isReady={name.trim() !== '' && amountFault(credits) === null && amountFault(cap) === null}
      fault={error ? faultOf(error) : null}
      onSubmit={() => void submit()}
    >
      <TextField label="Name" value={name} onChange={setName} placeholder="Who it is for" autoFocus />
      <AmountField label="Credits to start with, in USD" value={credits} onChange={setCredits} placeholder="None" />
      <AmountField label="Monthly cap in USD" value={cap} onChange={setCap} placeholder="No cap" />
    </FormDialog>
  )
}

const TIERS = [
  ['FREE', 'Free'],
  ['PRO', 'Pro'],
  ['ENTERPRISE', 'Enterprise'],
] as const satisfies readonly (readonly [ScanTier, string])[]

const COLD_STARTS = [
  ['WAIT', 'Waits until the model serves'],
  ['RESPOND', 'Answers 202 at once'],
  ['RETRY', 'Answers 503 with Retry-After'],
] as const satisfies readonly (readonly [ColdStartMode, string])[]

/** Without the zeros that the API writes behind. */
const typedOf = (amount: string | null): string => (amount === null ? '' : exactDecimal(amount, 0).replaceAll(',', ''))

export function EditAccount({ account, onClose }: AccountDialogProps) {
  const [name, setName] = useState(account.name)
  const [cap, setCap] = useState(typedOf(account.monthlyCap))
  const [hourly, setHourly] = useState(typedOf(account.maxHourlySpend))
  const [tier, setTier] = useState(account.scanTier)
  const [coldStart, setColdStart] = useState(account.coldStartMode)
  const [{ fetching, error }, update] = useMutation(AdminUpdateAccountDocument)
  const submit = async () => {
    const { data } = await update({
      input: {
        id: account.id,
        name: name.trim(),
        monthlyCap: amountOrNull(cap),
        maxHourlySpend: amountOrNull(hourly),
        scanTier: tier,
        coldStartMode: coldStart,
      },
    })
    if (data?.updateAccount) onClose()
  }
  return (
    <FormDialog
      title="Change an account"
      isOpen
      onClose={onClose}
      action="Save"
      isBusy={fetching}
      isReady={name.trim() !== '' && amountFault(cap) === null && amountFault(hourly) === null}
      fault={error ? faultOf(error) : null}
      onSubmit={() => void submit()}
    >
      <TextField label="Name" value={name} onChange={setName} />
      <div className="grid gap-4 md:grid-cols-2">
        <AmountField label="Monthly cap in USD" value={cap} onChange={setCap} placeholder="No cap" />
        <AmountField label="Most USD an hour for GPUs" value={hourly} onChange={setHourly} placeholder="No limit" />
        <SelectField label="Scans" value={tier} choices={TIERS} onChange={setTier} />
        <SelectField label="A request for a cold model" value={coldStart} choices={COLD_STARTS} onChange={setColdStart} />
      </div>
    </FormDialog>
  )
}
