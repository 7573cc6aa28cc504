/**
 * How long an instance has run, added up from one look at it to the next.
 *
 * The wall clock may be set to anything at any moment, so a process measures the time since its own last look by the monotonic
 * clock. A look of another process, or of one before a restart, is known by its wall time only. Then it counts how the wall
 * clock of this process went when it showed that time; a time that it never showed is believed up to a limit.
 */
import type { Clock } from '#platform/clock.js'
import type { GpuSession } from './session.js'

/** One moment on both clocks, in whole milliseconds: wall time for the record, monotonic time to measure from. */
export interface Look {
  readonly at: number
  readonly monotonic: number
}

export interface AliveTime {
  /** Now. To be called every second or so, to notice when the wall clock is set. */
  look(): Look
  /** Milliseconds between the last look in the record and this one; never negative. */
  since(session: Pick<GpuSession, 'id' | 'lastAliveAt'>, look: Look): number
  /** The record's last look is this one now. */
  recorded(sessionId: string, look: Look): void
}

/** The wall clock from one step to the next: wall time is monotonic time plus the offset. */
interface Epoch {
  offset: number
  readonly from: number
}

/** Smaller differences are a time server's work. */
const STEP_MS = 1_000
/** How much later than it happened a step may be noticed. */
const NOTICED_WITHIN_MS = 2_000
const MAX_EPOCHS = 16
/** The oldest looks are forgotten first. */
const MAX_LOOKS = 10_000

export function createAliveTime(clock: Clock, maxSilenceMs: number): AliveTime {
  const own = new Map<string, Look>()
  const epochs: Epoch[] = [{ offset: clock.now() - Math.floor(clock.monotonic()), from: Number.NEGATIVE_INFINITY }]

  function look(): Look {
    const now = { at: clock.now(), monotonic: Math.floor(clock.monotonic()) }
    const offset = now.at - now.monotonic
    const current = epochs.at(-1)
    if (current && Math.abs(offset - current.offset) < STEP_MS) current.offset = offset
    else epochs.push({ offset, from: now.monotonic })
    if (epochs.length > MAX_EPOCHS) epochs.shift()
    return now
  }

  /** The shortest time for which this process's clocks may have gone since the wall clock showed `at`. */
  function shortestSince(at: number, monotonic: number): number {
    const gaps = epochs.flatMap(({ offset, from }, index) => {
      const then = at - offset
      const until = Math.min(monotonic, epochs[index + 1]?.from ?? monotonic)
      return then >= from - NOTICED_WITHIN_MS && then <= until ? [monotonic - then] : []
    })
    return gaps.length === 0 ? 0 : Math.min(...gaps)
  }

  return {
    look,
    since({ id, lastAliveAt }, { monotonic }) {
      if (lastAliveAt === null) return 0
      const last = own.get(id)
      const sinceOwn = last ? Math.max(0, monotonic - last.monotonic) : maxSilenceMs
      if (last?.at === lastAliveAt) return sinceOwn
      return Math.min(sinceOwn, maxSilenceMs, shortestSince(lastAliveAt, monotonic))
    },
    recorded(sessionId, seen) {
      own.delete(sessionId)
      own.set(sessionId, seen)
      const [oldest] = own.keys()
      if (own.size > MAX_LOOKS && oldest !== undefined) own.delete(oldest)
    },
  }
}
