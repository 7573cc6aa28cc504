/** What the requests, and the chart above them, are narrowed by. */
import { X } from 'lucide-react'
import { useState } from 'react'
import type { ChatApi, UsageOutcome, UsageSort } from '../../generated/console-usage.js'
import { amountFault } from '../format/amount-input.js'
import { Button } from '../ui/forms/button.js'
import { classes } from '../ui/classes.js'
import { CONTROL, SELECT } from '../ui/forms/field.js'
import { FILTER_ROW, FilterChoice } from '../ui/forms/filter-bar.js'
import type { Choices } from './usage-choices.js'
import { APIS, filtersOf, NO_FILTERS, OUTCOMES, SORTS, type SetSearch, type UsageSearch } from './usage-search.js'

interface FilterBarProps {
  readonly search: UsageSearch
  readonly setSearch: SetSearch
  readonly choices: Choices
}

/** With what is chosen, also when nothing of it was used in this time. */
const withChosen = (ids: readonly string[], chosen: string | undefined): (readonly [string, string])[] =>
  [...new Set(chosen === undefined ? ids : [...ids, chosen])].map((id) => [id, id])

const entriesOf = <Value extends string>(names: Readonly<Record<Value, string>>) => Object.entries(names) as [Value, string][]

export function UsageFilterBar({ search, setSearch, choices }: FilterBarProps) {
  const { model, key, provider, outcome, api, minCost, sort } = search
  const isFiltered = Object.keys(filtersOf(search)).length > 0
  const keys = choices.keys.map(({ id, name, prefix }) => [id, `${name} (${prefix}…)`] as const)
  return (
    <div role="search" aria-label="Filter requests" className={classes('-my-1 flex items-center gap-2 py-1', FILTER_ROW)}>
      <h2 className="mr-1 text-sm font-semibold">Requests</h2>
      <FilterChoice
        label="Model"
        every="Every model"
        value={model}
        choices={withChosen(choices.models, model)}
        onChange={(value) => setSearch({ model: value })}
      />
      <FilterChoice label="Key" every="Every key" value={key} choices={keys} onChange={(value) => setSearch({ key: value })} />
      <FilterChoice
        label="Provider"
        every="Every provider"
        value={provider}
        choices={withChosen(choices.providers, provider)}
        onChange={(value) => setSearch({ provider: value })}
      />
      <FilterChoice<UsageOutcome>
        label="Status"
        every="Every status"
        value={outcome}
        choices={entriesOf(OUTCOMES)}
        onChange={(value) => setSearch({ outcome: value })}
      />
      <FilterChoice<ChatApi>
        label="API"
        every="Every API"
        value={api}
        choices={entriesOf(APIS)}
        onChange={(value) => setSearch({ api: value })}
      />
      <LeastCost key={minCost ?? ''} value={minCost} onChange={(value) => setSearch({ minCost: value })} />
      {isFiltered && (
        <Button variant="ghost" onClick={() => setSearch(NO_FILTERS)}>
          <X className="size-4" aria-hidden="true" />
          Clear
        </Button>
      )}
      <select
        aria-label="Sort"
        value={sort ?? 'NEWEST'}
        onChange={(event) => {
          const chosen = entriesOf<UsageSort>(SORTS).find(([one]) => one === event.target.value)?.[0]
          setSearch({ sort: chosen === 'NEWEST' ? undefined : chosen })
        }}
        className={classes(SELECT, 'w-auto! md:ml-auto')}
      >
        {entriesOf(SORTS).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

interface LeastCostProps {
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}

/** Asked for when it is typed to its end: every digit would be another list. */
function LeastCost({ value, onChange }: LeastCostProps) {
  const [typed, setTyped] = useState(value ?? '')
  const isWrong = amountFault(typed) !== null
  const done = () => {
    const amount = typed.trim() || undefined
    if (!isWrong && amount !== value) onChange(amount)
  }
  return (
    <input
      aria-label="Least cost in USD"
      aria-invalid={isWrong || undefined}
      placeholder="Least cost $"
      inputMode="decimal"
      spellCheck={false}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={done}
      onKeyDown={(event) => event.key === 'Enter' && done()}
      className={classes(CONTROL, 'h-8 w-28!', value !== undefined && 'border-accent')}
    />
  )
}
