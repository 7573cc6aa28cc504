/** What runs the operations of a process: its own subgraph, all of them merged, or those of other processes joined. */
import { systemClock } from '#platform/clock.js'
import type { Logger } from '#platform/log.js'
import type { Subgraph } from '#platform/subgraph.js'
import type { Config } from '../config/config.js'
import { buildSubgraphSchema } from '../graph/composition/subgraph-schema.js'
import { createEngine, type Engine } from '../graph/execution/engine.js'
import { mergeSchemas } from '../graph/execution/merged-schema.js'
import { createGatewayEngine } from '../graph/gateway/gateway-engine.js'
import { connectSubgraphs, type RemoteSubgraphs } from '../graph/gateway/remote/remote-subgraphs.js'
import { readApi, readSupergraph } from '../graph/gateway/supergraph.js'
import { hopLimits } from './limits.js'
import type { ServerMode } from './modes.js'

export interface ModeEngine {
  readonly engine: Engine
  /** The processes behind a gateway; none in the other modes. */
  readonly remotes: RemoteSubgraphs
}

export async function createModeEngine(
  config: Config,
  mode: ServerMode,
  ownSubgraphs: readonly Subgraph[],
  log: Logger,
): Promise<ModeEngine> {
  const subgraphs = ownSubgraphs.map(buildSubgraphSchema)
  const remotes = connectSubgraphs(mode.kind === 'gateway' ? mode.urls : new Map(), hopLimits(config), systemClock, log)
  if (mode.kind === 'gateway') {
    const engine = await createGatewayEngine({
      supergraphSdl: readSupergraph(),
      apiSdl: readApi(),
      subgraphs,
      remote: remotes.find,
      onNoPlanner: (reason) => log.warn({ reason }, 'operations are stitched, which costs more: there is no query planner here'),
    })
    return { engine, remotes }
  }
  const own = mode.kind === 'subgraph' ? subgraphs.find(({ name }) => name === mode.name) : null
  return { engine: createEngine(own ? own.schema : mergeSchemas(readApi(), subgraphs), { compiles: true }), remotes }
}
