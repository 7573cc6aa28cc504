/**
 * Ways out of a function that leave something taken which other ways give back: a lock, a permit.
 *
 * What is taken counts where it is taken on every way that leads there, so that `if (shared) lock()` with its `if (shared) unlock()`
 * stays silent. What a finally, a catch or a function inside gives back is given back on every way. Who gives back what it has not
 * taken was called with it, and takes it again for its caller.
 */
import { partsOf } from '../flow/prepare.js'
import type { Flow } from '../flow/state.js'
import type { Call, Ir, Lambda } from '../syntax/ir.js'
import { matchesAnyName, matchesText } from './constraints.js'
import { writtenName } from './subject.js'

export interface Pair {
  readonly takes: readonly string[]
  readonly gives_back: readonly string[]
  /** Calls that do not fail: with it, the first of all others is meant, and no return. */
  readonly sure?: readonly string[] | undefined
  /** What stands in front of every call that may fail, in languages that mark them. */
  readonly marked?: string | undefined
}

type Held = ReadonlySet<string>

interface Walk {
  readonly flow: Flow
  readonly pair: Pair
  /** What is given back somewhere in the function; what never is may be meant for the caller. */
  readonly returned: Held
  readonly exits: Ir[]
  /** What the caller holds: it was given back before it was taken. */
  readonly borrowed: Set<string>
  /** Whether a failure here goes on in a catch clause. */
  readonly isCaught: boolean
}

/** The returns and throws of a function that leave something taken. */
export function exitsHolding(flow: Flow, lambda: Lambda, pair: Pair): readonly Ir[] {
  const calls = flow.callsInside.get(lambda) ?? []
  const taken = calls.some((call) => call.op === 'call' && isOneOf(flow, call, pair.takes))
  if (!taken) return []
  const later = new Set([...givenBack(flow, pair, nestedFunctions(lambda.body)), ...givenBackElsewhere(flow, lambda, pair)])
  const returned = [...givenBack(flow, pair, [lambda.body])].filter((key) => !later.has(key))
  const walk: Walk = { flow, pair, returned: new Set(returned), exits: [], borrowed: new Set(), isCaught: false }
  follow(walk, lambda.body, new Set())
  return walk.exits
}

/** What a function gives back that has not taken it: its callers go from the one to the other. */
function givenBackElsewhere(flow: Flow, lambda: Lambda, pair: Pair): Held {
  const keysIn = (calls: readonly Ir[], names: readonly string[]): string[] =>
    calls.flatMap((call) => (call.op === 'call' && isOneOf(flow, call, names) ? [keyOf(flow, call)] : []))
  const ofField = (key: string): boolean => /\w(?:\.|->)\w/.test(key)
  const others = [...flow.callsInside].filter(([other]) => other !== lambda)
  return new Set(
    others.flatMap(([, calls]) => {
      const taken = keysIn(calls, pair.takes)
      return keysIn(calls, pair.gives_back).filter((key) => ofField(key) && !taken.includes(key))
    }),
  )
}

const isOneOf = (flow: Flow, call: Call, names: readonly string[]): boolean =>
  matchesAnyName(names, writtenName(call.callee), flow.book.ignoreCase)

/** The object and the arguments: `lock.lock()` and `lock.unlock()`, `Monitor.Enter(gate)` and `Monitor.Exit(gate)`. */
function keyOf({ text }: Flow, { callee, args }: Call): string {
  const object = callee.op === 'member' ? text.slice(callee.object.start, callee.object.end) : ''
  return `${object}(${args.map(({ value }) => text.slice(value.start, value.end)).join()})`
}

function givenBack(flow: Flow, pair: Pair, places: readonly Ir[]): Held {
  const keys = new Set<string>()
  const stack = [...places]
  for (let ir = stack.pop(); ir !== undefined; ir = stack.pop()) {
    if (ir.op === 'call' && isOneOf(flow, ir, pair.gives_back)) keys.add(keyOf(flow, ir))
    stack.push(...partsOf(ir))
  }
  return keys
}

function nestedFunctions(body: Ir): Ir[] {
  const found: Ir[] = []
  const stack = [body]
  for (let ir = stack.pop(); ir !== undefined; ir = stack.pop()) {
    if (ir.op === 'function') found.push(ir.body)
    else stack.push(...partsOf(ir))
  }
  return found
}

/** What is held behind it; `null` where nothing goes on. */
function follow(walk: Walk, ir: Ir, held: Held): Held | null {
  if (ir.op === 'function') return held
  if (ir.op === 'block') return followAll(walk, ir.body, held)
  if (ir.op === 'if') {
    const tested = follow(walk, ir.test, held) ?? held
    const { call, isNegated } = asked(ir.test)
    const isTaken = call?.op === 'call' && isOneOf(walk.flow, call, walk.pair.takes)
    const [yes, no] = !isTaken ? [tested, tested] : isNegated ? [held, tested] : [tested, held]
    return meet([follow(walk, ir.then, yes), ir.otherwise === null ? no : follow(walk, ir.otherwise, no)])
  }
  if (ir.op === 'switch') return meet([held, ...ir.cases.map(({ body }) => follow(walk, body, held))])
  if (ir.op === 'loop') {
    followAll(walk, [ir.body], held)
    return held
  }
  if (ir.op === 'try') return followTry(walk, ir, held)
  // `lock.readLock().unlock()`: what hands out the lock does not fail.
  const isPairs = ir.op === 'call' && isOneOf(walk.flow, ir, [...walk.pair.takes, ...walk.pair.gives_back])
  const after = followAll(walk, isPairs ? ir.args.map(({ value }) => value) : partsOf(ir), held)
  if (ir.op === 'jump') {
    const leaves = ir.kind === 'return' || ir.kind === 'throw'
    const isKept = leaves && after !== null && [...after].some((key) => walk.returned.has(key))
    if (isKept && walk.pair.sure === undefined && !handsOver(walk, ir.value)) walk.exits.push(ir)
    return null
  }
  if (ir.op !== 'call' || after === null) return after
  const key = keyOf(walk.flow, ir)
  if (isOneOf(walk.flow, ir, walk.pair.takes)) return walk.borrowed.has(key) ? after : new Set([...after, key])
  if (!isOneOf(walk.flow, ir, walk.pair.gives_back)) {
    if (mayFail(walk, ir) && [...after].some((one) => walk.returned.has(one))) walk.exits.push(ir)
    return after
  }
  if (!after.has(key)) walk.borrowed.add(key)
  return without(after, new Set([key]))
}

/** The first call that may throw; one is enough to see. */
const mayFail = ({ flow, pair: { sure, marked }, exits, isCaught }: Walk, call: Call): boolean =>
  sure !== undefined &&
  !isCaught &&
  exits.length === 0 &&
  !isOneOf(flow, call, sure) &&
  (marked === undefined || matchesText(marked, flow.text.slice(Math.max(0, call.start - 30), call.start)))

/** `return &conn{release: l.release}`: whoever gets it gives it back. */
function handsOver({ flow, pair }: Walk, value: Ir | null): boolean {
  const stack: Ir[] = value === null ? [] : [value]
  for (let ir = stack.pop(); ir !== undefined; ir = stack.pop()) {
    if (ir.op === 'member' && matchesAnyName(pair.gives_back, writtenName(ir), flow.book.ignoreCase)) return true
    if (ir.op !== 'call') stack.push(...partsOf(ir))
    else stack.push(...ir.args.map((one) => one.value))
  }
  return false
}

/** What a condition asks: `if (!lock())` goes on there without the lock. */
function asked(test: Ir): { readonly call: Ir; readonly isNegated: boolean } {
  let [call, isNegated] = [test, false]
  while (call.op === 'unary' && (call.operator === '!' || call.operator === 'not')) [call, isNegated] = [call.operand, !isNegated]
  return { call, isNegated }
}

function followAll(walk: Walk, parts: readonly Ir[], held: Held): Held | null {
  let now: Held | null = held
  for (const part of parts) {
    if (now === null) return null
    now = follow(walk, part, now)
  }
  return now
}

function followTry(walk: Walk, ir: Extract<Ir, { op: 'try' }>, held: Held): Held | null {
  const ends = [...ir.catches.map(({ body }) => body), ...(ir.finalizer === null ? [] : [ir.finalizer])]
  const safe = givenBack(walk.flow, walk.pair, ends)
  const inner: Walk = { ...walk, returned: without(walk.returned, safe), isCaught: walk.isCaught || ir.catches.length > 0 }
  const before = followAll(inner, ir.resources, held) ?? held
  const ways = [
    follow(inner, ir.body, before),
    ...ir.catches.map(({ body }) => follow({ ...inner, isCaught: walk.isCaught }, body, before)),
  ]
  const after = meet(ways)
  if (after === null) return null
  return ir.finalizer === null ? after : follow(walk, ir.finalizer, after)
}

const without = (held: Held, keys: Held): Held => new Set([...held].filter((key) => !keys.has(key)))

/** What is held on every way that goes on. */
function meet(ways: readonly (Held | null)[]): Held | null {
  const [first, ...others] = ways.filter((way) => way !== null)
  return first === undefined ? null : new Set([...first].filter((key) => others.every((way) => way.has(key))))
}
