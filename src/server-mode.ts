/** The three ways to run one program. */
import type { SubgraphName } from './subgraph-names.js'

export type ServerMode =
  | { readonly kind: 'serve' }
  /** One subgraph at /graphql, for a graph router in front. */
  | { readonly kind: 'subgraph'; readonly name: SubgraphName }
  /** The whole API over subgraph processes, by name. */
  | { readonly kind: 'gateway'; readonly urls: ReadonlyMap<string, string> }
