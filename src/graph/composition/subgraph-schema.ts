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
import type { EntityPart, ReferenceResolver, Subgraph } from '#platform/subgraph.js'
import { checkTextsWithin, guardArgumentTexts } from '../argument-texts.js'
import { callRootsDirectly, eventResolver } from './direct-methods.js'

export interface SubgraphSchema {
  readonly name: string
  /** What is committed as schema/<name>.graphql and answered by `_service { sdl }`. */
  readonly sdl: string
  /** Answers `_service` and `_entities` too. */
  readonly schema: GraphQLSchema
  /** The schema as its classes declare it, with the sources of its subscriptions. */
  readonly declared: GraphQLSchema
  readonly entities: Readonly<Record<string, EntityPart>>
}

const FEDERATION_LINK = `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable", "@external", "@requires"])`

/** What a router adds by itself and an executable schema has to spell out. */
const federationDefinitions = (entityNames: readonly string[]) => `
scalar FieldSet
scalar _Any
directive @link(url: String!, import: [String]) repeatable on SCHEMA
directive @key(fields: FieldSet!, resolvable: Boolean = true) repeatable on OBJECT | INTERFACE
directive @shareable on OBJECT | FIELD_DEFINITION
directive @external on OBJECT | FIELD_DEFINITION
directive @requires(fields: FieldSet!) on FIELD_DEFINITION
type _Service { sdl: String! }
${entityNames.length > 0 ? `union _Entity = ${entityNames.join(' | ')}` : ''}
extend type Query {
  _service: _Service!
  ${entityNames.length > 0 ? '_entities(representations: [_Any!]!): [_Entity]!' : ''}
}`

/**
 * Builds the schema of one subgraph. Pure but for type-graphql's own registry of decorated classes. The text and the executable
 * form are made when somebody asks: a process that serves all subgraphs merges what they declare and needs neither.
 */
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
  describeRoots(built)
  letRootsFailAlone(built)
  callRootsDirectly(built, subgraph.resolvers)
  installSources(built, subgraph)
  let sdl: string | undefined
  let schema: GraphQLSchema | undefined
  return {
    name: subgraph.name,
    declared: built,
    entities: subgraph.entities ?? {},
    get sdl() {
      return (sdl ??= printSubgraph(built))
    },
    get schema() {
      return (schema ??= executableSubgraph(this))
    },
  }
}

const printSubgraph = (declared: GraphQLSchema): string =>
  `${FEDERATION_LINK}\n\n${printSchemaWithDirectives(lexicographicSortSchema(declared))}\n`

function executableSubgraph({ sdl, declared, entities }: Omit<SubgraphSchema, 'schema'>): GraphQLSchema {
  const resolvable = resolvableEntities(entities)
  const schema = makeExecutableSchema({
    typeDefs: [sdl, federationDefinitions([...resolvable.keys()])],
    resolvers: [
      createResolversMap(declared) as IResolvers,
      { Query: { _service: () => ({ sdl }) } },
      entityResolvers(resolvable),
    ],
    resolverValidationOptions: { requireResolversToMatchSchema: 'ignore' },
  })
  guardArgumentTexts(schema, declared)
  return schema
}

function describeRoots(schema: GraphQLSchema): void {
  const [query, mutation, subscription] = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  if (query) query.description = 'What can be asked. A field is null when its service failed; the error says which.'
  if (mutation) mutation.description = 'What can be changed. Each takes one input and answers with what has become of it.'
  if (subscription) subscription.description = 'What can be followed, over server-sent events. The stored state comes first.'
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

function installSources(schema: GraphQLSchema, subgraph: Subgraph): void {
  for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {})) {
    const source = subgraph.sources?.[field.name]
    if (!source) throw new Error(`The subscription ${field.name} of the subgraph ${subgraph.name} has no source.`)
    field.subscribe = (_: unknown, args: Record<string, unknown>, context: RequestContext) => source(args, context)
    field.resolve = eventResolver(field.name, subgraph.resolvers)
  }
}

/** Resolves the representations of one type that a router sends. */
type EntityAnswer = (representations: readonly Representation[], context: RequestContext) => Promise<readonly (object | null)[]>

/** The entities that a router may ask this subgraph for; what adds fields by the key alone needs nothing but the reference. */
function resolvableEntities(entities: Readonly<Record<string, EntityPart>>): ReadonlyMap<string, EntityAnswer> {
  const resolvable = Object.entries(entities).filter(([, part]) => part.kind !== 'pointer')
  return new Map(resolvable.map(([name, part]) => [name, answerOf(part)]))
}

function answerOf(part: EntityPart): EntityAnswer {
  if (part.kind === 'extension')
    return async (sent) => sent.map((fields) => ({ ...part.read({ ...fields }), id: String(fields.id) }))
  const load = (part.kind !== 'pointer' && part.load) || keysAlone
  return (sent, context) =>
    load(
      sent.map(({ __typename, id }) => ({ __typename, id: String(id) })),
      context,
    )
}

const keysAlone: ReferenceResolver = async (references) => references.map(({ id }) => ({ id }))

/** Remembers which entity type a reference resolver's answer is, because plain objects and shared rows do not say. */
const entityTypes = new WeakMap<object, string>()

/** As a router sends it, unread. */
interface Representation {
  readonly __typename: string
  readonly id: unknown
}

function entityResolvers(resolvable: ReadonlyMap<string, EntityAnswer>): IResolvers {
  if (resolvable.size === 0) return {}
  const answer = async (_: unknown, args: { representations: Representation[] }, context: RequestContext) => {
    checkTextsWithin(args.representations, 'representations')
    const answers: (object | null)[] = args.representations.map(() => null)
    const byType = Map.groupBy(args.representations.keys(), (index) => args.representations[index]!.__typename)
    await Promise.all(
      [...byType].map(async ([typeName, indexes]) => {
        const answerFor = resolvable.get(typeName)
        if (!answerFor) return
        const found = await answerFor(
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
