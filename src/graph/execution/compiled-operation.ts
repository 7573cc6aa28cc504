/**
 * One operation as a program of graphql-jit: what graphql-js would interpret each time is written down once as a function.
 *
 * Variables are coerced by graphql-js before (`getVariableValues`) and pass through unread, so that their faults read the same
 * whether an operation is compiled or not, and no event of a subscription pays for them again.
 */
import { createRequire } from 'node:module'
import {
  GraphQLError,
  GraphQLScalarType,
  OperationTypeNode,
  isAbstractType,
  Kind,
  visit,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type TypeNode,
} from 'graphql'
import type * as Jit from 'graphql-jit'
import type { RequestContext } from '#platform/requests/context.js'

// Its ESM build does not load under Node: it imports files without their extension.
const { compileQuery, isCompiledQuery } = createRequire(import.meta.url)('graphql-jit') as typeof Jit

/** Runs the operation on a root value; `coerced` are variables that graphql-js has made fit. */
export type CompiledOperation = (
  rootValue: unknown,
  context: RequestContext,
  coerced: Readonly<Record<string, unknown>>,
) => Promise<ExecutionResult> | ExecutionResult

/** Null when graphql-jit cannot compile it. The schema must have been through `guardTypeResolvers`. */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CompiledOperation | null {
  const [own, ownSchema] = isOneMutation(operation)
    ? [{ ...operation, operation: OperationTypeNode.QUERY }, queriedFor(schema, schema.getMutationType())]
    : [operation, schema]
  const compiled = compileQuery(withCoerced(ownSchema), takingCoerced(document, own), operation.name?.value ?? '', {
    // Without it a fragment that is spread under different conditions is selected under the first one's.
    useExperimentalPathBasedSkipInclude: true,
  })
  if (!isCompiledQuery(compiled)) return null
  return (rootValue, context, coerced) => {
    const result = compiled.query(rootValue, context, coerced)
    return result instanceof Promise ? result.then(withGraphQLErrors) : withGraphQLErrors(result)
  }
}

/**
 * A mutation of one field has no order to keep, so it is compiled as a query of that field: for each run of a mutation
 * graphql-jit makes functions that V8 puts into the old generation, where they keep all of the request alive
 * (src/build/young-closures.mjs).
 */
const isOneMutation = ({ operation, selectionSet: { selections } }: OperationDefinitionNode): boolean =>
  operation === OperationTypeNode.MUTATION && selections.length === 1 && selections[0]!.kind === Kind.FIELD

/** The same schema with another type for queries. */
const queriedFor = (schema: GraphQLSchema, type: GraphQLObjectType | null | undefined): GraphQLSchema =>
  Object.create(schema, { getRootType: { value: () => type } }) as GraphQLSchema

const COERCED = new GraphQLScalarType({ name: 'Coerced' })
const COERCED_TYPE: TypeNode = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: COERCED.name } }

/** The same schema with one more type for `takingCoerced`, which is not part of the API. */
const withCoerced = (schema: GraphQLSchema): GraphQLSchema =>
  Object.create(schema, {
    getType: { value: (name: string) => (name === COERCED.name ? COERCED : schema.getType(name)) },
  }) as GraphQLSchema

/** A copy of its own, because the compiler writes into the nodes of fields, with variables that are taken as they are. */
function takingCoerced({ definitions }: DocumentNode, operation: OperationDefinitionNode): DocumentNode {
  const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)
  const own: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] }
  return visit(own, {
    Field: { leave: (node) => ({ ...node }) },
    VariableDefinition: { leave: ({ kind, variable }) => ({ kind, variable, type: COERCED_TYPE }) },
  })
}

const withGraphQLErrors = (result: ExecutionResult): ExecutionResult =>
  result.errors ? { ...result, errors: result.errors.map(asGraphQLError) } : result

/** What graphql-jit reports has the prototype of a GraphQLError, but neither nodes nor the cause that tells whose fault it is. */
function asGraphQLError({ message, path, locations, originalError }: GraphQLError): GraphQLError {
  // The only fault of a caller that is found while an operation runs; all others without a cause are values of ours.
  const isArgument = originalError === undefined && message.startsWith('Argument "')
  const error = new GraphQLError(message, {
    path,
    ...(isArgument ? { extensions: { code: 'BAD_USER_INPUT' } } : { originalError: causeOf(originalError, message) }),
  })
  return Object.assign(error, { locations: locations && locations.length > 0 ? locations : undefined })
}

const causeOf = (thrown: unknown, message: string): Error => (thrown instanceof Error ? thrown : new Error(message))

/**
 * Makes every type resolver of the schema answer instead of throwing: graphql-jit would not notice, and the operation would
 * never end. A name that no type has becomes the error of the field, with the reason in its words.
 */
export function guardTypeResolvers(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isAbstractType(type)) continue
    const { resolveType } = type
    if (!resolveType) throw new Error(`The abstract type ${type.name} has no type resolver.`)
    type.resolveType = (...asked) => {
      try {
        const name = resolveType(...asked)
        return name instanceof Promise ? 'a promise' : name
      } catch (error) {
        return String(error)
      }
    }
  }
}
