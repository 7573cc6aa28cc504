/**
 * Functions of the file: evaluated once with symbolic parameters, applied at each call.
 *
 * A summary says what reaches the result, which sinks the parameters reach, and what is put into objects that were passed in.
 * Recursion meets a summary that is still being made, and then data is assumed to pass through.
 */
import { isNumber } from '../../rulebook/labels.js'
import type { Lambda } from '../../syntax/ir.js'
import { isPlace, updatePlace } from '../assign.js'
import { noteTested } from '../conditions/narrow-clean.js'
import type { CallSite } from './call-site.js'
import { storeInClass } from './classes.js'
import { holdIn } from './held-fields.js'
import { heldInstead, holderOf, withHeldOf } from './holder.js'
import { escapedBy } from './escaping.js'
import { applyToReceiver, changedFields, constructed, effectOf, partGiven, returnsSelf, withEffect } from './objects.js'
import { callLambda, declaredAt, lookAgain } from './closures.js'
import { createFrame, maxDepth } from './frame.js'
import { onReturn } from './returned.js'
import { argumentFor, bindParameters, parameterValue } from './parameters.js'
import { createEnvironment, valueOf } from '../environment.js'
import { answers, ask } from '../questions.js'
import { checkAnswer, checkGiven } from '../named-sinks.js'
import { arrive } from '../report.js'
import { allHits } from '../sink-hits.js'
import { selfNames } from '../self-names.js'
import type { Flow, Frame, ParameterMarks, Summary } from '../state.js'
import { askedOfCaller } from '../unmarked.js'
import { throughCall } from '../values/trail.js'
import { marksLeft, noteExit, validatedBy } from '../conditions/validation.js'
import {
  cleaned,
  deepOrigins,
  type FunctionValue,
  joinOrigins,
  joinValues,
  mapOrigins,
  type Origin,
  originsOfPart,
  partKeys,
  unknown,
  type Value,
  withOrigins,
} from '../values/value.js'

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
  for (const [index, { name }] of lambda.parameters.entries()) {
    const begun = initial[index]
    if (begun !== undefined) frame.left.set(name, { begun, changed: null })
  }
  const own = new Map(home.className === null ? [] : flow.classes.get(home.className)?.fields)
  const last = flow.evaluate(frame, lambda.body)
  const self = changedFields(frame, lambda, own)
  const summary = { ...summarize(flow, frame, lambda, initial, last), self }
  flow.depth--
  flow.narrowing = narrowing
  flow.summaries.set(lambda, summary)
  return summary
}

function summarize(flow: Flow, frame: Frame, lambda: Lambda, initial: readonly Value[], last: Value): Omit<Summary, 'self'> {
  const isResult = lambda.isExpressionBody && !frame.env.isDead
  const result = frame.result === null ? (isResult ? last : unknown) : isResult ? joinValues(frame.result, last) : frame.result
  const lastIr = lambda.body.op === 'block' ? lambda.body.body.at(-1) : lambda.body
  if (isResult) onReturn(flow, frame, last, lastIr)
  if (!frame.env.isDead) noteExit(flow, frame, isResult ? (lastIr ?? null) : null, isResult ? last : unknown)
  const effects = new Map<number, Value>()
  for (const [index, parameter] of lambda.parameters.entries()) {
    const after = leftIn(frame, parameter.name)
    const before = initial[index]
    if (after === undefined || before === undefined || after === before || after.path !== null) continue
    const added = deepOrigins(after).filter((origin) => origin.parameter?.index !== index)
    if (added.length > 0) effects.set(index, effectOf(after, before, index))
    if (added.length > 0) checkAnswer(flow, frame, withOrigins(unknown, added), parameter)
  }
  keepFields(flow, frame, lambda)
  askForResult(frame, initial, result)
  // A method may be overridden by one that returns.
  const neverReturns = frame.env.isDead && frame.result === null && frame.className === null
  return {
    result,
    returnsSelf: frame.className !== null && returnsSelf(lambda),
    neverReturns,
    parameterCalls: frame.parameterCalls,
    hits: allHits(frame.hits),
    questions: frame.questions,
    givesBack: parametersIn(lambda, result),
    effects,
    validated: validatedBy(frame.exits),
    marks: marksLeft(flow, lambda, frame.exits),
  }
}

/** What a parameter holds at the end, and at each return before it. */
function leftIn({ env, left }: Frame, name: string): Value | undefined {
  const last = env.variables.get(name)
  const kept = left.get(name)
  if (kept === undefined || kept.changed === null || last === undefined || last === kept.changed) return last
  return env.isDead || last === kept.begun ? kept.changed : joinValues(kept.changed, last)
}

/** A function in the result may use any parameter. */
function askForResult(frame: Frame, initial: readonly Value[], result: Value): void {
  const isFunction = result.func !== undefined || [...(result.fields?.values() ?? [])].some((field) => field.func !== undefined)
  if (!isFunction) return
  for (const value of initial) {
    ask(frame, 'data', value)
    ask(frame, 'constant', value)
  }
}

/** The parameters that are the result, whole or in part. */
const parametersIn = (lambda: Lambda, { origins }: Value): readonly number[] =>
  origins.flatMap(({ parameter }) => (parameter?.of === lambda ? [parameter.index] : []))

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
      holdIn(flow, info, key, isStable ? kept : { ...kept, constant: undefined })
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

/** Applies a function's summary to the arguments of a call; what it asks about its parameters is answered by a second look. */
export function callFunction(
  flow: Flow,
  site: CallSite,
  lambda: Lambda,
  { isConstruction = false, closure }: { isConstruction?: boolean; closure?: FunctionValue | undefined } = {},
): Value {
  const summary = summaryOf(flow, lambda)
  const args = lambda.parameters.map((parameter, index) => argumentFor(flow, site, lambda, parameter, index))
  if (summary === null) {
    const origins = site.args.reduce<readonly Origin[]>((all, one) => joinOrigins(all, deepOrigins(one.subject.value)), [])
    return { ...unknown, origins }
  }
  for (const [index, { name }] of lambda.parameters.entries()) checkGiven(flow, site.frame, name, args[index] ?? unknown, site)
  const holder = holderOf(flow, site, lambda, isConstruction)
  const replaceAll = (origins: readonly Origin[]): readonly Origin[] => {
    return origins.reduce<readonly Origin[]>(
      (all, origin) => joinOrigins(all, substitute(flow, site, { lambda, args, holder }, origin)),
      [],
    )
  }
  const again = isWorthLooking(flow, site, lambda, summary, args, closure) ? (closure ?? declaredAt(flow, lambda)) : null
  const looked = again === null ? null : lookAgain(flow, site, again, args)
  for (const hit of summary.hits) {
    if (looked !== null && hit.isAsked) continue
    const unmarked = askedOfCaller(flow, site, hit.unmarked, args)
    if (unmarked === null) continue
    const origins = replaceAll(hit.origins)
    if (origins.length > 0) arrive(flow, site.frame, { ...hit, unmarked, handed: site }, origins)
  }
  for (const [index, effect] of summary.effects) {
    const argument = site.args.filter((one) => one.name === undefined)[index]
    const put = mapOrigins(escapedBy(flow, lambda, effect), replaceAll, 3)
    if (argument !== undefined && deepOrigins(put).length > 0)
      updatePlace(flow, site.frame, argument.subject.ir, (old) => withEffect(old, put))
  }
  if (summary.neverReturns) site.frame.env.isDead = true
  cleanArguments(flow, site, summary.validated.always)
  markArguments(flow, site, summary.marks)
  if (isConstruction || flow.scopes.get(lambda)?.className != null) storeInClass(flow, lambda, replaceAll)
  if (looked === null) runPassed(flow, site, lambda, summary, args, replaceAll)
  const answer = looked === null ? resultFor(summary, args, replaceAll) : withHeldOf(flow, holder, lambda, looked)
  const result = escapedBy(flow, lambda, answer)
  const changes = new Map([...summary.self].map(([key, value]) => [key, mapOrigins(value, replaceAll, 3)]))
  if (isConstruction) return constructed(flow.classes.get(flow.scopes.get(lambda)?.className ?? ''), result, changes)
  return applyToReceiver(flow, site, lambda, summary, changes) ?? result
}

type Replace = (origins: readonly Origin[]) => readonly Origin[]

/** What is made of a built text counts as built. */
function resultFor(summary: Summary, args: readonly Value[], replaceAll: Replace): Value {
  const made = mapOrigins(summary.result, replaceAll, 3)
  return summary.givesBack.some((index) => args[index]?.isConcat === true) ? { ...made, isConcat: true } : made
}

/** Functions that were passed in run with what the function gives them. */
function runPassed(
  flow: Flow,
  site: CallSite,
  lambda: Lambda,
  { parameterCalls }: Summary,
  args: readonly Value[],
  replaceAll: Replace,
): void {
  for (const { parameter, args: values } of parameterCalls) {
    const func = parameter === 'block' ? site.args.at(-1)?.subject.value.func : args[parameter]?.func
    const passed = values.map((value) => mapOrigins(value, replaceAll, 3))
    if (func !== undefined && passed.some((value) => deepOrigins(value).length > 0))
      callPassed(flow, site, func, passed, lambda.name)
  }
}

function isWorthLooking(
  flow: Flow,
  site: CallSite,
  lambda: Lambda,
  { questions }: Summary,
  args: readonly Value[],
  closure: FunctionValue | undefined,
): boolean {
  // What is around the closure has values of its own here, or parameters that mean something here.
  if (questions.has('around') && closure !== undefined) return true
  if (closure !== undefined && !lambda.declares && closure.scope !== flow.scopes.get(lambda)?.scope) return true
  if (questions.has('block') && site.args.at(-1)?.subject.value.func !== undefined) return true
  return args.some((argument, index) => answers(questions.get(index), argument))
}

/** `app.post('/orders', (req, res) => ...)`, also inside of a function that sets up many. */
const isHandler = ({ args }: CallSite, { parameters }: Lambda): boolean =>
  args.length > 1 && parameters.length > 0 && typeof args[0]?.subject.value.constant === 'string'

/** A function that was passed in is called inside. What is declared has a summary; only a function that stands here is evaluated. */
export function callPassed(flow: Flow, site: CallSite, func: FunctionValue, values: readonly Value[], callbackOf: string): Value {
  if (!func.lambda.declares) return callLambda(flow, site.frame, func, values, callbackOf, isHandler(site, func.lambda))
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
    const given = (positional[index] ?? site.args[index])?.subject.ir
    // The shell's `"$name"` is the variable itself.
    const ir = given?.op === 'concat' && given.parts.length === 1 ? given.parts[0] : given
    if (ir != null && isPlace(ir)) updatePlace(flow, site.frame, ir, (old) => cleaned(old, [...kinds]))
    else if (ir?.op === 'call') noteTested(flow, site.frame, ir, [...kinds])
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

/** What the argument brings along. A part that it is not known to have is nothing of what its names say. */
function originsGiven(flow: Flow, argument: Value, keys: readonly string[]): readonly Origin[] {
  const { part, rest } = partGiven(flow, argument, keys)
  const origins = deepOrigins(part)
  if (rest.length === 0) return origins
  return origins.flatMap((origin) => {
    if (isNumber(origin.label) || (origin.parameter === null && origin.isWhole !== true))
      return rest.reduce<readonly Origin[]>(originsOfPart, [origin])
    return origin.isWhole === true && part === argument ? [] : [origin]
  })
}

/** `null` for what came from elsewhere. */
function originsFor(flow: Flow, { lambda, args, holder }: Given, origin: Origin): readonly Origin[] | null {
  const held = heldInstead(flow, holder, lambda, origin)
  if (held !== null || origin.parameter?.of !== lambda) return held
  const argument = args[origin.parameter.index]
  return argument === undefined ? [] : originsGiven(flow, argument, partKeys(origin))
}

interface Given {
  readonly lambda: Lambda
  readonly args: readonly Value[]
  readonly holder: Value | null
}

/** The origins of the argument, or of the holder's field, that an origin stands for, with everything that happened to it inside. */
function substitute(flow: Flow, site: CallSite, given: Given, origin: Origin): readonly Origin[] {
  return (
    originsFor(flow, given, origin)?.map((actual) => ({
      ...actual,
      clean: origin.clean.size === 0 ? actual.clean : new Set([...actual.clean, ...origin.clean]),
      built: actual.built || origin.built,
      lead: origin.lead === undefined ? actual.lead : origin.lead + (actual.lead ?? ''),
      opaque: actual.opaque || origin.opaque || (actual.isWhole === true && origin.isAnswer === true),
      isAnswer: origin.isAnswer ?? actual.isAnswer,
      trail: throughCall(actual.trail, site, origin),
    })) ?? [origin]
  )
}

/** A function out of a variable or a table, and what else may stand there. */
export function callValue(flow: Flow, site: CallSite, func: FunctionValue): Value {
  const first = callFunction(flow, site, func.lambda, { closure: func })
  const { others = [] } = func
  return others.reduce((result, one) => joinValues(result, callFunction(flow, site, one.lambda, { closure: one })), first)
}
