/**
 * The ledger's port over either transport: checks what callers pass, turns verbs into operations and outcomes into answers,
 * and keeps this process's heartbeat.
 */
import type { Clock } from '#platform/clock.js'
import { DatabaseOutage } from '#platform/database/outage.js'
import { noOutageWatch, type OutageWatch } from '#platform/database/outage-watch.js'
import { invalidRequest } from '#platform/errors.js'
import { newId } from '#platform/ids.js'
import type { NanoUsd } from '#platform/money.js'
import { BudgetPeriod } from '#platform/vocabulary/words.js'
import { toPublicError } from './operations/database-trouble.js'
import { HoldBook, rowOf } from './holds/hold-book.js'
import { durableHoldVerbs, type Run, toHoldSnapshot } from './holds/hold-verbs.js'
import { checkInvariants, withMemory } from './invariants.js'
import { KnownRows } from './holds/known-rows.js'
import { type ChargeNotice, type Ledger, RESERVED_PREFIX, type SweepResult } from './ledger.js'
import { checkAmount, checkId } from './ledger-checks.js'
import { BudgetAction } from './ledger-columns.js'
import { foldBefore } from './ledger-fold.js'
import { createHealth, type HealthCheck } from './operations/ledger-health.js'
import { leaseHoldVerbs } from './holds/lease-hold-verbs.js'
import { type LeaseNews, Leases } from './holds/leases.js'
import { memoryHoldVerbs, type MemoryHoldVerbs, type MemoryHoldVerbsOptions } from './holds/memory-hold-verbs.js'
import type { ClosingOperation, HoldRow, LedgerTransport, Outcome } from './operations/operation.js'
import { batchTime, createOperationQueue, type OperationQueue, type QueueLimits } from './operations/operation-queue.js'
import { createUnsettled, type Unsettled } from './operations/unsettled.js'
import { watchWallClock } from './wall-clock-watch.js'

const COUNT_OPEN_HOLDS = "select count(*) as holds from ledger_hold where state = 'open'"
const HEARTBEAT_MS = 5_000
const STALE_AFTER_MS = 20_000
const SWEEP_LIMIT = 500
/** A step holds up the charges behind it for about as long as a batch of them. */
const FOLD_LIMIT = 200

export interface BatchedLedgerOptions {
  readonly transport: LedgerTransport
  readonly clock: Clock
  /** A new one per process when left out. */
  readonly ownerId?: string
  readonly limits?: Partial<LedgerLimits>
  /** Hears of trouble that callers were told of, and when it is over. */
  readonly watch?: OutageWatch
  /** Hears of every batch that was committed. */
  readonly onBatch?: (operations: number, seconds: number) => void
  /** A charge that became durable after its caller was told that it failed. */
  readonly onLateCharge?: (charge: ChargeNotice) => void
  /** A settlement that was given up; the sweep closes its hold at the metered cost. */
  readonly onLostOutcome?: (holdId: string, error: unknown) => void
  /** What was delivered and not charged, because nothing was left of what it was held in. */
  readonly onLoss?: (loss: { readonly holdId: string; readonly accountId: string; readonly amount: NanoUsd }) => void
  /** How processes ask each other for what they lease; without it, nothing is leased and every hold is a row. */
  readonly leases?: LeaseNews
}

export interface LedgerLimits extends QueueLimits {
  /** Settlements and releases kept for repetition. */
  readonly unsettled: number
  /** For them to become durable when the process stops. */
  readonly closeMs: number
  /** For other processes to give back what they lease of an account that runs dry, before a hold is refused. */
  readonly reclaimMs: number
}

const LIMITS: LedgerLimits = { retryMs: 5_000, waiting: 20_000, unsettled: 10_000, closeMs: 3_000, reclaimMs: 300 }

/** Announces the process as alive and returns the port. */
export async function createBatchedLedger(options: BatchedLedgerOptions): Promise<Ledger> {
  const { transport, clock, ownerId = newId('proc'), watch = noOutageWatch } = options
  // Not through the queue: a database that cannot be reached at the start should be reported at once, not retried.
  await transport.execute([{ kind: 'heartbeat', ownerId }], batchTime(clock.now())).catch(async (error: unknown) => {
    await transport.close()
    throw toPublicError(error)
  })
  const book = new HoldBook()
  const rows = new KnownRows(clock, book)
  const limits = { ...LIMITS, ...options.limits }
  const health = createHealth()
  const queue = createOperationQueue({
    transport,
    clock,
    limits,
    onOutcome: (outcome) => rows.absorb(outcome),
    onCommit(operations, { outcomes, othersWrote }, seconds) {
      options.onBatch?.(operations.length, seconds)
      if (othersWrote) rows.forget()
      health.noteCommit(operations, outcomes)
      // A heartbeat writes a table of its own: that it works says nothing about those of the charges.
      if (!health.isTroubled()) watch.succeeded()
    },
    onFailure(error, isRepeated, lastedMs) {
      rows.forget()
      health.noteFailure(error)
      const shown = toPublicError(error)
      if (!isRepeated && shown instanceof DatabaseOutage) watch.failed(shown, { lastedMs })
    },
  })
  const wallClock = watchWallClock(clock)
  const run: Run = (operation, onOutcome) => queue.add(operation, onOutcome)
  const leasing = { run, rows, book, clock, health, ownerId, isClosed: queue.isClosed }
  const leases = options.leases && !transport.isOnlyWriter ? new Leases({ ...leasing, news: options.leases }) : null
  const closeHold = (operation: ClosingOperation) => run(operation, closer(operation, book, leases, options.onLoss))
  const unsettled = openUnsettled(options, closeHold, limits)
  const stopHeartbeat = keepHeartbeat(queue, clock, ownerId, health, () => leases?.beat())
  const inMemory = verbsInMemory({ ...leasing, unsettled }, transport, leases, limits.reclaimMs)
  return {
    ownerId,
    ...accountVerbs(run, rows, (accountId) => leases?.recall(accountId)),
    ...budgetVerbs(run, rows),
    ...(inMemory ?? durableHoldVerbs({ run, unsettled, rows, ownerId })),
    lastKnown: (accountId) => rows.recall(accountId),
    async sweep(request) {
      // What this process knows better than its meter goes first.
      await unsettled.push()
      const aheadMs = wallClock.aheadMs()
      const now = clock.now() - aheadMs
      const isDue = ({ holdId, expiresAt }: HoldRow) => !unsettled.has(holdId) && (aheadMs === 0 || expiresAt < now)
      await run({ kind: 'sweep_leases', deadOwners: request?.deadOwners ?? [], limit: SWEEP_LIMIT })
      const forgotten = (await inMemory?.sweepMemory(now)) ?? []
      const { closed } = await sweep(run, book, now, isDue, request)
      return { closed: [...forgotten, ...closed] }
    },
    ...retention(transport, run, clock),
    ...figures(transport, queue, unsettled, book),
    async checkInvariants() {
      const report = await checkInvariants(transport, clock.now())
      return withMemory(report, rows.accounts(), book.unwritten().length, leases?.overdrawn())
    },
    health: () => health.check(() => queue.add({ kind: 'probe', ownerId })),
    async close() {
      stopHeartbeat()
      leases?.stop()
      await unsettled.drain(limits.closeMs)
      const left = queue.add({ kind: 'leave', ownerId }).catch(() => {})
      await queue.drain()
      await left
      await transport.close()
    },
  }
}

type InMemoryOptions = Omit<MemoryHoldVerbsOptions, 'leases'>

function verbsInMemory(
  options: InMemoryOptions,
  { isOnlyWriter }: LedgerTransport,
  leases: Leases | null,
  reclaimMs: number,
): MemoryHoldVerbs | null {
  if (isOnlyWriter) return memoryHoldVerbs(options)
  return leases && leaseHoldVerbs({ ...options, leases, reclaimMs })
}

/** What happens in the tick in which the end of a hold is known. */
const closer =
  (operation: ClosingOperation, book: HoldBook, leases: Leases | null, onLoss: BatchedLedgerOptions['onLoss']) =>
  (outcome: Outcome): void => {
    leases?.note(operation, outcome)
    book.end(operation.holdId)
    if (operation.kind !== 'charge') return
    leases?.noteEnd(operation.accountId)
    const { holdId, accountId, total, amount } = operation
    const due = total < amount ? total : amount
    const { code, captured = 0n } = outcome
    if (code === 'done' && captured < due) onLoss?.({ holdId, accountId, amount: due - captured })
  }

const figures = (
  transport: LedgerTransport,
  queue: OperationQueue,
  unsettled: Unsettled,
  book: HoldBook,
): Pick<Ledger, 'unsettledOutcomes' | 'waitingOperations' | 'openHolds' | 'holdsInMemory'> => ({
  holdsInMemory: (accountId) =>
    book.unwritten().flatMap((hold) => (hold.facts.accountId === accountId ? toHoldSnapshot(rowOf(hold)) : [])),
  unsettledOutcomes: unsettled.count,
  waitingOperations: queue.waiting,
  async openHolds() {
    const [[counted] = []] = await transport.inspect([COUNT_OPEN_HOLDS])
    return Number(counted?.['holds']) + book.unwritten().length
  },
})

function openUnsettled(
  { clock, onLateCharge, onLostOutcome }: BatchedLedgerOptions,
  run: (operation: ClosingOperation) => Promise<Outcome>,
  limits: LedgerLimits,
): Unsettled {
  return createUnsettled({
    clock,
    run,
    limit: limits.unsettled,
    onLate({ holdId, usage }, { code, account, captured = 0n }) {
      if (code !== 'unknown_hold' && account) onLateCharge?.({ accountId: account.accountId, holdId, charged: captured, usage })
    },
    onLost: ({ holdId }, error) => onLostOutcome?.(holdId, error),
  })
}

function accountVerbs(
  run: Run,
  rows: KnownRows,
  recallLeases: (accountId: string) => void,
): Pick<Ledger, 'openAccount' | 'setMonthlyCap' | 'topUp' | 'read'> {
  return {
    async openAccount(accountId, { monthlyCap }) {
      checkId(accountId)
      if (accountId.startsWith(RESERVED_PREFIX)) throw invalidRequest(`"${accountId}" is reserved.`)
      await run({ kind: 'open_account', accountId, monthlyCap: monthlyCap === null ? null : checkAmount(monthlyCap) })
    },
    async setMonthlyCap(accountId, monthlyCap) {
      const cap = monthlyCap === null ? null : checkAmount(monthlyCap)
      rows.accountOf(await run({ kind: 'set_cap', accountId: checkId(accountId), monthlyCap: cap }))
      // What was leased under another cap.
      recallLeases(accountId)
    },
    async topUp({ accountId, amount, idempotencyKey, kind }) {
      if (!/^[a-z_]{1,40}$/.test(kind) || kind === 'charge') throw invalidRequest(`"${kind}" is not a kind of top-up.`)
      if (checkAmount(amount) === 0n) throw invalidRequest('A top-up must be more than zero.')
      // Keys are the caller's own: two accounts may use the same one.
      const reference = `${checkId(accountId)}/${checkId(idempotencyKey)}`
      const outcome = await run({ kind: 'top_up', accountId, amount, reference, entryKind: kind })
      if (outcome.code === 'too_large') throw invalidRequest('The balance would become too large.')
      return { applied: outcome.code === 'done', reference, account: rows.accountOf(outcome) }
    },
    async read(accountId) {
      return rows.accountOf(await run({ kind: 'read_account', accountId: checkId(accountId) }))
    },
  }
}

/** The monthly cap of keys, as a budget. */
const KEY_CAP_TERMS = {
  every: BudgetPeriod.MONTH,
  action: BudgetAction.STOP,
  warnAt: 80,
  name: '',
  ownerId: null,
  models: null,
} as const

function budgetVerbs(run: Run, rows: KnownRows): Pick<Ledger, 'setBudget' | 'readBudgets'> {
  return {
    async setBudget({ budgetId, accountId, cap, ...terms }) {
      const checked = { budgetId: checkId(budgetId), accountId: checkId(accountId), cap: cap === null ? null : checkAmount(cap) }
      rows.accountOf(await run({ kind: 'set_budget', terms: { ...KEY_CAP_TERMS, ...terms, ...checked } }))
    },
    async readBudgets(budgetIds) {
      if (budgetIds.length === 0) return new Map()
      const { budgets = [] } = await run({ kind: 'read_budgets', budgetIds: [...new Set(budgetIds.map(checkId))] })
      return new Map(budgets.map((budget) => [budget.budgetId, rows.budgetOf(budget)]))
    },
  }
}

async function sweep(
  run: Run,
  book: HoldBook,
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
      const { code, captured = 0n } = await run({ kind: 'sweep', holdId, ...criteria }, (outcome) => {
        if (outcome.code === 'done') book.end(holdId)
      })
      return code === 'done' ? [{ holdId, accountId, charged: captured }] : []
    }),
  )
  return { closed: closed.flat() }
}

const retention = (transport: LedgerTransport, run: Run, clock: Clock): Pick<Ledger, 'fold' | 'forgetUsage'> => ({
  fold: async (request) => ({ folded: await inSteps('fold', transport, run, clock, request) }),
  forgetUsage: async (request) => ({ forgotten: await inSteps('forget', transport, run, clock, request) }),
})

/** Account by account, until nothing is left or the signal aborts; answers how many were done. */
async function inSteps(
  kind: 'fold' | 'forget',
  transport: LedgerTransport,
  run: Run,
  clock: Clock,
  { keepDays, signal }: Parameters<Ledger['fold']>[0],
): Promise<number> {
  const before = foldBefore(clock.now(), keepDays)
  let done = 0
  const [accounts = []] = await transport.inspect(['select account_id from ledger_account'])
  for (const { account_id: accountId } of accounts) {
    let count = 1
    while (count > 0 && signal?.aborted !== true) {
      ;({ count = 0 } = await run({ kind, accountId: String(accountId), before, limit: FOLD_LIMIT }))
      done += count
    }
  }
  return done
}

function keepHeartbeat(
  queue: OperationQueue,
  clock: Clock,
  ownerId: string,
  health: Pick<HealthCheck, 'isTroubled'>,
  onBeat: () => Promise<void> | undefined,
): () => void {
  let cancel = () => {}
  const beat = () => {
    // A missed beat is no fault: the next one follows, and a database that is down fails the work itself.
    const beaten = queue.add({ kind: 'heartbeat', ownerId }).catch(() => {})
    // So that the end of trouble is noticed when nobody asks for anything. After the beat: in one batch both would fail, and others
    // take a process that does not beat for dead.
    if (health.isTroubled()) void beaten.then(() => queue.add({ kind: 'probe', ownerId })).catch(() => {})
    onBeat()?.catch(() => {})
    cancel = clock.setTimeout(beat, HEARTBEAT_MS)
  }
  cancel = clock.setTimeout(beat, HEARTBEAT_MS)
  return () => cancel()
}
