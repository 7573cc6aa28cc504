/**
 * The ledger: who has how much, what is set aside, and what was charged. Both adapters (sqlite/sqlite-ledger.ts,
 * postgres/postgres-ledger.ts) keep this contract and pass one suite.
 *
 * A promise resolves only after its change is durable (fsynced), except for chat holds of a process that alone writes to its
 * database, or that has leased a part of the account: those live in its memory until something was metered on them
 * (holds/memory-hold-verbs.ts, holds/lease-hold-verbs.ts). Every verb is safe to repeat with the same ids. When the database
 * connection breaks, work in flight is repeated on a new one, so the only visible trace is that a settlement which had in fact
 * been committed answers `duplicate` with the amount that was charged.
 *
 * Invariants: sum(entries of an account) = balance; every charge belongs to one hold or usage record, which costs what its
 * entries say, unless its record was forgotten on purpose (ledger-forget.ts); held = sum(amount - captured of open holds) +
 * sum(leases) in rows, and in what is answered the holds in memory in place of the leases; the same for budgets, without leases;
 * balance - held >= 0; captured <= amount; nothing stays open long after its expiry; repeating anything changes nothing.
 */
import type { Eventually } from '#platform/eventually.js'
import type { NanoUsd } from '#platform/money.js'
import type { AccountRow, BudgetRow, BudgetTerms, HoldPurpose, HoldRow, Usage } from './ledger-columns.js'

export type { Usage } from './ledger-columns.js'

/** The largest balance, hold or cap: 4 billion USD, so that no sum of two leaves int64. */
export const MAX_AMOUNT: NanoUsd = 4_000_000_000_000_000_000n
/** No account is called so: the other sides of the entries, revenue and funding, are not accounts that anybody holds. */
export const RESERVED_PREFIX = 'sluice:'

/** As of now: `spent` is what was charged in `period`, the present UTC month. */
export interface AccountSnapshot extends AccountRow {
  /** What a new hold may take: balance - held, or what the monthly cap leaves when that is less. */
  readonly available: NanoUsd
}

/** What may be spent of an account's credits in the present period of the budget, and was, as of now. */
export interface BudgetSnapshot extends BudgetRow {
  /** What it leaves for a new hold, when the account has it; null for one that refuses nothing. */
  readonly available: NanoUsd | null
}

export interface HoldSnapshot extends Omit<HoldRow, 'ownerId' | 'keyId' | 'modelId' | 'createdAt' | 'budgetIds'> {
  readonly budgetIds: readonly string[]
}

interface ReserveRequest {
  /** The idempotency key: a request id or session id. */
  readonly holdId: string
  readonly accountId: string
  readonly amount: NanoUsd
  readonly purpose: HoldPurpose
  /** Epoch milliseconds after which a sweep closes the hold at its metered cost. */
  readonly expiresAt: number
  /** Copied to the usage record when a sweep has to write it. */
  readonly keyId?: string
  readonly modelId?: string
  /** Comes out of these budgets too, now and whenever it is extended or charged. */
  readonly budgetIds?: readonly string[] | undefined
}

export type ReserveResult =
  | { readonly ok: true; readonly replayed: boolean; readonly account: AccountSnapshot }
  | {
      readonly ok: false
      readonly reason: 'balance' | 'monthly_cap' | 'budget' | 'closed'
      readonly account: AccountSnapshot
      /** Of those that the hold was to come out of, the one that leaves least. */
      readonly budget: BudgetSnapshot | null
    }

export interface BillResult {
  /** `duplicate`: nothing changed, the hold was closed before (or had captured this much already). */
  readonly outcome: 'settled' | 'duplicate' | 'unknown'
  /** What the hold has been charged in total. */
  readonly charged: NanoUsd
  /** True when more was asked for than the hold covers; the rest is not charged. */
  readonly clipped: boolean
  readonly account: AccountSnapshot | null
}

/** What one request was charged. */
export interface ChargeNotice {
  readonly accountId: string
  /** Which is also the id of its usage record, where there is one. */
  readonly holdId: string
  readonly charged: NanoUsd
  readonly usage: Usage | null
}

export interface SweepResult {
  readonly closed: readonly { readonly holdId: string; readonly accountId: string; readonly charged: NanoUsd }[]
}

export interface InvariantReport {
  readonly ok: boolean
  readonly accounts: number
  readonly entries: number
  readonly openHolds: number
  /** At most 20 of each kind. */
  readonly violations: readonly { readonly invariant: string; readonly subject: string; readonly detail: string }[]
}

/** Whether money can be written now; `reason` is a sentence for operators, without paths or addresses. */
export type LedgerHealth = { readonly ok: true } | { readonly ok: false; readonly reason: string }

export interface Ledger {
  /** The name under which this process owns holds. */
  readonly ownerId: string
  /** Creates the row; an existing account is left as it is. @throws AppError `invalid_request_error` for a reserved name */
  openAccount(accountId: string, options: { readonly monthlyCap: NanoUsd | null }): Promise<void>
  /** Holds above a lowered cap stay; new ones are refused until there is room. @throws AppError `not_found` */
  setMonthlyCap(accountId: string, monthlyCap: NanoUsd | null): Promise<void>
  /**
   * Creates the budget, or changes it: what is spent and held of it stays, and so does its period. A cap of null refuses nothing
   * and goes on counting. What is left out is that of a key's monthly cap.
   *
   * @throws AppError `not_found` for an unknown account, `idempotency_conflict` when the budget has another account or period.
   */
  setBudget(terms: Pick<BudgetTerms, 'budgetId' | 'accountId' | 'cap'> & Partial<BudgetTerms>): Promise<void>
  /** The budgets that exist, by id, as of now. */
  readBudgets(budgetIds: readonly string[]): Promise<ReadonlyMap<string, BudgetSnapshot>>
  /**
   * Answers at once where this process decides from memory. Never throws: what is wrong rejects the promise.
   *
   * @throws AppError `not_found` for an unknown account, `idempotency_conflict` when the id names a different hold.
   */
  reserve(request: ReserveRequest): Eventually<ReserveResult>
  /** Raises an open hold to `toAmount` in total (never lowers it) and its expiry to `expiresAt`; conditional like reserve. */
  extend(request: { readonly holdId: string; readonly toAmount: NanoUsd; readonly expiresAt: number }): Promise<ReserveResult>
  /** Notes the cost so far, clipped to the hold; the latest wins. False when the hold is no longer open. */
  meter(request: { readonly holdId: string; readonly amount: NanoUsd }): Promise<boolean>
  /** Charges the part of `total` that was not captured before; the hold stays open. */
  capture(request: { readonly holdId: string; readonly total: NanoUsd }): Promise<BillResult>
  /**
   * Charges up to `amount` in total, frees the rest, closes the hold and writes the usage record, in one transaction.
   *
   * When the database is in trouble the caller hears of it at once, and the settlement is repeated until it is durable; with
   * `isUndelivered`, for an answer that is withheld until it is charged, a release is repeated in its place.
   */
  settle(request: {
    readonly holdId: string
    readonly amount: NanoUsd
    readonly usage?: Usage
    readonly isUndelivered?: boolean
  }): Promise<BillResult>
  /**
   * Settles with nothing (more) to charge; harmless on an unknown hold. Repeated like a settlement. A caller waits for its own
   * `reserve` first: a release that overtakes it finds no hold, and the hold stays until it expires.
   */
  release(request: { readonly holdId: string; readonly usage?: Usage }): Promise<BillResult>
  /**
   * Adds credits once per account and key; `reference` names the entry.
   *
   * @throws AppError `not_found`, `idempotency_conflict` when the key was used for another amount or kind, `invalid_request_error`
   * for an amount of zero or a balance above MAX_AMOUNT.
   */
  topUp(request: {
    readonly accountId: string
    readonly amount: NanoUsd
    readonly idempotencyKey: string
    /** Of the entry that is written; the program tops up with `top_up` only. */
    readonly kind: string
  }): Promise<{ readonly applied: boolean; readonly reference: string; readonly account: AccountSnapshot }>
  /** @throws AppError `not_found` */
  read(accountId: string): Promise<AccountSnapshot>
  /** What an operation of this process saw at most two seconds ago, without waiting; null when there is nothing that fresh. */
  lastKnown(accountId: string): AccountSnapshot | null
  /** The account's open holds that live in the memory of this process, and of which the database may know nothing. */
  holdsInMemory(accountId: string): readonly HoldSnapshot[]
  /** The holds that exist, by id. */
  readHolds(holdIds: readonly string[]): Promise<ReadonlyMap<string, HoldSnapshot>>
  /**
   * Closes what nobody will close: chat holds of dead processes and every hold past its expiry, at their metered cost.
   * A process is dead without a heartbeat for `staleAfterMs` (20 seconds when left out), or when named in `deadOwners`.
   */
  sweep(request?: { readonly staleAfterMs?: number; readonly deadOwners?: readonly string[] }): Promise<SweepResult>
  /**
   * Makes daily sums of what finished more than `keepDays` whole UTC days ago; its usage records go with it. In small steps,
   * beside the running work, until nothing is left or the signal aborts. `folded` counts requests and top-ups.
   *
   * An idempotency key or request id whose movement was folded is forgotten: used again, it is a new one.
   */
  fold(request: { readonly keepDays: number; readonly signal?: AbortSignal }): Promise<{ readonly folded: number }>
  /**
   * Forgets usage records of requests that finished more than `keepDays` whole UTC days ago, and keeps what they were charged. In
   * small steps, beside the running work, until nothing is left or the signal aborts.
   */
  forgetUsage(request: { readonly keepDays: number; readonly signal?: AbortSignal }): Promise<{ readonly forgotten: number }>
  /** Reads everything in one snapshot, beside the running work. */
  checkInvariants(): Promise<InvariantReport>
  /** How many settlements and releases wait to be repeated. */
  unsettledOutcomes(): number
  /** How many operations of this process wait for the next batch. */
  waitingOperations(): number
  /** Open holds of all processes, and of this one's memory. */
  openHolds(): Promise<number>
  /** From the last batch when that is recent, else by a durable write that changes nothing. Answers within a second. */
  health(): Promise<LedgerHealth>
  /** Repeats what is unsettled, finishes what is queued, says goodbye (its holds are ownerless from then on) and disconnects. */
  close(): Promise<void>
}
