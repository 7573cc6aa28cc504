/** The system's clock, which a test may move on: time passes by itself, and more of it at once where nothing happens meanwhile. */
import { systemClock, type Clock } from '#platform/clock.js'

export interface SkippingClock extends Clock {
  skip(ms: number): void
}

export function skippingClock(): SkippingClock {
  let skippedMs = 0
  return {
    now: () => systemClock.now() + skippedMs,
    monotonic: () => systemClock.monotonic() + skippedMs,
    setTimeout: (callback, delayMs) => systemClock.setTimeout(callback, delayMs),
    skip(ms) {
      skippedMs += ms
    },
  }
}
