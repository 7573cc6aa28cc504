/** The names of our subgraphs: the files in schema/ and the arguments of `sluice subgraph <name>`. */
export const SUBGRAPH_NAMES = ['accounts', 'catalog', 'pricing', 'inference', 'compute', 'compliance'] as const
export type SubgraphName = (typeof SUBGRAPH_NAMES)[number]
