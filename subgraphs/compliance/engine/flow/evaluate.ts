/** Evaluation of the representation: one step per node, branches on copies of the environment. */
import { hasDecorator, placeHolds } from '../match/conditions.js'
import { holds } from '../match/constraints.js'
import { writtenName } from '../match/subject.js'
import { nameOf, type QualifiedName } from '../rulebook/qualified-name.js'
import { type Assign, type Ir, isReference, type Lambda } from '../syntax/ir.js'
import { assignTo, deletePart, isFixed } from './assign.js'
import { checkAssignment } from './assigned.js'
import { typesOf } from './calls/call-site.js'
import { evaluateCall } from './calls/calls.js'
import { checkCast, checkOperands, checkStep, originOf } from './roles.js'
import { collection } from './collection-literals.js'
import { conditional, jump, loop, switchCases, tryCatch } from './control.js'
import { noteField } from './declared-fields.js'
import { copyEnvironment, createEnvironment, joinInto, lookup } from './environment.js'
import { foldBinary, foldMembership, foldUnary } from './values/fold.js'
import { boundedKinds, isHarmlessType, isNumericType } from './values/harmless-types.js'
import { isAllowlist } from './conditions/allowlist.js'
import { narrow } from './conditions/narrow.js'
import { cleanedByPiece } from './conditions/tested-pieces.js'
import { readIndex, readMember, readName } from './reads.js'
import { checkTarget, checkText } from './named-sinks.js'
import { bindPattern } from './patterns.js'
import { askAboutData } from './questions.js'
import { reportIf } from './report-if.js'
import { withSourcedParts } from './sourced-parts.js'
import { BudgetSpent, type Flow, type Frame } from './state.js'
import { asPiece } from './own-text.js'
import { added, addLists, addText, asWords, joinText, ledByTemplate, unlessHead } from './values/text.js'
import { assignedValue } from './values/trail.js'
import { elementsOf } from './values/parts.js'
import {
  changedOrigins,
  cleaned,
  constantValue,
  deepOrigins,
  joinOrigins,
  joinValues,
  libraryValue,
  type Origin,
  unknown,
  type Value,
  withOrigins,
} from './values/value.js'

/** The value of `ir`, with all effects on the frame's environment. */
export function evaluate(flow: Flow, frame: Frame, ir: Ir): Value {
  flow.steps++
  if (flow.steps > flow.maxSteps) flow.isTruncated = true
  if (flow.steps > flow.maxSteps * 4) throw new BudgetSpent()
  if ((flow.steps & 63) === 0) flow.checkLimit()
  switch (ir.op) {
    case 'literal':
      return literal(flow, frame, ir)
    case 'name':
      return readName(flow, frame, ir)
    case 'member':
      return cleanedByPiece(flow, frame, readMember(flow, frame, ir))
    case 'index':
      return cleanedByPiece(flow, frame, readIndex(flow, frame, ir))
    case 'call':
      return evaluateCall(flow, frame, ir)
    case 'concat':
      return concatenated(flow, frame, ir)
    case 'binary':
      return binary(flow, frame, ir)
    case 'unary':
      return unary(flow, frame, ir)
    case 'assign':
      return assign(flow, frame, ir)
    case 'if':
      return conditional(flow, frame, ir)
    case 'switch':
      return switchCases(flow, frame, ir)
    case 'loop':
      return loop(flow, frame, ir)
    case 'try':
      return tryCatch(flow, frame, ir)
    case 'jump':
      return jump(flow, frame, ir)
    case 'function':
      return functionValue(flow, frame, ir)
    case 'class':
      return classBody(flow, frame, ir)
    case 'shape':
      return unknown
    case 'collection':
      return collection(flow, frame, ir)
    case 'cast':
      return cast(flow, frame, ir)
    case 'block':
      return block(flow, frame, ir.body)
    case 'import':
      for (const binding of ir.bindings) frame.env.variables.set(binding.local, libraryValue(pathOf(binding.path)))
      return unknown
    case 'opaque':
      return opaque(flow, frame, ir)
  }
}

const pathOf = (text: string): QualifiedName | null =>
  text === '' ? null : text.split('.').reduce<QualifiedName | null>((parent, part) => nameOf(part, parent), null)

function literal(flow: Flow, frame: Frame, ir: Extract<Ir, { op: 'literal' }>): Value {
  if (typeof ir.value === 'string') {
    for (const { rule, matcher } of flow.book.plain.literal)
      reportIf(flow, frame, rule, matcher, ir, matcher.literal, { value: constantValue(ir.value), ir })
  }
  const value = constantValue(ir.value)
  return ir.kind === 'regex' ? { ...value, isRegex: true } : value
}

const concatenated = (flow: Flow, frame: Frame, ir: Extract<Ir, { op: 'concat' }>): Value =>
  asWords(
    joinText(
      ir.parts.map((part, at) => {
        const value = flow.evaluate(frame, part)
        checkText(flow, frame, ir.parts[at - 1], value, part)
        return asPiece(flow, frame, part, value)
      }),
    ),
    flow.book.language,
  )

/** The right side runs only sometimes, and may leave the function: `x ?: return`, `x ?? throw e`. */
const lazyOperators = new Set(['&&', '||', '??', '?:'])

function binary(flow: Flow, frame: Frame, ir: Extract<Ir, { op: 'binary' }>): Value {
  const left = flow.evaluate(frame, ir.left)
  if (lazyOperators.has(ir.operator)) return shortCircuit(flow, frame, ir, left)
  const right = behindSlash(flow, ir, flow.evaluate(frame, ir.right))
  if (ir.operator === 'is' || ir.operator === 'instanceof') bindPattern(flow, frame, ir.right, left)
  for (const { rule, matcher } of flow.book.plain.binary) {
    const wanted = matcher.binary
    if (wanted?.operator.includes(ir.operator) !== true) continue
    if (wanted.left !== undefined && !holds(flow, wanted.left, { value: left, ir: ir.left })) {
      askAboutData(frame, wanted.left, left)
      continue
    }
    reportIf(flow, frame, rule, matcher, ir, wanted.right, { value: right, ir: ir.right })
  }
  checkOperands(flow, frame, ir, { value: left, ir: ir.left }, { value: right, ir: ir.right })
  if (['+', '.', '..', '++'].includes(ir.operator)) {
    checkText(flow, frame, lastPiece(ir.left), right, ir.right)
    return ir.operator === '++'
      ? addLists(left, right)
      : asWords(added(asPiece(flow, frame, ir.left, left), asPiece(flow, frame, ir.right, right)), flow.book.language)
  }
  const constant =
    foldBinary(ir.operator, left.constant, right.constant, flow.book.language) ?? foldMembership(ir.operator, left, right)
  if (constant !== undefined) return constantValue(constant)
  if (
    ['==', '!=', '===', '!==', '<', '>', '<=', '>=', 'in', 'not in', 'is', 'is not', 'instanceof', '=~', '!~'].includes(
      ir.operator,
    )
  )
    return unknown
  if (ir.operator === '%' && typeof left.constant === 'string') return format(left, asPiece(flow, frame, ir.right, right))
  if (ir.operator === '/' && left.type !== undefined) return { ...addText(left, right), type: left.type, path: left.path }
  const both = { ...unknown, origins: joinOrigins(deepOrigins(left), deepOrigins(right)) }
  // `ALLOWED & form.keys()`: nothing but what is in the list.
  if (ir.operator === '&' && both.origins.length > 0 && (isAllowlist(flow, frame, ir.left) || isAllowlist(flow, frame, ir.right)))
    return unknown
  const result = isNumeric(flow, ir) ? cleaned(both, ['text']) : both
  return isCut(ir.operator, left, right) || isWrapped(flow, ir) ? cleaned(result, boundedKinds) : result
}

/** `now - begun`: a number there, whatever stands on both sides. */
const isNumeric = ({ book }: Flow, { operator }: Extract<Ir, { op: 'binary' }>): boolean =>
  book.words.numeric_operators.has(operator)

/** `base / name` of Scala: one more piece of a path, which says nothing of the host in front of it. */
const behindSlash = ({ book }: Flow, { operator }: Extract<Ir, { op: 'binary' }>, value: Value): Value =>
  operator === '/' && book.language === 'scala' ? cleaned(value, ['ssrf', 'redirect']) : value

/** `n % slots.len()` is below the length, where numbers have no sign. */
const isWrapped = ({ book }: Flow, { operator, right }: Extract<Ir, { op: 'binary' }>): boolean =>
  book.language === 'rust' &&
  operator === '%' &&
  right.op === 'call' &&
  right.callee.op === 'member' &&
  book.words.measures.has(right.callee.property)

/** `n % 16`, `n & 0xff`, `n >>> 24`: at most so large, whatever it was. */
const isCut = (operator: string, left: Value, right: Value): boolean =>
  (['%', '&', '>>', '>>>'].includes(operator) && typeof right.constant === 'number') ||
  (operator === '&' && typeof left.constant === 'number')

/** The text right in front of what is added to it. */
const lastPiece = (ir: Ir): Ir | undefined => (ir.op === 'binary' ? ir.right : ir.op === 'concat' ? ir.parts.at(-1) : ir)

/** `"... %s" % x` builds text. */
function format(left: Value, right: Value): Value {
  const prefix = typeof left.constant === 'string' ? (/^[^%]*/.exec(left.constant)?.[0] ?? '') : ''
  const isNumber = typeof left.constant === 'string' && !/%[^dfixXu%]/.test(left.constant.replaceAll(/%\d+/g, '%'))
  const led = typeof left.constant === 'string' ? ledByTemplate(left.constant, elementsOf(right) ?? [right]) : deepOrigins(right)
  const origins = changedOrigins(led, { built: true })
  const value = unlessHead({ ...unknown, origins, isConcat: true, prefix }, String(left.constant))
  return isNumber ? cleaned(value, ['text']) : value
}

/** `a && b`: `b` runs only where `a` holds. The value may be either. */
function shortCircuit(flow: Flow, frame: Frame, ir: Extract<Ir, { op: 'binary' }>, left: Value): Value {
  const before = copyEnvironment(frame.env)
  narrow(flow, frame, ir.left, ir.operator === '&&')
  const right = flow.evaluate(frame, ir.right)
  const after = copyEnvironment(frame.env)
  joinInto(frame.env, before, after)
  const constant = foldBinary(ir.operator, left.constant, right.constant)
  if (constant !== undefined) return constantValue(constant)
  if (ir.operator === '&&') return right
  if (isSettled(ir.operator, left)) return left
  return after.isDead ? left : joinValues(left, right)
}

/** `text || other` where there is text: the other never counts. */
const isSettled = (operator: string, { constant, prefix }: Value): boolean =>
  operator === '||' ? (prefix ?? '') !== '' : constant !== undefined && constant !== null

function unary(flow: Flow, frame: Frame, ir: Extract<Ir, { op: 'unary' }>): Value {
  const operand = flow.evaluate(frame, ir.operand)
  const isStep = ir.operator === '' || ir.operator === '++' || ir.operator === '--'
  if (isStep && ir.operand.op === 'name') {
    const stepped = { ...operand, constant: stepOf(flow, ir, operand) }
    if (flow.narrowing === 0) frame.env.variables.set(ir.operand.name, stepped)
    return { ...operand, constant: undefined }
  }
  if (ir.operator === 'delete') deletePart(flow, frame, ir.operand, false)
  const constant = foldUnary(ir.operator, operand.constant)
  if (constant !== undefined) return constantValue(constant)
  if (ir.operator === '!' || ir.operator === 'typeof' || ir.operator === 'defined?') return unknown
  return isReference(ir.operator) || ir.operator === '<-' || ir.operator === '...' ? operand : { ...operand, constant: undefined }
}

/** `i++` of a known number; the grammar says only by its text which way. */
function stepOf(flow: Flow, ir: Extract<Ir, { op: 'unary' }>, { constant }: Value): number | undefined {
  if (typeof constant !== 'number') return undefined
  const text = ir.operator === '' ? flow.text.slice(ir.operand.end, ir.end).trim() : ir.operator
  return text === '++' ? constant + 1 : text === '--' ? constant - 1 : undefined
}

function assign(flow: Flow, frame: Frame, ir: Assign): Value {
  if (flow.narrowing > 0) return flow.evaluate(frame, ir.target)
  let value = ir.value === null ? declared(frame, ir) : flow.evaluate(frame, ir.value)
  if (ir.failure !== undefined) frame.env.variables.set(ir.failure, { ...unknown, marks: value.marks, mayMarks: value.mayMarks })
  if (ir.result !== undefined) value = value.fields?.get(String(ir.result)) ?? value
  if (ir.operator !== '=') {
    const old = flow.evaluate(frame, ir.target)
    if (ir.value !== null) checkStep(flow, frame, ir, { value: old, ir: ir.target }, { value, ir: ir.value })
    value = ['+', '.', '..', '<<'].includes(ir.operator) ? added(old, value) : joinValues(old, value)
  }
  if (ir.type !== undefined && ir.type !== '' && ir.type !== 'var' && ir.type !== 'auto') {
    value = { ...value, type: declaredType(flow, ir, value) }
    if (isHarmlessType(flow, ir.type)) value = cleaned(value, ['text'])
  }
  const begins = value.constant
  if (ir.size !== undefined) {
    const size = flow.evaluate(frame, ir.size).constant
    if (typeof size === 'number') value = { ...value, size, constant: isFixed(flow, ir) ? begins : undefined }
  }
  if (ir.target.op === 'name' && ir.value !== null && isTest(ir.value) && value.constant === undefined)
    value = { ...value, test: ir.value }
  if (value.func !== undefined && value.func.lambda.name === '') nameLambda(flow, value.func.lambda, ir.target)
  checkAssignment(flow, frame, ir, value.size === undefined ? value : { ...value, constant: begins })
  if (ir.declares) checkTarget(flow, frame, ir.target, value, ir)
  if (ir.value !== null) value = assignedValue(value, ir.target)
  if (ir.declares && ir.target.op === 'name') {
    frame.globals.delete(ir.target.name)
    frame.env.variables.set(ir.target.name, value)
  } else assignTo(flow, frame, ir.target, withSourcedParts(flow, frame, ir.target, value))
  return value
}

const comparisons = new Set([
  '&&',
  '||',
  '==',
  '===',
  '!=',
  '!==',
  'in',
  'not in',
  '!in',
  '=~',
  '<',
  '>',
  '<=',
  '>=',
  'instanceof',
  '??',
])

/** Expressions whose outcome says something about other values. */
const isTest = (ir: Ir): boolean =>
  ir.op === 'call' ||
  ir.op === 'index' ||
  (ir.op === 'binary' && comparisons.has(ir.operator)) ||
  (ir.op === 'unary' && ir.operator === '!')

/** The declared type, except that a construction knows better; then it counts as one of its types. */
function declaredType(flow: Flow, ir: Assign, value: Value): string | undefined {
  if (ir.value?.op !== 'call' || !ir.value.isNew || value.type === undefined || value.type === ir.type || ir.type === undefined)
    return ir.type
  const types = flow.declaredTypes.get(value.type) ?? new Set()
  flow.declaredTypes.set(value.type, types.add(ir.type.replace(/\*$/, '')))
  return value.type
}

const declared = (frame: Frame, ir: Assign): Value => {
  const old = ir.target.op === 'name' && !ir.declares ? lookup(frame.env, ir.target.name) : undefined
  const isEmptyList = ir.declares && ir.size === undefined && ir.type?.endsWith('[]') === true
  return old ?? (isEmptyList ? { ...unknown, fields: new Map() } : unknown)
}

const nameLambda = (flow: Flow, lambda: Lambda, target: Ir): void => {
  const name = writtenName(target)?.segment
  if (name !== undefined) flow.lambdaNames.set(lambda, name)
}

function functionValue(flow: Flow, frame: Frame, ir: Lambda): Value {
  const scope = flow.scopes.get(ir)
  const isFirstLook = flow.inlined.length === 0
  if (scope !== undefined && flow.table?.definesInBlocks === true && ir.decorators.length === 0 && ir.declares)
    return { ...unknown, func: { lambda: ir, ...scope } }
  if (scope === undefined || (isFirstLook && (!ir.declares || frame.lambda !== null)))
    flow.scopes.set(ir, { scope: frame.env, className: ir.owner ?? frame.className })
  const value: Value = { ...unknown, func: { lambda: ir, scope: frame.env, className: ir.owner ?? frame.className } }
  if (ir.declares && frame.className === null) {
    const old = frame.env.variables.get(ir.name)
    // Kotlin and others keep names of functions apart from names of values.
    if (old?.func?.lambda !== ir)
      frame.env.variables.set(ir.name, old?.fields === undefined ? value : { ...old, func: value.func })
  }
  return value
}

/** A field that a framework fills, as its decorators say. */
function fillFromOutside(flow: Flow, frame: Frame, { target, decorators = [], type, start, end }: Assign): void {
  if (decorators.length === 0 || target.op !== 'name' || isHarmlessType(flow, type)) return
  for (const { source, only } of flow.book.fieldSources) {
    if (source.field === undefined || !hasDecorator(source.field.decorator, decorators, flow.book.ignoreCase)) continue
    if (!placeHolds(flow, source, frame)) continue
    const old = frame.env.variables.get(target.name) ?? unknown
    const filled = withOrigins(old, joinOrigins(old.origins, [originOf(flow, source, only, { start, end })]))
    frame.env.variables.set(target.name, { ...filled, constant: undefined })
    flow.trace?.(`source ${source.label} (field ${target.name})`, start)
  }
}

/** Fields are evaluated as assignments to `this`; methods only become known. */
function classBody(flow: Flow, frame: Frame, ir: Extract<Ir, { op: 'class' }>): Value {
  const info = flow.classes.get(ir.name)
  const env = createEnvironment(frame.env)
  const inner: Frame = { ...frame, className: ir.name, env, result: null }
  for (const member of ir.members) {
    if (member.op === 'function') {
      flow.scopes.set(member, { scope: frame.env, className: ir.name })
      continue
    }
    flow.evaluate(inner, member)
    if (member.op === 'assign') fillFromOutside(flow, inner, member)
  }
  if (info !== undefined) for (const [name, value] of env.variables) if (name !== 'this') noteField(flow, info, name, value)
  return unknown
}

function cast(flow: Flow, frame: Frame, ir: Extract<Ir, { op: 'cast' }>): Value {
  const value = flow.evaluate(frame, ir.value)
  checkCast(flow, frame, ir, value)
  const kinds = flow.book.castSanitizers.filter((one) => one.type.test(ir.type)).flatMap((one) => one.kinds)
  const typed: Value = { ...value, type: typesOf(flow, ir.type)[0] ?? value.type }
  const clean = isNumericType(flow, ir.type) && !/\*/.test(flow.text.slice(ir.start, ir.value.start)) ? [...kinds, 'text'] : kinds
  return clean.length === 0 ? typed : cleaned(typed, clean)
}

/** Statements in order; what stands after a return is not reached. */
function block(flow: Flow, frame: Frame, body: readonly Ir[]): Value {
  let value: Value = unknown
  if (frame.lambda !== null) for (const ir of body) if (ir.op === 'function' && ir.declares) functionValue(flow, frame, ir)
  for (const ir of body) {
    if (frame.env.isDead && ir.op !== 'function' && ir.op !== 'class') continue
    value = flow.evaluate(frame, ir)
  }
  return value
}

function opaque(flow: Flow, frame: Frame, ir: Extract<Ir, { op: 'opaque' }>): Value {
  for (const { rule, matcher } of flow.book.plain.syntax) {
    if (matcher.syntax?.kind.includes(ir.kind) !== true) continue
    const constraint = matcher.syntax.text === undefined ? undefined : { text: matcher.syntax.text }
    reportIf(flow, frame, rule, matcher, ir, constraint, { value: unknown, ir })
  }
  // A class that is written where its one object is made: the object comes last.
  if (ir.kind === 'anonymous-class') return block(flow, frame, ir.parts)
  let origins: readonly Origin[] = []
  for (const part of ir.parts) origins = joinOrigins(origins, deepOrigins(flow.evaluate(frame, part)))
  return origins.length === 0 ? unknown : { ...unknown, origins }
}
