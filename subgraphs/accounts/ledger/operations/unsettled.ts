/**
 * Outcomes that the database did not take: settlements and releases of ended requests, kept and repeated until they are
 * durable. Their callers were told of the failure and have gone; the money still has to move, and holds must not stay open.
 *
 * One outcome a hold, the first: whoever closes the hold again meanwhile pushes that one. A charge is once-only by the hold's
 * id, so a repetition after a commit that was in doubt changes nothing. A process that dies leaves its holds to the sweep,
 * which charges what was metered.
 */
import type { Clock } from '#platform/clock.js'
import { DatabaseOutage } from '#platform/database/outage.js'
import { AppError } from '#platform/errors.js'
import type { ClosingOperation, Outcome } from './operation.js'

const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 2_000
/** Repeated at once when the database is back. */
const MAX_TOGETHER = 512

export interface UnsettledOptions {
  readonly clock: Clock
  readonly run: (operation: ClosingOperation) => Promise<Outcome>
  /** Outcomes kept at most; the sweep closes the holds of others when they expire. */
  readonly limit: number
  /** An outcome that is durable after all, after its caller was told that it failed. */
  readonly onLate: (operation: ClosingOperation, outcome: Outcome) => void
  /** An outcome that will not be repeated; the sweep closes its hold. */
  readonly onLost: (operation: ClosingOperation, error: unknown) => void
}

export interface Unsettled {
  /**
   * Closes a hold, or pushes the outcome that waits for it.
   *
   * @throws AppError when the operation, or what `otherwise` makes of it, waits to be repeated
   */
  close(operation: ClosingOperation, otherwise?: () => ClosingOperation): Promise<Outcome>
  /** Keeps an outcome that nobody waits for. */
  keep(operation: ClosingOperation): void
  /** Repeats everything now; resolves when it was tried once. */
  push(): Promise<void>
  has(holdId: string): boolean
  count(): number
  /** Repeats until nothing is left or the time is up, and stops. */
  drain(limitMs: number): Promise<void>
}

export function createUnsettled(options: UnsettledOptions): Unsettled {
  const { clock, run, limit, onLate, onLost } = options
  const kept = new Map<string, ClosingOperation>()
  const later = createGrowingPause(clock, () => void push())
  let pushing: Promise<void> | null = null
  let isStopped = false

  const keep = (operation: ClosingOperation, error?: unknown) => {
    if (kept.has(operation.holdId)) return
    if (kept.size >= limit) return onLost(operation, error)
    kept.set(operation.holdId, operation)
    schedule()
  }
  const schedule = () => {
    if (!isStopped && kept.size > 0) later.begin()
  }
  /** True when the database took it, or never will. */
  const repeat = async (operation: ClosingOperation): Promise<boolean> => {
    try {
      const outcome = await run(operation)
      if (kept.delete(operation.holdId)) onLate(operation, outcome)
    } catch (error) {
      if (isTrouble(error)) return false
      if (kept.delete(operation.holdId)) onLost(operation, error)
    }
    return true
  }
  const pushAll = async () => {
    // One goes ahead: while the database is in trouble, the others need not stand in its queue.
    for (let together = 1; kept.size > 0 && !isStopped; together = MAX_TOGETHER) {
      const taken = await Promise.all([...kept.values()].slice(0, together).map(repeat))
      if (taken.includes(false)) return
    }
    later.shorten()
  }
  const push = () => {
    pushing ??= pushAll().finally(() => {
      pushing = null
      schedule()
    })
    return pushing
  }
  return {
    async close(operation, otherwise) {
      const waiting = kept.get(operation.holdId)
      try {
        const outcome = await run(waiting ?? operation)
        if (waiting && kept.delete(operation.holdId)) onLate(waiting, outcome)
        return outcome
      } catch (error) {
        if (isTrouble(error)) keep(otherwise?.() ?? operation, error)
        throw error
      }
    },
    keep,
    push,
    has: (holdId) => kept.has(holdId),
    count: () => kept.size,
    async drain(limitMs) {
      later.cancel()
      const deadline = performance.now() + limitMs
      const isOver = () => kept.size === 0 || performance.now() > deadline
      while (!isOver()) {
        await Promise.race([push(), pause(deadline - performance.now())])
        if (!isOver()) await pause(FIRST_PAUSE_MS)
      }
      isStopped = true
      later.cancel()
    },
  }
}

/** Calls `work` after a pause that is twice as long each time, until it is shortened. */
function createGrowingPause(clock: Clock, work: () => void) {
  let pauseMs = FIRST_PAUSE_MS
  let cancelTimer: (() => void) | null = null
  return {
    /** One pause at a time: while it lasts, this changes nothing. */
    begin() {
      if (cancelTimer !== null) return
      cancelTimer = clock.setTimeout(() => {
        cancelTimer = null
        work()
      }, pauseMs)
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)
    },
    shorten() {
      pauseMs = FIRST_PAUSE_MS
    },
    cancel() {
      cancelTimer?.()
      cancelTimer = null
    },
  }
}

/** Real time: a process that stops waits for a real database, whatever clock it has. */
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Worth repeating: the database was in trouble, or the queue before it was full. */
export const isTrouble = (error: unknown): boolean =>
  error instanceof DatabaseOutage || (error instanceof AppError && error.code === 'rate_limit')
