/**
 * What functions change that run several times at once, because a pool, a loop or a task for each element starts them: entries of plain
 * collections and counters that they share, without a lock.
 *
 * Fields of the class, variables of the file, and variables of the function outside of the round that starts it. Functions of the same class
 * are followed. A pool of one thread, a lock, and types made for several threads are safe.
 */
import type { Flow } from '../flow/state.js'
import type { Call, Ir, Lambda } from '../syntax/ir.js'
import { matchesAnyName, matchesText } from './constraints.js'
import { isOfType } from './declared-types.js'
import { lockedRanges, type LockWords } from './lock-scopes.js'
import { nodesOf } from './nodes.js'
import { changed, isChange, madeIn, ownNames, rootOf } from './outer-changes.js'
import { writtenName } from './subject.js'

export interface PoolChange extends LockWords {
  /** Calls that run a function among their arguments beside others; those of `one` start a thread of its own. */
  readonly starts: readonly string[]
  readonly one: readonly string[]
  /** Calls that do so where what they are called on has a name or a type like this. */
  readonly collects: readonly string[]
  readonly pools: string
  readonly threads: string
  /** Calls that run a function for each element, all at once. */
  readonly alls: readonly string[]
  /** Calls that wait for all of the tasks that they are given: what each does behind its first pause runs beside the others. */
  readonly gathers: readonly string[]
  /** Calls that run a function once and wait for it. */
  readonly once: readonly string[]
  /** Pools and dispatchers with one thread, as they are declared. */
  readonly single: string
  /** Declarations of collections and of numbers that break or lose changes, and of what cares for itself. */
  readonly plain: string
  readonly numbers: string
  readonly safe: string
  /** Last words of calls that change a collection, and functions that change what they are given first. */
  readonly changes: readonly string[]
  readonly changes_first: readonly string[]
  /** Functions that are called once. */
  readonly alone: string
  /** How a loop waits for what it has started before the next round. */
  readonly waits: string
}

interface Walk {
  readonly flow: Flow
  readonly wanted: PoolChange
  readonly owner: string | null
  /** Declarations that count, by their names: fields and variables of the file, and those of the function around the round. */
  readonly shared: ReadonlyMap<string, 'collection' | 'number'>
  /** What each round has for itself. */
  readonly own: ReadonlySet<string>
}

/** A piece of code that runs several times at once. */
interface Piece {
  readonly code: Ir
  /** What the object is called there. */
  readonly self: readonly string[]
  /** Only what stands behind. */
  readonly from: number
}

/** The first change of each thing that functions started here share. */
export function poolChanges(flow: Flow, lambda: Lambda, wanted: PoolChange): readonly Ir[] {
  if (!lambda.declares) return []
  const nodes = nodesOf(lambda.body, true)
  const found = new Map<string, Ir>()
  for (const call of nodes) {
    if (call.op !== 'call') continue
    const pieces = startedBy(flow, lambda, nodes, call, wanted)
    if (pieces.length === 0) continue
    const isOwnRound = isOneOf(flow, call, [...wanted.alls, ...wanted.gathers])
    for (const piece of pieces) {
      const round = isOwnRound ? piece.code : roundOf(flow, lambda, nodes, call, wanted)
      const walk = walkOf(flow, lambda, nodes, round ?? lambda, wanted)
      for (const [name, ir] of changesIn(walk, piece)) if (!found.has(name)) found.set(name, ir)
    }
  }
  return [...found.values()].slice(0, 2)
}

const isOneOf = (flow: Flow, call: Call, names: readonly string[]): boolean =>
  matchesAnyName(names, writtenName(call.callee), flow.book.ignoreCase)

/** What a call runs several times at once. */
function startedBy(flow: Flow, lambda: Lambda, nodes: readonly Ir[], call: Call, wanted: PoolChange): Piece[] {
  const self = selvesOf(lambda)
  const given = call.args.map(({ value }) => value)
  if (isOneOf(flow, call, wanted.alls)) return given.flatMap((part) => pieceOf(flow, lambda, part, self))
  if (isOneOf(flow, call, wanted.gathers)) return gathered(flow, nodes, given, self)
  const isPool = isOneOf(flow, call, wanted.starts) || isCollecting(flow, call, wanted)
  if (!isPool && !isOneOf(flow, call, wanted.one)) return []
  if (hasOneThread(flow, call, wanted)) return []
  const round = roundOf(flow, lambda, nodes, call, wanted)
  if (round === null && !(isPool && isCalledOften(lambda, wanted))) return []
  if (round !== null && matchesText(wanted.waits, flow.text.slice(call.end, round.end))) return []
  // Go starts a call, the others what a call would run.
  const started = isWord(call, 'go') ? given.map((part) => (part.op === 'call' ? part.callee : part)) : given
  return started.flatMap((part) => pieceOf(flow, lambda, part, self))
}

const isWord = ({ callee }: Call, word: string): boolean => callee.op === 'name' && callee.name === word

/** A function with parameters is there for more than one. */
const isCalledOften = ({ parameters, name, isConstructor }: Lambda, { alone }: PoolChange): boolean =>
  parameters.length > 0 && !isConstructor && !matchesText(alone, name)

function isCollecting(flow: Flow, call: Call, wanted: PoolChange): boolean {
  if (!isOneOf(flow, call, wanted.collects) || call.callee.op !== 'member') return false
  const name = rootOf(call.callee.object)
  return name !== null && (matchesText(wanted.pools, name) || isOfType(flow, wanted.threads, name))
}

function hasOneThread(flow: Flow, call: Call, { single }: PoolChange): boolean {
  const holders = [...(call.callee.op === 'member' ? [call.callee.object] : []), ...call.args.map(({ value }) => value)]
  return holders.some((one) => {
    if (one.op === 'function' || one.op === 'block') return false
    const name = rootOf(one)
    return matchesText(single, flow.text.slice(one.start, one.end)) || (name !== null && isOfType(flow, single, name))
  })
}

/** The loop or the function for each element that the call stands in; `null` where there is none. */
function roundOf(flow: Flow, lambda: Lambda, nodes: readonly Ir[], call: Call, wanted: PoolChange): Ir | null {
  const once = new Set<Ir>()
  for (const ir of nodes)
    if (ir.op === 'call' && isOneOf(flow, ir, [...wanted.once, ...wanted.starts, ...wanted.one]))
      for (const { value } of ir.args) once.add(value)
  const isAround = (ir: Ir): boolean => ir.start <= call.start && call.end <= ir.end && ir !== lambda
  return nodes.find((ir) => (ir.op === 'loop' || (ir.op === 'function' && !once.has(ir))) && isAround(ir)) ?? null
}

/** `() -> work()`, `this::work`, `{ work() }`, `go s.work(conn)` */
function pieceOf(flow: Flow, lambda: Lambda, part: Ir, self: readonly string[]): Piece[] {
  if (part.op === 'function' || part.op === 'block') return [{ code: part, self, from: 0 }]
  const name =
    part.op === 'name'
      ? part.name
      : part.op === 'member' && part.object.op === 'name' && self.includes(part.object.name)
        ? part.property
        : null
  const found = name === null ? undefined : functionNamed(flow, name, ownerOf(flow, lambda))
  return found === undefined ? [] : [{ code: found, self: selvesOf(found), from: 0 }]
}

/** `Task.WhenAll(all.Select(async one => { await ...; ... }))`, also by a variable. */
function gathered(flow: Flow, nodes: readonly Ir[], given: readonly Ir[], self: readonly string[]): Piece[] {
  const names = given.flatMap((part) => (part.op === 'name' ? [part.name] : []))
  const values = nodes.flatMap((ir) =>
    ir.op === 'assign' && ir.target.op === 'name' && names.includes(ir.target.name) && ir.value !== null ? [ir.value] : [],
  )
  return [...given, ...values].flatMap((part) => {
    const calls = nodesOf(part).filter((ir) => ir.op === 'call')
    return calls.flatMap(({ args: [first] }) => {
      if (first?.value.op !== 'function') return []
      const pause = /\bawait\b/.exec(flow.text.slice(first.value.start, first.value.end))
      return pause === null ? [] : [{ code: first.value, self, from: first.value.start + pause.index }]
    })
  })
}

const selvesOf = ({ receiver }: Lambda): string[] => ['this', 'self', ...(receiver === undefined ? [] : [receiver.name])]

const owners = new WeakMap<Flow, ReadonlyMap<Lambda, string | null>>()

/** Functions of the file and the classes that they belong to. */
function functionsOf(flow: Flow): ReadonlyMap<Lambda, string | null> {
  let known = owners.get(flow)
  if (known === undefined) {
    const all = nodesOf(flow.root, true)
    const classes = all.filter((ir) => ir.op === 'class')
    known = new Map(
      all.flatMap((ir): [Lambda, string | null][] => {
        if (ir.op !== 'function' || !ir.declares) return []
        const around = classes.findLast(({ start, end }) => start <= ir.start && ir.end <= end)
        return [[ir, ir.owner ?? around?.name ?? null]]
      }),
    )
    owners.set(flow, known)
  }
  return known
}

const ownerOf = (flow: Flow, lambda: Lambda): string | null => functionsOf(flow).get(lambda) ?? null

const functionNamed = (flow: Flow, name: string, owner: string | null): Lambda | undefined =>
  [...functionsOf(flow)].find(([one, of]) => one.name === name && (of === owner || of === null))?.[0]

function walkOf(flow: Flow, lambda: Lambda, nodes: readonly Ir[], round: Ir, wanted: PoolChange): Walk {
  const owner = ownerOf(flow, lambda)
  const shared = new Map<string, 'collection' | 'number'>()
  const add = (name: string, text: string): void => {
    if (matchesText(wanted.safe, text)) return
    if (matchesText(wanted.plain, text)) shared.set(name, 'collection')
    else if (matchesText(wanted.numbers, text)) shared.set(name, 'number')
  }
  for (const member of [...(flow.root.op === 'block' ? flow.root.body : []), ...membersOf(flow, owner)])
    for (const { name, text } of declarationsIn(flow, member)) add(name, text)
  const own = new Set<string>(round === lambda ? lambda.parameters.map(({ name }) => name) : madeIn(nodesOf(round, true)))
  for (const ir of nodes) {
    if (ir.op !== 'assign' || !ir.declares || ir.target.op !== 'name') continue
    const isOutside = round !== lambda && (ir.end <= round.start || ir.start >= round.end)
    shared.delete(ir.target.name)
    if (isOutside) add(ir.target.name, lineOf(flow, ir))
    else own.add(ir.target.name)
  }
  return { flow, wanted, owner, shared, own }
}

/** Fields of the class; of Go those of the struct. */
function membersOf(flow: Flow, owner: string | null): readonly Ir[] {
  if (owner === null) return []
  const members = flow.classes.get(owner)?.ir.members ?? []
  const top = flow.root.op === 'block' ? flow.root.body.flatMap((ir) => (ir.op === 'block' ? ir.body : [ir])) : []
  return [...members, ...top.filter((ir) => ir.op === 'shape' && ir.name === owner)]
}

const lineOf = ({ text }: Flow, { start, end }: Ir): string => {
  const to = text.indexOf('\n', end)
  return text.slice(text.lastIndexOf('\n', start) + 1, to < 0 ? end : Math.min(to, end + 80))
}

function declarationsIn(flow: Flow, member: Ir): { name: string; text: string }[] {
  if (member.op === 'block') return member.body.flatMap((one) => declarationsIn(flow, one))
  // The text of the type: a field of Go has no constructor beside it.
  if (member.op === 'shape')
    return member.fields.map(({ name, type }) => ({ name, text: `${name} ${type ?? ''} ${typeBeside(flow, member, name)}` }))
  if (member.op !== 'assign' || !member.declares || member.target.op !== 'name') return []
  return [{ name: member.target.name, text: lineOf(flow, member) }]
}

const typeBeside = ({ text }: Flow, { start, end }: Ir, name: string): string =>
  new RegExp(`\\b${name}\\b[^\\n]{0,80}`).exec(text.slice(start, end))?.[0] ?? ''

/** Changes without a lock, also in the functions of the class that it calls. */
function changesIn(walk: Walk, first: Piece): Map<string, Ir> {
  const found = new Map<string, Ir>()
  const pieces = [first]
  for (const piece of pieces) {
    const { flow, wanted } = walk
    const locked = lockedRanges(flow.text.slice(piece.code.start, piece.code.end), wanted)
    const isFree = ({ start }: Ir): boolean =>
      start >= piece.from && !locked.some(({ from, to }) => piece.code.start + from <= start && start < piece.code.start + to)
    const own = piece.code.op === 'function' ? ownNames(piece.code) : madeIn(nodesOf(piece.code, true))
    for (const ir of nodesOf(piece.code, true)) {
      if (!isFree(ir)) continue
      const name = changedName(walk, piece, own, ir)
      if (name !== null && !found.has(name)) found.set(name, ir)
      const next = ir.op === 'call' ? calledOf(walk, piece, ir) : undefined
      if (next !== undefined && pieces.length < 12 && !pieces.some(({ code }) => code === next))
        pieces.push({ code: next, self: selvesOf(next), from: 0 })
    }
  }
  return found
}

function calledOf({ flow, owner }: Walk, { self }: Piece, { callee, isNew }: Call): Lambda | undefined {
  if (isNew) return undefined
  if (callee.op === 'name') return functionNamed(flow, callee.name, owner)
  if (callee.op !== 'member' || callee.object.op !== 'name' || !self.includes(callee.object.name)) return undefined
  return functionNamed(flow, callee.property, owner)
}

/** The collection or the number that is changed: `seen.put(k, v)`, `seen[k] = v`, `failed += 1`, `all = append(all, x)` */
function changedName(walk: Walk, piece: Piece, own: ReadonlySet<string>, ir: Ir): string | null {
  const place = placeOf(walk, ir)
  if (place === null) return null
  const isPart = place.op === 'index'
  const whole = isPart ? place.object : place
  const isField = whole.op === 'member' && whole.object.op === 'name' && piece.self.includes(whole.object.name)
  if (!isField && whole.op !== 'name') return null
  const name = isField ? whole.property : whole.op === 'name' ? whole.name : ''
  if (!isField && (own.has(name) || walk.own.has(name))) return null
  const kind = walk.shared.get(name)
  // A list may have a place for each.
  if (kind === 'collection') return isPart && !isOfType(walk.flow, maps, name) ? null : name
  return kind === 'number' && !isPart && ir.op !== 'call' ? name : null
}

const maps = '(?:[dD]ictionary|[mM]ap(?:Of)?)\\b'

function placeOf({ flow, wanted }: Walk, ir: Ir): Ir | null {
  const first = (call: Ir): Ir | null =>
    call.op === 'call' && isOneOf(flow, call, wanted.changes_first) ? (call.args[0]?.value ?? null) : null
  if (isChange(flow, ir, true)) return changed(ir)
  if (ir.op === 'assign') return ir.declares || ir.value === null || first(ir.value) === null ? null : ir.target
  if (ir.op !== 'call') return null
  if (ir.callee.op === 'member' && wanted.changes.includes(ir.callee.property)) return ir.callee.object
  return first(ir)
}
