/**
 * Runs the named operations of the REST and MCP edges on the graph. A document whose fields all live in one subgraph of this
 * process runs on that subgraph's own schema, which is several times cheaper than the gateway's plan for the same fields.
 */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import {
  createSourceEventStream,
  execute,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  Kind,
  subscribe,
  validate,
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql'
import type { RequestContext } from '#platform/requests/context.js'
import type { DirectAnswer } from '#platform/subgraph.js'
import { AppError, errorCodeOf, toAppError } from '#platform/errors.js'

export interface Operations {
  /** For what is always there. @throws AppError the first fault of the answer. */
  run<TData, TVariables extends object>(
    document: TypedDocumentNode<TData, TVariables>,
    variables: TVariables,
    context: RequestContext,
  ): Promise<WholeAnswer<TData>>
  /** For what may not exist, which is null. @throws AppError the first fault of the answer. */
  find<TData, TVariables extends object>(
    document: TypedDocumentNode<TData, TVariables>,
    variables: TVariables,
    context: RequestContext,
  ): Promise<TData>
  /**
   * The root value of an operation with one root field: the domain's own object where the subgraph is in this process (the
   * arguments are coerced and the resolver runs, but nothing is selected), else the selected data of that field. A subgraph
   * that answers the field directly gets the variables as they are.
   */
  source<TData, TVariables extends object>(
    document: TypedDocumentNode<TData, TVariables>,
    variables: TVariables,
    context: RequestContext,
  ): Promise<unknown>
  /**
   * The root values of a subscription's events: the domain's own objects where the subgraph is in this process (no execution
   * an event), else the selected data. The arguments were coerced, the caller authorised and the source opened.
   */
  stream<TData, TVariables extends object>(
    document: TypedDocumentNode<TData, TVariables>,
    variables: TVariables,
    context: RequestContext,
  ): Promise<EventSource<TData>>
}

/** Root fields are nullable because a service may fail alone, and then the answer carries its fault: without one nothing is missing. */
export type WholeAnswer<TData> = { [Field in keyof TData]: NonNullable<TData[Field]> }

export type EventSource<TData> =
  | { readonly kind: 'source'; readonly events: AsyncIterable<unknown> }
  | { readonly kind: 'data'; readonly events: AsyncIterable<TData> }

export interface OperationsOptions {
  /** The schemas of the subgraphs in this process. */
  readonly local: readonly GraphQLSchema[]
  /** Root fields that a subgraph of this process answers without execution. */
  readonly direct: Readonly<Record<string, DirectAnswer>>
  readonly gateway: GraphQLSchema
}

/** What is known of a document before any request: its one root field, ready to be called. */
interface RootCall {
  readonly schema: GraphQLSchema
  readonly variables: readonly VariableDefinitionNode[]
  readonly node: FieldNode
  readonly field: GraphQLField<unknown, unknown>
  readonly direct: DirectAnswer | undefined
}

export function createOperations({ local, direct, gateway }: OperationsOptions): Operations {
  const rootCalls = new Map<DocumentNode, RootCall | null>()
  const rootCallOf = (document: DocumentNode) => {
    let call = rootCalls.get(document)
    if (call === undefined) {
      const home = homeOf(document)
      call = home && prepareRootCall(home, document, direct)
      rootCalls.set(document, call)
    }
    return call
  }
  const homes = new Map<object, GraphQLSchema | null>()
  const homeOf = (document: DocumentNode) => {
    let home = homes.get(document)
    if (home === undefined) {
      home = local.find((schema) => validate(schema, document).length === 0) ?? null
      homes.set(document, home)
    }
    return home
  }

  return {
    async run(document, variables, context) {
      return whole(await this.find(document, variables, context))
    },

    async find(document, variables, context) {
      const result = await execute({
        schema: homeOf(document) ?? gateway,
        document,
        variableValues: variables as Record<string, unknown>,
        contextValue: context,
      })
      return dataOf(result) as never
    },

    async source(document, variables, context) {
      const call = rootCallOf(document)
      if (call) return callRoot(call, variables as Record<string, unknown>, context)
      const data = await this.run(document, variables, context)
      return Object.values(data as object)[0]
    },

    async stream(document, variables, context) {
      const home = homeOf(document)
      const args = {
        schema: home ?? gateway,
        document,
        variableValues: variables as Record<string, unknown>,
        contextValue: context,
      }
      const opened = home ? await createSourceEventStream(args) : await subscribe(args)
      if (!(Symbol.asyncIterator in opened)) throw faultOf(opened)
      if (home) return { kind: 'source', events: opened }
      return { kind: 'data', events: eachData(opened) as never }
    },
  }
}

function prepareRootCall(schema: GraphQLSchema, document: DocumentNode, direct: OperationsOptions['direct']): RootCall {
  const operation = getOperationAST(document)
  const node = operation?.selectionSet.selections[0]
  const root = operation && schema.getRootType(operation.operation)
  const field = node?.kind === Kind.FIELD ? root?.getFields()[node.name.value] : undefined
  if (!operation || node?.kind !== Kind.FIELD || !field) throw new Error('The document does not have one root field.')
  const isPassedThrough = node.arguments?.every(({ name, value }) => isVariable(value, name.value)) ?? true
  const answer = isPassedThrough ? direct[field.name] : undefined
  return { schema, variables: operation.variableDefinitions ?? [], node, field, direct: answer }
}

const isVariable = (value: ValueNode, name: string): boolean => value.kind === Kind.VARIABLE && value.name.value === name

/** What execution does up to the resolver's answer. Our resolvers ask for no `info`. */
function callRoot(
  { schema, variables, node, field, direct }: RootCall,
  inputs: Record<string, unknown>,
  context: RequestContext,
): unknown {
  if (direct) return direct(inputs, context)
  const { coerced, errors } = getVariableValues(schema, variables, inputs)
  if (errors) throw faultOf({ errors })
  return field.resolve?.(undefined, getArgumentValues(field, node, coerced), context, undefined as never)
}

async function* eachData(results: AsyncIterable<unknown>): AsyncGenerator {
  for await (const result of results) yield dataOf(result as ExecutionResult)
}

function whole<TData>(data: TData): WholeAnswer<TData> {
  const missing = Object.entries(data as object).find(([, value]) => value === null)
  if (missing) throw new Error(`The graph answered no ${missing[0]}, and no reason why.`)
  return data as WholeAnswer<TData>
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
