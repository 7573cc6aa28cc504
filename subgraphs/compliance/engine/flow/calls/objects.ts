/**
 * Objects of the file's classes: what a method or a constructor puts into the fields of its object.
 *
 * It is known per object where the object is a variable or the result before in a chain; `fields` of the class hold in addition
 * what any object may carry, for methods whose object nobody sees.
 */
import type { Ir, Lambda } from '../../syntax/ir.js'
import { elementOf, partOf, updatePlace } from '../assign.js'
import { asDeclared } from '../declared-fields.js'
import { lookup } from '../environment.js'
import type { ClassInfo, Flow, Frame, Summary } from '../state.js'
import { withField } from '../values/parts.js'
import {
  anyElement,
  deepOrigins,
  joinOrigins,
  joinValues,
  type Origin,
  unknown,
  type Value,
  withOrigins,
} from '../values/value.js'
import { selfNames } from '../self-names.js'
import type { CallSite } from './call-site.js'
import { resultsOf } from './results.js'

const maxFields = 60

/** The fields that a function has left changed in its object. */
export function changedFields(frame: Frame, lambda: Lambda, before: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> {
  const changed = new Map<string, Value>()
  for (const name of selfNames(lambda)) {
    for (const [key, value] of frame.env.variables.get(name)?.fields ?? [])
      if (before.get(key) !== value && changed.size < maxFields) changed.set(key, value)
  }
  return changed
}

/** `return this`: the result is the object that the method was called on. */
export function returnsSelf(lambda: Lambda): boolean {
  const names = selfNames(lambda)
  const { values } = resultsOf(lambda)
  return values.length > 0 && values.every((ir) => isSelf(ir, names))
}

const isSelf = (ir: Ir, names: readonly string[]): boolean =>
  ir.op === 'unary' ? isSelf(ir.operand, names) : ir.op === 'name' && names.includes(ir.name)

/** An object with what a function has put into its fields; what was there before stays possible. */
function withChanges(object: Value, changes: ReadonlyMap<string, Value>): Value {
  let after = object
  for (const [key, value] of changes) {
    const old = after.fields?.get(key)
    after = withField(after, key, old === undefined || deepOrigins(old).length === 0 ? value : joinValues(old, value))
  }
  return after
}

/** A new object: the values that its class declares, then what the constructor has put in. */
export function constructed(info: ClassInfo | undefined, result: Value, changes: ReadonlyMap<string, Value>): Value {
  if (info === undefined || (changes.size === 0 && info.defaults.size === 0)) return result
  return { ...result, type: info.ir.name, fields: new Map([...info.defaults, ...changes]) }
}

/** The object of a method call, changed as the method changes it; what the call returns when that is the object itself. */
export function applyToReceiver(
  flow: Flow,
  site: CallSite,
  lambda: Lambda,
  summary: Summary,
  changes: ReadonlyMap<string, Value>,
): Value | null {
  const ir = site.receiver === null ? null : site.receiver.ir
  const isClass = ir?.op === 'name' && flow.classes.has(ir.name)
  if (changes.size > 0 && !isClass) updatePlace(flow, site.frame, ir, (old) => withChanges(old, changes))
  if (!summary.returnsSelf || site.receiver === null) return null
  const after = withChanges(site.receiver.value, changes)
  return { ...after, type: after.type ?? flow.scopes.get(lambda)?.className ?? undefined }
}

/** What a function has put into an object that it was given. */
export function withEffect(old: Value, effect: Value): Value {
  const own = effect.fields === undefined ? old : withChanges(old, effect.fields)
  const after = { ...withOrigins(own, joinOrigins(own.origins, effect.origins)), constant: undefined }
  return effect.isConcat === true ? { ...after, isConcat: true } : after
}

/** A bare call of an own method is a call on `this`. */
export function onThis(site: CallSite): CallSite {
  const { start, end } = site.ir
  const value = lookup(site.frame.env, 'this') ?? unknown
  return { ...site, receiver: { value, ir: { op: 'name', name: 'this', start, end } } }
}

/** What was put into a parameter: part by part where its parts are known. */
export function effectOf(after: Value, before: Value, index: number): Value {
  const ofOthers = (origins: readonly Origin[]): readonly Origin[] => origins.filter((one) => one.parameter?.index !== index)
  const fields = [...(after.fields ?? [])].filter(
    ([key, value]) => before.fields?.get(key) !== value && deepOrigins(value).length > 0,
  )
  const isBuilt = after.isConcat === true || after.origins.some((origin) => origin.built)
  return {
    ...unknown,
    origins: ofOthers(after.origins),
    fields: fields.length === 0 ? undefined : new Map(fields),
    isConcat: isBuilt ? true : undefined,
  }
}

/** The part of an argument that a function reads; where one is not known the whole around it, as a getter makes it of all of it, with `rest`. */
export function partGiven(flow: Flow, argument: Value, keys: readonly string[]): { part: Value; rest: readonly string[] } {
  let part = argument
  for (const [at, key] of keys.entries()) {
    if (key !== anyElement && part.fields?.has(key) === false && mayBeMade(flow, part, key)) return { part, rest: keys.slice(at) }
    part = key === anyElement ? elementOf(part) : partOf(part, key)
  }
  return { part, rest: [] }
}

/** A getter may make it of other fields, and what was filled by values in order knows no names. */
const mayBeMade = (flow: Flow, whole: Value, key: string): boolean =>
  (flow.table?.hasMethods !== false || whole.fields?.has('0') === true) &&
  flow.classes.get(whole.type ?? '')?.fieldTypes.has(key) !== true

/** `job.name()` of a record, and `job.copy(name = x)`: the fields of an object whose class does not write these methods down. */
export function implied(flow: Flow, site: CallSite, property: string): Value | null {
  const object = site.receiver?.value
  const info = flow.classes.get(object?.type ?? '')
  if (object === undefined || info === undefined) return null
  if (site.args.length === 0)
    return info.fieldTypes.has(property) ? asDeclared(flow, object, property, partOf(object, property)) : null
  if (object.fields === undefined) return null
  if (!site.args.every(({ name }) => name !== undefined && info.fieldTypes.has(name))) return null
  return site.args.reduce((copy, { name = '', subject }) => withField(copy, name, subject.value), object)
}
