/** The periods in which budgets count, in UTC. A clock that steps back never reopens one: their names sort as they follow. */
import { DAY_MS, HOUR_MS } from '#platform/clock.js'
import { BudgetPeriod } from '#platform/vocabulary/words.js'

export interface PeriodSpan {
  /** How rows name it: as the beginning of an ISO date. */
  readonly name: string
  /** Epoch milliseconds. */
  readonly from: number
  /** When the next one begins; null for one that never ends. */
  readonly to: number | null
}

const TOTAL: PeriodSpan = { name: 'total', from: 0, to: null }

type Spans = Readonly<Record<BudgetPeriod, PeriodSpan>>

const span = (from: number, to: number, digits: number): PeriodSpan => ({
  name: new Date(from).toISOString().slice(0, digits),
  from,
  to,
})

function spansOf(now: number): Spans {
  const date = new Date(now)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS
  const day = Math.floor(now / DAY_MS) * DAY_MS
  const monday = day - ((date.getUTCDay() + 6) % 7) * DAY_MS
  return {
    [BudgetPeriod.HOUR]: span(hour, hour + HOUR_MS, 'YYYY-MM-DDTHH'.length),
    [BudgetPeriod.DAY]: span(day, day + DAY_MS, 'YYYY-MM-DD'.length),
    [BudgetPeriod.WEEK]: span(monday, monday + 7 * DAY_MS, 'YYYY-MM-DD'.length),
    [BudgetPeriod.MONTH]: span(Date.UTC(year, month), Date.UTC(year, month + 1), 'YYYY-MM'.length),
    [BudgetPeriod.TOTAL]: TOTAL,
  }
}

/** Those that were asked for last: dates are slow to take apart, and hours are long. */
let known: { readonly from: number; readonly spans: Spans } | null = null

/** All periods that `now` lies in. */
export function periodsAt(now: number): Spans {
  const from = Math.floor(now / HOUR_MS) * HOUR_MS
  if (known?.from !== from) known = { from, spans: spansOf(now) }
  return known.spans
}

export const periodAt = (every: BudgetPeriod, now: number): PeriodSpan => periodsAt(now)[every]

/** The period that a row names. */
export function spanNamed(every: BudgetPeriod, name: string): PeriodSpan {
  if (every === BudgetPeriod.TOTAL) return TOTAL
  return spansOf(Date.parse(every === BudgetPeriod.HOUR ? `${name}:00Z` : name))[every]
}
