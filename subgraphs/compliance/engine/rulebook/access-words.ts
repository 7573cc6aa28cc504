/**
 * The words by which the analysis of access (`access/`) knows who asks, what is asked for and what stands in between.
 *
 * All are phrases of lower-case words: a name in any spelling is read as words (`data-names.ts`), so that `current_user`, `currentUser` and
 * `CurrentUser` are one phrase.
 */
import { wordsOf } from './data-names.js'
import type { AccessLists } from './vocabulary-schema.js'

export const accessKeys = [
  // Who asks.
  /** Whatever ends so is the signed-in caller, wherever it stands. */
  'callers',
  /** First words that make somebody the caller: `current member`. */
  'presences',
  /** Somebody who can be signed in; parameters of such a type are the caller where a framework fills them. */
  'people',
  /** What a request is held in, with everything that hangs on it. */
  'carriers',
  /** Parts of a request or a session that say who the caller is. */
  'identity',
  // What the client sends.
  /** Parts of a request that the client fills, and functions that read them. */
  'inputs',
  /** Names of the client's data that need no request in front. */
  'input_names',
  /** Types of parameters that frameworks fill from the request. */
  'input_types',
  /** Last words of identifiers. */
  'ids',
  /** How something is shown, not which. */
  'choices',
  /** Who knows these may have the thing: links with a token, addresses of mail. */
  'capabilities',
  /** Identifiers of people: what is asked for by them is theirs. */
  'owners',
  /** Types of requests and of what wraps one. */
  'requests',
  /** Types of requests that clients send too: a handler is given what it answers with before them. */
  'paired',
  /** Types of what a handler answers with. */
  'writers',
  // What is asked for.
  'finds',
  'changes',
  /** Changes that cannot be taken back. */
  'acts',
  /** Things that belong to somebody. */
  'owned',
  /** Things that are meant for everybody. */
  'public',
  /** Words of names that say nothing about the thing: `repository`. */
  'fillers',
  // What stands in between.
  /** A word of this kind makes a function a check of what somebody may do. */
  'authorizes',
  /** First words of checks, where the caller or the thing is given to them. */
  'demands',
  /** Says who somebody is, not what he may do. */
  'authenticates',
  /** Guards that only do what annotations ask for. */
  'mechanisms',
  'roles',
  /** Between a request and its handler without being a check. */
  'neutral',
  /** Marks of handlers that are meant for everybody. */
  'open',
  /** Answers that refuse. */
  'refuses',
  /** Notes for later: not a check. */
  'tells',
  // Where it happens.
  /** Methods and annotations that bind a handler to a path. */
  'routes',
  'groups',
  'filters',
  /** Filters of one route or of those before it: `r.With(auth).Get(...)`. */
  'chained',
  'controllers',
  /** Acts that are for some people only. */
  'privileged',
  /** Areas for some people only. */
  'areas',
  /** Where people come in: open by design. */
  'entrances',
] as const
export type AccessKey = (typeof accessKeys)[number]

/**
 * What all requests share: variables of the file, static fields, fields of the objects that answer. `maps`: two changes of different entries
 * harm each other too. `announced`: a function says which of the file's variables it changes.
 */
export const sharedParts = ['globals', 'statics', 'fields', 'maps', 'announced'] as const
export type SharedPart = (typeof sharedParts)[number]

const longest = 3

/** `categories` is `category`, `addresses` is `address`. */
export function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') && !/(?:ss|us|is)$/.test(word) && word.length > 3 ? word.slice(0, -1) : word
}

export class PhraseSet {
  readonly #phrases: ReadonlySet<string>

  constructor(phrases: readonly string[]) {
    this.#phrases = new Set(phrases.map((one) => one.replaceAll(' ', '')))
  }

  /** Whether the words as a whole are one of the phrases. */
  is(words: readonly string[]): boolean {
    return words.length > 0 && this.#phrases.has(words.join(''))
  }

  begins(words: readonly string[]): boolean {
    return this.#anyOf(words, (count) => words.slice(0, count))
  }

  ends(words: readonly string[]): boolean {
    return this.#anyOf(words, (count) => words.slice(-count))
  }

  /** Whether one of the phrases stands somewhere among the words. */
  within(words: readonly string[]): boolean {
    return words.some((_, at) => this.begins(words.slice(at)))
  }

  #anyOf(words: readonly string[], part: (count: number) => readonly string[]): boolean {
    for (let count = 1; count <= Math.min(longest, words.length); count++) if (this.is(part(count))) return true
    return false
  }
}

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
