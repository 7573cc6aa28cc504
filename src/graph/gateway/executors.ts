/** The way to a subgraph in this process: graphql-js on its schema. The way to one elsewhere is in remote-subgraph.ts. */
import type { ExecutionRequest, Executor } from '@graphql-tools/utils'
import { execute, getOperationAST, OperationTypeNode, subscribe, type ExecutionArgs, type GraphQLSchema } from 'graphql'
import type { RequestContext } from '#platform/requests/context.js'

/** Runs documents that the gateway has planned and validated, so it does not validate again. */
export function localExecutor(schema: GraphQLSchema): Executor<RequestContext> {
  const run = (request: ExecutionRequest) => {
    const args: ExecutionArgs = {
      schema,
      document: request.document,
      variableValues: request.variables,
      contextValue: request.context,
      operationName: request.operationName ?? null,
    }
    const operation = getOperationAST(request.document, request.operationName)
    return operation?.operation === OperationTypeNode.SUBSCRIPTION ? subscribe(args) : execute(args)
  }
  return run as Executor<RequestContext>
}
