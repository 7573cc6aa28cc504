/** The chart of spending, what it is split by and over which time, and its legend, which filters. */
import { ZoomOut } from 'lucide-react'
import { Money } from '../../format/money.js'
import { count } from '../../format/numbers.js'
import { Button } from '../../ui/forms/button.js'
import { classes } from '../../ui/classes.js'
import { FaultNotice } from '../../ui/notices/fault-notice.js'
import { Skeleton } from '../../ui/notices/skeleton.js'
import type { Span } from './span.js'
import { colourOf, SpendingChart } from './spending-chart.js'
import { useSpending } from './spending.js'
import { useNewsTime } from './news-time.js'
import {
  RANGES,
  SPLITS,
  USUAL_RANGE,
  USUAL_SPLIT,
  type Range,
  type Split,
  type UsageFilters,
  type UsageSearch,
  type SetSearch,
} from '../usage-search.js'

interface PanelProps {
  readonly span: Span
  readonly filters: UsageFilters
  readonly search: UsageSearch
  readonly setSearch: SetSearch
  readonly nameOfKey: (id: string) => string
  /** Changes when something was spent. */
  readonly news: number
}

/** The chart is read again at most so often. */
const READ_EVERY_MS = 3_000

export function SpendingPanel({ span, filters, search, setSearch, nameOfKey, news }: PanelProps) {
  const split = search.by ?? USUAL_SPLIT
  const { spending, fault } = useSpending({ span, split, filters }, useNewsTime(news, READ_EVERY_MS))
  const nameOf = (id: string | null) => (id === null ? 'All others' : split === 'key' ? nameOfKey(id) : id)
  return (
    <section aria-label="Spending" className="grid shrink-0 gap-2 rounded-md border border-line bg-surface p-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="text-sm font-semibold">Spending</h2>
        <p className="mr-auto text-sm text-muted">
          {spending && (
            <>
              <Money amount={spending.cost} digits={4} /> for {count(spending.requests)}{' '}
              {spending.requests === 1 ? 'request' : 'requests'}
            </>
          )}
        </p>
        {search.from !== undefined && (
          <Button onClick={() => setSearch({ from: undefined, to: undefined })}>
            <ZoomOut className="size-4" aria-hidden="true" />
            Zoom out
          </Button>
        )}
        <Choice
          label="Split by"
          chosen={split}
          choices={(['model', 'key', 'provider'] satisfies (keyof typeof SPLITS)[]).map((one) => [one, one])}
          onChoose={(by: Split) => setSearch({ by: by === USUAL_SPLIT ? undefined : by })}
        />
        <Choice
          label="Time"
          chosen={search.from === undefined ? (search.range ?? USUAL_RANGE) : null}
          choices={(['24h', '7d', '30d', '90d'] satisfies (keyof typeof RANGES)[]).map((one) => [one, one])}
          onChoose={(range: Range) =>
            setSearch({ range: range === USUAL_RANGE ? undefined : range, from: undefined, to: undefined })
          }
        />
      </div>
      {fault && <FaultNotice fault={fault} />}
      {spending ? (
        <SpendingChart
          spending={spending}
          nameOf={nameOf}
          onZoom={(from, to) => setSearch({ from: new Date(from).toISOString(), to: new Date(to).toISOString() })}
        />
      ) : (
        !fault && <Skeleton className="h-42 w-full" />
      )}
      <ul aria-label="Legend" className="flex min-h-6 flex-wrap gap-x-1 gap-y-0.5 text-xs">
        {spending?.series.map(({ id, cost, requests }, at) => (
          <li key={id} className="min-w-0 max-w-full">
            <button
              type="button"
              disabled={id === null}
              title={id === null ? undefined : `Only ${nameOf(id)}: ${count(requests)} requests`}
              onClick={() => id !== null && setSearch({ [split]: search[split] === id ? undefined : id })}
              className="flex h-6 max-w-full items-center gap-1.5 rounded-sm px-1.5 hover:bg-hover"
            >
              <span className="size-2 shrink-0 rounded-full" style={{ background: colourOf(id, at) }} />
              <span className="truncate">{nameOf(id)}</span>
              <span className="text-muted">
                <Money amount={cost} digits={4} />
              </span>
            </button>
          </li>
        ))}
        {spending?.series.length === 0 && <li className="text-muted">Nothing was spent in this time.</li>}
      </ul>
    </section>
  )
}

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly chosen: Value | null
  readonly choices: readonly (readonly [value: Value, name: string])[]
  readonly onChoose: (value: Value) => void
}

const Choice = <Value extends string>({ label, chosen, choices, onChoose }: ChoiceProps<Value>) => (
  <div role="group" aria-label={label} className="flex rounded-md border border-line p-0.5">
    {choices.map(([value, name]) => (
      <button
        key={value}
        type="button"
        aria-pressed={value === chosen}
        onClick={() => onChoose(value)}
        className={classes(
          'h-6.5 rounded-sm px-2 text-xs',
          value === chosen ? 'bg-hover font-medium' : 'text-muted hover:text-ink',
        )}
      >
        {name}
      </button>
    ))}
  </div>
)
