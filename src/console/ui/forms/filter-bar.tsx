/** What a list is filtered by: a field that `/` goes to, and choices. Where it is narrow they are one row that is pushed aside. */
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '../classes.js'
import { CONTROL, SELECT } from './field.js'

/** Of so many filters one would fill half of a phone's screen. */
export const FILTER_ROW = 'shrink-0 max-md:overflow-x-auto max-md:*:shrink-0 max-md:[scrollbar-width:none] md:flex-wrap'

export const FilterBar = ({ children }: { readonly children: ReactNode }) => (
  <div role="search" className={classes('flex items-center gap-2 px-4 py-2.5 md:px-5', FILTER_ROW)}>
    {children}
  </div>
)

interface FilterTextProps {
  /** What it does, such as "Filter models". */
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

export const FilterText = ({ label, value, onChange }: FilterTextProps) => (
  <div className="relative min-w-40 flex-1 max-md:w-44 md:max-w-72">
    <Search className="pointer-events-none absolute left-2.5 top-2 size-4 text-muted" aria-hidden="true" />
    <input
      type="search"
      data-search-field
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={classes(CONTROL, 'h-8 pl-8')}
    />
  </div>
)

interface FilterChoiceProps<Value extends string> {
  readonly label: string
  /** What stands there while nothing is chosen, such as "Every tier". */
  readonly every: string
  readonly value: Value | undefined
  readonly choices: readonly (readonly [value: Value, name: string])[]
  readonly onChange: (value: Value | undefined) => void
}

export const FilterChoice = <Value extends string>({ label, every, value, choices, onChange }: FilterChoiceProps<Value>) => (
  <select
    aria-label={label}
    value={value ?? ''}
    onChange={(event) => onChange(choices.find(([one]) => one === event.target.value)?.[0])}
    className={classes(SELECT, 'w-auto! max-w-44', value !== undefined && 'border-accent')}
  >
    <option value="">{every}</option>
    {choices.map(([one, name]) => (
      <option key={one} value={one}>
        {name}
      </option>
    ))}
  </select>
)
