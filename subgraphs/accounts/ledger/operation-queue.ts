/**
 * Group commit without a timer: while one batch commits, the next gathers.
 *
 * The queue also keeps faults small. A batch that the database rejects is halved until the operation at fault stands alone; a
 * batch in doubt after a lost connection is repeated as a whole and in order, which is safe because operations are idempotent.
 */
import type { Clock } from '#platform/clock.js'
import { AppError } from '#platform/errors.js'
import { type BatchTime, ConnectionLost, type LedgerTransport, type Operation, type Outcome, RejectedBatch } from './operation.js'

const MAX_BATCH = 1024
/** More waiting than this means that the database stands still: refuse instead of filling the memory. */
const MAX_WAITING = 20_000
/** How long a batch is repeated after its connection broke. */
const RETRY_FOR_MS = 10_000
const RETRY_PAUSE_MS = 50

interface Waiting {
  readonly operation: Operation
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

export interface OperationQueue {
  /** Resolves once the operation is committed. */
  add(operation: Operation): Promise<Outcome>
  /** Resolves when nothing waits or runs any more; later additions are refused. */
  drain(): Promise<void>
}

/** `onOutcome` sees each outcome before whoever waits for it. */
export function createOperationQueue(
  transport: LedgerTransport,
  clock: Clock,
  onOutcome: (outcome: Outcome) => void,
): OperationQueue {
  let waiting: Waiting[] = []
  let running: Promise<void> | undefined
  let closed = false

  const run = async () => {
    while (waiting.length > 0) {
      // Let every caller that the last batch released put its next operation in.
      await new Promise((resolve) => setImmediate(resolve))
      const { batch, rest } = transport.appliesInOrder ? split(waiting) : nextSet(waiting)
      waiting = rest
      await executeBatch(transport, batch, clock)
    }
    running = undefined
  }

  return {
    add(operation) {
      if (closed) return Promise.reject(new AppError('shutting_down', 'The server is stopping.'))
      if (waiting.length >= MAX_WAITING) {
        return Promise.reject(new AppError('rate_limit', 'The server is busy. Try again in a moment.', { retryAfterSeconds: 1 }))
      }
      return new Promise((resolve, reject) => {
        const deliver = (outcome: Outcome) => {
          onOutcome(outcome)
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

async function executeBatch(
  transport: LedgerTransport,
  batch: readonly Waiting[],
  clock: Clock,
  isSecondLook = false,
): Promise<void> {
  try {
    const outcomes = await executePersistently(
      transport,
      batch.map((item) => item.operation),
      clock,
    )
    batch.forEach((item, index) => {
      const outcome = outcomes[index]
      if (outcome) item.resolve(outcome)
      else item.reject(new Error('The ledger answered fewer outcomes than it was asked for.'))
    })
  } catch (error) {
    if (error instanceof RejectedBatch && batch.length > 1) {
      const half = batch.length >> 1
      await executeBatch(transport, batch.slice(0, half), clock)
      await executeBatch(transport, batch.slice(half), clock)
      return
    }
    // Another process may have used the same id at the same moment: the second look finds what it wrote.
    if (error instanceof RejectedBatch && !isSecondLook) return executeBatch(transport, batch, clock, true)
    for (const item of batch) item.reject(toPublicError(error))
  }
}

/** Wall-clock time bounds the repetition: it is about a real connection, whatever clock the caller uses. */
async function executePersistently(
  transport: LedgerTransport,
  operations: readonly Operation[],
  clock: Clock,
): Promise<Outcome[]> {
  const giveUpAt = performance.now() + RETRY_FOR_MS
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      const outcomes = await transport.execute(operations, batchTime(clock.now()))
      return isRepeated ? asIfOnce(operations, outcomes) : outcomes
    } catch (error) {
      if (!(error instanceof ConnectionLost) || performance.now() > giveUpAt) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS))
    }
  }
}

/** A repeated batch finds the holds closed that it had opened and closed itself before the connection broke. */
function asIfOnce(operations: readonly Operation[], outcomes: readonly Outcome[]): Outcome[] {
  return outcomes.map((outcome, index) => {
    const operation = operations[index]
    if (operation?.kind !== 'reserve' || outcome.code !== 'closed') return outcome
    const isClosedHere = operations.slice(index + 1).some((later) => later.kind === 'bill' && later.holdId === operation.holdId)
    return isClosedHere ? { ...outcome, code: 'replayed' } : outcome
  })
}

/** The month that was asked for last: dates are slow to take apart, and months are long. */
let month = { from: 0, to: 0, period: '' }

export function batchTime(now: number): BatchTime {
  if (now < month.from || now >= month.to) {
    const date = new Date(now)
    const [year, index] = [date.getUTCFullYear(), date.getUTCMonth()]
    month = { from: Date.UTC(year, index), to: Date.UTC(year, index + 1), period: date.toISOString().slice(0, 7) }
  }
  return { now, period: month.period }
}

/** What callers may see of a failed transport; the cause is for the log. */
export function toPublicError(error: unknown): AppError {
  const message = error instanceof ConnectionLost ? 'The credit ledger cannot be reached.' : 'The credit ledger failed.'
  return new AppError('server_error', message, { cause: error, detail: String(error) })
}
