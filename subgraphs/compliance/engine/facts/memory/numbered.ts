/** Elements whose number is a sum of symbols: `p[i]`, `*next`. */
import { isConstant, type Linear } from '../numbers/linear.js'
import { type State, type Target, unknownValue } from '../state.js'

const mostTerms = 2

/** The name of such a place; `null` for all others. */
export function numberedPlace(targets: readonly Target[] | null): string | null {
  const [only, ...others] = targets ?? []
  if (only?.at == null || others.length > 0 || isConstant(only.at) || only.at.terms.length > mostTerms) return null
  return `${only.object}[?${textOf(only.at)}]`
}

const textOf = ({ constant, terms }: Linear): string =>
  `${terms.map(([symbol, factor]) => `${factor} ${symbol}`).join(' + ')} + ${constant}`

const markOf = (object: string): string => `numbered ${object}`

/** One of them is known from here on. */
export const noteNumbered = (state: State, object: string): void =>
  state.set(markOf(object), { ...unknownValue, isInitial: true })

/** Something was written into the object: which of its elements is not known. */
export function forgetNumbered(state: State, object: string): void {
  const mark = markOf(object)
  if (state.value(mark) === undefined) return
  state.epoch++
  state.forget((place) => place === mark || place.startsWith(`${object}[?`))
}
