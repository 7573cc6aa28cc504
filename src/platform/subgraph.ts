/** What a subgraph's door hands to the composition root, and the machine in src/graph turns into a Federation 2 schema. */
import type { RequestContext } from './context.js'

/** What a router sends to ask for an entity: its type name and key fields. */
export type EntityReference = { readonly __typename: string } & Readonly<Record<string, unknown>>

/** Resolves many references of one type in one batch; the answer has the same order, null for what does not exist. */
export type ReferenceResolver = (
  references: readonly EntityReference[],
  context: RequestContext,
) => Promise<readonly (object | null)[]>

export interface Subgraph {
  /** The file name in schema/ and the argument of `sluice subgraph <name>`. */
  readonly name: string
  /** Instances of the type-graphql resolver classes; type-graphql's container returns them by class. */
  readonly resolvers: readonly object[]
  /** Object type classes that no root field reaches, such as entities that other subgraphs join to. */
  readonly orphanedTypes?: readonly (new (...args: never[]) => object)[]
  /** By GraphQL type name. */
  readonly references?: Readonly<Record<string, ReferenceResolver>>
  /** Begins background work (sweeps, feeds, the reconciler). */
  start?(): Promise<void>
  /** Ends background work and frees what start took. */
  stop?(): Promise<void>
}
