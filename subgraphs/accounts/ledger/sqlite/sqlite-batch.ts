/**
 * Applies one batch of operations to a SQLite connection in one transaction.
 *
 * `begin immediate` takes the write lock first, so what is read stays true until the commit. Each account is written once per
 * batch however many operations touch it: that is most of the speed of group commit. Accounts and open holds are remembered
 * from batch to batch for as long as nobody else writes to the file, which SQLite tells by its data version.
 */
import type { DatabaseSync } from 'node:sqlite'
import { MAX_AMOUNT, SWEPT } from '../ledger.js'
import { ACCOUNT, BUDGET, ENTRY, HOLD, NO_USAGE, USAGE, type Usage } from '../ledger-columns.js'
import { bill, billBudget, chargeKind, isTold, refusal, rollPeriod, setAside } from '../ledger-rules.js'
import {
  type AccountRow,
  type BatchTime,
  type BillOperation,
  type BudgetRow,
  type ExtendOperation,
  type HoldOperation,
  type HoldRow,
  type MeterOperation,
  type Operation,
  type Outcome,
  type ReserveOperation,
  type SweepOperation,
  closedHold,
} from '../operation.js'
import { prepareStatements, type Statements } from './sqlite-statements.js'

export type SqliteBatch = (operations: readonly Operation[], time: BatchTime) => Outcome[]

/** Prepares the statements once; the returned function runs a batch and returns after the commit is on disk. */
export function createSqliteBatch(db: DatabaseSync): SqliteBatch {
  const statements = prepareStatements(db)
  const known: Known = { accounts: new Map(), budgets: new Map(), openHolds: new Map(), version: undefined }
  return (operations, time) => {
    statements.begin.run()
    try {
      keepIfUnchanged(known, statements.dataVersion.get()?.data_version)
      const batch = new Batch(statements, time, known)
      const outcomes = operations.map((operation) => batch.apply(operation))
      batch.writeChanged()
      statements.commit.run()
      return outcomes
    } catch (error) {
      forget(known)
      if (db.isTransaction) db.exec('rollback')
      throw error
    }
  }
}

/** Rows as they stand in the file. */
interface Known {
  readonly accounts: Map<string, AccountRow>
  readonly budgets: Map<string, BudgetRow>
  readonly openHolds: Map<string, HoldRow>
  /** What SQLite said when they were read; another connection's commit changes it, our own do not. */
  version: unknown
}

/** Some pages, more than the free space of those that are in use. */
const PROBE_BYTES = 32_768

/** More rows than this are read again instead of remembered. */
const MAX_KNOWN = 20_000

function keepIfUnchanged(known: Known, version: unknown): void {
  if (known.version !== version || known.accounts.size + known.budgets.size + known.openHolds.size > MAX_KNOWN) forget(known)
  known.version = version
}

function forget({ accounts, budgets, openHolds }: Known): void {
  accounts.clear()
  budgets.clear()
  openHolds.clear()
}

/** One transaction: accounts and budgets change in `known` and are written at its end, holds at once. */
class Batch {
  readonly #changed = new Set<string>()
  readonly #changedBudgets = new Set<string>()

  constructor(
    readonly statements: Statements,
    readonly time: BatchTime,
    readonly known: Known,
  ) {}

  apply(operation: Operation): Outcome {
    const { statements, time } = this
    switch (operation.kind) {
      case 'open_account':
        statements.insertAccount.run(...ACCOUNT.values(newAccount(operation, time)))
        return { code: 'done' }
      case 'set_cap': {
        const account = this.#account(operation.accountId)
        return account ? this.#done(this.#put({ ...account, monthlyCap: operation.monthlyCap })) : { code: 'unknown_account' }
      }
      case 'top_up':
        return this.#topUp(operation)
      case 'read_account': {
        const account = this.#account(operation.accountId)
        return account ? this.#done(account) : { code: 'unknown_account' }
      }
      case 'set_budget':
        return this.#setBudget(operation)
      case 'read_budgets':
        return { code: 'done', budgets: operation.budgetIds.map((id) => this.#budget(id)).filter((budget) => budget !== null) }
      case 'read_holds':
        return { code: 'done', holds: operation.holdIds.map((id) => this.#hold(id)).filter((hold) => hold !== null) }
      case 'find_sweepable': {
        const holds = statements.selectOpenHolds.all().map(HOLD.read)
        return { code: 'done', holds: holds.filter((hold) => this.#isSweepable(hold, operation)).slice(0, operation.limit) }
      }
      case 'fold':
        return this.#fold(operation)
      case 'heartbeat':
        statements.heartbeat.run(operation.ownerId, time.now)
        return { code: 'done' }
      case 'probe':
        // Takes pages as charges do: a heartbeat alone fits into a full file.
        statements.heartbeat.run('#'.repeat(PROBE_BYTES), time.now)
        statements.leave.run('#'.repeat(PROBE_BYTES))
        statements.heartbeat.run(operation.ownerId, time.now)
        return { code: 'done' }
      case 'leave':
        statements.leave.run(operation.ownerId)
        return { code: 'done' }
      default:
        return this.#applyToHold(operation)
    }
  }

  writeChanged(): void {
    for (const id of this.#changed) {
      const account = this.known.accounts.get(id)
      if (account) this.statements.updateAccount.run(...ACCOUNT.values(account))
    }
    for (const id of this.#changedBudgets) {
      this.statements.updateBudget.run(...BUDGET.values(this.known.budgets.get(id)!))
    }
  }

  #applyToHold(operation: HoldOperation): Outcome {
    if (operation.kind === 'reserve') return this.#reserve(operation)
    const hold = this.#hold(operation.holdId)
    if (!hold) return { code: 'unknown_hold' }
    const account = this.#account(hold.accountId)
    if (!account) throw new Error(`The account of hold ${hold.holdId} does not exist.`)
    if (hold.state !== 'open') return { code: 'closed', captured: hold.captured, account }
    switch (operation.kind) {
      case 'extend':
        return this.#extend(account, hold, operation)
      case 'meter':
        return this.#meter(account, hold, operation)
      case 'bill':
        return this.#bill(account, hold, operation)
      case 'sweep':
        return this.#sweep(account, hold, operation)
    }
  }

  #reserve(operation: ReserveOperation): Outcome {
    const account = this.#account(operation.accountId)
    const budget = this.#budget(operation.budgetId)
    if (operation.budgetId !== null && budget?.accountId !== operation.accountId) {
      return this.#replayReserve(operation) ?? { code: account ? 'unknown_budget' : 'unknown_account', account }
    }
    const refused = account && refusal(account, budget, operation.amount)
    if (!account || refused) {
      const outcome = { code: refused ?? 'unknown_account', account } as const
      return this.#replayReserve(operation) ?? (budget ? { ...outcome, budget } : outcome)
    }
    if (!this.#insertHold(operation)) return this.#replayReserve(operation)!
    if (budget) this.#putBudget(setAside(budget, operation.amount))
    return this.#done(this.#put(setAside(account, operation.amount)))
  }

  /** False when there is a hold with this id. */
  #insertHold(operation: ReserveOperation): boolean {
    const { kind: _kind, ...facts } = operation
    const hold: HoldRow = { ...facts, captured: 0n, metered: 0n, state: 'open', createdAt: this.time.now }
    if (Number(this.statements.insertHold.run(...HOLD.values(hold)).changes) === 0) return false
    this.known.openHolds.set(hold.holdId, hold)
    return true
  }

  /** The answer for a hold that was placed before; null when there is none. */
  #replayReserve(operation: ReserveOperation): Outcome | null {
    const hold = this.#hold(operation.holdId)
    if (!hold) return null
    const account = this.#account(hold.accountId)
    if (hold.accountId !== operation.accountId || hold.purpose !== operation.purpose) return { code: 'conflict' }
    if (hold.state !== 'open') return { code: 'closed', account }
    // A session's hold may have been extended since.
    return hold.amount < operation.amount ? { code: 'conflict' } : { code: 'replayed', account }
  }

  #extend(account: AccountRow, hold: HoldRow, { toAmount, expiresAt }: ExtendOperation): Outcome {
    const more = toAmount > hold.amount ? toAmount - hold.amount : 0n
    if (more === 0n && expiresAt <= hold.expiresAt) return { code: 'replayed', account }
    const budget = this.#budget(hold.budgetId)
    const refused = more === 0n ? null : refusal(account, budget, more)
    if (refused) return budget ? { code: refused, account, budget } : { code: refused, account }
    if (budget) this.#putBudget(setAside(budget, more))
    this.#writeHold({ ...hold, amount: hold.amount + more, expiresAt: Math.max(hold.expiresAt, expiresAt) })
    return this.#done(this.#put(setAside(account, more)))
  }

  #meter(account: AccountRow, hold: HoldRow, { amount }: MeterOperation): Outcome {
    this.#writeHold({ ...hold, metered: amount < hold.amount ? amount : hold.amount })
    return this.#done(account)
  }

  #bill(account: AccountRow, hold: HoldRow, { total, close, usage }: BillOperation): Outcome {
    const billed = bill(account, hold, total, close ? 'settled' : null)
    if (!close && billed.charge === 0n) return { code: 'replayed', captured: hold.captured, account }
    return this.#writeBill(billed, close, usage)
  }

  #sweep(account: AccountRow, hold: HoldRow, operation: SweepOperation): Outcome {
    if (!this.#isSweepable(hold, operation)) return { code: 'replayed', captured: hold.captured, account }
    const expired = hold.expiresAt < this.time.now
    const billed = bill(account, hold, hold.metered, expired ? 'expired' : 'settled')
    return this.#writeBill(billed, true, hold.purpose === 'chat' ? sweptUsage(hold, this.time.now) : null)
  }

  #writeBill(billed: ReturnType<typeof bill>, close: boolean, usage: Usage | null): Outcome {
    const { statements } = this
    const { account, hold, charge } = billed
    const budget = this.#budget(hold.budgetId)
    if (budget) this.#putBudget(billBudget(budget, billed))
    if (close && isTold(hold, usage)) this.#removeHold(hold)
    else this.#writeHold(hold)
    if (charge > 0n) {
      this.#enter(hold.accountId, hold.holdId, chargeKind(close, hold.captured), -charge, hold.budgetId)
    }
    if (usage) {
      const { holdId: requestId, accountId, captured: cost } = hold
      statements.insertUsage.run(...USAGE.values({ ...usage, requestId, accountId, cost }))
    }
    return { code: 'done', captured: hold.captured, account: this.#put(account) }
  }

  #topUp(operation: Operation & { kind: 'top_up' }): Outcome {
    const account = this.#account(operation.accountId)
    if (!account) return { code: 'unknown_account' }
    const { reference, entryKind, amount, accountId } = operation
    const before = this.statements.selectEntry.get(accountId, reference)
    if (before) return { code: before.amount === amount && before.kind === entryKind ? 'replayed' : 'conflict', account }
    if (account.balance + amount > MAX_AMOUNT) return { code: 'too_large' }
    this.#enter(accountId, reference, entryKind, amount, null)
    return this.#done(this.#put({ ...account, balance: account.balance + amount }))
  }

  #enter(accountId: string, reference: string, kind: string, amount: bigint, budgetId: string | null): void {
    const entry = { reference, kind, accountId, amount, createdAt: this.time.now, budgetId }
    this.statements.insertEntry.run(...ENTRY.values(entry))
  }

  #setBudget({ budgetId, accountId, monthlyCap }: Operation & { kind: 'set_budget' }): Outcome {
    const account = this.#account(accountId)
    if (!account) return { code: 'unknown_account' }
    const { period } = this.time
    this.statements.insertBudget.run(...BUDGET.values({ budgetId, accountId, monthlyCap, held: 0n, spent: 0n, period }))
    const budget = this.#budget(budgetId)
    if (budget?.accountId !== accountId) return { code: 'conflict' }
    this.#putBudget({ ...budget, monthlyCap })
    return this.#done(account)
  }

  #fold({ accountId, before, limit }: Operation & { kind: 'fold' }): Outcome {
    const { statements } = this
    const found = statements.foldable.get(accountId, before, limit)
    const list = String(found?.list)
    statements.sumEntries.run(accountId, list)
    statements.dropEntries.run(accountId, list)
    statements.dropHolds.run(list)
    statements.dropUsage.run(list)
    statements.dropFreeHolds.run(accountId, before)
    statements.dropFreeUsage.run(accountId, before)
    return { code: 'done', count: Number(found?.count) }
  }

  #isSweepable(hold: HoldRow, { aliveSince, deadOwners }: { aliveSince: number; deadOwners: readonly string[] }): boolean {
    if (hold.expiresAt < this.time.now) return true
    if (hold.purpose !== 'chat') return false
    if (deadOwners.includes(hold.ownerId)) return true
    const owner = this.statements.selectProcess.get(hold.ownerId)
    return owner === undefined || Number(owner.heartbeat_at) < aliveSince
  }

  #account(id: string): AccountRow | null {
    const known = this.known.accounts.get(id)
    if (known) return rollPeriod(known, this.time.period)
    const row = this.statements.selectAccount.get(id)
    if (!row) return null
    const account = ACCOUNT.read(row)
    this.known.accounts.set(id, account)
    return rollPeriod(account, this.time.period)
  }

  #put(account: AccountRow): AccountRow {
    this.known.accounts.set(account.accountId, account)
    this.#changed.add(account.accountId)
    return account
  }

  #budget(id: string | null): BudgetRow | null {
    if (id === null) return null
    const known = this.known.budgets.get(id)
    if (known) return rollPeriod(known, this.time.period)
    const row = this.statements.selectBudget.get(id)
    if (!row) return null
    const budget = BUDGET.read(row)
    this.known.budgets.set(id, budget)
    return rollPeriod(budget, this.time.period)
  }

  #putBudget(budget: BudgetRow): void {
    this.known.budgets.set(budget.budgetId, budget)
    this.#changedBudgets.add(budget.budgetId)
  }

  #hold(id: string): HoldRow | null {
    const known = this.known.openHolds.get(id)
    if (known) return known
    const row = this.statements.selectHold.get(id)
    if (row) return HOLD.read(row)
    const usage = this.statements.selectUsage.get(id)
    return usage ? closedHold(USAGE.read(usage)) : null
  }

  #writeHold(hold: HoldRow): void {
    const { amount, captured, metered, state, expiresAt, holdId } = hold
    const { changes } = this.statements.updateHold.run(amount, captured, metered, state, expiresAt, holdId)
    if (Number(changes) !== 1) throw new Error(`Hold ${holdId} is not open.`)
    if (state === 'open') this.known.openHolds.set(holdId, hold)
    else this.known.openHolds.delete(holdId)
  }

  #removeHold({ holdId }: HoldRow): void {
    if (Number(this.statements.deleteHold.run(holdId).changes) !== 1) throw new Error(`Hold ${holdId} is not open.`)
    this.known.openHolds.delete(holdId)
  }

  #done(account: AccountRow): Outcome {
    return { code: 'done', account }
  }
}

const newAccount = (
  { accountId, monthlyCap }: Pick<AccountRow, 'accountId' | 'monthlyCap'>,
  { period }: BatchTime,
): AccountRow => ({
  accountId,
  balance: 0n,
  held: 0n,
  monthlyCap,
  spent: 0n,
  period,
})

/** What is known about a request whose process died: which model and key, and what it had metered. */
const sweptUsage = ({ keyId, modelId, createdAt }: HoldRow, now: number): Usage => ({
  ...NO_USAGE,
  keyId: keyId ?? '',
  modelId: modelId ?? '',
  usageSource: 'counted',
  endedAs: SWEPT,
  createdAt,
  durationMs: Math.max(0, now - createdAt),
})
