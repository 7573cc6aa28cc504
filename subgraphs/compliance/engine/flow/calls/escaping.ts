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
  const isShort = lambda.end - lambda.start <= longest && !undoes.test(lambda.name)
  const text = isShort ? flow.text.slice(lambda.start, lambda.end) : ''
  const kinds = escapes.test(lambda.name) ? kindsByCharacters(text) : writesEntities(text) ? ['html'] : []
  known.set(lambda, kinds)
  return kinds
}

function kindsByCharacters(text: string): readonly string[] {
  const alone = [...text.matchAll(/'(\\.|[^'\\])'/g)].map((match) => match[1])
  // A text of nothing but signs, in which each is looked up: `strchr("*()\\", c)`.
  const looked = [...text.matchAll(/\w\("((?:\\.|[^"\\\w\s]){2,40})"/g)].flatMap((match) => match[1]?.match(/\\.|[^\\]/g) ?? [])
  const named = new Set<string | undefined>([...alone, ...looked])
  return meanings.flatMap((one) => (one.characters.every((character) => named.has(character)) ? one.kinds : []))
}

/** Where the character stands before the entity it is replaced; the other way around the entity is read. */
function writesEntities(text: string): boolean {
  return [
    ["'<'", '&lt;'],
    ["'&'", '&amp;'],
  ].every(([character = '', entity = '']) => {
    const at = text.indexOf(character)
    return at !== -1 && text.indexOf(entity) > at
  })
}

/** What such a function answers, or leaves in a buffer. */
export function escapedBy(flow: Flow, lambda: Lambda, left: Value): Value {
  const kinds = escapedKinds(flow, lambda)
  return kinds.length === 0 ? left : cleaned(left, kinds)
}
