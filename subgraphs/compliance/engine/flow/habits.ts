/**
 * A file that tests the names it is given before it opens them, and forgets that once.
 *
 * What a parameter holds is the caller's business, so a library that joins it to a path or an address is silent. Where another function of
 * the file tests its own parameter on the way to such a place, its authors know that callers pass on what others wrote.
 */
import { byTest, isNumericType } from './values/harmless-types.js'
import type { Rule } from '../rulebook/schema.js'
import type { Arrival } from './sink-hits.js'
import type { Flow } from './state.js'
import type { Origin } from './values/value.js'

const kinds = new Set(['path', 'ssrf'])

/** Of a script the arguments are its caller's business in the same way, also as numbers, which the shell evaluates. */
const kindsOf = ({ book: { language } }: Flow): ReadonlySet<string> => (language === 'bash' ? shellKinds : kinds)
const shellKinds = new Set([...kinds, 'arithmetic'])

interface Forgotten {
  readonly rule: Rule
  readonly arrival: Arrival
  readonly origin: Origin
}

export interface Habits {
  /** Kinds of places on the way to which some function tests its parameter. */
  readonly tested: Set<string>
  readonly forgotten: Forgotten[]
}

export const newHabits = (): Habits => ({ tested: new Set(), forgotten: [] })

/** It arrives there, and is harmless by then. */
export function noteTested(flow: Flow, { kind }: Arrival, { parameter, label, clean }: Origin): void {
  if (!kindsOf(flow).has(kind) || label !== 'param' || parameter === null || !clean.has(byTest)) return
  const type = parameter.of.parameters[parameter.index]?.type
  if (!isNumericType(flow, type)) flow.habits.tested.add(kind)
}

/** It arrives as it came, behind some folder or host. */
export function noteForgotten(flow: Flow, rule: Rule, arrival: Arrival, origin: Origin): void {
  if (flow.book.language === 'bash') return noteArgument(flow, rule, arrival, origin)
  const isJoined = origin.built && (origin.isBehind === true || (origin.lead ?? '') !== '')
  const isWhole =
    origin.label === 'param' && origin.parameter !== null && origin.parameter.part === undefined && origin.isAnswer !== true
  if (kinds.has(arrival.kind) && isWhole && isJoined && rule.taint?.from['remote'] !== undefined)
    flow.habits.forgotten.push({ rule, arrival, origin })
}

/** A script's argument; names of files and places may be any, unless they stand behind a folder. */
function noteArgument(flow: Flow, rule: Rule, arrival: Arrival, origin: Origin): void {
  if (origin.label !== 'local' || !shellKinds.has(arrival.kind) || rule.taint?.from['remote'] === undefined) return
  if (arrival.kind !== 'path' || origin.built) flow.habits.forgotten.push({ rule, arrival, origin })
}

/** What counts in the end: where some function of the file has tested its own. */
export const forgottenIn = ({ habits }: Flow): readonly Forgotten[] =>
  habits.forgotten.filter(({ arrival }) => habits.tested.has(arrival.kind))
