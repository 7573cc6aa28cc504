/** How large and how small a sum can be, with what comparisons between its symbols say. */
import { type Linear, add, scale } from './linear.js'
import { rangeOf, type Symbols } from './numbers.js'
import type { State } from '../state.js'

const ROUNDS = 3

/** The sum with the upper bounds of what counts in this direction. */
function bounded(state: State, value: Linear, sign: 1 | -1): Linear {
  let result = value
  for (let round = 0; round < ROUNDS; round++) {
    const open = result.terms.find(([symbol, factor]) => factor * sign > 0 && (state.range(symbol)?.most ?? null) !== null)
    const most = open === undefined ? null : (state.range(open[0])?.most ?? null)
    if (open === undefined || most === null) break
    const rest: Linear = { constant: result.constant, terms: result.terms.filter(([symbol]) => symbol !== open[0]) }
    const next = add(rest, scale(most, open[1]))
    if (next === null) break
    result = next
  }
  return result
}

export const highest = (symbols: Symbols, state: State, value: Linear): number =>
  Math.min(rangeOf(symbols, state, value).high, rangeOf(symbols, state, bounded(state, value, 1)).high)

export const lowest = (symbols: Symbols, state: State, value: Linear): number =>
  Math.max(rangeOf(symbols, state, value).low, rangeOf(symbols, state, bounded(state, value, -1)).low)
