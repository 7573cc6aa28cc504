/** Evaluation of a call: rules, sinks and sources of the callee, then the effect on receiver and arguments, then the result. */
import { conditionsHold } from '../../match/conditions.js'
import { type Subject, writtenName } from '../../match/subject.js'
import { kindsOf, type Role, type RoleOf } from '../../rulebook/compile.js'
import { nameOf, parseName } from '../../rulebook/qualified-name.js'
import { extensionModifier, type Call } from '../../syntax/ir.js'
import { deletePart, elementOf, partOf, updatePlace } from '../assign.js'
import { type CallSite, entriesAbout, memberNames, selectArguments, type SiteArgument, taggedSite } from './call-site.js'
import { afterLambda, elementFor, placeOfIndex } from './elements.js'
import { afterNamed } from './mapped-by-name.js'
import { slicedFrom } from '../values/collections.js'
import { filledBy } from './scanned.js'
import { componentSite } from './components.js'
import { placeOfCall, spreadParts } from './spread.js'
import { enforce } from '../conditions/enforced.js'
import { keptByTest } from '../conditions/kept.js'
import { lookup, testedCalls } from '../environment.js'
import { externalResult, forgetChanged } from './external-calls.js'
import {
  baseMethod,
  callsByName,
  constructedClass,
  constructFields,
  constructorOf,
  injectedClass,
  isOwnFunction,
  methodOf,
  shareFields,
} from './classes.js'
import { implied, onThis } from './objects.js'
import { callLambda } from './closures.js'
import { callFunction, callPassed, callValue } from './functions.js'
import { argumentFor } from './parameters.js'
import { askType, assignState, settlerOf, withSettled } from './settled.js'
import { enumsOf, isHarmlessType } from '../values/harmless-types.js'
import { withReceiver } from './getters.js'
import { functionNamed } from './named-functions.js'
import { endsByLevel } from './told.js'
import { checkArguments } from '../named-sinks.js'
import { checkCallOptions } from '../options.js'
import { withNamedResult } from '../named-data.js'
import { checkSaid, isNote } from '../said-sinks.js'
import {
  applyMarks,
  checkAnswers,
  checkInitializer,
  checkKeySinks,
  checkSink,
  marked,
  originOf,
  roleAt,
  runRules,
  typeOfResult,
} from '../roles.js'
import { ask } from '../questions.js'
import { checkSlice } from '../sliced.js'
import type { Flow, Frame, ParameterCall } from '../state.js'
import { assignedOrigins } from '../values/trail.js'
import {
  cleaned,
  constantValue,
  deepOrigins,
  joinOrigins,
  joinValues,
  libraryValue,
  unknown,
  type Value,
  withOrigins,
  withoutWhole,
  withPicking,
} from '../values/value.js'

export function evaluateCall(flow: Flow, frame: Frame, call: Call): Value {
  const before = flow.narrowing > 0 ? flow.callResults.get(call) : undefined
  if (before !== undefined) return before
  const result = runCall(flow, frame, call)
  flow.callResults.set(call, result)
  return result
}

function runCall(flow: Flow, frame: Frame, call: Call): Value {
  const special =
    call.callee.op === 'name' && call.callee.name.startsWith('%') ? specialCall(flow, frame, call, call.callee.name) : null
  if (special !== null) return special
  const calleeValue = call.callee.op === 'member' ? unknown : flow.readCallee(frame, call.callee)
  const site = buildSite(flow, frame, call, calleeValue)
  const loaded = moduleOf(flow, site)
  const roles = entriesAbout(flow, flow.book.calls, site).map(({ role }) => role)
  runRules(flow, site, roles)
  const isAnswer = !call.isNew && call.callee.op === 'name' && calleeValue.isAnswer === true
  const isOwn = isOwnFunction(flow, site, calleeValue, call)
  // What is called `logLine` writes a line, whoever has made it.
  const isSpoken = isOwn && !callsByName.has(flow.book.language)
  for (const role of isAnswer || (isOwn && !isSpoken) ? [] : roles)
    if (role.role === 'sink' && (!isOwn || isNote(role.conditions.kind))) checkSink(flow, site, role)
  if (calleeValue.func === undefined) checkSaid(flow, site, roles)
  checkKeySinks(flow, site)
  checkArguments(flow, site)
  checkCallOptions(flow, site)
  checkInitializer(flow, site)
  applyMarks(flow, site, roles)
  askType(flow, site)
  noteParameterCall(flow, frame, site, calleeValue)
  const lambdaResult = runLambdas(flow, site, roles)
  if (lambdaResult !== null) checkAnswers(flow, site, roles, lambdaResult)
  const result = loaded ?? withSettled(flow, site, withNamedResult(flow, site, resultOf(flow, site, roles, calleeValue, call)))
  const withLambda = lambdaResult === null ? afterNamed(flow, site, result) : afterLambda(flow, site, result, lambdaResult)
  const kept = site.receiver === null ? withLambda : keptByTest(flow, frame, call, site.method, site.receiver.value, withLambda)
  if (calleeValue.setter !== undefined) assignState(site, calleeValue.setter)
  const finished = cleanedByTest(flow, frame, call, finish(flow, site, roles, kept))
  requireTest(flow, site)
  enforce(flow, site)
  if (site.method === 'del' || site.method === 'unset')
    for (const { value } of call.args) deletePart(flow, frame, value, site.method === 'del')
  if (flow.book.words.ends.has(site.method) || endsByLevel(flow, call, site.method)) frame.env.isDead = true
  return finished
}

/** A parameter that is called, and Ruby's `yield`: the caller knows the function. */
function noteParameterCall(flow: Flow, frame: Frame, site: CallSite, callee: Value): void {
  const { symbolic } = frame
  if (symbolic === null) return
  const args = site.args.map(({ subject }) => subject.value)
  const note = (parameter: ParameterCall['parameter']): void => {
    if (args.length > 0 && frame.parameterCalls.length < 20) frame.parameterCalls.push({ parameter, args })
  }
  if (site.method === 'yield' && callee.func === undefined) {
    frame.questions.set('block', new Set(['function']))
    note('block')
  }
  const called = callee.path === null ? (site.receiver?.value ?? callee) : callee
  if (called !== callee && !flow.book.words.calls.has(site.method)) return
  const given = called.origins.find((origin) => origin.parameter?.of === symbolic && !origin.opaque && !origin.built)
  if (given?.parameter == null || (site.receiver === null && callee.origins.length === 0)) return
  ask(frame, 'function', called)
  note(given.parameter.index)
}

/** Calls that return only when their argument, or what they themselves ask, holds. */
function requireTest(flow: Flow, site: CallSite): void {
  const { requires, requires_inside: requiresInside } = flow.book.words
  const [test] = site.args
  const ir = test?.subject.ir
  if (requiresInside.has(site.method) && site.ir.op === 'call') return flow.narrow(site.frame, site.ir, true)
  if (!requires.has(site.method) || ir == null || !['binary', 'unary', 'call', 'block'].includes(ir.op)) return
  flow.narrow(site.frame, ir, true)
}

/** A call that stands in the same words in a condition around it has been tested there. */
function cleanedByTest(flow: Flow, frame: Frame, call: Call, value: Value): Value {
  if (!flow.hasCleanCalls || value.origins.length === 0 || call.end - call.start > 200) return value
  const text = flow.text.slice(call.start, call.end)
  const kinds = [...(lookup(frame.env, testedCalls)?.marks ?? [])].filter((mark) => mark.endsWith(` ${text}`))
  return kinds.length === 0
    ? value
    : cleaned(
        value,
        kinds.map((mark) => mark.slice(0, mark.indexOf(' '))),
      )
}

/** `require('fs')` is the module itself. */
function moduleOf(flow: Flow, site: CallSite): Value | null {
  if (flow.table?.loaders?.includes(site.method) !== true) return null
  const module = site.args[0]?.subject.value.constant
  if (typeof module !== 'string') return null
  return libraryValue(parseName(module.replace(/^node:/, '').replaceAll(flow.book.language === 'python' ? '\0' : '.', '_')))
}

/** `%element(list)` reads elements, `%substitution` and others take the value of their commands. */
function specialCall(flow: Flow, frame: Frame, call: Call, name: string): Value | null {
  if (name === '%dynamic' || name === '%x') return null
  const values = call.args.map((argument) => flow.evaluate(frame, argument.value))
  const [first] = values
  if (name === '%element') return first === undefined ? unknown : elementOf(first)
  if (name === '%slice') {
    const [object = unknown, from, to] = values
    checkSlice(flow, frame, call, values)
    if (typeof object.constant === 'string') {
      const ends = [from?.constant ?? 0, to?.constant ?? object.constant.length]
      if (ends.every((end) => typeof end === 'number')) return constantValue(object.constant.slice(...ends))
    }
    return withPicking(slicedFrom(object, from?.constant, to?.constant), ...values.slice(1))
  }
  if (name === '%key') return { ...unknown, origins: first?.origins ?? [] }
  if (name === '%length') return unknown
  if (name === '%arithmetic') return withPicking(unknown, ...values)
  const joined = values.reduce((a, b) => joinValues(a, b), unknown)
  return { ...joined, constant: undefined }
}

function buildSite(flow: Flow, frame: Frame, call: Call, calleeValue: Value): CallSite {
  const written = writtenName(call.callee)
  let receiver: Subject | null = null
  let names = [...(calleeValue.path === null ? [] : [calleeValue.path]), ...(written === null ? [] : [written])]
  if (call.scope !== undefined && written !== null) names.push(nameOf(written.segment, parseName(call.scope)))
  if (call.callee.op === 'member') {
    receiver = { value: flow.evaluate(frame, call.callee.object), ir: call.callee.object }
    names = memberNames(flow, receiver, call.callee.property, written)
  }
  const namesFunction = flow.book.words.names_function.has(names[0]?.segment ?? '')
  const args = call.args.flatMap((argument): SiteArgument[] => {
    const value = flow.evaluate(frame, (namesFunction ? functionNamed(argument.value) : null) ?? argument.value)
    const parts = argument.spread === true ? spreadParts(flow, argument.value, value) : []
    if (parts.length > 0) return parts
    if (argument.spread !== true) return [{ name: argument.name, subject: { value, ir: argument.value } }]
    return [{ name: argument.name, subject: { value: elementOf(value), ir: argument.value }, spread: true }]
  })
  const method = names[0]?.segment ?? ''
  return { frame, ir: call, ...placeOfCall(flow, frame, call, args), method, names, receiver, args, isNew: call.isNew }
}

/** Functions among the arguments run now: with modelled parameters, else with the elements of the receiver. */
function runLambdas(flow: Flow, site: CallSite, roles: readonly Role[]): Value | null {
  let joined: Value | null = null
  if (flow.narrowing > 0) return null
  const types = roleAt(flow, site, roles, 'callback')?.types
  for (const { subject } of site.args) {
    const { func, setter } = subject.value
    if (setter !== undefined)
      assignState({ ...site, args: [{ name: undefined, subject: { value: elementFor(flow, site), ir: null } }] }, setter)
    if (func === undefined) continue
    const element = elementFor(flow, site)
    const { hands_over: over, hands_argument: first } = flow.book.words
    const isKept = deepOrigins(element).length > 0 || over.has(site.method) || first.has(site.method)
    const inherited = isKept ? element : unknown
    const settler = settlerOf(flow, site)
    const params = func.lambda.parameters.map((_, index, { length }): Value => {
      const type = types?.[index]
      if (index === 0 && settler !== null) return settler
      if (index === placeOfIndex(flow, site, length)) return unknown
      if (types !== undefined) return typeof type === 'string' ? { ...unknown, type } : unknown
      return inherited
    })
    if (params.length === 0) params.push(typeof types?.[0] === 'string' ? { ...unknown, type: types[0] } : inherited)
    const sourced = withCallbackSources(flow, site, params)
    if (func.lambda.declares && !sourced.some((value) => deepOrigins(value).length > 0)) continue
    const result = callPassed(flow, site, func, sourced, site.method)
    joined = joined === null ? result : joinValues(joined, result)
  }
  return joined
}

function withCallbackSources(flow: Flow, site: CallSite, params: readonly Value[]): Value[] {
  const result = [...params]
  for (const { role } of entriesAbout(flow, flow.book.callbackSources, site)) {
    if (role.role !== 'source') continue
    const { conditions: source, only } = role
    if (source.callback === undefined || !conditionsHold(flow, source, site)) continue
    const indexes = Array.isArray(source.callback.parameter) ? source.callback.parameter : [source.callback.parameter]
    for (const index of indexes) {
      const old = result[index]
      if (old !== undefined) result[index] = withOrigins(old, joinOrigins(old.origins, [originOf(flow, source, only, site)]))
    }
  }
  return result
}

function resultOf(flow: Flow, site: CallSite, roles: readonly Role[], calleeValue: Value, call: Call): Value {
  const path = site.names[0] ?? null
  const sources = roles.filter(
    (role): role is RoleOf<'source'> => role.role === 'source' && conditionsHold(flow, role.conditions, site),
  )
  let result = localResult(flow, site, calleeValue, call)
  const isLocal = result !== null
  result ??= withExtension(flow, site, externalResult(flow, site, roles))
  if (!isLocal) fillDeclared(flow, site, result)
  if (!isLocal) forgetChanged(flow, site)
  if (!isLocal && site.receiver === null) result = applied(site, calleeValue, result)
  for (const { conditions: source, only } of sources) {
    if (source.call === undefined || source.lasts === true) continue
    const origin = originOf(flow, source, only, site)
    flow.trace?.(`source ${source.label}`, site.start)
    if (source.to === undefined) result = withOrigins(result, joinOrigins(result.origins, [origin]))
    for (const subject of filledBy(site, source.to ?? [], source.scans)) {
      updatePlace(flow, site.frame, subject.ir, (old) => {
        const filled = { ...old, constant: undefined, origins: joinOrigins(old.origins, [origin]) }
        return isHarmlessType(flow, old.type) ? cleaned(filled, ['text']) : filled
      })
    }
  }
  const typed = typeOfResult(flow, site, roles)
  const constructed = constructedClass(flow, site)
  const own = isLocal || roles.some((role) => role.role === 'propagator') ? result.path : null
  return {
    ...result,
    path: own ?? path,
    isAnswer: own === null ? true : result.isAnswer,
    type: typed ?? constructed ?? injectedClass(flow, site) ?? result.type,
    isMade: constructed !== undefined && flow.classes.has(constructed) ? true : result.isMade,
  }
}

/** C#: `TryCreate(x, out var made)`; what is parsed as a number is not text any more. */
function fillDeclared(flow: Flow, site: CallSite, result: Value): void {
  if (flow.book.words.parses.has(site.method) || result.origins.length === 0) return
  for (const { subject } of site.args) {
    const { ir } = subject
    if (ir?.op === 'assign' && ir.declares && ir.value === null)
      updatePlace(flow, site.frame, ir.target, (old) =>
        withOrigins(old, joinOrigins(old.origins, assignedOrigins(withoutWhole(result.origins), ir.target))),
      )
  }
}

/** Calling a value that holds data: `map("k")` reads an entry, `text(1)` a character, anything else passes the data on. */
function applied(site: CallSite, callee: Value, result: Value): Value {
  const key = site.args[0]?.subject.value.constant
  if (typeof callee.constant === 'string' && typeof key === 'number') return constantValue(callee.constant[key] ?? null)
  if (callee.fields === undefined && callee.origins.length === 0) return result
  if (callee.fields !== undefined && (typeof key === 'string' || typeof key === 'number')) return partOf(callee, String(key))
  return withOrigins(result, joinOrigins(result.origins, deepOrigins(callee)))
}

/** A function of this file. */
function localResult(flow: Flow, site: CallSite, calleeValue: Value, call: Call): Value | null {
  const component = componentSite(site, call)
  const func = component === null ? calleeValue.func : lookup(site.frame.env, component.method)?.func
  if (component !== null && func !== undefined) return callFunction(flow, component, func.lambda, { closure: func })
  if (calleeValue.func !== undefined) {
    const { func } = calleeValue
    const { parameters } = func.lambda
    // `(function (win) { ... })(window)`: what it is given keeps its name.
    if (call.callee.op === 'function' && site.args.some(({ subject }) => subject.value.path !== null)) {
      const given = parameters.map((parameter, index) => argumentFor(flow, site, func.lambda, parameter, index))
      return callLambda(flow, site.frame, func, given, '')
    }
    return callValue(flow, taggedSite(flow, site, call), func)
  }
  const ofBase = baseMethod(flow, site, call.callee)
  if (ofBase !== null) return callFunction(flow, onThis(site), ofBase)
  if (call.callee.op === 'member') {
    const member = site.receiver?.value.fields?.get(call.callee.property)
    if (member?.func !== undefined) return callFunction(flow, site, member.func.lambda, { closure: member.func })
    const receiver = site.receiver?.value.func
    if (receiver !== undefined && flow.book.words.calls.has(call.callee.property))
      return callFunction(flow, site, receiver.lambda, { closure: receiver })
    const made = call.callee.property === 'new' ? constructedClass(flow, site) : undefined
    const maker = made === undefined ? null : constructorOf(flow, made)
    if (maker !== null) return callFunction(flow, site, maker, { isConstruction: true })
    const method = methodOf(flow, site, call.callee.property)
    if (method === null) return implied(flow, site, call.callee.property)
    shareFields(flow, site, method)
    return withReceiver(flow, method, site.receiver?.value, callFunction(flow, site, method))
  }
  if (call.callee.op === 'name') {
    const built = constructorOf(flow, call.callee.name)
    if (built !== null) return callFunction(flow, site, built, { isConstruction: true })
    const made = constructFields(flow, site, call.callee.name)
    if (made !== null) return made
    const own = site.frame.className === null ? undefined : flow.classes.get(site.frame.className)?.methods.get(call.callee.name)
    if (own !== undefined) {
      const onOwn = onThis(site)
      return withReceiver(flow, own, onOwn.receiver?.value, callFunction(flow, onOwn, own))
    }
  }
  return null
}

/** A function of the file that is called on a value of another type: what it does with its arguments, beside what any call passes on. */
function withExtension(flow: Flow, site: CallSite, result: Value): Value {
  const func = site.receiver === null ? undefined : flow.globals.variables.get(site.method)?.func
  if (func === undefined || !func.lambda.modifiers.includes(extensionModifier)) return result
  const made = callFunction(flow, site, func.lambda)
  return { ...withOrigins(result, joinOrigins(result.origins, made.origins)), fields: result.fields ?? made.fields }
}

/** `Color.valueOf(text)`, `Color(text)`, `Color::from($text)` of an enumeration of the file. */
function isEnumCase(flow: Flow, { ir }: CallSite): boolean {
  if (ir.op !== 'call') return false
  const { callee } = ir
  if (callee.op === 'name') return enumsOf(flow).has(callee.name)
  return callee.op === 'member' && callee.object.op === 'name' && enumsOf(flow).has(callee.object.name)
}

/** Sanitizers and marks of the result come last: they hold whatever the function did. */
function finish(flow: Flow, site: CallSite, roles: readonly Role[], value: Value): Value {
  let result = value.origins.length > 0 && isEnumCase(flow, site) ? cleaned(value, ['text']) : value
  for (const role of roles) {
    if (role.role === 'sanitizer' && conditionsHold(flow, role.conditions, site)) {
      const kinds = kindsOf(role.conditions.kinds)
      result = cleaned({ ...result, constant: undefined }, kinds)
      if (role.conditions.argument !== undefined) {
        for (const subject of selectArguments(site, role.conditions.argument))
          updatePlace(flow, site.frame, subject.ir, (old) => cleaned(old, kinds))
      }
    }
    if (role.role === 'mark' && role.conditions.on === 'result' && conditionsHold(flow, role.conditions, site)) {
      result = marked(result, role.conditions.mark, role.conditions.clears)
    }
  }
  for (const role of roles) {
    if (role.role !== 'source' || role.conditions.lasts !== true || !conditionsHold(flow, role.conditions, site)) continue
    flow.trace?.(`source ${role.conditions.label}`, site.start)
    result = withOrigins(result, joinOrigins(result.origins, [originOf(flow, role.conditions, role.only, site)]))
  }
  return result
}
