/**
 * Values that are safe one step at a time, taken in two: an atomic number that is asked and then counted down, an entry of a concurrent
 * map that is read and written back. Another thread comes between.
 */
import type { Flow } from '../flow/state.js'
import type { Call, Conditional, Ir, Lambda } from '../syntax/ir.js'
import { matchesAnyName } from './constraints.js'
import { nodesOf } from './nodes.js'
import { isDeclaredWith, safeTypes } from './declared-types.js'
import { careful, rootOf } from './outer-changes.js'
import { writtenName } from './subject.js'

export interface TwoSteps {
  /** Calls that read an atomic number, and those that count it. */
  readonly asks: readonly string[]
  readonly counts: readonly string[]
  /** Calls that read an entry of a map, and those that write one. */
  readonly gets: readonly string[]
  readonly puts: readonly string[]
}

interface Walk {
  readonly flow: Flow
  readonly wanted: TwoSteps
  /** The number or the entry that a variable was read from. */
  readonly readInto: ReadonlyMap<string, string>
}

/** The second steps of a function. */
export function secondSteps(flow: Flow, lambda: Lambda, wanted: TwoSteps): readonly Ir[] {
  if (lambda.modifiers.some((one) => careful.test(one))) return []
  const nodes = nodesOf(lambda.body, true)
  const readInto = new Map<string, string>()
  const walk: Walk = { flow, wanted, readInto }
  for (const ir of nodes) {
    if (ir.op !== 'assign' || ir.target.op !== 'name' || ir.value === null) continue
    const key = readIn(walk, ir.value)
    if (key !== null) readInto.set(ir.target.name, key)
  }
  const tests = nodes.filter((ir): ir is Conditional => ir.op === 'if')
  const asked = tests.flatMap((test) => askedIn(walk, test.test).map((key) => ({ key, test })))
  const second = nodes.find(
    (ir) => isWriteBack(walk, ir) || (ir.op === 'call' && asked.some(({ key, test }) => isCounted(walk, lambda, ir, key, test))),
  )
  return second === undefined ? [] : [second]
}

const isOneOf = ({ flow }: Walk, { callee }: Call, names: readonly string[]): boolean =>
  matchesAnyName(names, writtenName(callee), flow.book.ignoreCase)

const written = ({ flow }: Walk, { start, end }: Ir): string => flow.text.slice(start, end)

/** `left.get()`; `LoadInt64(&left)` and `Read(ref left)` say it in their first argument. */
function numberOf(walk: Walk, { callee, args }: Call): Ir | null {
  const first = args[0]?.value
  const reference = first === undefined ? '' : walk.flow.text.slice(first.start - 4, first.end)
  if (first?.op === 'unary' && first.operator === '&') return first.operand
  if (first !== undefined && /^ref\s/.test(reference)) return first
  return callee.op === 'member' ? callee.object : null
}

/** `coins[me]`, `coins.get(me)`: the map and the key. */
function entryOf(walk: Walk, ir: Ir, names: readonly string[]): string | null {
  const [map, key] =
    ir.op === 'index'
      ? [ir.object, ir.index]
      : ir.op === 'call' && ir.callee.op === 'member' && isOneOf(walk, ir, names)
        ? [ir.callee.object, ir.args[0]?.value]
        : []
  const root = map === undefined ? null : rootOf(map)
  if (map === undefined || key === undefined || root === null || !isDeclaredWith(walk.flow, safeTypes, root)) return null
  return `${written(walk, map)}[${written(walk, key)}]`
}

/** What a value is read from: `left.get()`, `coins[me] ?: 0`. */
function readIn(walk: Walk, value: Ir): string | null {
  for (const ir of nodesOf(value)) {
    const number = ir.op === 'call' && isOneOf(walk, ir, walk.wanted.asks) ? numberOf(walk, ir) : null
    const key = entryOf(walk, ir, walk.wanted.gets) ?? (number === null ? null : written(walk, number))
    if (key !== null) return key
  }
  return null
}

/** The numbers that a condition compares. */
function askedIn(walk: Walk, test: Ir): string[] {
  const compared = nodesOf(test).filter((ir) => ir.op === 'binary' && /^(?:[<>]=?|[=!]==?)$/.test(ir.operator))
  return compared.flatMap((ir) =>
    ir.op === 'binary'
      ? [ir.left, ir.right].flatMap((side) => (side.op === 'name' ? walk.readInto.get(side.name) : readIn(walk, side)) ?? [])
      : [],
  )
}

/** `if (left.get() < n) return false; left.addAndGet(-n)`: behind a test that others leave at, or in its branch. */
function isCounted(walk: Walk, lambda: Lambda, call: Call, key: string, test: Conditional): boolean {
  if (call.start < test.test.end || !isOneOf(walk, call, walk.wanted.counts)) return false
  const number = numberOf(walk, call)
  if (number === null || written(walk, number) !== key || isOwn(walk.flow, lambda, number)) return false
  return (
    call.end <= test.end || nodesOf(test.then).some((ir) => ir.op === 'jump' && (ir.kind === 'return' || ir.kind === 'throw'))
  )
}

/** A number that a function has made is seen by nobody else; `forEach` takes it into a function of its own. */
function isOwn({ callsInside, text }: Flow, lambda: Lambda, number: Ir): boolean {
  const root = rootOf(number)
  const around = [...callsInside.keys()].filter(({ start, end }) => start <= lambda.start && lambda.end <= end)
  return around.some(({ body }) =>
    nodesOf(body).some(
      (ir) =>
        ir.op === 'assign' &&
        ir.target.op === 'name' &&
        ir.target.name === root &&
        ir.value !== null &&
        /^(?:new\s|Atomic|std::|atomic)/.test(text.slice(ir.value.start, ir.value.end)),
    ),
  )
}

/** `coins[me] = have - n`, `hits.put(page, hits.get(page) + 1)` */
function isWriteBack(walk: Walk, ir: Ir): boolean {
  const value = ir.op === 'assign' ? ir.value : ir.op === 'call' ? ir.args[1]?.value : null
  const place = ir.op === 'assign' ? ir.target : ir
  if (value === null || value === undefined || (ir.op === 'assign' && place.op !== 'index')) return false
  const key = entryOf(walk, place, walk.wanted.puts)
  if (key === null) return false
  return nodesOf(value).some(
    (part) =>
      part.op === 'binary' &&
      /^[-+*]$/.test(part.operator) &&
      nodesOf(part).some(
        (one) => (one.op === 'name' ? walk.readInto.get(one.name) : entryOf(walk, one, walk.wanted.gets)) === key,
      ),
  )
}
