/** Classes of the file: which method a call means, and what the fields of an object carry from one method to another. */
import type { Assign, Call, Ir, Lambda } from '../../syntax/ir.js'
import type { CallSite } from './call-site.js'
import { createEnvironment } from '../environment.js'
import { holdIn } from './held-fields.js'
import { answersConstants } from './results.js'
import { checkGiven } from '../named-sinks.js'
import type { ClassInfo, Flow, Frame } from '../state.js'
import { deepOrigins, joinOrigins, type Origin, unknown, type Value, withOrigins } from '../values/value.js'

/** `Box.new(x)` and `Foo()` name the class that they make. */
export const constructedClass = (flow: Flow, site: CallSite): string | undefined => {
  const { ir } = site
  if (ir.op !== 'call') return undefined
  if (ir.callee.op === 'name' && (ir.isNew || flow.classes.has(ir.callee.name))) return site.names[0]?.segment
  // Rust derives `Cart::default()`.
  const isMaker =
    ir.callee.op === 'member' &&
    (ir.callee.property === 'new' || (ir.callee.property === 'default' && flow.book.language === 'rust'))
  if (ir.callee.op === 'member' && isMaker) {
    const { object } = ir.callee
    if (object.op === 'name' && /^[A-Z]/.test(object.name)) return object.name
    // `Shop::Cart.new`
    if (object.op === 'member' && flow.classes.has(object.property)) return object.property
  }
  if (!ir.isNew) return undefined
  const [name] = site.names
  // Go: types keep their package.
  const isOfPackage = flow.table?.typeNames === 'package' && ir.callee.op === 'member' && name?.parent != null
  return isOfPackage ? `${name.parent?.segment ?? ''}.${name.segment}` : name?.segment
}

/** Languages in which a name alone calls a method without parameters. */
export const callsByName: ReadonlySet<string> = new Set(['ruby', 'scala'])

/**
 * What the file defines under a plain name is what is called, whatever a library has under it: `async function download(key)`.
 * In Ruby and Scala a name alone is a method of the class as well: `def load(address)`.
 */
export const isOwnFunction = (flow: Flow, { frame, method, receiver }: CallSite, callee: Value, call: Call): boolean =>
  receiver === null &&
  call.callee.op === 'name' &&
  (callee.func !== undefined ||
    (callsByName.has(flow.book.language) &&
      frame.className !== null &&
      flow.classes.get(frame.className)?.methods.has(method) === true))

/** The method that a call means: by the receiver's class, or by its name when only one class of the file has it. */
export function methodOf(flow: Flow, site: CallSite, name: string): Lambda | null {
  const receiver = site.receiver?.value
  const written = site.receiver?.ir?.op === 'name' ? site.receiver.ir.name : undefined
  const className = receiver?.type ?? (written !== undefined && flow.classes.has(written) ? written : undefined)
  const found = className === undefined ? null : methodOfClass(flow, className, name)
  if (found !== null) return found
  if (written === 'this' || written === 'super')
    return site.frame.className === null ? null : inherited(flow, site.frame.className, name)
  const candidates = flow.methodsByName.get(name) ?? []
  const [only] = candidates
  // What a program keeps under a name, `app["previews"]`, is no part of the library that keeps it.
  const isKept = site.receiver?.ir?.op === 'index' && site.receiver.ir.index.op === 'literal'
  const isUnknown =
    receiver === undefined || (receiver.type === undefined && (receiver.path === null || isKept) && receiver.fields === undefined)
  const isTelling = name.length > 4 && !flow.book.words.universal.has(name)
  if (candidates.length !== 1 || only === undefined || !isTelling) return null
  return isUnknown || (receiver.type === undefined && answersConstants(only.lambda)) ? only.lambda : null
}

/** What an interface only declares is looked for in the class that implements it. */
function methodOfClass(flow: Flow, className: string, name: string): Lambda | null {
  const own = inherited(flow, className, name)
  const isDeclared = own !== null && own.body.op === 'block' && own.body.body.length === 0
  return own !== null && !isDeclared ? own : (implemented(flow, className, name) ?? own)
}

const inherited = (flow: Flow, className: string, name: string): Lambda | null =>
  fromLine(flow, className, (info) => info.methods.get(name)) ?? null

const maxBases = 6

/** What a class of the file has, or the nearest of its bases in the file. */
export function fromLine<T>(flow: Flow, className: string, find: (info: ClassInfo) => T | undefined): T | undefined {
  let current: string | undefined = className
  for (let hops = 0; current !== undefined && hops < maxBases; hops++) {
    const info: ClassInfo | undefined = flow.classes.get(current)
    const found = info === undefined ? undefined : find(info)
    if (found !== undefined) return found
    current = baseOf(flow, current)
  }
  return undefined
}

const baseOf = (flow: Flow, className: string): string | undefined =>
  flow.classes.get(className)?.ir.bases.find((base) => base !== className && flow.classes.has(base))

/** `super(x)`, `super().__init__(x)`, `parent::f($x)`, `base.F(x)`: the function of the base that it means. */
export function baseMethod(flow: Flow, { frame }: CallSite, callee: Ir): Lambda | null {
  const base = frame.className === null ? undefined : baseOf(flow, frame.className)
  if (base === undefined) return null
  if (callee.op === 'name' && callee.name === 'super') {
    const { lambda } = frame
    return lambda === null || lambda.isConstructor ? constructorOf(flow, base) : inherited(flow, base, lambda.name)
  }
  if (callee.op !== 'member') return null
  const { object, property } = callee
  const owner = object.op === 'call' ? object.callee : object
  if (owner.op !== 'name' || !/^(?:super|parent|base)$/.test(owner.name)) return null
  const method = inherited(flow, base, property)
  return method ?? (frame.lambda?.isConstructor === true && frame.lambda.name === property ? constructorOf(flow, base) : null)
}

/** The method of the only class of the file that implements the declared type. */
function implemented(flow: Flow, type: string, name: string): Lambda | null {
  const found = (flow.implementers.get(type) ?? []).filter((info) => info.methods.has(name))
  return found.length === 1 ? (found[0]?.methods.get(name) ?? null) : null
}

/** `inject(Store)`, `container.resolve(Store)`, `moduleRef.get(Store)` give an object of the class. */
export function injectedClass(flow: Flow, site: CallSite): string | undefined {
  const ir = flow.book.words.injects.has(site.method) ? site.args[0]?.subject.ir : undefined
  return ir?.op === 'name' && flow.classes.has(ir.name) ? ir.name : undefined
}

export function constructorOf(flow: Flow, className: string): Lambda | null {
  const own = (info: ClassInfo): Lambda | undefined => [...info.methods.values()].find((method) => method.isConstructor)
  return fromLine(flow, className, (info) => own(info) ?? (classParameters(info).length > 0 ? null : undefined)) ?? null
}

/** Data given to a constructor or to a setter reaches the other methods through the fields. */
export function storeInClass(flow: Flow, lambda: Lambda, replaceAll: (origins: readonly Origin[]) => readonly Origin[]): void {
  const className = flow.scopes.get(lambda)?.className
  const info = className == null ? undefined : flow.classes.get(className)
  if (info === undefined) return
  for (const [key, value] of info.fields) {
    const own = value.origins.filter((origin) => origin.parameter?.of === lambda)
    if (own.length === 0) continue
    const origins = replaceAll(own.map((origin) => ({ ...origin, heldIn: undefined }))).filter(
      (origin) => origin.parameter === null,
    )
    if (origins.length > 0) holdIn(flow, info, key, withOrigins(value, joinOrigins(value.origins, origins)))
  }
}

/** What the fields of the receiver hold is known to the methods of its class. */
export function shareFields(flow: Flow, site: CallSite, method: Lambda): void {
  const className = flow.scopes.get(method)?.className
  const info = className == null ? undefined : flow.classes.get(className)
  if (info === undefined || site.receiver?.value.fields === info.fields) return
  for (const [key, field] of site.receiver?.value.fields ?? []) {
    const origins = deepOrigins(field).filter((origin) => origin.parameter === null)
    const old = info.fields.get(key) ?? unknown
    const joined = joinOrigins(old.origins, origins)
    if (joined.length > old.origins.length) holdIn(flow, info, key, { ...withOrigins(old, joined), constant: undefined })
  }
}

/** `class Box(val content: String)`: the parameters of the class stand as its first fields, and as long as itself. */
const classParameters = ({ ir }: ClassInfo): readonly Assign[] =>
  ir.members.filter((member): member is Assign => member.op === 'assign' && member.start === ir.start && member.end === ir.end)

/** The fields that an object is made of: the parameters of its class, or without any what the class declares, in that order. */
function parameterFields(info: ClassInfo): readonly Assign[] {
  const parameters = classParameters(info)
  if (parameters.length > 0) return parameters
  return info.ir.members.filter((member): member is Assign => member.op === 'assign' && member.value?.op !== 'block')
}

/** An object of a class that has no constructor with a body: what is given are its fields. */
export function constructFields(flow: Flow, site: CallSite, className: string): Value | null {
  if (site.isNew) noteConstants(flow, site, className)
  const info = flow.classes.get(className)
  const fields = info === undefined || site.args.length === 0 ? [] : parameterFields(info)
  if (info === undefined || fields.length === 0 || isMadeElsewhere(flow, site, info)) return null
  const positional = site.args.filter((argument) => argument.name === undefined)
  const [only] = positional
  const initializer = site.args.find(({ name }) => name === '{}') ?? (positional.length === 1 ? only : undefined)
  const literal = initializer?.subject.ir?.op === 'collection' ? initializer.subject.value.fields : undefined
  const known = new Map<string, Value>(info.defaults)
  for (const [index, field] of fields.entries()) {
    const name = field.target.op === 'name' ? field.target.name : ''
    const given = site.args.find((argument) => argument.name === name) ?? positional[index]
    const value = literal?.get(name) ?? given?.subject.value
    if (value === undefined || name === '') continue
    checkGiven(flow, site.frame, name, value, site)
    known.set(name, value)
  }
  initialize(flow, site, info, known)
  for (const [name, value] of known) {
    const old = info.fields.get(name) ?? unknown
    const origins = deepOrigins(value).filter((origin) => origin.parameter === null)
    if (origins.length > 0)
      holdIn(flow, info, name, { ...withOrigins(old, joinOrigins(old.origins, origins)), constant: undefined })
  }
  return { ...unknown, type: className, fields: known, isMade: true }
}

/** What every object of a struct gets by name when it is made: nonces, salts and keys that stand in the file hold in its methods. */
function noteConstants(flow: Flow, { frame, args }: CallSite, written: string): void {
  const className = written === 'Self' ? frame.className : written
  const info = className === null || !flow.shapes.has(className) ? undefined : flow.classes.get(className)
  if (info === undefined) return
  for (const { name = '', subject } of args) {
    const { constant } = subject.value
    if (!isSecretName.test(name) || (flow.assignments.get(name) ?? 0) > 0) continue
    const old = info.fields.get(name)
    if (old === undefined && typeof constant === 'string') info.fields.set(name, { ...unknown, constant })
    else if (old?.constant !== undefined && old.constant !== constant) info.fields.set(name, { ...old, constant: undefined })
  }
}

const isSecretName = /(?:nonce|iv|salt|seed|key|secret|password|token)$/i

/** `val (name, path) = job`: the name of the field at a place. */
export function fieldAt(flow: Flow, { type, fields }: Value, index: number): string | undefined {
  const info = fields === undefined ? undefined : flow.classes.get(type ?? '')
  const target = info === undefined ? undefined : parameterFields(info)[index]?.target
  return target?.op === 'name' ? target.name : undefined
}

/** A base that the file does not show has a constructor of its own; only what is named for a field is that field. */
function isMadeElsewhere(flow: Flow, { args }: CallSite, info: ClassInfo): boolean {
  const isForeign = info.ir.bases.some((base) => !flow.classes.has(base))
  return (
    isForeign && classParameters(info).length === 0 && !args.every(({ name }) => name !== undefined && info.fieldTypes.has(name))
  )
}

/** Fields whose declared values are made of the parameters of the class. */
function initialize(flow: Flow, site: CallSite, info: ClassInfo, known: Map<string, Value>): void {
  const carries = [...known.values()].some((value) => deepOrigins(value).length > 0)
  if (!carries || classParameters(info).length === 0 || flow.depth >= maxInitializers) return
  flow.depth++
  const env = createEnvironment(info.scope)
  for (const [name, value] of known) env.variables.set(name, value)
  const frame: Frame = { ...site.frame, className: null, env, result: null }
  for (const { target, value } of info.ir.members.filter((member) => member.op === 'assign')) {
    if (target.op !== 'name' || value === null || known.get(target.name)?.constant !== undefined) continue
    if (classParameters(info).some((parameter) => parameter.target === target)) continue
    const made = flow.evaluate(frame, value)
    env.variables.set(target.name, made)
    known.set(target.name, made)
  }
  flow.depth--
}

const maxInitializers = 6
