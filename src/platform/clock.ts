/** Time as a dependency, so that tests move it by hand and never sleep. */

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export interface Clock {
  /** Milliseconds since the Unix epoch: for what is written down. People and time servers may set it to anything at any moment. */
  now(): number
  /** Milliseconds from an arbitrary beginning, which only ever go on: for every duration, time limit and age in memory. */
  monotonic(): number
  /** Calls `callback` once after `delayMs`; the returned function cancels it. Never keeps the process alive. */
  setTimeout(callback: () => void, delayMs: number): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout(callback, delayMs) {
    const timer = setTimeout(callback, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Resolves after `delayMs`, or at once when the signal aborts. Callers look at the signal afterwards. */
export function delay(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      cancel()
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.setTimeout(done, delayMs)
    signal?.addEventListener('abort', done, { once: true })
  })
}
