/** Parameters of functions of the file: as symbols, with the sources that packs see in them, and as the arguments of a call. */
import { hasDecorator, placeHolds } from '../../match/conditions.js'
import { matchesText } from '../../match/constraints.js'
import type { Source } from '../../rulebook/model-schema.js'
import { type Ir, type Lambda, type Parameter, restName } from '../../syntax/ir.js'
import { assignTo } from '../assign.js'
import type { Flow, Frame } from '../state.js'
import { declaredKinds, heldTypes, isHarmlessType } from '../values/harmless-types.js'
import { originOf } from '../roles.js'
import { withSourcedParts } from '../sourced-parts.js'
import { elementsOf, listOf, withField } from '../values/parts.js'
import { wordlessPlaces } from '../values/verbs.js'
import { cleaned, joinOrigins, type Origin, originAt, originsOfPart, unknown, type Value, withOrigins } from '../values/value.js'
import type { CallSite } from './call-site.js'
import { createFrame } from './frame.js'
import { typeByUse } from './parameter-types.js'

export function bindParameters(flow: Flow, frame: Frame, lambda: Lambda, values: readonly Value[]): void {
  const info = frame.className === null ? undefined : flow.classes.get(frame.className)
  if (info !== undefined && !frame.env.variables.has('this')) {
    const self: Value = { ...unknown, type: info.ir.name, fields: info.fields }
    frame.env.variables.set('this', self)
    if (lambda.receiver !== undefined) frame.env.variables.set(lambda.receiver.name, self)
  } else if (lambda.receiver !== undefined) {
    frame.env.variables.set(lambda.receiver.name, { ...unknown, type: lambda.receiver.type })
  }
  for (const [index, parameter] of lambda.parameters.entries()) {
    const value = values[index] ?? unknown
    if (parameter.pattern === undefined) frame.env.variables.set(parameter.name, value)
    else {
      assignTo(flow, frame, parameter.pattern, withSourcedParts(flow, frame, parameter.pattern, value))
      holdType(frame, parameter)
      cleanHeld(flow, frame, parameter)
    }
  }
}

/** `Path((id, name)): Path<(i64, String)>`: the number among them is harmless. */
function cleanHeld(flow: Flow, { env }: Frame, { pattern, type, start, end }: Parameter): void {
  const tuple = pattern?.op === 'collection' ? pattern.entries[0]?.value : undefined
  if (tuple?.op !== 'collection' || type === undefined) return
  for (const [index, held] of heldTypes(flow, type, start, end).entries()) {
    const element = tuple.entries[index]?.value
    const known = element?.op === 'name' && isHarmlessType(flow, held) ? env.variables.get(element.name) : undefined
    if (known !== undefined && element?.op === 'name') env.variables.set(element.name, cleaned(known, ['text']))
  }
}

/** `Query(filter): Query<Filter>` */
function holdType({ env }: Frame, { pattern, held }: Parameter): void {
  const [only, more] = pattern?.op === 'collection' ? pattern.entries : []
  if (held === undefined || more !== undefined || only?.value.op !== 'name') return
  const { name } = only.value
  const known = env.variables.get(name)
  if (known !== undefined) env.variables.set(name, { ...known, type: held })
}

/** A symbolic origin, plus the sources that packs find in the parameter itself. */
export function parameterValue(flow: Flow, frame: Frame, parameter: Parameter, index: number): Value {
  const { lambda } = frame
  if (lambda === null) return unknown
  const symbolic: Origin = { ...originAt('param', parameter.start, parameter.end), parameter: { of: lambda, index } }
  let origins: readonly Origin[] = [symbolic]
  const parts = new Map<string, Value>()
  for (const { source, only } of flow.book.parameterSources) {
    if (!isParameterSource(flow, frame, source, parameter, index)) continue
    const part = source.parameter?.part
    if (part !== undefined && !takes(flow, lambda, parameter, part)) continue
    const origin = originOf(flow, source, only, parameter)
    if (part === undefined) origins = joinOrigins(origins, [origin])
    else parts.set(part, withOrigins(unknown, joinOrigins(parts.get(part)?.origins ?? originsOfPart([symbolic], part), [origin])))
    flow.trace?.(`source ${source.label} (parameter ${parameter.name})`, parameter.start)
  }
  const made = madeByDefault(flow, lambda, parameter)
  const held = parameter.held !== undefined && flow.shapes.has(parameter.held) ? parameter.held : undefined
  const given = parameter.rest && parameter.type !== undefined ? listOf(origins) : { ...unknown, origins }
  const whole: Value = { ...given, ...made, type: held ?? parameter.type ?? made.type ?? typeByUse(flow, lambda, index) }
  const value = [...parts].reduce((all, [part, one]) => withField(all, part, one), whole)
  return cleaned(value, declaredKinds(flow, parameter))
}

/** Whether a function takes this part out of its parameter: of a text that it is given there is none. */
function takes({ text }: Flow, lambda: Lambda, { pattern, name, start, end }: Parameter, part: string): boolean {
  if (pattern !== undefined) return text.slice(start, end).includes(part)
  const whole = name.replaceAll('$', '\\$')
  const taken = `${whole}\\??\\.${part}\\b|\\{[^{}]{0,99}\\b${part}\\b[^{}]{0,99}\\}\\s?=\\s?(?:await )?${whole}\\b`
  return new RegExp(taken).test(text.slice(lambda.start, lambda.end))
}

/** `def initialize(store: Store.new)`, `constructor(store = new Store())`: what it is unless a caller gives another. */
function madeByDefault(flow: Flow, lambda: Lambda, { fallback }: Parameter): Pick<Value, 'type' | 'path'> {
  if (fallback?.op !== 'call') return { type: undefined, path: null }
  const { type, path } = flow.evaluate(createFrame(null, null, flow.scopes.get(lambda)?.scope ?? flow.globals), fallback)
  return { type, path }
}

function isParameterSource(flow: Flow, frame: Frame, source: Source, parameter: Parameter, index: number): boolean {
  const wanted = source.parameter
  const { lambda } = frame
  if (wanted === undefined || lambda === null || !placeHolds(flow, source, frame)) return false
  if (wanted.index !== undefined && wanted.index !== index) return false
  if (wanted.name !== undefined && !matchesText(wanted.name, parameter.name)) return false
  if (wanted.type !== undefined && !matchesText(wanted.type, parameter.type ?? '')) return false
  if (wanted.decorator !== undefined && !hasDecorator(wanted.decorator, parameter.decorators, flow.book.ignoreCase)) return false
  const { fallback } = parameter
  if (wanted.unless_default !== undefined && fallback !== undefined) {
    if (matchesText(wanted.unless_default, flow.text.slice(fallback.start, fallback.end))) return false
  }
  const { function: of } = wanted
  if (of === undefined) return true
  const info = frame.className === null ? undefined : flow.classes.get(frame.className)
  if (of.name !== undefined && !matchesText(of.name, lambda.name)) return false
  if (of.keys !== undefined && !matchesText(of.keys, flow.keyPaths.get(lambda) ?? '')) return false
  if (of.decorator !== undefined && !hasDecorator(of.decorator, lambda.decorators, flow.book.ignoreCase)) return false
  if (of.class !== undefined && !matchesText(of.class, frame.className ?? '')) return false
  const { extends: base } = of
  if (base !== undefined && info?.ir.bases.some((one) => matchesText(base, one)) !== true) return false
  if (of.class_decorator !== undefined && !hasDecorator(of.class_decorator, info?.ir.decorators ?? [], flow.book.ignoreCase))
    return false
  return of.public === undefined || of.public === isPublic(lambda)
}

const isPublic = (lambda: Lambda): boolean =>
  !lambda.modifiers.some((modifier) => /\b(?:(?:file)?private|protected|internal)\b/.test(modifier)) &&
  !lambda.name.startsWith('_')

/** Only the real sources of a lambda's parameter: its symbolic origin would mean nothing to anybody. */
export function sourcesOf(flow: Flow, frame: Frame, parameter: Parameter, index: number): readonly Origin[] {
  if (flow.book.parameterSources.length === 0) return []
  return parameterValue(flow, frame, parameter, index).origins.filter((origin) => origin.parameter === null)
}

/** An argument whose label is not the parameter's name stands by its position: `func path(of name: String)`, `path(of: x)`. */
function labelled(site: CallSite, lambda: Lambda, index: number): CallSite['args'][number] | undefined {
  const argument = site.args[index]
  return lambda.parameters.some(({ label, name }) => (label ?? name) === argument?.name) ? undefined : argument
}

/** Where arguments have labels, those without one count among themselves: `helper(from: a, 3)`. */
const indexAmong = (lambda: Lambda, index: number): number =>
  lambda.parameters[index]?.label === '_' ? lambda.parameters.slice(0, index).filter(({ label }) => label === '_').length : index

/** `f(a, ...rest)`: a list that is spread may stand for every parameter from there on. */
const givenAt = (
  site: CallSite,
  positional: CallSite['args'],
  lambda: Lambda,
  index: number,
): CallSite['args'][number] | undefined =>
  positional[indexAmong(lambda, index)] ??
  labelled(site, lambda, index) ??
  (positional.length > index ? undefined : positional.findLast(({ spread }) => spread))

/** Defaults that have no effect. */
const plain = new Set<Ir['op']>(['literal', 'name', 'member', 'unary', 'collection'])

function fallbackOf(flow: Flow, lambda: Lambda, { fallback }: Parameter): Value {
  if (fallback === undefined || !plain.has(fallback.op)) return unknown
  const scope = flow.scopes.get(lambda)?.scope ?? flow.globals
  return flow.evaluate(createFrame(null, null, scope), fallback)
}

/** `f(*list)`: the elements of a list that is known, one by one. */
function spreadOut(argument: CallSite['args'][number]): readonly CallSite['args'][number][] {
  const elements = argument.spread === true ? elementsOf(argument.subject.value) : null
  return elements === null ? [argument] : elements.map((value) => ({ name: undefined, subject: { ...argument.subject, value } }))
}

const withoutText = (argument: CallSite['args'][number]): CallSite['args'][number] => ({
  ...argument,
  subject: { ...argument.subject, value: cleaned(argument.subject.value, ['text']) },
})

/** The value of a parameter in a call: the argument, what was left over, or the default. */
export function argumentFor(flow: Flow, site: CallSite, lambda: Lambda, parameter: Parameter, index: number): Value {
  // PHP names an argument without the `$` of the parameter.
  const label = parameter.label ?? parameter.name.replace(/^\$/, '')
  const named = site.args.find((argument) => argument.name === label && label !== '')
  if (named !== undefined) return named.subject.value
  const positional = site.args.filter((argument) => argument.name === undefined)
  if (!parameter.rest) return givenAt(site, positional, lambda, index)?.subject.value ?? fallbackOf(flow, lambda, parameter)
  const own = lambda.parameters.filter((one) => one !== parameter).map((one) => one.label ?? one.name)
  // C prints what stands for `%d` of a template as a number.
  const wordless = parameter.name === restName ? wordlessPlaces(positional.map(({ subject }) => subject.value)) : undefined
  const left = [
    ...positional
      .map((one, at) => (wordless?.has(at) === true ? withoutText(one) : one))
      .slice(parameter.whole === true ? 0 : index)
      .flatMap(spreadOut),
    ...site.args.filter(({ name }) => name !== undefined && !own.includes(name)),
  ]
  const size = parameter.type === undefined ? undefined : left.length
  return { ...unknown, size, fields: new Map(left.map(({ name, subject }, at) => [name ?? String(at), subject.value])) }
}
