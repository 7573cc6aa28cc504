/** Which entries of rules and packs are about a name: by its last part, and then by what stands in front of it. */
import type { Role } from './compile.js'
import {
  canEndIn,
  compileNamePattern,
  matchesName,
  matchesTyped,
  nameOf,
  type NamePattern,
  type QualifiedName,
} from './qualified-name.js'
import { Remembered } from './remembered.js'

export interface Entry {
  readonly patterns: readonly NamePattern[]
  readonly onlyNew: boolean
  readonly role: Role
}

/** A pattern of an entry, with the entry's place among its neighbours. */
interface Slot {
  readonly at: number
  readonly pattern: NamePattern
}

/** Entries that may be about names with the same last part: dozens for a `get`, of which a call fits few by its receiver. */
export class Candidates {
  private places: Places | null = null
  private readonly byRole = new Map<Role['role'], Candidates>()

  constructor(
    readonly entries: readonly Entry[],
    private readonly ignoreCase: boolean,
  ) {}

  ofRole(role: Role['role']): Candidates {
    let found = this.byRole.get(role)
    if (found === undefined) {
      const entries = this.entries.filter((entry) => entry.role.role === role)
      this.byRole.set(role, (found = new Candidates(entries, this.ignoreCase)))
    }
    return found
  }

  /** Those that are about one of the names, or about a method of one of the receiver's types; in their order. */
  about(names: readonly QualifiedName[], typesOf: () => readonly string[]): Entry[] {
    const { ignoreCase } = this
    const { byType, byParent, anywhere, always } = (this.places ??= placesOf(this.entries))
    const found: number[] = names.length === 0 ? [] : [...always]
    const noteNamed = (slots: readonly Slot[] | undefined, name: QualifiedName): void => {
      for (const { at, pattern } of slots ?? []) if (!found.includes(at) && matchesName(pattern, name, ignoreCase)) found.push(at)
    }
    for (const name of names) {
      noteNamed(anywhere, name)
      if (byParent !== null && name.parent !== null) noteNamed(byParent.get(inCase(name.parent.segment, ignoreCase)), name)
    }
    const [first] = names
    if (byType !== null && first !== undefined) {
      const member = nameOf(first.segment)
      for (const type of typesOf())
        for (const key of [inCase(type, ignoreCase), '*'])
          for (const { at, pattern } of byType.get(key) ?? [])
            if (!found.includes(at) && matchesTyped(pattern, type, member, ignoreCase)) found.push(at)
    }
    if (found.length > 1) found.sort((a, b) => a - b)
    return found.map((at) => this.entries[at]!)
  }
}

const inCase = (text: string, ignoreCase: boolean): string => (ignoreCase ? text.toLowerCase() : text)

/** Patterns by what must stand in front of the last part. */
interface Places {
  readonly byType: ReadonlyMap<string, readonly Slot[]> | null
  readonly byParent: ReadonlyMap<string, readonly Slot[]> | null
  readonly anywhere: readonly Slot[]
  /** `**`: these fit any name. */
  readonly always: readonly number[]
}

function placesOf(entries: readonly Entry[]): Places {
  const anywhere: Slot[] = []
  const always: number[] = []
  let byType: Map<string, Slot[]> | null = null
  let byParent: Map<string, Slot[]> | null = null
  for (const [at, { patterns }] of entries.entries())
    for (const pattern of patterns) {
      const slot = { at, pattern }
      const parent = pattern.segments.at(-1)?.kind === 'many' ? undefined : pattern.segments.at(-2)
      if (pattern.types !== null) byType = put(byType, pattern.types, slot)
      else if (isAnyName(pattern)) always.push(at)
      else if (parent?.kind === 'one-of') byParent = put(byParent, parent.names, slot)
      else anywhere.push(slot)
    }
  return { byType, byParent, anywhere, always }
}

/** A free one is about no method of `this`. */
const isAnyName = ({ segments, isFree }: NamePattern): boolean =>
  segments.length === 1 && segments[0]?.kind === 'many' && isFree !== true

function put(slots: Map<string, Slot[]> | null, keys: ReadonlySet<string>, slot: Slot): Map<string, Slot[]> {
  const into = slots ?? new Map<string, Slot[]>()
  for (const key of keys) {
    const known = into.get(key)
    if (known === undefined) into.set(key, [slot])
    else known.push(slot)
  }
  return into
}

/** What a name with this last part may fit; what is about objects that are made is left out of `calls`. */
interface KnownName {
  readonly all: Candidates
  readonly calls: Candidates
}

/** Which patterns a name may fit, by its last part: every call of a file asks. */
export class NameIndex {
  private readonly byLast = new Map<string, Entry[]>()
  private readonly wild: Entry[] = []
  /** The same names are asked for again and again. */
  private readonly known = new Remembered<KnownName>()
  private readonly knownWild = new Remembered<KnownName>()
  private readonly oneOff = new Map<string, Candidates>()

  constructor(
    private readonly ignoreCase: boolean,
    /** Methods are never called without their receiver, so that a pattern of one segment means a function. */
    private readonly hasFreeNames = false,
  ) {}

  add(texts: readonly string[], role: Role, onlyNew = false): void {
    const patterns = texts.map((text) => this.compile(text))
    const entryOf = (of: NamePattern[]): Entry => ({ patterns: of, onlyNew, role })
    const byLast = new Map<string, NamePattern[]>()
    for (const pattern of patterns)
      for (const last of pattern.lastNames ?? []) byLast.set(last, [...(byLast.get(last) ?? []), pattern])
    for (const [last, named] of byLast) this.byLast.set(last, [...(this.byLast.get(last) ?? []), entryOf(named)])
    const wild = patterns.filter((pattern) => pattern.lastNames === null)
    if (wild.length > 0) this.wild.push(entryOf(wild))
  }

  private compile(text: string): NamePattern {
    const pattern = compileNamePattern(text, this.ignoreCase)
    return this.hasFreeNames && pattern.types === null && pattern.segments.length === 1 ? { ...pattern, isFree: true } : pattern
  }

  /** `isNew`: whether an object is made there. */
  candidates(last: string, isNew = true): Candidates {
    const name = inCase(last, this.ignoreCase)
    const known = this.known.of(name, () => this.knownOf([...(this.byLast.get(name) ?? []), ...this.wildFor(name)]))
    return isNew ? known.all : known.calls
  }

  /** Those of them whose patterns end in a wildcard. */
  wildcards(last: string, isNew: boolean): Candidates {
    const name = inCase(last, this.ignoreCase)
    const known = this.knownWild.of(name, () => this.knownOf(this.wildFor(name)))
    return isNew ? known.all : known.calls
  }

  private wildFor(name: string): Entry[] {
    return this.wild.filter(({ patterns }) => patterns.some((pattern) => canEndIn(pattern, name)))
  }

  private knownOf(entries: readonly Entry[]): KnownName {
    const all = new Candidates(entries, this.ignoreCase)
    const calls = entries.filter(({ onlyNew }) => !onlyNew)
    return { all, calls: calls.length === entries.length ? all : new Candidates(calls, this.ignoreCase) }
  }

  /** A pattern that is asked for one call, outside of the index. */
  entriesOf(text: string): Candidates {
    let found = this.oneOff.get(text)
    if (found === undefined) {
      const role: Role = { role: 'returns', type: '', conditions: {} }
      this.oneOff.set(text, (found = new Candidates([{ patterns: [this.compile(text)], onlyNew: false, role }], this.ignoreCase)))
    }
    return found
  }
}
