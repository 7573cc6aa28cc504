/**
 * Fields that some methods of a class change under a lock and others change without it, from what was there before.
 *
 * The author has said that several threads come here. A constructor, what runs before and after the others, and methods that are only called
 * under the lock need none; a method that speaks of locks in a way that is not understood is trusted. A plain write counts where others count
 * up from it, a walk through a collection where it may be rebuilt meanwhile.
 */
import type { Flow } from '../flow/state.js'
import type { Call, ClassIr, Ir, Lambda } from '../syntax/ir.js'
import { matchesAnyName, matchesText } from './constraints.js'
import { nodesOf } from './nodes.js'
import { isDeclaredWith } from './declared-types.js'
import { changed, isChange, ownNames } from './outer-changes.js'
import { skippedElements } from './skipped-elements.js'
import { writtenName } from './subject.js'

export interface SkippedLock {
  /** First words of statements that hold a lock. */
  readonly statements: readonly string[]
  /** Calls that hold one while a function among their arguments runs. */
  readonly holds: readonly string[]
  readonly takes: readonly string[]
  readonly gives_back: readonly string[]
  /** Modifiers and decorators of functions that hold one. */
  readonly methods: string
  /** Names of functions that run while nobody else does, or whose callers hold the lock. */
  readonly alone: string
  /** Types of collections that break when they are changed at the same time, and the last words of calls that change them. */
  readonly collections: string
  readonly changes: readonly string[]
  /** About the objects that the class keeps, and not about its fields. */
  readonly elements?: boolean | undefined
}

interface Place {
  readonly start: number
  readonly end: number
}

/** A method, or what reads or sets a property. */
interface Unit {
  readonly name: string
  readonly nodes: readonly Ir[]
  readonly own: ReadonlySet<string>
  /** Where a lock is held. */
  readonly locked: readonly Place[]
  readonly isPrivate: boolean
  /** Runs while nobody else does, or says that its callers hold the lock, or speaks of one that is not understood. */
  readonly isAlone: boolean
}

interface Touch {
  readonly unit: Unit
  readonly ir: Ir
  /** A step and a write behind a test rest on what was there before, a walk looks at each element. */
  readonly kind: 'step' | 'test' | 'write' | 'walk'
}

const spoken =
  /(?<![bcf])lock|synchroni[sz]ed|atomic|mutex|semaphore|monitor|critical|barrier|\bactor\b|interlocked|volatile|thread[- ]?safe|main ?thread/i

/** Types that are made for it; `synchronized` alone is a word of methods. */
const safeTypes = /(?:concurrent|atomic|synchroni[sz]ed(?:\w|\svar\b)|thread_?local|copyonwrite|blocking|channel)\w*/gi

const patterns = new Map<string, RegExp>()
function compiled(pattern: string): RegExp {
  const known = patterns.get(pattern) ?? new RegExp(pattern, 'g')
  patterns.set(pattern, known)
  return known
}

/** The first place of each field where the lock is skipped. */
export function skippedLocks(flow: Flow, { members, start, end }: ClassIr, wanted: SkippedLock): readonly Ir[] {
  if (!spoken.test(flow.text.slice(start, end))) return []
  const units = unitsOf(flow, members, wanted)
  if (!units.some(({ locked }) => locked.length > 0)) return []
  const free = freeUnits(flow, units)
  if (wanted.elements === true) return skippedElements(flow, units, free)
  return fieldsOf(flow, members).flatMap(
    (field) =>
      firstSkip(flow, units, free, field, wanted) ?? units.flatMap((unit) => lateLock(flow, unit, field, wanted)).slice(0, 1),
  )
}

/** `if (balance < n) return; lock (gate) { balance -= n; }`: tested in front of the lock, and not again under it. */
function lateLock(flow: Flow, unit: Unit, field: string, wanted: SkippedLock): Ir[] {
  if (unit.locked.length === 0) return []
  const tests = unit.nodes.flatMap((ir) => (ir.op === 'if' && comparesField(flow, unit, ir.test, field) ? [ir] : []))
  return touchesOf(flow, unit, field, false, wanted).flatMap(({ ir, kind }) => {
    const section = unit.locked.find((one) => one.start <= ir.start && ir.end <= one.end)
    if (kind !== 'step' || section === undefined) return []
    if (tests.some((one) => section.start <= one.start && one.start < ir.start)) return []
    const decides = tests.some(
      (one) =>
        one.test.end <= section.start &&
        ((one.start <= section.start && section.end <= one.end) ||
          nodesOf(one.then).some((way) => way.op === 'jump' && (way.kind === 'return' || way.kind === 'throw'))),
    )
    return decides ? [ir] : []
  })
}

const comparesField = (flow: Flow, { own }: Unit, test: Ir, field: string): boolean =>
  nodesOf(test).some(
    (ir) =>
      ir.op === 'binary' &&
      /^[<>]=?$/.test(ir.operator) &&
      [ir.left, ir.right].some(
        (side) =>
          (side.op === 'name' && side.name === field && !own.has(field)) ||
          (side.op === 'member' && side.property === field && isSelf(flow, side.object)),
      ),
  )

function firstSkip(flow: Flow, units: readonly Unit[], free: ReadonlySet<Unit>, field: string, wanted: SkippedLock): Ir | null {
  const isCollection = isDeclaredWith(flow, compiled(wanted.collections), field)
  const touches = units.flatMap((unit) => touchesOf(flow, unit, field, isCollection, wanted))
  const locked = touches.filter(({ unit, ir, kind }) => kind !== 'walk' && isLocked(unit, ir))
  const has = (kind: Touch['kind']): boolean => locked.some((one) => one.kind === kind)
  if (!has('step') && !has('test')) return null
  const wrong: Touch['kind'][] = isCollection ? ['step', 'walk'] : has('step') ? ['step', 'test', 'write'] : ['step', 'test']
  const skips = touches.filter(({ unit, ir, kind }) => free.has(unit) && !isLocked(unit, ir) && wrong.includes(kind))
  // Where most go without it, the lock is for something else.
  const places = (all: readonly Touch[]): number => new Set(all.map(({ unit }) => unit)).size
  return places(skips) > places(locked) ? null : (skips[0]?.ir ?? null)
}

const isLocked = ({ locked }: Unit, { start, end }: Place): boolean => locked.some((one) => one.start <= start && end <= one.end)

/** Fields whose type does not care for itself. */
function fieldsOf(flow: Flow, members: readonly Ir[]): string[] {
  return [...members, ...madeByConstructor(flow, members)].flatMap((one) => {
    const field = one.op === 'assign' ? one : null
    if (field === null) return []
    const name = field.declares && field.target.op === 'name' ? field.target.name : ownField(flow, field.target)
    if (name === null) return []
    const text = flow.text.slice(flow.text.lastIndexOf('\n', field.start) + 1, field.end)
    return /volatile|immutable|\blazy\b/i.test(text) || isDeclaredWith(flow, safeTypes, name) ? [] : [name]
  })
}

/** Python: `self.items = {}`, which declares the field too. */
const madeByConstructor = (flow: Flow, members: readonly Ir[]): readonly Ir[] =>
  flow.book.language !== 'python'
    ? []
    : members
        .flatMap((one) => (one.op === 'function' && one.isConstructor ? nodesOf(one.body) : []))
        .filter((ir) => ir.op === 'assign')

const ownField = (flow: Flow, ir: Ir): string | null => (ir.op === 'member' && isSelf(flow, ir.object) ? ir.property : null)

function unitsOf(flow: Flow, members: readonly Ir[], wanted: SkippedLock): Unit[] {
  let before = 0
  return members.flatMap((member) => {
    const from = before
    before = member.end
    if (member.op === 'function') return member.isConstructor ? [] : [unitOf(flow, member, from, wanted)]
    // Kotlin: `set(v) { ... }`. C#: a block of the property and of its two functions; one without a property runs with the constructor.
    if (member.op === 'opaque') return [accessor(flow, member, wanted)]
    const isProperty = member.op === 'block' && member.body[0]?.op === 'assign' && member.body[0].declares
    return isProperty && member.op === 'block' ? member.body.slice(1).map((one) => accessor(flow, one, wanted)) : []
  })
}

const accessor = (flow: Flow, ir: Ir, wanted: SkippedLock): Unit => {
  const nodes = nodesOf(ir, true)
  const locked = lockedIn(flow, ir, nodes, wanted)
  return { name: '', nodes, own: new Set(), locked, isPrivate: false, isAlone: locked.length === 0 && speaksOfLock(flow, ir) }
}

function unitOf(flow: Flow, lambda: Lambda, from: number, wanted: SkippedLock): Unit {
  const nodes = nodesOf(lambda.body, true)
  const head = flow.text.slice(Math.max(from, lambda.start - 1000), lambda.body.start)
  const marked = [...lambda.modifiers, ...lambda.decorators.map(({ start, end }) => flow.text.slice(start, end))]
  const holds = marked.some((one) => matchesText(wanted.methods, one))
  const locked = holds ? [lambda] : lockedIn(flow, lambda, nodes, wanted)
  return {
    name: lambda.name,
    nodes,
    own: ownNames(lambda),
    locked,
    isPrivate:
      /\b(?:private|fileprivate)\b/.test(head) ||
      (flow.book.language === 'csharp' && !/\b(?:public|internal|protected)\b/.test(head)),
    isAlone:
      matchesText(wanted.alone, lambda.name) ||
      (!holds && spoken.test(head)) ||
      (locked.length === 0 && speaksOfLock(flow, lambda)),
  }
}

/** Where no lock is understood, although it is spoken of one, its author may have thought of it. */
const speaksOfLock = ({ text }: Flow, { start, end }: Place): boolean => spoken.test(text.slice(start, end))

function lockedIn(flow: Flow, { end }: Place, nodes: readonly Ir[], wanted: SkippedLock): readonly Place[] {
  const calls = nodes.filter((ir) => ir.op === 'call')
  const taken = calls.find((call) => isOneOf(flow, call, wanted.takes))
  const back = calls.findLast((call) => isOneOf(flow, call, wanted.gives_back))
  const found: Place[] = [
    ...nodes.filter((ir) => isHolding(flow, ir, wanted)),
    ...nodes.flatMap((ir) => withLock(flow, ir, wanted)),
  ]
  if (taken !== undefined)
    found.push({ start: taken.start, end: back === undefined || back.end < taken.end ? end : endOf(nodes, back) })
  return found
}

/** Swift: `defer { lock.unlock() }` stands in front of what it comes after. */
const endOf = (nodes: readonly Ir[], back: Place): number =>
  Math.max(
    back.end,
    ...nodes.flatMap((ir) =>
      ir.op === 'try' && ir.finalizer !== null && ir.finalizer.start <= back.start && back.end <= ir.finalizer.end
        ? [ir.body.end]
        : [],
    ),
  )

function isHolding(flow: Flow, ir: Ir, wanted: SkippedLock): boolean {
  if (ir.op === 'call') return isOneOf(flow, ir, wanted.holds)
  if (ir.op !== 'block') return false
  // `lock (gate) { ... }`: the block has forgotten what stands in front of it.
  const [, word] =
    /\b(\w+)\s{0,4}\((?:[^()\n]|\([^()\n]{0,80}\)){1,120}\)\s{0,80}$/.exec(
      flow.text.slice(Math.max(0, ir.start - 200), ir.start),
    ) ?? []
  return word !== undefined && wanted.statements.includes(word)
}

/** Python: `with self.lock:`; what stands for it ends with the lock's name. */
function withLock({ text }: Flow, ir: Ir, { statements }: SkippedLock): Place[] {
  if (ir.op !== 'block' || !statements.includes('with')) return []
  const [head, ...rest] = ir.body
  const last = rest.at(-1)
  return head !== undefined &&
    last !== undefined &&
    /\bwith\s{1,4}$/.test(text.slice(Math.max(0, ir.start - 9), ir.start)) &&
    spoken.test(text.slice(head.start, head.end))
    ? [{ start: head.start, end: last.end }]
    : []
}

const isOneOf = (flow: Flow, call: Call, names: readonly string[]): boolean =>
  matchesAnyName(names, writtenName(call.callee), flow.book.ignoreCase)

/** Methods that may run without the lock: what others may call, and what such methods call where they hold none. */
function freeUnits(flow: Flow, units: readonly Unit[]): ReadonlySet<Unit> {
  const calls = units.map((unit) => ({ unit, called: calledBy(flow, unit) }))
  const isCalled = (name: string): boolean => calls.some(({ called }) => called.some((one) => one.name === name))
  const free = new Set(units.filter(({ name, isPrivate, isAlone }) => !isPrivate && !isAlone && !isCalled(name)))
  for (let size = -1; size < free.size;) {
    size = free.size
    for (const { unit, called } of calls) {
      if (!free.has(unit)) continue
      const reached = new Set(called.filter(({ at }) => !isLocked(unit, at)).map(({ name }) => name))
      for (const one of units) if (reached.has(one.name) && !one.isAlone) free.add(one)
    }
  }
  return free
}

const calledBy = (flow: Flow, { nodes }: Unit): { name: string; at: Ir }[] =>
  nodes.flatMap((ir) => {
    if (ir.op !== 'call' || ir.isNew) return []
    const { callee } = ir
    if (callee.op === 'name') return [{ name: callee.name, at: ir }]
    return callee.op === 'member' && isSelf(flow, callee.object) ? [{ name: callee.property, at: ir }] : []
  })

const isSelf = ({ table }: Flow, ir: Ir): boolean =>
  ir.op === 'name' && (ir.name === 'this' || table?.self.includes(ir.name) === true)

/** Where a method changes the field, or walks through it. */
function touchesOf(flow: Flow, unit: Unit, field: string, isCollection: boolean, wanted: SkippedLock): Touch[] {
  const isField = (ir: Ir): boolean =>
    (ir.op === 'name' && ir.name === field && !unit.own.has(field)) ||
    (ir.op === 'member' && ir.property === field && isSelf(flow, ir.object))
  const tested = unit.nodes.flatMap((ir) => (ir.op === 'if' && nodesOf(ir.test).some(isField) ? [ir.then] : []))
  return unit.nodes.flatMap((ir): Touch[] => {
    if (isChange(flow, ir, isCollection)) {
      const place = changed(ir)
      if (isField(place.op === 'index' && isCollection ? place.object : place)) return [{ unit, ir, kind: 'step' }]
    }
    if (ir.op === 'assign' && !ir.declares && ir.value !== null && isField(ir.target)) {
      // What is given up behind a test is often the end of the object.
      const isEnd = ir.value.op === 'literal' && ir.value.value === null
      const isTested = !isEnd && tested.some((then) => then.start <= ir.start && ir.end <= then.end)
      return [{ unit, ir, kind: isTested ? 'test' : 'write' }]
    }
    if (!isCollection) return []
    // `m[k] = v`: an entry more, or one less.
    if (ir.op === 'assign' && !ir.declares && ir.target.op === 'index' && isField(ir.target.object))
      return [{ unit, ir, kind: 'step' }]
    if (ir.op === 'call' && ir.callee.op === 'member' && isField(ir.callee.object))
      return wanted.changes.includes(ir.callee.property) ? [{ unit, ir, kind: 'step' }] : []
    return ir.op === 'loop' && ir.iterable !== null && isField(ir.iterable) ? [{ unit, ir: ir.iterable, kind: 'walk' }] : []
  })
}
