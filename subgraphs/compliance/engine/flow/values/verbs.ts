/** Templates of `printf`: which of the values behind one are printed as numbers or as types, so that none of their text is. */
import type { Value } from './value.js'

const verb = /%(?:%|[-+ #0]{0,5}\d{0,4}(?:\.\d{0,4})?(?:hh?|ll?|[qjzt](?=[a-z]))?([a-zA-Z@]))/g

/** Numbers, truth values, addresses and types; `%b` is text with its escapes in shells. */
const wordless = /^[deEfFgGiTtpu]$/

/** The places, from the template on, of what is printed without its text. */
export function wordlessPlaces(values: readonly Value[]): ReadonlySet<number> {
  const at = values.findIndex(({ constant }) => typeof constant === 'string' && constant.includes('%'))
  const template = values[at]?.constant
  // `%[1]d`, `%1$d` and `%*d` count in other ways.
  if (typeof template !== 'string' || /%[-+ #0]{0,5}(?:\*|\[|\d{1,3}\$|\d{0,4}\.\*|\(|\{|<)/.test(template)) return new Set()
  const verbs = [...template.matchAll(verb)].flatMap(([, letter]) => (letter === undefined ? [] : [letter]))
  return new Set(verbs.flatMap((letter, index) => (wordless.test(letter) ? [at + 1 + index] : [])))
}
