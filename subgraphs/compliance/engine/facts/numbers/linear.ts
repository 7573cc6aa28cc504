/** Numbers as sums of symbols: `2 * n + 1`. A symbol stands for something that is not known while the program is only read. */

export interface Linear {
  readonly constant: number
  /** Symbols in order, with factors other than 0. */
  readonly terms: readonly (readonly [symbol: string, factor: number])[]
}

/** Longer sums say nothing that a rule could use. */
const maxTerms = 4

export const constant = (value: number): Linear => ({ constant: value, terms: [] })

export const symbolic = (symbol: string): Linear => ({ constant: 0, terms: [[symbol, 1]] })

export const zero = constant(0)

export const isConstant = (value: Linear): boolean => value.terms.length === 0

/** `null` when the sum has too many symbols. */
export function add(left: Linear, right: Linear, factor = 1): Linear | null {
  if (right.terms.length === 0) return { constant: left.constant + factor * right.constant, terms: left.terms }
  const terms = new Map(left.terms)
  for (const [symbol, count] of right.terms) {
    const total = (terms.get(symbol) ?? 0) + factor * count
    if (total === 0) terms.delete(symbol)
    else terms.set(symbol, total)
  }
  if (terms.size > maxTerms) return null
  const sorted = [...terms].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { constant: left.constant + factor * right.constant, terms: sorted }
}

export const scale = (value: Linear, factor: number): Linear =>
  factor === 0
    ? zero
    : {
        constant: value.constant * factor,
        terms: factor === 1 ? value.terms : value.terms.map(([symbol, count]) => [symbol, count * factor] as const),
      }

export const isSame = (left: Linear, right: Linear): boolean =>
  left.constant === right.constant &&
  left.terms.length === right.terms.length &&
  left.terms.every(([symbol, factor], at) => right.terms[at]?.[0] === symbol && right.terms[at]?.[1] === factor)
