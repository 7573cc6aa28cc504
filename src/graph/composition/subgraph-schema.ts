/**
 * From type-graphql classes to a Federation 2 subgraph: the SDL that composition and routers read, and a schema that answers
 * `_service` and `_entities`.
 */
import 'reflect-metadata'
import { makeExecutableSchema } from '@graphql-tools/schema'
import { printSchemaWithDirectives, type IResolvers } from '@graphql-tools/utils'
import { getNullableType, lexicographicSortSchema, type GraphQLSchema } from 'graphql'
import { buildSchemaSync, createResolversMap } from 'type-graphql'
import type { RequestContext } from '#platform/requests/context.js'
import type { EntityReference, Subgraph } from '#platform/subgraph.js'
import { checkTextsWithin, guardArgumentTexts } from '../argument-texts.js'

export interface SubgraphSchema {
  readonly name: string
  /** What is committed as schema/<name>.graphql and answered by `_service { sdl }`. */
  readonly sdl: string
  readonly schema: GraphQLSchema
}

const FEDERATION_LINK = `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable", "@external"])`

/** What a router adds by itself and an executable schema has to spell out. */
const federationDefinitions = (entityNames: readonly string[]) => `
scalar FieldSet
scalar _Any
directive @link(url: String!, import: [String]) repeatable on SCHEMA
directive @key(fields: FieldSet!, resolvable: Boolean = true) repeatable on OBJECT | INTERFACE
directive @shareable on OBJECT | FIELD_DEFINITION
directive @external on OBJECT | FIELD_DEFINITION
type _Service { sdl: String! }
${entityNames.length > 0 ? `union _Entity = ${entityNames.join(' | ')}` : ''}
extend type Query {
  _service: _Service!
  ${entityNames.length > 0 ? '_entities(representations: [_Any!]!): [_Entity]!' : ''}
}`

/** Builds the schema of one subgraph. Pure but for type-graphql's own registry of decorated classes. */
export function buildSubgraphSchema(subgraph: Subgraph): SubgraphSchema {
  const instances = new Map(subgraph.resolvers.map((resolver) => [resolver.constructor, resolver]))
  const built = buildSchemaSync({
    resolvers: [...instances.keys()] as [() => unknown],
    orphanedTypes: [...(subgraph.orphanedTypes ?? [])],
    container: { get: (resolverClass) => instances.get(resolverClass as () => unknown) },
    // Subscriptions name their source in `Subgraph.sources`; type-graphql only wants to see that a pubSub exists.
    pubSub: { publish: () => undefined, subscribe: () => neverSubscribed() },
    validate: false,
    skipCheck: true,
  })
  letRootsFailAlone(built)
  const sdl = `${FEDERATION_LINK}\n\n${printSchemaWithDirectives(lexicographicSortSchema(built))}\n`
  const references = subgraph.references ?? {}
  const resolvers = createResolversMap(built)
  installSources(resolvers, subgraph)
  const schema = makeExecutableSchema({
    typeDefs: [sdl, federationDefinitions(Object.keys(references))],
    resolvers: [resolvers as IResolvers, { Query: { _service: () => ({ sdl }) } }, entityResolvers(references)],
    resolverValidationOptions: { requireResolversToMatchSchema: 'ignore' },
  })
  guardArgumentTexts(schema, built)
  return { name: subgraph.name, sdl, schema }
}

/**
 * Root fields of queries and mutations are nullable, whatever their resolvers promise: each belongs to a service that can fail
 * alone, and a null that may not be there would take the answers of all the others with it. A subscription has one root field.
 */
function letRootsFailAlone(schema: GraphQLSchema): void {
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) field.type = getNullableType(field.type)
  }
}

function neverSubscribed(): never {
  throw new Error('Topics are not used: give the subscription a source.')
}

function installSources(resolvers: ReturnType<typeof createResolversMap>, subgraph: Subgraph): void {
  const fields = (resolvers['Subscription'] ?? {}) as Record<string, { subscribe: unknown }>
  for (const name of Object.keys(fields)) {
    const source = subgraph.sources?.[name]
    if (!source) throw new Error(`The subscription ${name} of the subgraph ${subgraph.name} has no source.`)
    fields[name]!.subscribe = (_: unknown, args: Record<string, unknown>, context: RequestContext) => source(args, context)
  }
}

/** Remembers which entity type a reference resolver's answer is, because plain objects and shared rows do not say. */
const entityTypes = new WeakMap<object, string>()

function entityResolvers(references: NonNullable<Subgraph['references']>): IResolvers {
  if (Object.keys(references).length === 0) return {}
  const answer = async (_: unknown, args: { representations: EntityReference[] }, context: RequestContext) => {
    checkTextsWithin(args.representations, 'representations')
    const answers: (object | null)[] = args.representations.map(() => null)
    const byType = Map.groupBy(args.representations.keys(), (index) => args.representations[index]!.__typename)
    await Promise.all(
      [...byType].map(async ([typeName, indexes]) => {
        const resolve = references[typeName]
        if (!resolve) return
        const found = await resolve(
          indexes.map((index) => args.representations[index]!),
          context,
        )
        found.forEach((entity, position) => {
          if (!entity) return
          entityTypes.set(entity, typeName)
          answers[indexes[position]!] = entity
        })
      }),
    )
    return answers
  }
  return { Query: { _entities: answer }, _Entity: { __resolveType: (entity: object) => entityTypes.get(entity) } }
}
