/**
 * Facts about memory and numbers: an abstract interpretation of functions, for rules that patterns and dataflow cannot decide.
 *
 * It knows which addresses may be NULL, ranges of numbers with symbolic bounds, sizes of buffers and lengths of texts, what is allocated, freed,
 * moved or locked, and widths and signs of expressions. Conditions narrow what is known, ways that differ in what they own stay apart, loops run
 * twice with open counters, calls apply summaries. Steps are limited: a file that needs more keeps what was found until then.
 */
import type { FunctionModel } from '../rulebook/function-model.js'
import type { TimeLimit } from '../syntax/time-limit.js'
import { branch } from './statements/conditions.js'
import { evaluate } from './evaluate.js'
import { execute } from './statements/execute.js'
import { type Models, createModels } from './calls/models.js'
import type { FunctionIr, ProgramIr } from './program.js'
import { threadsOf } from './memory/threads.js'
import { checkProtected } from './memory/shared.js'
import { checkDataFields } from './calls/data-fields.js'
import { checkRecursion } from './calls/recursion.js'
import { uncheckedAnswers, withSearchesLow } from './memory/habits.js'
import { type Fact, type Run, StepsSpent } from './run.js'
import { withoutAgain } from './again.js'
import { emptyStatement, newFrame, summaryOf } from './calls/summaries.js'

export interface FactsOptions {
  readonly maxSteps: number
  readonly limit: TimeLimit
}

export interface Facts {
  readonly facts: readonly Fact[]
  /** Accesses whose index cannot be too large, as `start:end`. */
  readonly within: ReadonlySet<string>
  readonly isTruncated: boolean
  readonly steps: number
}

const modelsOf = new WeakMap<readonly FunctionModel[], Models>()

/** Whose frame a run has before the first function is read. */
const nobody = (): FunctionIr => ({
  name: '',
  owner: null,
  parameters: [],
  returns: null,
  body: emptyStatement,
  compared: new Set(),
  steppedFields: new Set(),
  labels: new Set(),
  calls: [],
  assigned: new Map(),
  conditions: new Set(),
  hasErrors: false,
  start: 0,
  end: 0,
})

export function findFacts(
  program: ProgramIr,
  text: string,
  entries: readonly FunctionModel[],
  { maxSteps, limit }: FactsOptions,
): Facts {
  let models = modelsOf.get(entries)
  if (models === undefined) modelsOf.set(entries, (models = createModels(entries)))
  const run: Run = {
    program,
    text,
    models,
    symbols: new Map(),
    facts: new Map(),
    within: new Set(),
    fitting: new Set(),
    reaching: new Set(),
    nulls: new Map(),
    callees: new Map(),
    unchecked: new Map(),
    amounts: new Map(),
    comparedAnswers: new Set(),
    beliefs: new Map(),
    functions: uniqueByName(program.functions),
    overloads: byName(program.functions),
    summaries: new Map(),
    leftFreed: [],
    protected: new Map(),
    calledUnderLock: new Set(),
    lockCareful: new Set(),
    threads: threadsOf(program, models),
    hasLocks: /lock|mutex|CriticalSection/i.test(text),
    openFields: new Set(),
    parents: new Map(),
    leaks: new Map(),
    frame: newFrame(nobody()),
    evaluate: (state, expr) => evaluate(run, state, expr),
    branch: (state, test) => branch(run, state, test),
    execute: (states, statement) => execute(run, states, statement),
    summaryOf: (fn) => summaryOf(run, fn),
    steps: 0,
    maxSteps,
    limit,
    depth: 0,
    isQuiet: false,
  }
  let isTruncated = false
  try {
    for (const fn of program.functions) run.summaryOf(fn)
    checkProtected(run)
    checkRecursion(run)
    checkDataFields(run)
  } catch (error) {
    if (!(error instanceof StepsSpent) && !(error instanceof RangeError)) throw error
    isTruncated = true
  }
  const nulls = [...run.nulls.values()].filter((one) => one.isAlways).map((one) => one.fact)
  findFreedAgain(run)
  const unchecked = [...run.beliefs.values()].flatMap(({ compared, trusted }) =>
    trusted.size <= Math.max(1, compared.size) ? [...trusted.values()] : [],
  )
  return {
    facts: withoutAgain(text, withSearchesLow(run, [...run.facts.values(), ...nulls, ...unchecked, ...uncheckedAnswers(run)])),
    within: accessesInside(run),
    isTruncated,
    steps: run.steps,
  }
}

/** Of functions that were read to their end: in others a way may be missing. */
function accessesInside({ within, fitting, reaching, summaries }: Run): ReadonlySet<string> {
  const unread = [...summaries].flatMap(([fn, summary]) => (summary === 'busy' ? [fn] : []))
  const isRead = (access: string): boolean => {
    const at = Number.parseInt(access, 10)
    return unread.every(({ start, end }) => at < start || at >= end)
  }
  return new Set([...within, ...[...fitting].filter((access) => !reaching.has(access) && isRead(access))])
}

/** Overloads and methods of several classes have no one summary. */
function uniqueByName(functions: readonly FunctionIr[]): ReadonlyMap<string, FunctionIr> {
  const found = new Map<string, FunctionIr | null>()
  for (const fn of functions) found.set(fn.name, found.has(fn.name) ? null : fn)
  const unique = new Map<string, FunctionIr>()
  for (const [name, fn] of found) if (fn !== null) unique.set(name, fn)
  return unique
}

function byName(functions: readonly FunctionIr[]): ReadonlyMap<string, readonly FunctionIr[]> {
  const found = new Map<string, FunctionIr[]>()
  for (const fn of functions) {
    const others = found.get(fn.name)
    if (others === undefined) found.set(fn.name, [fn])
    else others.push(fn)
  }
  return found
}

/** Fields that a method frees and leaves as they are, and that the destructor frees too. */
function findFreedAgain({ leftFreed, facts }: Run): void {
  for (const left of leftFreed) {
    const isFreedAgain = leftFreed.some((one) => one.isDestructor && one.owner === left.owner && one.field === left.field)
    if (left.isDestructor || !isFreedAgain || facts.has(`double-free:${left.place.start}`)) continue
    facts.set(`double-free:${left.place.start}`, { kind: 'double-free', ...left.place, inside: left.inside })
  }
}
