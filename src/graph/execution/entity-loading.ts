/** How one process reaches an entity of another subgraph: by its reference, in one batch for all that ask at the same moment. */
import DataLoader from 'dataloader'
import type { RequestContext } from '#platform/requests/context.js'
import type { EntityReference, ReferenceResolver } from '#platform/subgraph.js'

/** What the subgraph has to the key; null when there is no such entity, or not for this caller. */
export type LoadEntity = (id: string, context: RequestContext) => Promise<object | null>

/** Nothing is kept beyond a batch: a subscription lives long, and its next event wants the state of then. */
export function entityLoader(typeName: string, load: ReferenceResolver): LoadEntity {
  const loaders = new WeakMap<RequestContext, DataLoader<string, object | null>>()
  const loaderOf = (context: RequestContext) => {
    let loader = loaders.get(context)
    if (!loader) {
      loader = new DataLoader((ids) => loadBatch(typeName, ids, load, context), { cache: false })
      loaders.set(context, loader)
    }
    return loader
  }
  return (id, context) => loaderOf(context).load(id)
}

/** Several fields may ask for the same entity; its subgraph is asked once. */
async function loadBatch(typeName: string, ids: readonly string[], load: ReferenceResolver, context: RequestContext) {
  const asked = [...new Set(ids)]
  const found = await load(
    asked.map((id) => ({ __typename: typeName, id })),
    context,
  )
  const byId = new Map(asked.map((id, index) => [id, found[index] ?? null]))
  return ids.map((id) => byId.get(id) ?? null)
}

/** An entity that a subgraph points at without owning it: all that is known is the key. */
export class Reference implements EntityReference {
  #entity: Promise<object | null> | null = null

  constructor(
    readonly __typename: string,
    readonly id: string,
  ) {}

  /** What its owner has to it, asked for once. */
  entity(load: LoadEntity, context: RequestContext): Promise<object | null> {
    return (this.#entity ??= load(this.id, context))
  }
}

/** The value of a field that points at entities of this type: references in the place of its objects. */
export function pointing(typeName: string, value: unknown): unknown {
  if (value === null || value === undefined || value instanceof Error) return value
  if (value instanceof Promise) return value.then((settled: unknown) => pointing(typeName, settled))
  if (Array.isArray(value)) return value.map((item: unknown) => pointing(typeName, item))
  return new Reference(typeName, keyOf(value))
}

/** The same for a field of an interface or a union, whose values say what they are; those of other types stay what they are. */
export function pointingAmong(typeNames: ReadonlySet<string>, value: unknown): unknown {
  if (value instanceof Promise) return value.then((settled: unknown) => pointingAmong(typeNames, settled))
  if (Array.isArray(value)) return value.map((item: unknown) => pointingAmong(typeNames, item))
  const { __typename: name } = (value ?? {}) as { readonly __typename?: unknown }
  return typeof name === 'string' && typeNames.has(name) ? pointing(name, value) : value
}

/** The key of an entity, or of a reference to one. */
export const keyOf = (entity: unknown): string => String((entity as { readonly id: unknown }).id)
