/** What the grammar of Swift takes for comparisons. */
import type { Ir } from '../ir.js'
import type { Custom } from '../lowering/shapes.js'

/** `HMAC<SHA256>.authenticationCode(for: x)`: the grammar takes the type's arguments for comparisons. */
export const comparison: Custom = (lowering, node) => {
  const [lhs, rhs] = [lowering.first(node, 'lhs,#0'), lowering.first(node, 'rhs,#1')]
  if (lhs === undefined || rhs === undefined)
    return lowering.make.opaque(
      node,
      lowering.children(node).map((child) => lowering.lower(child)),
    )
  const left = lowering.lower(lhs)
  const right = lowering.lower(rhs)
  const operator = lowering.source.slice(lowering.endOf(lhs), lowering.startOf(rhs)).trim()
  const isType = operator === '<' && left.op === 'name' && /^[A-Z]/.test(left.name)
  const member = isType && right.op === 'binary' && right.operator === '>' ? memberOf(left, right.right) : null
  return member ?? { op: 'binary', operator, left, right, start: lowering.startOf(node), end: lowering.endOf(node) }
}

/** Puts the type in front of `.member`, wherever the chain begins. */
function memberOf(type: Ir, ir: Ir): Ir | null {
  if (ir.op === 'unary')
    return ir.operator === '.' && ir.operand.op === 'name'
      ? { op: 'member', object: type, property: ir.operand.name, start: type.start, end: ir.end }
      : null
  if (ir.op === 'call') {
    const callee = memberOf(type, ir.callee)
    return callee === null ? null : { ...ir, callee, start: type.start }
  }
  if (ir.op !== 'member') return null
  const object = memberOf(type, ir.object)
  return object === null ? null : { ...ir, object, start: type.start }
}

/** `a != nil`: the grammar has no node for `nil` here, and takes `!=` in front of it for an operator of the program's own. */
export const equality: Custom = (lowering, node) => {
  const operands = lowering.children(node).filter((child) => !/^custom_operator$|comment$/.test(lowering.typeOf(child)))
  const [first, second] = operands
  if (first === undefined) return lowering.make.opaque(node, [])
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const left = lowering.lower(first)
  if (second !== undefined) {
    const operator = lowering.source.slice(lowering.endOf(first), lowering.startOf(second)).trim()
    return { op: 'binary', operator, left, right: lowering.lower(second), ...span }
  }
  const before = lowering.source.slice(span.start, lowering.startOf(first)).trim()
  const after = lowering.source.slice(lowering.endOf(first), span.end).trim()
  const nil = lowering.make.literal(node, null)
  if (after.endsWith('nil')) return { op: 'binary', operator: after.slice(0, -3).trim(), left, right: nil, ...span }
  if (before.startsWith('nil')) return { op: 'binary', operator: before.slice(3).trim(), left: nil, right: left, ...span }
  return lowering.make.opaque(node, [left])
}

/** `a ?? nil` is `a`. */
export const coalescing: Custom = (lowering, node) => {
  const [value, other] = [lowering.first(node, 'value,#0'), lowering.first(node, 'if_nil')]
  if (value === undefined) return lowering.make.opaque(node, [])
  const left = lowering.lower(value)
  if (other === undefined) return left
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  return { op: 'binary', operator: '??', left, right: lowering.lower(other), ...span }
}
