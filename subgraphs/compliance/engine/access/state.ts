/** What reading a handler collects. */
import type { Place } from '../flow/sink-hits.js'
import type { Flow } from '../flow/state.js'
import type { AccessWords } from '../rulebook/access-words.js'
import type { Ir, Lambda } from '../syntax/ir.js'
import type { Handler } from './handler.js'
import type { Traits } from './traits.js'

export interface Lookup extends Place {
  /** Names that say what it is, the surest first. */
  readonly near: readonly string[]
  /** Found by whose it is: by an id of a person that the client sent. */
  readonly byOwner: boolean
  readonly isChange: boolean
  /** The client's data is given to it later: a prepared statement. */
  readonly isPrepared: boolean
  /** All of the client's data that it has says nothing of which one. */
  readonly waits?: boolean
}

/** A statement that waits for its data. */
interface Prepared {
  readonly lookup: Lookup
  hasClient: boolean
  hasCaller: boolean
}

/** A statement: what is asked for together with the caller is his. */
export interface Unit {
  hasCaller: boolean
  hasClient: boolean
  readonly lookups: Lookup[]
  /** Names of what the caller's own things are read from. */
  readonly things: string[]
  /** The variable and the type that the result gets. */
  readonly result: readonly string[]
}

export interface Decision extends Place {
  /** The client's own word decides. */
  readonly kind: 'claimed-role'
}

export interface Walk {
  readonly flow: Flow
  readonly words: AccessWords
  readonly handler: Handler
  readonly env: Map<string, Traits>
  readonly lookups: Lookup[]
  readonly prepared: Map<string, Prepared>
  /** Where something about the caller is asked for. */
  readonly checks: Place[]
  readonly decisions: Decision[]
  /** Whoever calls knows a secret: a signed message of another server. */
  provesSecret: boolean
  /** The caller becomes a part of what was loaded: what nobody had is his from here on. */
  givesToCaller: boolean
  /** Tables that it reads without asking whose the rows are. */
  readonly listed: Set<string>
  /** One of them asks for a role. */
  asksRole: boolean
  /** What cannot be undone, while nothing was asked. */
  readonly acts: Place[]
  /** What was loaded is changed. */
  changesThing: boolean
  /** What callers' own things are read from, in this handler. */
  readonly scoped: Set<string>
  unit: Unit
  hasClient: boolean
  hasCaller: boolean
  /** In a condition. */
  testing: number
  /** Functions of the file that are being read, and where the handler called them. */
  readonly inlined: Lambda[]
  site: Place | null
  steps: number
  readonly evaluate: (walk: Walk, ir: Ir, depth: number) => Traits
  /** A statement or a block of them. */
  readonly run: (walk: Walk, ir: Ir, depth: number) => Traits
}

export const newUnit = (result: readonly string[] = []): Unit => ({
  hasCaller: false,
  hasClient: false,
  lookups: [],
  things: [],
  result,
})

export function inUnit(walk: Walk, result: readonly string[], work: () => Traits): Traits {
  const around = walk.unit
  walk.unit = newUnit(result)
  const found = work()
  const { hasCaller, hasClient, lookups, things } = walk.unit
  if (hasCaller) {
    for (const thing of [...things, ...(things.length > 0 || lookups.length > 0 ? result : [])]) walk.scoped.add(thing)
    for (const lookup of lookups) for (const thing of lookup.near) walk.scoped.add(thing)
  } else for (const lookup of lookups) keep(walk, lookup, hasClient, result.at(-1))
  // `c.prepareStatement(text).use { st -> st.setLong(1, id) }`: what the block gives belongs to the statement around it.
  if (around.lookups.some(({ isPrepared }) => isPrepared)) {
    around.hasCaller ||= hasCaller
    around.hasClient ||= hasClient
  }
  walk.unit = around
  return found
}

function keep(walk: Walk, lookup: Lookup, hasClient: boolean, result: string | undefined): void {
  const isWhole = !lookup.isPrepared || (hasClient && lookup.waits !== true)
  if (isWhole) walk.lookups.push(lookup)
  else if (result !== undefined) {
    settle(walk, result)
    walk.prepared.set(result, { lookup, hasClient: false, hasCaller: false })
  }
}

/** No more data is given to a prepared statement. */
export function settle(walk: Walk, name: string): void {
  const waiting = walk.prepared.get(name)
  if (waiting?.hasClient === true && !waiting.hasCaller) walk.lookups.push(waiting.lookup)
  walk.prepared.delete(name)
}

/** The caller was seen: what else the statement asks for is his. */
export function noteCaller(walk: Walk): void {
  walk.hasCaller = true
  walk.unit.hasCaller = true
}

/** Data of the client was seen. */
export function noteClient(walk: Walk): void {
  walk.hasClient = true
  walk.unit.hasClient = true
}

export function noteCheck(walk: Walk, { start, end }: Place): void {
  walk.checks.push(walk.site ?? { start, end })
}

export function noteAct(walk: Walk, { start, end }: Place): void {
  if (walk.checks.length === 0) walk.acts.push(walk.site ?? { start, end })
}
