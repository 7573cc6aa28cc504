/** Statements and calls of C and C++, with the helper calls that memory rules need around them. */
import type { Ir } from '../ir.js'
import type { Custom, Lowering } from '../shapes.js'
import { afterAssignment, afterCall, afterStore, allocationSize, isPlain, measured, sizeMistakes, withNeeds } from './c-memory.js'
import { ownership } from './c-owners.js'
import { bare, helper, isSetElsewhere, knownName, scopeOf } from './c-scope.js'
import { accesses, factsOf, lastRound } from './c-tests.js'

/** A call, with what it needs of its buffers. */
export const call: Custom = (lowering, node) => {
  const callee = lowering.first(node, 'function')
  const list = lowering.first(node, 'arguments')
  const args = list === undefined ? [] : lowering.children(list).map((child) => lowering.lower(child))
  if (callee === undefined) return lowering.make.opaque(node, args)
  const lowered = lowering.lower(callee)
  const made = lowering.make.call(node, lowered, args)
  const at = lowered.op === 'member' ? Math.max(lowered.start, lowered.end - lowered.property.length) : lowered.start
  return withMemory(lowering, node, made.op === 'call' ? { ...made, at } : made)
}

/** What every call of C gets, and what stands around it. */
export const withMemory = (lowering: Lowering, node: number, made: Ir): Ir =>
  measured(lowering, node, withNeeds(lowering, node, made))

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
    for (const one of spine.toReversed()) {
      const left = lowering.first(one, 'left') ?? one
      const right = lowering.first(one, 'right') ?? one
      const operator = lowering.source.slice(lowering.endOf(left), lowering.startOf(right)).trim()
      const value = lowering.lower(right)
      const span = { start: lowering.startOf(one), end: lowering.endOf(one) }
      const plain: Ir = { op: 'binary', operator, left: result, right: value, ...span }
      const isReduced = operator === '%' || (operator === '&' && value.op === 'literal')
      result = special(lowering, one, operator, result, value) ?? (isReduced ? helper(lowering, one, '#reduced', [plain]) : plain)
    }
    return result
  }

export const assignment: Custom = (lowering, node) => {
  const [left, right] = [lowering.first(node, 'left'), lowering.first(node, 'right')]
  if (left === undefined || right === undefined) return lowering.make.opaque(node, [])
  const operator = lowering.source.slice(lowering.endOf(left), lowering.startOf(right)).trim().replace(/=$/, '')
  const size = operator === '' ? allocationSize(lowering, right) : null
  const value = lowering.lower(right)
  const isLost = value.op === 'literal' && value.value === null && isSetElsewhere(lowering, lowering.text(left))
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
  const body = [...accesses(lowering, inner), ...asserted(lowering, inner), lowering.lower(inner), ...afterCall(lowering, inner)]
  const type = lowering.typeOf(inner)
  const [left, right] = [lowering.first(inner, 'left'), lowering.first(inner, 'right')]
  if (type === 'assignment_expression' && left !== undefined && right !== undefined) {
    const known = knownName(lowering, left)
    body.push(
      ...afterAssignment(lowering, left, right),
      ...afterStore(lowering, left, right),
      ...ownership(lowering, left, right),
    )
    body.push(...sizeMistakes(lowering, right, known?.name ?? null))
  } else body.push(...sizeMistakes(lowering, inner, null))
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
  const before = accesses(lowering, condition)
  return before.length === 0 ? conditional : lowering.make.block(node, [...before, conditional])
}

export const loop: Custom = (lowering, node) => {
  const part = (selector: string): Ir | null => {
    const found = lowering.first(node, selector)
    return found === undefined ? null : lowering.lower(found)
  }
  const condition = lowering.first(node, 'condition')
  const limit = condition === undefined ? undefined : lowering.first(bare(lowering, condition), 'right')
  const isCounted = lowering.typeOf(node) === 'for_statement'
  const bodyFirst = lowering.typeOf(node) === 'do_statement'
  const init = part('initializer')
  const body = part('body') ?? lowering.make.block(node, [])
  const facts = condition === undefined || bodyFirst ? [] : factsOf(lowering, condition, true)
  const limits =
    isCounted && limit !== undefined && isPlain(lowering, limit)
      ? [helper(lowering, limit, '#rounds', [lowering.lower(limit)])]
      : []
  const inner = [...facts, ...(isCounted ? lastRound(lowering, node) : []), body]
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
  return lowering.make.block(node, [...(init === null ? [] : [init]), ...limits, made, ...after])
}

/** `p++` in the head of a loop is a step like any other. */
function updateOf(lowering: Lowering, node: number | undefined): Ir | null {
  if (node === undefined) return null
  const step = stepOf(lowering, node)
  return step === null ? lowering.lower(node) : lowering.make.block(node, [step, lowering.lower(node)])
}

function stepOf(lowering: Lowering, node: number): Ir | null {
  const operand = lowering.typeOf(node) === 'update_expression' ? lowering.first(node, 'argument') : undefined
  if (operand === undefined || !isPlain(lowering, operand)) return null
  const name = lowering.text(node).endsWith('--') || lowering.text(node).startsWith('--') ? '#decremented' : '#incremented'
  return helper(lowering, operand, name, [lowering.lower(operand)])
}

export const returnStatement: Custom = (lowering, node) => {
  const value = lowering.first(node, '#0')
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const jump: Ir = { op: 'jump', kind: 'return', value: value === undefined ? null : lowering.lower(value), ...span }
  if (value === undefined) return jump
  const before = accesses(lowering, value)
  const known = knownName(lowering, bare(lowering, value))
  if (known !== undefined) before.push(helper(lowering, value, '#returned', [lowering.make.name(value, known.name)]))
  return before.length === 0 ? jump : lowering.make.block(node, [...before, jump])
}

/** A `goto` leaves the way, except to the very next statement. */
export const statements: Custom = (lowering, node) => {
  const children = lowering.children(node)
  const body = children.flatMap((child, at): Ir[] => {
    if (lowering.typeOf(child) !== 'goto_statement') return [lowering.lower(child)]
    const next = children[at + 1]
    const label = lowering.text(lowering.first(child, 'label') ?? child)
    const isNext = next !== undefined && lowering.typeOf(next) === 'labeled_statement' && lowering.text(next).startsWith(label)
    return isNext ? [] : [lowering.lower(child)]
  })
  return lowering.make.block(node, body)
}

export const identifier: Custom = (lowering, node) => {
  const text = lowering.text(node)
  return lowering.make.name(node, scopeOf(lowering).aliases.get(text) ?? text)
}
