/**
 * An outage as an operator sees it: one log line when it begins and one when it ends, with what it cost, and metrics in
 * between. A thousand requests that fail for one reason are one event.
 */
import type { Clock } from '../clock.js'
import type { Logger } from '../log.js'
import type { Metrics } from '../metrics.js'
import type { DatabaseOutage, OutageReason } from './outage.js'

export interface Failure {
  /** Names what failed, such as its statement. */
  readonly work?: string
  /** How long it was tried before it was given up. */
  readonly lastedMs?: number
}

export interface OutageWatch {
  /** Counts a failure; the first one begins the outage. */
  failed(outage: DatabaseOutage, failure?: Failure): void
  /** Something worked. Ends the outage when nothing has failed for a while and this, or what worked before, shows that it is over. */
  succeeded(work?: string): void
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
/** What failed may never be asked for again. By then every wait for a lock has failed that still would. */
const UNPROVED_QUIET_MS = 15_000
/** Faults of what is touched, not of the connection: that other work succeeds proves nothing. */
const IS_OF_WORK: ReadonlySet<OutageReason> = new Set(['locked', 'read_only', 'full'])
const MAX_WORK = 100

interface Outage {
  readonly since: number
  lastFailureAt: number
  readonly failures: Map<OutageReason, number>
  readonly failedWork: Set<string>
  /** Since the last failure. */
  isProved: boolean
}

export function createOutageWatch({ part, clock, log, metrics }: OutageWatchOptions): OutageWatch {
  let outage: Outage | null = null
  /** What fits into the last free page of a full disk says nothing of the next write; only the ledger asks with a large one. */
  const isUnprovable = ({ failures }: Outage) => part === 'database' && failures.has('full')
  metrics.databaseOutage.set({ part }, 0)
  return {
    failed({ reason, detail }, { work, lastedMs = 0 } = {}) {
      const now = clock.monotonic()
      if (outage === null) {
        outage = { since: now - lastedMs, lastFailureAt: now, failures: new Map(), failedWork: new Set(), isProved: false }
        metrics.databaseOutage.set({ part }, 1)
        log.error({ part, reason, detail }, 'the database is in trouble: what needs it is answered with 503')
      }
      outage.lastFailureAt = now
      outage.isProved = false
      if (work !== undefined && IS_OF_WORK.has(reason) && outage.failedWork.size < MAX_WORK) outage.failedWork.add(work)
      outage.failures.set(reason, (outage.failures.get(reason) ?? 0) + 1)
      metrics.databaseFailures.inc({ part, reason })
    },
    succeeded(work) {
      if (outage === null) return
      outage.isProved ||=
        !isUnprovable(outage) && (outage.failedWork.size === 0 || (work !== undefined && outage.failedWork.has(work)))
      if (clock.monotonic() - outage.lastFailureAt < (outage.isProved ? QUIET_MS : UNPROVED_QUIET_MS)) return
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
