/** The analysis of one lowered file: top level, then every function, then the rules that are about declarations. */
import { isLanguageOfC, openGlobals } from './open-globals.js'
import { findAccess } from '../access/index.js'
import type { Fact } from '../facts/run.js'
import { callsAny, hasDecorator, isExcused, placeHolds } from '../match/conditions.js'
import { answersHold, holds, matchesText } from '../match/constraints.js'
import { emptyMeans } from '../match/empty-means.js'
import { opensOf } from '../match/fails-open.js'
import { exitsHolding } from '../match/left-held.js'
import { keptFields } from '../match/kept-fields.js'
import { leftOpen } from '../match/left-open.js'
import { changesOverPauses } from '../match/over-pauses.js'
import { negatedMoves } from '../match/negated-moves.js'
import { poolChanges } from '../match/pool-changes.js'
import { halfChecks } from '../match/half-checks.js'
import { roundChanges } from '../match/round-changes.js'
import { stuckLoops } from '../match/stuck-loops.js'
import { threadRaces } from '../match/thread-races.js'
import { skippedLocks } from '../match/skipped-locks.js'
import { staleWrites } from '../match/stale-writes.js'
import { deferredCloses } from '../match/deferred-closes.js'
import { freedLiterals } from '../match/freed-literals.js'
import { lateBounds } from '../match/late-bounds.js'
import { endlessRetries } from '../match/endless-retries.js'
import { movedAmounts } from '../match/moved-amounts.js'
import { pastEnds } from '../match/past-ends.js'
import { splitLocks } from '../match/split-locks.js'
import { askedClaims } from '../match/asked-claims.js'
import { attempts, endsWithCall } from '../match/tried.js'
import { secondSteps } from '../match/two-steps.js'
import { writtenSteps } from '../match/written.js'
import type { Rulebook } from '../rulebook/compile.js'
import type { Matcher } from '../rulebook/matcher-schema.js'
import type { Rule } from '../rulebook/schema.js'
import type { Assign, Catch, ClassIr, Import, Ir, Lambda } from '../syntax/ir.js'
import type { LanguageTable } from '../syntax/lowering/shapes.js'
import type { TimeLimit } from '../syntax/time-limit.js'
import { evaluate } from './evaluate.js'
import { createFrame } from './calls/frame.js'
import { summaryOf } from './calls/functions.js'
import { narrow } from './conditions/narrow.js'
import { type Declaration, prepare } from './prepare.js'
import { readCallee } from './reads.js'
import { forgottenIn, newHabits } from './habits.js'
import { addFinding, reportUncalled } from './report.js'
import { functionName, isCalled } from './callers.js'
import type { Place } from './sink-hits.js'
import { unanswered } from './unmarked.js'
import { BudgetSpent, type Finding, type Flow, type Frame } from './state.js'
import { deepOrigins, unknown, type Value } from './values/value.js'

export interface AnalysisOptions {
  readonly maxSteps: number
  readonly limit: TimeLimit
  readonly trace?: (message: string, at: number) => void
  /** What was found out about memory and numbers before. */
  readonly facts?: readonly Fact[]
  /** Accesses whose index cannot be too large, as `start:end`. */
  readonly within?: ReadonlySet<string>
}

export interface Analysis {
  readonly findings: Finding[]
  readonly isTruncated: boolean
  readonly steps: number
}

/** Evaluates the file. Always returns: at its limit with what was found until then. */
export function analyze(book: Rulebook, table: LanguageTable | null, text: string, root: Ir, options: AnalysisOptions): Analysis {
  const prepared = prepare(root, table, isLanguageOfC(book.language))
  const flow: Flow = {
    book,
    table,
    text,
    root,
    findings: new Map(),
    collaborators: new Map(),
    ...prepared,
    summaries: new Map(),
    evaluated: new Set(),
    lambdaNames: new Map(),
    declaredTypes: new Map(),
    hasTaintedGlobals: false,
    habits: newHabits(),
    sharedGlobals: new Map(),
    narrowing: 0,
    callResults: new Map(),
    openTests: new Set(),
    within: options.within ?? new Set(),
    hasCleanCalls: false,
    hasCleanPieces: false,
    steps: 0,
    maxSteps: options.maxSteps,
    isTruncated: false,
    depth: 0,
    inlined: [],
    inlinedSteps: 0,
    lookedFrom: [],
    checkLimit() {
      if (options.limit.isOver()) throw new BudgetSpent()
    },
    trace: options.trace ?? null,
    evaluate: (frame, ir) => evaluate(flow, frame, ir),
    readCallee: (frame, ir) => readCallee(flow, frame, ir),
    narrow: (frame, test, truth) => narrow(flow, frame, test, truth),
    onCatch: (frame, clause, tried) => matchCatch(flow, frame, clause, tried),
  }
  try {
    matchFacts(flow, options.facts ?? [])
    run(flow, root)
  } catch (error) {
    if (!(error instanceof BudgetSpent) && !(error instanceof RangeError)) throw error
    flow.isTruncated = true
  }
  return { findings: [...flow.findings.values()], isTruncated: flow.isTruncated, steps: flow.steps }
}

function run(flow: Flow, root: Ir): void {
  const top = createFrame(null, null, flow.globals)
  flow.evaluate(top, root)
  const open = openGlobals(flow)
  for (const [name, value] of top.env.variables) {
    const isStable = (flow.assignments.get(name) ?? 0) <= 1 && !open.has(name)
    // Functions that were called after a branch have not seen what it left.
    const old = flow.globals.variables.get(name)
    if (old !== value && deepOrigins(value).length > (old === undefined ? 0 : deepOrigins(old).length))
      flow.hasTaintedGlobals = true
    const shared: Value = { ...value, isMade: undefined }
    flow.globals.variables.set(name, isStable ? shared : { ...shared, constant: undefined })
  }
  evaluateFunctions(flow)
  const again = flow.hasTaintedGlobals && !flow.isTruncated
  if (again || hasTaintedFields(flow)) {
    for (const [lambda, home] of flow.scopes) if (again || home.className !== null) forget(flow, lambda)
    evaluateFunctions(flow)
  }
  for (const [lambda, summary] of flow.summaries) {
    const isEntry =
      !isCalled(flow, lambda) || (lambda.isConstructor && !flow.calledNames.has(flow.scopes.get(lambda)?.className ?? ''))
    if (summary !== 'busy') reportUncalled(flow, isEntry ? summary.hits : unanswered(flow, lambda, summary.hits))
  }
  for (const { rule, arrival, origin } of forgottenIn(flow))
    addFinding(flow, rule, arrival, arrival.functionName, { severity: 'medium', source: origin, kind: arrival.kind })
  matchDeclarations(flow)
  matchFacts(flow, findAccess(flow))
}

/** Facts become findings of the rules that name them. */
function matchFacts(flow: Flow, facts: readonly Fact[]): void {
  if (facts.length === 0) return
  const lambdas = new Map([...flow.scopes.keys()].map((lambda) => [lambda.start, lambda]))
  for (const fact of facts) {
    const lambda = lambdas.get(fact.inside) ?? null
    const frame = createFrame(lambda, lambda === null ? null : (flow.scopes.get(lambda)?.className ?? null), flow.globals)
    for (const { rule, matcher } of flow.book.plain.fact)
      if (matcher.fact?.includes(fact.kind) === true) reportAt(flow, frame, rule, matcher, fact)
  }
}

/** Constructors first: what they store is known to the other methods. */
function evaluateFunctions(flow: Flow): void {
  const all = (): Lambda[] => [...flow.scopes.keys()].filter((lambda) => !flow.evaluated.has(lambda))
  for (let round = 0; round < 20; round++) {
    const open = all().toSorted((a, b) => Number(b.isConstructor) - Number(a.isConstructor))
    if (open.length === 0) return
    for (const lambda of open) {
      flow.evaluated.add(lambda)
      if (summaryOf(flow, lambda) === null && flow.isTruncated) evaluateOnce(flow, lambda)
    }
  }
}

/** After the step budget: each function once, without calls into others. */
function evaluateOnce(flow: Flow, lambda: Lambda): void {
  const home = flow.scopes.get(lambda)
  if (home === undefined || flow.summaries.has(lambda)) return
  const frame = createFrame(lambda, home.className, { variables: new Map(), parent: home.scope, isDead: false })
  for (const parameter of lambda.parameters) frame.env.variables.set(parameter.name, { ...unknown, type: parameter.type })
  flow.evaluate(frame, lambda.body)
}

const hasTaintedFields = (flow: Flow): boolean =>
  !flow.isTruncated &&
  [...flow.classes.values()].some((info) =>
    [...info.fields.values()].some((value) => deepOrigins(value).some((origin) => origin.parameter === null)),
  )

function forget(flow: Flow, lambda: Lambda): void {
  flow.summaries.delete(lambda)
  flow.evaluated.delete(lambda)
}

function matchCatch(flow: Flow, frame: Frame, clause: Catch, tried: Ir): void {
  for (const { rule, matcher } of flow.book.plain.catch) {
    const wanted = matcher.catch
    if (wanted === undefined) continue
    if (
      wanted.type !== undefined &&
      !clause.types.some((type) => matchesText(wanted.type ?? '', type)) &&
      clause.types.length > 0
    )
      continue
    const isEmpty = clause.body.op === 'block' && clause.body.body.every((ir) => ir.op === 'opaque' && ir.kind === 'ellipsis')
    if (wanted.empty !== undefined && wanted.empty !== isEmpty) continue
    if (wanted.tries !== undefined && !endsWithCall(flow, tried, wanted.tries)) continue
    if (wanted.attempts !== undefined && !attempts(flow, tried, clause, wanted.attempts)) continue
    reportAt(flow, frame, rule, matcher, clause)
  }
}

/** Rules about functions, classes, decorators and imports. */
function matchDeclarations(flow: Flow): void {
  const { plain } = flow.book
  if (plain.function.length + plain.class.length + plain.decorator.length + plain.import.length === 0) return
  for (const { ir, around } of flow.declarations) {
    if (ir.op === 'function') {
      const className = ir.owner ?? around.className
      const frame = createFrame(ir, className, flow.globals, { callbackOf: flow.givenTo.get(ir) ?? null })
      for (const { rule, matcher } of plain.function)
        if (matchesFunction(flow, matcher, ir, className))
          for (const place of placesOf(flow, matcher, ir)) reportAt(flow, frame, rule, matcher, place)
      matchDecorators(flow, frame, [ir, ...ir.parameters])
    } else if (ir.op === 'class') {
      const frame = createFrame(null, ir.name, flow.globals)
      for (const { rule, matcher } of plain.class)
        if (matchesClass(flow, matcher, ir))
          for (const place of placesOfClass(flow, matcher, ir)) reportAt(flow, frame, rule, matcher, place)
      const fields = ir.members.flatMap((one) =>
        one.op === 'assign' ? [{ name: nameOfTarget(one), decorators: one.decorators }] : [],
      )
      matchDecorators(flow, frame, [ir, ...fields])
    } else if (plain.import.length > 0) matchImport(flow, ir, around)
  }
}

function matchImport(flow: Flow, ir: Import, { lambda, className }: Declaration['around']): void {
  const names = [ir.module, ...ir.bindings.map((binding) => binding.path)]
  const callbackOf = lambda === null ? null : (flow.givenTo.get(lambda) ?? null)
  const frame = createFrame(lambda, className, flow.globals, { callbackOf })
  for (const { rule, matcher } of flow.book.plain.import)
    if (names.some((name) => matchesText(matcher.import ?? '', name))) reportAt(flow, frame, rule, matcher, ir)
}

/** What a rule is about in a function: the places in it that do so, or all of it. */
function placesOf(flow: Flow, { function: wanted }: Matcher, lambda: Lambda): readonly Place[] {
  if (wanted?.leaves !== undefined) return exitsHolding(flow, lambda, wanted.leaves)
  if (wanted?.leaves_open !== undefined) return leftOpen(flow, lambda, wanted.leaves_open)
  if (wanted?.fails_open !== undefined) return opensOf(flow, lambda, wanted.fails_open)
  if (wanted?.half_check !== undefined) return halfChecks(flow, lambda, wanted.half_check)
  if (wanted?.round_change !== undefined) return roundChanges(flow, lambda, wanted.round_change)
  if (wanted?.thread_race !== undefined) return threadRaces(flow, lambda, wanted.thread_race)
  if (wanted?.negated_move !== undefined) return negatedMoves(flow, lambda, wanted.negated_move)
  if (wanted?.pool_change !== undefined) return poolChanges(flow, lambda, wanted.pool_change)
  if (wanted?.split_lock !== undefined) return splitLocks(flow, lambda, wanted.split_lock)
  if (wanted?.frees_literal !== undefined) return freedLiterals(flow, lambda, wanted.frees_literal)
  if (wanted?.late_bound === true) return lateBounds(flow, lambda)
  if (wanted?.moved_amount !== undefined) return movedAmounts(flow, lambda, wanted.moved_amount)
  if (wanted?.empty_mean !== undefined) return emptyMeans(flow, lambda, wanted.empty_mean)
  if (wanted?.past_end !== undefined) return pastEnds(flow, lambda, wanted.past_end)
  if (wanted?.stuck_loop !== undefined) return stuckLoops(flow, lambda, wanted.stuck_loop)
  if (wanted?.endless_retry !== undefined) return endlessRetries(lambda, wanted.endless_retry)
  if (wanted?.asked_claim !== undefined) return askedClaims(flow, lambda, wanted.asked_claim)
  if (wanted?.over_pause !== undefined) return changesOverPauses(flow, lambda, wanted.over_pause)
  if (wanted?.two_steps !== undefined) return secondSteps(flow, lambda, wanted.two_steps)
  if (wanted?.deferred_close !== undefined) return deferredCloses(flow, lambda, wanted.deferred_close)
  if (wanted?.written !== undefined) return writtenSteps(flow, lambda, wanted.written)
  return wanted?.stale_write === undefined ? [lambda] : staleWrites(flow, lambda, wanted.stale_write)
}

/** The same of a class. */
function placesOfClass(flow: Flow, { class: wanted }: Matcher, ir: ClassIr): readonly Place[] {
  if (wanted?.kept_fields !== undefined) return keptFields(flow, ir, wanted.kept_fields)
  return wanted?.skips_lock === undefined ? [ir] : skippedLocks(flow, ir, wanted.skips_lock)
}

/** Where the place allows it. */
function reportAt(flow: Flow, frame: Frame, rule: Rule, matcher: Matcher, place: Place): void {
  if (placeHolds(flow, matcher, frame) && !isExcused(flow, rule, frame)) addFinding(flow, rule, place, frame.lambda?.name ?? '')
}

/** A class, a function, a parameter or a field. */
interface Decorated {
  readonly name: string
  readonly decorators?: readonly Ir[] | undefined
}

const nameOfTarget = ({ target }: Assign): string =>
  target.op === 'name' ? target.name : target.op === 'member' ? target.property : ''

function matchDecorators(flow: Flow, frame: Frame, decorated: readonly Decorated[]): void {
  for (const { rule, matcher } of flow.book.plain.decorator) {
    const all =
      matcher.decorates === undefined ? decorated : decorated.filter(({ name }) => matchesText(matcher.decorates ?? '', name))
    for (const decorator of all.flatMap(({ decorators = [] }) => decorators)) {
      if (!hasDecorator(matcher.decorator ?? [], [decorator], flow.book.ignoreCase)) continue
      const args = decorator.op === 'call' ? decorator.args : []
      const isMatch = Object.entries(matcher.args ?? {}).every(([selector, constraint]) => {
        const argument = /^\d+$/.test(selector)
          ? args.filter((one) => one.name === undefined)[Number(selector)]
          : args.find((one) => one.name === selector)
        return holds(
          flow,
          constraint,
          argument === undefined ? null : { value: flow.evaluate(frame, argument.value), ir: argument.value },
        )
      })
      if (isMatch) reportAt(flow, frame, rule, matcher, decorator)
    }
  }
}

function matchesFunction(flow: Flow, matcher: Matcher, lambda: Lambda, className: string | null): boolean {
  const wanted = matcher.function
  if (wanted === undefined) return false
  const info = className === null ? undefined : flow.classes.get(className)
  const { ignoreCase } = flow.book
  if (wanted.name !== undefined && !matchesText(wanted.name, functionName(flow, lambda))) return false
  if (wanted.decorator !== undefined && !hasDecorator(wanted.decorator, lambda.decorators, ignoreCase)) return false
  if (wanted.lacks_decorator !== undefined && hasDecorator(wanted.lacks_decorator, lambda.decorators, ignoreCase)) return false
  if (wanted.class !== undefined && !matchesText(wanted.class, className ?? '')) return false
  const { extends: base } = wanted
  if (base !== undefined && info?.ir.bases.some((one) => matchesText(base, one)) !== true) return false
  if (wanted.class_decorator !== undefined && !hasDecorator(wanted.class_decorator, info?.ir.decorators ?? [], ignoreCase))
    return false
  if (wanted.has_call !== undefined && !callsAny(flow, lambda, wanted.has_call)) return false
  if ((wanted.lacks_call ?? wanted.always) !== undefined && isOnlyDeclared(flow, lambda)) return false
  if (wanted.lacks_call !== undefined && callsAny(flow, lambda, wanted.lacks_call)) return false
  const { returns, always, parameter } = wanted
  if (always !== undefined && !answersHold(flow, always, { value: unknown, ir: lambda })) return false
  if (returns !== undefined) {
    const summary = flow.summaries.get(lambda)
    if (summary === undefined || summary === 'busy' || !holds(flow, returns, { value: summary.result, ir: null })) return false
  }
  return parameter === undefined || lambda.parameters.some((one) => matchesParameter(flow, parameter, one))
}

/** `void check(Chain chain);` of an interface or an abstract class: what it does stands elsewhere. */
function isOnlyDeclared({ text }: Flow, { declares, body, start, end }: Lambda): boolean {
  return (
    declares && body.op === 'block' && body.start === start && body.end === end && !/\{|\bend\s*$/.test(text.slice(start, end))
  )
}

function matchesParameter(
  flow: Flow,
  wanted: NonNullable<NonNullable<Matcher['function']>['parameter']>,
  parameter: Lambda['parameters'][number],
): boolean {
  if (wanted.name !== undefined && !matchesText(wanted.name, parameter.name)) return false
  if (wanted.type !== undefined && !matchesText(wanted.type, parameter.type ?? '')) return false
  if (wanted.fallback === undefined) return true
  const frame = createFrame(null, null, flow.globals)
  return (
    parameter.fallback !== undefined &&
    holds(flow, wanted.fallback, { value: flow.evaluate(frame, parameter.fallback), ir: parameter.fallback })
  )
}

function matchesClass(flow: Flow, matcher: Matcher, ir: ClassIr): boolean {
  const wanted = matcher.class
  if (wanted === undefined) return false
  const methods = [...(flow.classes.get(ir.name)?.methods.keys() ?? [])]
  if (wanted.name !== undefined && !matchesText(wanted.name, ir.name)) return false
  if (wanted.extends !== undefined && !ir.bases.some((base) => matchesText(wanted.extends ?? '', base))) return false
  if (wanted.decorator !== undefined && !hasDecorator(wanted.decorator, ir.decorators, flow.book.ignoreCase)) return false
  if (wanted.lacks_decorator !== undefined && hasDecorator(wanted.lacks_decorator, ir.decorators, flow.book.ignoreCase))
    return false
  if (wanted.has_method !== undefined && !methods.some((name) => matchesText(wanted.has_method ?? '', name))) return false
  return wanted.lacks_method === undefined || !methods.some((name) => matchesText(wanted.lacks_method ?? '', name))
}
