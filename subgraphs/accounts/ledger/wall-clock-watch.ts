/**
 * How far the wall clock was set ahead lately. Expiries and heartbeats are wall time, because they outlive processes: right
 * after such a step every hold looks expired and every process dead, and a sweep would close holds that are in use.
 */
import type { Clock } from '#platform/clock.js'

export interface WallClockWatch {
  /** Milliseconds that the wall clock has gained over the time that really passed, as far as that is not long ago. */
  aheadMs(): number
}

/** Longer than any request holds credits, and than a process is silent. */
const REMEMBERED_MS = 600_000
/** Smaller differences are a time server's work. */
const STEP_MS = 1_000

export function watchWallClock(clock: Clock): WallClockWatch {
  const offset = () => clock.now() - clock.monotonic()
  let seen = offset()
  let steps: { readonly at: number; readonly byMs: number }[] = []
  return {
    aheadMs() {
      const now = clock.monotonic()
      const byMs = offset() - seen
      seen += byMs
      if (Math.abs(byMs) >= STEP_MS) steps.push({ at: now, byMs })
      steps = steps.filter(({ at }) => now - at < REMEMBERED_MS)
      return Math.max(
        0,
        steps.reduce((sum, step) => sum + step.byMs, 0),
      )
    },
  }
}
