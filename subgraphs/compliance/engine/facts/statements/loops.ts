/** Loops: once with their counters open, once from where the first round left, then out with the bounds that the rounds had. */
import { checkUse, lifeOf } from '../memory/checks.js'
import { checkCountdown, checkWrappedLimit, openCounts } from '../memory/counts.js'
import { handedOnParts, isContainer, viewOf } from '../memory/elements.js'
import { checkMoved, restorePlace } from '../memory/moves.js'
import { forgetShown } from '../memory/spots.js'
import { elementOf } from '../numbers/arithmetic.js'
import { type Linear, add, constant, isConstant, symbolic, zero } from '../numbers/linear.js'
import { freshSymbol, openData, plainSymbol, reached } from '../numbers/numbers.js'
import type { Expr, Loop } from '../program.js'
import { anyStart, keepAbove, noteApart } from './countdown.js'
import { type Counter, type Run, newObject, objectOf, report, step, unknownOf } from '../run.js'
import { State, type Value, unknownValue } from '../state.js'
import { alive, settle } from './ways.js'

export function loop(run: Run, states: readonly State[], statement: Loop): State[] {
  const { frame } = run
  if (states.length === 0 && frame.labels.size === 0) return []
  const breaks = frame.breaks.splice(0)
  const continues = frame.continues.splice(0)
  const exits = frame.exits.length
  const ended = rounds(run, states, statement)
  const left = frame.breaks.splice(0)
  // What leaves a loop without a test at its head leaves it in its first round as rarely as others run no round.
  const { test } = statement
  const isOpen = test === null || statement.bodyFirst || test.op === 'number'
  if (isOpen && !isRunOnce(statement)) for (const state of left) afterZeroRounds(state, statement)
  if (left.length === 0 && frame.exits.length === exits) checkCountdown(run, statement)
  frame.breaks.push(...breaks)
  frame.continues.push(...continues)
  return settle(run, [...ended, ...left], `${statement.end}`)
}

/** `do { ... } while (0)` */
const isRunOnce = ({ bodyFirst, test }: Loop): boolean => bodyFirst && test?.op === 'number' && test.value === 0

/** How the loop ends by its condition. */
function rounds(run: Run, states: readonly State[], statement: Loop): State[] {
  const { frame } = run
  const entry = states.map((state) => started(state, statement))
  const isOnce = isRunOnce(statement)
  const ended: State[] = []
  const round = (from: readonly State[], counters: Map<string, Counter>): State[] => {
    frame.loops.push({
      counters,
      isCounted: statement.writes.isCounted,
      compared: statement.writes.compared,
      written: statement.writes.variables,
      isDataBounded: false,
      each: elementWalked(statement),
    })
    let going = from.map((state) => state.copy())
    if (!statement.bodyFirst) going = tested(run, going, statement, true)
    going = run.execute(statement.each === null ? going : bindEach(run, going, statement), statement.body)
    going = settle(run, [...going, ...frame.continues.splice(0)], `${statement.start} round`)
    if (statement.update !== null) {
      frame.inUpdate = true
      going = alive(going, (state) => void run.evaluate(state, statement.update ?? zeroExpr(statement)))
      frame.inUpdate = false
    }
    if (statement.bodyFirst && !isOnce) going = tested(run, going, statement, true)
    frame.loops.pop()
    return going
  }
  if (isOnce) {
    ended.push(...round(entry, new Map()))
  } else {
    const counters = new Map<string, Counter>()
    const first = openedFirst(run, entry, statement, counters)
    const after = round(first, counters)
    const again = settle(run, after, `${statement.start} again`)
    const isChanged =
      again.length > 0 &&
      (again.length !== entry.length ||
        again.some((state) => !entry.some((one) => one.key() === state.key())) ||
        statement.writes.fields.size > 0 ||
        [...statement.writes.variables.values()].some((by) => by === null))
    const second =
      isChanged && frame.loops.length < 3
        ? round(
            again.map((state) => opened(run, state, statement, new Map(), counters)),
            new Map(),
          )
        : again
    const reopened = [...again, ...second].map((state) => opened(run, state, statement, new Map(), counters))
    for (const state of first) handedOn(state, [...again, ...second], statement)
    const heads = settle(run, [...first, ...reopened], `${statement.start} head`).map((state) => bounded(run, state, counters))
    const out = statement.bodyFirst ? settle(run, [...again, ...second], `${statement.start} end`) : heads
    ended.push(
      ...(statement.bodyFirst
        ? tested(
            run,
            out.map((state) => bounded(run, state, counters)),
            statement,
            false,
          )
        : tested(run, out, statement, false)
      ).map((state) => afterZeroRounds(state, statement)),
    )
  }
  return ended
}

/** Whatever it walked when the function came here before, in the round of a loop around it, is over. */
function started(from: State, { each }: Loop): State {
  const state = from.copy()
  const walked = each === null ? null : walkedAt(each.over)
  if (walked !== null && state.value(walked) !== undefined) state.forget((place) => place === walked)
  return state
}

const elementWalked = ({ each }: Loop): { walked: string; element: string } | null =>
  each === null ? null : { walked: walkedAt(each.over), element: each.pieces[0] ?? each.variable.name }

const walkedAt = (over: Expr): string => `each ${over.start}`

const zeroExpr = (place: { start: number; end: number }): Expr => ({
  op: 'number',
  value: 0,
  type: null,
  start: place.start,
  end: place.end,
})

function tested(run: Run, states: readonly State[], { test, start, each }: Loop, truth: boolean): State[] {
  if (test === null) return truth || each !== null ? [...states] : []
  const loop = run.frame.loops.at(-1)
  const kept = states.flatMap((state) => {
    checkWrappedLimit(run, state.copy(), test)
    const { yes, no } = run.branch(state.copy(), test)
    if (truth && loop !== undefined && yes[0] !== undefined) loop.isDataBounded ||= isDataLimit(run, yes[0], test)
    return truth ? yes : no
  })
  return settle(run, kept, `${start} test`)
}

/** `*from`, `entry->name`: the size of that in whose end the loop ends; nothing for tables of the program itself. */
function walked(state: State, test: Expr | null): Linear | null {
  switch (test?.op) {
    case 'binary':
      return walked(state, test.left) ?? walked(state, test.right)
    case 'unary':
      return walked(state, test.operand)
    case 'assign':
    case 'cast':
      return walked(state, test.value)
    case 'dereference':
    case 'index':
    case 'field':
      return sizeWalked(state, test.base)
    default:
      return null
  }
}

function sizeWalked(state: State, base: Expr): Linear | null {
  if (base.op === 'step') return sizeWalked(state, base.target)
  if (base.op === 'index') return sizeWalked(state, base.base)
  if (base.op !== 'variable') return null
  const place = base.isLocal ? `&${base.name}` : `::${base.name}`
  const [only, other] = base.type?.kind === 'array' ? [{ object: place }] : (state.value(place)?.to ?? [])
  const known = only === undefined || other !== undefined ? undefined : state.object(only.object)
  if (known === undefined) return null
  const isTable = known.by === 'static' && !known.isData && elementOf(base.type)?.bytes !== 1
  return isTable ? zero : known.size
}

/** `i < n` with an `n` from outside that nothing bounds. */
function isDataLimit(run: Run, state: State, test: Expr): boolean {
  if (test.op !== 'binary' || !/^[<>]=?$/.test(test.operator)) return false
  const limit = test.operator.startsWith('<') ? test.right : test.left
  if (limit.op !== 'variable') return false
  const number = state.value(limit.isLocal ? `&${limit.name}` : `::${limit.name}`)?.number
  return number != null && openData(run.symbols, state, number).length > 0
}

/** A loop that sets a variable in each round, or has a call set it, leaves it set: that it may run no round is rarely what happens. */
function afterZeroRounds(state: State, { writes }: Loop): State {
  for (const name of [...writes.variables.keys(), ...writes.filled])
    if (state.value(`&${name}`)?.isUnset === true) state.set(`&${name}`, unknownValue)
  return state
}

/** `for (i = 0; i < n; i++, part++) keep(part);`: a block whose parts the rounds hand on has no owner here, also where nobody knows that there is a round. */
function handedOn(before: State, after: readonly State[], { writes }: Loop): void {
  handedOnParts(before, after)
  for (const [name, by] of writes.variables) {
    const [only, other] = by === null ? [] : (before.value(`&${name}`)?.to ?? [])
    const known = only === undefined || other !== undefined ? undefined : before.object(only.object)
    if (only === undefined || known === undefined || !known.isOwned || known.escaped) continue
    if (after.some((state) => state.object(only.object)?.escaped === true))
      before.setObject(only.object, { ...known, escaped: true })
  }
}

/** All states that come to the loop, with the counters of the first one. */
const openedFirst = (run: Run, entry: readonly State[], statement: Loop, counters: Map<string, Counter>): State[] =>
  entry.map((state, at) => {
    const own = at === 0 ? counters : new Map<string, Counter>()
    const open = opened(run, state, statement, own)
    noteApart(run, open, counters, own)
    return open
  })

/** The state at the beginning of any round: variables that only step are `start + by * rounds`, others that the loop writes are unknown numbers. */
function opened(
  run: Run,
  from: State,
  statement: Loop,
  counters: Map<string, Counter>,
  known?: ReadonlyMap<string, Counter>,
): State {
  const state = from.copy()
  openCounts(run, state, statement)
  const { steps } = statement.writes
  for (const [name, by] of statement.writes.variables) {
    const place = `&${name}`
    forgetShown(state, name)
    const value = state.value(place)
    if (value === undefined || value.isUnset) continue
    const other = known?.get(place)
    if (other !== undefined) {
      // The second time round the counter is already open.
      const start = other.apart === null ? other.start : anyStart(run, state, other, place)
      const reopened = openedValue(value, start, symbolic(other.symbol), other.by)
      if (reopened === null) continue
      state.set(place, reopened)
      if (value.number !== null) keepAbove(run, state, statement, name, other.by, start, reopened.number)
      continue
    }
    if (by === null || by === 0) {
      if (value.number !== null && value.to === null)
        state.set(place, {
          ...unknownValue,
          number: freshSymbol(run.symbols, `${place} ${statement.start}`, {
            isData: openData(run.symbols, from, value.number).length > 0,
          }),
          to: null,
        })
      continue
    }
    if (value.to !== null && value.to.length > 1) {
      // Where it is in each of them nobody counts.
      state.set(place, { ...value, to: value.to.map(({ object }) => ({ object, at: null })), isInitial: false })
      continue
    }
    const at = value.to?.length === 1 && value.number === null ? (value.to[0]?.at ?? null) : value.number
    if (at === null) continue
    const unit = value.number === null ? by * (steps.get(name) ?? 1) : by
    const symbol = `rounds ${name} ${statement.start}`
    run.symbols.set(symbol, { ...plainSymbol, low: 0, counts: name, walked: walked(from, statement.test) })
    state.setRange(symbol, { low: 0, high: Infinity, isTight: false, most: null, isChecked: false })
    const reopened = openedValue(value, at, symbolic(symbol), unit)
    if (reopened === null) continue
    counters.set(place, { symbol, start: at, apart: null, by: unit, high: 0, most: null, isKnown: true, steps: 0 })
    state.set(place, reopened)
    if (value.number !== null) keepAbove(run, state, statement, name, unit, at, reopened.number)
  }
  return state
}

function openedValue(value: Value, start: Linear, rounds: Linear, by: number): Value | null {
  const at = add(start, rounds, by)
  if (at === null) return null
  if (value.number !== null) return { ...value, number: at, isInitial: false }
  const [only] = value.to ?? []
  return only === undefined ? null : { ...value, to: [{ object: only.object, at }], isInitial: false }
}

/** At the head of the loop a counter is at most one more than before any of its steps. */
function bounded(run: Run, state: State, counters: ReadonlyMap<string, Counter>): State {
  for (const { symbol, high, most, isKnown, steps } of counters.values()) {
    step(run)
    const range = state.range(symbol)
    if (!isKnown || steps === 0 || range === undefined) continue
    const top = most === null ? null : add(most, constant(1))
    // A limit that only its type bounds is not reached.
    const last = most === null ? null : reached(run.symbols, state, most)
    const isTight = most === null || (last !== null && isConstant(last))
    if (Number.isFinite(high)) state.setRange(symbol, { ...range, high: Math.min(range.high, high + 1), isTight, most: top })
    else if (top !== null) state.setRange(symbol, { ...range, most: top })
  }
  return state
}

/** `for (auto &x : v)`: one more element, which must still be where it was. */
function bindEach(run: Run, states: readonly State[], { each }: Loop): State[] {
  if (each === null) return [...states]
  for (const state of states) {
    const { variable, pieces, over } = each
    restorePlace(state, `&${variable.name}`)
    forgetShown(state, variable.name)
    forgetFields(state, `&${variable.name}`)
    restorePlace(state, `*${variable.name}`)
    for (const piece of pieces) {
      restorePlace(state, `&${piece}`)
      if (state.value(`&${piece}`)?.to != null) state.set(`&${piece}`, unknownValue)
    }
    checkMoved(run, state, over)
    const place =
      over.op === 'variable' || over.op === 'field' || over.op === 'dereference' ? containerPlace(run, state, over) : null
    const walked = walkedAt(over)
    if (place !== null && isContainer(over.type)) {
      const held = state.value(walked)
      if (held === undefined) state.set(walked, viewOf(run, state, place))
      else if (held.to?.[0] !== undefined && lifeOf(run, state, held.to[0].object) === 'gone') {
        const { ended } = objectOf(state, held.to[0].object)
        report(run, 'invalidated', ended ?? over)
        state.set(walked, viewOf(run, state, place))
      }
      if (variable.type?.isReference === true) {
        const view = state.value(walked) ?? unknownValue
        // Another element each round.
        for (const { object } of view.to ?? []) state.forget((one) => one === object || one.startsWith(`${object}.`))
        state.set(`&${variable.name}`, view)
        continue
      }
    } else {
      forgetWalked(state, over)
      run.evaluate(state, over)
    }
    state.setObject(`&${variable.name}`, newObject('stack', over))
    state.set(`&${variable.name}`, unknownOf(run, state, `each ${variable.name} ${over.start} ${++state.epoch}`, variable.type))
  }
  return [...states]
}

/** Each round has an element of its own: what was known of the fields of the last one is over. */
function forgetFields(state: State, variable: string): void {
  const [only] = state.value(variable)?.to ?? []
  state.forget(
    (place) =>
      place.startsWith(`${variable}.`) || (only !== undefined && place.startsWith(`${only.object}.`) && place !== only.object),
  )
}

/** `LIST_FOREACH(item, &list, next)` of another file: which of them it sets nobody sees, and any may stand for another element. */
function forgetWalked(state: State, over: Expr): void {
  if (over.op !== 'call') return
  state.epoch++
  for (const given of over.args) if (given.op === 'variable') forgetFields(state, `${given.isLocal ? '&' : '::'}${given.name}`)
}

function containerPlace(run: Run, state: State, over: Expr): string | null {
  if (over.op === 'variable') return over.isLocal ? `&${over.name}` : `::${over.name}`
  const value = over.op === 'dereference' ? run.evaluate(state, over.base) : null
  if (value !== null) return value.to?.[0]?.object ?? null
  if (over.op !== 'field' || !over.isArrow) return null
  const base = run.evaluate(state, over.base)
  checkUse(run, state, base, over.base)
  const home = base.to?.[0]?.object
  return home === undefined ? null : `${home}.${over.name}`
}
