/**
 * The public API as one executable schema over the subgraphs of this process: no plan, no second execution, no result merging.
 *
 * A resolver is its subgraph's own. Four rules join them, all from what the subgraphs declare of their entities:
 * - a field that points at another subgraph's entity gives a reference, which is the key and nothing else;
 * - a field that is contributed to another's entity is called with the key, or with what its subgraph loads for the key;
 * - a field of the owner that is reached from a reference loads the entity first;
 * - a field that requires fields of the owner is called with those.
 */
import { makeExecutableSchema } from '@graphql-tools/schema'
import type { IResolvers } from '@graphql-tools/utils'
import { buildSchema, getNamedType, isAbstractType, isEnumType, isObjectType, isScalarType, type GraphQLSchema } from 'graphql'
import type {
  GraphQLAbstractType,
  GraphQLField,
  GraphQLFieldResolver,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLTypeResolver,
} from 'graphql'
import type { RequestContext } from '#platform/requests/context.js'
import type { EntityPart } from '#platform/subgraph.js'
import { guardArgumentTexts } from '../argument-texts.js'
import { entityLoader, keyOf, pointing, pointingAmong, Reference, type LoadEntity } from './entity-loading.js'

export interface MergedPart {
  readonly name: string
  /** The schema as its classes declare it. */
  readonly declared: GraphQLSchema
  readonly entities: Readonly<Record<string, EntityPart>>
}

type Resolve = GraphQLFieldResolver<unknown, RequestContext>
type Field = GraphQLField<unknown, RequestContext>

/**
 * @param apiSdl the public API, composed of the same parts
 * @throws Error when the parts do not fit together
 */
export function mergeSchemas(apiSdl: string, parts: readonly MergedPart[]): GraphQLSchema {
  const pointedAt = new Set(parts.flatMap((part) => pointedTypes(part)))
  const resolvers: Record<string, IResolvers[string]> = {}
  for (const part of parts) {
    for (const type of Object.values(part.declared.getTypeMap())) {
      if (type.name.startsWith('__')) continue
      const own = resolversOf(type, part, pointedAt)
      const others = resolvers[type.name]
      resolvers[type.name] = others && isObjectType(type) ? { ...(others as object), ...(own as object) } : (others ?? own)
    }
  }
  const schema = makeExecutableSchema({
    // Tests compose it of the subgraphs and validate it: a start reads it, and nothing else.
    typeDefs: buildSchema(apiSdl, { assumeValid: true, assumeValidSDL: true, noLocation: true }),
    updateResolversInPlace: true,
    resolvers,
    resolverValidationOptions: { requireResolversToMatchSchema: 'error' },
  })
  for (const { declared } of parts) guardArgumentTexts(schema, declared)
  return schema
}

/** The entity types that fields of this part point at although another one owns them. */
function pointedTypes(part: MergedPart): string[] {
  const types = Object.values(part.declared.getTypeMap()).filter((type) => isObjectType(type))
  const fields = types.flatMap((type) => Object.values(type.getFields()))
  return fields.flatMap(({ type }) => foreignTypes(getNamedType(type), part))
}

function resolversOf(type: GraphQLNamedType, part: MergedPart, pointedAt: ReadonlySet<string>): IResolvers[string] {
  if (isScalarType(type)) return type
  if (isEnumType(type)) return Object.fromEntries(type.getValues().map(({ name, value }) => [name, value as string]))
  if (isAbstractType(type)) return { __resolveType: typeOfValue(type) } as IResolvers[string]
  return isObjectType(type) ? fieldResolvers(type, part, pointedAt) : {}
}

/** A reference says itself what it is of. */
const typeOfValue =
  ({ resolveType }: GraphQLAbstractType): GraphQLTypeResolver<unknown, RequestContext> =>
  (value, ...asked) =>
    value instanceof Reference ? value.__typename : resolveType?.(value, ...asked)

function fieldResolvers(type: GraphQLObjectType, part: MergedPart, pointedAt: ReadonlySet<string>) {
  const entity = part.entities[type.name]
  const join = entity && joinOf(type.name, entity, pointedAt)
  const resolvers: Record<string, object> = {}
  for (const field of Object.values(type.getFields())) {
    // The key is on every part of an entity and on every reference.
    if (entity && field.name === 'id') continue
    if (entity?.kind === 'extension' && entity.requires.includes(field.name)) continue
    const resolve = resultOf(field, part)
    const joined = join ? join(resolve ?? propertyOf(field)) : resolve
    if (field.subscribe) resolvers[field.name] = { subscribe: field.subscribe, resolve: joined }
    else if (joined) resolvers[field.name] = joined
  }
  return resolvers as IResolvers[string]
}

const propertyOf =
  ({ name }: Field): Resolve =>
  (source) =>
    (source as Record<string, unknown>)[name]

/** The field's own resolver, null for a plain property; what it points at are references. */
function resultOf(field: Field, part: MergedPart): Resolve | null {
  const { resolve } = field
  const type = getNamedType(field.type)
  const foreign = new Set(foreignTypes(type, part))
  if (foreign.size === 0) return resolve ?? null
  const own = resolve ?? propertyOf(field)
  if (!isAbstractType(type)) return (...asked) => pointing(type.name, own(...asked))
  return (...asked) => pointingAmong(foreign, own(...asked))
}

/** Which types of a field's values are entities that another part owns. */
function foreignTypes(type: GraphQLNamedType, { declared, entities }: MergedPart): string[] {
  const types = isAbstractType(type) ? declared.getPossibleTypes(type) : [type]
  return types.map(({ name }) => name).filter((name) => entities[name] !== undefined && entities[name].kind !== 'owner')
}

/** How the fields that a part has of an entity get at it; null when its objects are always the part's own. */
function joinOf(typeName: string, part: EntityPart, pointedAt: ReadonlySet<string>): ((resolve: Resolve) => Resolve) | null {
  if (part.kind === 'pointer') return null
  if (part.kind === 'extension') return ofFields(part)
  if (part.kind === 'owner') return pointedAt.has(typeName) ? ofReferences(entityLoader(typeName, part.load)) : null
  if (part.load) return ofLoaded(entityLoader(typeName, part.load))
  return (resolve) => (source, args, context, info) => resolve({ id: keyOf(source) }, args, context, info)
}

/** In one process the owner's object is there, with all its fields. */
const ofFields =
  ({ requires, read }: Extract<EntityPart, { kind: 'extension' }>) =>
  (resolve: Resolve): Resolve =>
  (source, args, context, info) => {
    const fields = source as Readonly<Record<string, unknown>>
    return resolve(read(Object.fromEntries(requires.map((name) => [name, fields[name]]))), args, context, info)
  }

const ofReferences =
  (load: LoadEntity) =>
  (resolve: Resolve): Resolve =>
  (source, args, context, info) => {
    if (!(source instanceof Reference)) return resolve(source, args, context, info)
    return source.entity(load, context).then((entity) => entity && resolve(entity, args, context, info))
  }

const ofLoaded =
  (load: LoadEntity) =>
  (resolve: Resolve): Resolve =>
  (source, args, context, info) =>
    load(keyOf(source), context).then((entity) => entity && resolve(entity, args, context, info))
