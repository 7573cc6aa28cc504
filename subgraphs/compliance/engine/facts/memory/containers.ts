/** Methods of C++ containers: iterators, references and views point to elements, which end when the container moves or shrinks. */
import { isThere } from '../calls/again.js'
import { checkLife, checkSize } from './checks.js'
import { noteUse } from './shared.js'
import { countedCall, isSequence } from './counts.js'
import { fitting, isContainer, moveElements, moving, roomOf, viewOf } from './elements.js'
import { argumentMoved } from './moves.js'
import { isUnset } from '../calls/leaving-macros.js'
import { zero } from '../numbers/linear.js'
import type { Expr, ExprOf, Type } from '../program.js'
import { type Run, escape, modelOf, newObject, partOf, settleAddressed, settleArgument, unknownOf } from '../run.js'
import { spotOf } from './spots.js'
import { State, type Value, isAddress, isNull, isUnchecked, unknownValue, unsetValue } from '../state.js'

export const containerOf = (run: Run, state: State, receiver: Expr): { readonly id: string; readonly type: Type } | null => {
  const type = receiver.op === 'dereference' && receiver.type === null ? null : receiver.type
  const record = type?.kind === 'pointer' ? type.of : type
  if (record == null || !isContainer(record)) return null
  const value = type?.kind === 'pointer' ? run.evaluate(state, receiver) : null
  const place = value === null ? spotOf(run, state, receiver, 'read').place : (value.to?.[0]?.object ?? null)
  return place === null ? null : { id: place, type: record }
}

/** A method of a container; `null` for any other call. */
export function containerCall(run: Run, state: State, call: ExprOf<'call'>, receiver: Expr): Value | null {
  const found = containerOf(run, state, receiver)
  const model = found === null ? undefined : modelOf(run, call.name)?.container
  if (found === null) return null
  // In their order: `put(x.name, std::move(x))` reads the name before anybody takes it.
  const args = call.args.map((argument) => {
    argumentMoved(run, state, argument, model === undefined)
    // `reader->next(row)` of a smart pointer: a method that may take it by reference.
    if (model === undefined && isUnset(state, argument)) settleArgument(state, argument, unsetValue)
    return run.evaluate(state, argument)
  })
  for (const value of args) {
    escape(run, state, value)
    // `text.toInt(&isNumber)`
    settleAddressed(state, value)
  }
  const isChange = !['is', 'empty', 'needs', 'keeps'].includes(modelOf(run, call.name)?.count ?? '') && model !== 'view'
  noteUse(run, state, found.id, found.type, isChange, receiver)
  const [amount] = args
  const [given] = call.args
  if (/^(?:resize|reserve)$/.test(call.name) && amount?.number != null && given !== undefined)
    checkSize(run, state, amount.number, given)
  const counted = countedCall(run, state, call, found.id, found.type, args)
  if (counted !== null) return counted
  const isMoving = moving.has(found.type.name)
  if (model === 'view') {
    const view = !isMoving && call.args.length > 0 ? elementOf(run, state, found.id, call) : viewOf(run, state, found.id)
    const mayBeEnd = modelOf(run, call.name)?.may_be_end === true && !isSequence(found.type) && !isThere(run, call)
    return mayBeEnd ? { ...view, nil: isNull | isAddress | isUnchecked } : view
  }
  if (model === 'move' && isMoving && !(fitting.has(call.name) && state.value(roomOf(found.id)) !== undefined))
    moveElements(state, found.id, call)
  if (call.name === 'reserve') state.set(roomOf(found.id), unknownValue)
  if (model === 'clear') moveElements(state, found.id, call)
  if (model === 'erase') return erased(run, state, call, found.id, isMoving, args)
  return unknownOf(run, state, `call ${call.start} ${state.epoch}`, call.type)
}

/** One element of a container that never moves its elements. */
function elementOf(run: Run, state: State, container: string, call: Expr): Value {
  const all = viewOf(run, state, container)
  const [elements] = all.to ?? []
  if (elements === undefined) return all
  const object = partOf(run, elements.object, `${elements.object} at ${call.start}`)
  state.setObject(object, newObject('container', call, { escaped: true }))
  return { ...all, to: [{ object, at: null }] }
}

/** `it + 1`, `std::next(it)`, `std::partition(it + 1, all.end(), isOld)`: the iterator that stands before it. */
function before(expr: Expr): string | null {
  if (expr.op === 'binary') return expr.operator === '+' && expr.left.op === 'variable' ? expr.left.name : null
  const [first] = expr.op === 'call' && expr.receiver === null ? expr.args : []
  if (expr.op !== 'call' || first === undefined) return null
  return expr.name === 'next' && first.op === 'variable' ? first.name : before(first)
}

export function noteBehind({ frame }: Run, name: string, value: Expr | null): void {
  const base = value === null ? null : before(value)
  if (base !== null && base !== name) frame.behind.set(name, base)
}

/** What stands before an element of a vector stays where it is when the element is erased. */
function staying({ frame }: Run, erasedAt: Expr): readonly string[] {
  const found: string[] = []
  let name = before(erasedAt) ?? (erasedAt.op === 'variable' ? frame.behind.get(erasedAt.name) : undefined)
  while (name !== undefined && !found.includes(name)) {
    found.push(name)
    name = frame.behind.get(name)
  }
  return found
}

/** `v.erase(it)`: in a vector everything from there on moves, in a list only the element is gone. */
function erased(
  run: Run,
  state: State,
  call: ExprOf<'call'>,
  container: string,
  isMoving: boolean,
  args: readonly Value[],
): Value {
  const [argument] = call.args
  const [value] = args
  if (argument === undefined || value === undefined) return unknownValue
  checkLife(run, state, value, argument)
  if (!isMoving) endWalked(run, state, call, container)
  if (argument.op === 'step' && !isMoving) return unknownValue
  if (isMoving) {
    moveElements(state, container, call, 'erased')
    for (const name of staying(run, argument)) state.set(`&${name}`, viewOf(run, state, container))
  }
  // A pointer is a key of a set, and lives on.
  else if (argument.op === 'variable' && argument.type?.kind !== 'pointer' && value.to !== null) {
    for (const target of value.to)
      if (target.object.includes(' at '))
        state.setObject(target.object, {
          ...newObject('container', call, { escaped: true }),
          life: 'gone',
          ended: { start: call.start, end: call.end },
        })
    const object = `erased ${call.start}`
    state.setObject(object, {
      ...newObject('erased', call, { escaped: true }),
      life: 'gone',
      ended: { start: call.start, end: call.end },
    })
    state.set(`&${argument.name}`, { ...value, to: [{ object, at: zero }] })
  }
  return viewOf(run, state, container)
}

/** `for (auto &kv : m) m.erase(kv.first);`: the loop goes on from an element that is gone. */
function endWalked(run: Run, state: State, call: ExprOf<'call'>, container: string): void {
  const [all] = viewOf(run, state, container).to ?? []
  for (const { each } of run.frame.loops) {
    const held = each === null ? undefined : state.value(each.walked)
    if (each === null || held === undefined || held.to?.[0]?.object !== all?.object) continue
    if (!call.args.some((argument) => isElement(argument, each.element))) continue
    const object = `walked ${call.start}`
    const { start, end } = call
    state.setObject(object, { ...newObject('container', call, { escaped: true }), life: 'gone', ended: { start, end } })
    state.set(each.walked, { ...held, to: [{ object, at: null }] })
  }
}

/** `x`, `x.first`, `m.find(x.first)` */
function isElement(expr: Expr, name: string): boolean {
  if (expr.op === 'call') return expr.receiver !== null && expr.args.some((argument) => isElement(argument, name))
  const inner = expr.op === 'field' && expr.name === 'first' ? expr.base : expr
  return inner.op === 'variable' ? inner.name === name : inner.op === 'dereference' && isElement(inner.base, name)
}

/** `T *t = queue.front();`: a copy of an element, not its place. */
export const copiesElement = (run: Run, expr: Expr): boolean =>
  expr.op === 'call' && expr.receiver !== null && modelOf(run, expr.name)?.element === true
