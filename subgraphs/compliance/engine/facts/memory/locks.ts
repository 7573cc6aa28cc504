/**
 * Locks: who holds them where ways part and end.
 *
 * What a function does first to a lock says what it expects: a lock that it takes first was free before, one that it gives back first is its
 * caller's. Only the former is its own business.
 */
import { numberValue } from '../numbers/arithmetic.js'
import { type Linear, symbolic, zero } from '../numbers/linear.js'
import { freshSymbol, rangeOf } from '../numbers/numbers.js'
import type { Expr, ExprOf, FunctionIr, Place } from '../program.js'
import { type Exit, type Run, modelOf, newObject, objectOf, partOf, report, rootOf } from '../run.js'
import type { LockEffect } from '../summary.js'
import { State, type Value, isAddress, isNull, unknownValue } from '../state.js'
import { spotOf } from './spots.js'

const taken: Value = { number: null, to: null, nil: isAddress, isUnset: false }
const given: Value = { ...taken, nil: isNull }

const firstOf = (object: string): string => `lock ${object}`
const resultName = (object: string): string => `locked ${object}`

function change(state: State, object: string, isLocked: boolean): void {
  const known = state.object(object) ?? newObject('part', { start: 0, end: 0 }, { escaped: true })
  state.setObject(object, { ...known, isLocked })
}

export function takeLock(run: Run, state: State, object: string, place: Place): void {
  if (objectOf(state, object).isLocked && !isRefused(run, state, object)) report(run, 'lock-twice', place)
  if (state.value(firstOf(object)) === undefined) state.set(firstOf(object), taken)
  run.frame.lockedUnder.set(object, run.frame.guards.at(-1) ?? null)
  change(state, object, true)
}

export function giveLock(run: Run, state: State, object: string, place: Place): void {
  const first = state.value(firstOf(object))
  if (first === taken && !objectOf(state, object).isLocked) report(run, 'unlock-twice', place)
  if (first === undefined) {
    state.set(firstOf(object), given)
    // It runs under its caller's lock.
    run.lockCareful.add(run.frame.fn)
  }
  change(state, object, false)
}

/** Zero when the lock was taken. */
export const lockResult = (run: Run, object: string): Value =>
  numberValue(freshSymbol(run.symbols, resultName(object), { low: 0, high: 2 ** 31 - 1 }))

/** `mtx_lock(&m) != thrd_success`: the constant of another file is the zero of a lock that was taken. */
export function ofLock([a, b]: [Linear | null, Linear | null]): [Linear | null, Linear | null] {
  const isLock = (one: Linear | null): boolean => one?.terms.length === 1 && one.terms[0]?.[0].startsWith(resultName('')) === true
  const taken = (one: Linear | null): Linear | null =>
    one?.constant === 0 && one.terms.length === 1 && success.test(one.terms[0]?.[0] ?? '') ? zero : one
  return isLock(a) ? [a, taken(b)] : isLock(b) ? [taken(a), b] : [a, b]
}

const success = /^::\w*(?:success|ok) \d+$/i

/** The program has seen that the lock could not be taken. */
const isRefused = (run: Run, state: State, object: string): boolean =>
  run.symbols.has(resultName(object)) && rangeOf(run.symbols, state, symbolic(resultName(object))).low > 0

const mutexName = /(?:^|_)(?:mu|mtx|mut|lock)_?\d{0,2}$|mutex/i

/** `m.lock()`: the place of the object, when it is a lock. */
export function lockMethod(run: Run, state: State, call: ExprOf<'call'>, receiver: Expr): boolean {
  const model = modelOf(run, call.name)
  const [held] = receiver.op === 'variable' ? (state.value(`holder &${receiver.name}`)?.to ?? []) : []
  if (held !== undefined && (model?.locks === 'receiver' || model?.unlocks === 'receiver')) {
    if (model.locks === 'receiver') takeLock(run, state, held.object, call)
    else change(state, held.object, false)
    return true
  }
  if (model?.locks !== 'receiver' && model?.unlocks !== 'receiver') return false
  const type = receiver.type?.kind === 'pointer' ? receiver.type.of : receiver.type
  const name = receiver.op === 'variable' || receiver.op === 'field' ? receiver.name : ''
  if (type === null ? !mutexName.test(name) : model.on?.includes(type.name) !== true) return false
  const spot =
    receiver.type?.kind === 'pointer' ? run.evaluate(state, receiver).to?.[0]?.object : spotOf(run, state, receiver, 'read').place
  if (spot == null) return false
  if (model.locks === 'receiver') takeLock(run, state, spot, call)
  else giveLock(run, state, spot, call)
  return true
}

/** `lock_guard g(m);`: the lock is held until the block ends. */
export function holdLock(run: Run, state: State, name: string, lock: Expr, place: Place): void {
  const { place: object } = spotOf(run, state, lock, 'read')
  if (object === null) return
  takeLock(run, state, object, place)
  state.set(`holder &${name}`, { ...taken, to: [{ object, at: null }] })
}

/** The objects of a block end with it. */
export function endHolders(states: readonly State[], declared: readonly string[]): void {
  for (const state of states)
    for (const name of declared) {
      const [held] = state.value(`holder &${name}`)?.to ?? []
      if (held === undefined) continue
      change(state, held.object, false)
      state.forget((place) => place === `holder &${name}`)
    }
}

const releasing = /lock|release|leave|exit|end|done|finish|put|give|drop|destroy|free|close|clean|reset/i

/** A function that nobody sees may give back what it can reach, when its name says so. */
export function maybeGiven(run: Run, state: State, name: string, args: readonly Value[]): void {
  if (!releasing.test(name)) return
  const roots = new Set(args.flatMap(({ to }) => (to ?? []).map(({ object }) => rootOf(run, object))))
  const isAboutLocks = /lock|mutex/i.test(name)
  for (const [id, object] of state.allObjects())
    if (object.isLocked && (isAboutLocks || roots.has(rootOf(run, id)))) {
      change(state, id, false)
      state.set(firstOf(id), unknownValue)
    }
}

/** `transaction_begin`: what it takes is given back by whoever ends it. */
const taking = /begin|acquire|enter|(?:^|_)hold(?:_|$)/i

/** A way out with a lock that other ways out have given back. */
export function checkLocks(run: Run, exits: readonly Exit[]): void {
  if (taking.test(run.frame.fn.name)) return
  for (const { state, place } of exits)
    for (const [id, object] of state.allObjects()) {
      if (!object.isLocked || state.value(firstOf(id)) !== taken || isRefused(run, state, id) || isHeld(state, id)) continue
      const guard = run.frame.lockedUnder.get(id)
      if (guard != null && (place.start < guard.start || place.end > guard.end)) continue
      const isGivenElsewhere = exits.some(
        (other) => other.state.value(firstOf(id)) === taken && other.state.object(id)?.isLocked === false,
      )
      if (isGivenElsewhere) report(run, 'lock-kept', place)
    }
}

function isHeld(state: State, id: string): boolean {
  for (const [place, value] of state.places()) if (place.startsWith('holder ') && value.to?.[0]?.object === id) return true
  return false
}

/** By the lock: `0|.lock` of the first parameter, `this|.mu_`, `::mu`. */
export function lockEffects(fn: FunctionIr, exits: readonly Exit[]): ReadonlyMap<string, LockEffect> {
  const effects = new Map<string, LockEffect>()
  const ids = new Set(
    exits.flatMap(({ state }) => [...state.places()].flatMap(([place]) => (place.startsWith('lock ') ? [place.slice(5)] : []))),
  )
  for (const id of ids) {
    const key = keyOf(fn, id)
    if (key === null) continue
    const firsts = exits.map(({ state }) => state.value(firstOf(id)))
    const isLocked = exits.map(({ state }) => state.object(id)?.isLocked === true && !isHeld(state, id))
    if (firsts.every((first) => first === taken))
      effects.set(key, isLocked.every(Boolean) ? 'locks' : isLocked.some(Boolean) ? 'unknown' : 'uses')
    else effects.set(key, firsts.every((first) => first === given) && !isLocked.some(Boolean) ? 'unlocks' : 'unknown')
  }
  return effects
}

/** A place as the callers of a function see it. */
export function keyOf(fn: FunctionIr, id: string): string | null {
  if (id.startsWith('::')) return id
  if (id.startsWith('*&this 0')) return `this|${id.slice('*&this 0'.length)}`
  const at = fn.parameters.findIndex(({ name }) => id.startsWith(`*&${name} 0`))
  const name = fn.parameters[at]?.name
  return name === undefined ? null : `${at}|${id.slice(`*&${name} 0`.length)}`
}

export function applyLocks(
  run: Run,
  state: State,
  call: ExprOf<'call'>,
  effects: ReadonlyMap<string, LockEffect>,
  args: readonly Value[],
): void {
  for (const [key, effect] of effects) {
    const object = objectAt(run, state, key, args)
    if (object === null) continue
    if (effect === 'locks') takeLock(run, state, object, call)
    else if (effect === 'unlocks') giveLock(run, state, object, call)
    else if (effect === 'uses' && objectOf(state, object).isLocked && !isRefused(run, state, object))
      report(run, 'lock-twice', call)
    else if (effect === 'unknown' && objectOf(state, object).isLocked) change(state, object, false)
  }
}

export function objectAt(run: Run, state: State, key: string, args: readonly Value[]): string | null {
  if (key.startsWith('::')) return key
  const [who, path] = [key.slice(0, key.indexOf('|')), key.slice(key.indexOf('|') + 1)]
  const value = who === 'this' ? state.value('&this') : args[Number(who)]
  const [only] = value?.to ?? []
  return only === undefined || value?.to?.length !== 1 ? null : partOf(run, only.object, `${only.object}${path}`)
}
