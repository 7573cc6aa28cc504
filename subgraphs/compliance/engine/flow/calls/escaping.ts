/** Functions of the file that escape a text one character after the other, into a buffer that they are given or a new text. */
import type { Lambda } from '../../syntax/ir.js'
import type { Flow } from '../state.js'
import { cleaned, type Value } from '../values/value.js'

const escapes = /escape|quote|encode|sanitiz|sanitis/i
const undoes = /un_?(?:escape|quote)|decode/i

/** The characters that a place gives a meaning, and what is harmless there without them. */
const meanings: readonly { readonly characters: readonly string[]; readonly kinds: readonly string[] }[] = [
  { characters: ['<', '&'], kinds: ['html'] },
  { characters: ['*', '(', ')'], kinds: ['ldap'] },
  { characters: [String.raw`\'`], kinds: ['sql', 'xpath'] },
  { characters: [String.raw`\n`, String.raw`\r`], kinds: ['log', 'header'] },
]

/** Longer functions do more than that. */
const longest = 4000

const known = new WeakMap<Lambda, readonly string[]>()

function escapedKinds(flow: Flow, lambda: Lambda): readonly string[] {
  const found = known.get(lambda)
  if (found !== undefined) return found
  const isEscape = escapes.test(lambda.name) && !undoes.test(lambda.name) && lambda.end - lambda.start <= longest
  const text = isEscape ? flow.text.slice(lambda.start, lambda.end) : ''
  const named = new Set([...text.matchAll(/'(\\.|[^'\\])'/g)].map((match) => match[1]))
  const kinds = meanings.flatMap((one) => (one.characters.every((character) => named.has(character)) ? one.kinds : []))
  known.set(lambda, kinds)
  return kinds
}

/** What such a function answers, or leaves in a buffer. */
export function escapedBy(flow: Flow, lambda: Lambda, left: Value): Value {
  const kinds = escapedKinds(flow, lambda)
  return kinds.length === 0 ? left : cleaned(left, kinds)
}
