/** The graph for the other edges: their typed documents on the engine, faults thrown. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { getOperationAST, validate, type DocumentNode, type ExecutionResult } from 'graphql'
import { mapAsyncIterator } from '@graphql-tools/utils'
import { AppError, errorCodeOf, toAppError } from '#platform/errors.js'
import type { RequestContext } from '#platform/requests/context.js'
import { inSpan } from '#platform/requests/in-span.js'
import type { Graph } from '../../edge/execute.js'
import type { Engine, EngineRequest } from './engine.js'

export function createTypedGraph(engine: Engine): Graph {
  const spanNames = new WeakMap<DocumentNode, string>()
  /** The name of its span; a document is checked when it first comes. */
  const spanNameOf = (document: DocumentNode): string => {
    let name = spanNames.get(document)
    if (name === undefined) {
      assertValid(engine, document)
      spanNames.set(document, (name = `graphql ${getOperationAST(document)?.name?.value ?? ''}`))
    }
    return name
  }
  return {
    async execute<TData>(document: TypedDocumentNode<TData>, variables: object, context: RequestContext) {
      const name = spanNameOf(document)
      const result = await inSpan(context, name, (within) => engine.execute(ownRequest(document, variables, within)))
      return dataOf(result) as TData
    },

    async subscribe<TData>(document: TypedDocumentNode<TData>, variables: object, context: RequestContext) {
      const name = spanNameOf(document)
      const opened = await inSpan(context, name, (within) => engine.subscribe(ownRequest(document, variables, within)))
      if (!(Symbol.asyncIterator in opened)) throw faultOf(opened)
      return mapAsyncIterator(opened, (result) => dataOf(result) as TData)
    },
  }
}

function ownRequest(document: DocumentNode, variables: object, contextValue: RequestContext): EngineRequest {
  return { document, variableValues: variables as Record<string, unknown>, contextValue, isOwn: true }
}

/** Documents are typed from the committed schema; one that does not fit this process's is a mistake of the build. */
function assertValid({ schema }: Engine, document: DocumentNode): void {
  const [error] = validate(schema, document)
  if (!error) return
  const name = getOperationAST(document)?.name?.value ?? 'An operation'
  throw new Error(`${name} does not fit the schema: ${error.message}`)
}

function dataOf(result: ExecutionResult): unknown {
  if (result.errors && result.errors.length > 0) throw faultOf(result)
  return result.data
}

/** The domain's own fault behind the first error, also when it came from a subgraph process and only its extensions are left. */
function faultOf({ errors }: Pick<ExecutionResult, 'errors'>): AppError {
  const error = errors?.[0]
  for (let at: unknown = error; at instanceof Error; at = 'originalError' in at ? at.originalError : at.cause) {
    if (at instanceof AppError) return at
  }
  const { code: graphqlCode, param, publicCode, retryAfterSeconds } = error?.extensions ?? {}
  const code = errorCodeOf(graphqlCode)
  if (code) {
    return new AppError(code, error!.message, {
      ...(typeof param === 'string' && { param }),
      ...(typeof publicCode === 'string' && { publicCode }),
      ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
    })
  }
  // graphql-js reports a variable that does not fit its type without an original error: that is the caller's fault.
  if (error && !error.originalError && error.path === undefined) {
    return new AppError('invalid_request_error', 'The request does not fit the API.', { detail: error.message })
  }
  return toAppError(error?.originalError ?? error)
}
