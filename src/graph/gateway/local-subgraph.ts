/** The way to a subgraph in this process. */
import { parse, type DocumentNode, type GraphQLSchema } from 'graphql'
import { LRUCache } from 'lru-cache'
import { createEngine, type Engine } from '../execution/engine.js'
import type { SubgraphRequest } from './planned/plan-runner.js'
import type { SubgraphLink } from './planned/planned-engine.js'

/** Each belongs to a document of the callers, which are remembered likewise. */
const REMEMBERED_DOCUMENTS = 500

/** The schema is made when the subgraph is first asked. */
export function localSubgraph(schema: () => GraphQLSchema): Pick<SubgraphLink, 'ask' | 'follow'> {
  let engine: Engine | undefined
  const run = () => (engine ??= createEngine(schema(), { compiles: true }))
  const documents = new LRUCache<string, DocumentNode>({ max: REMEMBERED_DOCUMENTS, memoMethod: (query) => parse(query) })
  const requestOf = ({ query, operationName, variables, context }: SubgraphRequest) => ({
    document: documents.memo(query),
    operationName,
    variableValues: variables,
    contextValue: context,
  })
  return {
    ask: async (request) => run().execute(requestOf(request)),
    follow: (request) => run().subscribe(requestOf(request)),
  }
}
