/**
 * Functions of the file: evaluated once with symbolic parameters, applied at each call.
 *
 * A summary says what reaches the result, which sinks the parameters reach, and what is put into objects that were passed in.
 * Recursion meets a summary that is still being made, and then data is assumed to pass through.
 */
import { hasDecorator, placeHolds } from '../../match/conditions.js'
import { matchesText } from '../../match/constraints.js'
import type { Source } from '../../rulebook/model-schema.js'
import type { Lambda, Parameter } from '../../syntax/ir.js'
import { assignTo, isPlace, updatePlace } from '../assign.js'
import type { CallSite } from './call-site.js'
import { storeInClass } from './classes.js'
import {
  applyToReceiver,
  changedFields,
  constructed,
  effectOf,
  partGiven,
  returnsSelf,
  selfNames,
  withEffect,
} from './objects.js'
import { createEnvironment, type Environment, valueOf } from '../environment.js'
import { isHarmlessType } from '../values/harmless-types.js'
import { arrive, isSafePrefix } from '../report.js'
import type { Flow, Frame, ParameterMarks, Summary } from '../state.js'
import { throughCall } from '../values/trail.js'
import { marksLeft, noteExit, validatedBy } from '../conditions/validation.js'
import {
  cleaned,
  deepOrigins,
  emptySet,
  type FunctionValue,
  joinOrigins,
  joinValues,
  mapOrigins,
  type Origin,
  partKeys,
  unknown,
  type Value,
  withOrigins,
} from '../values/value.js'

const maxDepth = 10

export function createFrame(lambda: Lambda | null, className: string | null, env: Environment, from?: Partial<Frame>): Frame {
  return {
    lambda,
    className,
    env,
    result: null,
    breaks: [],
    continues: [],
    hits: [],
    exits: [],
    parameterCalls: [],
    loopDepth: 0,
    callbackOf: null,
    outermost: null,
    inCatch: false,
    ...from,
  }
}

/** The summary of a function, made at its first use; `null` inside of its own evaluation or when too deep. */
export function summaryOf(flow: Flow, lambda: Lambda): Summary | null {
  const known = flow.summaries.get(lambda)
  if (known !== undefined) return known === 'busy' ? null : known
  const home = flow.scopes.get(lambda)
  if (home === undefined || flow.depth >= maxDepth || flow.isTruncated) return null
  flow.summaries.set(lambda, 'busy')
  flow.evaluated.add(lambda)
  flow.depth++
  const { narrowing } = flow
  flow.narrowing = 0
  const frame = createFrame(lambda, home.className, createEnvironment(home.scope))
  const initial = lambda.parameters.map((parameter, index) => parameterValue(flow, frame, parameter, index))
  bindParameters(flow, frame, lambda, initial)
  const own = new Map(home.className === null ? [] : flow.classes.get(home.className)?.fields)
  const last = flow.evaluate(frame, lambda.body)
  const self = changedFields(frame, lambda, own)
  const summary = { ...summarize(flow, frame, lambda, initial, last), self }
  flow.depth--
  flow.narrowing = narrowing
  flow.summaries.set(lambda, summary)
  return summary
}

function bindParameters(flow: Flow, frame: Frame, lambda: Lambda, values: readonly Value[]): void {
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
    else assignTo(flow, frame, parameter.pattern, value)
  }
}

/** A symbolic origin, plus the sources that packs find in the parameter itself. */
function parameterValue(flow: Flow, frame: Frame, parameter: Parameter, index: number): Value {
  const { lambda } = frame
  if (lambda === null) return unknown
  const symbolic: Origin = {
    label: 'param',
    at: parameter.start,
    end: parameter.end,
    parameter: { of: lambda, index },
    clean: emptySet,
    built: false,
    opaque: false,
    trail: null,
  }
  let origins: readonly Origin[] = [symbolic]
  for (const { source, only } of flow.book.parameterSources) {
    if (!isParameterSource(flow, frame, source, parameter, index)) continue
    const origin: Origin = { ...symbolic, parameter: null, label: source.label, ...(only === null ? {} : { only }) }
    const clean = source.clean === undefined ? origin : { ...origin, clean: new Set(source.clean) }
    origins = joinOrigins(origins, [clean])
    flow.trace?.(`source ${source.label} (parameter ${parameter.name})`, parameter.start)
  }
  const value: Value = { ...unknown, origins, type: parameter.type }
  return isHarmlessType(flow, parameter.type) ? cleaned(value, ['text']) : value
}

function isParameterSource(flow: Flow, frame: Frame, source: Source, parameter: Parameter, index: number): boolean {
  const wanted = source.parameter
  const { lambda } = frame
  if (wanted === undefined || lambda === null || !placeHolds(flow, source, frame)) return false
  if (wanted.index !== undefined && wanted.index !== index) return false
  if (wanted.name !== undefined && !matchesText(wanted.name, parameter.name)) return false
  if (wanted.type !== undefined && !matchesText(wanted.type, parameter.type ?? '')) return false
  if (wanted.decorator !== undefined && !hasDecorator(wanted.decorator, parameter.decorators, flow.book.ignoreCase)) return false
  const { function: of } = wanted
  if (of === undefined) return true
  const info = frame.className === null ? undefined : flow.classes.get(frame.className)
  if (of.name !== undefined && !matchesText(of.name, lambda.name)) return false
  if (of.decorator !== undefined && !hasDecorator(of.decorator, lambda.decorators, flow.book.ignoreCase)) return false
  if (of.class !== undefined && !matchesText(of.class, frame.className ?? '')) return false
  const { extends: base } = of
  if (base !== undefined && info?.ir.bases.some((one) => matchesText(base, one)) !== true) return false
  if (of.class_decorator !== undefined && !hasDecorator(of.class_decorator, info?.ir.decorators ?? [], flow.book.ignoreCase))
    return false
  return of.public === undefined || of.public === isPublic(lambda)
}

const isPublic = (lambda: Lambda): boolean =>
  !lambda.modifiers.some((modifier) => /\b(?:private|protected|internal)\b/.test(modifier)) && !lambda.name.startsWith('_')

function summarize(flow: Flow, frame: Frame, lambda: Lambda, initial: readonly Value[], last: Value): Omit<Summary, 'self'> {
  const isResult = lambda.isExpressionBody && !frame.env.isDead
  const result = frame.result === null ? (isResult ? last : unknown) : isResult ? joinValues(frame.result, last) : frame.result
  const lastIr = lambda.body.op === 'block' ? lambda.body.body.at(-1) : lambda.body
  if (isResult) onReturn(flow, frame, last, lastIr)
  if (!frame.env.isDead) noteExit(flow, frame, isResult ? (lastIr ?? null) : null, isResult ? last : unknown)
  const effects = new Map<number, Value>()
  for (const [index, parameter] of lambda.parameters.entries()) {
    const after = frame.env.variables.get(parameter.name)
    const before = initial[index]
    if (after === undefined || before === undefined || after === before || after.path !== null) continue
    const added = deepOrigins(after).filter((origin) => origin.parameter?.index !== index)
    if (added.length > 0) effects.set(index, effectOf(after, before, index))
  }
  keepFields(flow, frame, lambda)
  // A method may be overridden by one that returns.
  const neverReturns = frame.env.isDead && frame.result === null && frame.className === null
  return {
    result,
    returnsSelf: frame.className !== null && returnsSelf(lambda),
    neverReturns,
    parameterCalls: frame.parameterCalls,
    hits: frame.hits,
    effects,
    validated: validatedBy(frame.exits),
    marks: marksLeft(flow, lambda, frame.exits),
  }
}

/** Sinks that are what a function returns: the body of a response. */
export function onReturn(flow: Flow, frame: Frame, value: Value, ir: { start: number; end: number } | null | undefined): void {
  const { lambda } = frame
  if (flow.book.returnSinks.length === 0 || lambda === null || ir == null) return
  const info = frame.className === null ? undefined : flow.classes.get(frame.className)
  for (const { sink, only } of flow.book.returnSinks) {
    const { returns } = sink
    if (returns === undefined) continue
    if (returns.decorator !== undefined && !hasDecorator(returns.decorator, lambda.decorators, flow.book.ignoreCase)) continue
    if (returns.function !== undefined && !matchesText(returns.function, lambda.name)) continue
    if (
      returns.class_decorator !== undefined &&
      !hasDecorator(returns.class_decorator, info?.ir.decorators ?? [], flow.book.ignoreCase)
    )
      continue
    const { extends: base } = returns
    if (base !== undefined && info?.ir.bases.some((one) => matchesText(base, one)) !== true) continue
    if (isSafePrefix(sink.safe_prefix, value.prefix) || !placeHolds(flow, sink, frame)) continue
    const origins = value.origins.filter((origin) => sink.built !== true || origin.built)
    arrive(
      flow,
      frame,
      { kind: sink.kind, only, prefix: value.prefix, functionName: lambda.name, frame, start: ir.start, end: ir.end },
      origins,
    )
  }
}

/** What a method stored in `this` is known to the other methods; constants only when nothing else assigns the field. */
function keepFields(flow: Flow, frame: Frame, lambda: Lambda): void {
  const info = frame.className === null ? undefined : flow.classes.get(frame.className)
  // What a destructor leaves, no other method meets.
  if (info === undefined || lambda.name === `destroy_${frame.className}`) return
  for (const name of selfNames(lambda)) {
    for (const [key, value] of valueOf(frame.env, name).fields ?? []) {
      const old = info.fields.get(key)
      if (old === value) continue
      const made = lambda.isConstructor ? validatedField(frame, lambda, value) : value
      const isDeclaredOnly = old !== undefined && lambda.isConstructor && isEmpty(old)
      const kept = old === undefined || isDeclaredOnly ? { ...made, type: made.type ?? old?.type } : joinValues(old, made)
      const isStable = (flow.assignments.get(key) ?? 0) <= 1
      info.fields.set(key, isStable ? kept : { ...kept, constant: undefined })
    }
  }
}

/** A field that was declared without a value. */
const isEmpty = ({ origins, marks, constant, fields, func }: Value): boolean =>
  origins.length === 0 &&
  marks.size === 0 &&
  (constant === undefined || constant === null) &&
  fields === undefined &&
  func === undefined

/** A constructor that checks a parameter after it has filled a field from it has checked the field. */
function validatedField(frame: Frame, lambda: Lambda, field: Value): Value {
  const origins = field.origins.map((origin) => {
    const parameter = origin.parameter?.of === lambda ? lambda.parameters[origin.parameter.index] : undefined
    const after = parameter === undefined ? [] : valueOf(frame.env, parameter.name).origins
    const same = after.find((one) => one.parameter?.of === lambda && one.parameter.index === origin.parameter?.index)
    return same === undefined || same.clean.size === 0 ? origin : { ...origin, clean: new Set([...origin.clean, ...same.clean]) }
  })
  return withOrigins(field, origins)
}

/** An anonymous function that runs where it stands. */
function callLambda(flow: Flow, from: Frame, func: FunctionValue, args: readonly Value[], callbackOf: string): Value {
  if (flow.depth >= maxDepth) return unknown
  flow.depth++
  flow.evaluated.add(func.lambda)
  const env = createEnvironment(func.scope)
  const frame = createFrame(from.lambda, func.className, env, {
    hits: from.hits,
    parameterCalls: from.parameterCalls,
    callbackOf,
    outermost: from.outermost ?? (from.lambda === null ? func.lambda : null),
    loopDepth: from.loopDepth,
    inCatch: from.inCatch,
  })
  const implicit = flow.book.language === 'kotlin' || flow.book.language === 'swift'
  if (implicit && func.lambda.parameters.length === 0) {
    env.variables.set('it', args[0] ?? unknown)
    env.variables.set('$0', args[0] ?? unknown)
  }
  const own = func.lambda.parameters.map((parameter, index): Value => {
    const value = args[index] ?? unknown
    const sourced = sourcesOf(flow, { ...frame, lambda: func.lambda }, parameter, index)
    const given = { ...value, type: parameter.type ?? value.type, origins: joinOrigins(value.origins, sourced) }
    return isHarmlessType(flow, parameter.type) ? cleaned(given, ['text']) : given
  })
  bindParameters(flow, frame, func.lambda, own)
  const last = flow.evaluate(frame, func.lambda.body)
  flow.depth--
  for (const [name, changed] of frame.env.variables) {
    const isOwn = func.lambda.parameters.some((parameter) => parameter.name === name)
    if (!isOwn && isVariableOf(flow, func.scope, name)) func.scope.variables.set(name, changed)
  }
  if (func.lambda.isExpressionBody && !frame.env.isDead) return frame.result === null ? last : joinValues(frame.result, last)
  return frame.result ?? unknown
}

/** Whether a function around the lambda has the variable; globals are shared in another way. */
function isVariableOf(flow: Flow, scope: Environment, name: string): boolean {
  if (scope.variables.has(name)) return true
  for (let at = scope.parent; at !== null && at !== flow.globals; at = at.parent) if (at.variables.has(name)) return true
  return false
}

/** Only the real sources of a lambda's parameter: its symbolic origin would mean nothing to anybody. */
function sourcesOf(flow: Flow, frame: Frame, parameter: Parameter, index: number): readonly Origin[] {
  if (flow.book.parameterSources.length === 0) return []
  return parameterValue(flow, frame, parameter, index).origins.filter((origin) => origin.parameter === null)
}

/** Applies a function's summary to the arguments of a call. */
export function callFunction(flow: Flow, site: CallSite, lambda: Lambda, isConstruction = false): Value {
  const summary = summaryOf(flow, lambda)
  const args = lambda.parameters.map((parameter, index) => argumentFor(site, lambda, parameter, index))
  if (summary === null) {
    const origins = site.args.reduce<readonly Origin[]>((all, one) => joinOrigins(all, deepOrigins(one.subject.value)), [])
    return { ...unknown, origins }
  }
  const replaceAll = (origins: readonly Origin[]): readonly Origin[] => {
    return origins.reduce<readonly Origin[]>((all, origin) => joinOrigins(all, substitute(flow, site, lambda, origin, args)), [])
  }
  for (const hit of summary.hits) {
    const origins = substitute(flow, site, lambda, hit.origin, args)
    if (origins.length > 0) arrive(flow, site.frame, hit, origins)
  }
  for (const [index, effect] of summary.effects) {
    const argument = site.args.filter((one) => one.name === undefined)[index]
    const put = mapOrigins(effect, replaceAll, 3)
    if (argument !== undefined && deepOrigins(put).length > 0)
      updatePlace(flow, site.frame, argument.subject.ir, (old) => withEffect(old, put))
  }
  if (summary.neverReturns) site.frame.env.isDead = true
  cleanArguments(flow, site, summary.validated.always)
  markArguments(flow, site, summary.marks)
  if (isConstruction || flow.scopes.get(lambda)?.className != null) storeInClass(flow, lambda, replaceAll)
  for (const { parameter, args: values } of summary.parameterCalls) {
    const func = parameter === 'block' ? site.args.at(-1)?.subject.value.func : args[parameter]?.func
    const passed = values.map((value) => mapOrigins(value, replaceAll, 3))
    if (func !== undefined && passed.some((value) => deepOrigins(value).length > 0))
      callPassed(flow, site, func, passed, lambda.name)
  }
  const result = mapOrigins(summary.result, replaceAll, 3)
  const changes = new Map([...summary.self].map(([key, value]) => [key, mapOrigins(value, replaceAll, 3)]))
  if (isConstruction) return constructed(flow.classes.get(flow.scopes.get(lambda)?.className ?? ''), result, changes)
  return applyToReceiver(flow, site, lambda, summary, changes) ?? result
}

/** A function that was passed in is called inside. What is declared has a summary; only a function that stands here is evaluated. */
export function callPassed(flow: Flow, site: CallSite, func: FunctionValue, values: readonly Value[], callbackOf: string): Value {
  if (!func.lambda.declares) return callLambda(flow, site.frame, func, values, callbackOf)
  if (flow.depth >= maxDepth || flow.isTruncated) return unknown
  flow.depth++
  flow.steps += values.length
  const args = values.map((value) => ({ name: undefined, subject: { value, ir: null } }))
  const result = callFunction(flow, { ...site, receiver: null, args }, func.lambda)
  flow.depth--
  return result
}

/** Arguments that a validator of the file has let through. */
export function cleanArguments(flow: Flow, site: CallSite, cleans: ReadonlyMap<number, ReadonlySet<string>>): void {
  const positional = site.args.filter((argument) => argument.name === undefined)
  for (const [index, kinds] of cleans) {
    const ir = (positional[index] ?? site.args[index])?.subject.ir
    if (ir != null && isPlace(ir)) updatePlace(flow, site.frame, ir, (old) => cleaned(old, [...kinds]))
  }
}

/** Arguments that a function of the file has freed, closed or configured. */
function markArguments(flow: Flow, site: CallSite, marks: ParameterMarks): void {
  const positional = site.args.filter((argument) => argument.name === undefined)
  for (const [index, left] of marks) {
    const change = (set: ReadonlySet<string>): ReadonlySet<string> => new Set([...set, ...left])
    updatePlace(flow, site.frame, positional[index]?.subject.ir ?? null, (old) => ({
      ...old,
      marks: change(old.marks),
      mayMarks: change(old.mayMarks),
    }))
  }
}

/** An argument whose label is not the parameter's name stands by its position: `func path(of name: String)`, `path(of: x)`. */
function labelled(site: CallSite, lambda: Lambda, index: number): CallSite['args'][number] | undefined {
  const argument = site.args[index]
  return lambda.parameters.some(({ name }) => name === argument?.name) ? undefined : argument
}

function argumentFor(site: CallSite, lambda: Lambda, parameter: Parameter, index: number): Value {
  const named = site.args.find((argument) => argument.name === parameter.name && parameter.name !== '')
  if (named !== undefined) return named.subject.value
  const positional = site.args.filter((argument) => argument.name === undefined)
  if (!parameter.rest) return (positional[index] ?? labelled(site, lambda, index))?.subject.value ?? unknown
  const rest = [...positional.slice(index), ...site.args.filter((argument) => argument.name !== undefined)]
  const origins = rest.reduce<readonly Origin[]>((all, one) => joinOrigins(all, deepOrigins(one.subject.value)), [])
  return { ...unknown, origins }
}

/** The origins of the argument that a symbolic origin stands for, with everything that happened to it inside. */
function substitute(flow: Flow, site: CallSite, lambda: Lambda, origin: Origin, args: readonly Value[]): readonly Origin[] {
  if (origin.parameter === null || origin.parameter.of !== lambda) return [origin]
  const argument = args[origin.parameter.index]
  if (argument === undefined) return []
  return deepOrigins(partGiven(flow, argument, partKeys(origin))).map((actual) => ({
    ...actual,
    clean: origin.clean.size === 0 ? actual.clean : new Set([...actual.clean, ...origin.clean]),
    built: actual.built || origin.built,
    opaque: actual.opaque || origin.opaque,
    trail: throughCall(actual.trail, site, origin),
  }))
}
