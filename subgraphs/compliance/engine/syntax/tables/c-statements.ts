/** Statements and calls of C and C++, with the helper calls that memory rules need around them. */
import type { Ir, Name } from '../ir.js'
import type { Custom, Lowering } from '../lowering/shapes.js'
import { afterAssignment, afterCall, afterStore, allocationSize, isPlain, measured, withNeeds } from './c-memory.js'
import { harmlessBehind, madeOf } from './c-allowed.js'
import { byteValue } from './c-bytes.js'
import { lowerStatements } from './c-jumps.js'
import { bare, helper, isSetElsewhere, knownName, macroNamed, scopeOf } from './c-scope.js'
import { erased } from './c-secrets.js'
import { kindOfResult, operandKind, operationKind } from './c-operands.js'
import { operatorIn } from './c-operators.js'
import { accesses, factsOf } from './c-tests.js'
import { withRest } from './c-variadic.js'

/** A call, with what it needs of its buffers. */
export const call: Custom = (lowering, node) => {
  const callee = lowering.first(node, 'function')
  const list = lowering.first(node, 'arguments')
  const given = list === undefined ? [] : lowering.children(list).map((child) => lowering.lower(child))
  if (callee === undefined) return lowering.make.opaque(node, given)
  const lowered = lowering.lower(callee)
  const args = withRest(lowered, given)
  const expansion = lowered.op === 'name' ? expanded(lowering, node, lowered, args) : null
  if (expansion !== null) return expansion
  const made = lowering.make.call(node, lowered, list === undefined ? args : freedArguments(lowering, lowered, list, args))
  const at = lowered.op === 'member' ? Math.max(lowered.start, lowered.end - lowered.property.length) : lowered.start
  return withMemory(lowering, node, made.op === 'call' ? { ...made, at } : made)
}

/** A macro that stands for one call. */
function expanded(lowering: Lowering, node: number, callee: Name, args: readonly Ir[]): Ir | null {
  const macro = macroNamed(lowering, callee.name)
  const [only] = macro?.calls ?? []
  if (macro?.calls.length !== 1 || only === undefined || only.name === '=' || macro.parameters.length !== args.length) return null
  const span = { start: callee.start, end: callee.end }
  const given = only.args.map(
    (one): Ir =>
      ('number' in one ? undefined : one.parameter === null ? undefined : args[one.parameter]) ?? {
        op: 'literal',
        value: 'number' in one ? one.number : null,
        ...span,
      },
  )
  const made = lowering.make.call(node, { ...callee, name: only.name }, given)
  return made.op === 'call' ? { ...made, at: callee.start } : made
}

/** What is freed by `free(*p)` and `free(a[i])` is not `p` or `a`; what else is freed is remembered by its text. */
function freedArguments(lowering: Lowering, callee: Ir, list: number, args: readonly Ir[]): readonly Ir[] {
  if (callee.op !== 'name' || !givesBack.test(callee.name)) return args
  return lowering.children(list).map((child, at) => freedPlace(lowering, child, args[at] ?? lowering.lower(child)))
}

export function freedPlace(lowering: Lowering, node: number, value: Ir): Ir {
  const text = lowering.text(node)
  const type = lowering.typeOf(bare(lowering, node))
  if (type === 'pointer_expression' || /\[\s*[A-Za-z_]/.test(text)) return lowering.make.opaque(node, [value])
  if (type === 'identifier' || type === 'field_expression') scopeOf(lowering).inside?.freed.set(text, node)
  return value
}

const givesBack = /^(?:c?free|kv?free|vfree|xfree|g_free|OPENSSL_free|fclose|pclose|closedir)$/

/** `#refilled(p)` where a call gets `&p`: it may put something new there. */
function refilled(lowering: Lowering, node: number): Ir[] {
  const { inside } = scopeOf(lowering)
  if (inside === null || inside.freed.size === 0) return []
  const given = new Set(
    [
      ...lowering
        .text(node)
        .slice(0, 2000)
        .matchAll(/&\s*\(?(\w+)/g),
    ].map((match) => match[1]),
  )
  return [...inside.freed.values()]
    .filter((place) => given.has(/\w+/.exec(lowering.text(place))?.[0]))
    .map((place) => helper(lowering, place, '#refilled', [lowering.lower(bare(lowering, place))]))
}

/** What every call of C gets, and what stands around it. */
export const withMemory = (lowering: Lowering, node: number, made: Ir): Ir => {
  const call = measured(lowering, node, withNeeds(lowering, node, made))
  return call
}

/** What `a op b` becomes; `null` for an ordinary operator. */
export type Special = (lowering: Lowering, node: number, operator: string, left: Ir, right: Ir) => Ir | null

/**
 * Chains of operators, unrolled. The rest of a division and the bits under a mask are small numbers, whatever they are made from: they
 * are written as `#reduced(a % b)`.
 */
export const operators =
  (special: Special): Custom =>
  (lowering, node) => {
    const spine: number[] = []
    let at = node
    while (lowering.typeOf(at) === 'binary_expression') {
      const left = lowering.first(at, 'left')
      if (left === undefined || lowering.first(at, 'right') === undefined) break
      spine.push(at)
      at = left
    }
    if (spine.length === 0) return lowering.make.opaque(node, [])
    let result = lowering.lower(at)
    // Of a chain of the same operator the last operand in front.
    let [asked, before] = [at, '']
    let kind = operandKind(lowering, at)
    for (const one of spine.toReversed()) {
      const left = lowering.first(one, 'left') ?? one
      const right = lowering.first(one, 'right') ?? one
      const operator = operatorIn(lowering.source.slice(lowering.endOf(left), lowering.startOf(right)))
      const value = behindTest(lowering, operator, operator === before ? asked : left, right)
      ;[asked, before] = [right, operator]
      const span = { start: lowering.startOf(one), end: lowering.endOf(one) }
      // `(pid_t) - pid` is a cast: the grammar cannot know a type of another file.
      if (/^[-+~&*]$/.test(operator) && /^\([a-z]\w{0,40}_t\)$/.test(lowering.text(left))) {
        result = operator === '-' ? { op: 'unary', operator, operand: value, ...span } : value
        continue
      }
      const behind = operandKind(lowering, right)
      const of = operationKind(operator, kind, behind)
      kind = kindOfResult(operator, kind, behind)
      const plain: Ir = { op: 'binary', operator, left: result, right: value, ...(of === null ? {} : { of }), ...span }
      const isReduced = operator === '%' || (operator === '&' && (value.op === 'literal' || isSizeMask(value)))
      const known = special(lowering, one, operator, result, value) ?? madeOf(lowering, one, operator, result, value)
      const around = isReduced ? '#reduced' : operator === '-' && isAddress(lowering, right) ? '#distance' : null
      result = known ?? (around === null ? plain : helper(lowering, one, around, [plain]))
    }
    return result
  }

/** `end - start`: how far apart two places in one text are is no number that the text says. */
const isAddress = (lowering: Lowering, node: number): boolean => {
  const kind = knownName(lowering, bare(lowering, node))?.kind
  return kind === 'pointer' || kind === 'array'
}

/** `hash & (size - 1)` */
const isSizeMask = (value: Ir): boolean =>
  value.op === 'binary' && value.operator === '-' && value.right.op === 'literal' && value.right.value === 1

/** `p && f(p)`, `!p || f(p)`: what the operand right in front says about numbers and addresses holds in the one behind it. */
function behindTest(lowering: Lowering, operator: string, asked: number, node: number): Ir {
  const value = lowering.lower(node)
  if ((operator !== '&&' && operator !== '||') || value.op === 'name' || value.op === 'literal') return value
  const facts = numericFacts(lowering, asked, operator === '&&')
  return facts.length === 0 ? value : lowering.make.block(node, [...facts, value])
}

export const assignment: Custom = (lowering, node) => {
  const [left, right] = [lowering.first(node, 'left'), lowering.first(node, 'right')]
  if (left === undefined || right === undefined) return lowering.make.opaque(node, [])
  const operator = operatorIn(lowering.source.slice(lowering.endOf(left), lowering.startOf(right))).replace(/=$/, '')
  const size = operator === '' ? allocationSize(lowering, right) : null
  const value = byteValue(lowering, right, lowering.lower(right))
  const root = /\w+/.exec(lowering.text(left))?.[0] ?? ''
  const isPointee = lowering.typeOf(left) === 'pointer_expression'
  const isLost = value.op === 'literal' && value.value === null && (isPointee || isSetElsewhere(lowering, root))
  return {
    op: 'assign',
    target: lowering.lower(left),
    value: isLost ? lowering.make.opaque(right, []) : value,
    operator: operator === '' ? '=' : operator,
    declares: false,
    ...(size === null ? {} : { size }),
    start: lowering.startOf(node),
    end: lowering.endOf(node),
  }
}

/** A statement, between the accesses that it makes and what it leaves in buffers. */
export const expressionStatement: Custom = (lowering, node) => {
  const inner = lowering.first(node, '#0')
  if (inner === undefined) return lowering.make.block(node, [])
  const body = [
    ...refilled(lowering, inner),
    ...accesses(lowering, inner),
    ...asserted(lowering, inner),
    lowering.lower(inner),
    ...afterCall(lowering, inner),
    ...erased(lowering, inner),
  ]
  const type = lowering.typeOf(inner)
  const [left, right] = [lowering.first(inner, 'left'), lowering.first(inner, 'right')]
  if (type === 'assignment_expression' && left !== undefined && right !== undefined) {
    body.push(...afterAssignment(lowering, left, right), ...afterStore(lowering, left, right))
  }
  const step = stepOf(lowering, inner)
  if (step !== null) body.unshift(step)
  const [only] = body
  return body.length === 1 && only !== undefined ? only : lowering.make.block(node, body)
}

/** `assert(p != NULL)` and its kin. */
function asserted(lowering: Lowering, node: number): Ir[] {
  const callee = lowering.typeOf(node) === 'call_expression' ? lowering.first(node, 'function') : undefined
  if (callee === undefined || !/assert|fail|check|ensure|require|verify|expect/i.test(lowering.text(callee))) return []
  return lowering.all(node, 'arguments/*').flatMap((argument) => factsOf(lowering, argument, true))
}

export const ifStatement: Custom = (lowering, node) => {
  const condition = lowering.first(node, 'condition')
  const [then, otherwise] = [lowering.first(node, 'consequence'), lowering.first(node, 'alternative')]
  if (condition === undefined) return lowering.make.opaque(node, [])
  const branch = (at: number | undefined, truth: boolean): Ir | null => {
    const facts = factsOf(lowering, condition, truth)
    if (at === undefined) return facts.length === 0 ? null : lowering.make.block(node, facts)
    const lowered = lowering.lower(at)
    return facts.length === 0 ? lowered : lowering.make.block(at, [...facts, lowered])
  }
  const conditional: Ir = {
    op: 'if',
    test: lowering.lower(condition),
    then: branch(then, true) ?? lowering.make.block(node, []),
    otherwise: branch(otherwise, false),
    start: lowering.startOf(node),
    end: lowering.endOf(node),
  }
  const before = [...refilled(lowering, condition), ...accesses(lowering, condition)]
  return before.length === 0 ? conditional : lowering.make.block(node, [...before, conditional])
}

const numeric = /^#(?:nonzero|bounded|capped|short)$/

const numericFacts = (lowering: Lowering, condition: number, truth: boolean): Ir[] =>
  factsOf(lowering, condition, truth).filter(
    (fact) => fact.op === 'call' && fact.callee.op === 'name' && numeric.test(fact.callee.name),
  )

/** `a > b ? a - b : 0`: what the test says about numbers holds in the branches. */
export const choice: Custom = (lowering, node) => {
  const condition = lowering.first(node, 'condition')
  const otherwise = lowering.first(node, 'alternative')
  if (condition === undefined || otherwise === undefined) return lowering.make.opaque(node, [])
  // GNU C: `a ?: b`
  const then = lowering.first(node, 'consequence') ?? condition
  const branch = (at: number, truth: boolean): Ir => {
    const facts = numericFacts(lowering, condition, truth)
    const lowered = lowering.lower(at)
    return facts.length === 0 ? lowered : lowering.make.block(at, [...facts, lowered])
  }
  return {
    op: 'if',
    test: lowering.lower(condition),
    then: branch(then, true),
    otherwise: branch(otherwise, false),
    start: lowering.startOf(node),
    end: lowering.endOf(node),
  }
}

export const loop: Custom = (lowering, node) => {
  const part = (selector: string): Ir | null => {
    const found = lowering.first(node, selector)
    return found === undefined ? null : lowering.lower(found)
  }
  const condition = lowering.first(node, 'condition')
  if (
    lowering.typeOf(node) === 'do_statement' &&
    condition !== undefined &&
    /^\(?\s*(?:0|false)\s*\)?$/.test(lowering.text(condition))
  )
    return once(lowering, node)
  const limit = condition === undefined ? undefined : lowering.first(bare(lowering, condition), 'right')
  const isCounted = lowering.typeOf(node) === 'for_statement'
  const bodyFirst = lowering.typeOf(node) === 'do_statement'
  const init = part('initializer')
  const body = part('body') ?? lowering.make.block(node, [])
  const facts = condition === undefined || bodyFirst ? [] : factsOf(lowering, condition, true)
  const limits =
    isCounted && limit !== undefined && isPlain(lowering, limit) && !givesUp(lowering, lowering.first(node, 'body'))
      ? [helper(lowering, limit, '#rounds', [lowering.lower(limit)])]
      : []
  const inner = [...facts, body]
  const made: Ir = {
    op: 'loop',
    init: null,
    test: condition === undefined ? null : lowering.lower(condition),
    update: updateOf(lowering, lowering.first(node, 'update')),
    target: null,
    iterable: null,
    body: inner.length === 1 ? body : lowering.make.block(node, inner),
    bodyFirst,
    start: lowering.startOf(node),
    end: lowering.endOf(node),
  }
  const after = condition === undefined ? [] : factsOf(lowering, condition, false).filter((fact) => fact.op === 'call')
  return lowering.make.block(node, [
    ...(init === null ? [] : [init]),
    ...limits,
    made,
    ...after,
    ...harmlessBehind(lowering, node),
  ])
}

const inners = /^(?:for|while|do|switch)_statement$|^for_range_loop$/

/** It leaves the loop before its last round: `if (!next(&record)) return -1;` ends with what it reads, however much was announced. */
function givesUp(lowering: Lowering, body: number | undefined): boolean {
  const open = body === undefined ? [] : [{ node: body, isInner: false }]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const type = lowering.typeOf(at.node)
    if (/^(?:return|goto|throw)_statement$/.test(type) || (type === 'break_statement' && !at.isInner)) return true
    if (type === 'lambda_expression' || type.endsWith('_expression')) continue
    const isInner = at.isInner || inners.test(type)
    for (const node of lowering.children(at.node)) open.push({ node, isInner })
  }
  return false
}

/** `do { ... } while (0)` is a block that `break` leaves. */
function once(lowering: Lowering, node: number): Ir {
  const body = lowering.first(node, 'body')
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const only = { tests: [], body: body === undefined ? lowering.make.block(node, []) : lowering.lower(body) }
  return { op: 'switch', subject: null, cases: [only], fallsThrough: true, ...span }
}

/** `p++` in the head of a loop is a step like any other. */
function updateOf(lowering: Lowering, node: number | undefined): Ir | null {
  if (node === undefined) return null
  const step = stepOf(lowering, node)
  const before = [...(step === null ? [] : [step]), ...accesses(lowering, node)]
  return before.length === 0 ? lowering.lower(node) : lowering.make.block(node, [...before, lowering.lower(node)])
}

function stepOf(lowering: Lowering, node: number): Ir | null {
  const operand = lowering.typeOf(node) === 'update_expression' ? lowering.first(node, 'argument') : undefined
  if (operand === undefined || !isPlain(lowering, operand) || operandKind(lowering, operand) !== null) return null
  const name = lowering.text(node).endsWith('--') || lowering.text(node).startsWith('--') ? '#decremented' : '#incremented'
  return helper(lowering, operand, name, [lowering.lower(operand)])
}

export const returnStatement: Custom = (lowering, node) => {
  const value = lowering.first(node, '#0')
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const jump: Ir = { op: 'jump', kind: 'return', value: value === undefined ? null : lowering.lower(value), ...span }
  if (value === undefined) return jump
  const before = accesses(lowering, value)
  return before.length === 0 ? jump : lowering.make.block(node, [...before, jump])
}

export const statements: Custom = (lowering, node) =>
  lowering.make.block(node, lowerStatements(lowering, lowering.children(node)))

export const identifier: Custom = (lowering, node) => {
  const text = lowering.text(node)
  return lowering.make.name(node, scopeOf(lowering).aliases.get(text) ?? text)
}
