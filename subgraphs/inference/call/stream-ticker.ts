/** One timer for all open streams: meters and watches each of them once a second, and rests while there are none. */
import type { Clock } from '#platform/clock.js'

export interface Ticking {
  /** `nowMs` is of the monotonic clock. */
  tick(nowMs: number): void
}

export class StreamTicker {
  readonly #streams = new Set<Ticking>()
  #cancelTimer: (() => void) | null = null

  constructor(
    private readonly clock: Clock,
    private readonly intervalMs: number,
  ) {}

  /** How many streams are open. */
  get size(): number {
    return this.#streams.size
  }

  add(stream: Ticking): void {
    this.#streams.add(stream)
    this.#cancelTimer ??= this.clock.setTimeout(() => this.#tick(), this.intervalMs)
  }

  remove(stream: Ticking): void {
    this.#streams.delete(stream)
    if (this.#streams.size > 0) return
    this.#cancelTimer?.()
    this.#cancelTimer = null
  }

  #tick(): void {
    this.#cancelTimer = null
    const now = this.clock.monotonic()
    for (const stream of this.#streams) stream.tick(now)
    if (this.#streams.size > 0) this.#cancelTimer ??= this.clock.setTimeout(() => this.#tick(), this.intervalMs)
  }
}
