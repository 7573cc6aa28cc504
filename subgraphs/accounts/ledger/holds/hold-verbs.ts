/** The verbs on holds where each hold is a row of the database: how several processes share one. */
import { AppError } from '#platform/errors.js'
import { type BillResult, type HoldSnapshot, type Ledger, type ReserveResult, type Usage } from '../ledger.js'
import { budgetList, type HoldFacts, listedBudgets, UsageOutcome } from '../ledger-columns.js'
import { checkAmount, checkId, cleanUsage } from '../ledger-checks.js'
import { idempotencyConflict, type KnownRows } from './known-rows.js'
import type { BillOperation, HoldRow, Operation, Outcome } from '../operations/operation.js'
import { isTrouble, type Unsettled } from '../operations/unsettled.js'

export type HoldVerbs = Pick<Ledger, 'reserve' | 'extend' | 'meter' | 'capture' | 'settle' | 'release' | 'readHolds'>

/** `onOutcome` is called in the same tick as all outcomes of the batch, before anybody who waits for one. */
export type Run = (operation: Operation, onOutcome?: (outcome: Outcome) => void) => Promise<Outcome>

export interface HoldVerbsOptions {
  readonly run: Run
  readonly unsettled: Unsettled
  readonly rows: KnownRows
  /** The name under which this process owns holds. */
  readonly ownerId: string
}

export function durableHoldVerbs({ run, unsettled, rows, ownerId }: HoldVerbsOptions): HoldVerbs {
  const settlement = (holdId: string, total: bigint, usage: Usage | null): BillOperation => ({
    kind: 'bill',
    holdId: checkId(holdId),
    total: checkAmount(total),
    close: true,
    usage: usage && cleanUsage(usage),
  })
  return {
    async reserve(request) {
      const facts = holdFacts(request, ownerId)
      const outcome = await run({ kind: 'reserve', ...facts }).catch((error: unknown) => {
        // The hold may be there all the same. A session's is asked for again under the same id; a chat request is over.
        if (facts.purpose === 'chat' && isTrouble(error)) unsettled.keep(settlement(facts.holdId, 0n, null))
        throw error
      })
      return reserveResult(outcome, rows)
    },
    async extend({ holdId, toAmount, expiresAt }) {
      const outcome = await run({ kind: 'extend', holdId: checkId(holdId), toAmount: checkAmount(toAmount), expiresAt })
      if (outcome.code === 'unknown_hold') throw noSuchHold()
      return reserveResult(outcome, rows)
    },
    async meter({ holdId, amount }) {
      return (await run({ kind: 'meter', holdId: checkId(holdId), amount: checkAmount(amount) })).code === 'done'
    },
    async capture({ holdId, total }) {
      const operation: Operation = { kind: 'bill', holdId: checkId(holdId), total: checkAmount(total), close: false, usage: null }
      return billResult(total, await run(operation), rows)
    },
    async settle({ holdId, amount, usage = null, isUndelivered = false }) {
      const operation = settlement(holdId, amount, usage)
      const undelivered = () => settlement(holdId, 0n, usage && { ...usage, endedAs: UsageOutcome.FAILED })
      return billResult(amount, await unsettled.close(operation, isUndelivered ? undelivered : undefined), rows)
    },
    async release({ holdId, usage = null }) {
      return { ...billResult(0n, await unsettled.close(settlement(holdId, 0n, usage)), rows), clipped: false }
    },
    async readHolds(holdIds) {
      if (holdIds.length === 0) return new Map()
      const { holds = [] } = await run({ kind: 'read_holds', holdIds: holdIds.map(checkId) })
      return new Map(holds.map((hold) => [hold.holdId, toHoldSnapshot(hold)]))
    },
  }
}

/** @throws AppError for what is out of bounds */
export function holdFacts(request: Parameters<Ledger['reserve']>[0], ownerId: string): HoldFacts {
  const { holdId, accountId, amount, purpose, expiresAt, keyId = null, modelId = null, budgetIds = [] } = request
  checkAmount(amount)
  checkId(holdId)
  checkId(accountId)
  const named = { keyId, modelId, budgetIds: budgetList(budgetIds.map(checkId)) }
  return { holdId, accountId, amount, purpose, expiresAt, ownerId, ...named }
}

export const noSuchHold = (): AppError => new AppError('not_found', 'There is no such hold.')

/** @throws AppError `not_found`, `idempotency_conflict` */
export function reserveResult(outcome: Outcome, rows: KnownRows): ReserveResult {
  const { code } = outcome
  if (code === 'conflict') throw idempotencyConflict()
  if (code === 'done' || code === 'replayed') return { ok: true, replayed: code === 'replayed', account: rows.accountOf(outcome) }
  const account = rows.refusedAccountOf(outcome)
  if (code === 'balance' || code === 'monthly_cap' || code === 'budget' || code === 'closed') {
    return { ok: false, reason: code, account, budget: rows.tightestOf(outcome.budgets ?? []) }
  }
  throw new Error(`The ledger answered ${code} to a reservation.`)
}

/**
 * `total`: what the hold was to be charged from its beginning, in nano-USD.
 *
 * @throws AppError `not_found`, `idempotency_conflict`
 */
export function billResult(total: bigint, outcome: Outcome, rows: KnownRows): BillResult {
  if (outcome.code === 'unknown_hold') return { outcome: 'unknown', charged: 0n, clipped: false, account: null }
  const charged = outcome.captured ?? 0n
  const settled = outcome.code === 'done'
  return { outcome: settled ? 'settled' : 'duplicate', charged, clipped: total > charged, account: rows.accountOf(outcome) }
}

export const toHoldSnapshot = ({
  ownerId: _owner,
  keyId: _key,
  modelId: _model,
  createdAt: _at,
  budgetIds,
  ...hold
}: HoldRow): HoldSnapshot => ({ ...hold, budgetIds: listedBudgets(budgetIds) })
