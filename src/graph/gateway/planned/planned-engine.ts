/**
 * The engine of a gateway: a query planner says which subgraph to ask for what, and what belongs to one subgraph alone is passed
 * on unread. Whatever a plan here cannot do is left to the stitched schema.
 */
import type { ExecutionResult } from '@graphql-tools/utils'
import {
  execute,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  Kind,
  OperationTypeNode,
  print,
  separateOperations,
  validate,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import type { FetchNode, PlanNode, QueryPlan } from '@graphql-hive/router-query-planner'
import type { Engine, EngineRequest, Relay } from '../../execution/engine.js'
import { compileStep, UnknownStep, type PlanRun, type Step, type SubgraphRequest, type Tree } from './plan-runner.js'
import { compileProjection, type Projection } from './projection.js'

/** A subgraph as this gateway reaches it. Its own faults are in its results; it never rejects. */
export interface SubgraphLink {
  /** As the subgraph declares it. */
  readonly declared: GraphQLSchema
  ask(request: SubgraphRequest): Promise<ExecutionResult>
  follow(request: SubgraphRequest): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult>
  /** Null for one in this process, of which there are no bytes. */
  readonly unread: {
    ask(request: SubgraphRequest): Promise<Uint8Array | ExecutionResult>
    follow(request: SubgraphRequest): Promise<AsyncIterable<Uint8Array> | ExecutionResult>
  } | null
}

export interface PlannedEngineOptions {
  /** The public API. */
  readonly schema: GraphQLSchema
  readonly plan: (query: string, operationName: string | null) => QueryPlan
  /** By the subgraph's name. */
  readonly links: ReadonlyMap<string, SubgraphLink>
  /** Made when the first operation needs it. */
  readonly stitched: () => Promise<Engine>
}

/** How one operation is run. */
interface Planned {
  /** The source of a subscription. */
  readonly source: FetchNode | null
  /** Null when the source brings everything. */
  readonly step: Step | null
  readonly projectionFor: (coerced: Variables) => Projection
  /** The whole operation for the one subgraph that it belongs to, where that is elsewhere. */
  readonly passed: {
    readonly link: NonNullable<SubgraphLink['unread']>
    readonly query: string
    readonly isChange: boolean
  } | null
}

type Variables = Readonly<Record<string, unknown>>

/** Combinations of `@skip` and `@include` that are remembered of one operation. */
const REMEMBERED_PROJECTIONS = 16

export function createPlannedEngine(options: PlannedEngineOptions): Engine {
  const { schema, links } = options
  const known = new WeakMap<OperationDefinitionNode, Planned | null>()

  function plannedOf({ document, operationName }: EngineRequest): Planned | null {
    const operation = operationOf(document, operationName)
    let planned = known.get(operation)
    if (planned === undefined) known.set(operation, (planned = planOf(options, document, operation)))
    return planned
  }

  const linkOf = (name: string): SubgraphLink => {
    const link = links.get(name.toLowerCase())
    if (!link) throw new Error(`There is no subgraph "${name}".`)
    return link
  }
  const ask: PlanRun['ask'] = (name, request) => linkOf(name).ask(request)

  async function complete(planned: Planned, run: PlanRun): Promise<ExecutionResult> {
    await planned.step?.(run)
    const { data, errors, coerced } = run
    const answer = planned.projectionFor(coerced)(data, errors)
    return { ...(errors.length > 0 && { errors }), data: answer }
  }

  return {
    schema,

    async execute(request) {
      const { document, operationName, contextValue } = request
      if (isIntrospection(operationOf(document, operationName))) return execute({ schema, ...request })
      const planned = plannedOf(request)
      if (!planned) return (await options.stitched()).execute(request)
      const { variables, coerced, errors } = variablesOf(schema, request)
      if (!coerced) return { errors }
      return complete(planned, { ask, variables, coerced, context: contextValue, data: {}, errors: [] })
    },

    async subscribe(request) {
      const planned = plannedOf(request)
      if (!planned?.source) return (await options.stitched()).subscribe(request)
      const { variables, coerced, errors } = variablesOf(schema, request)
      if (!coerced) return { errors }
      const { source } = planned
      const context = request.contextValue
      const results = await linkOf(source.serviceName).follow({ query: source.operation, variables, isChange: true, context })
      if (!(Symbol.asyncIterator in results)) return results
      return completed(results, (result) => {
        const data = (result.data ?? {}) as Tree
        // Without data there is nothing to join to.
        if (!result.data) return result
        return complete(planned, { ask, variables, coerced, context, data, errors: [...(result.errors ?? [])] })
      })
    },

    relay(request): Relay | null {
      if (isIntrospection(operationOf(request.document, request.operationName))) return null
      const planned = plannedOf(request)
      if (!planned?.passed) return null
      const { link, query, isChange } = planned.passed
      const hop = { query, variables: request.variableValues ?? {}, isChange, context: request.contextValue }
      return { answer: () => link.ask(hop), events: () => link.follow(hop) }
    },
  }
}

async function* completed(
  results: AsyncIterable<ExecutionResult>,
  complete: (result: ExecutionResult) => Promise<ExecutionResult> | ExecutionResult,
): AsyncGenerator<ExecutionResult> {
  for await (const result of results) yield await complete(result)
}

function variablesOf(schema: GraphQLSchema, { document, operationName, variableValues }: EngineRequest) {
  const variables = variableValues ?? {}
  const { variableDefinitions = [] } = operationOf(document, operationName)
  return { variables, ...getVariableValues(schema, variableDefinitions, variables) }
}

/** Null when only the stitched schema can run it. */
function planOf(
  { schema, plan, links }: PlannedEngineOptions,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Planned | null {
  const own = separateOperations(document)[operation.name?.value ?? ''] ?? document
  const query = print(own)
  try {
    const { node } = plan(query, operation.name?.value ?? null)
    if (!node) return null
    const { source, rest } = sourceOf(node)
    const whole = source ? (rest ? null : source) : node.kind === 'Fetch' ? node : null
    const link = whole && links.get(whole.serviceName.toLowerCase())
    const unread = link && validate(link.declared, own).length === 0 ? link.unread : null
    return {
      source,
      step: rest && compileStep(rest),
      projectionFor: projections(schema, document, operation),
      passed: unread && { link: unread, query, isChange: operation.operation !== OperationTypeNode.QUERY },
    }
  } catch (error) {
    if (error instanceof UnknownStep || isPlannersRefusal(error)) return null
    throw error
  }
}

/** The planner is foreign code: what it cannot plan it says with an error that has nothing but a text. */
const isPlannersRefusal = (error: unknown): boolean => error instanceof Error && error.message.startsWith('Failed to plan query')

/** What opens a subscription, and what is done for each of its events, or for the whole of another operation. */
function sourceOf(node: PlanNode): { readonly source: FetchNode | null; readonly rest: PlanNode | null } {
  if (node.kind === 'Subscription') return { source: node.primary, rest: null }
  if (node.kind !== 'Sequence' || node.nodes[0]?.kind !== 'Subscription') return { source: null, rest: node }
  return { source: node.nodes[0].primary, rest: { kind: 'Sequence', nodes: node.nodes.slice(1) } }
}

function projections(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) {
  const fragments = new Map<string, FragmentDefinitionNode>(
    document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  )
  const booleans = (operation.variableDefinitions ?? []).flatMap(({ variable: { name }, type }) =>
    print(type).startsWith('Boolean') ? [name.value] : [],
  )
  const remembered = new LRUCache<string, Projection>({ max: REMEMBERED_PROJECTIONS })
  return (coerced: Variables): Projection => {
    const key = booleans.map((name) => Number(coerced[name] === true)).join('')
    let projection = remembered.get(key)
    if (!projection) {
      const isTrue = (name: string) => coerced[name] === true
      remembered.set(key, (projection = compileProjection({ schema, operation, fragments, isTrue })))
    }
    return projection
  }
}

/** Of the schema alone, which is the gateway's to tell. */
const isIntrospection = ({ selectionSet }: OperationDefinitionNode): boolean =>
  selectionSet.selections.every((selection) => selection.kind === Kind.FIELD && selection.name.value.startsWith('__'))

function operationOf(document: DocumentNode, operationName: string | null | undefined): OperationDefinitionNode {
  const operation = getOperationAST(document, operationName)
  if (!operation) throw new GraphQLError('The document has no such operation.')
  return operation
}
