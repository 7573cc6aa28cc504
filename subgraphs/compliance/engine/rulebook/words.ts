/**
 * Words of packs: names of functions, methods, types and decorators whose meaning does not depend on what they are called on.
 *
 * The engine knows what it means to measure a text, to put something into a collection or never to return; packs say what a language and
 * its libraries call that. Letter case does not matter, and `to*` stands for all names that begin so.
 */
import type { WordLists } from './vocabulary-schema.js'

/** What a name can mean. */
export const wordKeys = [
  // Results.
  'measures',
  /** Digests and hashes. */
  'digests',
  'answers',
  'compiles',
  'copies',
  'makes',
  'makes_from',
  'views',
  'same_text',
  /** The result is the text of the arguments, whatever dress it wears: `JSON.stringify(x)`. */
  'serializes',
  /** Words before the fields of a type whose objects show them when they are written down: `data class`. */
  'shows',
  /** Words at a field that keep it from being shown: `@JsonIgnore`. */
  'hides',
  /** Methods in which a type says itself what it shows. */
  'describes',
  'addresses',
  'injects',
  /** Methods that any object has: the name alone does not say whose it is. */
  'universal',
  // Functions that are passed in.
  'maps',
  'iterates',
  'calls',
  // Ways through the program.
  'tells',
  'ends',
  'requires',
  'requires_inside',
  // Tests.
  'contains',
  'tests',
  'tests_whole',
  'tests_type',
  'tests_no_type',
  'tests_type_of',
  'searches',
  'cuts',
  'begins',
  'shares',
  'relates',
  'every',
  'equal',
  'equal_zero',
  'hosts',
  'parses',
  // Collections and builders of text.
  'appends_text',
  'adds',
  'prepends',
  'spreads',
  'merges',
  'inserts',
  'puts',
  'gets',
  'removes',
  'removes_first',
  'removes_last',
  'gets_first',
  'gets_last',
  'clears',
  'lengths',
  // Types and decorators.
  'harmless_types',
  'carrier_types',
  'text_types',
  'map_types',
  'state_hooks',
  'validators',
  'validators_of_text',
  'validators_by_pattern',
] as const
export type WordKey = (typeof wordKeys)[number]

/** What a call on constants results in. */
export const foldKeys = [
  'length',
  'is_empty',
  'is_blank',
  'trim',
  'lower',
  'upper',
  'same',
  'equal',
  'equal_ignoring_case',
  'begins',
  'ends',
  'contains',
  'index',
  'position',
  'char_at',
  'substring',
  'substr',
  /** The text is the first argument; else it is the receiver. */
  'as_function',
] as const
export type FoldKey = (typeof foldKeys)[number]

export interface NameSet {
  has(name: string): boolean
}

function nameSet(names: readonly string[]): NameSet {
  const lower = names.map((name) => name.toLowerCase())
  const exact = new Set(lower.filter((name) => !name.endsWith('*')))
  const beginnings = lower.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1))
  if (beginnings.length === 0) return { has: (name) => exact.has(name.toLowerCase()) }
  return {
    has(name) {
      const low = name.toLowerCase()
      return exact.has(low) || beginnings.some((beginning) => low.startsWith(beginning))
    },
  }
}

export interface Words extends Readonly<Record<WordKey, NameSet>> {
  readonly folds: Readonly<Record<FoldKey, NameSet>>
  readonly onFirst: ReadonlyMap<string, string>
}

/** The words of all packs of a language together. */
export function compileWords(packs: readonly { readonly words?: WordLists | undefined }[]): Words {
  const all = packs.flatMap((pack) => (pack.words === undefined ? [] : [pack.words]))
  const setOf = <K extends string>(keys: readonly K[], listOf: (one: WordLists, key: K) => readonly string[] | undefined) =>
    Object.fromEntries(keys.map((key) => [key, nameSet(all.flatMap((one) => listOf(one, key) ?? []))])) as Record<K, NameSet>
  return {
    ...setOf(wordKeys, (one, key) => one[key]),
    folds: setOf(foldKeys, (one, key) => one.folds?.[key]),
    onFirst: new Map(all.flatMap((one) => Object.entries(one.on_first ?? {}))),
  }
}
