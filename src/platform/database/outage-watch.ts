/**
 * An outage as an operator sees it: one log line when it begins and one when it ends, with what it cost, and metrics in
 * between. A thousand requests that fail for one reason are one event.
 */
import type { Clock } from '../clock.js'
import type { Logger } from '../log.js'
import type { Metrics } from '../metrics.js'
import type { DatabaseOutage, OutageReason } from './outage.js'

export interface OutageWatch {
  /** Counts a failure; the first one begins the outage. */
  failed(outage: DatabaseOutage): void
  /** Something worked. Ends the outage when nothing has failed for a while. */
  succeeded(): void
}

export interface OutageWatchOptions {
  /** Which connections these are: `database` for the pool, `ledger` for the ledger's own. */
  readonly part: 'database' | 'ledger'
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
}

/** While some statements still fail and others work, the outage is not over. */
const QUIET_MS = 2_000

interface Outage {
  readonly since: number
  lastFailureAt: number
  readonly failures: Map<OutageReason, number>
}

export function createOutageWatch({ part, clock, log, metrics }: OutageWatchOptions): OutageWatch {
  let outage: Outage | null = null
  metrics.databaseOutage.set({ part }, 0)
  return {
    failed({ reason, detail }) {
      const now = clock.monotonic()
      if (outage === null) {
        outage = { since: now, lastFailureAt: now, failures: new Map() }
        metrics.databaseOutage.set({ part }, 1)
        log.error({ part, reason, detail }, 'the database is in trouble: what needs it is answered with 503')
      }
      outage.lastFailureAt = now
      outage.failures.set(reason, (outage.failures.get(reason) ?? 0) + 1)
      metrics.databaseFailures.inc({ part, reason })
    },
    succeeded() {
      if (outage === null || clock.monotonic() - outage.lastFailureAt < QUIET_MS) return
      const { since, failures } = outage
      outage = null
      metrics.databaseOutage.set({ part }, 0)
      const seconds = Math.round((clock.monotonic() - since) / 1000)
      log.info({ part, seconds, failures: Object.fromEntries(failures) }, 'the database works again')
    },
  }
}

/** For programs that run once and tell of a fault themselves. */
export const noOutageWatch: OutageWatch = { failed: () => undefined, succeeded: () => undefined }
