/** Elements whose number fits by its type or its last operation alone: `table[byte]` of 256, `table[n & 15]` of 16. */
import { limitsOf } from '../numbers/numbers.js'
import type { Expr, ExprOf } from '../program.js'

/** Whatever the index is. A pointer says nothing of how much it points to. */
export function isWithinByType({ base: { type }, index }: ExprOf<'index'>): boolean {
  if (type?.kind !== 'array' || type.count?.op !== 'number') return false
  const { low, high } = limitsByType(index)
  return low >= 0 && high < type.count.value
}

/** C computes with `int`: only what is read or converted has the limits of its own type. */
const READ: ReadonlySet<Expr['op']> = new Set(['variable', 'field', 'index', 'dereference', 'cast'])

function limitsByType(expr: Expr): { readonly low: number; readonly high: number } {
  if (expr.op === 'binary' && expr.operator === '&') {
    const masks = [expr.left, expr.right].flatMap((side) => (side.op === 'number' && side.value >= 0 ? [side.value] : []))
    if (masks.length > 0) return { low: 0, high: Math.min(...masks) }
  }
  return READ.has(expr.op) ? limitsOf(expr.type) : { low: -Infinity, high: Infinity }
}
