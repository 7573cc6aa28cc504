/**
 * What travels between the ledger's port and the thread or server that applies it: plain data, so that it can be cloned, sent
 * and, because every operation is idempotent, sent again.
 */
import type { HoldPurpose, HoldState, Usage } from './ledger.js'

export type Operation =
  | { readonly kind: 'open_account' | 'set_cap'; readonly accountId: string; readonly monthlyCap: bigint | null }
  | {
      readonly kind: 'top_up'
      readonly accountId: string
      readonly amount: bigint
      readonly reference: string
      readonly entryKind: string
    }
  | { readonly kind: 'read_account'; readonly accountId: string }
  | { readonly kind: 'set_budget'; readonly budgetId: string; readonly accountId: string; readonly monthlyCap: bigint | null }
  | { readonly kind: 'read_budgets'; readonly budgetIds: readonly string[] }
  | { readonly kind: 'read_holds'; readonly holdIds: readonly string[] }
  | {
      readonly kind: 'find_sweepable'
      readonly aliveSince: number
      readonly deadOwners: readonly string[]
      readonly limit: number
    }
  /** One step: some finished requests of the account become part of their days' sums. */
  | { readonly kind: 'fold'; readonly accountId: string; readonly before: number; readonly limit: number }
  /** A probe is a heartbeat that also proves that there is room for more. */
  | { readonly kind: 'heartbeat' | 'probe' | 'leave'; readonly ownerId: string }
  | HoldOperation

/** Operations on one hold: applied in the order in which they were added, whichever batch they are in. */
export type HoldOperation = ReserveOperation | ExtendOperation | MeterOperation | BillOperation | SweepOperation

export interface ReserveOperation {
  readonly kind: 'reserve'
  readonly holdId: string
  readonly accountId: string
  readonly amount: bigint
  readonly purpose: HoldPurpose
  readonly ownerId: string
  readonly keyId: string | null
  readonly modelId: string | null
  readonly budgetId: string | null
  readonly expiresAt: number
}

export interface ExtendOperation {
  readonly kind: 'extend'
  readonly holdId: string
  readonly toAmount: bigint
  readonly expiresAt: number
}

export interface MeterOperation {
  readonly kind: 'meter'
  readonly holdId: string
  readonly amount: bigint
}

/** A capture (`close` false) or a settlement. `total` counts from the hold's beginning. */
export interface BillOperation {
  readonly kind: 'bill'
  readonly holdId: string
  readonly total: bigint
  readonly close: boolean
  readonly usage: Usage | null
}

/** Closes a hold at its metered cost if it is still one to be swept. */
export interface SweepOperation {
  readonly kind: 'sweep'
  readonly holdId: string
  readonly aliveSince: number
  readonly deadOwners: readonly string[]
}

export type OutcomeCode =
  | 'done'
  /** It was done before; nothing changed. */
  | 'replayed'
  /** Refused: not enough credits, the account's monthly cap, or the key's. */
  | 'balance'
  | 'monthly_cap'
  | 'key_cap'
  /** The hold is no longer open. */
  | 'closed'
  | 'unknown_hold'
  | 'unknown_account'
  | 'unknown_budget'
  /** The id was used for something else. */
  | 'conflict'
  /** The balance would leave the range that sums safely. */
  | 'too_large'

/** An account row; `period` may be a past month. */
export interface AccountRow {
  readonly accountId: string
  readonly balance: bigint
  readonly held: bigint
  readonly monthlyCap: bigint | null
  readonly spent: bigint
  readonly period: string
}

/** A budget's row; `period` may be a past month. */
export interface BudgetRow {
  readonly budgetId: string
  readonly accountId: string
  readonly held: bigint
  readonly monthlyCap: bigint | null
  readonly spent: bigint
  readonly period: string
}

export interface HoldRow {
  readonly holdId: string
  readonly accountId: string
  readonly amount: bigint
  readonly captured: bigint
  readonly metered: bigint
  readonly state: HoldState
  readonly purpose: HoldPurpose
  readonly ownerId: string
  readonly keyId: string | null
  readonly modelId: string | null
  readonly budgetId: string | null
  readonly createdAt: number
  readonly expiresAt: number
}

/** From a row of `ledger_account` with exact bigints. */
export const toAccountRow = (row: Readonly<Record<string, unknown>>): AccountRow => ({
  accountId: row.account_id as string,
  balance: row.balance as bigint,
  held: row.held as bigint,
  monthlyCap: row.monthly_cap as bigint | null,
  spent: row.spent as bigint,
  period: row.period as string,
})

/** From a row of `ledger_budget` with exact bigints. */
export const toBudgetRow = (row: Readonly<Record<string, unknown>>): BudgetRow => ({
  budgetId: row.id as string,
  accountId: row.account_id as string,
  held: row.held as bigint,
  monthlyCap: row.monthly_cap as bigint | null,
  spent: row.spent as bigint,
  period: row.period as string,
})

/** From a row of `ledger_hold` with exact bigints. */
export const toHoldRow = (row: Readonly<Record<string, unknown>>): HoldRow => ({
  holdId: row.id as string,
  accountId: row.account_id as string,
  amount: row.amount as bigint,
  captured: row.captured as bigint,
  metered: row.metered as bigint,
  state: row.state as HoldState,
  purpose: row.purpose as HoldPurpose,
  ownerId: row.owner_id as string,
  keyId: row.key_id as string | null,
  modelId: row.model_id as string | null,
  budgetId: row.budget_id as string | null,
  createdAt: Number(row.created_at),
  expiresAt: Number(row.expires_at),
})

/** A closed chat hold as its usage record tells it; what was set aside beyond the charge is not kept. */
export const closedHold = (holdId: string, usage: Readonly<Record<string, unknown>>): HoldRow => {
  const cost = usage.cost as bigint
  const at = Number(usage.created_at)
  return {
    holdId,
    accountId: usage.account_id as string,
    amount: cost,
    captured: cost,
    metered: 0n,
    state: cost > 0n ? 'captured' : 'released',
    purpose: 'chat',
    ownerId: '',
    keyId: null,
    modelId: null,
    budgetId: null,
    createdAt: at,
    expiresAt: at,
  }
}

export interface Outcome {
  readonly code: OutcomeCode
  /** What the hold has been charged in total, after a bill or sweep. */
  readonly captured?: bigint
  /** How many references a step folded. */
  readonly count?: number
  readonly account?: AccountRow | null
  /** Of a refused reservation that would have come out of one. */
  readonly budget?: BudgetRow
  readonly budgets?: readonly BudgetRow[]
  readonly holds?: readonly HoldRow[]
}

/** Time as the whole batch sees it. */
export interface BatchTime {
  /** Epoch milliseconds. */
  readonly now: number
  /** The UTC month of `now`. */
  readonly period: string
}

/** Applies batches one at a time, each in one durable transaction. */
export interface LedgerTransport {
  /** A batch may hold several operations on one hold: they are applied one after the other, and not as a set. */
  readonly appliesInOrder: boolean
  /**
   * All outcomes in order, after the commit.
   *
   * @throws DatabaseTrouble when the batch was not or may not have been applied (ConnectionLost), RejectedBatch when one of its
   * operations cannot be applied, anything else when none can (database-trouble.ts).
   */
  execute(operations: readonly Operation[], time: BatchTime): Promise<Outcome[]>
  /** Runs a list of queries in one read-only snapshot, away from the batches. */
  inspect(queries: readonly string[]): Promise<Record<string, unknown>[][]>
  close(): Promise<void>
}
