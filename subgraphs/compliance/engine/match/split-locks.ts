/**
 * Tests under a lock whose answer is used under the next one: what was tested may have changed while nobody held it.
 *
 * Only steps count, what was computed of the tested value, or a switch that was tested itself; who asks once more under the second lock, or
 * has taken his share under the first one, has thought of it. A cache that is filled twice does no harm.
 */
import type { Flow } from '../flow/state.js'
import type { Conditional, Ir, Lambda } from '../syntax/ir.js'
import { lockSections, type LockSections, type Section, sectionText } from './lock-sections.js'
import { namesIn, nodesOf } from './nodes.js'
import { changed, isChange } from './outer-changes.js'

export interface SplitLock extends LockSections {
  /** Last words of calls that take an element away. */
  readonly removes: readonly string[]
  /** Last words of calls that put what they are given into the place. */
  readonly puts?: readonly string[] | undefined
}

interface Place {
  readonly start: number
  readonly end: number
}

/** What is asked about in one function. */
interface Walk {
  readonly flow: Flow
  readonly wanted: SplitLock
  readonly nodes: readonly Ir[]
}

/** The changes under a second lock that rest on a test under the first one. */
export function splitLocks(flow: Flow, lambda: Lambda, wanted: SplitLock): readonly Ir[] {
  const nodes = nodesOf(lambda.body, wanted.runs !== undefined)
  const sections = lockSections(flow, lambda, nodes, wanted)
  if (sections.length < 2) return []
  const walk: Walk = { flow, wanted, nodes }
  const found = sections.flatMap((first) =>
    sections.flatMap((second) =>
      first.lock === second.lock && first.end <= second.start ? (changeBehind(walk, first, second) ?? []) : [],
    ),
  )
  return found.slice(0, 1)
}

const isIn = ({ start, end }: Place, around: Place): boolean => around.start <= start && end <= around.end
const written = sectionText
const leaves = (way: Ir): boolean => nodesOf(way).some((ir) => ir.op === 'jump' && ir.kind !== 'yield')

function changeBehind(walk: Walk, first: Section, second: Section): Ir | null {
  const { nodes } = walk
  const tests = nodes.filter((ir): ir is Conditional => ir.op === 'if' && ir.start > first.start && ir.start < second.start)
  const isAround = (way: Ir | null): boolean => way !== null && isIn({ start: second.start, end: second.start }, way)
  const asked = tests.filter(
    (test) => leaves(test.then) || isAround(test.then) || (test.otherwise !== null && leaves(test.otherwise)),
  )
  const places = new Set(asked.flatMap((test) => testedIn(walk, first, test.test)))
  if (places.size === 0) return null
  const taken = new Set(namesFilledIn(walk, first))
  const changes = (at: Section): Ir[] => nodes.filter((ir) => isIn(ir, at) && places.has(changedBy(walk, ir, at, taken) ?? ''))
  const [change] = changes(second)
  if (change === undefined || changes(first).length > 0) return null
  const place = changedBy(walk, change, second, taken) ?? ''
  return nodes.some((ir) => isIn(ir, second) && asksFor(walk, ir, second, place, change)) ? null : change
}

/** Variables that get what was read in a section. */
const namesFilledIn = ({ nodes }: Walk, section: Section): string[] =>
  nodes.flatMap((ir) => (ir.op === 'assign' && fills(ir, section) ? namesIn(ir.target) : []))

/** `left = n` in it, `let left = queue.sync { n }` around it. */
const fills = (ir: Extract<Ir, { op: 'assign' }>, section: Section): boolean =>
  ir.value !== null && (isIn(ir, section) || isIn(section, ir.value) || (section.isChained && isIn(ir.value, section)))

/** The places that a condition of the first section is about, also by a variable that was filled there. */
function testedIn(walk: Walk, first: Section, test: Ir): string[] {
  const { nodes } = walk
  const direct = isIn(test, first) || isIn(first, test) ? placesIn(walk, first, test) : []
  const names = new Set(namesIn(test))
  const filled = nodes.flatMap((ir) =>
    ir.op === 'assign' && ir.value !== null && fills(ir, first) && namesIn(ir.target).some((name) => names.has(name))
      ? placesIn(walk, first, ir.value)
      : [],
  )
  return [...direct, ...filled]
}

/** What is read; behind `m.lock()` it is what the lock holds. */
const placesIn = ({ flow, wanted }: Walk, section: Section, test: Ir): string[] => [
  ...(section.isChained ? [section.lock] : []),
  ...nodesOf(test, wanted.runs !== undefined).flatMap((ir) => {
    if (ir.op === 'name' || ir.op === 'member' || ir.op === 'index') return [written(flow, ir)]
    return ir.op === 'call' && ir.callee.op === 'member' ? [written(flow, ir.callee.object)] : []
  }),
]

/** `n--`, `left -= n`, `taken = true`, `queue.pop_front()`, `left = before - n` */
function changedBy({ flow, wanted }: Walk, ir: Ir, section: Section, taken: ReadonlySet<string>): string | null {
  const placeOf = (place: Ir): string => (isOfLock(section, place) ? section.lock : written(flow, place))
  if (ir.op !== 'assign' && isChange(flow, ir, false)) return placeOf(changed(ir))
  if (ir.op === 'assign' && !ir.declares) {
    const isStep = /^[-+]/.test(ir.operator) || (ir.value !== null && isOwnStep(flow, ir.target, ir.value))
    const isOld = ir.value !== null && isComputedOf(ir.value, taken)
    // Where locks come in many forms, what is switched twice mostly does no harm.
    const isSwitch =
      wanted.puts === undefined && ir.value?.op === 'literal' && ir.value.value !== null && ir.target.op !== 'index'
    return isStep || isOld || isSwitch ? placeOf(ir.target) : null
  }
  if (ir.op !== 'call' || ir.callee.op !== 'member') return null
  const { property, object } = ir.callee
  const puts = wanted.puts?.includes(property) === true && ir.args.some(({ value }) => isComputedOf(value, taken))
  return puts || (wanted.removes.includes(property) && !section.isChained) ? placeOf(object) : null
}

/** What the lock of Rust holds: `m.lock().unwrap().left`, `guard.left`. */
const isOfLock = ({ isChained, lock, taken, holder }: Section, place: Ir): boolean =>
  isChained &&
  lock !== '' &&
  nodesOf(place).some((ir) => (ir.op === 'call' && ir === taken) || (ir.op === 'name' && ir.name === holder))

/** `have - n`: what was read before decides what is written. */
const isComputedOf = (value: Ir, taken: ReadonlySet<string>): boolean =>
  nodesOf(value).some((ir) => ir.op === 'binary' && /^[-+]$/.test(ir.operator) && isOneOfNames(ir.left, taken))

const isOneOfNames = (ir: Ir, names: ReadonlySet<string>): boolean =>
  (ir.op === 'name' && names.has(ir.name)) ||
  (ir.op === 'unary' && ir.operator === '*' && isOneOfNames(ir.operand, names)) ||
  (ir.op === 'cast' && isOneOfNames(ir.value, names))

const isOwnStep = (flow: Flow, target: Ir, value: Ir): boolean =>
  value.op === 'binary' && /^[-+]$/.test(value.operator) && written(flow, value.left) === written(flow, target)

function asksFor(walk: Walk, ir: Ir, section: Section, place: string, change: Ir): boolean {
  const test = ir.op === 'if' || ir.op === 'loop' ? ir.test : ir.op === 'switch' ? ir.subject : null
  if (test === null || ir.start >= change.start) return false
  return section.isChained || placesIn(walk, section, test).includes(place)
}
