/** Elements whose number fits by its type or its last operation alone: `table[byte]` of 256, `table[n & 15]` of 16. */
import { limitsOf } from '../numbers/numbers.js'
import type { Linear } from '../numbers/linear.js'
import type { Expr, ExprOf } from '../program.js'
import type { Run } from '../run.js'
import type { State } from '../state.js'

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

/** `for (i = 0; table[i].name != NULL; i++)` of a table of the program: who reads it is still in it, so that nothing else needs more room. */
export function noteWithin({ program }: Run, state: State, { base }: ExprOf<'index'>, index: Linear | null): void {
  const count = base.op === 'variable' && !base.isLocal ? program.tables.get(base.name) : undefined
  const [only] = index?.terms.length === 1 ? index.terms : []
  const range = only?.[1] === 1 ? state.range(only[0]) : undefined
  if (count === undefined || only === undefined || range === undefined || range.most !== null) return
  const high = count - 1 - (index?.constant ?? 0)
  // One more than the last round had, at the head of the loop.
  if (range.high <= high || (Number.isFinite(range.high) && !range.isChecked)) return
  state.setRange(only[0], { ...range, high, isTight: false, isChecked: true })
}
