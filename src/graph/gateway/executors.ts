/** Subgraphs as a stitched schema asks them. */
import type { ExecutionRequest, Executor } from '@graphql-tools/utils'
import { getOperationAST, OperationTypeNode, print } from 'graphql'
import type { RequestContext } from '#platform/requests/context.js'
import type { SubgraphLink } from './planned/planned-engine.js'

/** Runs documents that the stitching has made and validated, so nobody validates them again here. */
export function executorOver({ ask, follow }: Pick<SubgraphLink, 'ask' | 'follow'>): Executor {
  const run = ({
    document,
    variables = {},
    operationName,
    context,
  }: ExecutionRequest<Record<string, unknown>, RequestContext>) => {
    if (!context) throw new Error('A subgraph is asked on behalf of a request.')
    const type = getOperationAST(document, operationName)?.operation ?? OperationTypeNode.QUERY
    const isChange = type !== OperationTypeNode.QUERY
    const request = { query: print(document), variables, operationName, isChange, context }
    return type === OperationTypeNode.SUBSCRIPTION ? follow(request) : ask(request)
  }
  return run as Executor
}
