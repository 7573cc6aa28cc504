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
