/**
 * A request's operation, parsed, checked and chosen before either engine sees it: Apollo Server and graphql-sse are handed what
 * is known to run, so a document's mistakes read the same over JSON and over an event stream.
 *
 * What a document's text alone decides is found out once and remembered; what a request adds are its variables.
 */
import { mapSchema, MapperKind } from '@graphql-tools/utils'
import {
  getOperationAST,
  getVariableValues,
  GraphQLError,
  isScalarType,
  Kind,
  parse,
  validate,
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLScalarType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type OperationTypeNode,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { DateTimeScalar, DecimalScalar, JsonObjectScalar, JsonScalar } from '#platform/scalars.js'
import type { RequestContext } from '#platform/requests/context.js'
import { costKeyOf } from './cost-key.js'
import type { EngineRequest } from './execution/engine.js'
import { Refusal } from './graph-errors.js'
import type { GraphRequest } from './graph-request.js'
import {
  conditionAtRoot,
  documentExcess,
  documentRules,
  nestingExcess,
  operationCost,
  type GraphLimits,
  type OperationCost,
} from './limits.js'
import { mergingExcess } from './merged-fields.js'

export interface PreparedOperation extends GraphRequest {
  readonly document: DocumentNode
  readonly type: OperationTypeNode
  /** As the document has it; null for one without a name. */
  readonly name: string | null
  readonly cost: number
}

export const requestOf = (operation: PreparedOperation, contextValue: RequestContext): EngineRequest => ({
  document: operation.document,
  operationName: operation.operationName,
  variableValues: operation.variables,
  contextValue,
})

/** The name of its first field at the root: the one of a subscription. */
export function rootField({ document, operationName }: PreparedOperation): string | null {
  const field = getOperationAST(document, operationName)?.selectionSet.selections[0]
  return field?.kind === Kind.FIELD ? field.name.value : null
}

/** @throws Refusal with all that is wrong with the document, its size, the choice of the operation, or the variables. */
export type Prepare = (request: GraphRequest) => PreparedOperation

/** A compiled one takes some 12 KiB beside its text and its tree, which is some thirty times the text. */
const REMEMBERED_DOCUMENTS = 500
const REMEMBERED_CHARACTERS = 500_000
const LONGEST_REMEMBERED = 20_000
/** Costs that are remembered of one operation: its variables are the callers' to choose. */
const REMEMBERED_COSTS = 50

export function createPrepare(schema: GraphQLSchema, limits: GraphLimits): Prepare {
  const strict = withScalars(schema)
  const rules = documentRules(limits)
  const documents = new LRUCache<string, DocumentNode>({
    max: REMEMBERED_DOCUMENTS,
    maxSize: REMEMBERED_CHARACTERS,
    maxEntrySize: LONGEST_REMEMBERED,
    sizeCalculation: (_, text) => text.length,
  })
  const costOf = rememberedCosts(strict, limits)

  function checkedDocument(query: string): DocumentNode {
    refuseExcess(nestingExcess(query, limits))
    const document = parseDocument(query, limits)
    // Before the rules of the specification, whose work it bounds.
    refuseExcess(documentExcess(document, limits) ?? mergingExcess(document))
    const condition = conditionAtRoot(document)
    const errors = condition ? [condition] : validate(strict, document, rules)
    if (errors.length > 0) throw new Refusal('GRAPHQL_VALIDATION_FAILED', errors)
    documents.set(query, document)
    return document
  }

  return (request) => {
    const document = documents.get(request.query) ?? checkedDocument(request.query)
    const operation = chooseOperation(document, request.operationName)
    const { coerced, errors: misfits } = getVariableValues(strict, operation.variableDefinitions ?? [], request.variables)
    if (!coerced) throw new Refusal('BAD_USER_INPUT', misfits)
    const { cost, excess } = costOf(document, operation, request.variables)
    refuseExcess(excess)
    return { ...request, document, type: operation.operation, name: operation.name?.value ?? null, cost }
  }
}

/** The cost of an operation, worked out once for all variables that make no difference to it. */
function rememberedCosts(schema: GraphQLSchema, limits: GraphLimits) {
  const verdicts = new WeakMap<OperationDefinitionNode, LRUCache<string, OperationCost>>()
  return (document: DocumentNode, operation: OperationDefinitionNode, variables: GraphRequest['variables']): OperationCost => {
    let known = verdicts.get(operation)
    if (!known) verdicts.set(operation, (known = new LRUCache({ max: REMEMBERED_COSTS })))
    const key = costKeyOf(document, operation, variables)
    let verdict = known.get(key)
    if (!verdict) known.set(key, (verdict = checkedCost(schema, document, operation, variables, limits)))
    return verdict
  }
}

const SCALARS = new Map<string, GraphQLScalarType>(
  [DateTimeScalar, DecimalScalar, JsonScalar, JsonObjectScalar].map((scalar) => [scalar.name, scalar]),
)

/**
 * A stitched schema lets any value through for a scalar; the values are checked where their errors name their place. A merged
 * one reads them as we do already, and a copy of the whole schema would be a tenth of a start.
 */
export const withScalars = (schema: GraphQLSchema): GraphQLSchema =>
  [...SCALARS.values()].every((scalar) => readsAs(scalar, schema.getType(scalar.name)))
    ? schema
    : mapSchema(schema, { [MapperKind.SCALAR_TYPE]: (type) => SCALARS.get(type.name) ?? type })

/** One that the schema does not have needs no other. */
const readsAs = (scalar: GraphQLScalarType, found: GraphQLNamedType | undefined): boolean =>
  found === undefined ||
  (isScalarType(found) && found.parseValue === scalar.parseValue && found.parseLiteral === scalar.parseLiteral)

function parseDocument(query: string, { maxTokens }: GraphLimits): DocumentNode {
  try {
    return parse(query, { maxTokens })
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    if (error.message.includes('Document contains more th')) refuseExcess(`The document has more than ${maxTokens} tokens.`)
    throw new Refusal('GRAPHQL_PARSE_FAILED', [error])
  }
}

function chooseOperation(document: DocumentNode, name: string | null): OperationDefinitionNode {
  const operation = getOperationAST(document, name)
  if (operation) return operation
  const reason = name === null ? 'Name one of the operations in "operationName".' : `Unknown operation named "${name}".`
  throw new Refusal('OPERATION_RESOLUTION_FAILURE', [reason])
}

function checkedCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: GraphRequest['variables'],
  limits: GraphLimits,
): OperationCost {
  try {
    return operationCost(schema, document, operation, variables, limits)
  } catch (error) {
    if (error instanceof GraphQLError) throw new Refusal('BAD_USER_INPUT', [error])
    throw error
  }
}

function refuseExcess(excess: string | null): void {
  if (excess !== null) throw new Refusal('OPERATION_TOO_COMPLEX', [excess])
}
