/** Functions of the file: each is read once, its parameters unknown; what it does to them is its summary for the callers. */
import { lifeOf, usedValue } from '../memory/checks.js'
import { isDeclined, isFreedByFlag, isStandard } from './left-open.js'
import { isAnswer } from './again.js'
import { outcomesOf } from './outcomes.js'
import { checkRenewed, dataFields, filled, freedFields, initialObject, isNullThere } from './left-fields.js'
import { isContainer } from '../memory/elements.js'
import { checkLent, isTemporary, views } from '../memory/views.js'
import { checkLocks, lockEffects } from '../memory/locks.js'
import { movedElements } from '../memory/moved-elements.js'
import { execute } from '../statements/execute.js'
import { symbolic } from '../numbers/linear.js'
import { openData, rangeOf } from '../numbers/numbers.js'
import type { Expr, ExprOf, FunctionIr, Place, Statement, Type } from '../program.js'
import { type Exit, type Frame, type Run, modelOf, newObject, objectOf, report, rootOf, unknownOf } from '../run.js'
import type { FactKind } from '../../rulebook/fact-kinds.js'
import type { Summary } from '../summary.js'
import { type Obj, State, type Value, isAddress, isNull, isUnchecked, unknownValue } from '../state.js'

const maxDepth = 12

/** A record in a record in a record. */
const MOST_HOPS = 2

/** `null` for a function that is being read right now: it calls itself. */
export function summaryOf(run: Run, fn: FunctionIr): Summary | null {
  const known = run.summaries.get(fn)
  if (known === 'busy' || run.depth > maxDepth) return null
  if (known !== undefined) return known
  run.summaries.set(fn, 'busy')
  run.depth++
  const outer = run.frame
  const summary = read(run, fn, true)
  if (fn.conditions.size > 0) read(run, fn, false)
  run.frame = outer
  run.depth--
  run.summaries.set(fn, summary)
  return summary
}

/** With fields that hold data: facts of these kinds are what that adds. */
export function readAgain(run: Run, fn: FunctionIr, fields: ReadonlySet<string>, kinds: ReadonlySet<FactKind>): void {
  const outer = run.frame
  const [facts, fitting, reaching] = [new Map(run.facts), new Set(run.fitting), new Set(run.reaching)]
  run.openFields = fields
  read(run, fn, true)
  run.openFields = new Set()
  run.frame = outer
  const added = [...run.facts].filter(([key, { kind }]) => !facts.has(key) && kinds.has(kind))
  run.facts.clear()
  for (const [key, fact] of [...facts, ...added]) run.facts.set(key, fact)
  run.fitting.clear()
  for (const one of fitting) run.fitting.add(one)
  for (const one of reaching) run.reaching.add(one)
}

export const newFrame = (fn: FunctionIr, isDefined = true): Frame => ({
  fn,
  isDefined,
  breaks: [],
  continues: [],
  exits: [],
  labels: new Map(),
  loops: [],
  guards: [],
  demands: [],
  storedAt: new Map(),
  endingThemselves: new Set(),
  behind: new Map(),
  lockedUnder: new Map(),
  truths: new Map(),
  pending: new Map(),
  changesOutside: false,
  inUpdate: false,
})

function read(run: Run, fn: FunctionIr, isDefined: boolean): Summary {
  run.frame = newFrame(fn, isDefined)
  const state = new State()
  for (const { name, type } of fn.parameters) {
    if (name === '') continue
    const place = `&${name}`
    const value =
      type?.isReference === true
        ? { ...unknownOf(run, state, `${place} 0`, null), number: null, nil: isAddress }
        : unknownOf(run, state, `${place} 0`, type)
    state.setObject(place, newObject('parameter', fn, { isLocked: false }))
    state.set(place, { ...value, isInitial: true })
    state.setObject(initialObject(name), newObject('outside', fn, { escaped: true }))
  }
  state.set('&this', { ...unknownValue, to: [{ object: '*&this 0', at: { constant: 0, terms: [] } }], nil: isAddress })
  const ended = execute(run, [state], fn.body)
  const { exits } = run.frame
  for (const one of ended)
    exits.push({
      state: one,
      value: null,
      place: { start: Math.max(fn.start, fn.end - 1), end: fn.end },
      expr: null,
      isThrown: false,
    })
  for (const exit of exits) checkExit(run, fn, exit)
  checkLocks(run, exits)
  checkRenewed(run, fn, exits)
  return summarize(run, fn, exits)
}

/** What must not be so where a function ends. */
function checkExit(run: Run, fn: FunctionIr, exit: Exit): void {
  const { state, value } = exit
  if (value !== null) checkReturned(run, fn, exit, value)
  for (const [place] of exit.isThrown ? [] : state.places())
    if (place.startsWith('lost ')) {
      const start = Number(place.split(' ').at(-1))
      if (!isLeftToCaller(run, fn, exit, start)) report(run, 'lost-memory', { start, end: start + 1 })
    }
  if (!exit.isThrown) {
    checkLent(run, state)
    checkOutside(run, fn, state)
  }
  const kept = (value?.to ?? []).flatMap(({ object }) => [object, rootOf(run, object)])
  kept.push(...run.frame.endingThemselves)
  // `return record;` takes along what its fields hold.
  if (exit.expr?.op === 'variable' && exit.expr.isLocal) kept.push(`&${exit.expr.name}.`)
  for (const [id, object] of state.allObjects()) {
    if (!object.isOwned || object.escaped || object.life !== 'live' || kept.includes(id)) continue
    if (kept.some((one) => holds(state, one, id)) || isProgram(fn)) continue
    if (object.by === 'descriptor' && (isStandard(run, state, id) || rangeOf(run.symbols, state, symbolic(id)).high < 0)) continue
    if (isDeclined(run, fn, exit, id) || isFreedByFlag(run, fn, exit, id)) continue
    if (object.by === 'file' || object.by === 'descriptor') report(run, 'file-leak', leakPlace(run, object.born, exit, id))
    else if (object.by !== 'stack') reportLeak(run, object.born, leakPlace(run, object.born, exit, id))
  }
}

/** `p = realloc(p, n); return p;`: the caller still has what it gave, as with `realloc` itself. */
function isLeftToCaller({ text }: Run, { parameters }: FunctionIr, { expr }: Exit, start: number): boolean {
  if (expr?.op !== 'variable' || !parameters.some(({ name }) => name === expr.name)) return false
  const [, target] = /(\w+)\s{0,4}=\s{0,4}(?:\([^()]{0,40}\)\s{0,4})?$/.exec(text.slice(Math.max(0, start - 80), start)) ?? []
  return target === expr.name
}

/** Its variables and its memory live as long as everything else. */
const isProgram = ({ name }: FunctionIr): boolean => name === 'main' || name === 'wmain'

/** What outlives the function must not hold addresses of its variables, nor of what it has freed. */
function checkOutside(run: Run, fn: FunctionIr, state: State): void {
  for (const [place, value] of state.places()) {
    const [only] = value.to ?? []
    if (only === undefined || value.to?.length !== 1 || value.nil === isNull) continue
    const isOutside = place.startsWith('::') || (place.startsWith('*&') && place.includes('.'))
    if (!isOutside || place.includes(' ', place.indexOf(' ') + 1)) continue
    const object = state.object(only.object)
    const stored = run.frame.storedAt.get(place)
    if (
      stored !== undefined &&
      !isProgram(fn) &&
      object?.by === 'stack' &&
      only.object.startsWith('&') &&
      !only.object.includes('.')
    )
      report(run, 'kept-local', stored)
    const field = /^\*&this 0\.(\w+)$/.exec(place)?.[1]
    if (field !== undefined && object?.life === 'freed' && object.ended !== null && fn.owner !== null)
      run.leftFreed.push({ owner: fn.owner, field, isDestructor: fn.name.startsWith('~'), place: object.ended, inside: fn.start })
  }
}

/** At the allocation when nothing in the function frees it, or nothing knows any longer where it is; else at the way out that forgets it. */
function leakPlace(run: Run, born: Place, { place: exit, state: left }: Exit, id: string): Place {
  if (!isKnownThere(left, id)) return born
  const isFreedElsewhere = run.frame.exits.some(
    ({ state, value }) => isReleased(state.object(id)) || value?.to?.some(({ object }) => object === id) === true,
  )
  return isFreedElsewhere ? exit : born
}

/** Whether some place still leads to it. */
function isKnownThere(state: State, id: string): boolean {
  for (const [place, { to }] of state.places())
    if (/^(?:[&*:]|heap )/.test(place) && to?.some(({ object }) => object === id) === true) return true
  return false
}

/** A loop that forgets one is seen at every way out behind it: a few of them say enough. */
function reportLeak(run: Run, born: Place, place: Place): void {
  const told = run.leaks.get(born.start) ?? new Set()
  if (told.size >= mostLeaks && !told.has(place.start)) return
  if (!run.isQuiet) run.leaks.set(born.start, told.add(place.start))
  report(run, 'leak', place)
}

const mostLeaks = 3

const isReleased = (object: Obj | undefined): boolean =>
  object !== undefined && (object.life === 'freed' || (object.isOwned && object.escaped))

/** Whether an object that leaves holds another one, or holds one that does. */
function holds(state: State, outer: string, inner: string, hops = 0): boolean {
  for (const [place, value] of state.places()) {
    if (!place.startsWith(outer) || value.to === null) continue
    if (value.to.some(({ object }) => object === inner)) return true
    if (hops < MOST_HOPS && value.to.some(({ object }) => object !== outer && holds(state, object, inner, hops + 1))) return true
  }
  return false
}

/** A local value where the function promises a reference or a view: nothing holds it any longer. */
function isLocalView(run: Run, fn: FunctionIr, expr: Expr): boolean {
  const isView = fn.returns !== null && views.has(fn.returns.name)
  const isReference = fn.returns?.isReference === true
  if (!isView && !isReference) return false
  const [first] = expr.op === 'call' ? expr.args : expr.op === 'list' ? expr.items : []
  if (isView && expr.op === 'call' && views.has(expr.name) && first !== undefined && expr.args.length === 1)
    return isLocalView(run, fn, first)
  if (isView && isTemporary(run, expr)) return true
  // `std::string_view(text).substr(1)` shows what the view in front of it shows.
  if (isView && expr.op === 'call' && expr.receiver?.op === 'call' && views.has(expr.receiver.name))
    return isLocalView(run, fn, expr.receiver)
  return (
    expr.op === 'variable' &&
    expr.isLocal &&
    expr.name !== 'this' &&
    (isReference ? expr.type?.kind !== 'pointer' : isContainer(expr.type)) &&
    expr.type?.isReference === false
  )
}

function checkReturned(run: Run, fn: FunctionIr, { state, expr, place }: Exit, value: Value): void {
  const known = expr?.op === 'variable' ? state.object(`&${expr.name}`) : undefined
  if (expr !== null && isLocalView(run, fn, expr) && known?.by !== 'static') return report(run, 'returned-local', place)
  const [listed] = expr?.op === 'list' ? expr.items : []
  if (listed !== undefined && fn.returns !== null && views.has(fn.returns.name)) {
    const inner = run.evaluate(state, listed)
    if (inner.to?.length === 1 && objectOf(state, rootOf(run, inner.to[0]?.object ?? '')).by === 'stack')
      return report(run, 'returned-local', place)
  }
  if (value.nil !== isAddress && value.nil !== (isNull | isAddress)) return
  const [only] = value.to ?? []
  if (value.to?.length !== 1 || only === undefined) return
  const isPointer = fn.returns?.kind === 'pointer' || (fn.returns !== null && views.has(fn.returns.name))
  const root = only.object.includes(' elements ') ? rootOf(run, only.object) : only.object
  const { by } = objectOf(state, root)
  if (isPointer && (by === 'stack' || by === 'alloca' || (by === 'parameter' && root.startsWith('&') && only.object === root)))
    report(run, 'returned-local', place)
  else if (isPointer && lifeOf(run, state, only.object) === 'freed') report(run, 'use-after-free', place)
}

/** A search: it answers NULL when it has come to its end. */
function endsWithNull(run: Run, { body }: FunctionIr): boolean {
  let last: Statement | undefined = body
  while (last?.op === 'block') last = last.body.at(-1)
  if (last?.op !== 'return' || last.value === null) return false
  return isNullText(last.value) || (last.value.op === 'choice' && isFound(run, last.value))
}

/** `it == v.end() ? nullptr : *it` */
function isFound(run: Run, { test, then, otherwise }: ExprOf<'choice'>): boolean {
  if (!isNullText(then) && !isNullText(otherwise)) return false
  const sides = test.op === 'binary' && /^[!=]=$/.test(test.operator) ? [test.left, test.right] : []
  return sides.some((side) => side.op === 'call' && side.receiver !== null && modelOf(run, side.name)?.end === true)
}

const isNullText = (value: Expr): boolean =>
  value.op === 'null' || (value.op === 'number' && value.value === 0) || (value.op === 'cast' && isNullText(value.value))

function summarize(run: Run, fn: FunctionIr, exits: readonly Exit[]): Summary {
  const frees = new Map<number, 'always' | 'sometimes'>()
  const keeps = new Set<number>()
  const uses = new Set<number>()
  for (const [at, { name, type }] of fn.parameters.entries()) {
    const object = initialObject(name)
    const ways = exits.filter(({ state }) => !isNullThere(state, object, name))
    const freed = ways.filter(({ state }) => state.object(object)?.life === 'freed').length
    if (freed > 0) frees.set(at, freed === ways.length ? 'always' : 'sometimes')
    if (type?.kind === 'pointer' && exits.length > 0 && exits.every(({ state }) => state.value(`used ${object}`) === usedValue))
      uses.add(at)
    if (keptBy(exits, object)) keeps.add(at)
  }
  const values = exits.flatMap(({ value, state }) => (value === null ? [] : [{ value, state }]))
  const ranges = values.map(({ value, state }) =>
    value.number === null ? { low: -Infinity, high: Infinity } : rangeOf(run.symbols, state, value.number),
  )
  return {
    frees,
    outcomes: outcomesOf(run, fn, exits),
    keeps,
    uses,
    refusesNull: refusedNulls(fn, exits),
    locks: lockEffects(fn, exits),
    moves: movedElements(fn, exits),
    demands: run.frame.demands,
    isData: values.some(({ value, state }) => value.number !== null && openData(run.symbols, state, value.number).length > 0),
    fills: filled(fn, exits),
    dataFields: dataFields(run, fn, exits),
    freedFields: freedFields(fn, exits),
    returnsParameter: returnedParameter(
      fn,
      values.map((one) => one.value),
    ),
    makes: madeBy(values),
    mayBeNull:
      isPointerType(fn.returns) &&
      mayBeNull(
        values.map((one) => one.value),
        endsWithNull(run, fn),
      ),
    low: Math.min(...ranges.map((one) => one.low), Infinity),
    high: Math.max(...ranges.map((one) => one.high), -Infinity),
    changesOutside: run.frame.changesOutside,
    neverReturns: exits.every((exit) => exit.isThrown),
    views: viewedField(values.map((one) => one.value)),
  }
}

const isPointerType = (type: Type | null): boolean => type?.kind === 'pointer'

/** `if (p == NULL) die("no memory");`: whoever gets further has an address. */
const refusedNulls = (fn: FunctionIr, exits: readonly Exit[]): ReadonlySet<number> =>
  new Set(
    fn.parameters.flatMap(({ name, type }, at) => {
      const isAddressIn = ({ state }: Exit): boolean => {
        const value = state.value(`&${name}`)
        return value?.nil === isAddress && value.to?.length === 1 && value.to[0]?.object === initialObject(name)
      }
      const returning = exits.filter((exit) => !exit.isThrown)
      return isPointerType(type) && returning.length > 0 && returning.every((exit) => isAddressIn(exit)) ? [at] : []
    }),
  )

/** Whether somebody else holds the address when the function has ended. */
function keptBy(exits: readonly Exit[], object: string): boolean {
  return exits.some(({ state, value }) => {
    if (value?.to?.some((target) => target.object === object) === true) return true
    for (const [place, held] of state.places())
      if (!place.startsWith('&') && !isAnswer(place) && held.to?.some((target) => target.object === object) === true) return true
    return state.value(`kept ${object}`) !== undefined
  })
}

function returnedParameter(fn: FunctionIr, values: readonly Value[]): number | null {
  const [first] = values
  if (values.length !== 1 || first === undefined) return null
  const at = fn.parameters.findIndex(
    ({ name }) => first.to?.length === 1 && first.to[0]?.object === initialObject(name) && first.to[0].at?.constant === 0,
  )
  return at === -1 ? null : at
}

/** Every way that returns an address returns a fresh object that nobody else holds. */
function madeBy(values: readonly { readonly value: Value; readonly state: State }[]): Summary['makes'] {
  let found: Summary['makes'] = null
  for (const { value, state } of values) {
    if (value.nil === isNull) continue
    const [only] = value.to ?? []
    const object = only === undefined || value.to?.length !== 1 ? undefined : state.object(only.object)
    if (object === undefined || !object.isOwned || object.escaped || object.life !== 'live') return null
    found = { by: object.by, size: null }
  }
  return found
}

function viewedField(values: readonly Value[]): string | null {
  const found = new Set<string | null>()
  for (const value of values) {
    if (value.nil === isNull) continue
    const [only] = value.to ?? []
    found.add(
      value.to?.length === 1 && only !== undefined ? (/^\*&this 0(\.\w+) elements \d+$/.exec(only.object)?.[1] ?? null) : null,
    )
  }
  return found.size === 1 ? ([...found][0] ?? null) : null
}

/** Some way says NULL on purpose, or hands on what a call answered that may be NULL. */
const mayBeNull = (values: readonly Value[], isSearch: boolean): boolean =>
  values.some((value) => (value.nil & isUnchecked) !== 0) ||
  (isSearch && values.some((value) => (value.nil & isNull) !== 0) && values.some((value) => (value.nil & isAddress) !== 0))

export const emptyStatement: Statement = { op: 'block', body: [], declared: [], start: 0, end: 0 }
