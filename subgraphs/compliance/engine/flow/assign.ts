/** Assignments to names, members, elements and patterns. */
import { writtenName } from '../match/subject.js'
import { type Assign, type Ir, isReference } from '../syntax/ir.js'
import { fieldAt, fromLine } from './calls/classes.js'
import { asDeclared } from './declared-fields.js'
import { type Environment, lookup, valueOf } from './environment.js'
import { checkGiven, checkKeyOf, checkTarget } from './named-sinks.js'
import { ask } from './questions.js'
import type { Flow, Frame } from './state.js'
import { elementsOf, withField, withoutPart } from './values/parts.js'
import {
  anyElement,
  deepOrigins,
  joinOrigins,
  joinValues,
  type Origin,
  originsOfPart,
  unknown,
  type Value,
  withOrigins,
} from './values/value.js'

/** Binds `value` to `target`; unknown forms of targets are evaluated for the calls inside them. */
export function assignTo(flow: Flow, frame: Frame, target: Ir, value: Value): void {
  if (isPlace(target)) checkTarget(flow, frame, target, value, target)
  switch (target.op) {
    case 'name':
      return assignName(flow, frame, target.name, value)
    case 'member':
      return assignPart(flow, frame, target.object, target.property, value)
    case 'index': {
      const index = isMissing(target) ? null : flow.evaluate(frame, target.index)
      if (index !== null) checkKeyOf(flow, frame, target.object, index, target)
      const key = index === null ? nextIndex(flow.evaluate(frame, target.object)) : index.constant
      return assignPart(flow, frame, target.object, key === undefined || key === null ? null : String(key), value)
    }
    case 'call':
      if (target.callee.op === 'member') checkGiven(flow, frame, target.callee.property, value, target)
      if (target.callee.op === 'member') assignPart(flow, frame, target.callee.object, target.callee.property, value)
      return
    case 'collection':
      return assignPattern(flow, frame, target, value)
    case 'assign':
      return assignTo(flow, frame, target.target, value)
    case 'unary':
      return assignPointer(flow, frame, target.operand, value)
    case 'cast':
      return assignTo(flow, frame, target.value, value)
    case 'opaque':
      for (const part of target.parts) assignTo(flow, frame, part, value)
      return
    default:
      flow.evaluate(frame, target)
  }
}

/** `$list[] = x` has no index. */
const isMissing = ({ index, start, end }: Extract<Ir, { op: 'index' }>): boolean =>
  index.op === 'opaque' && index.parts.length === 0 && index.start === start && index.end === end

const nextIndex = (list: Value): number | undefined => elementsOf(list)?.length

function assignName(flow: Flow, frame: Frame, name: string, value: Value): void {
  const isLocal = frame.env.variables.has(name) && !frame.globals.has(name)
  if (!isLocal && flow.table?.implicitThis === true && isField(flow, frame, name) && isGlobal(flow, frame, name)) {
    const self = valueOf(frame.env, 'this')
    frame.env.variables.set('this', withField(self, name, value))
    return
  }
  if (!isLocal && frame.lambda !== null && hasSharedGlobals(flow) && isSharedName(flow, name)) {
    shareGlobal(flow, frame, name, value)
    frame.globals.add(name)
  }
  const outer = isLocal || frame.closure !== null || !hasSharedGlobals(flow) ? null : capturedIn(flow, frame, name)
  if (outer !== null) share(flow, frame, outer, name, value)
  if (frame.lambda === null) flow.sharedGlobals.delete(name)
  if (!isLocal && value.fields !== undefined) shareStatics(flow, name, value.fields)
  frame.env.variables.set(name, value)
}

/** Not a variable of the function: a field of the class hides a global of the same name. */
export function isGlobal(flow: Flow, frame: Frame, name: string): boolean {
  const known = lookup(frame.env, name)
  return known === undefined || known === flow.globals.variables.get(name)
}

/** In these languages a function assigns a global by its bare name. */
const hasSharedGlobals = (flow: Flow): boolean => !['python', 'php', 'ruby'].includes(flow.book.language)

/** Where nothing declares globals, every variable is one that its function does not declare. */
const isSharedName = (flow: Flow, name: string): boolean =>
  flow.globals.variables.has(name) || (flow.table?.assignsGlobals === true && !name.startsWith('%'))

/** The function around this one whose variable it is. What that was given, others have as well. */
function capturedIn(flow: Flow, { env }: Frame, name: string): Environment | null {
  for (let at = env.parent; at !== null && at !== flow.globals; at = at.parent) {
    const known = at.variables.get(name)
    if (known !== undefined) return known.origins.some(({ parameter }) => parameter !== null) ? null : at
  }
  return null
}

function shareGlobal(flow: Flow, frame: Frame, name: string, value: Value): void {
  const origins = share(flow, frame, flow.globals, name, value)
  if (origins.length > 0) flow.sharedGlobals.set(name, origins)
}

/** What functions store in variables around them is known to the other functions there, whatever the order of their calls. */
function share(flow: Flow, frame: Frame, around: Environment, name: string, value: Value): readonly Origin[] {
  ask(frame, 'data', value)
  const old = valueOf(around, name)
  let after: Value = { ...old, constant: undefined }
  let isTainted = false
  const isKnown = value.fields !== undefined && (old.fields !== undefined || old.origins.length === 0)
  for (const [key, field] of isKnown ? (value.fields ?? []) : []) {
    const before = old.fields?.get(key) ?? unknown
    const origins = joinOrigins(before.origins, shared(field))
    if (origins.length === before.origins.length) continue
    isTainted = true
    after = withField(after, key, { ...withOrigins(before, origins), constant: undefined })
  }
  const origins = joinOrigins(old.origins, isKnown ? shared({ ...value, fields: undefined }) : shared(value))
  if (isTainted || origins.length > old.origins.length) flow.hasTaintedGlobals = true
  around.variables.set(name, { ...after, origins })
  return origins
}

/** `Config.dir = x`: a field of the class itself, which any function of the file may read. */
function shareStatics(flow: Flow, className: string, fields: ReadonlyMap<string, Value>): void {
  const info = flow.classes.get(className)
  if (info === undefined) return
  for (const [key, value] of fields) {
    const old = info.fields.get(key) ?? unknown
    const origins = joinOrigins(old.origins, shared(value))
    if (origins.length === old.origins.length) continue
    flow.hasTaintedGlobals = true
    info.fields.set(key, { ...withOrigins(old, origins), constant: undefined })
  }
}

/** What other functions may meet: no parameter of this one. */
const shared = (value: Value): readonly Origin[] => deepOrigins(value).filter((origin) => origin.parameter === null)

export const isField = (flow: Flow, frame: Frame, name: string): boolean =>
  frame.className !== null && fromLine(flow, frame.className, ({ fieldTypes }) => fieldTypes.has(name) || undefined) === true

/** `*p = x` changes what `p` points to. */
function assignPointer(flow: Flow, frame: Frame, operand: Ir, value: Value): void {
  if (operand.op === 'name') {
    const old = valueOf(frame.env, operand.name)
    frame.env.variables.set(operand.name, { ...old, origins: joinOrigins(old.origins, value.origins), constant: value.constant })
  } else if (operand.op === 'binary') {
    // `*(p + i) = x` changes one of the elements.
    const origins = deepOrigins(value)
    updatePlace(flow, frame, operand, (old) => ({ ...old, constant: undefined, origins: joinOrigins(old.origins, origins) }))
  } else assignTo(flow, frame, operand, value)
}

function assignPart(flow: Flow, frame: Frame, object: Ir, key: string | null, value: Value): void {
  const old = withoutNamed(flow.evaluate(frame, object), object)
  const origins = deepOrigins(value)
  const changed =
    key === null ? withOrigins({ ...old, constant: undefined }, joinOrigins(old.origins, origins)) : withField(old, key, value)
  // What a function puts into a global object needs no declaration in any language.
  if (object.op === 'name' && frame.lambda !== null && !hasSharedGlobals(flow) && isSharedObject(flow, frame, object.name))
    shareGlobal(flow, frame, object.name, changed)
  if (isPlace(object)) assignTo(flow, frame, object, changed)
}

/** What the name or type of the object says of it belongs to whoever reads it, and not to what a part is put into. */
function withoutNamed(value: Value, { start, end }: Ir): Value {
  const own = value.origins.filter(({ isWhole, at }) => isWhole !== true || at < start || at >= end)
  return own.length === value.origins.length ? value : withOrigins(value, own)
}

const isSharedObject = (flow: Flow, frame: Frame, name: string): boolean =>
  !frame.env.variables.has(name) && flow.globals.variables.get(name)?.fields !== undefined && isGlobal(flow, frame, name)

/** Whether an expression is a variable or a part of one. */
export const isPlace = (ir: Ir): boolean =>
  ir.op === 'name' ||
  ((ir.op === 'member' || ir.op === 'index') && isPlace(ir.object)) ||
  (ir.op === 'unary' && isPlace(ir.operand))

function assignPattern(flow: Flow, frame: Frame, target: Extract<Ir, { op: 'collection' }>, value: Value): void {
  const [state, setter] = target.entries.map((entry) => entry.value)
  if (flow.book.words.state_hooks.has(value.path?.segment ?? '') && state?.op === 'name' && setter?.op === 'name') {
    frame.env.variables.set(state.name, { ...unknown, origins: deepOrigins(value) })
    frame.env.variables.set(setter.name, { ...unknown, setter: state.name })
    return
  }
  for (const [at, entry] of target.entries.entries()) {
    const key = entry.key?.op === 'literal' && entry.key.value !== null ? String(entry.key.value) : String(at)
    const name = target.kind === 'map' && entry.key === null && entry.value.op === 'name' ? entry.value.name : key
    const isNamed = target.kind === 'map' && entry.value.op === 'assign' && entry.key === null
    const property = isNamed
      ? nameOfTarget(entry.value)
      : ((target.kind === 'list' ? fieldAt(flow, value, at) : undefined) ?? name)
    const part = entry.spread ? value : asDeclared(flow, value, property, partOf(value, property))
    const isDefaulted = entry.value.op === 'assign' && entry.value.value !== null
    const fallback =
      isDefaulted && entry.value.op === 'assign' && entry.value.value !== null ? flow.evaluate(frame, entry.value.value) : null
    assignTo(flow, frame, entry.value, fallback === null ? part : joinValues(part, fallback))
  }
}

const nameOfTarget = (ir: Extract<Ir, { op: 'assign' }>): string => writtenName(ir.target)?.segment ?? ''

/** What is known of one part of a value: its own entry, or the taint and the name of the whole. */
export function partOf(value: Value, key: string): Value {
  const field = value.fields?.get(key) ?? elementAt(value, key)
  if (field !== undefined) return field
  const path = value.path === null ? null : { segment: key, parent: value.path, depth: value.path.depth + 1 }
  return value.origins.length === 0 && path === null
    ? unknown
    : { ...unknown, origins: originsOfPart(value.origins, key), path: path !== null && path.depth > 12 ? null : path }
}

/** `list[-1]`, `list.first`, `list.last`. */
function elementAt(value: Value, key: string): Value | undefined {
  if (key !== 'first' && key !== 'last' && !/^-\d+$/.test(key)) return undefined
  return elementsOf(value)?.at(key === 'first' ? 0 : key === 'last' ? -1 : Number(key))
}

/** An element of unknown position. */
export function elementOf(value: Value): Value {
  if (value.fields === undefined) return { ...unknown, origins: originsOfPart(value.origins, anyElement), path: value.path }
  let joined: Value | null = null
  for (const field of value.fields.values()) joined = joined === null ? field : joinValues(joined, field)
  const element = joined ?? unknown
  return withOrigins(element, joinOrigins(element.origins, value.origins))
}

/** `delete o.a`, `del list[0]`, `unset($m['x'])`. */
export function deletePart(flow: Flow, frame: Frame, ir: Ir, isMoving: boolean): void {
  if (ir.op === 'collection') for (const { value } of ir.entries) deletePart(flow, frame, value, isMoving)
  if (ir.op === 'name') frame.env.variables.set(ir.name, unknown)
  if (ir.op !== 'member' && ir.op !== 'index') return
  const key = ir.op === 'member' ? ir.property : flow.evaluate(frame, ir.index).constant
  if (key === undefined || key === null || !isPlace(ir.object)) return
  const object = flow.evaluate(frame, ir.object)
  const after = withoutPart(object, String(key), isMoving)
  if (after !== object) assignTo(flow, frame, ir.object, after)
}

/** `&buf[0]`, `buf + n`, `(char *)buf`, `sb.append(a)`, `out var x`: the variable is inside. */
const isWrapped = (ir: Ir): ir is Extract<Ir, { op: 'call' | 'cast' | 'assign' | 'binary' | 'unary' }> =>
  ir.op === 'call' ||
  ir.op === 'cast' ||
  (ir.op === 'assign' && ir.value === null) ||
  (ir.op === 'binary' && (ir.operator === '+' || ir.operator === '-')) ||
  (ir.op === 'unary' && isReference(ir.operator))

/** Changes the variable behind a chain like `sb.append(a).append(b)`; nothing happens when there is none. */
export function updatePlace(flow: Flow, frame: Frame, ir: Ir | null, change: (old: Value) => Value): void {
  let place = ir
  while (place !== null && isWrapped(place)) {
    if (place.op === 'cast') place = place.value
    else if (place.op === 'assign') place = place.target
    else if (place.op === 'binary') place = place.left
    else if (place.op === 'unary') place = place.operand
    else if (place.callee.op === 'member') place = place.callee.object
    else place = place.callee.op === 'name' && place.callee.name === '%slice' ? (place.args[0]?.value ?? null) : null
  }
  if (place === null || !isPlace(place)) return
  // `crypto.createHash(x).update(y)` changes what the library made, and the library itself stays what it is.
  if (place !== ir && ir?.op === 'call' && place.op === 'name' && isLibrary(frame, place.name)) return
  assignTo(flow, frame, place, change(flow.evaluate(frame, place)))
}

/** What was imported, and classes that nothing in the file has assigned. */
const isLibrary = ({ env }: Frame, name: string): boolean => {
  const known = lookup(env, name)
  return known === undefined ? /^[A-Z]/.test(name) : known.isLibrary === true
}

/** `const char key[] = "k";` stays what it is. */
export const isFixed = ({ text }: Flow, { target }: Assign): boolean =>
  /\bconst(?:expr)?\b/.test(text.slice(text.lastIndexOf('\n', target.start) + 1, target.start))
