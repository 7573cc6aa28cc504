/** Elements of C++ containers: all views of one generation end together when the container moves them. */
import type { Expr, Type } from '../program.js'
import { type Run, newObject, partOf } from '../run.js'
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
