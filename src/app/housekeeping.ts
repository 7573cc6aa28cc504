/**
 * Housekeeping, in one process of an installation: sweeps holds that dead processes left open, checks the ledger's invariants at
 * boot and once a day, forgets events that no subscriber can still be waiting for, and makes daily sums of old charges.
 */
import { delay, type Clock } from '#platform/clock.js'
import type { Logger } from '#platform/log.js'
import type { Metrics } from '#platform/metrics.js'
import type { Outbox } from '#platform/events/outbox.js'
import type { Ledger } from '../../subgraphs/accounts/index.js'

export interface HousekeepingOptions {
  readonly ledger: Ledger
  readonly outbox: Outbox
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  /** Days that entries and usage records are kept as they are; null for ever. */
  readonly keepDays: number | null
}

const SWEEP_MS = 10_000
const CHECK_MS = 86_400_000
const PRUNE_MS = 3_600_000
const FOLD_MS = 3_600_000
/** Whoever was away longer than this starts again from the present state. */
const EVENT_AGE_MS = 7 * 86_400_000

/** Starts at once; the returned function stops it and waits for what is under way. */
export function startHousekeeping({ ledger, outbox, clock, log, metrics, keepDays }: HousekeepingOptions): () => Promise<void> {
  const stop = new AbortController()

  const check = async () => {
    const report = await ledger.checkInvariants()
    metrics.ledgerInvariantsBroken.set(report.violations.length)
    if (!report.ok) log.error({ violations: report.violations }, 'the ledger does not balance')
  }
  const sweep = async () => {
    const { closed } = await ledger.sweep()
    if (closed.length > 0) log.warn({ holds: closed.length }, 'closed holds that nobody was left to settle')
  }
  const prune = async () => void (await outbox.prune(EVENT_AGE_MS))
  const fold = async () => {
    if (keepDays === null) return
    const { folded } = await ledger.fold({ keepDays, signal: stop.signal })
    if (folded > 0) log.info({ folded }, 'made daily sums of old charges')
  }
  const every = async (ms: number, job: () => Promise<void>) => {
    while (!stop.signal.aborted) {
      await job().catch((error: unknown) => log.error({ err: error }, 'housekeeping failed'))
      await delay(clock, ms, stop.signal)
    }
  }
  const running = Promise.all([every(SWEEP_MS, sweep), every(CHECK_MS, check), every(PRUNE_MS, prune), every(FOLD_MS, fold)])
  return async () => {
    stop.abort()
    await running
  }
}
