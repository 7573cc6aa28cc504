/** A clock that moves only when told to, and whose wall time can be set without time passing. */
import type { Clock } from '#platform/clock.js'

export class ManualClock implements Clock {
  #now = 0
  /** Wall time when the clock was at 0. */
  #startMs: number
  #timers: { at: number; order: number; callback: () => void }[] = []
  #order = 0

  constructor(startMs = Date.UTC(2026, 10, 21)) {
    this.#startMs = startMs
  }

  now(): number {
    return this.#startMs + this.#now
  }

  monotonic(): number {
    return this.#now
  }

  /** Somebody sets the wall clock; no time passes and no timer fires. */
  setWallClock(byMs: number): void {
    this.#startMs += byMs
  }

  setTimeout(callback: () => void, delayMs: number): () => void {
    const timer = { at: this.#now + Math.max(0, delayMs), order: this.#order++, callback }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  /** Time passes while the process stands still: what is due fires late, with the next `advance`. */
  stall(ms: number): void {
    this.#now += ms
  }

  /** Moves time forward and fires due timers in order, letting promises settle between them. */
  async advance(ms: number): Promise<void> {
    const target = this.#now + ms
    for (;;) {
      const due = this.#timers.filter((timer) => timer.at <= target).toSorted((a, b) => a.at - b.at || a.order - b.order)[0]
      if (!due) break
      this.#timers = this.#timers.filter((timer) => timer !== due)
      this.#now = Math.max(this.#now, due.at)
      due.callback()
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.#now = target
    await new Promise((resolve) => setImmediate(resolve))
  }
}
