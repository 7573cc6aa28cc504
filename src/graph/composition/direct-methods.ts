/**
 * Methods of resolvers that are called without type-graphql in between, which makes a promise of each argument and a wait for all
 * of them: more than all else of a chat's way through the graph.
 */
import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql'
import { getMetadataStorage } from 'type-graphql'
import type { RequestContext } from '#platform/requests/context.js'

type Declared = ReturnType<typeof getMetadataStorage>['queries'][number]
type Param = NonNullable<Declared['params']>[number]
type Method = (...given: unknown[]) => unknown
type Value = (source: unknown, args: Readonly<Record<string, unknown>>, context: RequestContext) => unknown

/**
 * Root fields of queries and mutations whose arguments are values as they come. Classes of inputs are made by type-graphql, which
 * also runs what stands before a method: middleware, and checks of roles.
 */
export function callRootsDirectly(schema: GraphQLSchema, resolvers: readonly object[]): void {
  const { queries, mutations, inputTypes, argumentTypes } = getMetadataStorage()
  const classes = new Set<unknown>([...inputTypes, ...argumentTypes].map(({ target }) => target))
  const isPlain = (param: Param) =>
    (param.kind === 'context' && param.propertyName === undefined) || (param.kind === 'arg' && !classes.has(param.getType()))
  for (const [type, declared] of [
    [schema.getQueryType(), queries],
    [schema.getMutationType(), mutations],
  ] as const) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      const found = methodOf(field.name, declared, resolvers)
      if (found?.isBare && found.params.every(isPlain)) field.resolve = callOf(found.method, found.params)
    }
  }
}

/**
 * The method that makes an event the value of its field. Arguments are the source's: an event's field resolver gets nothing but
 * the event and the context.
 */
export function eventResolver(fieldName: string, resolvers: readonly object[]): GraphQLFieldResolver<unknown, RequestContext> {
  const found = methodOf(fieldName, getMetadataStorage().subscriptions, resolvers)
  if (!found) throw new Error(`The subscription ${fieldName} has no resolver.`)
  return callOf(
    found.method,
    found.params.map((param) => (param.kind === 'arg' || param.kind === 'args' ? null : param)),
  )
}

function methodOf(
  fieldName: string,
  declared: readonly Declared[],
  resolvers: readonly object[],
): { readonly method: Method; readonly params: readonly Param[]; readonly isBare: boolean } | null {
  for (const { schemaName, target, methodName, params = [], middlewares = [], roles } of declared) {
    const owner = schemaName === fieldName && resolvers.find((resolver) => resolver.constructor === target)
    if (!owner) continue
    const method = (owner as Record<string, Method>)[methodName]!.bind(owner)
    const isBare = middlewares.length === 0 && roles === undefined
    return { method, params: params.toSorted((a, b) => a.index - b.index), isBare }
  }
  return null
}

function callOf(method: Method, params: readonly (Param | null)[]): GraphQLFieldResolver<unknown, RequestContext> {
  const values = params.map(valueOf)
  return (source, args, context) => method(...values.map((value) => value(source, args, context)))
}

function valueOf(param: Param | null): Value {
  if (param === null) return () => undefined
  if (param.kind === 'arg') return (_, args) => args[param.name]
  if (param.kind === 'context') return (_source, _args, context) => context
  if (param.kind === 'root') return (source) => source
  throw new Error(`A parameter of the kind "${param.kind}" is not given directly.`)
}
