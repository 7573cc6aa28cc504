/** Which model answers: a tier or one of the catalogue, with what decides the choice beside each. */
import { ChevronsUpDown } from 'lucide-react'
import { useRef, useState } from 'react'
import type { PlayModelFragment } from '../../../generated/console.js'
import { Money } from '../../format/money.js'
import { duration, perSecond, tokensShort } from '../../format/numbers.js'
import { classes } from '../../ui/classes.js'
import { Dialog } from '../../ui/layout/dialog.js'
import { SearchList } from '../../ui/forms/search-list.js'
import { AvailabilityDot } from './availability-dot.js'
import type { PlayModel } from './use-models.js'

interface Choice {
  readonly id: string
  readonly group: 'Tiers' | 'Models'
  readonly model: PlayModel | null
}

const TIERS: readonly (readonly [id: string, what: string])[] = [
  ['light', 'Small and cheap: the best price of its models'],
  ['medium', 'Balanced'],
  ['high', 'The most capable'],
]

interface ModelPickerProps {
  readonly label: string
  readonly models: readonly PlayModel[]
  readonly chosen: string
  readonly onChoose: (id: string) => void
}

export function ModelPicker({ label, models, chosen, onChoose }: ModelPickerProps) {
  const [isOpen, setOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const choices: Choice[] = [
    ...TIERS.map(([id]) => ({ id, group: 'Tiers' as const, model: null })),
    ...models.map((model) => ({ id: model.id, group: 'Models' as const, model })),
  ]
  const current = models.find(({ id }) => id === chosen)
  return (
    <>
      <button
        type="button"
        aria-label={`${label}: ${chosen}`}
        onClick={() => setOpen(true)}
        className="inline-flex h-8 min-w-0 items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-sm font-medium hover:bg-hover"
      >
        {current && <AvailabilityDot availability={current.availability} />}
        <span className="truncate">{current?.displayName ?? chosen}</span>
        <ChevronsUpDown className="size-3.5 shrink-0 text-muted" aria-hidden="true" />
      </button>
      <Dialog title={label} isOpen={isOpen} onClose={() => setOpen(false)} isBare isWide initialFocus={input}>
        <SearchList
          label={label}
          placeholder="A model or a tier…"
          items={choices}
          keyOf={({ id }) => id}
          textOf={({ id, model }) =>
            `${id} ${model?.displayName ?? ''} ${model?.ownedBy ?? ''} ${model?.tier ?? 'tier'} ${model?.names ?? ''}`
          }
          groupOf={({ group }) => group}
          inputRef={input}
          onChoose={({ id }) => {
            setOpen(false)
            onChoose(id)
          }}
          render={({ id, model }) => (model ? <ModelRow model={model} isChosen={id === chosen} /> : <TierRow id={id} />)}
        />
      </Dialog>
    </>
  )
}

const TierRow = ({ id }: { readonly id: string }) => (
  <div className="flex items-baseline gap-3">
    <span className="font-medium">{id}</span>
    <span className="text-sm text-muted">{TIERS.find(([tier]) => tier === id)?.[1]}</span>
  </div>
)

function ModelRow({ model, isChosen }: { readonly model: PlayModelFragment; readonly isChosen: boolean }) {
  const { displayName, availability, contextWindow, cheapestPrice, tier, id } = model
  return (
    <div className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 md:grid md:grid-cols-[minmax(0,1fr)_4rem_10rem_8.5rem]">
      <span className="flex min-w-0 items-baseline gap-2">
        <AvailabilityDot availability={availability} />
        <span className={classes('truncate', isChosen ? 'font-semibold' : 'font-medium')}>{displayName}</span>
        <span className="truncate text-xs text-muted max-md:hidden">{displayName === id ? tier.toLowerCase() : id}</span>
      </span>
      <span className="text-xs tabular-nums text-muted md:text-right" title="Context window in tokens">
        {contextWindow === null ? '' : tokensShort(contextWindow)}
      </span>
      <span className="text-xs tabular-nums text-muted md:text-right" title="Input and output, a million tokens">
        {cheapestPrice ? (
          <>
            <Money amount={cheapestPrice.pricing.inputPerMillion} /> · <Money amount={cheapestPrice.pricing.outputPerMillion} />
          </>
        ) : (
          'no price yet'
        )}
      </span>
      <span className="text-xs tabular-nums text-muted md:text-right" title="Median latency and speed, as measured">
        <Speed model={model} />
      </span>
    </div>
  )
}

function Speed({ model: { cheapestPrice, availability, estimatedDeploySeconds } }: { readonly model: PlayModelFragment }) {
  if (availability === 'COLD' && estimatedDeploySeconds !== null) return `starts in ${duration(estimatedDeploySeconds * 1000)}`
  if (!cheapestPrice || cheapestPrice.health.latencyP50Ms === 0) return null
  const { latencyP50Ms, tokensPerSecond } = cheapestPrice.health
  return `${duration(latencyP50Ms)} · ${perSecond(tokensPerSecond)}`
}
