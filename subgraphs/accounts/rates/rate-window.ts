/**
 * One rate of a key in the minute of the wall clock, as one process knows it.
 *
 * A process alone counts exactly. Several lease shares of the minute from a common count: the next share is asked for before the
 * last is used up, so that a request waits for one only in a burst. Until the first answer a process may go ahead by a twentieth
 * of the rate (at least by one): that is how much all of them may exceed it for each process. See docs/decisions/0042.
 */

/** Takes `amount` of the minute for this process, and answers what all have taken with it. */
export type Lease = (id: string, minute: number, amount: number) => Promise<number>

export class RateWindow {
  #minute = -1
  #limit = 0
  #used = 0
  /** What this process may use. */
  #leased = 0
  /** What all processes have taken, when last heard. */
  #taken = 0
  #isSpent = false
  #asking: Promise<void> | null = null

  constructor(
    private readonly id: string,
    private readonly lease: Lease | null,
    private readonly minuteNow: () => number,
  ) {}

  get minute(): number {
    return this.#minute
  }

  /** Whether there was as much left. Never more than the whole rate is asked, so a full minute lets everything in. */
  take(amount: number, limit: number): boolean | Promise<boolean> {
    this.#enter(limit)
    const ahead = this.lease === null || this.#isSpent ? 0 : Math.max(1, Math.floor(limit / 20))
    if (this.#used + amount <= this.#leased + ahead) {
      this.#used += amount
      this.#askAhead()
      return true
    }
    if (this.lease === null || this.#isSpent) return false
    return this.#ask(amount).then(() => this.take(amount, limit))
  }

  /** Corrects what a request of that minute has taken. What it took less of a minute that is over comes back to nobody. */
  correct(by: number, minute: number): void {
    this.#enter(this.#limit)
    if (by < 0 && minute !== this.#minute) return
    this.#used += by
    this.#askAhead()
  }

  get remaining(): number {
    return Math.max(0, this.#limit - (this.#taken - this.#leased) - this.#used)
  }

  #enter(limit: number): void {
    const minute = this.minuteNow()
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#used = this.#leased = this.#taken = 0
      this.#isSpent = false
    }
    if (limit !== this.#limit) this.#isSpent = false
    this.#limit = limit
    if (this.lease === null) this.#leased = this.#taken = limit
  }

  get #share(): number {
    return Math.max(1, Math.ceil(this.#limit / 10))
  }

  #askAhead(): void {
    if (this.lease === null || this.#isSpent || this.#asking || this.#used <= this.#leased - this.#share / 2) return
    // Whoever has to wait for a share hears of the failure.
    this.#ask(0).catch(() => undefined)
  }

  #ask(amount: number): Promise<void> {
    this.#asking ??= this.#grow(Math.max(this.#share, this.#used + amount - this.#leased)).finally(() => (this.#asking = null))
    return this.#asking
  }

  async #grow(wanted: number): Promise<void> {
    const minute = this.#minute
    const taken = await this.lease!(this.id, minute, wanted)
    if (minute !== this.#minute) return
    const granted = Math.min(wanted, Math.max(0, this.#limit - (taken - wanted)))
    this.#leased += granted
    this.#taken = Math.min(taken, this.#limit)
    this.#isSpent = granted < wanted
  }
}
