/**
 * The ledger's port over either transport: checks what callers pass, turns verbs into operations and outcomes into answers,
 * and keeps this process's heartbeat.
 */
import type { Clock } from '#platform/clock.js'
import { DatabaseOutage } from '#platform/database/outage.js'
import { noOutageWatch, type OutageWatch } from '#platform/database/outage-watch.js'
import { AppError, invalidRequest } from '#platform/errors.js'
import { newId } from '#platform/ids.js'
import { checkInvariants } from './invariants.js'
import {
  type AccountSnapshot,
  type BillResult,
  type BudgetSnapshot,
  FAILED,
  type HoldSnapshot,
  type ChargeNotice,
  type Ledger,
  MAX_AMOUNT,
  RESERVED_PREFIX,
  type ReserveResult,
  type SweepResult,
  type Usage,
} from './ledger.js'
import { type ColumnKind, USAGE_FACTS } from './ledger-columns.js'
import { available, availableOfBudget, rollPeriod } from './ledger-rules.js'
import type { AccountRow, BillOperation, BudgetRow, HoldRow, LedgerTransport, Operation, Outcome } from './operation.js'
import { toPublicError } from './database-trouble.js'
import { foldBefore } from './ledger-fold.js'
import { createHealth } from './ledger-health.js'
import { batchTime, createOperationQueue, type OperationQueue, type QueueLimits } from './operation-queue.js'
import { createUnsettled, isTrouble, type Unsettled } from './unsettled.js'
import { watchWallClock } from './wall-clock-watch.js'

const HEARTBEAT_MS = 5_000
const STALE_AFTER_MS = 20_000
const SWEEP_LIMIT = 500
/** A step holds up the charges behind it for about as long as a batch of them. */
const FOLD_LIMIT = 200
const FRESH_FOR_MS = 2_000
/** Accounts whose last snapshot is remembered. */
const MAX_REMEMBERED = 10_000
const MAX_ID_LENGTH = 200

export interface BatchedLedgerOptions {
  readonly transport: LedgerTransport
  readonly clock: Clock
  /** A new one per process when left out. */
  readonly ownerId?: string
  readonly limits?: Partial<LedgerLimits>
  /** Hears of trouble that callers were told of, and when it is over. */
  readonly watch?: OutageWatch
  /** A charge that became durable after its caller was told that it failed. */
  readonly onLateCharge?: (charge: ChargeNotice) => void
  /** A settlement that was given up; the sweep closes its hold at the metered cost. */
  readonly onLostOutcome?: (holdId: string, error: unknown) => void
}

export interface LedgerLimits extends QueueLimits {
  /** Settlements and releases kept for repetition. */
  readonly unsettled: number
  /** For them to become durable when the process stops. */
  readonly closeMs: number
}

const LIMITS: LedgerLimits = { retryMs: 5_000, waiting: 20_000, unsettled: 10_000, closeMs: 3_000 }

/** Announces the process as alive and returns the port. */
export async function createBatchedLedger(options: BatchedLedgerOptions): Promise<Ledger> {
  const { transport, clock, ownerId = newId('proc'), watch = noOutageWatch } = options
  // Not through the queue: a database that cannot be reached at the start should be reported at once, not retried.
  await transport.execute([{ kind: 'heartbeat', ownerId }], batchTime(clock.now())).catch(async (error: unknown) => {
    await transport.close()
    throw toPublicError(error)
  })
  const memory = createMemory(clock)
  const limits = { ...LIMITS, ...options.limits }
  const health = createHealth()
  const queue = createOperationQueue({
    transport,
    clock,
    limits,
    onOutcome({ account }) {
      if (account) memory.remember(account)
    },
    onCommit(operations, outcomes) {
      health.noteCommit(operations, outcomes)
      watch.succeeded()
    },
    onFailure(error, isRepeated) {
      health.noteFailure(error)
      const shown = toPublicError(error)
      if (!isRepeated && shown instanceof DatabaseOutage) watch.failed(shown)
    },
  })
  const wallClock = watchWallClock(clock)
  const stopHeartbeat = keepHeartbeat(queue, clock, ownerId)
  const run: Run = (operation) => queue.add(operation)
  const unsettled = openUnsettled(options, run, limits)
  return {
    ownerId,
    ...accountVerbs(run, memory),
    ...budgetVerbs(run, memory),
    ...holdVerbs(run, unsettled, memory, ownerId),
    lastKnown: memory.recall,
    async sweep(request) {
      // What this process knows better than its meter goes first.
      await unsettled.push()
      const aheadMs = wallClock.aheadMs()
      const isDue = ({ holdId, expiresAt }: HoldRow) =>
        !unsettled.has(holdId) && (aheadMs === 0 || expiresAt < clock.now() - aheadMs)
      return sweep(run, clock.now() - aheadMs, isDue, request)
    },
    fold: ({ keepDays, signal }) => fold(transport, run, foldBefore(clock.now(), keepDays), signal),
    unsettledOutcomes: unsettled.count,
    checkInvariants: () => checkInvariants(transport, clock.now()),
    health: () => health.check(() => queue.add({ kind: 'probe', ownerId })),
    async close() {
      stopHeartbeat()
      await unsettled.drain(limits.closeMs)
      const left = queue.add({ kind: 'leave', ownerId }).catch(() => {})
      await queue.drain()
      await left
      await transport.close()
    },
  }
}

type Run = (operation: Operation) => Promise<Outcome>

function openUnsettled({ clock, onLateCharge, onLostOutcome }: BatchedLedgerOptions, run: Run, limits: LedgerLimits): Unsettled {
  return createUnsettled({
    clock,
    run,
    limit: limits.unsettled,
    onLate({ usage }, { code, account, captured = 0n }) {
      if (code !== 'unknown_hold' && account) onLateCharge?.({ accountId: account.accountId, charged: captured, usage })
    },
    onLost: ({ holdId }, error) => onLostOutcome?.(holdId, error),
  })
}

function accountVerbs(run: Run, memory: Memory): Pick<Ledger, 'openAccount' | 'setMonthlyCap' | 'topUp' | 'read' | 'readHolds'> {
  return {
    async openAccount(accountId, { monthlyCap }) {
      checkId(accountId)
      if (accountId.startsWith(RESERVED_PREFIX)) throw invalidRequest(`"${accountId}" is reserved.`)
      await run({ kind: 'open_account', accountId, monthlyCap: monthlyCap === null ? null : checkAmount(monthlyCap) })
    },
    async setMonthlyCap(accountId, monthlyCap) {
      const cap = monthlyCap === null ? null : checkAmount(monthlyCap)
      memory.accountOf(await run({ kind: 'set_cap', accountId: checkId(accountId), monthlyCap: cap }))
    },
    async topUp({ accountId, amount, idempotencyKey, kind }) {
      if (!/^[a-z_]{1,40}$/.test(kind) || kind === 'charge') throw invalidRequest(`"${kind}" is not a kind of top-up.`)
      if (checkAmount(amount) === 0n) throw invalidRequest('A top-up must be more than zero.')
      // Keys are the caller's own: two accounts may use the same one.
      const reference = `${checkId(accountId)}/${checkId(idempotencyKey)}`
      const outcome = await run({ kind: 'top_up', accountId, amount, reference, entryKind: kind })
      if (outcome.code === 'too_large') throw invalidRequest('The balance would become too large.')
      return { applied: outcome.code === 'done', reference, account: memory.accountOf(outcome) }
    },
    async read(accountId) {
      return memory.accountOf(await run({ kind: 'read_account', accountId: checkId(accountId) }))
    },
    async readHolds(holdIds) {
      if (holdIds.length === 0) return new Map()
      const { holds = [] } = await run({ kind: 'read_holds', holdIds: holdIds.map(checkId) })
      return new Map(holds.map((hold) => [hold.holdId, toHoldSnapshot(hold)]))
    },
  }
}

function budgetVerbs(run: Run, memory: Memory): Pick<Ledger, 'setBudget' | 'readBudgets'> {
  return {
    async setBudget({ budgetId, accountId, monthlyCap }) {
      const cap = monthlyCap === null ? null : checkAmount(monthlyCap)
      const operation = { budgetId: checkId(budgetId), accountId: checkId(accountId), monthlyCap: cap }
      memory.accountOf(await run({ kind: 'set_budget', ...operation }))
    },
    async readBudgets(budgetIds) {
      if (budgetIds.length === 0) return new Map()
      const { budgets = [] } = await run({ kind: 'read_budgets', budgetIds: [...new Set(budgetIds.map(checkId))] })
      return new Map(budgets.map((budget) => [budget.budgetId, memory.budgetOf(budget)]))
    },
  }
}

function holdVerbs(
  run: Run,
  unsettled: Unsettled,
  memory: Memory,
  ownerId: string,
): Pick<Ledger, 'reserve' | 'extend' | 'meter' | 'capture' | 'settle' | 'release'> {
  const billed = (total: bigint, outcome: Outcome): BillResult => {
    if (outcome.code === 'unknown_hold') return { outcome: 'unknown', charged: 0n, clipped: false, account: null }
    const charged = outcome.captured ?? 0n
    const settled = outcome.code === 'done'
    return { outcome: settled ? 'settled' : 'duplicate', charged, clipped: total > charged, account: memory.accountOf(outcome) }
  }
  const settlement = (holdId: string, total: bigint, usage: Usage | null): BillOperation => ({
    kind: 'bill',
    holdId: checkId(holdId),
    total: checkAmount(total),
    close: true,
    usage: usage && cleanUsage(usage),
  })
  return {
    async reserve({ holdId, accountId, amount, purpose, expiresAt, keyId = null, modelId = null, budgetId = null }) {
      checkAmount(amount)
      checkId(holdId)
      checkId(accountId)
      const hold = { holdId, accountId, amount, purpose, expiresAt, ownerId, keyId, modelId, budgetId }
      const outcome = await run({ kind: 'reserve', ...hold }).catch((error: unknown) => {
        // The hold may be there all the same. A session's is asked for again under the same id; a chat request is over.
        if (purpose === 'chat' && isTrouble(error)) unsettled.keep(settlement(holdId, 0n, null))
        throw error
      })
      return reserveResult(outcome, memory)
    },
    async extend({ holdId, toAmount, expiresAt }) {
      const outcome = await run({ kind: 'extend', holdId: checkId(holdId), toAmount: checkAmount(toAmount), expiresAt })
      if (outcome.code === 'unknown_hold') throw new AppError('not_found', 'There is no such hold.')
      return reserveResult(outcome, memory)
    },
    async meter({ holdId, amount }) {
      return (await run({ kind: 'meter', holdId: checkId(holdId), amount: checkAmount(amount) })).code === 'done'
    },
    async capture({ holdId, total }) {
      const operation: Operation = { kind: 'bill', holdId: checkId(holdId), total: checkAmount(total), close: false, usage: null }
      return billed(total, await run(operation))
    },
    async settle({ holdId, amount, usage = null, isUndelivered = false }) {
      const operation = settlement(holdId, amount, usage)
      const otherwise = isUndelivered ? settlement(holdId, 0n, usage && { ...usage, endedAs: FAILED }) : operation
      return billed(amount, await unsettled.close(operation, otherwise))
    },
    async release({ holdId, usage = null }) {
      return { ...billed(0n, await unsettled.close(settlement(holdId, 0n, usage))), clipped: false }
    },
  }
}

function reserveResult(outcome: Outcome, memory: Memory): ReserveResult {
  const { code } = outcome
  const account = memory.accountOf(outcome)
  if (code === 'done' || code === 'replayed') return { ok: true, replayed: code === 'replayed', account }
  if (code === 'balance' || code === 'monthly_cap' || code === 'key_cap' || code === 'closed') {
    return { ok: false, reason: code, account, budget: outcome.budget ? memory.budgetOf(outcome.budget) : null }
  }
  throw new Error(`The ledger answered ${code} to a reservation.`)
}

async function sweep(
  run: Run,
  /** Epoch milliseconds. */
  now: number,
  isDue: (hold: HoldRow) => boolean,
  request: Parameters<Ledger['sweep']>[0] = {},
): Promise<SweepResult> {
  const { staleAfterMs = STALE_AFTER_MS, deadOwners = [] } = request
  const criteria = { aliveSince: now - staleAfterMs, deadOwners }
  const { holds = [] } = await run({ kind: 'find_sweepable', ...criteria, limit: SWEEP_LIMIT })
  const closed = await Promise.all(
    holds.filter(isDue).map(async ({ holdId, accountId }) => {
      const { code, captured = 0n } = await run({ kind: 'sweep', holdId, ...criteria })
      return code === 'done' ? [{ holdId, accountId, charged: captured }] : []
    }),
  )
  return { closed: closed.flat() }
}

async function fold(transport: LedgerTransport, run: Run, before: number, signal?: AbortSignal): Promise<{ folded: number }> {
  let folded = 0
  const [accounts = []] = await transport.inspect(['select account_id from ledger_account'])
  for (const { account_id: accountId } of accounts) {
    let count = 1
    while (count > 0 && signal?.aborted !== true) {
      ;({ count = 0 } = await run({ kind: 'fold', accountId: String(accountId), before, limit: FOLD_LIMIT }))
      folded += count
    }
  }
  return { folded }
}

function keepHeartbeat(queue: OperationQueue, clock: Clock, ownerId: string): () => void {
  let cancel = () => {}
  const beat = () => {
    // A missed beat is no fault: the next one follows, and a database that is down fails the work itself.
    queue.add({ kind: 'heartbeat', ownerId }).catch(() => {})
    cancel = clock.setTimeout(beat, HEARTBEAT_MS)
  }
  cancel = clock.setTimeout(beat, HEARTBEAT_MS)
  return () => cancel()
}

interface Memory {
  remember(row: AccountRow): void
  recall(accountId: string): AccountSnapshot | null
  /** The outcome's account, as of now. @throws AppError `not_found`, `idempotency_conflict` */
  accountOf(outcome: Outcome): AccountSnapshot
  /** As of now. */
  budgetOf(row: BudgetRow): BudgetSnapshot
}

/** The newest snapshot per account, to refuse the hopeless early. Too old a memory is no reason to refuse anybody. */
function createMemory(clock: Clock): Memory {
  const seen = new Map<string, { readonly row: AccountRow; readonly at: number }>()
  const toSnapshot = (row: AccountRow): AccountSnapshot => {
    const account = rollPeriod(row, batchTime(clock.now()).period)
    return { ...account, available: available(account) }
  }
  return {
    remember(row) {
      if (seen.size >= MAX_REMEMBERED) seen.clear()
      seen.set(row.accountId, { row, at: clock.monotonic() })
    },
    recall(accountId) {
      const known = seen.get(accountId)
      return known && clock.monotonic() - known.at <= FRESH_FOR_MS ? toSnapshot(known.row) : null
    },
    accountOf(outcome) {
      if (outcome.code === 'conflict') {
        throw new AppError('idempotency_conflict', 'This id was used before with different values.')
      }
      if (!outcome.account) throw new AppError('not_found', 'There is no such account.')
      return toSnapshot(outcome.account)
    },
    budgetOf(row) {
      const budget = rollPeriod(row, batchTime(clock.now()).period)
      return { ...budget, available: availableOfBudget(budget) }
    },
  }
}

const toHoldSnapshot = ({ ownerId: _owner, keyId: _key, modelId: _model, createdAt: _at, ...hold }: HoldRow): HoldSnapshot => hold

function checkAmount(amount: bigint): bigint {
  if (amount < 0n || amount > MAX_AMOUNT) throw invalidRequest('The amount is out of range.')
  return amount
}

function checkId(id: string): string {
  if (id === '' || id.length > MAX_ID_LENGTH || id.includes('\0'))
    throw invalidRequest('The id is empty, too long or unprintable.')
  return id
}

/** Whole numbers, short labels, and no NUL characters, which Postgres cannot store: a charge must not fail on its description. */
function cleanUsage(usage: Usage): Usage {
  const clean: Record<string, unknown> = {}
  for (const { field, kind } of USAGE_FACTS) clean[field] = cleanValue(kind, usage[field])
  return clean as unknown as Usage
}

function cleanValue(kind: ColumnKind, value: Usage[keyof Usage]): Usage[keyof Usage] {
  if (typeof value === 'string') {
    if (!value.includes('\0') && (kind === 'text' || value.length <= MAX_ID_LENGTH)) return value
    const printable = value.replaceAll('\0', '')
    return kind === 'text' ? printable : printable.slice(0, MAX_ID_LENGTH)
  }
  if (typeof value !== 'number') return value
  return kind === 'count' ? whole(value) : Math.round(value)
}

/** Into a non-negative int4. */
const whole = (value: number): number => Math.min(Math.max(Math.round(value) || 0, 0), 2_147_483_647)
