/** Functions of the file that free an argument, or a field of it, on some ways only, where their answer says which way it was. */
import { endObject } from '../memory/checks.js'
import { zero } from '../numbers/linear.js'
import { rangeOf, rangeOfSymbol } from '../numbers/numbers.js'
import type { FunctionIr, Place } from '../program.js'
import { type Branches, type Exit, type Run, objectOf, rootOf, unknownOf } from '../run.js'
import { State, type Value, isAddress, isNull } from '../state.js'
import type { Outcome, Span } from '../summary.js'
import { danglingFields, initialObject, isNullThere } from './left-fields.js'

/** A function that calls more of them is not followed so far. */
const MOST_OUTCOMES = 16

/** What the ways answer, from the smallest to the largest number. */
function answers(run: Run, ways: readonly Exit[]): Span | null {
  let [low, high] = [Infinity, -Infinity]
  for (const { value, state } of ways) {
    if (value?.number == null) return null
    const range = rangeOf(run.symbols, state, value.number)
    ;[low, high] = [Math.min(low, range.low), Math.max(high, range.high)]
  }
  return { low, high }
}

/** `return -1;` behind `free(s);` and `return 0;` elsewhere; `null` when both ways may answer the same. */
function outcomeOf(run: Run, ways: readonly Exit[], isFreed: (exit: Exit) => boolean): Outcome | null {
  const going = ways.filter(({ isThrown }) => !isThrown)
  const [freed, kept] = [going.filter((exit) => isFreed(exit)), going.filter((exit) => !isFreed(exit))]
  if (freed.length === 0 || kept.length === 0) return null
  const [one, other] = [answers(run, freed), answers(run, kept)]
  return one !== null && other !== null && (one.high < other.low || other.high < one.low) ? { freed: one, kept: other } : null
}

/** By the number of the parameter, or that and the field of what it points to. */
export function outcomesOf(run: Run, fn: FunctionIr, exits: readonly Exit[]): ReadonlyMap<string, Outcome> {
  const found = new Map<string, Outcome>()
  if (fn.returns?.kind !== 'integer') return found
  for (const [at, { name, type }] of fn.parameters.entries()) {
    if (type?.kind !== 'pointer') continue
    const object = initialObject(name)
    const ways = exits.filter(({ state }) => !isNullThere(state, object, name))
    const whole = outcomeOf(run, ways, ({ state }) => state.object(object)?.life === 'freed')
    if (whole !== null) found.set(`${at}`, whole)
    const left = new Map(ways.map((way) => [way, danglingFields(way, name)]))
    for (const field of new Set([...left.values()].flatMap((one) => [...one]))) {
      // On a way on which it is NULL there was nothing to be freed.
      const filled = ways.filter(({ state }) => state.value(`${object}.${field}`)?.nil !== isNull)
      const part = outcomeOf(run, filled, (way) => left.get(way)?.has(field) === true)
      if (part !== null) found.set(`${at} ${field}`, part)
    }
  }
  return found
}

/** From here on a comparison of the answer says what is freed. */
export function noteOutcomes(
  run: Run,
  state: State,
  symbol: string,
  outcomes: ReadonlyMap<string, Outcome>,
  args: readonly Value[],
  place: Place,
): void {
  const { pending } = run.frame
  for (const [key, outcome] of outcomes) {
    const [at, field] = key.split(' ')
    const given = args[Number(at)]
    if (given?.to?.length !== 1 || pending.size >= MOST_OUTCOMES) continue
    const mark = `answers for ${key} ${symbol}`
    pending.set(mark, { symbol, field: field ?? null, outcome, place })
    state.set(mark, { number: null, to: given.to, nil: isAddress, isUnset: false })
  }
}

/** What the answers turned out to be on the ways behind a condition. */
export function settleOutcomes(run: Run, branches: Branches): Branches {
  const { pending } = run.frame
  if (pending.size === 0) return branches
  for (const state of [...branches.yes, ...branches.no])
    for (const [mark, { symbol, field, outcome, place }] of pending) {
      const [given] = state.value(mark)?.to ?? []
      if (given === undefined) continue
      const { low, high } = rangeOfSymbol(run.symbols, state, symbol)
      const isOutside = (span: Span): boolean => high < span.low || low > span.high
      if (isOutside(outcome.freed) === isOutside(outcome.kept)) continue
      state.forget((one) => one === mark)
      if (outcome.isOver !== true) settle(run, state, given.object, field, isOutside(outcome.kept), place)
      else if (isOutside(outcome.freed)) mayBeLeft(run, state, given.object)
    }
  return branches
}

const failing: ReadonlyMap<string, Outcome> = new Map([
  ['0', { freed: { low: 0, high: 0 }, kept: { low: -1, high: -1 }, isOver: true }],
])

/** `if (close(fd) != 0) goto failed;`: what could not be closed may be there or not, and who closes it again does no harm. */
export function noteFailing(run: Run, state: State, answer: Value, ended: Value, place: Place): void {
  const [only] = answer.number?.terms ?? []
  if (only === undefined) return
  state.setRange(only[0], { low: -1, high: 0, isTight: true, most: null, isChecked: false })
  noteOutcomes(run, state, only[0], failing, [ended], place)
}

function mayBeLeft(run: Run, state: State, object: string): void {
  const root = rootOf(run, object)
  for (const one of new Set([object, root])) {
    const known = objectOf(state, one)
    if (known.life === 'freed') state.setObject(one, { ...known, life: 'unknown' })
  }
}

/** What a field holds that nobody here has read before. */
function heldIn(run: Run, state: State, place: string): Value {
  const value = state.value(place) ?? unknownOf(run, state, `${place} ${state.epoch}`, null)
  state.set(place, value)
  return value
}

function settle(run: Run, state: State, object: string, field: string | null, isFreed: boolean, place: Place): void {
  const held = field === null ? null : heldIn(run, state, `${object}.${field}`)
  const [only, ...others] = held === null ? [{ object, at: zero }] : (held.to ?? [])
  if (only === undefined || others.length > 0) return
  const known = objectOf(state, only.object)
  if (known.life !== 'live') return
  if (field === null) state.setObject(only.object, { ...known, isLent: false })
  if (isFreed) endObject(run, state, { number: null, to: [only], nil: isAddress, isUnset: false }, 'own', place)
}
