/**
 * Housekeeping, in every process that does the work of the accounts subgraph: sweeps holds that dead processes left open, checks
 * the ledger's invariants at the start and in the intervals that are set, forgets events that no subscriber can still be waiting
 * for, and lets go of what is kept no longer: messages to webhooks, stored responses, refusals, usage records, and charges, which
 * become daily sums.
 */
import { DAY_MS, HOUR_MS, delay, type Clock } from '#platform/clock.js'
import type { Logger } from '#platform/log.js'
import type { Metrics } from '#platform/metrics.js'
import type { Outbox } from '#platform/events/outbox.js'
import type { InvariantReport, Ledger, Refusals, Webhooks } from '../../subgraphs/accounts/index.js'
import type { StoredResponses } from '../../subgraphs/inference/index.js'

export interface HousekeepingOptions {
  readonly ledger: Ledger
  readonly outbox: Outbox
  readonly webhooks: Pick<Webhooks, 'unread' | 'prune'>
  /** Hears of every check. */
  readonly tellLedger: (report: InvariantReport) => Promise<void>
  readonly storedResponses: Pick<StoredResponses, 'prune'>
  readonly refusals: Pick<Refusals, 'prune'>
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  /** Between two looks for holds that dead processes left open. */
  readonly sweepMs: number
  /** Between two proofs of every balance; the first is made at the start. */
  readonly checkMs: number
  /** Days that something is kept; null for ever. Asked each time. */
  readonly keepDays: () => {
    /** Entries and usage records as they are. */
    readonly ledger: number | null
    readonly usage: number | null
  }
}

const PRUNE_MS = HOUR_MS
const LET_GO_MS = HOUR_MS
/** Whoever was away longer than this starts again from the present state. */
const EVENT_AGE_MS = 7 * DAY_MS

/** Starts at once; the returned function stops it and waits for what is under way. */
export function startHousekeeping(options: HousekeepingOptions): () => Promise<void> {
  const { ledger, outbox, webhooks, storedResponses, refusals, tellLedger, clock, log, metrics, keepDays, sweepMs, checkMs } =
    options
  const stop = new AbortController()

  const check = async () => {
    const report = await ledger.checkInvariants()
    metrics.ledgerInvariantsBroken.set(report.violations.length)
    if (!report.ok) log.error({ violations: report.violations }, 'the ledger does not balance')
    await tellLedger(report)
  }
  const sweep = async () => {
    const { closed } = await ledger.sweep()
    if (closed.length > 0) log.warn({ holds: closed.length }, 'closed holds that nobody was left to settle')
  }
  const prune = async () => {
    await outbox.prune(EVENT_AGE_MS, await webhooks.unread())
    await webhooks.prune()
    await storedResponses.prune()
    await refusals.prune()
  }
  const letGo = async () => {
    const { signal } = stop
    const days = keepDays()
    if (days.ledger !== null) {
      const { folded } = await ledger.fold({ keepDays: days.ledger, signal })
      if (folded > 0) log.info({ folded }, 'made daily sums of old charges')
    }
    if (days.usage !== null) {
      const { forgotten } = await ledger.forgetUsage({ keepDays: days.usage, signal })
      if (forgotten > 0) log.info({ forgotten }, 'forgot old usage records')
    }
  }
  const every = async (ms: number, job: () => Promise<void>) => {
    while (!stop.signal.aborted) {
      await job().catch((error: unknown) => log.error({ err: error }, 'housekeeping failed'))
      await delay(clock, ms, stop.signal)
    }
  }
  const running = Promise.all([every(sweepMs, sweep), every(checkMs, check), every(PRUNE_MS, prune), every(LET_GO_MS, letGo)])
  return async () => {
    stop.abort()
    await running
  }
}
