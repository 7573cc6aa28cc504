/** The span of time that is looked at, and the columns that it is cut into. Days are those of UTC, as in the books. */
import { DAY_MS, HOUR_MS } from '../../format/durations.js'
import { USUAL_RANGE, type Optional, type UsageSearch } from '../usage-search.js'

/** Beyond it the columns are days. */
const LONGEST_BY_HOUR_MS = 3 * DAY_MS
const MOST_DAYS = 400

const RANGE_DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const

export interface Span {
  readonly from: string
  /** Null while it goes on until now. */
  readonly to: string | null
  readonly group: 'HOUR' | 'DAY'
}

const floor = (time: number, step: number): number => Math.floor(time / step) * step
const iso = (time: number): string => new Date(time).toISOString()

export function spanOf(
  { range = USUAL_RANGE, from, to }: Optional<Pick<UsageSearch, 'range' | 'from' | 'to'>>,
  now: number,
): Span {
  if (from !== undefined) {
    const start = Math.max(Date.parse(from), now - MOST_DAYS * DAY_MS)
    const end = to === undefined ? now : Date.parse(to)
    return { from: iso(start), to: to ?? null, group: end - start <= LONGEST_BY_HOUR_MS ? 'HOUR' : 'DAY' }
  }
  if (range === '24h') return { from: iso(floor(now, HOUR_MS) - 23 * HOUR_MS), to: null, group: 'HOUR' }
  return { from: iso(floor(now, DAY_MS) - (RANGE_DAYS[range] - 1) * DAY_MS), to: null, group: 'DAY' }
}

/** The beginning of every column. */
export function columnsOf({ from, to, group }: Span, now: number): number[] {
  const step = stepOf(group)
  const first = floor(Date.parse(from), step)
  const end = to === null ? now + 1 : Date.parse(to)
  return Array.from({ length: Math.max(1, Math.ceil((end - first) / step)) }, (_, at) => first + at * step)
}

export const stepOf = (group: Span['group']): number => (group === 'HOUR' ? HOUR_MS : DAY_MS)
