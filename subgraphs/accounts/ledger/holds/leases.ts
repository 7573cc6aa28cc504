/**
 * The credits that this process has leased of accounts that several processes share: holds of chats are placed in a lease from
 * memory, in one tick, and only their charge is written. What is leased counts as held for everybody else.
 *
 * What a lease is known to have (`amount`) is never more than what its row has: it grows by what an outcome granted, and shrinks
 * when something is given back, written or charged, at the latest with the outcome. What was granted by a batch that is in doubt is
 * not counted. So what is held in memory is within the row whatever gets lost, and every charge is within what is held.
 *
 * One thing is asked of a lease at a time. A lease is used until some seconds before its end, by the process's own monotonic
 * clock, counted from before the renewal was sent.
 */
import type { Clock } from '#platform/clock.js'
import type { HealthCheck } from '../operations/ledger-health.js'
import type { LeaseOperation, Operation, Outcome } from '../operations/operation.js'
import { Demand } from './demand.js'
import type { HoldBook } from './hold-book.js'
import type { Run } from './hold-verbs.js'
import { type KnownRows, toSnapshot } from './known-rows.js'
import { LEASE_MS, SMALL_HOLDS } from '../lease-terms.js'
import type { AccountSnapshot } from '../ledger.js'
import type { HoldFacts } from '../ledger-columns.js'
import { available, setAside } from '../ledger-rules.js'

/** A lease is not used any more for so long before it ends. */
const MARGIN_MS = 3_000
/** Without a hold for so long, a lease is given back. */
const IDLE_MS = 10_000
/** After somebody else wanted it, a lease is not used for so long; after it could not grow, it does not try to. */
const COOL_MS = 2_000
/** A lease that has so many times what is needed gives back half of it. */
const TOO_LARGE = 4n
/** One hold alone is cheaper as a row than with a lease that is taken and returned. */
const HOLDS_BEFORE_LEASE = 2
/** Of a process that knows nothing of leases, for so long after its last heartbeat. */
const STALE_AFTER_MS = 20_000
const SWEEP_LIMIT = 500

export interface LeasesOptions {
  readonly run: Run
  readonly rows: KnownRows
  readonly book: HoldBook
  readonly clock: Clock
  readonly health: Pick<HealthCheck, 'isTroubled'>
  readonly ownerId: string
  readonly isClosed: () => boolean
  readonly news: LeaseNews
}

/** How processes tell each other that an account ran dry: quick, and not certain. Renewals tell it too. */
export interface LeaseNews {
  tell(accountId: string): void
  /** Until the returned function is called. */
  listen(hear: (accountId: string) => void): () => void
}

interface Lease {
  readonly epoch: number
  amount: bigint
  /** Of the monotonic clock, as are the others. */
  usableUntil: number
  usedAt: number
}

export class Leases {
  readonly #leases = new Map<string, Lease>()
  readonly #demand: Demand
  /** Accounts of which something is asked now. */
  readonly #asking = new Set<string>()
  /** Until when others come first, and until when nothing more is asked for. */
  readonly #wantedUntil = new Map<string, number>()
  readonly #fullUntil = new Map<string, number>()
  readonly #stopListening: () => void
  #epochs = 0
  #isStopped = false

  constructor(private readonly options: LeasesOptions) {
    this.#demand = new Demand(options.clock)
    this.#stopListening = options.news.listen((accountId) => this.giveBack(accountId))
  }

  /** Places the hold by `keep`, which gets the epoch of its lease, when there is room here; the account with it, or null. */
  grant(facts: HoldFacts, keep: (epoch: number) => void): AccountSnapshot | null {
    const { accountId, amount, budgetIds, purpose } = facts
    const { rows, book, clock } = this.options
    // Budgets are counted in rows.
    if (purpose !== 'chat' || budgetIds !== null || this.#isQuiet()) return null
    this.#demand.note(accountId, amount)
    const lease = this.#leases.get(accountId)
    const account = rows.account(accountId)
    const now = clock.monotonic()
    if (account && lease && this.#isUsable(accountId, lease, now) && book.heldOf(accountId) + amount <= lease.amount) {
      lease.usedAt = now
      keep(lease.epoch)
      if ((lease.amount - book.heldOf(accountId)) * 2n < lease.amount) this.#grow(accountId, amount)
      return toSnapshot(setAside(account, amount))
    }
    this.#grow(accountId, amount)
    return null
  }

  /** An outcome of a charge, or of a hold that was written; before the book forgets the hold. */
  note(operation: Operation, { code, captured = 0n }: Outcome): void {
    if ((operation.kind !== 'charge' && operation.kind !== 'write_hold') || operation.leaseEpoch === undefined) return
    if (this.options.book.of(operation.holdId)?.writing === 'done') return
    const lease = this.#leases.get(operation.accountId)
    if (lease?.epoch !== operation.leaseEpoch) return
    const isWritten = operation.kind === 'write_hold' && (code === 'done' || code === 'replayed')
    const less = operation.kind === 'charge' ? captured : isWritten ? operation.amount : 0n
    lease.amount = lease.amount > less ? lease.amount - less : 0n
  }

  /** A hold has ended: where the account is wanted, its rest goes back. */
  noteEnd(accountId: string): void {
    if (this.#leases.has(accountId) && this.#isWanted(accountId)) queueMicrotask(() => this.#shrink(accountId, 0n))
  }

  /** Somebody wants what is free, or a cap was set. */
  giveBack(accountId: string): void {
    if (!this.#leases.has(accountId)) return
    this.#wantedUntil.set(accountId, this.options.clock.monotonic() + COOL_MS)
    this.#shrink(accountId, 0n)
  }

  /** After something was decided of the account that leases do not know. */
  recall(accountId: string): void {
    this.giveBack(accountId)
    this.options.news.tell(accountId)
  }

  /** Asks everybody for what they do not use. */
  async want(accountId: string): Promise<void> {
    const { run, news, ownerId } = this.options
    this.giveBack(accountId)
    await run({ kind: 'want_leases', processId: ownerId, accountId })
    news.tell(accountId)
  }

  /** With each heartbeat: renews what is used and gives back what is not. */
  async beat(): Promise<void> {
    this.#demand.forgetIdle()
    const now = this.options.clock.monotonic()
    for (const times of [this.#wantedUntil, this.#fullUntil]) {
      for (const [accountId, until] of times) if (until <= now) times.delete(accountId)
    }
    for (const [accountId, lease] of this.#leases) this.#tidy(accountId, lease, now)
    await Promise.all([this.#renew(now), this.sweep([])])
  }

  /** Ends leases of dead processes. */
  async sweep(deadOwners: readonly string[]): Promise<void> {
    await this.options.run({ kind: 'sweep_leases', deadOwners, limit: SWEEP_LIMIT })
  }

  /** No more holds here; what is leased is returned when the process leaves. */
  stop(): void {
    this.#isStopped = true
    this.#stopListening()
  }

  /** Where more is held in memory than was leased: never. */
  overdrawn(): string[] {
    const { book } = this.options
    return [...this.#leases].flatMap(([accountId, { epoch, amount }]) =>
      book.heldIn(accountId, epoch) > amount ? [accountId] : [],
    )
  }

  /** What this process leased of the account, as it knows it. */
  amountOf = (accountId: string): bigint => this.#leases.get(accountId)?.amount ?? 0n

  #isQuiet(): boolean {
    return this.#isStopped || this.options.isClosed() || this.options.health.isTroubled()
  }

  #isUsable = (accountId: string, { usableUntil }: Lease, now: number): boolean => now < usableUntil && !this.#isWanted(accountId)

  #isWanted = (accountId: string): boolean => this.#isBefore(this.#wantedUntil.get(accountId))

  #isBefore = (until: number | undefined): boolean => until !== undefined && this.options.clock.monotonic() < until

  #tidy(accountId: string, lease: Lease, now: number): void {
    const held = this.options.book.heldOf(accountId)
    if (held === 0n && now - lease.usedAt >= IDLE_MS) return this.#shrink(accountId, 0n)
    const needed = max(held, this.#demand.recent(accountId))
    if (needed > 0n && lease.amount > TOO_LARGE * needed) this.#shrink(accountId, needed * 2n)
  }

  #grow(accountId: string, amount: bigint): void {
    const { rows, ownerId, clock } = this.options
    const account = rows.strict(accountId)
    if (this.#asking.has(accountId) || this.#isQuiet() || !account) return
    if (this.#isWanted(accountId) || this.#isBefore(this.#fullUntil.get(accountId))) return
    const isNew = !this.#leases.has(accountId)
    if (isNew && this.#demand.holds(accountId) < HOLDS_BEFORE_LEASE) return
    if (available(account) < BigInt(SMALL_HOLDS) * amount) return
    const epoch = this.#leases.get(accountId)?.epoch ?? ++this.#epochs
    const asked = clock.monotonic()
    const operation: LeaseOperation = {
      kind: 'lease',
      processId: ownerId,
      accountId,
      epoch,
      isNew,
      least: amount,
      wish: this.#demand.recent(accountId),
      aliveSince: this.#aliveSince(),
    }
    this.#ask(accountId, operation, ({ code, granted = 0n }) => {
      const lease = this.#leases.get(accountId)
      if (code === 'closed' && lease?.epoch === epoch) this.#leases.delete(accountId)
      if (code !== 'done') return void this.#fullUntil.set(accountId, clock.monotonic() + COOL_MS)
      const usableUntil = asked + LEASE_MS - MARGIN_MS
      if (lease?.epoch === epoch) {
        lease.amount += granted
        lease.usableUntil = usableUntil
      } else if (isNew && granted > 0n) this.#leases.set(accountId, { epoch, amount: granted, usableUntil, usedAt: asked })
    })
  }

  /** Gives back what is above `keep` and above what is held. */
  #shrink(accountId: string, keep: bigint): void {
    const lease = this.#leases.get(accountId)
    // The answer to what is asked now may change the amount; whoever wants more back looks again.
    if (!lease || this.#asking.has(accountId)) return
    const kept = max(keep, this.options.book.heldOf(accountId))
    if (kept > lease.amount) return
    if (kept === lease.amount && kept > 0n) return
    lease.amount = kept
    if (kept === 0n) this.#leases.delete(accountId)
    const { ownerId: processId } = this.options
    this.#ask(accountId, { kind: 'return_lease', processId, accountId, epoch: lease.epoch, keep: kept }, () => {})
  }

  #ask(accountId: string, operation: LeaseOperation, onOutcome: (outcome: Outcome) => void): void {
    this.#asking.add(accountId)
    void this.#answered(accountId, this.options.run(operation, onOutcome))
  }

  async #answered(accountId: string, answer: Promise<Outcome>): Promise<void> {
    try {
      await answer
    } catch {
      // What is in doubt is not counted, and so never too much is used.
      this.#fullUntil.set(accountId, this.options.clock.monotonic() + COOL_MS)
    }
    this.#asking.delete(accountId)
    if (this.#isWanted(accountId)) this.#shrink(accountId, 0n)
  }

  async #renew(now: number): Promise<void> {
    if (this.#leases.size === 0) return
    const asked = new Map([...this.#leases].map(([accountId, { epoch }]) => [accountId, epoch]))
    const leases = [...asked].map(([accountId, epoch]) => ({ accountId, epoch }))
    const operation = { kind: 'renew_leases', processId: this.options.ownerId, leases, aliveSince: this.#aliveSince() } as const
    const { leases: renewed = [] } = await this.options.run(operation, (outcome) => this.#absorbRenewal(asked, outcome, now))
    for (const { accountId, wanted } of renewed) if (wanted !== 0) this.giveBack(accountId)
  }

  #absorbRenewal(asked: ReadonlyMap<string, number>, { leases: renewed = [] }: Outcome, now: number): void {
    const there = new Map(renewed.map((row) => [row.accountId, row]))
    for (const [accountId, epoch] of asked) {
      const lease = this.#leases.get(accountId)
      if (lease?.epoch !== epoch) continue
      if (there.has(accountId)) lease.usableUntil = now + LEASE_MS - MARGIN_MS
      // Somebody found it expired: what is still held in it is charged to what is free.
      else this.#leases.delete(accountId)
    }
  }

  #aliveSince = (): number => this.options.clock.now() - STALE_AFTER_MS
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)
