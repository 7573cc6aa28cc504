/**
 * Why a request must end before its answer is complete: the caller left, its time is over, or the ledger refused the hold
 * that was placed while the provider was already called. One listener at a time, which is cheaper than a signal per call.
 */
import type { Clock } from '#platform/clock.js'
import { AppError } from '#platform/errors.js'

export type EndReason = 'client_closed' | 'time_limit' | 'refused'

export class RequestEnd {
  reason: EndReason | null = null
  /** Called once when the request must end. */
  onEnd: (() => void) | null = null
  readonly #cancelTimer: () => void
  readonly #onAbort = () => this.now('client_closed')

  constructor(
    private readonly signal: AbortSignal,
    clock: Clock,
    /** Of the monotonic clock. */
    deadlineMs: number,
  ) {
    this.#cancelTimer = clock.setTimeout(() => this.now('time_limit'), Math.max(0, deadlineMs - clock.monotonic()))
    if (signal.aborted) this.now('client_closed')
    else signal.addEventListener('abort', this.#onAbort)
  }

  now(reason: EndReason): void {
    if (this.reason !== null) return
    this.reason = reason
    const listener = this.onEnd
    this.onEnd = null
    listener?.()
  }

  /** What a caller without a single byte gets. */
  error(): AppError {
    if (this.reason === 'time_limit') return new AppError('timeout', 'The request took longer than its time limit.')
    return new AppError('client_closed_request', 'The client closed the request.')
  }

  /** Frees the timer and the listener. */
  close(): void {
    this.#cancelTimer()
    this.signal.removeEventListener('abort', this.#onAbort)
    this.onEnd = null
  }
}
