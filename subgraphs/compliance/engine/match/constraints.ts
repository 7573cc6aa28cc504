/** Whether a value meets a rule's constraint. */
import type { Flow } from '../flow/state.js'
import { deepOrigins, type Origin, type Value } from '../flow/values/value.js'
import { compileNamePattern, matchesName, type NamePattern, type QualifiedName } from '../rulebook/qualified-name.js'
import { compileRegex, maxTextLength } from '../rulebook/safe-regex.js'
import type { Constraint } from '../rulebook/matcher-schema.js'
import type { Ir } from '../syntax/ir.js'
import { answersOf, functionOf } from './always.js'
import { isGrowing } from './growing.js'
import { isMadeOf } from './made-of.js'
import { changesOuter } from './outer-changes.js'
import { isPlainWord } from './plain-words.js'
import { entropyOf, isPlaceholder } from './secrets.js'
import { isSlowPattern } from './slow-patterns.js'
import { type Subject, writtenName } from './subject.js'

const patterns = new Map<string, NamePattern>()

export const matchesText = (pattern: string, text: string): boolean =>
  compileRegex(pattern).test(text.length > maxTextLength ? text.slice(0, maxTextLength) : text)

export function matchesAnyName(texts: readonly string[], name: QualifiedName | null, ignoreCase: boolean): boolean {
  return texts.some((text) => {
    const key = ignoreCase ? `i ${text}` : text
    let pattern = patterns.get(key)
    if (pattern === undefined) {
      pattern = compileNamePattern(text, ignoreCase)
      patterns.set(key, pattern)
    }
    return matchesName(pattern, name, ignoreCase)
  })
}

const lastName = (ir: Ir | null): string | undefined => (ir === null ? undefined : writtenName(ir)?.segment)

function inRange(value: number | undefined, range: { lt?: number; lte?: number; gt?: number; gte?: number }): boolean {
  if (value === undefined) return false
  if (range.lt !== undefined && !(value < range.lt)) return false
  if (range.lte !== undefined && !(value <= range.lte)) return false
  if (range.gt !== undefined && !(value > range.gt)) return false
  return range.gte === undefined || value >= range.gte
}

const isBuilt = (subject: Subject): boolean => subject.value.isConcat === true && subject.value.constant === undefined

const numberOf = (value: Value): number | undefined => {
  if (typeof value.constant === 'number') return value.constant
  return typeof value.constant === 'string' && /^\d+$/.test(value.constant) ? Number(value.constant) : undefined
}

type Test = (flow: Flow, subject: Subject) => boolean

/** What a constraint asks, as the list of its own tests: most ask one thing of twenty. */
interface Compiled {
  readonly asksAboutValue: boolean
  readonly tests: readonly Test[]
}

const compiled = new WeakMap<Constraint, Compiled>()

/** All given fields must hold. A missing argument only meets `missing: true` (alone or under `not`, `any`, `all`). */
export function holds(flow: Flow, constraint: Constraint, subject: Subject | null): boolean {
  let known = compiled.get(constraint)
  if (known === undefined) compiled.set(constraint, (known = compile(constraint)))
  if (subject === null) return !known.asksAboutValue && holdsOfNothing(flow, constraint)
  for (const test of known.tests) if (!test(flow, subject)) return false
  return true
}

const logic: ReadonlySet<string> = new Set(['any', 'all', 'not', 'missing', 'lacks_mark'])

function holdsOfNothing(flow: Flow, { any, all, not, missing }: Constraint): boolean {
  if (any !== undefined && !any.some((one) => holds(flow, one, null))) return false
  if (all !== undefined && !all.every((one) => holds(flow, one, null))) return false
  return (not === undefined || !holds(flow, not, null)) && missing !== false
}

function compile(constraint: Constraint): Compiled {
  const { any, all, not, missing } = constraint
  const tests: Test[] = []
  if (any !== undefined) tests.push((flow, subject) => any.some((one) => holds(flow, one, subject)))
  if (all !== undefined) tests.push((flow, subject) => all.every((one) => holds(flow, one, subject)))
  if (not !== undefined) tests.push((flow, subject) => !holds(flow, not, subject))
  if (missing !== undefined) tests.push(() => !missing)
  tests.push(...testsOfConstant(constraint), ...testsOfShape(constraint), ...testsOfParts(constraint), ...testsOfFlow(constraint))
  return { asksAboutValue: Object.keys(constraint).some((key) => !logic.has(key)), tests }
}

/** One test where the field is given, else none. */
const when = <T>(field: T | undefined, test: (field: T) => Test): Test[] => (field === undefined ? [] : [test(field)])

const testsOfConstant = (constraint: Constraint): Test[] => [
  ...when<Constraint['is']>(
    constraint.is,
    (is) =>
      (_, { value }) =>
        value.constant === is,
  ),
  ...when(
    constraint.in,
    (list) =>
      (_, { value: { constant } }) =>
        constant !== undefined && list.includes(constant),
  ),
  ...when(
    constraint.string,
    (pattern) =>
      (_, { value: { constant } }) =>
        typeof constant === 'string' && matchesText(pattern, constant),
  ),
  ...when(
    constraint.starts,
    (pattern) =>
      (_, { value }) =>
        matchesText(pattern, startOf(value)),
  ),
  ...when(
    constraint.number,
    (range) =>
      (_, { value }) =>
        inRange(numberOf(value), range),
  ),
  ...when(
    constraint.constant,
    (wanted) =>
      (_, { value }) =>
        wanted === (value.constant !== undefined),
  ),
  ...when(
    constraint.empty,
    (wanted) =>
      (_, { value, ir }) =>
        wanted === isEmpty(value, ir),
  ),
  ...when(
    constraint.entropy,
    (least) =>
      (_, { value: { constant } }) =>
        typeof constant === 'string' && entropyOf(constant) >= least,
  ),
  ...when(
    constraint.placeholder,
    (wanted) =>
      (_, { value: { constant } }) =>
        typeof constant === 'string' && isPlaceholder(constant) === wanted,
  ),
  ...when(
    constraint.slow_pattern,
    (extent) =>
      (_, { value: { constant } }) =>
        typeof constant === 'string' && isSlowPattern(constant, extent),
  ),
  ...when(
    constraint.size,
    (range) =>
      (_, { value }) =>
        inRange(value.size, range),
  ),
]

/** A text that is built at run time has a beginning that is known. */
const startOf = ({ constant, prefix }: Value): string => (typeof constant === 'string' ? constant : (prefix ?? ''))

const isEmpty = (value: Value, ir: Ir | null): boolean =>
  value.constant === '' ||
  value.constant === null ||
  (ir?.op === 'collection' && ir.entries.length === 0) ||
  (ir?.op === 'block' && ir.body.length === 0)

const testsOfShape = (constraint: Constraint): Test[] => [
  ...when(
    constraint.type,
    (pattern) =>
      (_, { value }) =>
        value.type !== undefined && matchesText(pattern, value.type),
  ),
  ...when(constraint.name, (pattern) => (_, { ir }) => {
    const name = lastName(ir)
    return name !== undefined && matchesText(pattern, name)
  }),
  ...when(constraint.text, (pattern) => (flow, { ir }) => {
    return ir !== null && matchesText(pattern, flow.text.slice(ir.start, Math.min(ir.end, ir.start + maxTextLength)))
  }),
  ...when(constraint.path, (paths) => ({ book: { ignoreCase } }, { value, ir }) => {
    const written = ir === null ? null : writtenName(ir)
    return matchesAnyName(paths, value.path, ignoreCase) || matchesAnyName(paths, written, ignoreCase)
  }),
  ...when(
    constraint.kind,
    (kinds) =>
      (_, { ir }) =>
        ir !== null && kinds.includes(ir.op === 'opaque' ? ir.kind : ir.op),
  ),
  ...when(
    constraint.growing,
    () =>
      (flow, { ir }) =>
        ir !== null && isGrowing(flow, ir),
  ),
  ...when(constraint.body, (pattern) => (flow, subject) => {
    const lambda = functionOf(flow, subject)
    return (
      lambda !== null && matchesText(pattern, flow.text.slice(lambda.start, Math.min(lambda.end, lambda.start + maxTextLength)))
    )
  }),
  ...when(
    constraint.made_of,
    (wanted) =>
      (flow, { ir }) =>
        ir !== null && isMadeOf(flow, wanted, ir),
  ),
  ...when(constraint.concat, (wanted) => (_, subject) => wanted === isBuilt(subject)),
  ...when(
    constraint.unquoted,
    (wanted) =>
      (flow, { ir }) =>
        wanted === (ir !== null && isUnquoted(flow, ir)),
  ),
]

/** Whether a function has no answer but those. */
export const answersHold = (flow: Flow, always: Constraint, subject: Subject): boolean =>
  answersOf(flow, subject)?.every((answer) => holds(flow, always, answer)) === true

const isUnquoted = (flow: Flow, ir: Ir): boolean =>
  (ir.op === 'name' && ir.unquoted === true && !isPlainWord(flow, ir.name)) ||
  (ir.op === 'concat' && ir.parts.some((part) => isUnquoted(flow, part))) ||
  (ir.op === 'binary' && isUnquoted(flow, ir.left))

const ofField = (field: Value | undefined, ir: Ir | null = null): Subject | null =>
  field === undefined ? null : { value: field, ir }

/** `{ key: test ? a : b }`: what is written there, where a value alone does not tell that it is one of two. */
function choiceIn(ir: Ir | null, key: string): Ir | null {
  if (ir?.op !== 'collection') return null
  const written = ir.entries.find((entry) => entry.key?.op === 'literal' && entry.key.value === key)?.value
  return written?.op === 'if' ? written : null
}

function testsOfParts({ keys, lacks_keys: absent, element, always, changes }: Constraint): Test[] {
  const wanted = Object.entries(keys ?? {})
  return [
    ...wanted.map(
      ([key, inner]): Test =>
        (flow, { value, ir }) =>
          holds(flow, inner, ofField(value.fields?.get(key), choiceIn(ir, key))),
    ),
    ...when(
      absent,
      (names) =>
        (_, { value: { fields } }) =>
          fields === undefined || !names.some((key) => fields.has(key)),
    ),
    ...when(
      element,
      (inner) =>
        (flow, { value: { fields } }) =>
          fields !== undefined && [...fields.values()].some((field) => holds(flow, inner, { value: field, ir: null })),
    ),
    ...when(
      changes,
      () =>
        (flow, { ir }) =>
          ir?.op === 'function' && changesOuter(flow, ir),
    ),
    ...when(always, (inner) => (flow, subject) => answersHold(flow, inner, subject)),
  ]
}

/** Tested for what it may be, or made a number. */
const isTested = ({ clean }: Origin): boolean => clean.has('*') || clean.has('text')

const testsOfFlow = ({ mark, lacks_mark: absent, tainted, untested }: Constraint): Test[] => [
  ...when(
    mark,
    (wanted) =>
      (_, { value }) =>
        value.mayMarks.has(wanted),
  ),
  ...when(
    absent,
    (unwanted) =>
      (_, { value }) =>
        !value.marks.has(unwanted),
  ),
  ...when(tainted, (wanted) => (_, { value }) => {
    const origins = deepOrigins(value)
    return typeof wanted === 'boolean' ? origins.length > 0 === wanted : origins.some(({ label }) => wanted.includes(label))
  }),
  ...when(
    untested,
    (wanted) =>
      (_, { value }) =>
        deepOrigins(value).some((origin) => wanted.includes(origin.label) && !isTested(origin)),
  ),
]
