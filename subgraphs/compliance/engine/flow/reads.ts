/** Reads of names, members and elements: what is known of the variable, plus the sources that packs see in the name. */
import { hasDecorator } from '../match/conditions.js'
import { holds } from '../match/constraints.js'
import { writtenName } from '../match/subject.js'
import { nameOf, type QualifiedName } from '../rulebook/qualified-name.js'
import type { Words } from '../rulebook/words.js'
import { type Constant, getterModifier, type Ir, type Lambda, type Name } from '../syntax/ir.js'
import { elementOf, isField, isGlobal, partOf } from './assign.js'
import { type CallSite, memberNames, memberPath } from './calls/call-site.js'
import { callsByName, fromLine } from './calls/classes.js'
import { checkNamed } from './roles.js'
import { lookup } from './environment.js'
import { asDeclared } from './declared-fields.js'
import { callFunction } from './calls/functions.js'
import { withReceiver } from './calls/getters.js'
import { withNamed, withNamedPart } from './named-data.js'
import { pickedBy } from './named-sinks.js'
import { reportIf } from './report-if.js'
import { checkRange, checkReach } from './sliced.js'
import { withFound } from './sourced-parts.js'
import type { Flow, Frame } from './state.js'
import { elementsOf, listOf } from './values/parts.js'
import { anyElement, constantValue, deepOrigins, joinOrigins, unknown, type Value, withOrigins } from './values/value.js'

function methodByName(flow: Flow, frame: Frame, name: string, known: Value | undefined): Lambda | undefined {
  const own = known === undefined && frame.className !== null ? flow.classes.get(frame.className)?.methods.get(name) : undefined
  const lambda = own ?? known?.func?.lambda
  if (!callsByName.has(flow.book.language) && lambda?.modifiers.includes(getterModifier) !== true) return undefined
  return lambda?.declares === true && lambda.parameters.length === 0 ? lambda : undefined
}

const noArguments = (frame: Frame, ir: Ir, name: string): CallSite => ({
  frame,
  ir,
  start: ir.start,
  end: ir.end,
  method: name,
  names: [nameOf(name)],
  receiver: null,
  args: [],
  isNew: false,
})

export function readName(flow: Flow, frame: Frame, ir: Name): Value {
  const known = withShared(flow, frame, ir.name, lookup(frame.env, ir.name))
  const method = methodByName(flow, frame, ir.name, known)
  const value =
    method === undefined ? valueOfName(flow, frame, ir, known) : callFunction(flow, noArguments(frame, ir, ir.name), method)
  return withNamed(flow, frame, ir.name, value, ir)
}

/** At the top level a function that ran before may have stored something in the variable. */
function withShared(
  { sharedGlobals, table }: Flow,
  { lambda }: Frame,
  name: string,
  known: Value | undefined,
): Value | undefined {
  const origins = lambda === null && table?.assignsGlobals === true ? sharedGlobals.get(name) : undefined
  return origins === undefined
    ? known
    : { ...withOrigins(known ?? unknown, joinOrigins(known?.origins ?? [], origins)), constant: undefined }
}

/** The callee of a call: its name alone does not call it too. */
export const readCallee = (flow: Flow, frame: Frame, ir: Ir): Value =>
  ir.op === 'name' ? valueOfName(flow, frame, ir, lookup(frame.env, ir.name)) : flow.evaluate(frame, ir)

function valueOfName(flow: Flow, frame: Frame, ir: Name, known: Value | undefined): Value {
  if (flow.table?.implicitThis === true && isField(flow, frame, ir.name) && isGlobal(flow, frame, ir.name))
    return readField(flow, frame, ir.name)
  if (known !== undefined && (known.path === null || known.origins.length > 0)) return known
  const constant = known === undefined ? classConstant(flow, frame, ir.name) : undefined
  if (constant !== undefined) return constant
  const path = known?.path ?? nameOf(ir.name)
  const candidates = flow.book.reads.candidates(path.segment)
  const found = candidates.entries.length === 0 ? null : checkNamed(flow, frame, candidates, ir, [path], null, null)
  const base = known ?? { ...unknown, path }
  return withFound(base, found)
}

/** Ruby: the methods of a class see its constants. */
const classConstant = (flow: Flow, frame: Frame, name: string): Value | undefined =>
  flow.book.language === 'ruby' && frame.className !== null && /^[A-Z]/.test(name)
    ? flow.classes.get(frame.className)?.fields.get(name)
    : undefined

/** `Config.dir` where some function has filled the field of the class. */
function staticField(flow: Flow, object: Value, ir: Extract<Ir, { op: 'member' }>): Value | undefined {
  if (ir.object.op !== 'name' || ir.object.name === 'this' || object.fields?.has(ir.property) === true) return undefined
  const field = flow.classes.get(ir.object.name)?.fields.get(ir.property)
  return field !== undefined && deepOrigins(field).some(({ parameter }) => parameter === null) ? field : undefined
}

/** A field that only a base of the object's class has filled. */
function inheritedField(flow: Flow, { type, fields, origins }: Value, name: string): Value | undefined {
  if (type === undefined || origins.length > 0 || fields?.has(name) === true || !flow.classes.has(type)) return undefined
  return fromLine(flow, type, (info) => info.fields.get(name))
}

function readField(flow: Flow, frame: Frame, name: string): Value {
  const self = lookup(frame.env, 'this') ?? unknown
  const value = self.fields?.get(name) ?? inheritedField(flow, self, name) ?? unknown
  const type = value.type ?? (frame.className === null ? undefined : flow.classes.get(frame.className)?.fieldTypes.get(name))
  return { ...value, type: type === '' ? undefined : type, path: value.path ?? nameOf(name) }
}

/** `@property def x`, `get x()` and, in Scala, any method without parameters: reading the member calls it. */
function getterOf(flow: Flow, object: Value, property: string): Lambda | undefined {
  const method = object.type === undefined ? undefined : flow.classes.get(object.type)?.methods.get(property)
  if (method === undefined || method.parameters.length > 0) return undefined
  const isGetter =
    callsByName.has(flow.book.language) ||
    method.modifiers.includes(getterModifier) ||
    flow.text.startsWith('get ', method.start) ||
    hasDecorator(['property', 'cached_property', '*.cached_property'], method.decorators, false)
  return isGetter ? method : undefined
}

/** `this::run`, `self.run`: a method that is passed on, not called. */
function methodValue(flow: Flow, frame: Frame, ir: Extract<Ir, { op: 'member' }>, object: Value): Value['func'] {
  const written = ir.object.op === 'name' ? ir.object.name : ''
  const className = object.type ?? (flow.classes.has(written) ? written : written === 'this' ? frame.className : null)
  const lambda = className === null ? undefined : flow.classes.get(className)?.methods.get(ir.property)
  const home = lambda === undefined ? undefined : flow.scopes.get(lambda)
  return lambda === undefined || home === undefined || lambda.parameters.length === 0 ? undefined : { lambda, ...home }
}

export function readMember(flow: Flow, frame: Frame, ir: Extract<Ir, { op: 'member' }>): Value {
  const object = flow.evaluate(frame, ir.object)
  // Scala: `"[a-z]+".r`
  if (typeof object.constant === 'string' && flow.book.words.compiles.has(ir.property))
    return { ...unknown, pattern: object.constant }
  const value = valueOfMember(flow, frame, ir, object)
  // `password.value` is the password.
  const whole = flow.book.words.same_text.has(ir.property)
    ? withOrigins(value, joinOrigins(value.origins, object.origins))
    : value
  return withNamedPart(flow, frame, ir.property, { ir: ir.object, value: object }, whole, ir)
}

/** Scala: `parts.flatten`, `names.distinct`: what a method without arguments makes of a list is another list of its elements. */
function madeOfList({ book }: Flow, object: Value, property: string): Value | undefined {
  if (!callsByName.has(book.language) || object.fields === undefined || object.fields.has(property)) return undefined
  const isKnown = (elementsOf(object)?.length ?? 0) > 0
  if (!isKnown && !object.fields.has(anyElement)) return undefined
  const { measures, answers, gets_first: first, gets_last: last } = book.words
  if (measures.has(property) || answers.has(property)) return unknown
  if (!first.has(property) && !last.has(property)) return listOf(deepOrigins(object))
  return isKnown ? partOf(object, first.has(property) ? 'first' : 'last') : elementOf(object)
}

function valueOfMember(flow: Flow, frame: Frame, ir: Extract<Ir, { op: 'member' }>, object: Value): Value {
  if (typeof object.constant === 'string' && flow.book.words.lengths.has(ir.property))
    return constantValue(object.constant.length)
  const getter = object.fields?.has(ir.property) === true ? undefined : getterOf(flow, object, ir.property)
  if (getter !== undefined)
    return withReceiver(
      flow,
      getter,
      object,
      callFunction(flow, { ...noArguments(frame, ir, ir.property), receiver: { value: object, ir: ir.object } }, getter),
    )
  let value =
    staticField(flow, object, ir) ??
    inheritedField(flow, object, ir.property) ??
    madeOfList(flow, object, ir.property) ??
    partOf(object, ir.property)
  if (value.func === undefined && value.fields === undefined && value.origins.length === 0) {
    const func = methodValue(flow, frame, ir, object)
    if (func !== undefined) return { ...value, func }
  }
  value = asDeclared(flow, object, ir.property, value)
  if (value.path === null && value.constant === undefined && value.func === undefined)
    value = { ...value, path: memberPath(object, ir.property) ?? writtenName(ir) }
  const candidates = flow.book.reads.candidates(ir.property)
  if (candidates.entries.length === 0) return value
  const receiver = { value: object, ir: ir.object }
  const names = memberNames(flow, receiver, ir.property, writtenName(ir))
  const found = checkNamed(flow, frame, candidates, ir, names, receiver, null)
  return withFound(value, unlessOwn(object, ir.property, found))
}

/** A part that was assigned or tested is what it became, not the source again. */
function unlessOwn(object: Value, key: string, found: Value | null): Value | null {
  const own = object.fields?.get(key)?.origins.length ?? 0
  return own === 0 || found === null ? found : { ...found, origins: [] }
}

const characterAt = (text: Constant | undefined, index: Constant | undefined): string | undefined =>
  typeof text === 'string' && typeof index === 'number' ? text.at(index) : undefined

/** A key that is not known may not be there at all. */
function anyPart(object: Value): Value {
  const part = elementOf(object)
  return part.constant === undefined ? part : { ...part, constant: undefined }
}

/** An element of a map is found by its key: there is no place behind the last one. */
const isKey = ({ text_types: texts, map_types: maps }: Words, object: Value, index: Value): boolean =>
  texts.has(index.type ?? '') || maps.has(object.type ?? '') || namedMap.test(object.type ?? '')

/** `DataMap`, as programs call theirs; a `TileMap` has rows. */
const namedMap = /^(?!.*(?:Bit|Tile|Pix|Height|Light)Map$).*(?:[a-z_]|^)(?:Map|Dict|Dictionary|Hash)$/

/** Rules and sinks that are about the index, in reads and in assignments alike. */
export function checkIndex(flow: Flow, frame: Frame, ir: Extract<Ir, { op: 'index' }>, object: Value, index: Value): void {
  for (const { rule, matcher } of flow.book.plain.index) {
    const wanted = matcher.index
    if (wanted?.object !== undefined && !holds(flow, wanted.object, { value: object, ir: ir.object })) continue
    reportIf(flow, frame, rule, matcher, ir, wanted?.index, { value: index, ir: ir.index })
  }
  if (isKey(flow.book.words, object, index)) return
  const list = { value: object, ir: ir.object }
  checkReach(flow, frame, flow.book.indexSinks, ir, list, { value: index, ir: ir.index })
  checkRange(flow, frame, ir, list)
}

/** An element of `byte[]` is a `byte`. */
function typedElement(list: string | undefined, element: Value): Value {
  const type = list?.endsWith('[]') === true ? list.slice(0, -2) : ''
  return type === '' || element.type !== undefined ? element : { ...element, type }
}

export function readIndex(flow: Flow, frame: Frame, ir: Extract<Ir, { op: 'index' }>): Value {
  const object = flow.evaluate(frame, ir.object)
  const index = flow.evaluate(frame, ir.index)
  checkIndex(flow, frame, ir, object, index)
  const key = index.constant
  const character = characterAt(object.constant, key)
  if (character !== undefined) return constantValue(character)
  const found = typeof key === 'string' || typeof key === 'number' ? partOf(object, String(key)) : anyPart(object)
  const part = typedElement(object.type, pickedBy(flow, ir.object, index, found))
  // Packs name few elements by number: the program itself among its arguments.
  if (typeof key === 'number' && flow.book.reads.candidates(String(key)).entries.length > 0) {
    const named = writtenName(ir)
    if (named !== null) return sourcedPart(flow, frame, ir, { object, part, key: String(key), written: named })
  }
  const written = typeof key === 'string' ? writtenName(ir) : null
  if (written === null || typeof key !== 'string') return part
  return withNamedPart(
    flow,
    frame,
    key,
    { ir: ir.object, value: object },
    sourcedPart(flow, frame, ir, { object, part, key, written }),
    ir,
  )
}

interface ReadPart {
  readonly object: Value
  readonly part: Value
  readonly key: string
  readonly written: QualifiedName
}

/** An element with a constant key is what packs say of the name. */
function sourcedPart(
  flow: Flow,
  frame: Frame,
  ir: Extract<Ir, { op: 'index' }>,
  { object, part, key, written }: ReadPart,
): Value {
  const candidates = flow.book.reads.candidates(written.segment)
  const found =
    candidates.entries.length === 0
      ? null
      : checkNamed(
          flow,
          frame,
          candidates,
          ir,
          memberNames(flow, { value: object, ir: ir.object }, written.segment, written),
          { value: object, ir: ir.object },
          null,
        )
  return withFound(part, unlessOwn(object, key, found))
}
