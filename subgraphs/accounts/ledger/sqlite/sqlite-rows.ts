/**
 * The rows that a batch reads and writes. Accounts, budgets and open holds are remembered from batch to batch for as long as
 * nobody else writes to the file. Accounts and budgets are written once, at the end of the batch, holds at once.
 */
import {
  ACCOUNT,
  type AccountRow,
  BUDGET,
  type BudgetRow,
  HOLD,
  type HoldRow,
  listedBudgets,
  USAGE,
  type UsageRow,
} from '../ledger-columns.js'
import { rollBudget, rollPeriod } from '../ledger-rules.js'
import { type BatchTime, closedHold } from '../operations/operation.js'
import type { Statements } from './sqlite-statements.js'

/** Rows as they stand in the file. */
export interface Known {
  readonly accounts: Map<string, AccountRow>
  readonly budgets: Map<string, BudgetRow>
  readonly openHolds: Map<string, HoldRow>
  /** What SQLite said when they were read; another connection's commit changes it, our own do not. */
  version: unknown
}

/** More rows than this are read again instead of remembered. */
const MAX_KNOWN = 20_000

const NO_BUDGETS: readonly BudgetRow[] = []

export const nothingKnown = (): Known => ({ accounts: new Map(), budgets: new Map(), openHolds: new Map(), version: undefined })

/** Takes SQLite's data version; true when another connection has committed since the last one. */
export function forgetIfOthersWrote(known: Known, version: unknown): boolean {
  const othersWrote = known.version !== version
  if (othersWrote || known.accounts.size + known.budgets.size + known.openHolds.size > MAX_KNOWN) forget(known)
  known.version = version
  return othersWrote
}

export function forget({ accounts, budgets, openHolds }: Known): void {
  accounts.clear()
  budgets.clear()
  openHolds.clear()
}

export class Rows {
  readonly #changed = new Set<string>()
  readonly #changedBudgets = new Set<string>()

  constructor(
    private readonly statements: Statements,
    private readonly time: BatchTime,
    private readonly known: Known,
  ) {}

  writeChanged(): void {
    for (const id of this.#changed) {
      const account = this.known.accounts.get(id)
      if (account) this.statements.updateAccount.run(...ACCOUNT.values(account))
    }
    for (const id of this.#changedBudgets) {
      this.statements.updateBudget.run(...BUDGET.values(this.known.budgets.get(id)!))
    }
  }

  /** False when there is a hold with this id. */
  insertHold(hold: HoldRow): boolean {
    if (Number(this.statements.insertHold.run(...HOLD.values(hold)).changes) === 0) return false
    if (hold.state === 'open') this.known.openHolds.set(hold.holdId, hold)
    return true
  }

  account(id: string): AccountRow | null {
    const known = this.known.accounts.get(id)
    if (known) return rollPeriod(known, this.time.period)
    const row = this.statements.selectAccount.get(id)
    if (!row) return null
    const account = ACCOUNT.read(row)
    this.known.accounts.set(id, account)
    return rollPeriod(account, this.time.period)
  }

  put(account: AccountRow): AccountRow {
    this.known.accounts.set(account.accountId, account)
    this.#changed.add(account.accountId)
    return account
  }

  budget(id: string): BudgetRow | null {
    const known = this.known.budgets.get(id)
    if (known) return rollBudget(known, this.time.now)
    const row = this.statements.selectBudget.get(id)
    if (!row) return null
    const budget = BUDGET.read(row)
    this.known.budgets.set(id, budget)
    return rollBudget(budget, this.time.now)
  }

  /** Those that exist of the ones that a hold names. */
  budgets(budgetIds: string | null): readonly BudgetRow[] {
    return budgetIds === null ? NO_BUDGETS : listedBudgets(budgetIds).flatMap((id) => this.budget(id) ?? [])
  }

  putBudget(budget: BudgetRow): BudgetRow {
    this.known.budgets.set(budget.budgetId, budget)
    this.#changedBudgets.add(budget.budgetId)
    return budget
  }

  /** Whether it is known to be open: what is not known may still be in the file. */
  isOpen(holdId: string): boolean {
    return this.known.openHolds.has(holdId)
  }

  /** False when there is a usage record or a hold with this id. */
  addFirstUsage(usage: UsageRow): boolean {
    return Number(this.statements.insertFirstUsage.run(...USAGE.values(usage)).changes) === 1
  }

  hold(id: string): HoldRow | null {
    const known = this.known.openHolds.get(id)
    if (known) return known
    const row = this.statements.selectHold.get(id)
    if (row) return HOLD.read(row)
    const usage = this.statements.selectUsage.get(id)
    return usage ? closedHold(USAGE.read(usage)) : null
  }

  writeHold(hold: HoldRow): void {
    const { amount, captured, metered, state, expiresAt, holdId } = hold
    const { changes } = this.statements.updateHold.run(amount, captured, metered, state, expiresAt, holdId)
    if (Number(changes) !== 1) throw new Error(`Hold ${holdId} is not open.`)
    if (state === 'open') this.known.openHolds.set(holdId, hold)
    else this.known.openHolds.delete(holdId)
  }

  removeHold({ holdId }: HoldRow): void {
    if (Number(this.statements.deleteHold.run(holdId).changes) !== 1) throw new Error(`Hold ${holdId} is not open.`)
    this.known.openHolds.delete(holdId)
  }
}
