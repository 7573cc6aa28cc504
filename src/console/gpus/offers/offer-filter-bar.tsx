/** What the offers are narrowed by: every filter takes away what the others have left. */
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { amountFault } from '../../format/amount-input.js'
import { Button } from '../../ui/forms/button.js'
import { classes } from '../../ui/classes.js'
import { CONTROL } from '../../ui/forms/field.js'
import { FilterBar, FilterChoice } from '../../ui/forms/filter-bar.js'
import { KINDS, type GpusSearch, type Kind } from '../gpus-search.js'
import type { OfferChoices } from './offers.js'

interface OfferFilterBarProps {
  readonly search: { readonly [Name in keyof GpusSearch]?: GpusSearch[Name] | undefined }
  readonly choices: OfferChoices
  readonly change: (changed: Partial<Record<keyof GpusSearch, unknown>>) => void
  /** What stands at the end of the bar. */
  readonly children: ReactNode
}

const NONE = { gpu: undefined, provider: undefined, region: undefined, kind: undefined, vram: undefined, price: undefined }

const named = (values: readonly string[]) => values.map((value) => [value, value] as const)

export function OfferFilterBar({ search, choices, change, children }: OfferFilterBarProps) {
  const { gpu, provider, region, kind, vram, price } = search
  const isFiltered = [gpu, provider, region, kind, vram, price].some((value) => value !== undefined)
  return (
    <FilterBar>
      <FilterChoice
        label="GPU"
        every="Every GPU"
        value={gpu}
        choices={named(choices.gpus)}
        onChange={(value) => change({ gpu: value })}
      />
      <FilterChoice
        label="Memory"
        every="Any memory"
        value={vram === undefined ? undefined : String(vram)}
        choices={choices.memories.map((least) => [String(least), `${least} GB or more`] as const)}
        onChange={(value) => change({ vram: value === undefined ? undefined : Number(value) })}
      />
      <FilterChoice<Kind>
        label="Kind"
        every="Spot or on demand"
        value={kind}
        choices={Object.entries(KINDS) as [Kind, string][]}
        onChange={(value) => change({ kind: value })}
      />
      <FilterChoice
        label="Provider"
        every="Every provider"
        value={provider}
        choices={named(choices.providers)}
        onChange={(value) => change({ provider: value })}
      />
      <FilterChoice
        label="Region"
        every="Every region"
        value={region}
        choices={named(choices.regions)}
        onChange={(value) => change({ region: value })}
      />
      <input
        data-search-field
        aria-label="Most USD per GPU and hour"
        aria-invalid={amountFault(price ?? '') !== null || undefined}
        placeholder="Most $ / hour"
        inputMode="decimal"
        value={price ?? ''}
        onChange={(event) => change({ price: event.target.value })}
        className={classes(CONTROL, 'h-8 w-30!', price !== undefined && 'border-accent')}
      />
      {isFiltered && (
        <Button variant="ghost" onClick={() => change(NONE)}>
          <X className="size-4" aria-hidden="true" />
          Clear
        </Button>
      )}
      {children}
    </FilterBar>
  )
}
