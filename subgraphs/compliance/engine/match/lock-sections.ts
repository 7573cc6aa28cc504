/** Where in a function a lock is held: the parts of its text, by the lock. */
import type { Flow } from '../flow/state.js'
import { partsOf } from '../flow/prepare.js'
import type { Call, Ir, Lambda } from '../syntax/ir.js'
import { matchesAnyName } from './constraints.js'
import { nodesOf } from './nodes.js'
import { writtenName } from './subject.js'

export interface LockSections {
  readonly takes: readonly string[]
  readonly gives_back: readonly string[]
  /** Types of objects that hold a lock until their block ends. */
  readonly holders: string
  /** Calls that run the function which they are given under a lock. */
  readonly runs?: readonly string[] | undefined
  /** Words whose block runs under the lock behind them: `synchronized (lock) {`. */
  readonly words?: string | undefined
  /** Calls that answer what the lock holds, for as long as the answer lives: `m.lock()` of Rust. */
  readonly chained?: readonly string[] | undefined
}

/** The text where a lock is held. */
export interface Section {
  readonly lock: string
  readonly start: number
  readonly end: number
  readonly isChained: boolean
  /** The call that took it, and the variable that keeps it. */
  readonly taken?: Call
  readonly holder?: string
}

interface Place {
  readonly start: number
  readonly end: number
}

export function lockSections(flow: Flow, lambda: Lambda, nodes: readonly Ir[], wanted: LockSections): Section[] {
  return [
    ...heldSections(flow, lambda, nodes, wanted),
    ...takenSections(flow, nodes, wanted),
    ...runSections(flow, nodes, wanted),
    ...wordSections(flow, lambda, wanted),
    ...(wanted.chained === undefined ? [] : chainedSections(flow, lambda, nodes, wanted.chained)),
  ].sort((one, other) => one.start - other.start)
}

const isIn = ({ start, end }: Place, around: Place): boolean => around.start <= start && end <= around.end
export const sectionText = ({ text }: Flow, { start, end }: Place): string =>
  text
    .slice(start, end)
    .replaceAll(/\s/g, '')
    .replaceAll(/\b(?:this->|this\.|self\.)/g, '')
const written = sectionText
const leaves = (way: Ir): boolean => nodesOf(way).some((ir) => ir.op === 'jump' && ir.kind !== 'yield')

const isOneOf = (flow: Flow, call: Call, names: readonly string[]): boolean =>
  matchesAnyName(names, writtenName(call.callee), flow.book.ignoreCase)

/** `std::lock_guard g(mu_);` until its block ends; `g.unlock()` and `g.lock()` in between. */
function heldSections(flow: Flow, lambda: Lambda, nodes: readonly Ir[], { holders }: LockSections): Section[] {
  const held = new RegExp(`\\b(?:${holders})(?:<[^;(){}]{1,80}>)?\\s{1,4}(\\w{1,40})\\s?[({]\\s?&?([^;(){}]{1,60}?)\\s?[)}]`, 'g')
  const text = flow.text.slice(lambda.body.start, lambda.body.end)
  return [...text.matchAll(held)].flatMap(([, holder = '', lock = ''], index, all) => {
    const start = lambda.body.start + (all[index]?.index ?? 0)
    const block = nodes.findLast((ir) => isBraced(flow, ir) && ir.start <= start && start < ir.end) ?? lambda.body
    const turns = nodes.filter(
      (ir): ir is Call =>
        ir.op === 'call' && ir.start > start && isIn(ir, block) && /^\w+\.(?:un)?lock$/.test(written(flow, ir.callee)),
    )
    const own = turns.filter(({ callee }) => written(flow, callee).startsWith(`${holder}.`))
    return sectionsOf(nodes, lock.replaceAll(/\s|this->/g, ''), block.end, [
      { at: start, takes: true, ir: null },
      ...own.map((ir) => ({ at: ir.start, takes: written(flow, ir.callee) === `${holder}.lock`, ir })),
    ])
  })
}

const isBraced = ({ text }: Flow, { op, start }: Ir): boolean => op === 'block' && text[start] === '{'

/** `pthread_mutex_lock(&m); ... pthread_mutex_unlock(&m);`, `mu_.lock(); ... mu_.unlock();` */
function takenSections(flow: Flow, nodes: readonly Ir[], wanted: LockSections): Section[] {
  const turns = new Map<string, Turn[]>()
  const deferred = new Set<string>()
  for (const ir of nodes) {
    if (ir.op !== 'call') continue
    const takes = isOneOf(flow, ir, wanted.takes)
    if (!takes && !isOneOf(flow, ir, wanted.gives_back)) continue
    const lock = ir.args[0]?.value ?? (ir.callee.op === 'member' ? ir.callee.object : ir.callee)
    const name = written(flow, lock)
    if (isDeferred(flow, ir)) {
      deferred.add(name)
      continue
    }
    turns.set(name, [...(turns.get(name) ?? []), { at: ir.start, takes, ir }])
  }
  return [...turns].flatMap(([lock, all]) => sectionsOf(nodes, lock, deferred.has(lock) ? flow.text.length : Infinity, all))
}

interface Turn {
  readonly at: number
  readonly takes: boolean
  readonly ir: Ir | null
}

function sectionsOf(nodes: readonly Ir[], lock: string, last: number, turns: readonly Turn[]): Section[] {
  const sections: Section[] = []
  let from: number | null = null
  for (const { at, takes, ir } of turns) {
    if (takes) from ??= at
    else if (from !== null && (ir === null || !isLeaving(nodes, ir, from))) {
      sections.push({ lock, start: from, end: at, isChained: false })
      from = null
    }
  }
  if (from !== null && last !== Infinity) sections.push({ lock, start: from, end: last, isChained: false })
  return sections
}

/** `if (bad) { unlock(&m); return -1; }`: the way on still holds it. */
const isLeaving = (nodes: readonly Ir[], give: Ir, from: number): boolean =>
  nodes.some(
    (ir) =>
      ir.op === 'if' && ir.start > from && [ir.then, ir.otherwise].some((way) => way !== null && isIn(give, way) && leaves(way)),
  )

/** Go, Swift: given back when the function ends. */
const isDeferred = ({ text }: Flow, { start }: Call): boolean =>
  /\bdefer\s*\{?\s*$/.test(text.slice(Math.max(0, start - 20), start))

/** `queue.sync { ... }`, `lock.withLock { ... }` */
const runSections = (flow: Flow, nodes: readonly Ir[], { runs }: LockSections): Section[] =>
  nodes.flatMap((ir) => {
    if (ir.op !== 'call' || ir.callee.op !== 'member' || runs === undefined || !isOneOf(flow, ir, runs)) return []
    const run = ir.args.map(({ value }) => value).find(({ op }) => op === 'function')
    return run === undefined ? [] : [{ lock: written(flow, ir.callee.object), start: run.start, end: run.end, isChained: false }]
  })

/** `synchronized (lock) { ... }` until its brace closes. */
function wordSections({ text }: Flow, { body }: Lambda, { words }: LockSections): Section[] {
  if (words === undefined) return []
  const inside = text.slice(body.start, body.end)
  const found = inside.matchAll(new RegExp(`\\b(?:${words})\\s?\\(([^(){};]{1,60})\\)\\s{0,20}\\{`, 'g'))
  return Array.from(found, ({ index, 0: word, 1: lock = '' }) => ({
    lock: lock.replaceAll(/\s|this\./g, ''),
    start: body.start + index + word.length,
    end: body.start + braceEnd(inside, index + word.length),
    isChained: false,
  }))
}

function braceEnd(text: string, from: number): number {
  let depth = 1
  for (const { index, 0: brace } of text.slice(from).matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1
    if (depth === 0) return from + index
  }
  return text.length
}

/** What hands the lock on without looking into it. */
const unwraps: ReadonlySet<string> = new Set(['unwrap', 'expect', 'map_err', 'unwrap_or_else', 'await', 'ok', 'into_inner'])

/** `let mut left = m.lock().unwrap();` until the block ends or it is dropped; any other statement only holds it for itself. */
function chainedSections(flow: Flow, lambda: Lambda, nodes: readonly Ir[], chained: readonly string[]): Section[] {
  const blocks = nodes.filter((ir) => ir.op === 'block')
  return nodes.flatMap((ir) => {
    if (ir.op !== 'call' || ir.callee.op !== 'member' || ir.args.length > 0 || !isOneOf(flow, ir, chained)) return []
    const lock = written(flow, ir.callee.object)
    const block = blocks.findLast((one) => isIn(ir, one)) ?? lambda.body
    const statement = partsOf(block).find((one) => isIn(ir, one)) ?? ir
    const kept = statement.op === 'assign' && statement.target.op === 'name' && statement.value !== null ? statement : null
    if (kept?.target.op === 'name' && kept.value !== null && isWhole(kept.value, ir)) {
      const holder = kept.target.name
      const drop = nodes.find((one) => one.op === 'call' && one.start > ir.end && written(flow, one) === `drop(${holder})`)
      return [{ lock, start: statement.start, end: drop?.start ?? block.end, isChained: true, taken: ir, holder }]
    }
    const held = statement.op === 'if' || statement.op === 'loop' ? statement.test : null
    const { start, end } = held !== null && isIn(ir, held) ? held : statement
    return [{ lock, start, end, isChained: true, taken: ir }]
  })
}

/** Whether a value is the lock itself: `m.lock().unwrap()`. */
function isWhole(value: Ir, taken: Call): boolean {
  if (value === taken) return true
  if (value.op === 'call' && value.callee.op === 'member' && unwraps.has(value.callee.property))
    return isWhole(value.callee.object, taken)
  return value.op === 'member' && unwraps.has(value.property) && isWhole(value.object, taken)
}
