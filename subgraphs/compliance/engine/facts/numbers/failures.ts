/** Numbers of failures: where a function keeps one, something has failed, so that it is never zero. */
import type { Expr } from '../program.js'
import type { Run } from '../run.js'
import type { State, Value } from '../state.js'
import { numberValue } from './arithmetic.js'
import { freshSymbol } from './numbers.js'

const most = 2 ** 31 - 1
const asked = new Set(['GetLastError', 'WSAGetLastError'])
/** A function that sets it to zero asks afterwards whether there was one; `WSAGetLastError()` beside a test for none. */
const cleared = /\berrno\s?=\s?0\b|\bSetLastError\s?\(|\b(?:errno|LastError\s?\(\s?\))\s?[!=]=\s?(?:0\b|NO_ERROR|ERROR_SUCCESS)/

const isNumber = (expr: Expr): boolean =>
  expr.op === 'variable'
    ? expr.name === 'errno' && !expr.isLocal
    : expr.op === 'call' && expr.receiver === null && asked.has(expr.name)

/** `err = errno`, `r = -errno`, `err = GetLastError()` */
export function failureNumber(run: Run, state: State, expr: Expr): Value | null {
  if (expr.op === 'cast') return failureNumber(run, state, expr.value)
  const isNegative = expr.op === 'unary' && expr.operator === '-'
  const kept = isNegative ? expr.operand : expr
  const { start, end } = run.frame.fn
  if (!isNumber(kept) || cleared.test(run.text.slice(start, end))) return null
  const range = isNegative ? { low: -most, high: -1 } : { low: 1, high: most }
  return numberValue(freshSymbol(run.symbols, `failure ${expr.start} ${state.epoch}`, range))
}
