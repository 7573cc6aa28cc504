/** The subgraphs of a gateway that run in other processes: one connection to each, and which of them answer. */
import type { Clock } from '#platform/clock.js'
import type { Logger } from '#platform/log.js'
import { connectSubgraph, type HopLimits, type RemoteSubgraph } from './remote-subgraph.js'
import { createRequestBodies } from './request-bodies.js'
import { createSubgraphWatch } from './subgraph-watch.js'

export interface RemoteSubgraphs {
  /** Undefined for a subgraph of this process. */
  find(name: string): RemoteSubgraph | undefined
  /** For probes, within a second: a sentence that names who does not answer, null when all do. */
  problem(): Promise<string | null>
  close(): Promise<void>
}

/** A readiness probe of ours is answered within a second, and the rest of it takes time too. */
const PROBE_MS = 800

/** `urls` are by the name of the subgraph. */
export function connectSubgraphs(
  urls: ReadonlyMap<string, string>,
  limits: HopLimits,
  clock: Clock,
  log: Logger,
): RemoteSubgraphs {
  const bodies = createRequestBodies()
  const remotes = [...urls].map(([name, endpoint]) =>
    connectSubgraph({ name, endpoint, limits, clock, bodies, watch: createSubgraphWatch(name, clock, log) }),
  )
  const byName = new Map(remotes.map((remote) => [remote.name, remote]))
  return {
    find: (name) => byName.get(name),
    async problem() {
      const asked = await Promise.all(remotes.map(async (remote) => ((await remote.isAnswering(PROBE_MS)) ? [] : [remote.name])))
      const silent = asked.flat()
      if (silent.length === 0) return null
      const names = silent.map((name) => `"${name}"`).join(', ')
      return silent.length === 1 ? `The subgraph ${names} does not answer.` : `The subgraphs ${names} do not answer.`
    },
    async close() {
      await Promise.all([...remotes.map((remote) => remote.close()), bodies.stop()])
    },
  }
}
