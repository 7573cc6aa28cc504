/** Indexes that were compared, and not enough. */
import { isConstant } from '../numbers/linear.js'
import type { Linear } from '../numbers/linear.js'
import { type Symbol, rangeOf, rangeOfSymbol } from '../numbers/numbers.js'
import type { Place } from '../program.js'
import type { Run } from '../run.js'
import type { State } from '../state.js'

/** Lengths are those of texts, which have a zero behind them. */
const counts = /(?:^|_|[a-z])(?:count|cap|capacity|num|max|nr|total|entries|items|slots)(?:_|$|[A-Z])/i

/** `if (at > t->count) return; t->rows[at]`: the element behind the last one. A list that is counted from one has no element zero. */
export function isBehindLast(run: Run, state: State, object: string, bytes: Linear | null, index: Linear): boolean {
  const [only] = index.terms
  if (bytes === null || !isConstant(bytes) || bytes.constant < 2) return false
  if (index.terms.length !== 1 || only?.[1] !== 1 || run.symbols.get(only[0])?.counts != null) return false
  const { most } = rangeOfSymbol(run.symbols, state, only[0])
  const [limit] = most?.terms ?? []
  if (most?.terms.length !== 1 || limit?.[1] !== 1 || most.constant + index.constant !== 0) return false
  const [, home, field = ''] = /^(.*)\.(\w+) \d+$/.exec(limit[0]) ?? []
  const [, of] = /^\*(.*)\.\w+ \d+$/.exec(object) ?? []
  return home !== undefined && home === of && counts.test(field) && rangeOf(run.symbols, state, index).low < 1
}

/** `at[i + 1] - at[i]`: where parts begin and end, of which there is one more than there are parts, or two to each. */
export function isOffset({ text }: Run, { start, end }: Place): boolean {
  const base = /^[^[\]]{1,60}\[/.exec(text.slice(start, Math.min(end, start + 64)))?.[0]
  return (
    base !== undefined &&
    text
      .slice(end, end + base.length + 9)
      .trimStart()
      .replace(/^-\s*/, '-')
      .startsWith(`-${base}`)
  )
}

const isOpen = ({ isData, isPartlyData, isTurned, isParsed }: Symbol): boolean => isData || isPartlyData || isTurned || isParsed

/** `if (at >= 8) return; slots[at] = x;` with a number out of data that may be below zero; `if (at > 7) at = 7;` as well. */
export function isHalfTested(run: Run, state: State, index: Linear): boolean {
  const [only] = index.terms
  if (index.terms.length !== 1 || only === undefined || only[1] <= 0 || rangeOf(run.symbols, state, index).low >= 0) return false
  const symbol = run.symbols.get(only[0])
  const range = rangeOfSymbol(run.symbols, state, only[0])
  const isLimited = symbol !== undefined && (range.high < symbol.high || range.most !== null)
  return isLimited && symbol.low < 0 && Number.isFinite(symbol.low) && isOpen(symbol)
}
