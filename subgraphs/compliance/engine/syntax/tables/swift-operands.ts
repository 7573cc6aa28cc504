/** Swift: what suffixes belong to, where the grammar gives them to the whole of an operation. */
import type { Ir } from '../ir.js'

/** What stands in parentheses of its own, so that a suffix belongs to the whole of it. */
export const enclosed = new WeakSet<Ir>()

/** What a suffix such as `.b`, `(x)` or `[0]` belongs to: operators bind less than it. */
export const lastOperand = (ir: Ir): Ir => {
  if (enclosed.has(ir)) return ir
  if (ir.op === 'unary' && ir.operator === '!') return lastOperand(ir.operand)
  return ir.op === 'binary' ? lastOperand(ir.right) : ir
}

export function withLastOperand(ir: Ir, replacement: Ir): Ir {
  const { end } = replacement
  if (enclosed.has(ir)) return replacement
  if (ir.op === 'unary' && ir.operator === '!') return { ...ir, operand: withLastOperand(ir.operand, replacement), end }
  return ir.op === 'binary' ? { ...ir, right: withLastOperand(ir.right, replacement), end } : replacement
}
