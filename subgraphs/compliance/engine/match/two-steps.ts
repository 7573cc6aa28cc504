/**
 * Values that are safe one step at a time, taken in two: an atomic number that is asked and then counted down, an entry of a concurrent
 * map that is read and written back. Another thread comes between.
 */
import type { Flow } from '../flow/state.js'
import type { Call, Conditional, Ir, Lambda } from '../syntax/ir.js'
import { matchesAnyName } from './constraints.js'
import { nodesOf } from './nodes.js'
import { isDeclaredWith, mapTypes, safeTypes } from './declared-types.js'
import { careful, changed, isChange, ownNames, rootOf } from './outer-changes.js'
import { writtenName } from './subject.js'

export interface TwoSteps {
  /** Calls that read an atomic number, and those that count it. */
  readonly asks?: readonly string[] | undefined
  readonly counts?: readonly string[] | undefined
  /** Calls that read an entry of a map, and those that write one. */
  readonly gets: readonly string[]
  readonly puts: readonly string[]
  /** Calls that give an atomic number another value. */
  readonly sets?: readonly string[] | undefined
  /** Calls that ask whether a map has an entry. */
  readonly has?: readonly string[] | undefined
  /** About maps that no thread expects another one in, where functions share them. */
  readonly plain?: boolean | undefined
}

interface Walk {
  readonly flow: Flow
  readonly wanted: TwoSteps
  readonly lambda: Lambda
  /** The number or the entry that a variable was read from. */
  readonly readInto: ReadonlyMap<string, string>
}

/** The second steps of a function. */
export function secondSteps(flow: Flow, lambda: Lambda, wanted: TwoSteps): readonly Ir[] {
  if (lambda.modifiers.some((one) => careful.test(one))) return []
  const nodes = nodesOf(lambda.body, true)
  const readInto = new Map<string, string>()
  const walk: Walk = { flow, wanted, lambda, readInto }
  for (const ir of nodes) {
    const [name, value] =
      ir.op === 'call' ? handedOn(ir) : ir.op === 'assign' && ir.target.op === 'name' ? [ir.target.name, ir.value] : []
    const key = name === undefined || value === undefined || value === null ? null : readIn(walk, value)
    if (key !== null && name !== undefined) readInto.set(name, key)
  }
  const tests = nodes.filter((ir): ir is Conditional => ir.op === 'if')
  const asked = tests.flatMap((test) => askedIn(walk, test.test).map((key) => ({ key, test })))
  const second = nodes.find(
    (ir) =>
      isWriteBack(walk, ir) ||
      isLatePut(walk, ir, tests) ||
      asked.some(({ key, test }) => isSteppedBehind(walk, ir, key, test)) ||
      (ir.op === 'call' && (isSetBack(walk, ir) || asked.some(({ key, test }) => isCounted(walk, ir, key, test)))),
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
  if (map === undefined || key === undefined || root === null || !isShared(walk, root)) return null
  if (isOwn(walk, map) || isPlainParameter(walk.lambda, map)) return null
  return `${written(walk, map)}[${written(walk, key)}]`
}

/** A map made for several threads; with `plain` any that functions of the file have together. */
function isShared({ flow, wanted, lambda }: Walk, root: string): boolean {
  if (wanted.plain !== true) return isDeclaredWith(flow, safeTypes, root)
  if (!isDeclaredWith(flow, mapTypes, root) || isDeclaredWith(flow, safeTypes, root)) return false
  return !functionsAround(flow, lambda).some((one) => ownNames(one).has(root))
}

const functionsAround = ({ callsInside }: Flow, lambda: Lambda): readonly Lambda[] => [
  lambda,
  ...[...callsInside.keys()].filter(({ start, end }) => start <= lambda.start && lambda.end <= end),
]

/** `left.get.flatMap(n => ...)`: what the function is given. */
function handedOn({ callee, args }: Call): [name?: string, value?: Ir] {
  const first = args[0]?.value
  if (callee.op !== 'member' || !/^(?:flatMap|map|let)$/.test(callee.property) || first?.op !== 'function') return []
  return [first.parameters[0]?.name, callee.object]
}

/** C++: `std::atomic<int> left;` is read where its name stands, and counted by `--left`. */
const plainAtomics = /\b(?:std::)?_?[aA]tomic(?:_\w{1,20}|\s?<)/g

function atomicNamed({ flow }: Walk, ir: Ir): string | null {
  if (flow.book.language !== 'cpp' || (ir.op !== 'name' && ir.op !== 'member')) return null
  const name = ir.op === 'name' ? ir.name : ir.property
  return isDeclaredWith(flow, plainAtomics, name) ? name : null
}

function isSteppedBehind(walk: Walk, ir: Ir, key: string, test: Conditional): boolean {
  if (!isChange(walk.flow, ir, false) || ir.start < test.test.end) return false
  const place = changed(ir)
  if (atomicNamed(walk, place) !== key || isOwn(walk, place)) return false
  return isBehind(ir, test)
}

const isBehind = (ir: Ir, test: Conditional): boolean => ir.end <= test.end || leaves(test.then)

/** What a value is read from: `left.get()`, `coins[me] ?: 0`. */
function readIn(walk: Walk, value: Ir): string | null {
  for (const ir of nodesOf(value)) {
    const number = ir.op === 'call' && isOneOf(walk, ir, walk.wanted.asks ?? []) ? numberOf(walk, ir) : bareRead(walk, ir)
    const key = entryOf(walk, ir, walk.wanted.gets) ?? (number === null ? null : written(walk, number))
    if (key !== null) return key
  }
  return null
}

/** Scala: `left.get` without parentheses. */
function bareRead({ flow, wanted }: Walk, ir: Ir): Ir | null {
  if (ir.op !== 'member' || !matchesAnyName(wanted.asks ?? [], writtenName(ir), flow.book.ignoreCase)) return null
  const root = rootOf(ir.object)
  return root !== null && isDeclaredWith(flow, safeTypes, root) && flow.text[ir.end] !== '(' ? ir.object : null
}

/** The numbers that a condition compares. */
function askedIn(walk: Walk, test: Ir): string[] {
  const compared = nodesOf(test).filter((ir) => ir.op === 'binary' && /^(?:[<>]=?|[=!]==?)$/.test(ir.operator))
  return compared.flatMap((ir) =>
    ir.op === 'binary'
      ? [ir.left, ir.right].flatMap(
          (side) => atomicNamed(walk, side) ?? (side.op === 'name' ? walk.readInto.get(side.name) : readIn(walk, side)) ?? [],
        )
      : [],
  )
}

/** `if (left.get() < n) return false; left.addAndGet(-n)`: behind a test that others leave at, or in its branch. */
function isCounted(walk: Walk, call: Call, key: string, test: Conditional): boolean {
  if (call.start < test.test.end || !isOneOf(walk, call, walk.wanted.counts ?? []) || isCompared(walk.lambda, call)) return false
  const number = numberOf(walk, call)
  if (number === null || written(walk, number) !== key || isOwn(walk, number)) return false
  return isBehind(call, test)
}

/** `if (taken.incrementAndGet() == 1)`: what the count answers decides, and only one thread gets that answer. */
const isCompared = ({ body }: Lambda, call: Call): boolean =>
  nodesOf(body, true).some(
    (ir) => ir.op === 'binary' && /^(?:[<>]=?|[=!]==?)$/.test(ir.operator) && (ir.left === call || ir.right === call),
  )

const leaves = (way: Ir): boolean => nodesOf(way).some((ir) => ir.op === 'jump' && (ir.kind === 'return' || ir.kind === 'throw'))

/** `left.set(left.get() - n)`; who says `relaxed` or `lazy` means to be the only one who writes. */
function isSetBack(walk: Walk, call: Call): boolean {
  if (!isOneOf(walk, call, walk.wanted.sets ?? []) || /relaxed|lazy/i.test(written(walk, call))) return false
  const number = numberOf(walk, call)
  if (number === null || isOwn(walk, number)) return false
  return call.args.some(({ value }) => isComputed(walk, value, written(walk, number)))
}

/** Whether a value is one more or less than what was read there. */
const isComputed = (walk: Walk, value: Ir, key: string): boolean =>
  nodesOf(value).some(
    (part) =>
      part.op === 'binary' &&
      /^[-+*]$/.test(part.operator) &&
      nodesOf(part).some((one) => (one.op === 'name' ? walk.readInto.get(one.name) : readIn(walk, one)) === key),
  )

/** A number or a map that a function has made is seen by nobody else; `forEach` takes it into a function of its own. */
function isOwn({ flow, lambda }: Walk, number: Ir): boolean {
  const { text } = flow
  const root = rootOf(number)
  return functionsAround(flow, lambda).some(({ body }) =>
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

/** A parameter whose own type is none for several threads, whatever else in the file has its name. */
function isPlainParameter({ parameters }: Lambda, map: Ir): boolean {
  const type = map.op === 'name' ? parameters.find(({ name }) => name === map.name)?.type : undefined
  return type !== undefined && !/concurrent|atomic|synchronized|thread/i.test(type)
}

/** `coins[me] = have - n`, `hits.put(page, hits.get(page) + 1)` */
function isWriteBack(walk: Walk, ir: Ir): boolean {
  const { key, value } = putBy(walk, ir)
  return key !== null && isComputed(walk, value, key)
}

/** The entry that a call or an assignment writes. */
function putBy(walk: Walk, ir: Ir): { readonly key: string | null; readonly value: Ir } {
  const value = ir.op === 'assign' ? ir.value : ir.op === 'call' ? ir.args[1]?.value : null
  const place = ir.op === 'assign' ? ir.target : ir
  const isPlace = value !== null && value !== undefined && (ir.op !== 'assign' || place.op === 'index')
  return { key: isPlace ? entryOf(walk, place, walk.wanted.puts) : null, value: value ?? ir }
}

/** `if (seats.containsKey(id)) return false; seats.put(id, me)`, `if (!open.containsKey(user)) open.put(user, new Session())` */
function isLatePut(walk: Walk, ir: Ir, tests: readonly Conditional[]): boolean {
  const { key, value } = putBy(walk, ir)
  if (key === null) return false
  const isIn = (way: Ir | null): boolean => way !== null && way.start <= ir.start && ir.end <= way.end
  return tests.some((test) => {
    const asked = test.test.end <= ir.start ? presenceIn(walk, test, key) : null
    if (asked === null) return false
    const { absent, present, isGot } = asked
    if (isIn(absent)) return isMade(walk, value, isGot) || answers(present, false) || answers(absent, true)
    return ir.start >= test.end && answers(present, false)
  })
}

interface Presence {
  readonly absent: Ir | null
  readonly present: Ir | null
  /** Whether the entry was fetched, and compared with nothing. */
  readonly isGot: boolean
}

/** The ways of a condition that asks whether a map has an entry. */
function presenceIn(walk: Walk, { test, then, otherwise }: Conditional, key: string): Presence | null {
  for (const ir of nodesOf(test)) {
    const asked = ir.op === 'unary' && ir.operator === '!' ? ir.operand : ir
    const isThere = { absent: otherwise, present: then }
    const isMissing = { absent: then, present: otherwise }
    if (entryOf(walk, asked, walk.wanted.has ?? []) === key && asked.op === 'call')
      return { ...(asked === ir ? isThere : isMissing), isGot: false }
    if (ir.op !== 'binary' || !/^[=!]==?$/.test(ir.operator) || ir.right.op !== 'literal' || ir.right.value !== null) continue
    const got = ir.left.op === 'name' ? walk.readInto.get(ir.left.name) : entryOf(walk, ir.left, walk.wanted.gets)
    if (got === key) return { ...(ir.operator.startsWith('!') ? isThere : isMissing), isGot: true }
  }
  return null
}

/** Another object for each of the two who come at once; what was fetched only does harm where it changes. */
function isMade(walk: Walk, value: Ir, isGot: boolean): boolean {
  const given = nodesOf(walk.lambda.body).flatMap((ir) =>
    ir.op === 'assign' && ir.target.op === 'name' && value.op === 'name' && ir.target.name === value.name ? (ir.value ?? []) : [],
  )
  return [value, ...given].some(
    (call) => call.op === 'call' && call.isNew && (!isGot || changing.test(written(walk, call.callee))),
  )
}

const changing = /(?:list|map|set|queue|deque|dictionary|bag|integer|long|adder|counter|bucket|session|lock)\b/i

/** A way on which the caller is told yes or no. */
const answers = (way: Ir | null, what: boolean): boolean =>
  way !== null &&
  nodesOf(way).some(
    (ir) =>
      ir.op === 'jump' &&
      ((!what && ir.kind === 'throw') || (ir.kind === 'return' && ir.value?.op === 'literal' && ir.value.value === what)),
  )
