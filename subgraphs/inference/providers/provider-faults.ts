/**
 * Faults of providers that only the operator can repair: a key that is refused, a bill that is not paid, a model that is not
 * there. Failover hides them from callers, so they are told to the log, once a minute at most for each provider and status,
 * and the last one of each provider is kept for administrators until it answers again.
 */
import type { Clock } from '#platform/clock.js'
import type { ProviderFailure } from './provider-failure.js'

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

const OPERATORS_FAULTS = new Set([401, 402, 403, 404])
const SILENCE_MS = 60_000

export class ProviderFaults {
  readonly #last = new Map<string, ProviderFault>()
  /** When the log was last told, of the monotonic clock, by provider and status. */
  readonly #toldAt = new Map<string, number>()

  constructor(
    private readonly clock: Clock,
    private readonly onFault: (fault: ProviderFault) => void,
  ) {}

  /** The fault that stands between this provider and its next answer. */
  lastOf(providerId: string): ProviderFault | null {
    return this.#last.get(providerId) ?? null
  }

  failed(providerId: string, { status, words }: ProviderFailure): void {
    if (status === null || !OPERATORS_FAULTS.has(status)) return
    const fault = { providerId, status, message: words?.message ?? '', at: this.clock.now() }
    this.#last.set(providerId, fault)
    const name = `${providerId} ${status}`
    const toldAt = this.#toldAt.get(name)
    const now = this.clock.monotonic()
    if (toldAt !== undefined && now - toldAt < SILENCE_MS) return
    this.#toldAt.set(name, now)
    this.onFault(fault)
  }

  answered(providerId: string): void {
    if (this.#last.size > 0) this.#last.delete(providerId)
  }
}
