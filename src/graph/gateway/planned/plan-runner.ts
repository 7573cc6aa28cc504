/**
 * Runs the plans of a query planner: fetches from subgraphs, joins by entity, and nothing else that a router can do.
 *
 * Every kind of step that our schema can lead to is here. A plan with another one is not run, and whoever asks for it runs the
 * operation in another way.
 */
import { createGraphQLError, type ExecutionResult } from '@graphql-tools/utils'
import { Kind, OperationTypeNode, parse, type GraphQLError, type OperationDefinitionNode, type SelectionSetNode } from 'graphql'
import type {
  BatchFetchNode,
  FetchNode,
  FlattenNodePathSegment,
  PlanNode,
  RequiresSelection,
} from '@graphql-hive/router-query-planner'
import type { RequestContext } from '#platform/requests/context.js'

export interface SubgraphRequest {
  /** The text of the document. */
  readonly query: string
  readonly operationName?: string | null | undefined
  readonly variables: Readonly<Record<string, unknown>>
  /** Of a mutation or subscription: the caller's request is then known by the id that the subgraph gives it. */
  readonly isChange?: boolean
  readonly context: RequestContext
}

/** A subgraph as a plan asks it. Its own faults are in the result; it never rejects. */
export type AskSubgraph = (name: string, request: SubgraphRequest) => Promise<ExecutionResult>

export interface PlanRun {
  readonly ask: AskSubgraph
  /** As the caller gave them, for subgraphs, which make them fit themselves. */
  readonly variables: Readonly<Record<string, unknown>>
  /** As they count here, defaults among them. */
  readonly coerced: Readonly<Record<string, unknown>>
  readonly context: RequestContext
  /** Grows with what is fetched. */
  readonly data: Tree
  readonly errors: GraphQLError[]
}

export type Step = (run: PlanRun) => Promise<void>

/** An object of an answer, by response key. */
export interface Tree {
  [key: string]: unknown
}

export class UnknownStep extends Error {
  override readonly name = 'UnknownStep'
}

/** @throws UnknownStep */
export function compileStep(node: PlanNode): Step {
  switch (node.kind) {
    case 'Sequence': {
      const steps = node.nodes.map(compileStep)
      return async (run) => {
        for (const step of steps) await step(run)
      }
    }
    case 'Parallel': {
      const steps = node.nodes.map(compileStep)
      return async (run) => void (await Promise.all(steps.map((step) => step(run))))
    }
    case 'Condition': {
      const [chosen, other] = [node.ifClause, node.elseClause].map((clause) => (clause ? compileStep(clause) : null))
      return async (run) => (run.coerced[node.condition] === true ? chosen : other)?.(run)
    }
    case 'Fetch':
      return rootStep(node)
    case 'BatchFetch':
      return batchStep(node)
    case 'Flatten':
      if (node.node.kind === 'Fetch') return entityStep(node.node, node.path)
      break
    case 'Subscription':
    case 'Defer':
      break
  }
  throw new UnknownStep(node.kind)
}

function rootStep(node: FetchNode): Step {
  refuseRewrites(node)
  const { serviceName, operation: query, variableUsages = [] } = node
  const operation = operationOf(query)
  const isChange = operation.operation !== OperationTypeNode.QUERY
  const keys = responseKeys(operation.selectionSet, query)
  return async ({ ask, variables, context, data, errors }) => {
    const result = await ask(serviceName, { query, variables: chosen(variables, variableUsages), isChange, context })
    if (result.data) merge(data, result.data as Tree)
    for (const error of result.errors ?? []) {
      // What concerns all of a request concerns each of its fields.
      if (error.path) errors.push(error)
      else for (const key of keys) errors.push(relocated(error, [key]))
    }
  }
}

/** The entities that one fetch asks for. */
interface Wanted {
  /** The response key of `_entities`. */
  readonly key: string
  readonly variable: string
  readonly paths: readonly (readonly FlattenNodePathSegment[])[]
  readonly requires: readonly RequiresSelection[]
}

function entityStep(node: FetchNode, path: readonly FlattenNodePathSegment[]): Step {
  refuseRewrites(node)
  return joinStep(node, [{ key: '_entities', variable: 'representations', paths: [path], requires: node.requires ?? [] }])
}

function batchStep(node: BatchFetchNode): Step {
  const { aliases } = node.entityBatch
  for (const alias of aliases) refuseRewrites(alias)
  return joinStep(
    node,
    aliases.map(({ alias, representationsVariableName, paths, requires }) => ({
      key: alias,
      variable: representationsVariableName,
      paths,
      requires,
    })),
  )
}

type Path = readonly (string | number)[]

/** Where an entity stands in the answer; the same one may stand in many places. */
interface Place {
  readonly object: Tree
  readonly path: Path
}

function joinStep({ serviceName, operation: query, variableUsages = [] }: FetchNode | BatchFetchNode, wanted: Wanted[]): Step {
  const fieldsOf = new Map(wanted.map(({ key }) => [key, entityFields(query, key)]))
  return async ({ ask, variables, context, data, errors }) => {
    const asked = wanted.map((entities) => ({ ...entities, ...representationsIn(data, entities) }))
    if (asked.every(({ representations }) => representations.length === 0)) return
    const own = Object.fromEntries(asked.map(({ variable, representations }) => [variable, representations]))
    const result = await ask(serviceName, { query, variables: { ...chosen(variables, variableUsages), ...own }, context })
    for (const { key, places } of asked) {
      const entities = result.data?.[key] as (Tree | null)[] | null | undefined
      entities?.forEach((entity, index) => {
        if (entity) for (const { object } of places[index] ?? []) merge(object, entity)
      })
      for (const error of result.errors ?? []) errors.push(...atPlaces(error, key, places, fieldsOf.get(key)!))
    }
  }
}

/** A subgraph's error where it belongs in the answer: at each place of its entity, or of all when it does not say of which. */
function atPlaces(error: GraphQLError, key: string, places: readonly Place[][], fieldsOf: FieldsOf): GraphQLError[] {
  const [of, index, ...rest] = error.path ?? []
  if (of !== undefined && of !== key) return []
  const met = typeof index === 'number' ? (places[index] ?? []) : places.flat()
  return met.flatMap(({ object, path }) =>
    rest.length > 0
      ? [relocated(error, [...path, ...rest])]
      : fieldsOf(String(object['__typename'])).map((field) => relocated(error, [...path, field])),
  )
}

const relocated = ({ message, extensions, originalError }: GraphQLError, path: Path): GraphQLError =>
  createGraphQLError(message, { path: [...path], extensions, ...(originalError && { originalError }) })

/** Every entity once, and all its places. */
function representationsIn(data: Tree, { paths, requires }: Wanted) {
  const representations: Tree[] = []
  const places: Place[][] = []
  const known = new Map<string, Place[]>()
  for (const place of paths.flatMap((path) => placesAt({ object: data, path: [] }, path))) {
    const representation = representationOf(place.object, requires)
    if (!representation) continue
    const name = JSON.stringify(representation)
    const others = known.get(name)
    if (others) others.push(place)
    else {
      const own = [place]
      known.set(name, own)
      places.push(own)
      representations.push(representation)
    }
  }
  return { representations, places }
}

interface Found {
  readonly value: unknown
  readonly path: Path
}

function placesAt(start: Place, path: readonly FlattenNodePathSegment[]): Place[] {
  let found: Found[] = [{ value: start.object, path: start.path }]
  for (const segment of path) {
    found = found.flatMap(({ value, path: at }): Found[] => {
      if (segment === '@')
        return Array.isArray(value) ? value.map((item: unknown, index) => ({ value: item, path: [...at, index] })) : []
      if (!isTree(value)) return []
      if ('Field' in segment) return [{ value: value[segment.Field], path: [...at, segment.Field] }]
      return segment.TypeCondition.includes(String(value['__typename'])) ? [{ value, path: at }] : []
    })
  }
  return found.flatMap(({ value, path: at }) => (isTree(value) ? [{ object: value, path: at }] : []))
}

/** Null for what is not of these types, or has not got its key. */
function representationOf(object: Tree, requires: readonly RequiresSelection[]): Tree | null {
  const typeName = object['__typename']
  const own = requires.find((selection) => selection.kind === 'InlineFragment' && selection.typeCondition === typeName)
  if (own?.kind !== 'InlineFragment') return null
  const representation: Tree = {}
  for (const selection of own.selections) {
    if (selection.kind !== 'Field' || selection.selections) throw new UnknownStep('a key with parts')
    const value = object[selection.name]
    if (value === undefined || value === null) return null
    representation[selection.name] = value
  }
  return representation
}

function refuseRewrites({ inputRewrites, outputRewrites }: Pick<FetchNode, 'inputRewrites' | 'outputRewrites'>): void {
  if (inputRewrites?.length || outputRewrites?.length) throw new UnknownStep('a rewrite')
}

const chosen = (variables: PlanRun['variables'], names: readonly string[]): Tree =>
  Object.fromEntries(names.filter((name) => name in variables).map((name) => [name, variables[name]]))

const isTree = (value: unknown): value is Tree => value !== null && typeof value === 'object' && !Array.isArray(value)

/** What two subgraphs say of one object. */
function merge(target: Tree, source: Tree): void {
  for (const [key, value] of Object.entries(source)) {
    const known = target[key]
    if (isTree(known) && isTree(value)) merge(known, value)
    else if (Array.isArray(known) && Array.isArray(value)) known.forEach((item, index) => mergeItem(item, value[index]))
    else target[key] = value
  }
}

function mergeItem(known: unknown, value: unknown): void {
  if (isTree(known) && isTree(value)) merge(known, value)
}

const operationOf = (query: string): OperationDefinitionNode => {
  const found = parse(query, { noLocation: true }).definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION)
  return found as OperationDefinitionNode
}

/** The response keys that a fetch brings to an entity of a type. */
type FieldsOf = (typeName: string) => readonly string[]

function entityFields(query: string, key: string): FieldsOf {
  const root = operationOf(query).selectionSet.selections.find(
    (selection) => selection.kind === Kind.FIELD && (selection.alias ?? selection.name).value === key,
  )
  const set = root?.kind === Kind.FIELD ? root.selectionSet : undefined
  return (typeName) => (set ? responseKeys(set, query, typeName) : [])
}

/** Of objects of a type, if one is given. */
function responseKeys({ selections }: SelectionSetNode, query: string, typeName?: string): string[] {
  const fragments = new Map(
    parse(query, { noLocation: true }).definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
    ),
  )
  const keysOf = (set: SelectionSetNode): string[] =>
    set.selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value
        return selection.name.value === '__typename' ? [] : [key]
      }
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection
      const condition = fragment?.typeCondition?.name.value
      const isOther = condition !== undefined && typeName !== undefined && condition !== typeName
      return fragment && !isOther ? keysOf(fragment.selectionSet) : []
    })
  return [...new Set(keysOf({ kind: Kind.SELECTION_SET, selections }))]
}
