/**
 * A request's operation, parsed, checked and chosen before either engine sees it: Apollo Server and graphql-sse are handed what
 * is known to run, so a document's mistakes read the same over JSON and over an event stream.
 */
import { mapSchema, MapperKind } from '@graphql-tools/utils'
import {
  getOperationAST,
  getVariableValues,
  GraphQLError,
  parse,
  validate,
  type DocumentNode,
  type GraphQLScalarType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type OperationTypeNode,
} from 'graphql'
import { DateTimeScalar, DecimalScalar, JsonObjectScalar, JsonScalar } from '#platform/scalars.js'
import { Refusal } from './graph-errors.js'
import type { GraphRequest } from './graph-request.js'
import { documentExcess, documentRules, operationCostExcess, type GraphLimits } from './limits.js'

export interface PreparedOperation extends GraphRequest {
  readonly document: DocumentNode
  readonly type: OperationTypeNode
}

/** @throws Refusal with all that is wrong with the document, its size, the choice of the operation, or the variables. */
export type Prepare = (request: GraphRequest) => PreparedOperation

export function createPrepare(schema: GraphQLSchema, limits: GraphLimits): Prepare {
  const strict = withScalars(schema)
  const rules = documentRules(limits)
  return (request) => {
    const document = parseDocument(request.query, limits)
    // Before the rules of the specification, whose work it bounds.
    refuseExcess(documentExcess(document, limits))
    const errors = validate(strict, document, rules)
    if (errors.length > 0) throw new Refusal('GRAPHQL_VALIDATION_FAILED', errors)
    const operation = chooseOperation(document, request.operationName)
    const { coerced, errors: misfits } = getVariableValues(strict, operation.variableDefinitions ?? [], request.variables)
    if (!coerced) throw new Refusal('BAD_USER_INPUT', misfits)
    refuseExcess(costExcess(strict, document, operation, request, limits))
    return { ...request, document, type: operation.operation }
  }
}

const SCALARS = new Map<string, GraphQLScalarType>(
  [DateTimeScalar, DecimalScalar, JsonScalar, JsonObjectScalar].map((scalar) => [scalar.name, scalar]),
)

/** A stitched schema lets any value through for a scalar; the values are checked where their errors name their place. */
const withScalars = (schema: GraphQLSchema): GraphQLSchema =>
  mapSchema(schema, { [MapperKind.SCALAR_TYPE]: (type) => SCALARS.get(type.name) ?? type })

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

function costExcess(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { variables }: GraphRequest,
  limits: GraphLimits,
): string | null {
  try {
    return operationCostExcess(schema, document, operation, variables, limits)
  } catch (error) {
    if (error instanceof GraphQLError) throw new Refusal('BAD_USER_INPUT', [error])
    throw error
  }
}

function refuseExcess(excess: string | null): void {
  if (excess !== null) throw new Refusal('OPERATION_TOO_COMPLEX', [excess])
}
