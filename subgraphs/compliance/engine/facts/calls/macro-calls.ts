/** Calls of macros: nobody sees what they do with their arguments and with what stands around them. */
import { trust } from '../memory/checks.js'
import { noteMade } from '../memory/room.js'
import type { ExprOf } from '../program.js'
import { type Run, escape, forgetInside, modelOf, newObject, objectOf, rootOf, unknownOf } from '../run.js'
import { type State, type Value, isNull, unknownValue } from '../state.js'
import { noteChecked } from '../statements/conditions.js'
import { isGivenFailure, leavingOf, stays } from './leaving-macros.js'

const asking = /ASSERT|CHECK|CHK|VERIFY|REQUIRE|ENSURE|N(?:OT|ON)_?(?:NULL|ZERO)/

/** Nobody sees what a macro does: its arguments are unknown afterwards. */
export function macroCall(run: Run, state: State, call: ExprOf<'call'>): Value {
  // It may set names that nobody declares.
  setAgain(state, '::')
  forgetNulls(state)
  touchedBy(run, state, call)
  const given: Value[] = []
  const isAsking = asking.test(call.name)
  for (const argument of call.args) {
    noteChecked(run, state, argument)
    if (argument.op === 'variable' && argument.type?.kind === 'record') loosenFields(run, state, argument)
    const target = argument.op === 'address' ? argument.base : argument
    if (target.op === 'variable') {
      const place = target.isLocal ? `&${target.name}` : `::${target.name}`
      const old = state.value(place)
      if (old !== undefined) {
        loosen(run, state, old)
        state.set(place, {
          ...unknownOf(run, state, `macro ${argument.start} ${state.epoch}`, target.type),
          ...(old.number === null ? {} : { number: old.number }),
        })
      }
      given.push(old ?? run.evaluate(state, target))
    } else {
      const value = run.evaluate(state, argument)
      given.push(value)
      // `CHECK_NOT_NULL(p = malloc(n))`
      if (isAsking || argument.op === 'assign') trust(state, value)
      loosen(run, state, value)
      for (const { object } of value.to ?? []) forgetInside(run, state, object)
    }
  }
  // What a parameter points to may be set by it.
  if (given.some(({ to }) => to?.some(({ object }) => object.startsWith('*&')))) run.frame.changesOutside = true
  const expansion = run.program.expansions.get(call.name)
  if (expansion?.joins === true) settleAll(state)
  for (const name of expansion?.sets ?? [])
    for (const place of [`&${name}`, `::${name}`]) {
      const old = state.value(place)
      if (old === undefined) continue
      // `result = realloc(result, n)` in it: what it held may be gone, or moved.
      loosen(run, state, old)
      state.set(place, unknownOf(run, state, `macro ${call.start} ${name} ${state.epoch}`, null))
    }
  const leaving = leavingOf(call.name)
  if (leaving === 'on-failure') stays(state)
  if (
    expansion?.leaves === true ||
    leaving === 'always' ||
    (leaving === 'on-failure' && isGivenFailure(state, call)) ||
    endsProgram(run, call.name, 0)
  )
    state.setObject('end', newObject('end', call))
  const made = unknownOf(run, state, `macro ${call.start} ${state.epoch}`, call.type)
  if (call.args.every((one) => one.op !== 'address')) noteMade(state, made, call, given)
  return made
}

/** A structure that a macro gets by its name: what it holds may be anywhere. */
export function loosenFields(run: Run, state: State, { name, isLocal }: ExprOf<'variable'>): void {
  const start = `${isLocal ? '&' : '::'}${name}.`
  for (const [place, value] of state.places()) if (place.startsWith(start)) loosen(run, state, value)
}

/** What has no value yet may have one now. */
function settleAll(state: State): void {
  for (const [place, value] of state.places()) if (value.isUnset) state.set(place, { ...value, isUnset: false })
}

/** `#define FAIL(...) { report(__VA_ARGS__); exit(1); }` */
function endsProgram(run: Run, name: string, hops: number): boolean {
  const last = run.program.expansions.get(name)?.last
  if (last == null || hops > 5) return false
  return run.program.endings.has(last) || modelOf(run, last)?.never_returns === true || endsProgram(run, last, hops + 1)
}

function loosen(run: Run, state: State, value: Value): void {
  escape(run, state, value)
  for (const { object } of value.to ?? []) {
    const root = rootOf(run, object)
    const known = state.object(root)
    if (known !== undefined) state.setObject(root, { ...known, life: 'unknown' })
  }
}

/** What everybody can reach may point to something after a call that nobody can look into. */
export function forgetNulls(state: State): void {
  for (const [place, value] of state.places())
    if (value.nil === isNull && (place.startsWith('::') || place.startsWith('*'))) state.set(place, unknownValue)
}

/** What was freed there may be something else by now. */
export function setAgain(state: State, start: string): void {
  for (const [place, value] of state.places())
    if (place.startsWith(start) && value.to?.some(({ object }) => objectOf(state, object).life === 'freed') === true)
      state.set(place, unknownValue)
}

/** Those that only say where the program is, or something to the compiler. */
const saying = /TRACE|LOG|DEBUG|DBG|ENTER|PROF|FALL|UNREACH|NOTREACH|UNUSED|DECL|ASSERT|WARN/

/** `HASH_CALC;`, `CLEANUP;` work with the variables around them: with what a macro of this file names, or everything in sight of one of another file. */
function touchedBy(run: Run, state: State, { name, args }: ExprOf<'call'>): void {
  const words = run.program.plainMacros.get(name)
  if (args.length > 0 || run.program.expansions.has(name) || (words === undefined && saying.test(name))) return
  for (const [place, value] of state.places()) {
    const variable = /^&(\w+)(?:'\d+)?$/.exec(place)?.[1]
    if (variable === undefined || words?.has(variable) === false) continue
    escape(run, state, value)
    for (const { object } of value.to ?? []) {
      const root = rootOf(run, object)
      if (objectOf(state, root).life === 'freed') state.setObject(root, { ...objectOf(state, root), life: 'unknown' })
    }
    if (value.isUnset || value.nil === isNull) state.set(place, unknownValue)
  }
}
