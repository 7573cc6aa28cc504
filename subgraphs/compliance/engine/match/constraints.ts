/** Whether a value meets a rule's constraint. */
import type { Flow } from '../flow/state.js'
import { deepOrigins, type Value } from '../flow/values/value.js'
import { compileNamePattern, matchesName, type NamePattern, type QualifiedName } from '../rulebook/qualified-name.js'
import { compileRegex, maxTextLength } from '../rulebook/safe-regex.js'
import type { Constraint } from '../rulebook/matcher-schema.js'
import type { Ir } from '../syntax/ir.js'
import { answersOf } from './always.js'
import { entropyOf, isPlaceholder } from './secrets.js'
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

/** All given fields must hold. A missing argument only meets `missing: true` (alone or under `not`, `any`, `all`). */
export function holds(flow: Flow, constraint: Constraint, subject: Subject | null): boolean {
  if (constraint.any !== undefined && !constraint.any.some((one) => holds(flow, one, subject))) return false
  if (constraint.all !== undefined && !constraint.all.every((one) => holds(flow, one, subject))) return false
  if (constraint.not !== undefined && holds(flow, constraint.not, subject)) return false
  if (constraint.missing !== undefined && constraint.missing !== (subject === null)) return false
  if (subject === null) return !asksAboutValue(constraint)
  return holdsOfConstant(constraint, subject) && holdsOfShape(flow, constraint, subject) && holdsOfFlow(constraint, subject)
}

const asksAboutValue = (constraint: Constraint): boolean =>
  Object.keys(constraint).some((key) => !['any', 'all', 'not', 'missing', 'lacks_mark'].includes(key))

function holdsOfConstant(constraint: Constraint, { value, ir }: Subject): boolean {
  const { constant } = value
  if (constraint.is !== undefined && constant !== constraint.is) return false
  if (constraint.in !== undefined && (constant === undefined || !constraint.in.includes(constant))) return false
  if (constraint.string !== undefined && (typeof constant !== 'string' || !matchesText(constraint.string, constant))) return false
  if (constraint.starts !== undefined && !matchesText(constraint.starts, startOf(value))) return false
  if (constraint.number !== undefined && !inRange(numberOf(value), constraint.number)) return false
  if (constraint.constant !== undefined && constraint.constant !== (constant !== undefined)) return false
  if (constraint.empty !== undefined && constraint.empty !== isEmpty(value, ir)) return false
  if (constraint.entropy !== undefined && (typeof constant !== 'string' || entropyOf(constant) < constraint.entropy)) return false
  if (
    constraint.placeholder !== undefined &&
    (typeof constant !== 'string' || isPlaceholder(constant) !== constraint.placeholder)
  )
    return false
  return constraint.size === undefined || inRange(value.size, constraint.size)
}

/** A text that is built at run time has a beginning that is known. */
const startOf = ({ constant, prefix }: Value): string => (typeof constant === 'string' ? constant : (prefix ?? ''))

const isEmpty = (value: Value, ir: Ir | null): boolean =>
  value.constant === '' ||
  value.constant === null ||
  (ir?.op === 'collection' && ir.entries.length === 0) ||
  (ir?.op === 'block' && ir.body.length === 0)

function holdsOfShape(flow: Flow, constraint: Constraint, subject: Subject): boolean {
  const { value, ir } = subject
  if (constraint.type !== undefined && (value.type === undefined || !matchesText(constraint.type, value.type))) return false
  if (constraint.name !== undefined) {
    const name = lastName(ir)
    if (name === undefined || !matchesText(constraint.name, name)) return false
  }
  if (
    constraint.text !== undefined &&
    (ir === null || !matchesText(constraint.text, flow.text.slice(ir.start, Math.min(ir.end, ir.start + maxTextLength))))
  ) {
    return false
  }
  if (constraint.path !== undefined) {
    const { ignoreCase } = flow.book
    const written = ir === null ? null : writtenName(ir)
    if (!matchesAnyName(constraint.path, value.path, ignoreCase) && !matchesAnyName(constraint.path, written, ignoreCase))
      return false
  }
  if (constraint.kind !== undefined && (ir === null || !constraint.kind.includes(ir.op === 'opaque' ? ir.kind : ir.op)))
    return false
  if (constraint.concat !== undefined && constraint.concat !== isBuilt(subject)) return false
  if (constraint.unquoted !== undefined && constraint.unquoted !== (ir !== null && isUnquoted(ir))) return false
  return holdsOfParts(flow, constraint, value) && holdsOfAnswers(flow, constraint.always, subject)
}

function holdsOfAnswers(flow: Flow, always: Constraint | undefined, subject: Subject): boolean {
  return always === undefined || answersOf(flow, subject)?.every((answer) => holds(flow, always, answer)) === true
}

const isUnquoted = (ir: Ir): boolean =>
  (ir.op === 'name' && ir.unquoted === true) ||
  (ir.op === 'concat' && ir.parts.some(isUnquoted)) ||
  (ir.op === 'binary' && isUnquoted(ir.left))

function holdsOfParts(flow: Flow, constraint: Constraint, value: Value): boolean {
  for (const [key, inner] of Object.entries(constraint.keys ?? {})) {
    const field = value.fields?.get(key)
    if (!holds(flow, inner, field === undefined ? null : { value: field, ir: null })) return false
  }
  if (constraint.lacks_keys?.some((key) => value.fields?.has(key) === true) === true) return false
  if (constraint.element === undefined) return true
  const { element } = constraint
  return [...(value.fields?.values() ?? [])].some((field) => holds(flow, element, { value: field, ir: null }))
}

function holdsOfFlow(constraint: Constraint, { value }: Subject): boolean {
  if (constraint.mark !== undefined && !value.mayMarks.has(constraint.mark)) return false
  if (constraint.lacks_mark !== undefined && value.marks.has(constraint.lacks_mark)) return false
  if (constraint.tainted === undefined) return true
  const origins = deepOrigins(value)
  const { tainted } = constraint
  const isTainted = Array.isArray(tainted) ? origins.some((origin) => tainted.includes(origin.label)) : origins.length > 0
  return Array.isArray(tainted) ? isTainted : isTainted === tainted
}
