/**
 * Group commit without a timer: while one batch commits, the next gathers.
 *
 * The queue also keeps faults small. A batch that the database rejects is halved until the operation at fault stands alone; a
 * batch in doubt, or kept out by a lock, is repeated as a whole and in order, which is safe because operations are idempotent.
 * Only the first batch of an outage is repeated for long: until one succeeds again, callers hear at once that it lasts.
 */
import type { Clock } from '#platform/clock.js'
import { BudgetPeriod } from '#platform/vocabulary/words.js'
import { periodAt } from '../budget-period.js'
import { AppError } from '#platform/errors.js'
import { DatabaseTrouble, RejectedBatch, toPublicError } from './database-trouble.js'
import type { BatchResult, BatchTime, LedgerTransport, Operation, Outcome } from './operation.js'

const MAX_BATCH = 1024
const RETRY_PAUSE_MS = 50
const GATHER_TURNS = 4

export interface QueueLimits {
  /** How long a batch is repeated before its callers hear of the trouble. */
  readonly retryMs: number
  /** More waiting than this means that the database stands still: refuse instead of filling the memory. */
  readonly waiting: number
}

export interface QueueOptions {
  readonly transport: LedgerTransport
  readonly clock: Clock
  readonly limits: QueueLimits
  /** Sees each outcome before whoever waits for it. */
  readonly onOutcome: (outcome: Outcome) => void
  /** Sees each batch that was committed, before its outcomes are handed out. */
  readonly onCommit: (operations: readonly Operation[], result: BatchResult, seconds: number) => void
  /** Sees each attempt at a batch that failed, whether it is tried again, and since how long it has been tried. */
  readonly onFailure: (error: unknown, isRepeated: boolean, lastedMs: number) => void
}

interface Waiting {
  readonly operation: Operation
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

export interface OperationQueue {
  /** Resolves once the operation is committed. `onOutcome` is called first, in the same tick as all outcomes of the batch. */
  add(operation: Operation, onOutcome?: (outcome: Outcome) => void): Promise<Outcome>
  /** Resolves when nothing waits or runs any more; later additions are refused. */
  drain(): Promise<void>
  isClosed(): boolean
  /** Operations that are in no batch yet. */
  waiting(): number
}

export function createOperationQueue(options: QueueOptions): OperationQueue {
  const { transport, limits, onOutcome } = options
  const execute = createExecutor(options)
  let waiting: Waiting[] = []
  let running: Promise<void> | undefined
  let closed = false

  /**
   * Lets every caller that the last batch released put its next operation in, and then those of whom each turn of the event loop
   * brings more: a commit costs the same for one as for many. Alone, nobody waits for more than one turn.
   */
  const gathered = async () => {
    for (let turns = 0, before = 0; turns < GATHER_TURNS && waiting.length > before; turns++) {
      before = waiting.length
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  const run = async () => {
    while (waiting.length > 0) {
      await gathered()
      const { batch, rest } = transport.appliesInOrder ? split(waiting) : nextSet(waiting)
      waiting = rest
      await executeBatch(execute, batch)
    }
    running = undefined
  }

  return {
    add(operation, onOwnOutcome) {
      if (closed) return Promise.reject(new AppError('shutting_down', 'The server is stopping.'))
      if (waiting.length >= limits.waiting) {
        return Promise.reject(new AppError('rate_limit', 'The server is busy. Try again in a moment.', { retryAfterSeconds: 1 }))
      }
      return new Promise((resolve, reject) => {
        const deliver = (outcome: Outcome) => {
          onOutcome(outcome)
          onOwnOutcome?.(outcome)
          resolve(outcome)
        }
        waiting.push({ operation, resolve: deliver, reject })
        running ??= run()
      })
    },
    async drain() {
      closed = true
      await running
    },
    isClosed: () => closed,
    waiting: () => waiting.length,
  }
}

const split = (waiting: readonly Waiting[]) => ({ batch: waiting.slice(0, MAX_BATCH), rest: waiting.slice(MAX_BATCH) })

/** The oldest operations, at most one per hold. */
function nextSet(waiting: readonly Waiting[]): { batch: Waiting[]; rest: Waiting[] } {
  const batch: Waiting[] = []
  const rest: Waiting[] = []
  const holds = new Set<string>()
  for (const item of waiting) {
    const holdId = 'holdId' in item.operation ? item.operation.holdId : undefined
    // An operation that has to wait also keeps later ones of its hold behind it: the id stays in the set.
    if (batch.length >= MAX_BATCH || (holdId !== undefined && holds.has(holdId))) rest.push(item)
    else batch.push(item)
    if (holdId !== undefined) holds.add(holdId)
  }
  return { batch, rest }
}

async function executeBatch(execute: Execute, batch: readonly Waiting[], isSecondLook = false): Promise<void> {
  try {
    const outcomes = await execute(batch.map((item) => item.operation))
    batch.forEach((item, index) => {
      const outcome = outcomes[index]
      if (outcome) item.resolve(outcome)
      else item.reject(new Error('The ledger answered fewer outcomes than it was asked for.'))
    })
  } catch (error) {
    if (error instanceof RejectedBatch && batch.length > 1) {
      const half = batch.length >> 1
      await executeBatch(execute, batch.slice(0, half))
      await executeBatch(execute, batch.slice(half))
      return
    }
    // Another process may have used the same id at the same moment: the second look finds what it wrote.
    if (error instanceof RejectedBatch && !isSecondLook) return executeBatch(execute, batch, true)
    for (const item of batch) item.reject(toPublicError(error))
  }
}

type Execute = (operations: readonly Operation[]) => Promise<readonly Outcome[]>

/** Real time bounds the repetition: it is about a real connection, whatever clock the caller uses. */
function createExecutor({ transport, clock, limits, onCommit, onFailure }: QueueOptions): Execute {
  let isOutage = false
  return async (operations) => {
    const firstAt = performance.now()
    const giveUpAt = firstAt + limits.retryMs
    for (let isRepeated = false; ; isRepeated = true) {
      const begunAt = performance.now()
      try {
        const result = await transport.execute(operations, batchTime(clock.now()))
        isOutage = false
        onCommit(operations, result, (performance.now() - begunAt) / 1_000)
        return isRepeated ? asIfOnce(operations, result.outcomes) : result.outcomes
      } catch (error) {
        const isTrouble = error instanceof DatabaseTrouble
        const isWorthIt = isTrouble && error.isBrief && !isOutage && performance.now() <= giveUpAt
        onFailure(error, isWorthIt, performance.now() - firstAt)
        if (!isWorthIt) {
          isOutage ||= isTrouble
          throw error
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS))
      }
    }
  }
}

/** A repeated batch finds the holds closed that it had opened and closed itself before the connection broke. */
function asIfOnce(operations: readonly Operation[], outcomes: readonly Outcome[]): readonly Outcome[] {
  return outcomes.map((outcome, index) => {
    const operation = operations[index]
    if (operation?.kind !== 'reserve' || outcome.code !== 'closed') return outcome
    const isClosedHere = operations.slice(index + 1).some((later) => later.kind === 'bill' && later.holdId === operation.holdId)
    return isClosedHere ? { ...outcome, code: 'replayed' } : outcome
  })
}

/** `now` in epoch milliseconds. */
export const batchTime = (now: number): BatchTime => ({ now, period: periodAt(BudgetPeriod.MONTH, now).name })
