/** A subgraph that does not answer, as an operator sees it: one log line when that begins and one when it is over. */
import type { Clock } from '#platform/clock.js'
import type { Logger } from '#platform/log.js'

export interface SubgraphWatch {
  /** A call found it dead, or an answer that is not a subgraph's. */
  failed(cause: unknown): void
  answered(): void
}

/** While some calls still fail and others do not, as with one of several processes behind an address, it is not over. */
const QUIET_MS = 2_000

export function createSubgraphWatch(subgraph: string, clock: Clock, log: Logger): SubgraphWatch {
  let outage: { readonly since: number; lastFailureAt: number; failures: number } | null = null
  return {
    failed(cause) {
      const now = clock.monotonic()
      if (outage === null) {
        outage = { since: now, lastFailureAt: now, failures: 0 }
        log.error({ subgraph, reason: reasonOf(cause) }, 'a subgraph does not answer: what needs it is answered with an error')
      }
      outage.lastFailureAt = now
      outage.failures++
    },
    answered() {
      if (outage === null || clock.monotonic() - outage.lastFailureAt < QUIET_MS) return
      const { since, failures } = outage
      outage = null
      log.info({ subgraph, seconds: Math.round((clock.monotonic() - since) / 1000), failures }, 'a subgraph answers again')
    },
  }
}

/** Such as ECONNREFUSED, or words of ours and of the client's; never a part of an answer. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown'
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name === 'Error' ? cause.message : cause.name
}
