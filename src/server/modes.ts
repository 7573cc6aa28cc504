/** The three ways to run one program. */
import { SUBGRAPH_NAMES, type SubgraphName } from '../app/subgraph-names.js'

export type ServerMode =
  | { readonly kind: 'serve' }
  /** One subgraph at /graphql, for a graph router in front. */
  | { readonly kind: 'subgraph'; readonly name: SubgraphName }
  /** The whole API over subgraph processes, by name. */
  | { readonly kind: 'gateway'; readonly urls: ReadonlyMap<string, string> }

/** The subgraphs that a process answers for itself: all, the one that it serves, or those that its gateway has no address of. */
export function ownSubgraphs(mode: ServerMode): ReadonlySet<SubgraphName> {
  if (mode.kind === 'subgraph') return new Set([mode.name])
  return new Set(mode.kind === 'serve' ? SUBGRAPH_NAMES : missingFrom(mode.urls))
}

export const missingFrom = (urls: ReadonlyMap<string, string>): SubgraphName[] => SUBGRAPH_NAMES.filter((name) => !urls.has(name))
