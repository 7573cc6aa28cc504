/** The names of our subgraphs: the files in schema/ and the arguments of `sluice subgraph <name>`. */
export const SUBGRAPH_NAMES = ['accounts', 'catalog', 'pricing', 'inference', 'compute', 'compliance'] as const
export type SubgraphName = (typeof SUBGRAPH_NAMES)[number]

/**
 * The subgraphs whose background work a process does: those that it answers for. Several processes may do the work of one;
 * what only one may do at a time is decided in the database.
 */
export type BackgroundWork = ReadonlySet<SubgraphName>
