/** Classes of the file: which method a call means, and what the fields of an object carry from one method to another. */
import type { Lambda } from '../../syntax/ir.js'
import type { CallSite } from './call-site.js'
import type { ClassInfo, Flow } from '../state.js'
import { deepOrigins, joinOrigins, type Origin, unknown, type Value, withOrigins } from '../values/value.js'

/** `Box.new(x)` and `Foo()` name the class that they make. */
export const constructedClass = (flow: Flow, site: CallSite): string | undefined => {
  const { ir } = site
  if (ir.op !== 'call') return undefined
  if (ir.callee.op === 'name' && (ir.isNew || flow.classes.has(ir.callee.name))) return site.names[0]?.segment
  if (ir.callee.op === 'member' && ir.callee.property === 'new') {
    const { object } = ir.callee
    if (object.op === 'name' && /^[A-Z]/.test(object.name)) return object.name
    // `Shop::Cart.new`
    if (object.op === 'member' && flow.classes.has(object.property)) return object.property
  }
  return ir.isNew ? site.names[0]?.segment : undefined
}

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
  const isUnknown =
    receiver === undefined || (receiver.type === undefined && receiver.path === null && receiver.fields === undefined)
  return candidates.length === 1 && only !== undefined && isUnknown && name.length > 4 ? only.lambda : null
}

/** What an interface only declares is looked for in the class that implements it. */
function methodOfClass(flow: Flow, className: string, name: string): Lambda | null {
  const own = inherited(flow, className, name)
  const isDeclared = own !== null && own.body.op === 'block' && own.body.body.length === 0
  return own !== null && !isDeclared ? own : (implemented(flow, className, name) ?? own)
}

function inherited(flow: Flow, className: string, name: string): Lambda | null {
  let current: string | undefined = className
  for (let hops = 0; current !== undefined && hops < 6; hops++) {
    const info: ClassInfo | undefined = flow.classes.get(current)
    const method = info?.methods.get(name)
    if (method !== undefined) return method
    current = info?.ir.bases.find((base) => flow.classes.has(base))
  }
  return null
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
  const info = flow.classes.get(className)
  if (info === undefined) return null
  return [...info.methods.values()].find((method) => method.isConstructor) ?? null
}

/** Data given to a constructor or to a setter reaches the other methods through the fields. */
export function storeInClass(flow: Flow, lambda: Lambda, replaceAll: (origins: readonly Origin[]) => readonly Origin[]): void {
  const className = flow.scopes.get(lambda)?.className
  const info = className == null ? undefined : flow.classes.get(className)
  if (info === undefined) return
  for (const [key, value] of info.fields) {
    const own = value.origins.filter((origin) => origin.parameter?.of === lambda)
    if (own.length === 0) continue
    const origins = replaceAll(own).filter((origin) => origin.parameter === null)
    if (origins.length > 0) info.fields.set(key, withOrigins(value, joinOrigins(value.origins, origins)))
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
    if (joined.length > old.origins.length) info.fields.set(key, { ...withOrigins(old, joined), constant: undefined })
  }
}

/** `class Box(val content: String)`: the parameters of the class are its fields. */
export function constructFields(flow: Flow, site: CallSite, className: string): Value | null {
  const info = flow.classes.get(className)
  const fields = info?.ir.members.filter(
    (member) => member.op === 'assign' && member.start === info.ir.start && member.end === info.ir.end,
  )
  if (info === undefined || fields === undefined || fields.length === 0) return null
  const positional = site.args.filter((argument) => argument.name === undefined)
  const known = new Map<string, Value>()
  for (const [index, field] of fields.entries()) {
    const name = field.op === 'assign' && field.target.op === 'name' ? field.target.name : ''
    const value = (site.args.find((argument) => argument.name === name) ?? positional[index])?.subject.value
    if (value === undefined || name === '') continue
    known.set(name, value)
    const old = info.fields.get(name) ?? unknown
    const origins = deepOrigins(value).filter((origin) => origin.parameter === null)
    info.fields.set(name, { ...withOrigins(old, joinOrigins(old.origins, origins)), constant: undefined })
  }
  return { ...unknown, type: className, fields: known }
}
