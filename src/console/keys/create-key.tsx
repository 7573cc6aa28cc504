/** The dialog that makes a key: what it may do, ask and spend, and until when. */
import { useState } from 'react'
import { useMutation } from 'urql'
import { DAY_MS } from '../format/durations.js'
import { KeysCreateDocument, type CreateApiKeyInput, type Scope } from '../../generated/console-keys.js'
import { maySee, useViewer } from '../app/session/viewer.js'
import { amountFault, amountOrNull } from '../format/amount-input.js'
import { ModelList } from '../budgets/model-list.js'
import { faultOf } from '../graph/faults.js'
import { TextField } from '../ui/forms/field.js'
import { FormDialog } from '../ui/layout/form-dialog.js'
import { SelectField } from '../ui/forms/select-field.js'
import { AnswerScanFields, answerScanOf, typedAnswerScan } from './answer-scan-fields.js'
import { areRates, NO_RATES, RateFields, rateOrNull } from './key-limits.js'
import { toggled } from '../ui/forms/toggled.js'

const SCOPES = {
  CHAT: 'Chat completions',
  GPU: 'Rent and end GPUs',
  SCAN: 'Scan code',
  METRICS: 'Read /metrics',
  ADMIN: 'Everything, for every account',
} as const satisfies Record<Scope, string>

const ALL_SCOPES = ['CHAT', 'GPU', 'SCAN', 'METRICS', 'ADMIN'] as const satisfies readonly Scope[]
const USUAL_SCOPES: readonly Scope[] = ['CHAT', 'GPU', 'SCAN']

const EXPIRIES = [
  ['never', 'Never'],
  ['7', 'In 7 days'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const

interface CreateKeyProps {
  readonly onClose: () => void
  readonly onCreated: (secret: string) => void
}

export function CreateKey({ onClose, onCreated }: CreateKeyProps) {
  const own = useViewer().key.scopes
  const offered = ALL_SCOPES.filter((scope) => maySee(own, scope))
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>(USUAL_SCOPES.filter((scope) => offered.includes(scope)))
  const [cap, setCap] = useState('')
  const [rates, setRates] = useState(NO_RATES)
  const [answerScan, setAnswerScan] = useState(typedAnswerScan(null))
  const [models, setModels] = useState<readonly string[]>([])
  const [expiry, setExpiry] = useState<(typeof EXPIRIES)[number][0]>('never')
  const [{ fetching, error }, create] = useMutation(KeysCreateDocument)
  const submit = async () => {
    const input: CreateApiKeyInput = {
      name: name.trim(),
      scopes: [...scopes],
      monthlyCap: amountOrNull(cap),
      requestsPerMinute: rateOrNull(rates.requests),
      tokensPerMinute: rateOrNull(rates.tokens),
      answerScan: answerScanOf(answerScan),
      models: models.length > 0 ? [...models] : null,
      expiresAt: expiry === 'never' ? null : new Date(Date.now() + Number(expiry) * DAY_MS).toISOString(),
    }
    const { data } = await create({ input })
    if (data?.createApiKey) onCreated(data.createApiKey.secret)
  }
  return (
    <FormDialog
      title="Create a key"
      isOpen
      onClose={onClose}
      action="Create key"
      isBusy={fetching}
      isReady={name.trim() !== '' && scopes.length > 0 && amountFault(cap) === null && areRates(rates)}
      fault={error ? faultOf(error) : null}
      onSubmit={() => void submit()}
    >
      <TextField label="Name" value={name} onChange={setName} placeholder="What it is for, such as “staging”" autoFocus />
      <fieldset className="grid gap-1.5">
        <legend className="mb-1.5 text-xs font-medium">It may</legend>
        {offered.map((scope) => (
          <label key={scope} className="flex items-center gap-2">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={scopes.includes(scope)}
              onChange={() => setScopes(toggled(scopes, scope))}
            />
            {SCOPES[scope]}
          </label>
        ))}
      </fieldset>
      <div className="grid gap-4 md:grid-cols-2">
        <TextField
          label="Monthly cap in USD"
          value={cap}
          onChange={setCap}
          placeholder="No cap"
          inputMode="decimal"
          error={amountFault(cap)}
        />
        <SelectField label="Expires" value={expiry} choices={EXPIRIES} onChange={setExpiry} />
        {own.includes('ADMIN') && <RateFields rates={rates} onChange={setRates} />}
        {own.includes('ADMIN') && <AnswerScanFields typed={answerScan} onChange={setAnswerScan} />}
      </div>
      <ModelList chosen={models} onToggle={(id) => setModels(toggled(models, id))} />
    </FormDialog>
  )
}
