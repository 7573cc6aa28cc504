/** Ranges of sums of symbols, and what comparisons say about them. */
import { type Linear, add, isConstant, isSame, scale, symbolic } from './linear.js'
import type { Type } from '../program.js'
import { type Range, State, type Value, isAddress, isNull, joinRange } from '../state.js'

/** What holds for a symbol wherever it is used. */
export interface Symbol {
  readonly low: number
  readonly high: number
  /** It was read from outside, so that nobody knows it. */
  readonly isData: boolean
  /** On some way it is such a number, bounded or not. */
  readonly isPartlyData: boolean
  /** A product or a sum that may have wrapped around. */
  readonly isWrapped: boolean
  /** It had no sign and got one. */
  readonly isTurned: boolean
  /** It stood in a text, which says whatever it likes. */
  readonly isParsed: boolean
  /** The variable that it counts the steps of. */
  readonly counts: string | null
  /** Bytes of the text or table in whose end the loop ends that counts them. */
  readonly walked: Linear | null
  /** A result that is -1 when the call fails. */
  readonly mayFail: boolean
  /** The length that a text would have had. */
  readonly mayExceed: boolean
  /** A number of elements that began with none. */
  readonly isGrown: boolean
}

export const plainSymbol: Symbol = {
  low: -Infinity,
  high: Infinity,
  isData: false,
  isPartlyData: false,
  isWrapped: false,
  isTurned: false,
  isParsed: false,
  counts: null,
  walked: null,
  mayFail: false,
  mayExceed: false,
  isGrown: false,
}

export type Symbols = Map<string, Symbol>

/** The values that a type holds. */
export function limitsOf(type: Type | null): { readonly low: number; readonly high: number } {
  if (type?.kind !== 'integer' || type.bytes === null) return { low: -Infinity, high: Infinity }
  const bits = type.bytes * 8
  return type.isSigned ? { low: -(2 ** (bits - 1)), high: 2 ** (bits - 1) - 1 } : { low: 0, high: 2 ** bits - 1 }
}

export function rangeOfSymbol(symbols: Symbols, state: State, symbol: string): Range {
  const { low, high } = symbols.get(symbol) ?? plainSymbol
  const known = state.range(symbol)
  if (known === undefined) return { low, high, isTight: false, most: null, isChecked: false }
  return { ...known, low: Math.max(low, known.low), high: Math.min(high, known.high) }
}

export function rangeOf(symbols: Symbols, state: State, value: Linear): { readonly low: number; readonly high: number } {
  let [low, high] = [value.constant, value.constant]
  for (const [symbol, factor] of value.terms) {
    const range = rangeOfSymbol(symbols, state, symbol)
    low += factor * (factor > 0 ? range.low : range.high)
    high += factor * (factor > 0 ? range.high : range.low)
  }
  return { low, high }
}

/** `if (n > 64 || n > left)`: of two limits the number that is known is the lower one, as far as anybody can see. */
function isBoundedBy(symbols: Symbols, state: State, symbol: string): boolean {
  const range = state.range(symbol)
  if (range === undefined || range.most === null) return false
  return !range.isTight || !(range.high <= rangeOf(symbols, state, range.most).high)
}

/** The largest value that the program surely reaches, as a sum of at most one open symbol; `null` when that is not known. */
export function reached(symbols: Symbols, state: State, value: Linear): Linear | null {
  let result: Linear | null = value
  for (let round = 0; round < 3 && result !== null && !isConstant(result); round++) {
    const from: Linear = result
    const bounded = from.terms.filter(([symbol, factor]) => factor > 0 && isBoundedBy(symbols, state, symbol))
    const [first] = bounded
    if (first === undefined) break
    const [symbol, factor] = first
    const most = state.range(symbol)?.most ?? null
    const rest: Linear = { constant: from.constant, terms: from.terms.filter(([other]) => other !== symbol) }
    result = most === null ? null : add(rest, scale(most, factor))
  }
  if (result === null || isConstant(result)) return result
  const [only] = result.terms
  if (result.terms.length !== 1 || only === undefined || only[1] < 0) return result
  const range = rangeOfSymbol(symbols, state, only[0])
  return range.isTight && Number.isFinite(range.high) ? { constant: result.constant + only[1] * range.high, terms: [] } : result
}

/** Symbols of outside that nothing bounds from above. */
export function openData(symbols: Symbols, state: State, value: Linear): string[] {
  return value.terms.flatMap(([symbol, factor]) => {
    const known = symbols.get(symbol)
    if (known?.isData !== true || factor < 0) return []
    const range = state.range(symbol)
    const isOpen = range === undefined || (!range.isChecked && range.most === null && !(range.high < known.high))
    return isOpen ? [symbol] : []
  })
}

/** Notes `value <= 0`. Answers whether that can be. */
function atMostZero(symbols: Symbols, state: State, value: Linear): boolean {
  if (value.terms.length === 0) return value.constant <= 0
  if (rangeOf(symbols, state, value).low > 0) return false
  for (const [symbol, factor] of value.terms) {
    const rest: Linear = { constant: value.constant, terms: value.terms.filter(([other]) => other !== symbol) }
    const low = rangeOf(symbols, state, rest).low
    const old = rangeOfSymbol(symbols, state, symbol)
    if (factor > 0) {
      const limit = Math.floor(-low / factor)
      const most = factor === 1 && !isConstant(rest) ? scale(rest, -1) : old.most
      const isLower = Number.isFinite(limit) && limit < old.high
      // A comparison with something unknown is a comparison all the same.
      state.setRange(symbol, {
        ...old,
        high: isLower ? limit : old.high,
        isTight: isLower ? isConstant(rest) || old.isTight : old.isTight,
        most: isLower && isConstant(rest) ? null : most,
        isChecked: old.isChecked || (factor !== 1 && !isConstant(rest)) || value.terms.length > 2,
      })
    } else {
      const limit = Math.ceil(low / -factor)
      if (Number.isFinite(limit) && limit > old.low) state.setRange(symbol, { ...old, low: limit })
    }
  }
  return true
}

/** Notes `left <= right` or, when `isStrict`, `left < right`. */
export function atMost(symbols: Symbols, state: State, left: Linear, right: Linear, isStrict: boolean): boolean {
  const difference = add(left, right, -1)
  return (
    difference === null ||
    atMostZero(symbols, state, isStrict ? { ...difference, constant: difference.constant + 1 } : difference)
  )
}

/** Marks a number that may be less or more than zero; joined with a way on which nobody asked, it is another value. */
const nonZero: Value = { number: null, to: null, nil: isAddress, isUnset: false }

export const isNonZero = (state: State, symbol: string): boolean => state.value(`nonzero ${symbol}`) === nonZero

/** `if (n == UINT32_MAX) return;`: one more still fits. */
export const isBelowTop = (state: State, symbol: string): boolean => state.value(`below top ${symbol}`) === nonZero

/** `KIND_MAX`, a constant of another file: whoever wrote it knows the buffer. */
export const isNamed = ({ terms }: Linear): boolean =>
  terms.length > 0 && terms.every(([symbol]) => /^::[A-Z][A-Z0-9_]+ \d+$/.test(symbol))

/** Constants of other files that stand for failures. */
const failure = /^::(?:[A-Z][A-Z0-9_]*(?:ERR|FAIL|MEM|INVAL|BAD|DENIED)[A-Z0-9_]*|E[A-Z0-9]{2,14}) \d+$/

export const isFailureSymbol = ({ constant: by, terms }: Linear): boolean =>
  by === 0 && terms.length === 1 && failure.test(terms[0]?.[0] ?? '')

/** `ret = find(key); if (ret) goto done; ... done: if (ret)`: asked before, or a failure on each way that led here. */
export function isKnownNonZero(symbols: Symbols, state: State, value: Linear): boolean {
  const { low, high } = rangeOf(symbols, state, value)
  const [only] = value.terms
  if (low > 0 || high < 0 || isFailureSymbol(value)) return true
  return value.constant === 0 && value.terms.length === 1 && only !== undefined && isNonZero(state, only[0])
}

/** Notes `value != 0` for values at the edge of their range. */
export function notZero(symbols: Symbols, state: State, value: Linear): boolean {
  const { low, high } = rangeOf(symbols, state, value)
  if (low === 0 && high === 0) return false
  const [only] = value.terms
  if (high === 0 && value.terms.length > 1) for (const [symbol] of value.terms) state.set(`below top ${symbol}`, nonZero)
  if (value.terms.length !== 1 || only === undefined || Math.abs(only[1]) !== 1) return true
  if (low === 0) return atMostZero(symbols, state, { constant: 1 - value.constant, terms: [[only[0], -only[1]]] })
  if (high === 0) return atMostZero(symbols, state, { constant: value.constant + 1, terms: value.terms })
  if (value.constant === 0) state.set(`nonzero ${only[0]}`, nonZero)
  return true
}

const isOpenTop = ({ high, most }: Range): boolean => most === null && high >= 2 ** 31 - 1

/** A number that is one of two others. */
export function joinedSymbol(symbols: Symbols, name: string, of: readonly Linear[], joined: State, a: State, b: State): void {
  const ranges = of.map((one, at) => {
    const state = at === 0 ? a : b
    const { low, high } = rangeOf(symbols, state, one)
    const top = reached(symbols, state, one)
    const isTight = top !== null && isConstant(top)
    return {
      low,
      high: isTight ? Math.min(high, top.constant) : high,
      isTight,
      most: top === null || isConstant(top) ? null : top,
      isChecked: openData(symbols, state, one).length === 0,
    } satisfies Range
  })
  const [first, second] = ranges
  if (first === undefined || second === undefined) return
  const range = joinRange(first, second)
  const terms = of.flatMap((one) => one.terms.map(([symbol]) => symbols.get(symbol)))
  const isOpen = of.some((one, at) => openData(symbols, at === 0 ? a : b, one).length > 0)
  const limits = terms.reduce(
    (all, one) => ({ low: Math.min(all.low, one?.low ?? -Infinity), high: Math.max(all.high, one?.high ?? Infinity) }),
    { low: range.low, high: range.high },
  )
  const counts = terms.find((one) => one?.counts != null)?.counts ?? null
  symbols.set(name, {
    ...plainSymbol,
    low: Math.min(limits.low, range.low),
    high: Math.max(limits.high, range.high),
    isData: isOpen,
    isPartlyData: terms.some((one) => one?.isData === true || one?.isPartlyData === true),
    isWrapped: terms.some((one) => one?.isWrapped === true),
    counts,
    walked: terms.find((one) => one?.walked != null)?.walked ?? null,
    mayExceed: terms.some((one) => one?.mayExceed === true) && isOpenTop(range),
    isGrown:
      name.includes(' count@') &&
      (terms.some((one) => one?.isGrown === true) || of.some((one) => isConstant(one) && one.constant === 0)),
  })
  joined.setRange(name, { ...range, isChecked: !isOpen })
  const isSomething = of.every((one, at) => isKnownNonZero(symbols, at === 0 ? a : b, one))
  if (isSomething || isNonZero(joined, name)) joined.set(`nonzero ${name}`, isSomething ? nonZero : { ...nonZero, nil: isNull })
}

export const freshSymbol = (symbols: Symbols, name: string, symbol: Partial<Symbol>): Linear => {
  symbols.set(name, { ...plainSymbol, ...symbol })
  return symbolic(name)
}

export const equal = (symbols: Symbols, state: State, left: Linear, right: Linear): boolean =>
  isSame(left, right) || (atMost(symbols, state, left, right, false) && atMost(symbols, state, right, left, false))
