/** Housekeeping of the ledger: sweeps what dead processes left open, and checks the invariants at boot and once a day. */
import { delay, type Clock } from '#platform/clock.js'
import type { Logger } from '#platform/log.js'
import type { Metrics } from '#platform/metrics.js'
import type { Ledger } from '../subgraphs/accounts/index.js'

export interface LedgerKeeperOptions {
  readonly ledger: Ledger
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
}

const SWEEP_MS = 10_000
const CHECK_MS = 86_400_000

/** Starts at once; the returned function stops it and waits for what is under way. */
export function startLedgerKeeper({ ledger, clock, log, metrics }: LedgerKeeperOptions): () => Promise<void> {
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
  const every = async (ms: number, job: () => Promise<void>) => {
    while (!stop.signal.aborted) {
      await job().catch((error: unknown) => log.error({ err: error }, 'housekeeping of the ledger failed'))
      await delay(clock, ms, stop.signal)
    }
  }
  const running = Promise.all([every(SWEEP_MS, sweep), every(CHECK_MS, check)])
  return async () => {
    stop.abort()
    await running
  }
}
