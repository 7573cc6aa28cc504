/**
 * Tests under a lock whose answer is used under the next one: what was tested may have changed while nobody held it.
 *
 * Only steps count, or a switch that was tested itself; who asks once more under the second lock, or has taken his share under the first
 * one, has thought of it. A cache that is filled twice does no harm.
 */
import type { Flow } from '../flow/state.js'
import type { Call, Conditional, Ir, Lambda } from '../syntax/ir.js'
import { matchesAnyName } from './constraints.js'
import { nodesOf } from './nodes.js'
import { changed, isChange } from './outer-changes.js'
import { writtenName } from './subject.js'

export interface SplitLock {
  readonly takes: readonly string[]
  readonly gives_back: readonly string[]
  /** Types of objects that hold a lock until their block ends. */
  readonly holders: string
  /** Last words of calls that take an element away. */
  readonly removes: readonly string[]
}

/** The text where a lock is held. */
interface Section {
  readonly lock: string
  readonly start: number
  readonly end: number
}

interface Place {
  readonly start: number
  readonly end: number
}

/** The changes under a second lock that rest on a test under the first one. */
export function splitLocks(flow: Flow, lambda: Lambda, wanted: SplitLock): readonly Ir[] {
  const nodes = nodesOf(lambda.body)
  const sections = [...heldSections(flow, lambda, nodes, wanted), ...takenSections(flow, nodes, wanted)].sort(
    (one, other) => one.start - other.start,
  )
  const found = sections.flatMap((first) =>
    sections.flatMap((second) =>
      first.lock === second.lock && first.end <= second.start ? (changeBehind(flow, nodes, first, second, wanted) ?? []) : [],
    ),
  )
  return found.slice(0, 1)
}

const isIn = ({ start, end }: Place, around: Place): boolean => around.start <= start && end <= around.end
const written = ({ text }: Flow, { start, end }: Place): string =>
  text
    .slice(start, end)
    .replaceAll(/\s/g, '')
    .replaceAll(/\bthis->/g, '')

/** `std::lock_guard g(mu_);` until its block ends; `g.unlock()` and `g.lock()` in between. */
function heldSections(flow: Flow, lambda: Lambda, nodes: readonly Ir[], { holders }: SplitLock): Section[] {
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
function takenSections(flow: Flow, nodes: readonly Ir[], wanted: SplitLock): Section[] {
  const turns = new Map<string, Turn[]>()
  for (const ir of nodes) {
    if (ir.op !== 'call') continue
    const takes = isOneOf(flow, ir, wanted.takes)
    if (!takes && !isOneOf(flow, ir, wanted.gives_back)) continue
    const lock = ir.args[0]?.value ?? (ir.callee.op === 'member' ? ir.callee.object : ir.callee)
    const name = written(flow, lock)
    turns.set(name, [...(turns.get(name) ?? []), { at: ir.start, takes, ir }])
  }
  return [...turns].flatMap(([lock, all]) => sectionsOf(nodes, lock, Infinity, all))
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
      sections.push({ lock, start: from, end: at })
      from = null
    }
  }
  if (from !== null && last !== Infinity) sections.push({ lock, start: from, end: last })
  return sections
}

/** `if (bad) { unlock(&m); return -1; }`: the way on still holds it. */
const isLeaving = (nodes: readonly Ir[], give: Ir, from: number): boolean =>
  nodes.some(
    (ir) =>
      ir.op === 'if' && ir.start > from && [ir.then, ir.otherwise].some((way) => way !== null && isIn(give, way) && leaves(way)),
  )

const leaves = (way: Ir): boolean => nodesOf(way).some((ir) => ir.op === 'jump' && ir.kind !== 'yield')

const isOneOf = (flow: Flow, call: Call, names: readonly string[]): boolean =>
  matchesAnyName(names, writtenName(call.callee), flow.book.ignoreCase)

function changeBehind(flow: Flow, nodes: readonly Ir[], first: Section, second: Section, wanted: SplitLock): Ir | null {
  const tests = nodes.filter((ir): ir is Conditional => ir.op === 'if' && ir.start > first.start && ir.start < second.start)
  const asked = tests.filter((test) => leaves(test.then) || isIn({ start: second.start, end: second.start }, test.then))
  const places = new Set(asked.flatMap((test) => testedIn(flow, nodes, first, test.test)))
  if (places.size === 0) return null
  const changes = (at: Section): Ir[] => nodes.filter((ir) => isIn(ir, at) && places.has(changedBy(flow, ir, wanted) ?? ''))
  const [change] = changes(second)
  if (change === undefined || changes(first).length > 0) return null
  const place = changedBy(flow, change, wanted) ?? ''
  return nodes.some((ir) => isIn(ir, second) && asksFor(flow, ir, place, change)) ? null : change
}

/** The places that a condition of the first section is about, also by a variable that was filled there. */
function testedIn(flow: Flow, nodes: readonly Ir[], first: Section, test: Ir): string[] {
  const direct = isIn(test, first) ? placesIn(flow, test) : []
  const names = new Set(nodesOf(test).flatMap((ir) => (ir.op === 'name' ? [ir.name] : [])))
  const filled = nodes.flatMap((ir) =>
    ir.op === 'assign' && ir.target.op === 'name' && names.has(ir.target.name) && ir.value !== null && isIn(ir, first)
      ? placesIn(flow, ir.value)
      : [],
  )
  return [...direct, ...filled]
}

const placesIn = (flow: Flow, test: Ir): string[] =>
  nodesOf(test).flatMap((ir) => {
    if (ir.op === 'name' || ir.op === 'member' || ir.op === 'index') return [written(flow, ir)]
    return ir.op === 'call' && ir.callee.op === 'member' ? [written(flow, ir.callee.object)] : []
  })

/** `n--`, `left -= n`, `taken = true`, `queue.pop_front()` */
function changedBy(flow: Flow, ir: Ir, { removes }: SplitLock): string | null {
  if (ir.op !== 'assign' && isChange(flow, ir, false)) return written(flow, changed(ir))
  if (ir.op === 'assign' && !ir.declares) {
    const isStep = /^[-+]/.test(ir.operator) || (ir.value !== null && isOwnStep(flow, ir.target, ir.value))
    return isStep || ir.value?.op === 'literal' ? written(flow, ir.target) : null
  }
  return ir.op === 'call' && ir.callee.op === 'member' && removes.includes(ir.callee.property)
    ? written(flow, ir.callee.object)
    : null
}

const isOwnStep = (flow: Flow, target: Ir, value: Ir): boolean =>
  value.op === 'binary' && /^[-+]$/.test(value.operator) && written(flow, value.left) === written(flow, target)

function asksFor(flow: Flow, ir: Ir, place: string, change: Ir): boolean {
  const test = ir.op === 'if' || ir.op === 'loop' ? ir.test : null
  return test !== null && ir.start < change.start && placesIn(flow, test).includes(place)
}
