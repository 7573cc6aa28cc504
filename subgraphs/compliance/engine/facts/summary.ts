/** What is kept of a function of the file once it was read. */
import type { Linear } from './numbers/linear.js'
import type { Place, Type } from './program.js'

export interface Demand {
  /** `null` for memory of the function itself. */
  readonly parameter: number | null
  /** The place in what the parameter points to. */
  readonly path: string
  readonly size: Linear | null
  readonly at: Linear
  readonly bytes: Linear
  readonly access: 'read' | 'write'
  readonly place: Place
}

export interface Span {
  readonly low: number
  readonly high: number
}

/** What a function answers where it has freed an argument, and where it has not. */
export interface Outcome {
  readonly freed: Span
  readonly kept: Span
  /** It counts as freed until the answer is asked about. */
  readonly isOver?: boolean
}

/** What a function of the file does, as its callers see it. */
export interface Summary {
  readonly frees: ReadonlyMap<number, 'always' | 'sometimes'>
  /** Of those that it frees sometimes, and of their fields, where its answer tells. */
  readonly outcomes: ReadonlyMap<string, Outcome>
  readonly keeps: ReadonlySet<number>
  readonly uses: ReadonlySet<number>
  /** Parameters that are no NULL whenever it returns. */
  readonly refusesNull: ReadonlySet<number>
  readonly returnsParameter: number | null
  /** A fresh object that the caller owns. */
  readonly makes: { readonly by: string; readonly size: Linear | null } | null
  readonly mayBeNull: boolean
  readonly low: number
  readonly high: number
  readonly changesOutside: boolean
  readonly neverReturns: boolean
  /** What it writes or reads without looking at how much: the callers answer for it. */
  readonly demands: readonly Demand[]
  /** It answers a number out of data. */
  readonly isData: boolean
  /** Parameters to whose memory it reads from outside. */
  readonly fills: readonly number[]
  /** Fields of what its parameters point to that hold numbers out of data afterwards. */
  readonly dataFields: ReadonlyMap<string, Type | null>
  /** The same for fields that point to what it has freed. */
  readonly freedFields: ReadonlySet<string>
  /** By the lock: see `lockEffects`. */
  readonly locks: ReadonlyMap<string, LockEffect>
  /** Containers whose elements it moves: see `movedElements`. */
  readonly moves: ReadonlySet<string>
  /** It answers an address of the elements of this field of its own object. */
  readonly views: string | null
}

/** What a function does to locks, as its callers see it. */
export type LockEffect = 'locks' | 'unlocks' | 'uses' | 'unknown'
