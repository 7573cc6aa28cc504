/**
 * The words by which the analysis of access (`access/`) knows who asks, what is asked for and what stands in between.
 *
 * All are phrases of lower-case words: a name in any spelling is read as words (`data-names.ts`), so that `current_user`, `currentUser` and
 * `CurrentUser` are one phrase.
 */
import { type AccessKey, accessKeys, type SharedPart } from './access-keys.js'
import { wordsOf } from './data-names.js'
import type { AccessLists } from './vocabulary-schema.js'

const longest = 3

/** `categories` is `category`, `addresses` is `address`. */
export function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') && !/(?:ss|us|is)$/.test(word) && word.length > 3 ? word.slice(0, -1) : word
}

export class PhraseSet {
  readonly #phrases: ReadonlySet<string>
  /** Lengths and first letters of phrases: nearly all words are dismissed by them, and need not be put together. */
  readonly #outlines: ReadonlySet<number>

  constructor(phrases: readonly string[]) {
    this.#phrases = new Set(phrases.map((one) => one.replaceAll(' ', '')))
    this.#outlines = new Set([...this.#phrases].map((one) => outlineOf(one.length, one)))
  }

  /** Whether the words as a whole are one of the phrases. */
  is(words: readonly string[]): boolean {
    return this.#has(words, 0, words.length)
  }

  begins(words: readonly string[]): boolean {
    return this.#beginsAt(words, 0)
  }

  ends(words: readonly string[]): boolean {
    for (let count = 1; count <= Math.min(longest, words.length); count++)
      if (this.#has(words, words.length - count, words.length)) return true
    return false
  }

  /** Whether one of the phrases stands somewhere among the words. */
  within(words: readonly string[]): boolean {
    for (let at = 0; at < words.length; at++) if (this.#beginsAt(words, at)) return true
    return false
  }

  #beginsAt(words: readonly string[], from: number): boolean {
    const last = Math.min(from + longest, words.length)
    for (let to = from + 1; to <= last; to++) if (this.#has(words, from, to)) return true
    return false
  }

  #has(words: readonly string[], from: number, to: number): boolean {
    const first = words[from]
    if (first === undefined) return false
    let length = 0
    for (let at = from; at < to; at++) length += words[at]?.length ?? 0
    if (first !== '' && !this.#outlines.has(outlineOf(length, first))) return false
    return this.#phrases.has(to - from === 1 ? first : words.slice(from, to).join(''))
  }
}

const outlineOf = (length: number, text: string): number => length * 65_536 + (text === '' ? 0 : text.charCodeAt(0))

export type AccessWords = Readonly<Record<AccessKey, PhraseSet>> & {
  readonly exactCallers: ReadonlySet<string>
  readonly shared: ReadonlySet<SharedPart>
  /** The words of a name; names repeat, so that each is read once. */
  of(name: string): readonly string[]
}

export function compileAccess(packs: readonly { readonly access?: AccessLists | undefined }[]): AccessWords | null {
  const lists = packs.flatMap(({ access }) => (access === undefined ? [] : [access]))
  if (lists.length === 0) return null
  const known = new Map<string, readonly string[]>()
  const sets = Object.fromEntries(accessKeys.map((key) => [key, new PhraseSet(lists.flatMap((one) => one[key] ?? []))]))
  return Object.assign(sets as Record<AccessKey, PhraseSet>, {
    exactCallers: new Set(lists.flatMap((one) => one.exact_callers ?? [])),
    shared: new Set(lists.flatMap((one) => one.shared ?? [])),
    of(name: string) {
      let words = known.get(name)
      if (words === undefined) known.set(name, (words = name.length > 80 ? [] : wordsOf(name)))
      return words
    },
  })
}
