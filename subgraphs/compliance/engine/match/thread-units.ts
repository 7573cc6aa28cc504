/** Functions of a file as threads see them: who starts which, and what each of them touches that is not its own. */
import type { Flow } from '../flow/state.js'
import type { Call, Ir, Lambda } from '../syntax/ir.js'
import { matchesAnyName, matchesText } from './constraints.js'
import { isOfType } from './declared-types.js'
import { lockedRanges, type LockWords } from './lock-scopes.js'
import { nodesOf } from './nodes.js'
import { changed, ownNames, rootOf } from './outer-changes.js'
import { writtenName } from './subject.js'

export interface ThreadRace extends LockWords {
  /** Calls that run a function among their arguments in another thread. */
  readonly starts: readonly string[]
  /** Calls that do so where what they are called on or given first has a name or a type like this. */
  readonly collects: readonly string[]
  readonly pools: string
  /** Types of threads: what fills a variable of them runs there. */
  readonly threads: string
  /** Functions that run their argument where the rest of the object runs. */
  readonly returns: readonly string[]
  /** Last words of calls that wait for a thread. */
  readonly waits: readonly string[]
  /** Last words of calls that change a container. */
  readonly changes: readonly string[]
  /** Types that care for themselves, and what a thread is made of. */
  readonly safe: string
  /** Functions that run while nobody else does. */
  readonly alone: string
}

export interface Touch {
  readonly name: string
  readonly isWrite: boolean
  readonly isLocked: boolean
  readonly ir: Ir
}

export interface Unit {
  readonly lambda: Lambda
  readonly name: string
  readonly owner: string | null
  /** Without those that it starts. */
  readonly nodes: readonly Ir[]
  readonly starts: readonly Started[]
}

export interface Started {
  readonly at: Ir
  /** A function that stands there or in a variable, or the name of one of the file. */
  readonly lambda: Lambda | null
  readonly name: string
}

const matchesOf = (flow: Flow, names: readonly string[], call: Call): boolean =>
  matchesAnyName(names, writtenName(call.callee), flow.book.ignoreCase)

export const lastWord = ({ callee }: Call): string =>
  callee.op === 'member' ? callee.property : callee.op === 'name' ? callee.name : ''

/** Functions with a name, and the class that they belong to. */
export function unitsOf(flow: Flow, wanted: ThreadRace): Unit[] {
  const all = nodesOf(flow.root, true)
  const classes = all.filter((ir) => ir.op === 'class')
  return all.flatMap((ir) => {
    if (ir.op !== 'function' || !ir.declares) return []
    const around = classes.findLast(({ start, end }) => start <= ir.start && ir.end <= end)
    return [unitOf(flow, wanted, ir, ir.owner ?? around?.name ?? null)]
  })
}

export function unitOf(flow: Flow, wanted: ThreadRace, lambda: Lambda, owner: string | null): Unit {
  const inside = nodesOf(lambda.body, true)
  const held = new Map<string, Lambda>()
  for (const ir of inside)
    if (ir.op === 'assign' && ir.target.op === 'name' && ir.value?.op === 'function') held.set(ir.target.name, ir.value)
  const starts = inside.flatMap((ir) => startedBy(flow, wanted, ir, held))
  // What hands over to somebody else is not of this thread either.
  const others = inside.flatMap((ir) => (ir.op === 'call' && matchesOf(flow, wanted.returns, ir) ? [ir] : []))
  const away = [...starts.flatMap((one) => one.lambda ?? []), ...others]
  const nodes = inside.filter((ir) => !away.some(({ start, end }) => start <= ir.start && ir.end <= end))
  return { lambda, name: lambda.name, owner, nodes, starts }
}

/** `std::thread(run)`, `workers.emplace_back([&] { ... })`, `: worker_(&Feed::run, this)` */
function startedBy(flow: Flow, wanted: ThreadRace, ir: Ir, held: ReadonlyMap<string, Lambda>): Started[] {
  const parts = givenTo(flow, wanted, ir).flatMap((part) =>
    part.op === 'call' && /bind|handler/.test(lastWord(part)) ? part.args.map(({ value }) => value) : [part],
  )
  const written = parts.find((part) => part.op === 'function')
  if (written?.op === 'function') return [{ at: ir, lambda: written, name: '' }]
  for (const part of parts) {
    const bare = part.op === 'unary' && part.operator === '&' ? part.operand : part
    if (bare.op === 'member' && bare !== part) return [{ at: ir, lambda: null, name: bare.property }]
    if (bare.op !== 'name') continue
    const lambda = held.get(bare.name) ?? null
    if (lambda !== null || isFunction(flow, bare.name)) return [{ at: ir, lambda, name: bare.name }]
  }
  return []
}

const isFunction = ({ root }: Flow, name: string): boolean =>
  root.op === 'block' && root.body.some((one) => one.op === 'function' && one.name === name)

function givenTo(flow: Flow, wanted: ThreadRace, ir: Ir): readonly Ir[] {
  if (ir.op === 'assign' && ir.target.op === 'member' && ir.value !== null) {
    if (!isOfType(flow, wanted.threads, ir.target.property)) return []
    return ir.value.op === 'opaque' ? ir.value.parts : ir.value.op === 'function' ? [ir.value] : []
  }
  if (ir.op !== 'call') return []
  if (matchesOf(flow, wanted.returns, ir)) return []
  const parts = ir.args.map(({ value }) => value)
  if (matchesOf(flow, wanted.starts, ir)) return parts
  if (!matchesOf(flow, wanted.collects, ir)) return []
  const [first] = parts
  const holders = [...(ir.callee.op === 'member' ? [ir.callee.object] : []), ...(first === undefined ? [] : [first])]
  const isPool = holders.some((one) => {
    const name = rootOf(one)
    return name !== null && (matchesText(wanted.pools, name) || isOfType(flow, wanted.threads, name))
  })
  return isPool ? parts : []
}

/** What a unit touches of the names that are asked for. */
export function touchesOf(flow: Flow, wanted: ThreadRace, { lambda, nodes }: Unit, names: ReadonlySet<string>): Touch[] {
  const own = ownNames(lambda)
  const locked = lockedRanges(flow.text.slice(lambda.start, lambda.end), wanted)
  const isLocked = ({ start }: Ir): boolean =>
    locked.some(({ from, to }) => lambda.start + from <= start && start < lambda.start + to)
  const placed = new Map<Ir, Touch>()
  const add = (place: Ir, isWrite: boolean): void => {
    const name = rootOf(place)
    if (name === null || !names.has(name) || (own.has(name) && !isOfThis(place))) return
    const base = baseOf(place)
    const known = placed.get(base)
    if (known?.isWrite !== true) placed.set(base, { name, isWrite, isLocked: isLocked(place), ir: base })
  }
  for (const ir of nodes) {
    if (ir.op === 'assign' && !ir.declares) add(ir.target, true)
    else if (ir.op === 'unary' && (ir.operator === '++' || ir.operator === '--' || isStep(flow, ir.operand)))
      add(changed(ir), true)
    else if (ir.op === 'call' && ir.callee.op === 'member' && wanted.changes.includes(ir.callee.property))
      add(ir.callee.object, true)
    else if (ir.op === 'name' || ir.op === 'member') add(ir, isStep(flow, ir))
  }
  return [...placed.values()]
}

const isStep = ({ text }: Flow, { end }: Ir): boolean => /^\s{0,2}(?:\+\+|--)/.test(text.slice(end, end + 4))

const isOfThis = (ir: Ir): boolean =>
  ir.op === 'member' ? (ir.object.op === 'name' ? /^(?:this|self)$/.test(ir.object.name) : isOfThis(ir.object)) : false

/** `entries` in `entries[k].count`: one touch for all of it. */
function baseOf(ir: Ir): Ir {
  if (ir.op === 'index') return baseOf(ir.object)
  if (ir.op !== 'member' || (ir.object.op === 'name' && /^(?:this|self)$/.test(ir.object.name))) return ir
  return baseOf(ir.object)
}

/** Where it waits for a thread. */
export const waitsOf = (wanted: ThreadRace, { nodes }: Unit): Call[] =>
  nodes.filter((ir): ir is Call => ir.op === 'call' && wanted.waits.includes(lastWord(ir)))

/** Own functions of the file that a unit calls, by their names. */
export const calledBy = ({ nodes }: Unit): { name: string; at: Ir }[] =>
  nodes.flatMap((ir) => {
    if (ir.op !== 'call') return []
    const { callee } = ir
    if (callee.op === 'name') return [{ name: callee.name, at: ir }]
    return callee.op === 'member' && callee.object.op === 'name' && /^(?:this|self)$/.test(callee.object.name)
      ? [{ name: callee.property, at: ir }]
      : []
  })
