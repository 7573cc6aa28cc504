/** Elements of C++ containers: all views of one generation end together when the container moves them. */
import { isConstant } from '../numbers/linear.js'
import type { Expr, Type } from '../program.js'
import { type Run, escape, newObject, partOf } from '../run.js'
import { State, type Value, isAddress, unknownValue } from '../state.js'

export const moving = new Set([
  'vector',
  'string',
  'basic_string',
  'wstring',
  'deque',
  'unordered_map',
  'unordered_set',
  'QVector',
  'QList',
  'QString',
  'QByteArray',
  'small_vector',
  'flat_map',
])

const textTypes = new Set(['string', 'basic_string', 'wstring', 'QString', 'QByteArray'])

export const isTextType = (name: string): boolean => textTypes.has(name)

const settled = new Set(['list', 'forward_list', 'map', 'set', 'multimap', 'multiset', 'unique_ptr'])

export const isContainer = (type: Type | null): boolean =>
  type !== null && (type.kind === 'record' || type.isReference) && (moving.has(type.name) || settled.has(type.name))

/** Calls that need no other memory where `reserve` has asked for it. */
export const fitting = new Set(['push_back', 'emplace_back'])

/** That a container has been given room ahead. */
export const roomOf = (container: string): string => `${container} room`

/** The elements of a container as they lie now. */
function elementsOf(state: State, container: string): string {
  let generation = state.value(`${container} generation`)?.number?.constant ?? 0
  // Where ways meet that differ, the newest one is meant.
  while (state.object(`${container} elements ${generation}`)?.life === 'gone') generation++
  return `${container} elements ${generation}`
}

/** The elements have moved: whatever points to them is over. */
export function moveElements(state: State, container: string, call: Expr, by = 'container'): void {
  const elements = elementsOf(state, container)
  state.setObject(elements, {
    ...newObject(by, call, { escaped: true }),
    life: 'gone',
    ended: { start: call.start, end: call.end },
  })
  const generation = state.value(`${container} generation`)?.number?.constant ?? 0
  state.set(`${container} generation`, { ...unknownValue, number: { constant: generation + 1, terms: [] } })
}

export function viewOf(run: Run, state: State, container: string): Value {
  const object = partOf(run, container, elementsOf(state, container))
  if (state.object(object) === undefined) state.setObject(object, newObject('container', { start: 0, end: 0 }, { escaped: true }))
  return { number: null, to: [{ object, at: null }], nil: isAddress, isUnset: false }
}

/** `while (n--) free(all[n]);`: which of the elements it frees nobody knows, so that none of them is left behind for sure. */
export function releaseElements(run: Run, state: State, freed: Expr): void {
  const expr = freed.op === 'cast' ? freed.value : freed
  if (expr.op !== 'index' || expr.base.op !== 'variable') return
  const index = run.evaluate(state, expr.index).number
  if (index !== null && isConstant(index)) return
  for (const { object } of run.evaluate(state, expr.base).to ?? [])
    for (const [place, value] of state.places())
      if (value.to !== null && (place === object || place.startsWith(`${object}[`))) release(run, state, value)
}

/** The same for what a loop has freed or handed on in its rounds, also where nobody knows that there is a round. */
export function handedOnParts(before: State, after: readonly State[]): void {
  if (after.length === 0) return
  for (const [place, { to }] of before.places()) {
    const [only, ...others] = place.startsWith('heap ') ? (to ?? []) : []
    const held = only === undefined || others.length > 0 ? undefined : before.object(only.object)
    if (only === undefined || held === undefined || !held.isOwned || held.escaped) continue
    if (after.every((state) => state.object(only.object)?.escaped === true))
      before.setObject(only.object, { ...held, escaped: true })
  }
}

/** Somebody else has freed it, or may have: ways on which that is so stay apart from others. */
export function release(run: Run, state: State, value: Value): void {
  for (const { object } of value.to ?? []) {
    const known = state.object(object)
    if (known?.isOwned === true && !known.escaped) state.set(`released ${object}`, unknownValue)
  }
  escape(run, state, value)
}
