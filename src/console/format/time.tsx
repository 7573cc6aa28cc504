/** Moments: in the local time, with UTC on hover; and days. */
import { useNow } from '../ui/use-now.js'
import { DAY_MS, HOUR_MS } from './durations.js'

const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const SHORT = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
})
const MINUTE = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
})
const UTC_DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const SHAPES = { full: DATE_TIME, date: DATE, short: SHORT, minute: MINUTE } as const

interface MomentProps {
  /** As the API gives it. */
  readonly at: string
  readonly shape?: keyof typeof SHAPES | 'relative'
}

export function Moment({ at, shape = 'full' }: MomentProps) {
  const date = new Date(at)
  return (
    <time
      dateTime={at}
      title={`${date.toISOString().replace('T', ' ').slice(0, 19)} UTC`}
      className="whitespace-nowrap tabular-nums"
    >
      {shape === 'relative' ? <Relative to={date.getTime()} /> : SHAPES[shape].format(date)}
    </time>
  )
}

/** It is told to the minute: half of one is the most that it may be behind. */
const LOOKED_AT_EVERY_MS = 30_000

function Relative({ to }: { readonly to: number }) {
  return relative(to - useNow(LOOKED_AT_EVERY_MS))
}

/** "5 minutes ago", "in 3 days". */
function relative(ms: number): string {
  const minutes = Math.trunc(ms / 60_000)
  if (Math.abs(minutes) < 60) return minutes === 0 ? 'just now' : RELATIVE.format(minutes, 'minute')
  return Math.abs(ms) < DAY_MS
    ? RELATIVE.format(Math.trunc(ms / HOUR_MS), 'hour')
    : RELATIVE.format(Math.trunc(ms / DAY_MS), 'day')
}

/** At the end of an axis that is so long. */
export const dayOrMinute = (at: number, spanMs: number): string => (spanMs < 2 * DAY_MS ? MINUTE : DATE).format(new Date(at))

/** A day as a source stated it, which is no moment and so the same everywhere. */
export const Day = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={at} className="whitespace-nowrap tabular-nums">
    {UTC_DAY.format(new Date(at))}
  </time>
)
