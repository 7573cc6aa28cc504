/** The sinks that a function's parameters reach, each of them once: what arrives there again is joined with what arrived before. */
import type { Lambda } from '../syntax/ir.js'
import type { Frame } from './state.js'
import { joinOrigins, type Origin } from './values/value.js'

export interface Place {
  readonly start: number
  readonly end: number
}

/** The parameter of a function that must not have the mark. */
export interface Unmarked {
  readonly mark: string
  readonly of: Lambda
  readonly index: number
}

/** Where data arrives, and in which circumstances. */
export interface Arrival extends Place {
  readonly kind: string
  readonly only: string | null
  readonly functionName: string
  /** Where the sink stands. */
  readonly frame: Frame
  /** The caller's values decide: a second look at the function says whether it is one. */
  readonly isAsked: boolean
  /** More arguments stand behind it. */
  readonly isFollowed?: boolean
  /** Only data with these labels counts there. */
  readonly labels?: readonly string[]
  /** Data with these does not. */
  readonly otherLabels?: readonly string[]
  /** Text behind which a parameter that nobody in the file fills is none of its business. */
  readonly callers?: string
  /** The same, where the text takes its table from such a parameter too. */
  readonly clauses?: string
  /** Where the function that the data comes from has handed it on. */
  readonly handed?: Place
  /** It is a sink only where whoever calls the function gives it something without a mark. */
  readonly unmarked?: Unmarked | undefined
}

/** A sink reached by parameters: reported at call sites with tainted arguments. */
export interface SinkHit extends Arrival {
  readonly origins: readonly Origin[]
}

/** By the beginning of the place; loops and second looks come to the same sink many times. */
export type SinkHits = Map<number, SinkHit[]>

export function addHit(hits: SinkHits, arrival: Arrival, origin: Origin): void {
  const there = hits.get(arrival.start) ?? []
  if (there.length === 0) hits.set(arrival.start, there)
  const at = there.findIndex((hit) => isSameSink(hit, arrival))
  const before = there[at]
  if (before === undefined) there.push({ ...arrival, origins: [origin] })
  else there[at] = { ...before, origins: joinOrigins(before.origins, [origin]) }
}

const isSameSink = (a: Arrival, b: Arrival): boolean =>
  a.end === b.end &&
  a.kind === b.kind &&
  a.only === b.only &&
  a.labels === b.labels &&
  a.isAsked === b.isAsked &&
  isSameMark(a.unmarked, b.unmarked) &&
  isSamePlace(a.frame, b.frame)

const isSameMark = (a: Unmarked | undefined, b: Unmarked | undefined): boolean =>
  a === b || (a?.mark === b?.mark && a?.of === b?.of && a?.index === b?.index)

/** What conditions on the place of a sink ask about. */
const isSamePlace = (a: Frame, b: Frame): boolean =>
  a === b ||
  (a.lambda === b.lambda &&
    a.className === b.className &&
    a.callbackOf === b.callbackOf &&
    a.outermost === b.outermost &&
    a.inCatch === b.inCatch &&
    a.loopDepth > 0 === b.loopDepth > 0)

/** All of them, in the order in which they were found. */
export const allHits = (hits: SinkHits): readonly SinkHit[] => [...hits.values()].flat()
