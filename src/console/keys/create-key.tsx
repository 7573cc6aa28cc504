/** The dialog that makes a key: what it may do, ask and spend, and until when. */
import { useState } from 'react'
import { useMutation, useQuery } from 'urql'
import { DAY_MS } from '../format/durations.js'
import { KeysCreateDocument, KeysModelsDocument, type CreateApiKeyInput, type Scope } from '../../generated/console-keys.js'
import { maySee, useViewer } from '../app/session/viewer.js'
import { amountFault, amountOrNull } from '../format/amount-input.js'
import { faultOf } from '../graph/faults.js'
import { CONTROL, TextField } from '../ui/forms/field.js'
import { classes } from '../ui/classes.js'
import { FormDialog } from '../ui/layout/form-dialog.js'
import { SelectField } from '../ui/forms/select-field.js'

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
  const [rates, setRates] = useState<Rates>({ requests: '', tokens: '' })
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
      </div>
      <ModelList chosen={models} onToggle={(id) => setModels(toggled(models, id))} />
    </FormDialog>
  )
}

/** As they are typed. */
interface Rates {
  readonly requests: string
  readonly tokens: string
}

const RATES = [
  ['requests', 'Requests a minute'],
  ['tokens', 'Tokens a minute'],
] as const

const RateFields = ({ rates, onChange }: { readonly rates: Rates; readonly onChange: (rates: Rates) => void }) =>
  RATES.map(([name, label]) => (
    <TextField
      key={name}
      label={label}
      value={rates[name]}
      onChange={(text) => onChange({ ...rates, [name]: text })}
      placeholder="Any number"
      inputMode="numeric"
      error={rateFault(rates[name])}
    />
  ))

const areRates = ({ requests, tokens }: Rates): boolean => rateFault(requests) === null && rateFault(tokens) === null

const rateOrNull = (text: string): number | null => (text.trim() === '' ? null : Number(text))
const rateFault = (text: string): string | null =>
  text.trim() === '' || /^[1-9]\d{0,8}$/.test(text.trim()) ? null : 'A whole number from 1.'

const toggled = <Item,>(items: readonly Item[], item: Item): readonly Item[] =>
  items.includes(item) ? items.filter((one) => one !== item) : [...items, item]

interface ModelListProps {
  readonly chosen: readonly string[]
  readonly onToggle: (id: string) => void
}

function ModelList({ chosen, onToggle }: ModelListProps) {
  const [{ data }] = useQuery({ query: KeysModelsDocument })
  const [find, setFind] = useState('')
  const models = data?.models?.models ?? []
  const found = models.filter(({ id }) => id.toLowerCase().includes(find.toLowerCase()))
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 text-xs font-medium">
        Models: {chosen.length === 0 ? 'every one' : `only ${chosen.length} of ${models.length}`}
      </legend>
      <input
        type="search"
        aria-label="Find a model"
        placeholder="Find a model"
        value={find}
        onChange={(event) => setFind(event.target.value)}
        className={classes(CONTROL, 'h-8')}
      />
      <div className="h-32 overflow-y-auto rounded-md border border-line p-1.5" tabIndex={0} role="group" aria-label="Models">
        {found.map(({ id }) => (
          <label key={id} className="flex min-w-0 items-center gap-2 rounded-sm px-1.5 py-1 hover:bg-hover">
            <input
              type="checkbox"
              className="size-4 shrink-0 accent-accent"
              checked={chosen.includes(id)}
              onChange={() => onToggle(id)}
            />
            <span className="truncate">{id}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
