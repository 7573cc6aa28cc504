/**
 * Words of packs: names of functions, methods, types and decorators whose meaning does not depend on what they are called on.
 *
 * The engine knows what it means to measure a text, to put something into a collection or never to return; packs say what a language and
 * its libraries call that. Letter case does not matter, and `to*` stands for all names that begin so.
 */
import type { WordLists } from './vocabulary-schema.js'
import { type FoldKey, foldKeys, type WordKey, wordKeys } from './word-keys.js'

export interface NameSet {
  readonly isEmpty: boolean
  has(name: string): boolean
}

function nameSet(names: readonly string[]): NameSet {
  const lower = names.map((name) => name.toLowerCase())
  const exact = new Set(lower.filter((name) => !name.endsWith('*')))
  const beginnings = lower.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1))
  const isEmpty = names.length === 0
  if (beginnings.length === 0) return { isEmpty, has: (name) => exact.has(name.toLowerCase()) }
  return {
    isEmpty,
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
