/** Two ways to a subgraph: graphql-js on its schema in this process, and HTTP with server-sent events to another process. */
import { buildHTTPExecutor } from '@graphql-tools/executor-http'
import type { ExecutionRequest, Executor } from '@graphql-tools/utils'
import { execute, getOperationAST, OperationTypeNode, subscribe, type ExecutionArgs, type GraphQLSchema } from 'graphql'
import type { RequestContext } from '#platform/context.js'

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

/** Reaches a subgraph process with the caller's own key and request id, and leaves when the caller leaves. */
export function httpExecutor(endpoint: string): Executor<RequestContext> {
  const run = buildHTTPExecutor({
    endpoint,
    // Two callers' equal queries are not one query: their keys differ, and a charge must not be shared.
    deduplicateInflightRequests: false,
    headers: (request) => forwardedHeaders(request?.context as RequestContext | undefined),
  })
  const withSignal = (request: ExecutionRequest<Record<string, unknown>, RequestContext>) =>
    run({ ...request, signal: request.context?.signal ?? request.signal })
  return withSignal as Executor<RequestContext>
}

function forwardedHeaders(context: RequestContext | undefined): Record<string, string> {
  if (!context) return {}
  return {
    ...Object.fromEntries(context.headers),
    ...(context.authorization === undefined ? {} : { authorization: context.authorization }),
  }
}
