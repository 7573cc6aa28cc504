/** Up to four models side by side, the best figure of each line marked. */
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ModelsRowFragment } from '../../generated/console-models.js'
import { compareDecimals } from '../format/decimal.js'
import { tokensShort } from '../format/numbers.js'
import { IconButton } from '../ui/forms/button.js'
import { classes } from '../ui/classes.js'
import { Capabilities, dollars, latency, NONE, speed, State, TIER_NAMES } from './model-words.js'

type Row = ModelsRowFragment

interface Line {
  readonly name: string
  readonly cell: (row: Row) => ReactNode
  /** The better of two comes first; rows without the figure are left out. */
  readonly better?: { readonly has: (row: Row) => boolean; readonly compare: (a: Row, b: Row) => number }
}

const price = (name: 'inputPerMillion' | 'outputPerMillion'): Pick<Line, 'cell' | 'better'> => ({
  cell: ({ cheapestPrice }) => dollars(cheapestPrice?.pricing[name]),
  better: {
    has: ({ cheapestPrice }) => cheapestPrice !== null,
    compare: (a, b) => compareDecimals(a.cheapestPrice?.pricing[name] ?? '0', b.cheapestPrice?.pricing[name] ?? '0'),
  },
})

const measured = (of: (row: Row) => number | undefined, isHighBest: boolean): Line['better'] => ({
  has: (row) => (of(row) ?? 0) > 0,
  compare: (a, b) => ((of(a) ?? 0) - (of(b) ?? 0)) * (isHighBest ? -1 : 1),
})

const LINES: readonly Line[] = [
  { name: 'Availability', cell: (model) => <State model={model} /> },
  { name: 'Tier', cell: ({ tier }) => TIER_NAMES[tier] },
  { name: 'Published by', cell: ({ ownedBy }) => ownedBy },
  {
    name: 'Context',
    cell: ({ contextWindow }) => (contextWindow === null ? NONE : tokensShort(contextWindow)),
    better: measured(({ contextWindow }) => contextWindow ?? 0, true),
  },
  { name: 'Most output', cell: ({ maxOutputTokens }) => (maxOutputTokens === null ? NONE : tokensShort(maxOutputTokens)) },
  { name: 'Capabilities', cell: (model) => <Capabilities model={model} /> },
  { name: 'Input / 1M', ...price('inputPerMillion') },
  { name: 'Output / 1M', ...price('outputPerMillion') },
  { name: 'Providers', cell: ({ providerCount }) => providerCount ?? NONE },
  {
    name: 'p50',
    cell: ({ cheapestPrice }) => latency(cheapestPrice?.health.latencyP50Ms),
    better: measured(({ cheapestPrice }) => cheapestPrice?.health.latencyP50Ms, false),
  },
  {
    name: 'Tokens/s',
    cell: ({ cheapestPrice }) => speed(cheapestPrice?.health.tokensPerSecond),
    better: measured(({ cheapestPrice }) => cheapestPrice?.health.tokensPerSecond, true),
  },
]

/** Those that nothing beats; none where all are alike. */
function bestOf(models: readonly Row[], { better }: Line): readonly Row[] {
  const known = better ? models.filter(better.has) : []
  const best = known.filter((one) => known.every((other) => better!.compare(one, other) <= 0))
  return best.length === models.length ? [] : best
}

interface ComparisonProps {
  readonly models: readonly Row[]
  readonly onRemove: (id: string) => void
}

export const Comparison = ({ models, onRemove }: ComparisonProps) => (
  <section aria-label="Comparison" tabIndex={0} className="max-h-[50%] shrink-0 overflow-auto border-b border-line bg-sunken">
    <table className="text-sm">
      <thead>
        <tr>
          <td className="w-28 pl-4 md:pl-5" />
          {models.map(({ id, displayName }) => (
            <th key={id} scope="col" className="min-w-52 px-3 py-1.5 text-left font-medium">
              <span className="flex items-center gap-1">
                <Link to="/models/$id" params={{ id }} className="truncate hover:text-accent">
                  {displayName}
                </Link>
                <IconButton label={`Compare without ${displayName}`} className="size-6" onClick={() => onRemove(id)}>
                  <X className="size-3.5" />
                </IconButton>
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {LINES.map((line) => {
          const best = bestOf(models, line)
          return (
            <tr key={line.name}>
              <th scope="row" className="whitespace-nowrap py-1 pl-4 pr-3 text-left text-xs font-normal text-muted md:pl-5">
                {line.name}
              </th>
              {models.map((model) => (
                <td key={model.id} className={classes('px-3 py-1 tabular-nums', best.includes(model) && 'font-medium text-good')}>
                  {line.cell(model)}
                  {best.includes(model) && <span className="sr-only"> (best)</span>}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  </section>
)
