/** The columns of the models' table, and by what each is sorted. */
import { Link } from '@tanstack/react-router'
import type { ModelsRowFragment } from '../../generated/console-models.js'
import { compareDecimals } from '../format/decimal.js'
import { tokensShort } from '../format/numbers.js'
import { AvailabilityDot } from '../play/models/availability-dot.js'
import type { Column } from '../ui/data-table.js'
import { CompareBox } from './compare-box.js'
import { Capabilities, dollars, latency, NONE, speed, State, TIER_NAMES } from './model-words.js'
import { STATES } from './models-search.js'

type Row = ModelsRowFragment

/** What nobody knows stands behind everything that is known. */
const byNumber = (of: (row: Row) => number | null | undefined) => (a: Row, b: Row) =>
  (of(a) || Number.POSITIVE_INFINITY) - (of(b) || Number.POSITIVE_INFINITY) || 0

const UNPRICED = '999999999'
const byPrice = (name: 'inputPerMillion' | 'outputPerMillion') => (a: Row, b: Row) =>
  compareDecimals(a.cheapestPrice?.pricing[name] ?? UNPRICED, b.cheapestPrice?.pricing[name] ?? UNPRICED)

/** On a narrow screen the prices stand beside the name; the page of the model has all of it. */
const WIDE_ONLY = 'max-md:hidden'

export const COLUMNS: readonly Column<Row>[] = [
  { id: 'compare', header: 'Compare', cell: (model) => <CompareBox model={model} />, className: 'w-0 max-md:text-[0px]' },
  {
    id: 'name',
    header: 'Model',
    cell: ({ id, displayName, availability }) => (
      <span className="flex items-center gap-2">
        <span className="md:hidden">
          <AvailabilityDot availability={availability} />
        </span>
        <Link
          to="/models/$id"
          params={{ id }}
          className="block max-w-32 truncate font-medium hover:text-accent md:max-w-72"
          title={id}
          onClick={(event) => event.stopPropagation()}
        >
          {displayName}
        </Link>
      </span>
    ),
    compare: (a, b) => a.displayName.localeCompare(b.displayName),
    className: 'sticky left-0 bg-inherit md:static',
  },
  {
    id: 'state',
    header: 'Availability',
    cell: (model) => <State model={model} />,
    compare: (a, b) => STATES.indexOf(a.availability) - STATES.indexOf(b.availability),
    className: WIDE_ONLY,
  },
  {
    id: 'tier',
    header: 'Tier',
    cell: ({ tier }) => TIER_NAMES[tier],
    compare: (a, b) => Object.keys(TIER_NAMES).indexOf(a.tier) - Object.keys(TIER_NAMES).indexOf(b.tier),
    className: WIDE_ONLY,
  },
  {
    id: 'context',
    header: 'Context',
    cell: ({ contextWindow }) => (contextWindow === null ? NONE : tokensShort(contextWindow)),
    compare: byNumber(({ contextWindow }) => contextWindow),
    isNumeric: true,
    className: WIDE_ONLY,
  },
  { id: 'capabilities', header: 'Capabilities', cell: (model) => <Capabilities model={model} />, className: WIDE_ONLY },
  {
    id: 'input',
    header: 'Input / 1M',
    cell: ({ cheapestPrice }) => dollars(cheapestPrice?.pricing.inputPerMillion),
    compare: byPrice('inputPerMillion'),
    isNumeric: true,
  },
  {
    id: 'output',
    header: 'Output / 1M',
    cell: ({ cheapestPrice }) => dollars(cheapestPrice?.pricing.outputPerMillion),
    compare: byPrice('outputPerMillion'),
    isNumeric: true,
  },
  {
    id: 'providers',
    header: 'Providers',
    cell: ({ providerCount }) => providerCount ?? NONE,
    compare: byNumber(({ providerCount }) => providerCount),
    isNumeric: true,
  },
  {
    id: 'p50',
    header: 'p50',
    cell: ({ cheapestPrice }) => latency(cheapestPrice?.health.latencyP50Ms),
    compare: byNumber(({ cheapestPrice }) => cheapestPrice?.health.latencyP50Ms),
    isNumeric: true,
  },
  {
    id: 'p95',
    header: 'p95',
    cell: ({ cheapestPrice }) => latency(cheapestPrice?.health.latencyP95Ms),
    compare: byNumber(({ cheapestPrice }) => cheapestPrice?.health.latencyP95Ms),
    isNumeric: true,
  },
  {
    id: 'speed',
    header: 'Tokens/s',
    cell: ({ cheapestPrice }) => speed(cheapestPrice?.health.tokensPerSecond),
    compare: byNumber(({ cheapestPrice }) => cheapestPrice?.health.tokensPerSecond),
    isNumeric: true,
  },
]
