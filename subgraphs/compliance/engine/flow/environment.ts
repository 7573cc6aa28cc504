/** Variables by name, per function; branches work on copies that are joined again. */
import { joinValues, onOneWay, unknown, type Value } from './values/value.js'

export interface Environment {
  readonly variables: Map<string, Value>
  readonly parent: Environment | null
  /** Nothing after this point runs: the way ended in return, throw, break or continue. */
  isDead: boolean
}

/** The name under which conditions note the calls that they found harmless, as marks: `kind text`. */
export const testedCalls = '\0tested'

/** The same of pieces of a source: `kind source pieces`. */
export const testedPieces = '\0pieces'

export const createEnvironment = (parent: Environment | null): Environment => ({ variables: new Map(), parent, isDead: false })

export const copyEnvironment = (from: Environment): Environment => ({
  variables: new Map(from.variables),
  parent: from.parent,
  isDead: from.isDead,
})

export function lookup(environment: Environment, name: string): Value | undefined {
  for (let at: Environment | null = environment; at !== null; at = at.parent) {
    const found = at.variables.get(name)
    if (found !== undefined) return found
  }
  return undefined
}

/** Overwrites `target` with what holds after either of two ways. A way that ended early does not count. */
export function joinInto(target: Environment, a: Environment, b: Environment): void {
  if (a.isDead && b.isDead) {
    target.isDead = true
    replace(target, a)
    return
  }
  target.isDead = false
  if (a.isDead) return replace(target, b)
  if (b.isDead) return replace(target, a)
  const joined = new Map(a.variables)
  let shared = 0
  for (const [name, value] of b.variables) {
    const other = a.variables.get(name)
    if (other !== undefined) shared++
    if (other !== value) joined.set(name, other === undefined ? onOneWay(value) : joinValues(other, value))
  }
  if (shared < a.variables.size)
    for (const [name, value] of a.variables) if (!b.variables.has(name)) joined.set(name, onOneWay(value))
  for (const note of [testedCalls, testedPieces]) if (a.variables.has(note) !== b.variables.has(note)) joined.delete(note)
  target.variables.clear()
  for (const [name, value] of joined) target.variables.set(name, value)
}

function replace(target: Environment, from: Environment): void {
  if (target.variables === from.variables) return
  target.variables.clear()
  for (const [name, value] of from.variables) target.variables.set(name, value)
}

/** The value of a name that must exist. */
export const valueOf = (environment: Environment, name: string): Value => lookup(environment, name) ?? unknown
