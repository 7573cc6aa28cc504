/** One walk over the representation before evaluation: functions, classes, names of calls, counts of assignments. */
import { writtenName } from '../match/subject.js'
import type { Call, ClassIr, Import, Ir, Lambda, ShapeIr } from '../syntax/ir.js'
import type { Environment } from './environment.js'
import { createEnvironment } from './environment.js'
import type { ClassInfo } from './state.js'
import type { LanguageTable } from '../syntax/lowering/shapes.js'
import { type HandedOn, isOfSelf, noteCalled, noteHandedOn, noteOwnCalls, type OwnCall } from './called-names.js'
import { selfNames } from './self-names.js'
import { unknown } from './values/value.js'

/** So many functions around a call count as around it: enough for code of people, and a bound for what is nested without end. */
const NEAR = 8

export interface Prepared {
  readonly classes: Map<string, ClassInfo>
  readonly shapes: Map<string, ShapeIr>
  readonly unusedCalls: Set<Ir>
  /** Calls in a branch that does not leave, where other work follows behind it. */
  readonly goingOn: Set<Ir>
  /** The classes that name a type among their bases, by that type. */
  readonly implementers: Map<string, ClassInfo[]>
  readonly methodsByName: Map<string, { className: string; lambda: Lambda }[]>
  readonly scopes: Map<Lambda, { scope: Environment; className: string | null }>
  readonly calledNames: Map<string, number>
  /** `run(x)` in a class with a method of that name: `Worker.run`, with the most arguments. */
  readonly calledOwn: Map<string, number>
  readonly assignments: Map<string, number>
  readonly callsInside: Map<Lambda, Ir[]>
  readonly globals: Environment
  readonly catches: number
  /** In source order. */
  readonly declarations: Declaration[]
  /** What the functions among the arguments of calls are given to, by its last name. */
  readonly givenTo: Map<Ir, string>
  /** The variable and the keys of the maps that functions stand in: `resolvers.Query.search`. */
  readonly keyPaths: Map<Ir, string>
}

function some(...parts: (Ir | null | undefined)[]): Ir[] {
  const found: Ir[] = []
  for (const part of parts) if (part != null) found.push(part)
  return found
}

const noParts: readonly Ir[] = []

/** Direct parts of a node, in source order. Every walk asks this of every node: what is a list already is not copied. */
export function partsOf(ir: Ir): readonly Ir[] {
  switch (ir.op) {
    case 'name':
    case 'literal':
      return noParts
    case 'member':
      return [ir.object]
    case 'index':
      return [ir.object, ir.index]
    case 'call':
      return calleeAndArguments(ir)
    case 'concat':
    case 'opaque':
      return ir.parts
    case 'binary':
      return [ir.left, ir.right]
    case 'unary':
      return [ir.operand]
    case 'assign':
      return some(ir.target, ir.value, ir.size)
    case 'if':
      return some(ir.test, ir.then, ir.otherwise)
    case 'switch':
      return [...some(ir.subject), ...ir.cases.flatMap((one) => [...one.tests, ...some(one.guard), one.body])]
    case 'loop':
      return some(ir.init, ir.test, ir.update, ir.target, ir.iterable, ir.body)
    case 'try':
      return [...ir.resources, ir.body, ...ir.catches.map((one) => one.body), ...some(ir.finalizer)]
    case 'jump':
      return ir.value === null ? noParts : [ir.value]
    case 'function':
      return [
        ...ir.decorators,
        ...ir.parameters.flatMap((parameter) => [...parameter.decorators, ...some(parameter.fallback)]),
        ir.body,
      ]
    case 'class':
      return [...ir.decorators, ...ir.members]
    case 'collection':
      return ir.entries.flatMap((entry) => some(entry.key, entry.value))
    case 'cast':
      return [ir.value]
    case 'block':
      return ir.body
    default:
      return noParts
  }
}

function calleeAndArguments({ callee, args }: Call): Ir[] {
  const parts = [callee]
  for (const { value } of args) parts.push(value)
  return parts
}

/** A function, class or import, and what it stands in. */
export interface Declaration {
  readonly ir: Lambda | ClassIr | Import
  readonly around: Home
}

/** The function that code stands in, and the class: code of a class itself is in no function. */
interface Home {
  readonly lambda: Lambda | null
  readonly className: string | null
}

interface Place {
  readonly ir: Ir
  readonly functions: readonly Lambda[]
  readonly className: string | null
  readonly home: Home
}

/** Iterative; the size of the representation is bounded by the size of the file. `givesAddresses`: calls assign what they get as `&x`. */
export function prepare(root: Ir, table: LanguageTable | null, givesAddresses: boolean): Prepared {
  const lastIsResult = table?.lastIsResult === true
  const globals = createEnvironment(null)
  const found: Prepared = {
    classes: new Map(),
    shapes: new Map(),
    unusedCalls: new Set(),
    goingOn: new Set(),
    implementers: new Map(),
    methodsByName: new Map(),
    scopes: new Map(),
    calledNames: new Map(),
    calledOwn: new Map(),
    assignments: new Map(),
    callsInside: new Map(),
    globals,
    catches: 0,
    declarations: [],
    givenTo: new Map(),
    keyPaths: new Map(),
  }
  const assigned = new Map<Ir, string>()
  const handedOn: HandedOn[] = []
  const own: OwnCall[] = []
  const answers = new Set<Ir>()
  const stack: Place[] = [{ ir: root, functions: [], className: null, home: { lambda: null, className: null } }]
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    const { ir } = place
    let { functions, className, home } = place
    if (ir.op === 'function' || ir.op === 'class' || ir.op === 'import') {
      found.declarations.push({ ir, around: home })
      home = homeIn(ir, home)
    }
    if (ir.op === 'call') noteCall(found, ir, functions, className, assigned, handedOn, own, home.className)
    if (ir.op === 'assign') {
      noteAssignment(found, ir)
      if (ir.value?.op === 'function') assigned.set(ir.value, writtenName(ir.target)?.segment ?? '')
    }
    noteKeys(found, ir)
    if (ir.op === 'call' && givesAddresses) noteGiven(found, ir)
    if (ir.op === 'block') {
      const isBody = functions.at(-1)?.isExpressionBody === true && functions.at(-1)?.body === ir
      noteStatements(found, ir.body, lastIsResult || isBody || answers.has(ir))
      const answer = answerOfScope(ir.body)
      if (answer !== undefined) answers.add(answer)
    }
    if (ir.op === 'assign' && ir.value?.op === 'call' && ir.target.op === 'name' && ir.target.name === '_')
      found.unusedCalls.add(ir.value)
    if (ir.op === 'shape') found.shapes.set(ir.name, ir)
    if (ir.op === 'class') {
      noteClass(found, ir)
      className = ir.name
    }
    if (ir.op === 'function') {
      if (ir.owner !== undefined) noteMethod(found, ir, ir.owner)
      if (ir.declares) declare(found, ir, ownersOf(ir, functions, table), ir.owner ?? className)
      functions = [...functions, ir]
      found.callsInside.set(ir, [])
    }
    const parts = partsOf(ir)
    for (let at = parts.length - 1; at >= 0; at--) stack.push({ ir: parts[at]!, functions, className, home })
  }
  for (const info of found.classes.values()) noteBases(found, info)
  noteHandedOn(found, handedOn)
  noteOwnCalls(found, own)
  return found
}

/** So long a path says what it can. */
const maxPath = 200

function noteKeys(found: Prepared, ir: Ir): void {
  const around = found.keyPaths.get(ir)
  if (ir.op === 'assign' && ir.value !== null) noteKey(found, ir.value, '', writtenName(ir.target)?.segment)
  if (ir.op === 'collection') for (const { key, value } of ir.entries) noteKey(found, value, around ?? '', keyText(key))
  if (ir.op === 'call' && around !== undefined) for (const { value } of ir.args) noteKey(found, value, around, undefined)
}

/** Functions, the maps around them, and what wraps them: `search: signedIn((_, args) => ...)`. */
function noteKey({ keyPaths }: Prepared, value: Ir, around: string, key: string | undefined): void {
  if ((value.op !== 'function' && value.op !== 'collection' && value.op !== 'call') || around.length > maxPath) return
  const path = key === undefined || around === '' ? `${around}${key ?? ''}` : `${around}.${key}`
  if (path !== '') keyPaths.set(value, path)
}

const keyText = (key: Ir | null): string | undefined =>
  key?.op === 'literal' && typeof key.value === 'string' ? key.value : key?.op === 'name' ? key.name : undefined

function homeIn(ir: Declaration['ir'], around: Home): Home {
  if (ir.op === 'function') return { lambda: ir, className: ir.owner ?? around.className }
  return ir.op === 'class' ? { lambda: null, className: ir.name } : around
}

/** Kotlin: `signer.run { update(x); verify(y) }` is what its last call answers; `apply` has the receiver behind it. */
function answerOfScope([first, body, ...others]: readonly Ir[]): Ir | undefined {
  const isScope = first?.op === 'assign' && first.target.op === 'name' && first.target.name.startsWith('%with')
  return isScope && body?.op === 'block' && others.length === 0 ? body : undefined
}

/** Calls among statements; where the last one is the result of its function, that one is used. */
function noteStatements(found: Prepared, body: readonly Ir[], isResult: boolean): void {
  const used = isResult ? body.at(-1) : undefined
  for (const ir of body) if (ir.op === 'call' && ir !== used) found.unusedCalls.add(ir)
  // The last work of the list: branches in front of it may go on to it.
  const steps = withoutScopes(body)
  const last = steps.findLastIndex(({ op }) => op !== 'jump' && op !== 'function' && op !== 'class' && op !== 'literal')
  for (const [at, ir] of steps.entries())
    if (at < last && ir.op === 'if' && ir.otherwise === null && ir.then.op === 'block' && !ir.then.body.some(leaves))
      for (const call of withoutScopes(ir.then.body)) if (call.op === 'call') found.goingOn.add(call)
}

/** In some languages every branch, and what is declared in its head, stands in a scope of its own: up to two around each other. */
const withoutScopes = (body: readonly Ir[]): readonly Ir[] =>
  body.some(({ op }) => op === 'block')
    ? body.flatMap((ir) => (ir.op === 'block' ? ir.body.flatMap((one) => (one.op === 'block' ? one.body : [one])) : [ir]))
    : body

/** `exit` of PHP is a block with its jump. */
const leaves = (ir: Ir): boolean => ir.op === 'jump' || (ir.op === 'block' && ir.body.some(leaves))

function noteCall(
  found: Prepared,
  call: Extract<Ir, { op: 'call' }>,
  functions: readonly Lambda[],
  className: string | null,
  assigned: ReadonlyMap<Ir, string>,
  handedOn: HandedOn[],
  own: OwnCall[],
  owner: string | null,
): void {
  const last = writtenName(call.callee)?.segment
  for (let at = Math.max(0, functions.length - NEAR); at < functions.length; at++)
    found.callsInside.get(functions[at]!)?.push(call)
  for (const { value } of call.args) if (value.op === 'function') found.givenTo.set(value, last ?? '')
  // A function that only calls itself is called by nobody here.
  const isAgain = functions
    .slice(-NEAR)
    .some((lambda) => (lambda.name || assigned.get(lambda)) === last && isItself(call, lambda, className === null))
  if (last === undefined || isAgain) return
  const around = functions.slice(-NEAR).find((lambda) => lambda.declares && lambda.name === last)
  if (around !== undefined && call.callee.op === 'member') handedOn.push({ call, name: last, lambda: around, className })
  else if (owner !== null && last !== owner && (call.callee.op === 'name' || isOfSelf(call.callee, functions)))
    own.push({ call, name: last, className: owner })
  else noteCalled(found, last, call)
}

/**
 * `walk(...)` in a function, `this.walk(...)` in a method: not the method of that name of another object, the function of that
 * name that a method is about, or what has the same name and takes other arguments.
 */
function isItself({ callee, args }: Call, lambda: Lambda, isFree: boolean): boolean {
  const { parameters } = lambda
  const needed = parameters.filter(({ fallback, rest }) => fallback === undefined && !rest).length
  if (args.length < needed || (args.length > parameters.length && !parameters.some(({ rest }) => rest))) return false
  if (callee.op === 'name') return isFree
  return callee.op === 'member' && callee.object.op === 'name' && selfNames(lambda).includes(callee.object.name)
}

function noteAssignment(found: Prepared, ir: Extract<Ir, { op: 'assign' }>): void {
  const name = writtenName(ir.target)?.segment
  if (name !== undefined && ir.value !== null) found.assignments.set(name, (found.assignments.get(name) ?? 0) + 1)
}

/** `read_total(&total)` and `total++` in C. */
function noteGiven(found: Prepared, { callee, args }: Extract<Ir, { op: 'call' }>): void {
  const isStep = callee.op === 'name' && /^#(?:in|de)cremented$/.test(callee.name)
  for (const { value } of args) {
    const target = isStep ? value : value.op === 'unary' && value.operator === '&' ? value.operand : null
    const name = target === null ? undefined : writtenName(target)?.segment
    if (name !== undefined) found.assignments.set(name, (found.assignments.get(name) ?? 0) + 1)
  }
}

function classInfo(found: Prepared, name: string, ir: ClassIr | null): ClassInfo {
  const known = found.classes.get(name)
  const empty: ClassIr = { op: 'class', name, bases: [], decorators: [], members: [], start: 0, end: 0 }
  if (known !== undefined) {
    if (ir === null || known.ir.members.length > 0) return known
    const replaced: ClassInfo = { ...known, ir }
    found.classes.set(name, replaced)
    return replaced
  }
  const created: ClassInfo = {
    ir: ir ?? empty,
    methods: new Map(),
    fieldTypes: new Map(),
    fields: new Map(),
    defaults: new Map(),
    scope: found.globals,
  }
  found.classes.set(name, created)
  return created
}

function noteBases({ implementers }: Prepared, info: ClassInfo): void {
  for (const base of new Set(info.ir.bases)) {
    const known = implementers.get(base)
    if (known) known.push(info)
    else implementers.set(base, [info])
  }
}

function noteClass(found: Prepared, ir: ClassIr): void {
  const info = classInfo(found, ir.name, ir)
  const flat = ir.members.flatMap((member) => (member.op === 'block' ? [...member.body] : [member]))
  for (const member of flat) {
    if (member.op === 'function') addMethod(found, info, ir.name, member)
    if (member.op === 'assign' && member.target.op === 'name') info.fieldTypes.set(member.target.name, member.type ?? '')
  }
}

const noteMethod = (found: Prepared, lambda: Lambda, owner: string): void =>
  addMethod(found, classInfo(found, owner, null), owner, lambda)

function addMethod(found: Prepared, info: ClassInfo, className: string, lambda: Lambda): void {
  if (!info.methods.has(lambda.name)) info.methods.set(lambda.name, lambda)
  const others = found.methodsByName.get(lambda.name) ?? []
  if (!others.some((one) => one.lambda === lambda)) others.push({ className, lambda })
  found.methodsByName.set(lambda.name, others)
  if (!found.scopes.has(lambda)) found.scopes.set(lambda, { scope: found.globals, className })
}

/** The functions that a definition is local to: a block of Ruby is none, but the handler that is a block is local to what is around it. */
const ownersOf = (lambda: Lambda, functions: readonly Lambda[], table: LanguageTable | null): readonly Lambda[] =>
  table?.definesInBlocks === true && lambda.decorators.length === 0 ? functions.filter(({ declares }) => declares) : functions

/** Named functions are known before the code that calls them runs. */
function declare(found: Prepared, lambda: Lambda, functions: readonly Lambda[], className: string | null): void {
  if (found.scopes.has(lambda) || functions.length > 0) return
  const info = className === null ? undefined : found.classes.get(className)
  if (className !== null && info !== undefined) return addMethod(found, info, className, lambda)
  found.scopes.set(lambda, { scope: found.globals, className })
  if (className !== null) return
  if (!found.globals.variables.has(lambda.name)) {
    found.globals.variables.set(lambda.name, { ...unknown, func: { lambda, scope: found.globals, className: null } })
  }
}
