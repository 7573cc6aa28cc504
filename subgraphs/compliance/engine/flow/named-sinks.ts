/** Sinks that are names: data that becomes what a variable, a part, a key, a parameter or a function says that it is. */
import { placeHolds } from '../match/conditions.js'
import { functionName } from './callers.js'
import { writtenName } from '../match/subject.js'
import type { DataNames } from '../rulebook/vocabulary-schema.js'
import type { Ir } from '../syntax/ir.js'
import type { CallSite, SiteArgument } from './calls/call-site.js'
import { arrive } from './report.js'
import type { Place } from './sink-hits.js'
import type { Flow, Frame } from './state.js'
import { deepOrigins, joinOrigins, type Origin, type Value, withPicking } from './values/value.js'

/** The value of a variable, and of the elements of a list: the other parts have names of their own. */
function ownOrigins({ origins, fields }: Value, depth = 2): readonly Origin[] {
  if (fields === undefined || depth === 0) return origins
  let own = origins
  for (const [key, field] of fields) if (/^\d/.test(key)) own = joinOrigins(own, ownOrigins(field, depth - 1))
  return own
}

/** A variable, a part or a parameter is given a value. */
export function checkGiven(flow: Flow, frame: Frame, name: string, value: Value, place: Place): void {
  if (hasNone(flow, value)) return
  given(flow, frame, flow.book.givenNames.ofPlace(name), ownOrigins(value), place)
}

/** An assignment to `target`: its last part that has a name counts. */
export function checkTarget(flow: Flow, frame: Frame, target: Ir, value: Value, place: Place): void {
  if (hasNone(flow, value)) return
  const name = nameOfPlace(target)
  if (name !== null) checkGiven(flow, frame, name, value, place)
}

/** `sessions[id] = x`: what is a key there is as good as the name of its collection says. */
export function checkKeyOf(flow: Flow, frame: Frame, collection: Ir, key: Value, place: Place): void {
  if (hasNone(flow, key)) return
  const name = nameOfPlace(collection)
  if (name !== null) given(flow, frame, flow.book.givenNames.ofKeysOf(name), ownOrigins(key), place)
}

/** What an index picks is drawn as it was, unless it picks one of many that others have made. */
export const pickedBy = ({ book }: Flow, collection: Ir, index: Value, picked: Value): Value =>
  index.origins.length === 0 || book.givenNames.isPool(nameOfPlace(collection) ?? '') ? picked : withPicking(picked, index)

/** What a function returns, or leaves in what it was given. */
export function checkAnswer(flow: Flow, frame: Frame, value: Value, place: Place): void {
  const { lambda } = frame
  if (lambda === null || hasNone(flow, value)) return
  const name = functionName(flow, lambda)
  if (name !== '') given(flow, frame, flow.book.givenNames.ofFunction(name, frame.className), ownOrigins(value), place)
}

/** Arguments: named ones, those behind a text that names them, and those of a function that is told by its name. */
export function checkArguments(flow: Flow, site: CallSite): void {
  if (flow.book.namedSinks.length === 0) return
  const carrying = site.args.filter(({ subject }) => deepOrigins(subject.value).length > 0)
  if (carrying.length === 0) return
  const { frame, method, args } = site
  const { givenNames } = flow.book
  const taken = givenNames.ofTaker(site.isNew ? `new ${method}` : method)
  const isCookie = [method, ...site.names.map(({ parent }) => parent?.segment ?? '')].some((one) => /cookie/i.test(one))
  for (const argument of carrying) {
    const { name, subject } = argument
    const origins = ownOrigins(subject.value)
    given(flow, frame, taken, origins, site)
    if (name !== undefined) given(flow, frame, givenNames.ofPlace(name), origins, site)
    for (const text of textsBefore(args, argument)) {
      const named = namesIn(text)
      const all = isStatement(text) ? deepOrigins(subject.value) : origins
      for (const one of named) given(flow, frame, givenNames.ofPlace(isCookie ? `${one} cookie` : one), all, site)
    }
  }
  if (site.receiver?.ir != null) {
    const [first] = args
    if (first !== undefined && args.length > 1 && flow.book.words.puts.has(method))
      checkKeyOf(flow, frame, site.receiver.ir, first.subject.value, site)
  }
}

/** The text in front of an interpolated value says what it is: `?token=${x}`, `Your code is ${x}`. */
export function checkText(flow: Flow, frame: Frame, before: Ir | undefined, value: Value, place: Place): void {
  if (before?.op !== 'literal' || typeof before.value !== 'string' || hasNone(flow, value)) return
  const name = nameAtEnd(before.value)
  if (name === null) return
  const { givenNames } = flow.book
  // `reset:${x}`, `/invite/${x}`
  const found = [name, `${name} link`].map((one) => givenNames.ofPlace(one)).find((one) => one.length > 0)
  given(flow, frame, found ?? [], ownOrigins(value), place)
}

const hasNone = ({ book }: Flow, { origins, fields }: Value): boolean =>
  (origins.length === 0 && fields === undefined) || book.namedSinks.length === 0

function given(flow: Flow, frame: Frame, found: readonly DataNames[], origins: readonly Origin[], place: Place): void {
  if (found.length === 0 || origins.length === 0) return
  const labels = new Set(found.filter((entry) => placeHolds(flow, entry, frame)).map(({ label }) => label))
  if (labels.size === 0) return
  // What is around a closure is not asked about: names are many.
  const relevant = origins.filter(({ parameter }) => parameter === null || parameter.of === frame.symbolic)
  for (const { sink, only } of flow.book.namedSinks) {
    if (sink.named?.some((label) => labels.has(label)) !== true || !placeHolds(flow, sink, frame)) continue
    if (origins.some(({ label }) => sink.unless_with?.includes(label) === true)) continue
    const { start, end } = place
    const functionName = frame.lambda?.name ?? ''
    arrive(flow, frame, { kind: sink.kind, only, functionName, frame, start, end, isAsked: false }, relevant)
  }
}

/** The name of a variable or part; `out[i]` is a part of `out`, and `map["key"]` is called by its key. */
function nameOfPlace(ir: Ir): string | null {
  if (ir.op === 'index' && typeof constantOf(ir.index) !== 'string') return nameOfPlace(ir.object)
  if (ir.op === 'index') return String(constantOf(ir.index))
  if (ir.op === 'call') return ir.callee.op === 'member' ? nameOfPlace(ir.callee.object) : null
  if (ir.op === 'binary') return nameOfPlace(ir.left)
  return writtenName(ir)?.segment ?? null
}

const constantOf = (ir: Ir): unknown => (ir.op === 'literal' ? ir.value : undefined)

/** The constant text right in front of an argument, and a statement of SQL anywhere in front of it. */
function textsBefore(args: readonly SiteArgument[], argument: SiteArgument): string[] {
  const before = args.slice(0, args.indexOf(argument))
  return before.flatMap(({ subject: { value } }, at) => {
    const text = typeof value.constant === 'string' ? value.constant : at === before.length - 1 ? value.prefix : undefined
    return text !== undefined && (at === before.length - 1 || isStatement(text) || isFormat(text)) ? [text] : []
  })
}

const isStatement = (text: string): boolean => /^\s*(?:insert|update|replace|merge)\s/i.test(text)
const isFormat = (text: string): boolean => /%[-+ #0]*\d*[a-z]|\{\w*\}/i.test(text)

/** What a text names: the columns that a statement fills, what stands in front of the gaps of a format, or itself. */
function namesIn(text: string): string[] {
  if (isStatement(text)) return text.slice(0, 1000).match(/[A-Za-z_]\w+/g) ?? []
  if (isFormat(text)) {
    const pieces = text.slice(0, 1000).split(/%[-+ #0]*\d*l{0,2}[a-z]|\{\w*(?::[^}]*)?\}/i)
    return pieces.slice(0, -1).flatMap((piece) => nameAtEnd(piece) ?? [])
  }
  return /^[\w:.@$[\]-]{1,60}$/.test(text) ? [text] : []
}

/** `...?token=`, `"otp": `, `Your code is `: the words right in front of a value. */
function nameAtEnd(text: string): string | null {
  const found = /((?:[A-Za-z][\w-]{0,30} ){0,4}[A-Za-z][\w-]{0,30})["'\]]?\s{0,2}(?:=|:|\/|\bis\b|->)\s{0,2}["'<]?$/.exec(
    text.slice(-160),
  )
  return found?.[1] ?? null
}
