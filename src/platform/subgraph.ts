/** What a subgraph's door hands to the composition root, and the machine in src/graph turns into a Federation 2 schema. */
import type { RequestContext } from './requests/context.js'

/** An entity by its key: what a router sends to ask for it. */
export interface EntityReference {
  readonly __typename: string
  readonly id: string
}

/** Resolves many references of one type in one batch; the answer has the same order, null for what does not exist. */
export type ReferenceResolver = (
  references: readonly EntityReference[],
  context: RequestContext,
) => Promise<readonly (object | null)[]>

/**
 * Opens the source event stream of one subscription field. It runs before the first event, so this is where the caller is
 * authorised and the arguments are checked; what it yields is the root value of each event's field resolver, which gets nothing
 * else but the context.
 */
export type SubscriptionSource = (
  args: Readonly<Record<string, unknown>>,
  context: RequestContext,
) => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>

/** An entity type as one subgraph knows it. The key of every entity is its `id`. */
export type EntityPart =
  /** It brings the entity itself; one subgraph of the supergraph does. */
  | { readonly kind: 'owner'; readonly load: ReferenceResolver }
  /** It adds fields, whose resolvers need nothing of the entity but its key, or what `load` brings for the key. */
  | { readonly kind: 'contributor'; readonly load?: ReferenceResolver }
  /**
   * It adds fields, whose resolvers need fields of the owner: declare them `@external`, and `@requires` where they are needed.
   * A router sends them along, so `read` checks what it is given. @throws AppError
   */
  | {
      readonly kind: 'extension'
      readonly requires: readonly string[]
      readonly read: (fields: Readonly<Record<string, unknown>>) => object
    }
  /** Its fields only point at the entity. */
  | { readonly kind: 'pointer' }

/**
 * The `subscribe` option of every `@Subscription`. type-graphql wants a function that is known when the class is declared,
 * but a source needs the services of one running program: the schema builder replaces this with `Subgraph.sources`.
 */
export function fromSources(): AsyncIterable<never> {
  throw new Error('The schema builder has not installed the source of this subscription.')
}

export interface Subgraph {
  /** The file name in schema/ and the argument of `sluice subgraph <name>`. */
  readonly name: string
  /** Instances of the type-graphql resolver classes; type-graphql's container returns them by class. */
  readonly resolvers: readonly object[]
  /** Object type classes that no root field reaches, such as entities that other subgraphs join to. */
  readonly orphanedTypes?: readonly (new (...args: never[]) => object)[]
  /** By GraphQL type name: every type of it that has a key. */
  readonly entities?: Readonly<Record<string, EntityPart>>
  /** By subscription field name: where its events come from. Declare the field with `{ subscribe: fromSources }`. */
  readonly sources?: Readonly<Record<string, SubscriptionSource>>
  /**
   * The subscription fields whose events are an answer that is made for the caller and ends by itself: a stop lets it run to its
   * end. The others look on at stored state and are ended first.
   */
  readonly answers?: readonly string[]
  /** Begins what every process needs to answer: views of the stored state, and listening for changes of others. */
  start?(): Promise<void>
  /** After `start`, in the processes whose subgraph this is: begins what is done once for an installation (sweeps, feeds, driving). */
  startWork?(): Promise<void>
  /** The server takes no more requests: lets go of callers who only wait. */
  drain?(): void
  /** Ends what was begun and frees what it took. */
  stop?(): Promise<void>
}
