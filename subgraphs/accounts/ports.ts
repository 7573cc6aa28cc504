/** What accounts needs of the others. */
import type { RequestContext } from '#platform/requests/context.js'
import type { EntityReference } from '#platform/subgraph.js'

/** The objects of a type, in the order of the references; null for what does not exist, or not for this caller. */
export type NodeSource = (
  typeName: string,
  references: readonly EntityReference[],
  context: RequestContext,
) => Promise<readonly (object | null)[]>

/** A setting in force, as administrators may see it. */
export interface Setting {
  /** Its path in the configuration file. */
  readonly name: string
  /** JSON; null when it is hidden. */
  readonly value: unknown
  readonly isHidden: boolean
  readonly isDefault: boolean
}

/** The program itself. */
export interface Installation {
  readonly version: string
  /** The configuration file that was read; null when there was none. */
  readonly configFile: string | null
  readonly settings: readonly Setting[]
  /** Reads the configuration again, in every process. @throws AppError 400 with the reason; everything is then as it was. */
  reload(): Promise<Reloaded>
}

/** What reading the configuration again has changed: paths of settings. */
export interface Reloaded {
  readonly applied: readonly string[]
  /** Changed in the file, and in force after a restart only. */
  readonly needsRestart: readonly string[]
}
