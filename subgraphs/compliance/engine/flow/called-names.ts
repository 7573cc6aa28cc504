/** The names that a file calls: its own functions among them are told what they hold by those calls. */
import { writtenName } from '../match/subject.js'
import type { Call, Ir, Lambda } from '../syntax/ir.js'
import type { Environment } from './environment.js'
import { selfNames } from './self-names.js'
import type { ClassInfo } from './state.js'

interface Named {
  readonly classes: ReadonlyMap<string, ClassInfo>
  readonly scopes: ReadonlyMap<Lambda, { scope: Environment; className: string | null }>
  readonly calledNames: Map<string, number>
  readonly calledOwn: Map<string, number>
}

/** A call in a function of its name, of something else. */
export interface HandedOn {
  readonly call: Call
  readonly name: string
  readonly lambda: Lambda
  readonly className: string | null
}

/** `query(text) { return this.db.query(text) }`: another object's, unless it is of the same kind, as a node below is, or a second function has the name. */
export function noteHandedOn(found: Named, calls: readonly HandedOn[]): void {
  if (calls.length === 0) return
  const names = new Map<string, number>()
  for (const { name } of found.scopes.keys()) names.set(name, (names.get(name) ?? 0) + 1)
  for (const { call, name, lambda, className } of calls)
    if ((names.get(name) ?? 0) > 1 || !isHeld(found, call, lambda, className)) noteCalled(found, name, call)
}

/** A node beside, above or below. */
const ofKin = /^_?(?:get_?)?(?:next|prev|parent|child|inner|left|right|root)/i

/** What it is called on is a field of the class, or a parameter of a type that the file does not declare. */
function isHeld(found: Named, { callee }: Call, lambda: Lambda, className: string | null): boolean {
  const object = callee.op === 'member' ? callee.object : callee
  if (object.op === 'call') return isAnswerOfOthers(found, object, lambda)
  const name = writtenName(object)?.segment ?? ''
  if (ofKin.test(name)) return false
  if (object.op === 'member') return object.object.op === 'name' && selfNames(lambda).includes(object.object.name)
  const type = lambda.parameters.find((one) => one.name === name)?.type
  if (type !== undefined) return !found.classes.has(type)
  return object.op === 'name' && className !== null && found.classes.get(className)?.fieldTypes.has(name) === true
}

/** `factory.newDocumentBuilder().parse(text)`: nothing that the file declares gives the object, and nothing in the chain is of its own kind. */
function isAnswerOfOthers({ classes, scopes }: Named, given: Call, lambda: Lambda): boolean {
  const names = new Set<string>()
  let ir: Ir = given
  for (; ir.op === 'call' || ir.op === 'member'; ir = ir.op === 'call' ? ir.callee : ir.object)
    if (ir.op === 'member') names.add(ir.property)
  if (ir.op !== 'name' || classes.has(ir.name) || ofKin.test(ir.name) || names.has(lambda.name)) return false
  if (!selfNames(lambda).includes(ir.name)) names.add(ir.name)
  for (const { name } of scopes.keys()) if (names.has(name)) return false
  return ![...names].some((name) => ofKin.test(name))
}

/** A call in a method, of a method of its own object or of a function of the file. */
export interface OwnCall {
  readonly call: Call
  readonly name: string
  readonly className: string
}

export const isOfSelf = (callee: Ir, functions: readonly Lambda[]): boolean =>
  callee.op === 'member' &&
  callee.object.op === 'name' &&
  selfNames(functions.findLast(({ declares }) => declares) ?? nobody).includes(callee.object.name)

const nobody: Pick<Lambda, 'receiver'> = {}

/** A method of the same name in another class is not called by that. */
export function noteOwnCalls(found: Named, calls: readonly OwnCall[]): void {
  if (calls.length === 0) return
  const free = new Set([...found.scopes].flatMap(([{ name }, { className }]) => (className === null ? [name] : [])))
  for (const { call, name, className } of calls) {
    const isOwn = found.classes.get(className)?.methods.has(name) === true && !(call.callee.op === 'name' && free.has(name))
    noteCalled(found, isOwn ? `${className}.${name}` : name, call, isOwn ? found.calledOwn : found.calledNames)
  }
}

export function noteCalled(found: Named, name: string, { args }: Call, noted = found.calledNames): void {
  const given = args.some(({ spread }) => spread === true) ? Infinity : args.length
  noted.set(name, Math.max(given, noted.get(name) ?? 0))
}
