/** One timer for all open streams: meters and watches each of them once a second, and rests while there are none. */
import type { Clock } from '#platform/clock.js'
import { PassingMap } from '#platform/passing-map.js'

export interface Ticking {
  /** `nowMs` is of the monotonic clock. */
  tick(nowMs: number): void
}

export class StreamTicker {
  readonly #streams = new PassingMap<string, Ticking>()
  #cancelTimer: (() => void) | null = null

  constructor(
    private readonly clock: Clock,
    private readonly intervalMs: number,
  ) {}

  /** How many streams are open. */
  get size(): number {
    return this.#streams.size
  }

  add(chatId: string, stream: Ticking): void {
    this.#streams.set(chatId, stream)
    this.#cancelTimer ??= this.clock.setTimeout(() => this.#tick(), this.intervalMs)
  }

  remove(chatId: string): void {
    this.#streams.delete(chatId)
    if (this.#streams.size > 0) return
    this.#cancelTimer?.()
    this.#cancelTimer = null
  }

  #tick(): void {
    this.#cancelTimer = null
    const now = this.clock.monotonic()
    for (const stream of this.#streams.values()) stream.tick(now)
    if (this.#streams.size > 0) this.#cancelTimer ??= this.clock.setTimeout(() => this.#tick(), this.intervalMs)
  }
}
