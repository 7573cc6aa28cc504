/**
 * Applies one batch of operations to a SQLite connection in one transaction.
 *
 * `begin immediate` takes the write lock first, so what is read stays true until the commit. Each account is written once per
 * batch however many operations touch it: that is most of the speed of group commit.
 */
import type { DatabaseSync } from 'node:sqlite'
import { MAX_AMOUNT } from '../ledger.js'
import { periodAt } from '../budget-period.js'
import {
  ACCOUNT,
  BUDGET,
  ENTRY,
  HOLD,
  type HoldFacts,
  LEASE,
  listedBudgets,
  USAGE,
  type Usage,
  type UsageRow,
} from '../ledger-columns.js'
import {
  type Bill,
  bill,
  billBudget,
  chargeKind,
  chargeUnwritten,
  isTold,
  refusal,
  replayed,
  setAside,
  sweptUsage,
} from '../ledger-rules.js'
import {
  type AccountRow,
  type BatchResult,
  type BatchTime,
  type BillOperation,
  type BudgetRow,
  type ChargeOperation,
  type ExtendOperation,
  type HoldOperation,
  type HoldRow,
  type MeterOperation,
  type Operation,
  type Outcome,
  type ReserveOperation,
  type SweepOperation,
  type WriteHoldOperation,
} from '../operations/operation.js'
import { forget, forgetIfOthersWrote, nothingKnown, Rows } from './sqlite-rows.js'
import { prepareStatements, type Statements } from './sqlite-statements.js'

export type SqliteBatch = (operations: readonly Operation[], time: BatchTime) => BatchResult

/** Prepares the statements once; the returned function runs a batch and returns after the commit is on disk. */
export function createSqliteBatch(db: DatabaseSync): SqliteBatch {
  const statements = prepareStatements(db)
  const known = nothingKnown()
  return (operations, time) => {
    statements.begin.run()
    try {
      const othersWrote = forgetIfOthersWrote(known, statements.dataVersion.get()?.data_version)
      const rows = new Rows(statements, time, known)
      const batch = new Batch(statements, time, rows)
      const outcomes = operations.map((operation) => batch.apply(operation))
      rows.writeChanged()
      statements.commit.run()
      return { outcomes, othersWrote }
    } catch (error) {
      forget(known)
      if (db.isTransaction) db.exec('rollback')
      throw error
    }
  }
}

/** Some pages, more than the free space of those that are in use. */
const PROBE_BYTES = 32_768

class Batch {
  constructor(
    readonly statements: Statements,
    readonly time: BatchTime,
    readonly rows: Rows,
  ) {}

  apply(operation: Operation): Outcome {
    const { statements, time } = this
    switch (operation.kind) {
      case 'open_account':
        statements.insertAccount.run(...ACCOUNT.values(newAccount(operation, time)))
        return { code: 'done' }
      case 'set_cap': {
        const account = this.rows.account(operation.accountId)
        return account ? this.#done(this.rows.put({ ...account, monthlyCap: operation.monthlyCap })) : { code: 'unknown_account' }
      }
      case 'top_up':
        return this.#topUp(operation)
      case 'read_account': {
        const account = this.rows.account(operation.accountId)
        return account ? this.#done(account) : { code: 'unknown_account' }
      }
      case 'set_budget':
        return this.#setBudget(operation)
      case 'read_budgets':
        return {
          code: 'done',
          budgets: operation.budgetIds.map((id) => this.rows.budget(id)).filter((budget) => budget !== null),
        }
      case 'read_holds':
        return { code: 'done', holds: operation.holdIds.map((id) => this.rows.hold(id)).filter((hold) => hold !== null) }
      case 'find_sweepable': {
        const holds = statements.selectOpenHolds.all().map(HOLD.read)
        return { code: 'done', holds: holds.filter((hold) => this.#isSweepable(hold, operation)).slice(0, operation.limit) }
      }
      case 'fold':
        return this.#fold(operation)
      case 'forget':
        return this.#forget(operation)
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
      case 'sweep_leases':
        return this.#sweepLeases()
      case 'lease':
      case 'return_lease':
      case 'renew_leases':
      case 'want_leases':
        throw new Error('The one process that writes to a file leases nothing.')
      case 'write_hold':
        return this.#writeUnwritten(operation)
      case 'charge':
        return this.#charge(operation)
      default:
        return this.#applyToHold(operation)
    }
  }

  #applyToHold(operation: HoldOperation): Outcome {
    if (operation.kind === 'reserve') return this.#reserve(operation)
    const hold = this.rows.hold(operation.holdId)
    if (!hold) return { code: 'unknown_hold' }
    const account = this.rows.account(hold.accountId)
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
    const account = this.rows.account(operation.accountId)
    const budgets = this.rows.budgets(operation.budgetIds)
    if (!areAllOf(operation, budgets)) {
      return this.#replayReserve(operation) ?? { code: account ? 'unknown_budget' : 'unknown_account', account }
    }
    const refused = account && refusal(account, budgets, operation.amount)
    if (!account || refused) {
      return this.#replayReserve(operation) ?? withBudgets({ code: refused ?? 'unknown_account', account }, budgets)
    }
    if (!this.rows.insertHold(this.#openHold(operation))) return this.#replayReserve(operation)!
    return this.#setAside(account, budgets, operation.amount)
  }

  #openHold(facts: HoldFacts, metered = 0n): HoldRow {
    const { holdId, accountId, amount, purpose, ownerId, keyId, modelId, budgetIds, expiresAt } = facts
    const named = { holdId, accountId, amount, purpose, ownerId, keyId, modelId, budgetIds, expiresAt }
    return { ...named, captured: 0n, metered, state: 'open', createdAt: this.time.now }
  }

  #setAside(account: AccountRow, budgets: readonly BudgetRow[], amount: bigint): Outcome {
    const left = budgets.map((budget) => this.rows.putBudget(setAside(budget, amount)))
    return this.#done(this.rows.put(setAside(account, amount)), left)
  }

  /** The answer for a hold that was placed before; null when there is none. */
  #replayReserve(operation: ReserveOperation): Outcome | null {
    const hold = this.rows.hold(operation.holdId)
    if (!hold) return null
    const code = replayed(hold, operation)
    return code === 'conflict' ? { code } : { code, account: this.rows.account(hold.accountId) }
  }

  /** The amount is held in memory already, so no cap that was lowered since can refuse it. */
  #writeUnwritten(operation: WriteHoldOperation): Outcome {
    const { holdId, metered } = operation
    const written = this.rows.hold(holdId)
    const account = this.rows.account(operation.accountId)
    if (!account || (written && !isSame(written, operation))) return { code: 'conflict' }
    if (written && written.state !== 'open') return { code: 'closed', captured: written.captured, account }
    if (written) return { ...this.#meter(account, written, { kind: 'meter', holdId, amount: metered }), code: 'replayed' }
    const { amount } = operation
    if (account.balance - account.held < amount) return { code: 'balance', account }
    this.rows.insertHold(this.#openHold(operation, metered < amount ? metered : amount))
    return this.#setAside(account, this.rows.budgets(operation.budgetIds), amount)
  }

  #charge(operation: ChargeOperation): Outcome {
    return this.#chargeFirst(operation) ?? this.#chargeAfterAll(operation)
  }

  /** Nearly every charge is of a hold that was never written, and its usage record proves that: it is looked for by adding it. */
  #chargeFirst(operation: ChargeOperation): Outcome | null {
    const { holdId, total, usage } = operation
    const account = this.rows.account(operation.accountId)
    if (!account || !usage || this.rows.isOpen(holdId)) return null
    const billed = chargeUnwritten(account, this.#openHold(operation), total)
    if (!isTold(billed.hold, usage) || !this.rows.addFirstUsage(usageOf(billed.hold, usage))) return null
    return this.#enterBill(billed, true, null)
  }

  #chargeAfterAll(operation: ChargeOperation): Outcome {
    const { holdId, total, usage } = operation
    const written = this.rows.hold(holdId)
    const account = this.rows.account(operation.accountId)
    if (!account || (written && !isSame(written, operation))) return { code: 'conflict' }
    if (written && written.state !== 'open') return { code: 'closed', captured: written.captured, account }
    if (written) return this.#bill(account, written, { kind: 'bill', holdId, total, close: true, usage })
    const billed = chargeUnwritten(account, this.#openHold(operation), total)
    if (!isTold(billed.hold, usage)) this.rows.insertHold(billed.hold)
    return this.#enterBill(billed, true, usage)
  }

  #extend(account: AccountRow, hold: HoldRow, { toAmount, expiresAt }: ExtendOperation): Outcome {
    const more = toAmount > hold.amount ? toAmount - hold.amount : 0n
    if (more === 0n && expiresAt <= hold.expiresAt) return { code: 'replayed', account }
    const budgets = this.rows.budgets(hold.budgetIds)
    const refused = more === 0n ? null : refusal(account, budgets, more)
    if (refused) return withBudgets({ code: refused, account }, budgets)
    this.rows.writeHold({ ...hold, amount: hold.amount + more, expiresAt: Math.max(hold.expiresAt, expiresAt) })
    return this.#setAside(account, budgets, more)
  }

  #meter(account: AccountRow, hold: HoldRow, { amount }: MeterOperation): Outcome {
    this.rows.writeHold({ ...hold, metered: amount < hold.amount ? amount : hold.amount })
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

  #writeBill(billed: Bill, close: boolean, usage: Usage | null): Outcome {
    const { hold } = billed
    if (close && isTold(hold, usage)) this.rows.removeHold(hold)
    else this.rows.writeHold(hold)
    return this.#enterBill(billed, close, usage)
  }

  /** Everything of a bill but the hold's own row. */
  #enterBill(billed: Bill, close: boolean, usage: Usage | null): Outcome {
    const { account, hold, charge } = billed
    const budgets = this.rows.budgets(hold.budgetIds)
    if (charge > 0n) {
      this.#enter(hold.accountId, hold.holdId, chargeKind(close, hold.captured), -charge, hold.budgetIds)
    }
    if (usage) this.statements.insertUsage.run(...USAGE.values(usageOf(hold, usage)))
    const left = budgets.map((budget) => this.rows.putBudget(billBudget(budget, billed)))
    return { ...this.#done(this.rows.put(account), left), captured: hold.captured }
  }

  #topUp(operation: Operation & { kind: 'top_up' }): Outcome {
    const account = this.rows.account(operation.accountId)
    if (!account) return { code: 'unknown_account' }
    const { reference, entryKind, amount, accountId } = operation
    const before = this.statements.selectEntry.get(accountId, reference)
    if (before) return { code: before.amount === amount && before.kind === entryKind ? 'replayed' : 'conflict', account }
    if (account.balance + amount > MAX_AMOUNT) return { code: 'too_large' }
    this.#enter(accountId, reference, entryKind, amount, null)
    return this.#done(this.rows.put({ ...account, balance: account.balance + amount }))
  }

  #enter(accountId: string, reference: string, kind: string, amount: bigint, budgetIds: string | null): void {
    const entry = { reference, kind, accountId, amount, createdAt: this.time.now, budgetIds }
    this.statements.insertEntry.run(...ENTRY.values(entry))
  }

  #setBudget({ terms }: Operation & { kind: 'set_budget' }): Outcome {
    const { budgetId, accountId, every } = terms
    const account = this.rows.account(accountId)
    if (!account) return { code: 'unknown_account' }
    const period = periodAt(every, this.time.now).name
    this.statements.insertBudget.run(...BUDGET.values({ ...terms, held: 0n, spent: 0n, period }))
    const budget = this.rows.budget(budgetId)
    if (budget?.accountId !== accountId || budget.every !== every) return { code: 'conflict' }
    return this.#done(account, [this.rows.putBudget({ ...budget, ...terms })])
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

  #forget({ accountId, before, limit }: Operation & { kind: 'forget' }): Outcome {
    const { statements } = this
    const found = statements.forgettable.get(accountId, before, limit)
    const list = String(found?.list)
    statements.ageCharges.run(accountId, list)
    statements.dropUsage.run(list)
    return { code: 'done', count: Number(found?.count) }
  }

  /** A file may be the copy of a database whose processes died. */
  #sweepLeases(): Outcome {
    const leases = this.statements.selectLeases.all().map(LEASE.read)
    for (const { accountId, amount } of leases) {
      const account = this.rows.account(accountId)
      if (account) this.rows.put({ ...account, held: account.held - amount, leased: account.leased - amount })
    }
    if (leases.length > 0) this.statements.deleteLeases.run()
    return { code: 'done', count: leases.length }
  }

  #isSweepable(hold: HoldRow, { aliveSince, deadOwners }: { aliveSince: number; deadOwners: readonly string[] }): boolean {
    if (hold.expiresAt < this.time.now) return true
    if (hold.purpose !== 'chat') return false
    if (deadOwners.includes(hold.ownerId)) return true
    const owner = this.statements.selectProcess.get(hold.ownerId)
    return owner === undefined || Number(owner.heartbeat_at) < aliveSince
  }

  #done(account: AccountRow, budgets: readonly BudgetRow[] = []): Outcome {
    return withBudgets({ code: 'done', account }, budgets)
  }
}

const usageOf = ({ holdId: requestId, accountId, captured: cost }: HoldRow, usage: Usage): UsageRow => ({
  ...usage,
  requestId,
  accountId,
  cost,
})

/** Whether every budget that a hold names exists and is its account's. */
const areAllOf = ({ accountId, budgetIds }: HoldFacts, budgets: readonly BudgetRow[]): boolean =>
  budgetIds === null ||
  (budgets.length === listedBudgets(budgetIds).length && budgets.every((budget) => budget.accountId === accountId))

/** Most outcomes are about none. */
const withBudgets = (outcome: Outcome, budgets: readonly BudgetRow[]): Outcome =>
  budgets.length === 0 ? outcome : { ...outcome, budgets }

/** Whether it is the chat hold that a process kept in memory, and not one whose id is the same by mistake. */
const isSame = (written: HoldRow, { accountId, purpose }: HoldFacts): boolean =>
  written.accountId === accountId && written.purpose === purpose

const newAccount = (
  { accountId, monthlyCap }: Pick<AccountRow, 'accountId' | 'monthlyCap'>,
  { period }: BatchTime,
): AccountRow => ({
  accountId,
  balance: 0n,
  held: 0n,
  leased: 0n,
  monthlyCap,
  spent: 0n,
  period,
})
