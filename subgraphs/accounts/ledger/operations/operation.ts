/**
 * What travels between the ledger's port and the thread or server that applies it: plain data, so that it can be cloned, sent
 * and, because every operation is idempotent, sent again.
 */
import type { AccountRow, BudgetRow, BudgetTerms, HoldFacts, HoldRow, LeaseRow, Usage, UsageRow } from '../ledger-columns.js'

export type { AccountRow, BudgetRow, HoldRow } from '../ledger-columns.js'

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
  | { readonly kind: 'set_budget'; readonly terms: BudgetTerms }
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
  /** One step: some usage records of the account go, their charges stay. */
  | { readonly kind: 'forget'; readonly accountId: string; readonly before: number; readonly limit: number }
  /** A probe is a heartbeat that also proves that there is room for more. */
  | { readonly kind: 'heartbeat' | 'probe' | 'leave'; readonly ownerId: string }
  | LeaseOperation
  | HoldOperation
  | MemoryHoldOperation

/**
 * What a process asks of its leases, one thing at a time for each. All are safe to repeat: what a lease has, and its process does
 * not know of, is only not used until it is returned.
 */
export type LeaseOperation =
  /** Takes a lease under a new epoch, or adds to the one of this epoch: at least `least`, and rather `wish`. */
  | {
      readonly kind: 'lease'
      readonly processId: string
      readonly accountId: string
      readonly epoch: number
      /** Else `closed` is the answer where it is gone: an epoch never begins again. */
      readonly isNew: boolean
      readonly least: bigint
      readonly wish: bigint
      /** Epoch milliseconds: a process that knows nothing of leases is alive when it was heard of since. */
      readonly aliveSince: number
    }
  /** Gives back what is above `keep`; with nothing kept the lease ends. */
  | {
      readonly kind: 'return_lease'
      readonly processId: string
      readonly accountId: string
      readonly epoch: number
      readonly keep: bigint
    }
  /** Answers those that are still there. */
  | {
      readonly kind: 'renew_leases'
      readonly processId: string
      readonly leases: readonly Pick<LeaseRow, 'accountId' | 'epoch'>[]
      readonly aliveSince: number
    }
  /** Asks other processes for what they do not use of the account. */
  | { readonly kind: 'want_leases'; readonly processId: string; readonly accountId: string }
  /** Ends leases of which nothing was heard, and those of dead processes. */
  | { readonly kind: 'sweep_leases'; readonly deadOwners: readonly string[]; readonly limit: number }

/** Operations on one hold: applied in the order in which they were added, whichever batch they are in. */
export type HoldOperation = ReserveOperation | ExtendOperation | MeterOperation | BillOperation | SweepOperation

export interface ReserveOperation extends HoldFacts {
  readonly kind: 'reserve'
}

/** Raises a hold: its amount in all and its expiry; neither is ever lowered. */
export interface ExtendOperation {
  readonly kind: 'extend'
  readonly holdId: string
  readonly toAmount: bigint
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** Notes what a hold has cost so far, which a sweep charges. */
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

/** What is written of a hold that lives in the memory of a process: of the only one, or in a lease. */
export type MemoryHoldOperation = WriteHoldOperation | ChargeOperation

/** From now on the hold outlives its process, which charges what was metered. A hold that is written already is metered. */
export interface WriteHoldOperation extends HoldFacts {
  readonly kind: 'write_hold'
  readonly metered: bigint
  /** Of the lease that it is held in, where several processes write. */
  readonly leaseEpoch?: number
}

/** Charges and closes a hold, whether it was written or not: once, by its id. */
export interface ChargeOperation extends HoldFacts {
  readonly kind: 'charge'
  readonly total: bigint
  readonly usage: Usage | null
  /** Of the lease that it is held in, where several processes write. */
  readonly leaseEpoch?: number
}

/** Ends a hold: what is repeated until the database has taken it. */
export type ClosingOperation = BillOperation | ChargeOperation

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
  /** Refused: not enough credits, the account's monthly cap, or a budget. */
  | 'balance'
  | 'monthly_cap'
  | 'budget'
  /** The hold is no longer open. */
  | 'closed'
  | 'unknown_hold'
  | 'unknown_account'
  | 'unknown_budget'
  /** The id was used for something else. */
  | 'conflict'
  /** The balance would leave the range that sums safely. */
  | 'too_large'

/** A closed chat hold as its usage record tells it; what was set aside beyond the charge is not kept. */
export const closedHold = ({ requestId, accountId, cost, createdAt }: UsageRow): HoldRow => ({
  holdId: requestId,
  accountId,
  amount: cost,
  captured: cost,
  metered: 0n,
  state: cost > 0n ? 'captured' : 'released',
  purpose: 'chat',
  ownerId: '',
  keyId: null,
  modelId: null,
  budgetIds: null,
  createdAt,
  expiresAt: createdAt,
})

export interface Outcome {
  readonly code: OutcomeCode
  /** What the hold has been charged in total, after a bill, charge or sweep. */
  readonly captured?: bigint
  /** How much a step did: references folded, usage records forgotten, leases swept. */
  readonly count?: number
  readonly account?: AccountRow | null
  /** What the operation left of the budgets that it was about; of a refusal, those that it was to come out of. */
  readonly budgets?: readonly BudgetRow[]
  readonly holds?: readonly HoldRow[]
  /** What a lease was given. */
  readonly granted?: bigint
  /** Those that were renewed. */
  readonly leases?: readonly LeaseRow[]
}

/** Time as the whole batch sees it. */
export interface BatchTime {
  /** Epoch milliseconds. */
  readonly now: number
  /** The UTC month of `now`. */
  readonly period: string
  /** Epoch milliseconds by which leases end; left out, the database's own clock, which all processes share. */
  readonly leaseNow?: number
}

/** What a committed batch brought. */
export interface BatchResult {
  /** Of all operations, in order. */
  readonly outcomes: readonly Outcome[]
  /** Another connection has committed since the last batch: rows from before may be old. */
  readonly othersWrote: boolean
}

/** Applies batches one at a time, each in one durable transaction. */
export interface LedgerTransport {
  /** No other process may place holds or charge: chat holds can live in the memory of this one. */
  readonly isOnlyWriter: boolean
  /** A batch may hold several operations on one hold: they are applied one after the other, and not as a set. */
  readonly appliesInOrder: boolean
  /**
   * Resolves after the commit.
   *
   * @throws DatabaseTrouble when the batch was not or may not have been applied (ConnectionLost), RejectedBatch when one of its
   * operations cannot be applied, anything else when none can (database-trouble.ts).
   */
  execute(operations: readonly Operation[], time: BatchTime): Promise<BatchResult>
  /** Runs a list of queries in one read-only snapshot, away from the batches. */
  inspect(queries: readonly string[]): Promise<Record<string, unknown>[][]>
  close(): Promise<void>
}
