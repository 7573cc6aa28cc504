/**
 * Why a chat call must end before its answer is complete: its request was ended (by the caller, a stop, its key), its time is
 * over, or the ledger refused the hold that was placed while the provider was already called. One listener at a time, which
 * is cheaper than a signal per call.
 */
import type { Clock } from '#platform/clock.js'
import { endReason, timeIsOver } from '#platform/requests/end-reasons.js'
import type { AppError } from '#platform/errors.js'

export class RequestEnd {
  /** What a caller without a single byte gets; null while the call may go on. */
  reason: AppError | null = null
  /** Called once when the call must end. */
  onEnd: (() => void) | null = null
  readonly #cancelTimer: () => void
  readonly #onAbort = () => this.now(endReason(this.signal))

  constructor(
    private readonly signal: AbortSignal,
    clock: Clock,
    /** Of the monotonic clock. */
    deadlineMs: number,
  ) {
    this.#cancelTimer = clock.setTimeout(() => this.now(timeIsOver()), Math.max(0, deadlineMs - clock.monotonic()))
    if (signal.aborted) this.#onAbort()
    else signal.addEventListener('abort', this.#onAbort)
  }

  now(reason: AppError): void {
    if (this.reason !== null) return
    this.reason = reason
    const listener = this.onEnd
    this.onEnd = null
    listener?.()
  }

  /** Frees the timer and the listener. */
  close(): void {
    this.#cancelTimer()
    this.signal.removeEventListener('abort', this.#onAbort)
    this.onEnd = null
  }
}
