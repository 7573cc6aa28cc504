/**
 * Changes that rest on what was read or asked before a pause: `const left = seats.get(day); if (left < 1) throw ...; await pay(); seats.set(day,
 * left - 1)`. While one waits, another one reads the same and passes the same test.
 *
 * What is shared is an entry of a map or a set, or a number that its name says is used up, neither of them made by the function itself. Whoever
 * looks for an entry to spare himself the work, and answers with it, does no harm when he does it twice: such a test counts where it refuses.
 */
import type { Flow } from '../flow/state.js'
import { wordsOf } from '../rulebook/data-names.js'
import type { Assign, Conditional, Ir, Lambda } from '../syntax/ir.js'
import { matchesText } from './constraints.js'
import { nodesOf } from './nodes.js'
import { changed, ownNames, rootOf } from './outer-changes.js'

export interface OverPause {
  /** The text of what lets others run; without it they may run at any time. */
  readonly pauses?: string | undefined
  /** What is used up, by the words of its name. */
  readonly counted: string
  /** Any field counts that is read into a variable and written back from there. */
  readonly fields?: boolean | undefined
}

interface Read {
  readonly key: string
  readonly at: number
}

interface Walk {
  readonly flow: Flow
  readonly wanted: OverPause
  readonly nodes: readonly Ir[]
  readonly own: ReadonlySet<string>
  readonly pauses: readonly number[]
  /** Variables and what they were read from. */
  readonly reads: Map<string, Read>
}

/** Whoever says one of these words has thought of it. */
const thoughtOf =
  /(?<![bcf])lock|mutex|semaphore|transaction|atomic|synchroni[sz]|\bactor\b|debounce|inflight|in_flight|idempot|compare_?and/i

/** Where one stands in a text or a file, and what only this object looks at. */
const places =
  /pos(?:ition)?$|offset|index|cursor|depth|level|indent|(?:^|_)(?:start|end|line|column|seq|state|status|next|prev)$/i

export function changesOverPauses(flow: Flow, lambda: Lambda, wanted: OverPause): readonly Ir[] {
  const { text } = flow
  const body = text.slice(lambda.start, lambda.end)
  if (thoughtOf.test(body)) return []
  const nodes = nodesOf(lambda.body)
  const inner = nodes.filter((ir) => ir.op === 'function' && ir !== lambda.body)
  const pauses = wanted.pauses === undefined ? [] : matchesIn(text, wanted.pauses, lambda.body)
  if (wanted.pauses !== undefined && pauses.length === 0) return []
  const isInner = (at: number): boolean => inner.some(({ start, end }) => start <= at && at < end)
  const walk: Walk = {
    flow,
    wanted,
    nodes,
    own: ownOf(flow, lambda, nodes),
    pauses: pauses.filter((at) => !isInner(at)),
    reads: new Map(),
  }
  const tests = nodes.filter((ir): ir is Conditional => ir.op === 'if')
  const found = nodes.find((ir) => {
    const isFound = isCarried(walk, ir) || tests.some((test) => test.test.end <= ir.start && restsOn(walk, test, ir))
    noteRead(walk, ir)
    return isFound
  })
  return found === undefined ? [] : [found]
}

function matchesIn(text: string, pattern: string, { start, end }: Ir): number[] {
  return Array.from(text.slice(start, end).matchAll(new RegExp(pattern, 'g')), ({ index }) => start + index)
}

const isPaused = ({ wanted, pauses }: Walk, from: number, to: number): boolean =>
  wanted.pauses === undefined || pauses.some((at) => from <= at && at < to)

/** Python and Ruby declare nothing: what is assigned is a function's own, unless it says otherwise. */
function ownOf({ book: { language }, text }: Flow, lambda: Lambda, nodes: readonly Ir[]): ReadonlySet<string> {
  const own = new Set(ownNames(lambda))
  if (language !== 'python' && language !== 'ruby') return own
  const shared = new Set(
    [...text.slice(lambda.start, lambda.end).matchAll(/\b(?:global|nonlocal) ([\w, ]{1,80})/g)].flatMap(([, names = '']) =>
      names.split(/,\s*/),
    ),
  )
  for (const ir of nodes)
    if (ir.op === 'assign' && ir.target.op === 'name' && !shared.has(ir.target.name)) own.add(ir.target.name)
  return own
}

const assigned = new WeakMap<Flow, ReadonlySet<string>>()

/** Variables that the file makes: `process` and `window` are of nobody's count. */
function isMade(flow: Flow, name: string): boolean {
  const known =
    assigned.get(flow) ??
    new Set(nodesOf(flow.root, true).flatMap((ir) => (ir.op === 'assign' && ir.target.op === 'name' ? [ir.target.name] : [])))
  assigned.set(flow, known)
  return known.has(name)
}

const isSelf = (ir: Ir): boolean => ir.op === 'name' && /^(?:this|self)$/.test(ir.name)
const isOfSelf = (ir: Ir): boolean => (ir.op === 'index' || ir.op === 'member' ? isSelf(ir.object) || isOfSelf(ir.object) : false)

const isShared = ({ flow, own }: Walk, place: Ir): boolean => {
  if (isOfSelf(place)) return true
  const root = rootOf(place)
  return root !== null && !own.has(root) && isMade(flow, root)
}

const written = ({ flow }: Walk, { start, end }: Ir): string => flow.text.slice(start, end).replaceAll(/\s/g, '')

const entryKey = (walk: Walk, map: Ir, key: Ir | undefined): string | null =>
  key !== undefined && key.op !== 'literal' && isShared(walk, map) ? `${written(walk, map)}[${written(walk, key)}]` : null

/** `seats[day]`, `seats.get(day)`, `day in seats`, `this.left`. */
function keyOf(walk: Walk, ir: Ir): string | null {
  if (ir.op === 'index') return entryKey(walk, ir.object, ir.index)
  if (ir.op === 'call')
    return ir.callee.op === 'member' &&
      /^(?:get|has|contains|containsKey|ContainsKey|Contains|includes|getOrDefault)$/.test(ir.callee.property)
      ? entryKey(walk, ir.callee.object, ir.args[0]?.value)
      : null
  if (ir.op === 'binary') return /^(?:not )?in$/.test(ir.operator) ? entryKey(walk, ir.right, ir.left) : null
  return isCountedField(walk, ir) ? written(walk, ir) : null
}

function isCountedField(walk: Walk, ir: Ir): boolean {
  const name = ir.op === 'name' ? ir.name : ir.op === 'member' && isSelf(ir.object) ? ir.property : null
  if (name === null || !isShared(walk, ir)) return false
  if (walk.wanted.fields === true && ir.op === 'member' && !places.test(name)) return true
  return matchesText(walk.wanted.counted, wordsOf(name).join(' '))
}

/** `have = points.get(user, 0)` */
function noteRead(walk: Walk, ir: Ir): void {
  if (ir.op !== 'assign' || ir.target.op !== 'name' || ir.value === null) return
  walk.reads.delete(ir.target.name)
  if (ir.operator !== '=') return
  const key = nodesOf(ir.value)
    .map((one) => keyOf(walk, one))
    .find((one) => one !== null)
  if (key !== undefined && key !== null) walk.reads.set(ir.target.name, { key, at: ir.end })
}

interface Write {
  readonly key: string
  readonly value: Ir | null
}

/** `points[user] = x`, `points.set(user, x)`, `this.left = x` */
function writeOf(walk: Walk, ir: Ir): Write | null {
  const key =
    ir.op === 'assign' && !ir.declares
      ? keyOf(walk, ir.target)
      : ir.op === 'call' && ir.callee.op === 'member' && /^(?:set|put|Set)$/.test(ir.callee.property) && ir.args.length > 1
        ? entryKey(walk, ir.callee.object, ir.args[0]?.value)
        : null
  if (key === null) return null
  return { key, value: ir.op === 'assign' ? ir.value : ir.op === 'call' ? (ir.args[1]?.value ?? null) : null }
}

const isSum = (ir: Ir): boolean => ir.op === 'binary' && /^[-+]$/.test(ir.operator)

/** `points[user] = have - n` with what was read before the pause, `this.left = this.left - await sell()`. */
function isCarried(walk: Walk, ir: Ir): boolean {
  const write = writeOf(walk, ir)
  if (write?.value == null) return false
  const { key, value } = write
  // `total += await sell()` reads the total first.
  if (ir.op === 'assign' && ir.operator !== '=')
    return /^[-+]$/.test(ir.operator) && isSure(walk) && isPaused(walk, value.start - 6, value.end)
  return nodesOf(value).some(
    (sum) =>
      sum.op === 'binary' &&
      isSum(sum) &&
      [sum.left, sum.right].some((side) => {
        if (side === sum.left && keyOf(walk, side) === key) return isSure(walk) && isPaused(walk, side.end, ir.end)
        const read = side.op === 'name' ? walk.reads.get(side.name) : undefined
        return read !== undefined && read.key === key && isPaused(walk, read.at, ir.end)
      }),
  )
}

/** Others only run where it says so: a call is no pause for sure. */
const isSure = ({ wanted }: Walk): boolean => wanted.pauses !== undefined && wanted.fields !== true

/** A step that rests on a test in front of a pause. */
function restsOn(walk: Walk, test: Conditional, ir: Ir): boolean {
  const key = stepOf(walk, ir)
  const entry = key === null ? entryOf(walk, ir) : null
  if (key === null && entry === null) return false
  if (!isPaused(walk, test.test.end, ir.start)) return false
  const isInside = test.then.start <= ir.start && ir.end <= test.then.end
  if (key !== null) return (isInside || leaves(test.then)) && comparedIn(walk, test).includes(key)
  return entry !== null && refuses(walk, test) && askedIn(walk, test).includes(entry)
}

/** `this.left -= n`, `left--`, `points[user] = points[user] - n`: the number. */
function stepOf(walk: Walk, ir: Ir): string | null {
  if (ir.op === 'unary' && /^(?:\+\+|--)$/.test(ir.operator)) return keyOf(walk, changed(ir))
  const write = writeOf(walk, ir)
  if (write === null) return null
  if (ir.op === 'assign' && ir.operator !== '=') return /^[-+]$/.test(ir.operator) ? write.key : null
  const sums = write.value === null ? [] : nodesOf(write.value).filter(isSum)
  return sums.some((sum) => nodesOf(sum).some((one) => keyOf(walk, one) === write.key)) ? write.key : null
}

/** `used.add(code)`, `seats[day] = who`, `codes.delete(code)`: the entry. */
function entryOf(walk: Walk, ir: Ir): string | null {
  if (ir.op === 'assign') return isNew(ir) && ir.target.op === 'index' ? keyOf(walk, ir.target) : null
  if (ir.op !== 'call' || ir.callee.op !== 'member') return null
  return /^(?:add|set|put|push|append|delete|remove|discard|pop|Add|Remove|insert)$/.test(ir.callee.property)
    ? entryKey(walk, ir.callee.object, ir.args[0]?.value)
    : null
}

const isNew = ({ declares, operator }: Assign): boolean => !declares && operator === '='

const leaves = (then: Ir): boolean => nodesOf(then).some((ir) => ir.op === 'jump' && ir.kind !== 'yield')

/** With an error, or an answer that says no. */
function refuses({ flow }: Walk, { then }: Conditional): boolean {
  return nodesOf(then).some(
    (ir) =>
      ir.op === 'jump' &&
      (ir.kind === 'throw' ||
        (ir.kind === 'return' &&
          ir.value !== null &&
          /\b(?:4\d\d|false|False)\b|err(?:or)?\b|abort|conflict|reject|refus|taken|already/i.test(
            flow.text.slice(ir.value.start, ir.value.end),
          ))),
  )
}

/** What a comparison, or a test for more than nothing, asks about. */
function comparedIn(walk: Walk, { test }: Conditional): string[] {
  return nodesOf(test).flatMap((ir) => keyFor(walk, ir) ?? [])
}

const keyFor = (walk: Walk, ir: Ir): string | null =>
  (ir.op === 'name' ? walk.reads.get(ir.name)?.key : undefined) ?? keyOf(walk, ir)

/** Whether there is such an entry. */
function askedIn(walk: Walk, test: Conditional): string[] {
  return comparedIn(walk, test).filter((key) => key.endsWith(']'))
}
