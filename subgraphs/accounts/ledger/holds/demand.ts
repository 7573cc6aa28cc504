/** What was asked of accounts lately: how large leases should be, and who has traffic at all. */
import type { Clock } from '#platform/clock.js'

/** Leases are for as much as the holds of so long. */
const SPAN_MS = 2_000
const IDLE_MS = 10_000

interface Asked {
  begunAt: number
  holds: number
  amount: bigint
  holdsBefore: number
  amountBefore: bigint
}

export class Demand {
  readonly #accounts = new Map<string, Asked>()

  constructor(private readonly clock: Clock) {}

  note(accountId: string, amount: bigint): void {
    const asked = this.#inForce(accountId)
    asked.holds++
    asked.amount += amount
  }

  /** Holds of the last two to four seconds. */
  holds(accountId: string): number {
    const { holds, holdsBefore } = this.#inForce(accountId)
    return holds + holdsBefore
  }

  /** What the holds of two seconds take, in nano-USD: those of now, or of the two before when that is more. */
  recent(accountId: string): bigint {
    const { amount, amountBefore } = this.#inForce(accountId)
    return amount > amountBefore ? amount : amountBefore
  }

  forgetIdle(): void {
    const before = this.clock.monotonic() - IDLE_MS
    for (const [accountId, { begunAt }] of this.#accounts) if (begunAt < before) this.#accounts.delete(accountId)
  }

  #inForce(accountId: string): Asked {
    const now = this.clock.monotonic()
    const asked = this.#accounts.get(accountId)
    if (asked && now - asked.begunAt < SPAN_MS) return asked
    const isNext = asked !== undefined && now - asked.begunAt < 2 * SPAN_MS
    const before = isNext ? { holdsBefore: asked.holds, amountBefore: asked.amount } : { holdsBefore: 0, amountBefore: 0n }
    const fresh = { begunAt: now, holds: 0, amount: 0n, ...before }
    this.#accounts.set(accountId, fresh)
    return fresh
  }
}
