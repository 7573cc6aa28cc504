/** Assignments and steps. */
import { arithmetic, bytesOf, converted, isPointer, linear, numberValue, pointerSum } from '../numbers/arithmetic.js'
import { forgetSearches, isAnswer } from '../calls/again.js'
import { endBlank } from './blank.js'
import { forgetHeld } from './begun.js'
import { checkLife, trust } from './checks.js'
import { type Linear, add, constant, isConstant, isSame, scale, symbolic } from '../numbers/linear.js'
import { failureNumber } from '../numbers/failures.js'
import { noteResult } from '../numbers/fitting.js'
import { rangeOf, reached } from '../numbers/numbers.js'
import { checkTruncated } from '../numbers/truncation.js'
import type { Expr, ExprOf, Place, Type } from '../program.js'
import { type Run, escape, objectOf, report, settleAddressed, unknownOf } from '../run.js'
import { checkMoved, restore } from './moves.js'
import { forgetCount } from './counts.js'
import { noteUse } from './shared.js'
import { isContainer, moveElements, release } from './elements.js'
import { forgetNumbered } from './numbered.js'
import { checkOverwritten } from './overwritten.js'
import { forgetShown, spotOf } from './spots.js'
import { closeText } from './texts.js'
import { checkThreadStep } from './threads.js'
import { checkKept, isView } from './views.js'
import { State, type Target, type Value, isAddress, isUnchecked, moved, unknownValue } from '../state.js'

export function assign(run: Run, state: State, expr: ExprOf<'assign'>): Value {
  const { operator, target } = expr
  let value: Value
  if (operator === '') {
    value = run.evaluate(state, expr.value)
    value = failureNumber(run, state, expr.value) ?? value
    checkMoved(run, state, expr.value)
  } else {
    checkThreadStep(run, state, target)
    const old = run.evaluate(state, target)
    const right = run.evaluate(state, expr.value)
    const whole: Expr = {
      op: 'binary',
      operator,
      left: target,
      right: expr.value,
      type: target.type,
      start: expr.start,
      end: expr.end,
    }
    const pointed = isPointer(target.type, old) ? pointerSum(run, whole, old, right) : null
    value =
      pointed ??
      numberValue(
        arithmetic(
          run,
          state,
          whole,
          operator,
          linear(run, old, `${expr.start} old`, target.type),
          linear(run, right, `${expr.start} by`, expr.value.type),
        ),
      )
    if (expr.value.op === 'number' && target.op === 'variable') noteStep(run, state, target.name, old, value)
  }
  checkOwnSize(run, target, expr.value)
  restore(state, target)
  checkReplaced(run, state, target, expr.value)
  checkKept(run, state, target, expr.value)
  checkOverwritten(run, target, expr.value)
  if (isContainer(target.type)) {
    const { place } = spotOf(run, state, target, 'read')
    if (place !== null) forgetCount(state, place)
    // A new value ends the elements of the old one.
    if (place !== null && (operator === '+' || (operator === '' && expr.value.op !== 'binary'))) moveElements(state, place, expr)
  }
  if (operator === '') {
    handOver(run, state, target, expr.value)
    const name = target.op === 'variable' || target.op === 'field' ? target.name : ''
    if (name !== '') checkTruncated(run, state, name, target.type, expr.value, value, expr)
  }
  if (isOwner(run, target.type, expr.value) || mayOwn(target, expr.value)) escape(run, state, value)
  value = converted(run, state, value, target.type, expr)
  const isKnown = store(run, state, target, value)
  // `entry(k)->name = name = malloc(n); if (entry(k)->name == NULL)`: the check is about both, wherever the other one is.
  if (!isKnown && expr.value.op === 'assign' && (value.nil & isUnchecked) !== 0) trust(state, value)
  if (operator === '') replaceFields(run, state, target)
  return value
}

/** `Item::Pointer item = new Item;`, `Ref<Item> kept = item;`: an object that takes an address in gives back what it holds. */
export const isOwner = ({ program }: Run, type: Type | null | undefined, value: Expr): boolean =>
  type?.kind === 'record' &&
  (value.op === 'new' || (!program.isPlain && !isContainer(type) && value.op === 'variable' && value.type?.kind === 'pointer'))

/** `query.fields = new Dictionary;`: a field whose type is declared elsewhere may be such an object. */
const mayOwn = (target: Expr, value: Expr): boolean =>
  value.op === 'new' && target.op === 'field' && (target.type ?? null) === null

/** `*table = larger;` gives each field another value: what was freed there is no longer there. */
function replaceFields(run: Run, state: State, target: Expr): void {
  if (target.type?.kind !== 'record') return
  const objects = target.op === 'dereference' ? spotOf(run, state, target, 'read').targets : null
  const start = target.op === 'variable' ? `${target.isLocal ? '&' : '::'}${target.name}.` : `${objects?.[0]?.object ?? ''}.`
  if (start === '.') return
  for (const [place, { to }] of state.places())
    if (place.startsWith(start) && to?.some(({ object }) => objectOf(state, object).life === 'freed') === true)
      state.set(place, unknownValue)
}

/** `*out = record;`: what the fields of the record hold goes with them. */
function handOver(run: Run, state: State, target: Expr, value: Expr): void {
  if (value.op !== 'variable' || !value.isLocal || value.type?.kind !== 'record' || target.op === 'variable') return
  for (const [place, held] of state.places()) if (place.startsWith(`&${value.name}.`)) escape(run, state, held)
}

/** `p = malloc(sizeof(p))`: room for an address. */
export function checkOwnSize(run: Run, target: Expr, value: Expr): void {
  const call = value.op === 'cast' ? value.value : value
  if (call.op !== 'call' || target.op !== 'variable' || target.type?.of?.kind === 'pointer') return
  if (run.models.find(call.name)?.allocates === undefined) return
  const isOwn = call.args.some((one) => one.op === 'sizeof' && one.of?.op === 'variable' && one.of.name === target.name)
  if (isOwn && target.type?.kind === 'pointer') report(run, 'pointer-size', call)
  else if (isForPointer(call, target.type)) report(run, 'pointer-size', call)
}

/** `struct s *p = malloc(sizeof(struct s *))` */
function isForPointer({ args }: ExprOf<'call'>, type: Type | null): boolean {
  const [only] = args
  if (args.length !== 1 || only?.op !== 'sizeof' || type?.of?.kind !== 'record') return false
  return only.measured?.kind === 'pointer' && only.measured.of?.name === type.of.name
}

/** `p = realloc(p, n)`: when it fails nobody knows any longer where the old memory is. */
function checkReplaced(run: Run, state: State, target: Expr, value: Expr): void {
  const call = value.op === 'cast' ? value.value : value
  if (call.op !== 'call' || call.receiver !== null) return
  const model = run.models.find(call.name)
  const old =
    model?.frees === undefined || model.may_be_null !== true || model.allocates === undefined ? undefined : call.args[model.frees]
  const [made] = old === undefined ? [] : [`${model?.allocates ?? ''} ${call.start}`]
  if (old === undefined || made === undefined || !isSamePlace(target, old) || isHeldOutside(run, state, target)) return
  state.set(`replaced ${made}`, { number: null, to: [{ object: made, at: null }], nil: isAddress, isUnset: false })
}

/** `items = all->items; items = realloc(items, n);`: what the variable was taken from still knows the old memory. */
function isHeldOutside(run: Run, state: State, target: Expr): boolean {
  if (target.op !== 'variable' || !target.isLocal) return false
  const { place } = spotOf(run, state, target, 'read')
  const [old] = place === null ? [] : (state.value(place)?.to ?? [])
  if (old === undefined) return false
  for (const [other, { to }] of state.places())
    if (/^(?:\*|::\w)/.test(other) && other !== place && !isAnswer(other) && to?.length === 1 && to[0]?.object === old.object)
      return true
  return false
}

function isSamePlace(a: Expr, b: Expr): boolean {
  if (b.op === 'cast') return isSamePlace(a, b.value)
  if (a.op === 'variable') return b.op === 'variable' && a.name === b.name
  if (a.op === 'field') return b.op === 'field' && a.name === b.name && isSamePlace(a.base, b.base)
  return a.op === 'dereference' && b.op === 'dereference' && isSamePlace(a.base, b.base)
}

/** Assigns, and lets whoever can see the place see the value; whether it is known which place that is. */
function store(run: Run, state: State, target: Expr, value: Value): boolean {
  const spot = spotOf(run, state, target, 'write')
  if (target.op !== 'variable' || !target.isLocal) forgetSearches(state)
  const changed = target.op === 'dereference' ? target.base : target
  if (changed.op === 'variable') forgetShown(state, changed.name)
  const home = spot.targets?.[0]
  if (home !== undefined && (target.op === 'index' || target.op === 'dereference')) {
    forgetHeld(state, home.object)
    noteText(run, state, home, value, target)
  }
  // `part.base = &n;`: who gets the record gets the variable.
  if (target.op !== 'variable') settleAddressed(state, value)
  if (spot.place === null || spot.targets === null) {
    escape(run, state, value)
    for (const { object } of spot.targets ?? []) forgetElements(run, state, object)
    return false
  }
  noteUse(run, state, spot.place, target.type, true, target)
  endBlank(state, spot.place)
  const object = objectOf(state, spot.targets[0]?.object ?? '')
  if (object.escaped && (!spot.place.startsWith('&') || object.by === 'static')) {
    escape(run, state, value)
    run.frame.changesOutside = true
  }
  if (object.by === 'stack' && object.escaped && (target.op === 'field' || target.op === 'index')) escape(run, state, value)
  // An object takes what it needs out of a text (`name_ = buffer;`): it keeps no address, unless it is a view.
  const isCopied = target.type?.kind === 'record' && !isView(target.type)
  if ((spot.place.startsWith('*&') || spot.place.startsWith('::')) && !isCopied)
    run.frame.storedAt.set(spot.place, { start: target.start, end: target.end })
  if (target.op === 'index' || target.op === 'dereference') forgetNumbered(state, spot.targets[0]?.object ?? '')
  dropFailed(run, state, state.value(spot.place))
  state.set(spot.place, value)
  return true
}

/** `if (fd < 0) fd = other;`: what could not be opened is not left behind. */
function dropFailed(run: Run, state: State, old: Value | undefined): void {
  const [only] = old?.to ?? []
  const known = only?.object.startsWith('descriptor ') === true ? state.object(only.object) : undefined
  if (only === undefined || known === undefined || rangeOf(run.symbols, state, symbolic(only.object)).high >= 0) return
  state.setObject(only.object, { ...known, escaped: true })
}

/** A zero at a known place ends the text there. */
function noteText(run: Run, state: State, { object, at: bytes }: Target, value: Value, target: Expr): void {
  const isZero = value.number !== null && isConstant(value.number) && value.number.constant === 0
  const width = bytesOf(target.type) ?? 1
  const at = bytes === null || width === 1 ? bytes : scale(bytes, 1 / width)
  noteLimit(run, state, object, at, isZero, target)
  if (isZero) closeText(state, object)
  const known = state.object(object)
  if (known === undefined) return
  state.setObject(object, {
    ...known,
    length: isZero && at !== null ? at : known.length !== null && isZero ? null : isZero ? null : known.length,
  })
}

/** `if (i < N) dst[i++] = c; ... dst[i] = 0;` with the length of an array of the program: the zero goes behind its end. */
function noteLimit(run: Run, state: State, object: string, at: Linear | null, isZero: boolean, place: Place): void {
  const top = at === null || objectOf(state, object).size !== null ? null : reached(run.symbols, state, at)
  if (top === null || at === null || isConstant(at) || !isConstant(top)) return
  const limit = state.value(`limit ${object}`)?.number?.constant
  if (isZero && limit !== undefined && limit === top.constant - 1 && isArrayLength(run, top.constant))
    report(run, 'overflow', place)
  else if (!isZero && (limit === undefined || limit < top.constant)) state.set(`limit ${object}`, numberValue(top))
}

const isArrayLength = (run: Run, count: number): boolean =>
  [...run.program.classes.values()].some(({ fields }) =>
    [...fields.values()].some((type) => type?.kind === 'array' && type.count?.op === 'number' && type.count.value === count),
  )

/** One of them is another now: which one nobody knows, so that what they held may still be there. */
function forgetElements(run: Run, state: State, object: string): void {
  forgetNumbered(state, object)
  for (const [place, value] of state.places())
    if (value.to !== null && (place === object || place.startsWith(`${object}[`))) release(run, state, value)
  state.forget((place) => place === object || place.startsWith(`${object}[`))
}

/** `i++` in a loop counts: what is known of it before the step bounds what it can be at the beginning of a round. */
function noteStep(run: Run, state: State, name: string, old: Value, made: Value): void {
  const place = `&${name}`
  for (const { counters } of run.frame.loops) {
    const counter = counters.get(place)
    const from = old.number ?? old.to?.[0]?.at ?? null
    const to = made.number ?? made.to?.[0]?.at ?? null
    if (counter === undefined || from === null || to === null) continue
    counter.steps++
    const rounds = add(from, counter.start, -1)
    const unit = Math.abs(counter.by)
    if (rounds === null) {
      counter.isKnown = false
      continue
    }
    const [only] = rounds.terms
    const range = only === undefined ? undefined : state.range(only[0])
    const high = rangeOf(run.symbols, state, rounds).high / unit
    counter.high = Math.max(counter.high, high)
    const most = range?.most ?? null
    if (rounds.terms.length !== 1 || most === null || rounds.constant !== 0 || unit !== 1)
      counter.isKnown = counter.isKnown && Number.isFinite(high)
    else if (counter.most === null) counter.most = most
    else if (!isSame(counter.most, most)) counter.isKnown = false
  }
}

export function stepped(run: Run, state: State, expr: ExprOf<'step'>): Value {
  checkThreadStep(run, state, expr.target)
  const old = run.evaluate(state, expr.target)
  const size = expr.target.type?.kind === 'pointer' ? bytesOf(expr.target.type.of) : 1
  let value: Value
  const isOwn = old.to?.some(({ object }) => objectOf(state, object).isOwned) === true
  // An iterator: its elements are others. In C only a pointer by another name can be stepped.
  if (expr.target.type?.kind === 'record' && !isOwn && !run.program.isPlain)
    value = unknownOf(run, state, `stepped ${expr.start} ${++state.epoch}`, null)
  else if (old.to !== null && (expr.target.type?.kind === 'pointer' || old.number === null)) {
    checkLife(run, state, old, expr.target)
    value = { ...old, number: null, to: old.to.map((target) => moved(target, size === null ? null : constant(expr.by * size))) }
  } else {
    value = numberValue(old.number === null ? null : add(old.number, constant(expr.by)))
    noteResult(run, state, expr, value.number)
  }
  if (expr.target.op === 'variable') noteStep(run, state, expr.target.name, old, value)
  value = { ...converted(run, state, value, expr.target.type, expr), isUnset: false, isInitial: false }
  store(run, state, expr.target, value)
  return expr.isBefore ? value : old
}
