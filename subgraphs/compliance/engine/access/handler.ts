/** A function that answers requests, with what is known of it from outside. */
import type { Place } from '../flow/sink-hits.js'
import type { Ir, Lambda, Parameter } from '../syntax/ir.js'
import type { Guard } from './guards.js'

export interface Handler {
  readonly name: string
  /** `null` for a page that is a program of its own, and for a case of a table of routes. */
  readonly lambda: Lambda | null
  /** Filters that run before it, then its own body. */
  readonly bodies: readonly Ir[]
  readonly parameters: readonly Parameter[]
  readonly path: string
  /** In lower case; empty where it is not known. */
  readonly verb: string
  /** Where it is declared or bound to its path. */
  readonly place: Place
  readonly className: string | null
  readonly guards: readonly Guard[]
  /** A guard of its class leaves it out by its name. */
  readonly isExcepted?: boolean
  /** Its router came from elsewhere, maybe with guards. */
  readonly isMounted: boolean
  /** Names that stand for the caller, and for what the client sent. */
  readonly callers: readonly string[]
  readonly inputs: readonly string[]
  /** Parameters of simple types come from the request. */
  readonly takesValues: boolean
}
