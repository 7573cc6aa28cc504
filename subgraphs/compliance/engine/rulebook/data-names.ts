/**
 * Names that say what data they hold, such as `dbPassword`, `card_number` or `getSsn`: one vocabulary for all languages.
 *
 * A name is read as words. It holds what its last words say, as English puts them: `password_hash` is a hash and `token_count` a count.
 */
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
}

const joined = (of: readonly string[] | undefined): ReadonlySet<string> => new Set(of?.map((one) => one.replaceAll(' ', '')))

const compiled = (entry: DataNames): CompiledNames => ({
  entry,
  names: joined(entry.names),
  unless: joined(entry.unless),
  notOf: joined(entry.not_of),
  fillers: joined(entry.fillers),
  verbs: joined(entry.verbs),
})

/** Whether the name ends in what the entry is about. */
function isAbout({ names, unless, fillers }: CompiledNames, name: string): boolean {
  const words = wordsOf(name)
  if (words.some((word) => unless.has(word))) return false
  while (words.length > 0) {
    for (let count = 1; count <= Math.min(longestPhrase, words.length); count++)
      if (names.has(words.slice(-count).join(''))) return true
    if (!fillers.has(words.pop() ?? '')) return false
  }
  return false
}

const nothing: readonly DataNames[] = []

/** The vocabulary of a language. Names repeat, so that each is read once. */
export class DataVocabulary {
  readonly labels: ReadonlySet<string>
  readonly #entries: readonly CompiledNames[]
  readonly #lookups: ReadonlySet<string>
  readonly #known = new Map<string, readonly CompiledNames[]>()

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
    const of = wordsOf(owner).at(-1) ?? ''
    return found.flatMap(({ entry, notOf }) => (notOf.has(of) ? [] : [entry]))
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
    let found = this.#known.get(name)
    if (found === undefined) {
      found = name.length > 60 ? [] : this.#entries.filter((one) => isAbout(one, name))
      this.#known.set(name, found)
    }
    return found
  }
}
