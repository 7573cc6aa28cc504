/**
 * Names that say what data they hold, such as `dbPassword`, `card_number` or `getSsn`: one vocabulary for all languages.
 *
 * A name is read as words. It holds what its last words say, as English puts them: `password_hash` is a hash and `token_count` a count.
 */
import { Remembered } from './remembered.js'
import type { DataNames } from './vocabulary-schema.js'

/** The words of a name in any spelling: `APIKey2`, `api_key` and `api-key` are `api key`. */
export const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')

const longestPhrase = 4

interface CompiledNames {
  readonly entry: DataNames
  readonly names: ReadonlySet<string>
  readonly unless: ReadonlySet<string>
  readonly notOf: ReadonlySet<string>
  readonly fillers: ReadonlySet<string>
  readonly verbs: ReadonlySet<string>
  readonly takers: ReadonlySet<string>
}

const joined = (of: readonly string[] | undefined): ReadonlySet<string> => new Set(of?.map((one) => one.replaceAll(' ', '')))

const compiled = (entry: DataNames): CompiledNames => ({
  entry,
  names: joined(entry.names),
  unless: joined(entry.unless),
  notOf: joined(entry.not_of),
  fillers: joined(entry.fillers),
  verbs: joined(entry.verbs),
  takers: joined(entry.takers),
})

/** The words of a name, and the phrases that end at each of them: many entries ask for the same ones. */
class Reading {
  readonly #endingAt: (readonly string[])[] = []

  constructor(readonly words: readonly string[]) {}

  endingAt(index: number): readonly string[] {
    return (this.#endingAt[index] ??= Array.from({ length: Math.min(longestPhrase, index + 1) }, (_, before) =>
      this.words.slice(index - before, index + 1).join(''),
    ))
  }
}

/** Whether the words end in what the entry is about. */
function isAbout({ names, unless, fillers }: CompiledNames, reading: Reading): boolean {
  const { words } = reading
  if (words.some((word) => unless.has(word))) return false
  for (let last = words.length - 1; last >= 0; last--) {
    if (reading.endingAt(last).some((phrase) => names.has(phrase))) return true
    if (!fillers.has(words[last] ?? '')) return false
  }
  return false
}

/** `apiKeyFor(tenant)`, `token_of_user`: what follows says whose it is. */
const relations = new Set(['for', 'from', 'of', 'with', 'by', 'to', 'in', 'on', 'at', 'using', 'if', 'when'])

function withoutRelation(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word, index) => index > 0 && relations.has(word))
  return at < 0 ? words : words.slice(0, at)
}

/** `recoveryCodes` holds one recovery code after the other. */
const singular = (words: readonly string[]): readonly string[] => {
  const last = words.at(-1) ?? ''
  return last.length > 3 && last.endsWith('s') && !last.endsWith('ss') ? [...words.slice(0, -1), last.slice(0, -1)] : words
}

const maxNameLength = 60

const nothing: readonly DataNames[] = []

/** What has more words is a sentence. */
const maxNameWords = 4

const heldBy = (found: readonly CompiledNames[], owner: string): readonly DataNames[] => {
  const of = wordsOf(owner).at(-1) ?? ''
  return found.flatMap(({ entry, notOf }) => (notOf.has(of) ? [] : [entry]))
}

/** The vocabulary of a language. Names repeat, so that each is read once. */
export class DataVocabulary {
  readonly labels: ReadonlySet<string>
  readonly #entries: readonly CompiledNames[]
  readonly #lookups: ReadonlySet<string>
  readonly #known = new Remembered<readonly CompiledNames[]>()

  constructor(entries: readonly DataNames[]) {
    this.#entries = entries.map(compiled)
    this.labels = new Set(entries.map(({ label }) => label))
    this.#lookups = new Set(entries.flatMap(({ lookups }) => lookups?.map((one) => one.toLowerCase()) ?? []))
  }

  /** What a variable or a part of `owner` with this name holds. */
  ofName(name: string, owner: string | null = null): readonly DataNames[] {
    const found = this.#about(name)
    if (found.length === 0) return nothing
    if (owner === null) return found.map(({ entry }) => entry)
    // `Columns.SSN` names a column, `Settings.API_KEY` holds the key.
    if (/^[A-Z]/.test(owner) && name === name.toUpperCase() && !/config|setting|env|secret/i.test(owner)) return []
    return heldBy(found, owner)
  }

  /** What is found under a name that is a text: `env.get("API_KEY")`, but not `messages.get("password")`. */
  ofLookup(asked: string, owner: string | null): readonly DataNames[] {
    const found = asked.split(/\s+/, maxNameWords + 1).length > maxNameWords ? [] : this.#about(asked)
    return owner === null ? found.map(({ entry }) => entry) : heldBy(found, owner)
  }

  /** What a function with this name answers with: `db_password()`, `getPassword()`, `generateAccessToken(user)`. */
  ofCall(name: string, argumentCount: number): readonly DataNames[] {
    const found = this.#about(name)
    if (found.length === 0) return nothing
    const [verb = ''] = wordsOf(name)
    return found.flatMap((one) => (argumentCount === 0 || one.verbs.has(verb) ? [one.entry] : []))
  }

  /** Whether a part with this name may hold such data. */
  knows(name: string): boolean {
    return this.#about(name).length > 0
  }

  isLookup(name: string): boolean {
    return this.#lookups.has(name.toLowerCase())
  }

  #about(name: string): readonly CompiledNames[] {
    return this.#known.of(name, () => {
      const reading = new Reading(name.length > maxNameLength ? [] : wordsOf(name))
      return this.#entries.filter((one) => isAbout(one, reading))
    })
  }
}

/** What things are called that are given a value, as sinks ask that are `named`. */
export class GivenNames {
  readonly #entries: readonly CompiledNames[]
  readonly #known = new Remembered<readonly DataNames[]>()

  constructor(entries: readonly DataNames[]) {
    this.#entries = entries.map(compiled)
  }

  /** A variable, a part, a parameter or a key. */
  ofPlace(name: string): readonly DataNames[] {
    return this.#once(name, name, (words) => isAboutAny([words, singular(words)]))
  }

  /** A collection whose keys are such values: `sessions[id]`, `resetTokens.set(token, user)`. */
  ofKeysOf(name: string): readonly DataNames[] {
    return this.#once(`${name}[]`, name, (words) => {
      const one = singular(words)
      return one === words ? () => false : isAboutAny([one, [...one, 'id']])
    })
  }

  /** A collection of such values that are there already: who picks one of them makes none. */
  isPool(name: string): boolean {
    const words = wordsOf(name)
    const one = singular(words)
    return one !== words && this.#entries.some(({ names }) => [1, 2].some((count) => names.has(one.slice(-count).join(''))))
  }

  /** What a function answers with, or makes: by its own name, or by that of its class when it says nothing itself. */
  ofFunction(name: string, className: string | null): readonly DataNames[] {
    return this.#once(`${className ?? ''}.${name}()`, name, (all) => {
      const words = withoutRelation(all)
      const isNamedSo = isAboutAny([words, singular(words)])
      const classWords = className === null ? [] : wordsOf(className)
      return (entry) => isNamedSo(entry) || isOfClass(entry, words, classWords)
    })
  }

  /** What a function takes that is told by its name: `setToken(x)`, `sendOtp(phone, x)`. */
  ofTaker(name: string): readonly DataNames[] {
    return this.#once(`${name}(x)`, name, (words) => {
      const [verb = '', ...rest] = withoutRelation(words)
      const reading = new Reading(rest)
      return (entry) => entry.takers.has(verb) && isAbout(entry, reading)
    })
  }

  /** `asks`: what an entry is asked about a name with these words. */
  #once(key: string, name: string, asks: (words: readonly string[]) => (entry: CompiledNames) => boolean): readonly DataNames[] {
    return this.#known.of(key, () => {
      const words = name.length > maxNameLength ? [] : wordsOf(name)
      return words.length === 0 ? nothing : this.#entries.filter(asks(words)).map(({ entry }) => entry)
    })
  }
}

function isAboutAny(spellings: readonly (readonly string[])[]): (entry: CompiledNames) => boolean {
  const readings = spellings.map((words) => new Reading(words))
  return (entry) => readings.some((one) => isAbout(entry, one))
}

/** A function that says nothing itself does what its class is for. */
function isOfClass(entry: CompiledNames, words: readonly string[], classWords: readonly string[]): boolean {
  const rest = entry.verbs.has(words[0] ?? '') ? words.slice(1) : words
  const isPlain = rest.every((word) => entry.fillers.has(word) || entry.verbs.has(word))
  if (classWords.length === 0 || (rest === words && !isPlain)) return false
  if (classWords.some((word) => entry.unless.has(word))) return false
  return classWords.some((_, at) => {
    const beginning = classWords.slice(0, at + 1)
    return isAbout(entry, new Reading(isPlain ? singular(beginning) : [...beginning, ...rest]))
  })
}
