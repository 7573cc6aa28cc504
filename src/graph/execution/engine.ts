/** The one way to execute operations on a schema: compiled where that pays, interpreted by graphql-js where it does not. */
import { mapAsyncIterator } from '@graphql-tools/utils'
import {
  createSourceEventStream,
  execute,
  getOperationAST,
  GraphQLError,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import type { RequestContext } from '#platform/requests/context.js'
import { isCompilable } from './compilable.js'
import { compileOperation, guardTypeResolvers, type CompiledOperation } from './compiled-operation.js'
import { coercionOf, type VariableCoercion } from './variables.js'

/** A valid document, of which the engine remembers the program for as long as the document itself is kept. */
export interface EngineRequest {
  readonly document: DocumentNode
  readonly operationName?: string | null | undefined
  readonly variableValues?: Readonly<Record<string, unknown>> | null | undefined
  readonly contextValue: RequestContext
  /** Written by us: compiled at its first use and whatever is in it. */
  readonly isOwn?: boolean
}

/** An operation that belongs to another process alone: its answer or its events as bytes, or the result of what kept it from them. */
export interface Relay {
  /** The JSON text of an answer with data. */
  answer(): Promise<Uint8Array | ExecutionResult>
  /** Whole events, the one that says that they are complete too. @throws AppError in the iteration, when they break off */
  events(): Promise<AsyncIterable<Uint8Array> | ExecutionResult>
}

export interface Engine {
  readonly schema: GraphQLSchema
  /** Null for an operation that is to be executed here. */
  relay?(request: EngineRequest): Relay | null
  execute(request: EngineRequest): Promise<ExecutionResult> | ExecutionResult
  /** The result of each event; a single result when there are none to come. */
  subscribe(request: EngineRequest): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult>
}

interface Program {
  readonly coerce: VariableCoercion
  uses: number
  /** Null when it is not to be compiled. */
  compiled: CompiledOperation | null | undefined
}

export interface EngineOptions {
  /** False for a schema whose resolvers look at the document of the execution, as those of a stitched one do. */
  readonly compiles: boolean
}

export function createEngine(schema: GraphQLSchema, { compiles }: EngineOptions): Engine {
  if (compiles) guardTypeResolvers(schema)
  const programs = new WeakMap<OperationDefinitionNode, Program>()

  function programOf(operation: OperationDefinitionNode): Program {
    let program = programs.get(operation)
    if (!program) {
      program = { coerce: coercionOf(schema, operation), uses: 0, compiled: compiles ? undefined : null }
      programs.set(operation, program)
    }
    return program
  }

  /** Who asks once pays for no compilation; an event of a subscription is a use too. */
  function compiledOf(
    { document, isOwn = false }: EngineRequest,
    operation: OperationDefinitionNode,
    program: Program,
  ): CompiledOperation | null {
    if (program.compiled !== undefined) return program.compiled
    if (++program.uses < USES_TO_COMPILE && !isOwn) return null
    program.compiled = isOwn || isCompilable(document, operation) ? compileOperation(schema, document, operation) : null
    return program.compiled
  }

  function run(
    request: EngineRequest,
    operation: OperationDefinitionNode,
    program: Program,
    coerced: Coerced,
    rootValue?: unknown,
  ) {
    const compiled = compiledOf(request, operation, program)
    if (compiled) return compiled(rootValue, request.contextValue, coerced)
    return execute({ schema, rootValue, ...request })
  }

  return {
    schema,

    execute(request) {
      const operation = operationOf(request)
      const program = programOf(operation)
      const { coerced, errors } = program.coerce(request.variableValues ?? {})
      return coerced ? run(request, operation, program, coerced) : { errors }
    },

    async subscribe(request) {
      const operation = operationOf(request)
      const program = programOf(operation)
      const { coerced, errors } = program.coerce(request.variableValues ?? {})
      if (!coerced) return { errors }
      const source = await createSourceEventStream({ schema, ...request })
      if (!(Symbol.asyncIterator in source)) return source
      return mapAsyncIterator(source[Symbol.asyncIterator](), (event) => run(request, operation, program, coerced, event))
    },
  }
}

const USES_TO_COMPILE = 2

type Coerced = Readonly<Record<string, unknown>>

function operationOf({ document, operationName }: EngineRequest): OperationDefinitionNode {
  const operation = getOperationAST(document, operationName)
  if (!operation) throw new GraphQLError('The document has no such operation.')
  return operation
}
