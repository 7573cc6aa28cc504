/** What the analysis of one file shares, and the objects of memory. */
import type { FactKind } from '../rulebook/fact-kinds.js'
import type { FunctionModel } from '../rulebook/function-model.js'
import type { TimeLimit } from '../syntax/time-limit.js'
import { type Linear, symbolic } from './numbers/linear.js'
import type { Models } from './calls/models.js'
import { type Symbols, freshSymbol, limitsOf } from './numbers/numbers.js'
import type { Expr, FunctionIr, Place, ProgramIr, Statement, Type } from './program.js'
import type { Demand, Outcome, Summary } from './summary.js'
import { type Obj, State, type Value, isAddress, isNull, unknownValue } from './state.js'

export interface Fact extends Place {
  readonly kind: FactKind
  /** Where the function around begins. */
  readonly inside: number
  readonly cause?: number
}

export interface Frame {
  readonly fn: FunctionIr
  readonly breaks: State[]
  readonly continues: State[]
  readonly exits: Exit[]
  readonly labels: Map<string, State[]>
  /** Loops around, innermost last: the symbols that count their steps. */
  readonly loops: {
    readonly counters: Map<string, Counter>
    readonly isCounted: boolean
    readonly compared: ReadonlySet<string>
    /** What it writes: the amount of each step. */
    readonly written: ReadonlyMap<string, number | null>
    isDataBounded: boolean
    /** `for (x : list)`: where the list is remembered, and what stands for the element or its key. */
    readonly each: { readonly walked: string; readonly element: string } | null
  }[]
  /** Conditions around that decide whether this runs. */
  readonly guards: Place[]
  /** Locks by the condition that they were last taken under. */
  readonly demands: Demand[]
  /** Where places outside were last assigned. */
  readonly storedAt: Map<string, Place>
  /** Variables that give back what they hold where their block ends. */
  readonly endingThemselves: Set<string>
  readonly lockedUnder: Map<string, Place | null>
  /** Iterators that were made as one behind another. */
  readonly behind: Map<string, string>
  /** Something outside was changed. */
  changesOutside: boolean
  inUpdate: boolean
  /** Conditions that were evaluated as values, by what stands for them. */
  readonly truths: Map<string, Expr>
  /** Answers of callees that say what they have freed (calls/outcomes.ts). */
  readonly pending: Map<string, Pending>
  /** How conditions of the preprocessor turn out that the function asks more than once. */
  readonly isDefined: boolean
}

export interface Pending {
  readonly symbol: string
  /** Of the argument; `null` for all of it. */
  readonly field: string | null
  readonly outcome: Outcome
  readonly place: Place
}

export interface Counter {
  readonly symbol: string
  readonly start: Linear
  /** Of where it starts in all states that come to the loop, when these differ. */
  apart: { readonly low: number; readonly high: number } | null
  readonly by: number
  /** Largest numbers of rounds before a step; `null` when one of them is not known. */
  high: number
  most: Linear | null
  isKnown: boolean
  steps: number
}

export interface Exit {
  readonly state: State
  readonly value: Value | null
  readonly place: Place
  readonly expr: Expr | null
  readonly isThrown: boolean
}

/** The states in which a condition holds, and those in which it does not. */
export interface Branches {
  readonly yes: State[]
  readonly no: State[]
}

/** Of what a lock protects: where it was used under the lock, and where without (memory/shared.ts). */
export interface Protected {
  readonly lockedIn: Set<FunctionIr>
  lockedUses: number
  lockedWrites: number
  /** Uses without the lock, the first of each function. */
  readonly open: Map<FunctionIr, Place>
  /** Functions that change it without the lock. */
  readonly openWrites: Set<FunctionIr>
}

export interface Run {
  readonly program: ProgramIr
  readonly text: string
  readonly models: Models
  readonly symbols: Symbols
  readonly facts: Map<string, Fact>
  /** Accesses whose index cannot be too large, as `start:end`. */
  readonly within: Set<string>
  /** Accesses that stay inside on one way, and those that may not on another. */
  readonly fitting: Set<string>
  readonly reaching: Set<string>
  /** Accesses by place: whether a way had an address there, whether one had NULL. */
  readonly nulls: Map<string, { fact: Fact; isAlways: boolean }>
  /** The ways out that forget an allocation, by where it was made. */
  readonly leaks: Map<number, Set<number>>
  /** Results that may be NULL, by the function of the file that made them. */
  readonly callees: Map<string, string>
  /** By what answered: where its answer is first followed without a look. */
  readonly unchecked: Map<string, Fact>
  /** Of what was allocated: in an amount out of data, or in one that the program does not fix. */
  readonly amounts: Map<string, 'data' | 'open'>
  /** What was compared with NULL, by what answered. */
  readonly comparedAnswers: Set<string>
  /** How often results of a function were compared, and where they were not. */
  readonly beliefs: Map<string, { readonly compared: Set<string>; readonly trusted: Map<string, Fact> }>
  readonly functions: ReadonlyMap<string, FunctionIr>
  /** All that share a name. */
  readonly overloads: ReadonlyMap<string, readonly FunctionIr[]>
  readonly summaries: Map<FunctionIr, Summary | 'busy'>
  /** Fields of objects that still point to what a method has freed. */
  readonly leftFreed: {
    readonly owner: string
    readonly field: string
    readonly isDestructor: boolean
    readonly place: Place
    readonly inside: number
  }[]
  /** What locks of the file protect, by the field or variable. */
  readonly protected: Map<string, Protected>
  readonly calledUnderLock: Set<string>
  /** Functions with locks that are not followed. */
  readonly lockCareful: Set<FunctionIr>
  /** Functions that run as threads. */
  readonly threads: ReadonlySet<string>
  /** The file takes locks. */
  readonly hasLocks: boolean
  /** Fields, by their record, that are taken for data where nobody has set them (calls/data-fields.ts). */
  openFields: ReadonlySet<string>
  /** Objects that are parts of others. */
  readonly parents: Map<string, string>
  frame: Frame
  evaluate(state: State, expr: Expr): Value
  branch(state: State, test: Expr): Branches
  execute(states: readonly State[], statement: Statement): State[]
  /** `null` for a function that is being read right now: it calls itself. */
  summaryOf(fn: FunctionIr): Summary | null
  steps: number
  readonly maxSteps: number
  readonly limit: TimeLimit
  depth: number
  /** Nothing is reported while a function is read for its summary's sake a second time. */
  isQuiet: boolean
}

export class StepsSpent extends Error {}

export function step(run: Run, count = 1): void {
  run.steps += count
  if (run.steps > run.maxSteps) throw new StepsSpent()
  if ((run.steps & 255) === 0 && run.limit.isOver()) throw new StepsSpent()
}

/** What follows from the way to a place: of a way with words that nobody could read, nothing does. */
const ofWays: ReadonlySet<FactKind> = new Set<FactKind>([
  'use-after-free',
  'double-free',
  'leak',
  'file-leak',
  'null-dereference',
  'unchecked-null',
  'uninitialized',
  'lock-kept',
  'lock-twice',
  'unlock-twice',
])

/** What a lambda has taken or made may belong to the function around it, which holds the variable, the lock or the object. */
const notOfLambdas: ReadonlySet<FactKind> = new Set<FactKind>([
  'leak',
  'file-leak',
  'overwritten-owner',
  'lost-memory',
  'kept-local',
  'uninitialized',
  'lock-kept',
  'lock-twice',
  'unlock-twice',
])

/** `cause`: where it began, such as the place where memory was freed. */
export function report(run: Run, kind: FactKind, { start, end }: Place, cause?: number): void {
  const { fn } = run.frame
  if (run.isQuiet || (fn.hasErrors && ofWays.has(kind)) || (fn.name === '' && notOfLambdas.has(kind))) return
  const key = `${kind}:${start}`
  if (!run.facts.has(key)) run.facts.set(key, { kind, start, end, inside: fn.start, ...(cause !== undefined && { cause }) })
}

/** One way found NULL at a place: reported when no other way finds an address there. */
export function reportNull(run: Run, place: Place, isFound: boolean): void {
  if (run.isQuiet || run.frame.fn.hasErrors) return
  const key = `${place.start}:${place.end}`
  const known = run.nulls.get(key)
  const fact: Fact = { kind: 'null-dereference', start: place.start, end: place.end, inside: run.frame.fn.start }
  if (known === undefined) run.nulls.set(key, { fact, isAlways: isFound })
  else if (!isFound) known.isAlways = false
}

/** The result of a function of the file counts when most of its callers look at it first. */
export function reportUnchecked(run: Run, value: Value, place: Place): void {
  const object = value.to?.[0]?.object ?? ''
  const callee = run.callees.get(object)
  if (callee === undefined) return noteUnchecked(run, object, place)
  const belief = beliefOf(run, callee)
  if (!belief.trusted.has(object))
    belief.trusted.set(object, { kind: 'unchecked-null', start: place.start, end: place.end, inside: run.frame.fn.start })
}

/** One answer that nobody looked at is one mistake, wherever it is used: told where that happens first. */
function noteUnchecked(run: Run, object: string, place: Place): void {
  const made = /^\D*\d+/.exec(object)?.[0]
  if (made === undefined) return report(run, 'unchecked-null', place)
  if (run.isQuiet || run.frame.fn.hasErrors) return
  const key = `${run.frame.fn.start} ${made}`
  const known = run.unchecked.get(key)
  if (known === undefined || place.start < known.start)
    run.unchecked.set(key, { kind: 'unchecked-null', start: place.start, end: place.end, inside: run.frame.fn.start })
}

function beliefOf(run: Run, callee: string): { readonly compared: Set<string>; readonly trusted: Map<string, Fact> } {
  let belief = run.beliefs.get(callee)
  if (belief === undefined) run.beliefs.set(callee, (belief = { compared: new Set(), trusted: new Map() }))
  return belief
}

export function noteCompared(run: Run, value: Value): void {
  const [only] = value.to ?? []
  const object = only?.object ?? ''
  // `strchr(copy, ',') != NULL` asks about the comma, not about the copy.
  const isWhole = only?.at?.constant === 0 && only.at.terms.length === 0
  if (isWhole || !object.startsWith('heap ')) run.comparedAnswers.add(/^\D*\d+/.exec(object)?.[0] ?? object)
  const callee = run.callees.get(object)
  if (callee !== undefined) beliefOf(run, callee).compared.add(object)
}

const outside: Place = { start: 0, end: 0 }

export const newObject = (by: string, place: Place, more: Partial<Obj> = {}): Obj => ({
  life: 'live',
  by,
  isOwned: false,
  size: null,
  length: null,
  escaped: false,
  born: place,
  ended: null,
  isLent: false,
  isData: false,
  isLocked: false,
  ...more,
})

const foreign = newObject('outside', outside, { escaped: true })

export const objectOf = (state: State, id: string): Obj => state.object(id) ?? foreign

/** Of the object that this one is a part of. */
export function rootOf(run: Run, id: string): string {
  let at = id
  for (let hops = 0; hops < 20; hops++) {
    const parent = run.parents.get(at)
    if (parent === undefined) return at
    at = parent
  }
  return at
}

export function partOf(run: Run, parent: string, id: string): string {
  if (!run.parents.has(id) && parent !== id) run.parents.set(id, parent)
  return id
}

/** Whoever gets this may keep it. */
export function escape(run: Run, state: State, value: Value): void {
  for (const { object } of value.to ?? []) {
    const root = rootOf(run, object)
    const known = state.object(root)
    // What a parameter points to: the caller hears of it.
    if (/^\*&\w+ 0$/.test(root) && state.value(`kept ${root}`) === undefined) state.set(`kept ${root}`, unknownValue)
    if (known === undefined || known.escaped) continue
    state.setObject(root, { ...known, escaped: true })
    // What it holds goes with it.
    for (const [place, inner] of state.places()) if (isWithin(place, root) && inner.to !== null) escape(run, state, inner)
  }
}

/** A place in an object, or the object itself as the place of one value. */
const isWithin = (place: string, root: string): boolean =>
  place === root || place.startsWith(`${root}.`) || place.startsWith(`${root}[`)

/** Memory that others know may have changed: its places are new ones from here on. */
export function forgetInside(run: Run, state: State, object: string): void {
  const root = rootOf(run, object)
  state.epoch++
  const isInside = (place: string): boolean => isWithin(place, root) || place.startsWith(`*${root}`)
  // What it held is out of sight from here on.
  for (const [place, value] of state.places())
    if (value.to !== null && value.to.length > 0 && isInside(place)) escape(run, state, value)
  state.forget((place) => isInside(place) || place === `open ${root}` || place === `blank ${root}`)
  const known = state.object(root)
  if (known !== undefined && known.length !== null) state.setObject(root, { ...known, length: null })
  for (const [id, one] of state.allObjects())
    if (id !== root && run.parents.get(id) === root && one.length !== null) state.setObject(id, { ...one, length: null })
}

/** `spipe_t p`: what a header names so may be an address. */
const isHandle = ({ program }: Run, { kind, name }: Type): boolean =>
  kind === 'record' && program.isPlain && !program.classes.has(name)

/** Something of this type that nobody knows. Numbers are what their type holds, pointers point to somebody's memory. */
export function unknownOf(
  run: Run,
  state: State,
  name: string,
  type: Type | null,
  more: { isData?: boolean; mayFail?: boolean } = {},
): Value {
  const { low, high } = limitsOf(type)
  const isNumber = type === null || type.kind === 'integer' || type.kind === 'float' || type.kind === 'other'
  const number = isNumber ? freshSymbol(run.symbols, name, { low, high, ...more }) : null
  const isPointer = type === null || type.kind === 'pointer' || type.kind === 'other' || isHandle(run, type)
  // The same expression in another round of a loop means another object.
  const old = isPointer ? state.object(`*${name}`) : undefined
  if (old !== undefined && (old.life !== 'live' || old.isLent)) {
    state.setObject(`*${name}`, foreign)
    state.forget((place) => place.startsWith(`*${name}.`) || place.startsWith(`*${name}[`))
  }
  return {
    number,
    to: isPointer ? [{ object: `*${name}`, at: { constant: 0, terms: [] } }] : null,
    nil: isNull | isAddress,
    isUnset: false,
  }
}

/** The length of the text in an object: the known one, or a symbol for it. */
export function lengthOf(run: Run, state: State, object: string): Linear {
  const known = state.object(object)
  if (known?.length != null) return known.length
  const name = `length ${object} ${state.epoch}`
  if (!run.symbols.has(name)) freshSymbol(run.symbols, name, { low: 0 })
  const length = symbolic(name)
  state.setObject(object, { ...objectOf(state, object), length })
  return length
}

export const functionNamed = (run: Run, name: string): FunctionIr | undefined => run.functions.get(name)

export const modelOf = (run: Run, name: string): FunctionModel | null => run.models.find(name)

/** Whoever has the address of a variable may set it. */
export function settleAddressed(state: State, { to }: Value): void {
  for (const { object } of to ?? []) {
    const held = state.value(object)
    if (held?.isUnset === true) state.set(object, unknownValue)
  }
}

/** After a call that may have set it. */
export function settleArgument(state: State, argument: Expr, value: Value): void {
  if (value.isUnset && argument.op === 'variable') state.set(`&${argument.name}`, { ...unknownValue })
}
