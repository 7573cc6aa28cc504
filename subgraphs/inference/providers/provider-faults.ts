/**
 * Faults of providers, which failover hides from callers: they are told to the log, once a minute at most for each provider and
 * kind of failure. Those that only the operator can repair (a key that is refused, a bill that is not paid, a model that is not
 * there) are also kept for administrators, the last one of each provider, until it answers again.
 */
import type { Clock } from '#platform/clock.js'
import type { FailureKind, ProviderFailure } from './provider-failure.js'

export interface ProviderFault {
  /** The routing identifier. */
  readonly providerId: string
  /** The provider's HTTP status. */
  readonly status: number
  /** Cleaned of addresses and keys; '' when it said nothing. */
  readonly message: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** A failure that another provider, or the next request, may make good. */
export interface ProviderTrouble {
  readonly providerId: string
  readonly kind: FailureKind
  readonly status: number | null
  /** Cleaned of addresses and keys; null where the words may be about the prompt. */
  readonly said: string | null
  /** Failures alike since the last one that was told. */
  readonly untold: number
}

export interface FaultListener {
  /** Only the operator can repair it. */
  readonly onFault: (fault: ProviderFault) => void
  readonly onTrouble: (trouble: ProviderTrouble) => void
}

/** Answered before anybody has looked at the prompt, so the words are not about it. */
const UNREAD_STATUSES = new Set([429, 502, 503, 504, 529])
const OPERATORS_FAULTS = new Set([401, 402, 403, 404])
const SILENCE_MS = 60_000

export class ProviderFaults {
  readonly #last = new Map<string, ProviderFault>()
  /** When the log was last told, of the monotonic clock, and how often it was not since; by provider and kind of failure. */
  readonly #told = new Map<string, { at: number; untold: number }>()

  constructor(
    private readonly clock: Clock,
    private readonly listener: FaultListener,
  ) {}

  /** The fault that stands between this provider and its next answer. */
  lastOf(providerId: string): ProviderFault | null {
    return this.#last.get(providerId) ?? null
  }

  /** A refused request is its caller's matter, and a call that we ended is nobody's. */
  failed(providerId: string, failure: ProviderFailure): void {
    const { kind, status, words } = failure
    if (kind === 'cancelled' || failure.isRefusal) return
    if (status !== null && OPERATORS_FAULTS.has(status)) {
      const fault = { providerId, status, message: words?.message ?? '', at: this.clock.now() }
      this.#last.set(providerId, fault)
      if (this.#untold(providerId, status) !== null) this.listener.onFault(fault)
      return
    }
    const untold = this.#untold(providerId, status ?? kind)
    if (untold === null) return
    const said = status !== null && UNREAD_STATUSES.has(status) ? (words?.message ?? '') : null
    this.listener.onTrouble({ providerId, kind, status, said, untold })
  }

  /** How many were not told since the last; null when this one is not to be told either. */
  #untold(providerId: string, kind: string | number): number | null {
    const name = `${providerId} ${kind}`
    const told = this.#told.get(name)
    const now = this.clock.monotonic()
    if (told !== undefined && now - told.at < SILENCE_MS) {
      told.untold++
      return null
    }
    this.#told.set(name, { at: now, untold: 0 })
    return told?.untold ?? 0
  }

  answered(providerId: string): void {
    if (this.#last.size > 0) this.#last.delete(providerId)
  }
}
