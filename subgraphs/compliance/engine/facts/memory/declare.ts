/** Declarations of variables. */
import { converted } from '../numbers/arithmetic.js'
import { beginBlank } from './blank.js'
import { checkAmount } from './checks.js'
import { copiesElement } from './containers.js'
import { declareCount } from './counts.js'
import { isContainer, roomOf } from './elements.js'
import { holdLock } from './locks.js'
import { checkMoved, restorePlace } from './moves.js'
import { constant } from '../numbers/linear.js'
import { openData } from '../numbers/numbers.js'
import { checkTruncated } from '../numbers/truncation.js'
import type { Expr, Type, Variable } from '../program.js'
import { type Run, escape, modelOf, newObject, report, unknownOf } from '../run.js'
import { forgetShown, sizeOfArray } from './spots.js'
import { State, type Value, isAddress, unknownValue, unsetValue } from '../state.js'
import { checkOwnSize, isOwner } from './stores.js'
import { bindView, isView, noteRunner, views } from './views.js'

export function declare(
  run: Run,
  state: State,
  variable: Variable,
  init: Expr | null,
  isStatic: boolean,
  place: { start: number; end: number },
): void {
  const id = `&${variable.name}`
  const { type } = variable
  const isLocal = !isStatic
  if (variable.endsItself === true) run.frame.endingThemselves.add(id)
  state.forget(
    (one) =>
      one === id ||
      one.startsWith(`${id}.`) ||
      one.startsWith(`${id}[`) ||
      one === `${id} generation` ||
      one === roomOf(id) ||
      one === `blank ${id}`,
  )
  restorePlace(state, id)
  // A reference that is bound again in the next round of a loop is another object.
  restorePlace(state, `*${variable.name}`)
  forgetShown(state, variable.name)
  if (type !== null && run.models.find(type.name)?.shares_lock === true) run.lockCareful.add(run.frame.fn)
  const held = type === null ? undefined : run.models.find(type.name)?.holds
  const parts = init?.op === 'list' ? init.items : init?.op === 'opaque' ? init.parts : []
  // Which of several locks is held depends on the others.
  if (held !== undefined && parts.length > 1) run.lockCareful.add(run.frame.fn)
  const lock = held === undefined || parts.length !== 1 ? undefined : parts[held]
  if (lock !== undefined) return holdLock(run, state, variable.name, lock, place)
  if (init !== null) checkMoved(run, state, init)
  const size = sizeOfArray(run, state, type)
  if (size !== null && type?.kind === 'array' && type.count !== null) checkAmount(run, state, size, type.count, 2 ** 15)
  const text = init?.op === 'text' && type?.kind === 'array' ? init : null
  const isInitialized = init?.op === 'list' && type?.kind === 'array'
  state.setObject(
    id,
    newObject(isLocal ? 'stack' : 'static', place, {
      size: size ?? (text === null ? null : constant((text.value.length + 1) * text.width)),
      length: text === null ? null : constant(text.value.length),
      escaped: isStatic,
    }),
  )
  declareCount(run, state, id, type, init)
  noteRunner(run, state, id, init)
  if (init === null) return declareUnset(state, id, variable, isLocal)
  if (isInitialized || text !== null) {
    for (const item of init?.op === 'list' ? init.items : []) run.evaluate(state, item)
    return
  }
  if (type?.isReference === true) return bindReference(run, state, id, init, isStatic)
  const view = isView(type) ? bindView(run, state, init, place) : null
  if (view !== null) return state.set(id, view)
  if (init.op === 'list' && (isContainer(type) || views.has(type?.name ?? ''))) checkConstructed(run, state, init.items)
  if (type !== null)
    checkOwnSize(run, { op: 'variable', name: variable.name, isLocal: true, type, start: place.start, end: place.end }, init)
  const [only] = init.op === 'list' ? init.items : []
  const isScalar = type !== null && (type.kind === 'pointer' || type.kind === 'integer')
  const value =
    init.op === 'list' && isScalar && init.items.length === 1 && only !== undefined
      ? run.evaluate(state, only)
      : elementCopy(run, state, init, type)
  if (isStatic || isOwner(run, type, init)) escape(run, state, value)
  checkTruncated(run, state, variable.name, type, init, value, place)
  state.set(
    id,
    isStatic ? unknownValue : { ...converted(run, state, value, type ?? init.type, init), isInitial: false, isUnset: false },
  )
}

function declareUnset(state: State, id: string, { name, type }: Variable, isLocal: boolean): void {
  const isPlain = isLocal && type !== null && !type.isReference
  const canBeUnset = isPlain && name !== '' && (type.kind === 'integer' || type.kind === 'float' || type.kind === 'pointer')
  state.set(id, canBeUnset ? unsetValue : unknownValue)
  if (isPlain && type.kind === 'record') beginBlank(state, id)
}

function elementCopy(run: Run, state: State, init: Expr, type: Type | null): Value {
  const value = run.evaluate(state, init)
  return copiesElement(run, init) ? unknownOf(run, state, `element ${init.start} ${state.epoch}`, type) : value
}

/** `std::string s(bytes, n)` reads as many bytes as it is told, and so does one without a name. */
export function checkConstructed(run: Run, state: State, [from, count]: readonly Expr[]): void {
  if (from === undefined || count === undefined || (from.type?.kind !== 'pointer' && from.op !== 'cast' && from.op !== 'binary'))
    return
  const { number } = run.evaluate(state, count)
  if (number !== null && openData(run.symbols, state, number).length > 0) report(run, 'data-length', count)
}

/** `T &x = v[0]`: another name of what lies there. */
function bindReference(run: Run, state: State, id: string, init: Expr, isStatic: boolean): void {
  if (init.op === 'call') {
    const answer = run.evaluate(state, init)
    const leadsIn = answer.to?.length === 1 && answer.to[0]?.object.includes(' elements ') === true
    if (leadsIn && modelOf(run, init.name)?.may_be_end !== true) return state.set(id, answer)
    // `const auto& it = names.find(name);` is bound to the answer, which may be nothing, and not to what the answer leads to.
    if (init.type?.isReference !== true) return state.set(id, { number: null, to: null, nil: isAddress, isUnset: false })
  }
  const value = run.evaluate(state, { op: 'address', base: init, type: null, start: init.start, end: init.end })
  // It lasts as long as the program.
  if (isStatic) escape(run, state, value)
  state.set(id, value)
}
