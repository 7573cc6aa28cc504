/** The conditions that any matcher may add: arguments, receiver, place, file, comparisons of sizes. */
import { type CallSite, selectArguments } from '../flow/calls/call-site.js'
import { functionName, isCalled } from '../flow/callers.js'
import { askAbout } from '../flow/questions.js'
import type { Flow, Frame } from '../flow/state.js'
import { unknown } from '../flow/values/value.js'
import type { Constraint, Context } from '../rulebook/matcher-schema.js'
import { maxTextLength } from '../rulebook/safe-regex.js'
import type { Rule } from '../rulebook/schema.js'
import type { Ir, Lambda, Loop } from '../syntax/ir.js'
import { hasNameLike, type NamesOfCalls, namesOfCalls } from './call-names.js'
import { isChosen } from './chosen.js'
import { holds, matchesAnyName, matchesText } from './constraints.js'
import { nodesOf } from './nodes.js'
import { type Subject, writtenName } from './subject.js'

export interface Conditions {
  readonly args?: Record<string, Constraint>
  readonly argc?: number | { min?: number; max?: number }
  readonly receiver?: Constraint
  readonly unused?: boolean
  readonly goes_on?: boolean
  readonly chosen_as?: string
  readonly inside?: Context
  readonly not_inside?: Context
  readonly file_has?: string[]
  readonly file_lacks?: string[]
  readonly compare?: { left: string; operator: string; right: string }[]
}

/** Conditions about the arguments of a call, then those about its place. */
export function conditionsHold(flow: Flow, conditions: Conditions, site: CallSite): boolean {
  const { argc } = conditions
  if (argc !== undefined) {
    const count = site.args.length
    if (typeof argc === 'number' ? count !== argc : count < (argc.min ?? 0) || count > (argc.max ?? Infinity)) return false
  }
  for (const [selector, constraint] of argumentsOf(conditions)) {
    const subjects = selectArguments(site, selector === 'any' ? 'all' : selector)
    if (argumentHolds(flow, site, selector, subjects, constraint)) continue
    for (const { value } of subjects) askAbout(site.frame, constraint, value)
    return false
  }
  if (conditions.receiver !== undefined && !holds(flow, conditions.receiver, site.receiver)) {
    askAbout(site.frame, conditions.receiver, site.receiver?.value ?? unknown)
    return false
  }
  if (conditions.unused !== undefined && conditions.unused !== isUnused(flow, site)) return false
  if (conditions.goes_on !== undefined && conditions.goes_on !== flow.goingOn.has(site.ir)) return false
  if (conditions.chosen_as !== undefined && !isChosen(flow, conditions.chosen_as, site)) return false
  if (conditions.compare?.every((one) => comparisonHolds(site, one)) === false) return false
  return placeHolds(flow, conditions, site.frame)
}

const listed = new WeakMap<Conditions, [string, Constraint][]>()
const none: [string, Constraint][] = []

/** Asked at every call that a rule may be about: the list is made once. */
function argumentsOf(conditions: Conditions): readonly [string, Constraint][] {
  if (conditions.args === undefined) return none
  let list = listed.get(conditions)
  if (list === undefined) listed.set(conditions, (list = Object.entries(conditions.args)))
  return list
}

/** Rust's `?` hands a failure on; a function of the file that answers nothing is used as it is meant. */
const isUnused = (flow: Flow, site: CallSite): boolean =>
  flow.unusedCalls.has(site.ir) && flow.text[site.ir.end] !== '?' && !answersNothing(flow, site)

function answersNothing(flow: Flow, { method, receiver }: CallSite): boolean {
  if (receiver !== null && !(receiver.ir?.op === 'name' && flow.table?.self.includes(receiver.ir.name) === true)) return false
  const named = flow.globals.variables.get(method)?.func?.lambda
  const called = [...(flow.methodsByName.get(method) ?? []).map(({ lambda }) => lambda), ...(named === undefined ? [] : [named])]
  const answers = ({ body, isExpressionBody }: Lambda): boolean =>
    isExpressionBody || nodesOf(body).some((ir) => ir.op === 'jump' && ir.kind === 'return' && ir.value !== null)
  return called.length > 0 && !called.some(answers)
}

/** `any` means that some argument meets the constraint; other selectors name one. */
function argumentHolds(
  flow: Flow,
  site: CallSite,
  selector: string,
  subjects: readonly Subject[],
  constraint: Constraint,
): boolean {
  if (selector === 'any') return subjects.some((subject) => holds(flow, constraint, subject))
  if (selector === 'all' || selector.endsWith('..'))
    return subjects.length > 0 && subjects.every((subject) => holds(flow, constraint, subject))
  const subject = subjects[0] ?? null
  if (subject === null && mayBeSpread(site, selector)) return false
  return holds(flow, constraint, subject)
}

/** `f(x, **options)`: whether there is an argument of this name cannot be known. */
const mayBeSpread = (site: CallSite, selector: string): boolean =>
  selector !== 'receiver' &&
  !/^-?\d/.test(selector) &&
  site.args.some(({ name, spread }) => name === undefined && spread === true)

export function placeHolds(flow: Flow, conditions: Conditions, frame: Frame): boolean {
  if (conditions.inside !== undefined && !isInside(flow, conditions.inside, frame)) return false
  if (conditions.not_inside !== undefined && isInside(flow, conditions.not_inside, frame)) return false
  if (conditions.file_has?.every((pattern) => textMatches(flow, 'file', pattern)) === false) return false
  return conditions.file_lacks?.some((pattern) => textMatches(flow, 'file', pattern)) !== true
}

/** Whether the place excuses the rule there; what `unless` says about calls is asked at the call. */
export const isExcused = (flow: Flow, rule: Rule, frame: Frame): boolean =>
  rule.unless?.some(
    (one) =>
      one.call === undefined &&
      one.new === undefined &&
      one.args === undefined &&
      one.receiver === undefined &&
      one.chosen_as === undefined &&
      placeHolds(flow, one, frame),
  ) === true

/** Answers about a function of the file, or about all of it (`null`): many rules ask the same at every call. */
interface Answers {
  readonly text: Map<string, boolean>
  readonly calls: Map<readonly string[], boolean>
  lines: readonly string[] | null
  names: NamesOfCalls | null
}

/** A function, a loop, the top level (`null`), or all of the file. */
type Part = Lambda | Loop | 'file' | null

const known = new WeakMap<Flow, Map<Part, Answers>>()

function answersAbout(flow: Flow, lambda: Part): Answers {
  let ofFlow = known.get(flow)
  if (ofFlow === undefined) known.set(flow, (ofFlow = new Map()))
  let answers = ofFlow.get(lambda)
  if (answers === undefined) ofFlow.set(lambda, (answers = { text: new Map(), calls: new Map(), lines: null, names: null }))
  return answers
}

/** Tested line by line, so that the length limit of regular expressions never hides a line. */
function textMatches(flow: Flow, part: Part, pattern: string): boolean {
  const answers = answersAbout(flow, part)
  let answer = answers.text.get(pattern)
  if (answer === undefined) {
    const text = textOf(flow, part)
    answers.lines ??= text.split('\n')
    answer = answers.lines.some((line) => matchesText(pattern, line))
    if (!answer && part !== 'file' && speaksOfStatements.test(pattern))
      answer = stretches(text).some((one) => matchesText(pattern, one))
    answers.text.set(pattern, answer)
  }
  return answer
}

/** What follows behind the end of a statement or the start of a block mostly stands on the next line. */
const speaksOfStatements = /\[\\s\\S\]|(?:\[;\{\}\]|;|\\[{}])\\s\{|;\[\^\}\]\{/

/** Pieces of a text as long as expressions look at; each goes on from the middle of the one before. A bound for generated code. */
function stretches(text: string): readonly string[] {
  const step = maxTextLength / 2
  const count = Math.min(20, Math.max(1, Math.ceil(text.length / step) - 1))
  return Array.from({ length: count }, (_, at) => text.slice(at * step, at * step + maxTextLength))
}

function textOf(flow: Flow, part: Part): string {
  if (part === 'file') return flow.text
  const text = part === null ? topText(flow) : flow.text.slice(part.start, part.end)
  return flow.book.language === 'rust' ? text.replaceAll(debugOnly, '') : text
}

/** Rust: what only debug builds check is no check of what is shipped. */
const debugOnly = /\bdebug_assert(?:_eq|_ne)?!\([^;]{0,300}\);/g

/** What stands outside of the functions that the file declares: what one of them does is not done to all. */
function topText(flow: Flow): string {
  const declared = [...flow.callsInside.keys()].filter((one) => one.declares && one.start < one.end)
  let text = ''
  let at = 0
  for (const { start, end } of declared.toSorted((one, other) => one.start - other.start)) {
    if (start < at) continue
    text += flow.text.slice(at, start)
    at = end
  }
  return text + flow.text.slice(at)
}

function isInside(flow: Flow, context: Context, frame: Frame): boolean {
  const { lambda, className } = frame
  const info = className === null ? undefined : flow.classes.get(className)
  const { ignoreCase } = flow.book
  if (context.function !== undefined && !matchesText(context.function, lambda === null ? '' : functionName(flow, lambda)))
    return false
  if (context.decorator !== undefined && !hasDecorator(context.decorator, lambda?.decorators ?? [], ignoreCase)) return false
  if (context.class !== undefined && !matchesText(context.class, className ?? '')) return false
  const { extends: base } = context
  if (base !== undefined && info?.ir.bases.some((one) => matchesText(base, one)) !== true) return false
  if (context.class_decorator !== undefined && !hasDecorator(context.class_decorator, info?.ir.decorators ?? [], ignoreCase))
    return false
  if (context.loop !== undefined && context.loop !== frame.loopDepth > 0) return false
  if (context.loop_has !== undefined && (frame.loop === null || !textMatches(flow, frame.loop, context.loop_has))) return false
  if (context.loop_lacks !== undefined && frame.loop !== null && textMatches(flow, frame.loop, context.loop_lacks)) return false
  const { if: asked } = context
  if (asked !== undefined && !frame.tests.some(({ start, end }) => matchesText(asked, flow.text.slice(start, end)))) return false
  if (context.catch !== undefined && context.catch !== frame.inCatch) return false
  if (context.callback_of !== undefined && (frame.callbackOf === null || !context.callback_of.includes(frame.callbackOf)))
    return false
  const around = frame.outermost ?? lambda
  if (context.has_call !== undefined && !callsAny(flow, around, context.has_call)) return false
  if (context.lacks_call !== undefined && callsAny(flow, around, context.lacks_call)) return false
  if (context.called !== undefined && context.called !== (lambda !== null && isCalled(flow, lambda))) return false
  if (context.recursive !== undefined && context.recursive !== isRecursive(flow, around)) return false
  // What a field of a class is made of belongs to all of the class.
  return textHolds(flow, context, around === null && className !== null ? 'file' : around)
}

function isRecursive(flow: Flow, lambda: Lambda | null): boolean {
  if (lambda === null) return false
  const name = functionName(flow, lambda)
  return name !== '' && callsAny(flow, lambda, ownName(lambda, name)) && !callsOverload(flow, lambda, name)
}

/** A function of the same name that takes other things may be the one that is called; not where only this one takes as many. */
function callsOverload(flow: Flow, lambda: Lambda, name: string): boolean {
  const counts = overloads(flow).get(name)
  if (counts === undefined) return false
  const own = lambda.parameters.length
  return !(flow.callsInside.get(lambda) ?? []).some(
    (call) =>
      call.op === 'call' && writtenName(call.callee)?.segment === name && call.args.length === own && counts.get(own) === 1,
  )
}

const overloadsOf = new WeakMap<Flow, ReadonlyMap<string, ReadonlyMap<number, number>>>()

/** Of names with several signatures: how many of these take how many arguments. */
function overloads(flow: Flow): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const known = overloadsOf.get(flow)
  if (known !== undefined) return known
  const signatures = new Map<string, Map<string, number>>()
  for (const { ir } of flow.declarations) {
    if (ir.op !== 'function') continue
    const ofName = signatures.get(ir.name) ?? new Map<string, number>()
    signatures.set(ir.name, ofName.set(ir.parameters.map(({ type }) => type ?? '').join(), ir.parameters.length))
  }
  const found = new Map<string, ReadonlyMap<number, number>>()
  for (const [name, ofName] of signatures) {
    if (ofName.size < 2) continue
    const counts = new Map<number, number>()
    for (const count of ofName.values()) counts.set(count, (counts.get(count) ?? 0) + 1)
    found.set(name, counts)
  }
  overloadsOf.set(flow, found)
  return found
}

const ownNames = new WeakMap<Lambda, readonly string[]>()

function ownName(lambda: Lambda, name: string): readonly string[] {
  const known = ownNames.get(lambda) ?? [name, `this.${name}`]
  ownNames.set(lambda, known)
  return known
}

function textHolds(flow: Flow, { has_text: present, lacks_text: absent }: Context, part: Part): boolean {
  if (present !== undefined && !textMatches(flow, part, present)) return false
  return absent === undefined || !textMatches(flow, part, absent)
}

export const hasDecorator = (patterns: readonly string[], decorators: readonly Ir[], ignoreCase: boolean): boolean =>
  decorators.some((decorator) => matchesAnyName(patterns, writtenName(decorator), ignoreCase))

/** Whether the function (or any, for the top level) contains a call that is written like one of the patterns. */
export function callsAny(flow: Flow, lambda: Lambda | null, patterns: readonly string[]): boolean {
  const answers = answersAbout(flow, lambda)
  let answer = answers.calls.get(patterns)
  if (answer === undefined) {
    const { ignoreCase } = flow.book
    const isInFile = lambda === null || callsAny(flow, null, patterns)
    answer = isInFile && hasNameLike(patterns, (answers.names ??= namesOfCalls(callsIn(flow, lambda), ignoreCase)), ignoreCase)
    answers.calls.set(patterns, answer)
  }
  return answer
}

const callsIn = (flow: Flow, lambda: Lambda | null): readonly Ir[] =>
  lambda === null ? [...flow.callsInside.values()].flat() : (flow.callsInside.get(lambda) ?? [])

/** `size(0) < length(1)`, `type(0) == type(1)`: sizes of buffers, lengths of constants and names of types, as far as they are known. */
function comparisonHolds(site: CallSite, { left, operator, right }: { left: string; operator: string; right: string }): boolean {
  const a = measure(site, left)
  const b = measure(site, right)
  if (a === undefined || b === undefined || typeof a !== typeof b) return false
  if (operator === '<') return a < b
  if (operator === '<=') return a <= b
  if (operator === '>') return a > b
  if (operator === '>=') return a >= b
  return operator === '==' ? a === b : a !== b
}

function measure(site: CallSite, expression: string): number | string | undefined {
  if (/^\d+$/.test(expression)) return Number(expression)
  const parts = /^(size|length|value|type)\(([^)]+)\)$/.exec(expression)
  const subject: Subject | undefined = parts === null ? undefined : selectArguments(site, parts[2] ?? '')[0]
  if (parts === null || subject === undefined) return undefined
  const { constant, size, type } = subject.value
  if (parts[1] === 'type') return type
  if (parts[1] === 'size') return size
  if (parts[1] === 'value') return typeof constant === 'number' ? constant : undefined
  return typeof constant === 'string' ? constant.length : undefined
}
