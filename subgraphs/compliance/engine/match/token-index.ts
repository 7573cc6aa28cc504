/** Which rules on tokens a line may match, by its words: of hundreds of rules a line is about a few. */
import type { Rulebook } from '../rulebook/compile.js'
import { type TokenLine, wordsNeededBy } from './token-pattern.js'

type TokenRule = Rulebook['plain']['tokens'][number]

interface TokenIndex {
  readonly byWord: ReadonlyMap<string, readonly number[]>
  readonly always: readonly number[]
}

const indexes = new WeakMap<readonly TokenRule[], TokenIndex>()

/** The rules whose patterns the words of the line do not dismiss, in their order. */
export function rulesAbout(rules: readonly TokenRule[], { words }: TokenLine): readonly TokenRule[] {
  let index = indexes.get(rules)
  if (index === undefined) indexes.set(rules, (index = indexOf(rules)))
  const found = new Set(index.always)
  for (const word of words) for (const at of index.byWord.get(word) ?? []) found.add(at)
  return [...found].toSorted((a, b) => a - b).map((at) => rules[at]!)
}

function indexOf(rules: readonly TokenRule[]): TokenIndex {
  const byWord = new Map<string, number[]>()
  const always: number[] = []
  for (const [at, { matcher }] of rules.entries()) {
    const needed = (matcher.tokens ?? []).map(wordsNeededBy)
    if (needed.includes(null)) always.push(at)
    else for (const word of new Set(needed.flatMap((words) => [...(words ?? [])]))) add(byWord, word, at)
  }
  return { byWord, always }
}

function add(byWord: Map<string, number[]>, word: string, at: number): void {
  const known = byWord.get(word)
  if (known === undefined) byWord.set(word, [at])
  else known.push(at)
}
