/** Conditions inside of calls: `if (predict_false(p == NULL || n < 0))` of a macro that another file defines. */
import type { Expr, ExprOf } from '../program.js'
import { type Run, functionNamed } from '../run.js'

/** What answers the opposite, or asks something else. */
const turning = /not|fals(?:e|y)$|fail|invalid|unless|inver|negat|differ|count|popc|abs|strlen/i

/** A value that is true or false is no number to reckon with: whoever gets nothing else only says how likely it is, or writes it down. */
export function wrappedTest(run: Run, { name, receiver, callee, args: [only, ...others] }: ExprOf<'call'>): Expr | null {
  if (only === undefined || others.length > 0 || receiver !== null || callee !== null || turning.test(name)) return null
  const isKnown = functionNamed(run, name) !== undefined || run.program.macros.has(name)
  return !isKnown && isTest(only) ? only : null
}

const isTest = (expr: Expr): boolean =>
  expr.op === 'cast'
    ? isTest(expr.value)
    : (expr.op === 'binary' && /^(?:[<>]=?|[!=]=|&&|\|\|)$/.test(expr.operator)) || (expr.op === 'unary' && expr.operator === '!')
