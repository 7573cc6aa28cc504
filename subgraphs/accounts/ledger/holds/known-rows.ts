/**
 * The accounts and budgets as the last outcomes showed them, with what the holds in memory set aside of them. What is asked of
 * an account, whether to decide or to show, comes through here.
 */
import type { Clock } from '#platform/clock.js'
import { AppError } from '#platform/errors.js'
import type { HoldBook } from './hold-book.js'
import type { AccountSnapshot, BudgetSnapshot } from '../ledger.js'
import { available, availableOfBudget, rollBudget, rollPeriod, setAside, tightest } from '../ledger-rules.js'
import type { AccountRow, BudgetRow, Outcome } from '../operations/operation.js'
import { batchTime } from '../operations/operation-queue.js'

/** Where several processes write, what was seen longer ago is no reason to refuse anybody. */
const FRESH_FOR_MS = 2_000
/** The most rows that are remembered of either kind: above it all are forgotten. */
const MAX_REMEMBERED = 10_000

export class KnownRows {
  readonly #accounts = new Map<string, { readonly row: AccountRow; readonly at: number }>()
  readonly #budgets = new Map<string, BudgetRow>()

  constructor(
    private readonly clock: Clock,
    private readonly book: HoldBook,
  ) {}

  /** An outcome shows the rows as its operation left them, and outcomes come in the order of the commits. */
  absorb({ account, budgets }: Outcome): void {
    if (account) this.#remember(this.#accounts, account.accountId, { row: account, at: this.clock.monotonic() })
    for (const one of budgets ?? []) this.#remember(this.#budgets, one.budgetId, one)
  }

  /** The rows may have changed, or it is not known whether what was sent was done. */
  forget(): void {
    this.#accounts.clear()
    this.#budgets.clear()
  }

  account(accountId: string): AccountRow | null {
    const known = this.#accounts.get(accountId)
    return known ? this.withHolds(known.row) : null
  }

  /** With everything that is leased as held: what is certainly left. */
  strict(accountId: string): AccountRow | null {
    const known = this.#accounts.get(accountId)
    return known ? this.#withLeases(known.row) : null
  }

  /** Null when one of them is not known. */
  budgets(budgetIds: readonly string[]): BudgetRow[] | null {
    const known = budgetIds.flatMap((budgetId) => this.#budgets.get(budgetId) ?? [])
    return known.length === budgetIds.length ? known.map((row) => this.#budgetWithHolds(row)) : null
  }

  /** Of all accounts that are known. */
  accounts(): AccountRow[] {
    return [...this.#accounts.values()].map(({ row }) => this.withHolds(row))
  }

  /**
   * A row of the database as of now, with what is held: in rows and in this process's memory. What is leased and not held is free,
   * wherever it is; what other processes hold in their leases nobody else knows.
   */
  withHolds(row: AccountRow): AccountRow {
    const { leased } = row
    return setAside(rollPeriod(row, this.#period()), this.book.heldOf(row.accountId) - leased)
  }

  /** What memory holds is within what is leased, where anything is. */
  #withLeases(row: AccountRow): AccountRow {
    return setAside(rollPeriod(row, this.#period()), row.leased > 0n ? 0n : this.book.heldOf(row.accountId))
  }

  /** The account as it was seen lately; null when that is too long ago. */
  recall(accountId: string): AccountSnapshot | null {
    const known = this.#accounts.get(accountId)
    return known && this.clock.monotonic() - known.at <= FRESH_FOR_MS ? toSnapshot(this.withHolds(known.row)) : null
  }

  /**
   * The outcome's account, as of now: holds that were granted since are covered by what later outcomes showed, not by the row that
   * this one left. @throws AppError `not_found`, `idempotency_conflict`
   */
  accountOf({ code, account }: Outcome): AccountSnapshot {
    if (code === 'conflict') throw idempotencyConflict()
    if (!account) throw new AppError('not_found', 'There is no such account.')
    return toSnapshot(this.withHolds(this.#accounts.get(account.accountId)?.row ?? account))
  }

  /** Of a refusal: what there was not enough of. @throws AppError `not_found`, `idempotency_conflict` */
  refusedAccountOf(outcome: Outcome): AccountSnapshot {
    const { account } = outcome
    return account && outcome.code !== 'conflict' ? toSnapshot(this.#withLeases(account)) : this.accountOf(outcome)
  }

  /** A row of the database as of now. */
  budgetOf(row: BudgetRow): BudgetSnapshot {
    return toBudgetSnapshot(this.#budgetWithHolds(row))
  }

  /** Of rows of the database, the one that leaves least now; null when none refuses anything. */
  tightestOf(rows: readonly BudgetRow[]): BudgetSnapshot | null {
    const found = tightest(rows.map((row) => this.#budgetWithHolds(row)))
    return found && toBudgetSnapshot(found)
  }

  #budgetWithHolds(row: BudgetRow): BudgetRow {
    const latest = this.#budgets.get(row.budgetId) ?? row
    return setAside(rollBudget(latest, this.clock.now()), this.book.heldOfBudget(row.budgetId))
  }

  #period(): string {
    return batchTime(this.clock.now()).period
  }

  #remember<Row>(rows: Map<string, Row>, id: string, row: Row): void {
    if (rows.size >= MAX_REMEMBERED && !rows.has(id)) rows.clear()
    rows.set(id, row)
  }
}

export const toSnapshot = (account: AccountRow): AccountSnapshot => ({ ...account, available: available(account) })

export const toBudgetSnapshot = (budget: BudgetRow): BudgetSnapshot => ({ ...budget, available: availableOfBudget(budget) })

export const idempotencyConflict = (): AppError =>
  new AppError('idempotency_conflict', 'This id was used before with different values.')
