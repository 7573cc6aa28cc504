/** Lengths with a sign: below zero they are huge. */
import type { Linear } from '../numbers/linear.js'
import { rangeOf, rangeOfSymbol } from '../numbers/numbers.js'
import type { Expr, Place } from '../program.js'
import { type Run, report } from '../run.js'
import type { State } from '../state.js'

const lengths = /^n$|^(?:\w{0,20}_)?(?:len|length|size|sz|count|cnt|bytes|nbytes|amount)_?$|(?:Len|Length|Size|Count|Bytes)_?$/

/** A length that a function is given, or that stands in a record that it is given, where nobody in the file calls it. */
function isGivenLength(run: Run, symbol: string): boolean {
  const { fn } = run.frame
  const [, name = '', field] = /^(?:&(\w+)|\*&\w+ 0\.(\w+)) 0$/.exec(symbol) ?? []
  const isParameter = field === undefined && fn.parameters.some((one) => one.name === name)
  if (!lengths.test(field ?? name) || (field === undefined && !isParameter)) return false
  return !run.program.functions.some(({ calls }) => calls.some((call) => call.name === fn.name))
}

/** `if (n != kept->len || memcmp(kept->bytes, p, n) != 0)`: the same as another length, which stands beside its bytes. */
function isKnownLength(run: Run, state: State, symbol: string): boolean {
  const [other, ...more] = state.range(symbol)?.most?.terms ?? []
  if (other === undefined || more.length > 0 || run.symbols.get(other[0])?.isData === true) return false
  const back = state.range(other[0])?.most
  return lengths.test(/\.(\w+) \d+$/.exec(other[0])?.[1] ?? '') && back?.constant === 0 && back.terms[0]?.[0] === symbol
}

/** A signed number that has an upper limit and no lower one becomes a huge length. */
export function checkSign(run: Run, state: State, bytes: Linear, place: Place, expr: Expr | null): boolean {
  // `(size_t)n` is what it is about.
  const inner = expr?.op === 'cast' && /^(?:variable|field)$/.test(expr.value.op) ? run.evaluate(state, expr.value).number : null
  if (expr?.op === 'cast' && inner !== null) return checkSign(run, state, inner, place, expr.value)
  const [only] = bytes.terms
  if (bytes.terms.length !== 1 || only === undefined || only[1] < 0) return false
  const symbol = run.symbols.get(only[0])
  if (symbol === undefined || rangeOf(run.symbols, state, bytes).low >= 0) return false
  const range = rangeOfSymbol(run.symbols, state, only[0])
  if (symbol.mayFail && bytes.constant === 0 && expr?.type?.kind !== 'pointer') {
    report(run, 'unchecked-length', place)
    return true
  }
  const isLimited = range.high < symbol.high || range.most !== null
  const isOpen = symbol.isData || symbol.isParsed || (Number.isFinite(range.high) && isGivenLength(run, only[0]))
  if (!isOpen || !isLimited || symbol.low >= 0 || isKnownLength(run, state, only[0])) return false
  report(run, 'negative-length', place)
  return true
}
