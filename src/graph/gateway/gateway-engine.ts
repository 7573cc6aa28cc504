/** The engine of a gateway over subgraphs of other processes and, where it has no address of one, of this process. */
import { buildSchema, GraphQLSchema } from 'graphql'
import type { SubgraphSchema } from '../composition/subgraph-schema.js'
import { createEngine, type Engine } from '../execution/engine.js'
import { executorOver } from './executors.js'
import { localSubgraph } from './local-subgraph.js'
import { createPlannedEngine, type SubgraphLink } from './planned/planned-engine.js'
import { loadHivePlanner } from './planned/query-planner.js'
import type { RemoteSubgraph } from './remote/remote-subgraph.js'

export interface GatewayEngineOptions {
  readonly supergraphSdl: string
  /** The public API of it. */
  readonly apiSdl: string
  readonly subgraphs: readonly SubgraphSchema[]
  /** Undefined for a subgraph of this process. */
  readonly remote: (name: string) => RemoteSubgraph | undefined
  /** Why operations are stitched instead of planned. */
  readonly onNoPlanner: (reason: string) => void
  /** Hive's when left out. */
  readonly loadPlanner?: typeof loadHivePlanner
}

export async function createGatewayEngine(options: GatewayEngineOptions): Promise<Engine> {
  const { supergraphSdl, apiSdl, subgraphs, remote, onNoPlanner, loadPlanner = loadHivePlanner } = options
  const links = new Map(subgraphs.map((subgraph) => [subgraph.name, linkTo(subgraph, remote(subgraph.name))]))
  const planner = await loadPlanner(supergraphSdl)
  if ('reason' in planner) {
    onNoPlanner(planner.reason)
    return stitchedEngine(supergraphSdl, links)
  }
  let stitched: Promise<Engine> | undefined
  return createPlannedEngine({
    schema: buildSchema(apiSdl, { assumeValid: true, assumeValidSDL: true, noLocation: true }),
    plan: planner.plan,
    links,
    stitched: () => (stitched ??= stitchedEngine(supergraphSdl, links)),
  })
}

/** The libraries that stitch are large: who has a planner seldom needs them, and one process with all subgraphs never. */
async function stitchedEngine(supergraphSdl: string, links: ReadonlyMap<string, SubgraphLink>): Promise<Engine> {
  const { createGatewaySchema } = await import('./gateway.js')
  const schema = createGatewaySchema({ supergraphSdl, executorFor: (name) => executorOver(links.get(name)!) })
  return createEngine(schema, { compiles: false })
}

function linkTo(subgraph: SubgraphSchema, remote: RemoteSubgraph | undefined): SubgraphLink {
  // One that has no query of its own is no valid schema until a router adds its fields, and documents are validated all the same.
  const declared = new GraphQLSchema({ ...subgraph.declared.toConfig(), assumeValid: true })
  if (!remote) return { declared, unread: null, ...localSubgraph(() => subgraph.schema) }
  const { ask, follow, askUnread, followUnread } = remote
  return { declared, ask, follow, unread: { ask: askUnread, follow: followUnread } }
}
