/** Objects whose value was moved away: only a new value makes them useful again. */
import { constant } from '../numbers/linear.js'
import type { Expr, ExprOf, Type } from '../program.js'
import { type Run, modelOf, report } from '../run.js'
import { State, type Value, isAddress } from '../state.js'

const gone: Value = { number: null, to: null, nil: isAddress, isUnset: false }

const isPlain = (type: Type | null): boolean => type !== null && ['integer', 'float', 'pointer', 'array'].includes(type.kind)

/** A record of numbers and addresses without a way of its own to be moved: each is copied. */
function isCopied({ program, text }: Run, type: Type | null): boolean {
  const fields = type?.kind === 'record' ? program.classes.get(type.name)?.fields : undefined
  if (fields === undefined || fields.size === 0 || ![...fields.values()].every((one) => isPlain(one))) return false
  const { start, end } = program.classes.get(type?.name ?? '') ?? { start: 0, end: 0 }
  const declared = text.slice(start, end)
  return !/&&\s{0,3}\w{0,40}\s{0,3}[),]/.test(declared) && !/^[^{]{0,200}[^:]:[^:]/.test(declared)
}

/** `assert(text.empty());` behind it says what is left. */
const isAsserted = ({ text }: Run, { start }: Expr): boolean =>
  /assert\w{0,10}\s?\([^;{}]{0,80}$/i.test(text.slice(Math.max(0, start - 100), start))

/** A name that is another one for an object. */
const isReferenced = (expr: Expr): expr is ExprOf<'dereference'> & { base: ExprOf<'variable'> } =>
  expr.op === 'dereference' && expr.base.op === 'variable' && expr.base.type?.of?.isReference === true

/** A variable, or a field that is reached without a pointer. */
function placeOf(expr: Expr): string | null {
  if (expr.op === 'variable') return expr.isLocal ? `&${expr.name}` : `::${expr.name}`
  if (isReferenced(expr)) return `*${expr.base.name}`
  if (expr.op !== 'field') return null
  const base = expr.base.op === 'variable' && expr.base.name === 'this' ? '&this' : expr.isArrow ? null : placeOf(expr.base)
  return base === null ? null : `${base}.${expr.name}`
}

const markOf = (place: string): string => `moved ${place}`

/** `std::move(x)`: whoever gets it takes the value. */
export function moveAway(run: Run, state: State, call: ExprOf<'call'>): boolean {
  const at = modelOf(run, call.name)?.moves
  const [argument] = call.args
  if (at === undefined || argument === undefined || call.args.length !== 1 || call.receiver !== null) return false
  const place = placeOf(argument)
  if (place === null || isPlain(argument.type) || isCopied(run, argument.type)) return false
  // The same expression is looked at more than once; in a loop it runs again.
  const mover = `mover ${place}`
  const isAgain = run.frame.loops.length === 0 && state.value(mover)?.number?.constant === call.start
  if (!isAgain) checkMoved(run, state, argument)
  state.set(mover, { ...gone, number: constant(call.start) })
  state.set(markOf(place), gone)
  return true
}

/** It is used for its value. */
export function checkMoved(run: Run, state: State, expr: Expr): void {
  const place = placeOf(expr)
  if (place === null) return
  if (state.value(markOf(place)) === gone && !isAsserted(run, expr)) report(run, 'used-after-move', expr)
  else if (expr.op === 'field' && !isParameter(expr.base)) checkMoved(run, state, expr.base)
}

/** Bases are moved from `T &&other` before its fields are. */
const isParameter = (expr: Expr): boolean => isReferenced(expr) || (expr.op === 'variable' && expr.name === 'this')

/** It has a value again, or somebody may have given it one. */
export function restore(state: State, expr: Expr): void {
  const place = placeOf(expr)
  // A new value of the whole is one of its fields too.
  if (place !== null && (!isPlain(expr.type) || state.value(markOf(place)) !== undefined)) restorePlace(state, place)
}

export const restorePlace = (state: State, place: string): void =>
  state.forget((one) => one.startsWith('moved ') && (one === markOf(place) || one.startsWith(`${markOf(place)}.`)))

/** A method of an object: some give it a value again. */
export function methodOnMoved(run: Run, state: State, call: ExprOf<'call'>, receiver: Expr): void {
  if (call.name.startsWith('~')) return
  if (modelOf(run, call.name)?.restores === true) return restore(state, receiver)
  checkMoved(run, state, receiver)
}

/** `expr.reset(new Node(std::move(expr)))`: what was moved away goes back. */
export function restoredBehind(run: Run, state: State, { name, receiver }: ExprOf<'call'>): void {
  if (receiver !== null && modelOf(run, name)?.restores === true) restore(state, receiver)
}

/** `f(x)`: a copy is made of it, unless the call takes it by reference to fill it. */
export function argumentMoved(run: Run, state: State, argument: Expr, isFilled: boolean): void {
  if (isFilled) restore(state, argument)
  else checkMoved(run, state, argument)
}
