/** Calls that no model knows, by the words of their names: `readTextFile`, `remove_entry`, `SendFileAsync`. */
import { wordsOf } from './data-names.js'
import { Remembered } from './remembered.js'
import type { Sink } from './model-schema.js'

export interface SaidSink {
  readonly sink: Sink
  readonly only: string | null
}

interface Compiled extends SaidSink {
  readonly verbs: ReadonlySet<string>
  readonly objects: ReadonlySet<string> | null
  readonly names: ReadonlySet<string>
  readonly unless: ReadonlySet<string>
  readonly of: ReadonlySet<string> | null
  readonly takes: ReadonlySet<string> | null
}

const setOf = (words: readonly string[] | undefined): ReadonlySet<string> => new Set(words)
const setOrNull = (words: readonly string[] | undefined): ReadonlySet<string> | null =>
  words === undefined ? null : new Set(words)

const maxNameLength = 60
const nothing: readonly Compiled[] = []

/** The sinks of a language that are known by words. Names repeat, so that each is read once. */
export class SaidNames {
  readonly #entries: readonly Compiled[]
  readonly #known = new Remembered<readonly Compiled[]>()

  constructor(sinks: readonly SaidSink[]) {
    this.#entries = sinks.map(({ sink, only }) => ({
      sink,
      only,
      verbs: setOf(sink.says?.verbs),
      objects: setOrNull(sink.says?.objects),
      names: setOf(sink.says?.names),
      unless: setOf(sink.says?.unless),
      of: setOrNull(sink.says?.of),
      takes: setOrNull(sink.says?.takes),
    }))
  }

  /** The sinks that a call with this name may be. */
  ofCall(name: string): readonly Compiled[] {
    if (this.#entries.length === 0 || name.length > maxNameLength) return nothing
    return this.#known.of(name, () => {
      const words = wordsOf(name)
      return this.#entries.filter((entry) => speaksOf(entry, words))
    })
  }
}

/** A verb, and behind it what the verb is about. */
function speaksOf({ verbs, objects, names, unless }: Compiled, words: readonly string[]): boolean {
  if (words.some((word) => unless.has(word))) return false
  if (names.has(words.join(''))) return true
  const at = words.findIndex((word) => verbs.has(word))
  if (at < 0) return false
  return objects === null ? at === 0 || words.length < maxPlainWords : words.slice(at + 1).some((word) => objects.has(word))
}

/** A longer name says more than its verb. */
const maxPlainWords = 5
