/**
 * TypeScript's grammar takes the mark of `a + b!.c` to stand behind the whole sum, and the sum to be what has `c`. It binds to `b` alone,
 * and so does everything that follows.
 */
import type { Call, Ir } from '../ir.js'

type Postfix = Call | Extract<Ir, { op: 'member' | 'index' }>

/** Sums whose last operand got what follows the mark: what follows that is the operand's as well. */
const split = new WeakSet<Ir>()

export function postfixed(source: string, ir: Postfix): Ir {
  const owner = ir.op === 'call' ? ir.callee : ir.object
  const behind = source[owner.end]
  if (owner.op !== 'binary' || !(behind === '!' || (split.has(owner) && behind !== ')'))) return ir
  const { right } = owner
  const { start } = right
  const at = right.op === 'member' ? right.end - right.property.length : start
  const own: Postfix = ir.op === 'call' ? { ...ir, callee: right, at, start } : { ...ir, object: right, start }
  const whole: Ir = { ...owner, right: postfixed(source, own), end: ir.end }
  split.add(whole)
  return whole
}
