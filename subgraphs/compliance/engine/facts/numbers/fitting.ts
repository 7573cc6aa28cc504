/** Results that stay inside of their type, and divisors that are not zero, whatever numbers come from outside: the rules need not ask about them. */
import type { Run } from '../run.js'
import type { Expr, Type } from '../program.js'
import type { Span } from '../summary.js'
import type { State } from '../state.js'
import { highest, lowest } from './bounds.js'
import type { Linear } from './linear.js'
import { isNonZero, limitsOf } from './numbers.js'

/** One way on which it may not fit is enough. */
const note = (run: Run, { start, end }: Expr, isFine: boolean): unknown =>
  (isFine ? run.fitting : run.reaching).add(`${start}:${end}`)

/** What the operands can be, by their types too. */
function operandRange(run: Run, state: State, value: Linear, type: Type | null): Span {
  const limits = limitsOf(type)
  const [low, high] = [lowest(run.symbols, state, value), highest(run.symbols, state, value)]
  return { low: Math.max(low, limits.low), high: Math.min(high, limits.high) }
}

/** A sum, a difference or a product; `result` is `null` where nobody knows it as a sum of symbols. */
export function noteResult(run: Run, state: State, expr: Expr, result: Linear | null, range?: Span): void {
  const { low, high } = limitsOf(expr.type)
  const lower = Math.max(result === null ? -Infinity : lowest(run.symbols, state, result), range?.low ?? -Infinity)
  const upper = Math.min(result === null ? Infinity : highest(run.symbols, state, result), range?.high ?? Infinity)
  note(run, expr, expr.type?.kind === 'integer' && lower >= low && upper <= high)
}

/** `left - right` and `left + right` by what each of them can be. */
export function rangeOfSum(run: Run, state: State, expr: Expr, a: Linear, b: Linear): Span | undefined {
  if (expr.op !== 'binary') return undefined
  const [x, y] = [operandRange(run, state, a, expr.left.type), operandRange(run, state, b, expr.right.type)]
  return expr.operator === '-' ? { low: x.low - y.high, high: x.high - y.low } : { low: x.low + y.low, high: x.high + y.high }
}

export function noteDivisor(run: Run, state: State, expr: Expr, divisor: Linear): void {
  const [only] = divisor.terms
  const isSymbol = divisor.terms.length === 1 && divisor.constant === 0 && only !== undefined
  const isFine =
    lowest(run.symbols, state, divisor) > 0 || highest(run.symbols, state, divisor) < 0 || (isSymbol && isNonZero(state, only[0]))
  note(run, expr, isFine)
}
