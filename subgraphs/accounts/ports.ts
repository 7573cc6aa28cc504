/** What accounts needs of the others. */
import type { RequestContext } from '#platform/requests/context.js'
import type { EntityReference } from '#platform/subgraph.js'

/** The objects of a type, in the order of the references; null for what does not exist, or not for this caller. */
export type NodeSource = (
  typeName: string,
  references: readonly EntityReference[],
  context: RequestContext,
) => Promise<readonly (object | null)[]>
