/**
 * What is known at one point of a function, on the ways that led there.
 *
 * Memory is a set of objects: a variable `&x`, what was allocated at a place, what a pointer from outside points to. Values of places in
 * objects are kept by the name of the place, so that all pointers to one object share what is known of it. Bounds belong to symbols and not
 * to variables, so that a check of `n` holds for each copy of it.
 */
import { type Linear, add, isSame, symbolic } from './numbers/linear.js'
import { partHolders } from './memory/handed.js'
import type { Place } from './program.js'

/** `gone`: the object has moved or its lifetime has ended, without anybody freeing it. */
export type Life = 'live' | 'freed' | 'gone' | 'unknown'

export interface Obj {
  readonly life: Life
  /** How it came to be: stack, static, text, outside, heap, new, new[], file, ...; the last ones are owned by whoever made them. */
  readonly by: string
  readonly isOwned: boolean
  /** Bytes. */
  readonly size: Linear | null
  /** Length of the text in it. */
  readonly length: Linear | null
  /** Somebody else may know it. */
  readonly escaped: boolean
  /** Where it was made. */
  readonly born: Place
  /** Where it was freed or moved. */
  readonly ended: Place | null
  /** A callee may have freed it. */
  readonly isLent: boolean
  /** Its content comes from outside of the program. */
  readonly isData: boolean
  readonly isLocked: boolean
}

export interface Target {
  readonly object: string
  /** Bytes from its beginning; `null` when unknown. */
  readonly at: Linear | null
}

/** `unchecked`: the result of a call that answers NULL when it fails, which nobody has compared yet. */
export const isNull = 1

export const isAddress = 2

export const isUnchecked = 4

export interface Value {
  readonly number: Linear | null
  /** What it may point to; `null` when unknown. */
  readonly to: readonly Target[] | null
  /** Bits: NULL, an address, unchecked. */
  readonly nil: number
  readonly isUnset: boolean
  /** As it was when the function began. */
  readonly isInitial?: boolean
}

export const unknownValue: Value = { number: null, to: null, nil: isNull | isAddress, isUnset: false }

export const nullValue: Value = { number: { constant: 0, terms: [] }, to: [], nil: isNull, isUnset: false }

/** A place that is NULL on ways on which an allocation is known to have failed. */
export const missingMemory = 'missing memory'

export const unsetValue: Value = { ...unknownValue, isUnset: true }

export interface Range {
  readonly low: number
  readonly high: number
  /** The program reaches `high`: it comes from a comparison and not from a type. */
  readonly isTight: boolean
  /** It is at most this, and reaches it. */
  readonly most: Linear | null
  /** Somebody looked at it: a function or a macro that is not known was asked. */
  readonly isChecked: boolean
}

export class State {
  private values: Map<string, Value>
  private objects: Map<string, Obj>
  private ranges: Map<string, Range>
  private ownsValues = true
  private ownsObjects = true
  private ownsRanges = true
  /** Grows when something unknown may have changed memory. */
  epoch = 0

  constructor(values = new Map<string, Value>(), objects = new Map<string, Obj>(), ranges = new Map<string, Range>()) {
    this.values = values
    this.objects = objects
    this.ranges = ranges
  }

  /** Shares its maps until one of both is written to. */
  copy(): State {
    const copy = new State(this.values, this.objects, this.ranges)
    copy.epoch = this.epoch
    this.ownsValues = this.ownsObjects = this.ownsRanges = false
    copy.ownsValues = copy.ownsObjects = copy.ownsRanges = false
    return copy
  }

  become(other: State): void {
    ;[this.values, this.objects, this.ranges] = [other.values, other.objects, other.ranges]
    this.epoch = other.epoch
    this.ownsValues = this.ownsObjects = this.ownsRanges = false
    other.ownsValues = other.ownsObjects = other.ownsRanges = false
  }

  get size(): number {
    return this.values.size + this.objects.size
  }

  value(place: string): Value | undefined {
    return this.values.get(place)
  }

  set(place: string, value: Value): void {
    if (!this.ownsValues) this.values = new Map(this.values)
    this.ownsValues = true
    this.values.set(place, value)
  }

  forget(isForgotten: (place: string) => boolean): void {
    for (const place of this.values.keys()) {
      if (!isForgotten(place)) continue
      if (!this.ownsValues) this.values = new Map(this.values)
      this.ownsValues = true
      this.values.delete(place)
    }
  }

  places(): IterableIterator<[string, Value]> {
    return this.values.entries()
  }

  object(id: string): Obj | undefined {
    return this.objects.get(id)
  }

  allObjects(): IterableIterator<[string, Obj]> {
    return this.objects.entries()
  }

  setObject(id: string, object: Obj): void {
    if (!this.ownsObjects) this.objects = new Map(this.objects)
    this.ownsObjects = true
    this.objects.set(id, object)
  }

  range(symbol: string): Range | undefined {
    return this.ranges.get(symbol)
  }

  setRange(symbol: string, range: Range): void {
    if (!this.ownsRanges) this.ranges = new Map(this.ranges)
    this.ownsRanges = true
    this.ranges.set(symbol, range)
  }

  /** States with the same key differ in numbers only and may be joined. */
  key(): string {
    const parts: string[] = []
    for (const [id, object] of this.objects) {
      if (object.life === 'freed' || object.life === 'gone' || object.isLocked)
        parts.push(`${id} ${object.life} ${object.isLocked}`)
      else if (object.isOwned && !object.escaped && object.life === 'live') parts.push(id)
    }
    for (const [place, value] of this.values) if (value.isUnset || /^(?:moved|released) /.test(place)) parts.push(place)
    return parts.toSorted().join('\n')
  }

  /** What holds in both. `at` names the symbols of numbers that differ. */
  static join(
    a: State,
    b: State,
    at: string,
    declare: (symbol: string, of: readonly Linear[], joined: State, a: State, b: State) => void,
  ): State {
    const joined = a.copy()
    joined.epoch = Math.max(a.epoch, b.epoch)
    joinRanges(joined, a, b)
    for (const [place, value] of a.values) {
      const other = b.values.get(place)
      if (other === value) continue
      if (other === undefined) {
        if (value.isInitial !== true) joined.set(place, unknownValue)
        continue
      }
      joined.set(
        place,
        joinValue(value, other, `${place}@${at}`, (symbol, of) => declare(symbol, of, joined, a, b)),
      )
    }
    for (const [place, value] of b.values)
      if (!a.values.has(place)) joined.set(place, value.isInitial === true ? value : unknownValue)
    // What only one way owns is not followed any further.
    const loose = (object: Obj): Obj =>
      object.isOwned && !object.escaped && object.life === 'live' ? { ...object, escaped: true, life: 'unknown' } : object
    const [inOne, inOther] = [endedOnOne(a, b), endedOnOne(b, a)]
    const alone = (object: Obj, isUsed: boolean): Obj => (isUsed ? { ...object, life: 'unknown' } : loose(object))
    for (const [id, object] of a.objects) {
      const left = b.objects.has(id) ? object : alone(object, inOne.has(id))
      if (left !== object) joined.setObject(id, left)
    }
    for (const [id, object] of b.objects) {
      const other = a.objects.get(id)
      if (other === undefined) joined.setObject(id, alone(object, inOther.has(id)))
      else if (other !== object) joined.setObject(id, joinObject(other, object))
    }
    partHolders(joined, a, b)
    return joined
  }
}

/** What is over on one way while the other way, which knows nothing else of it, still points to it: somebody else's memory is taken for living. */
function endedOnOne(one: State, other: State): ReadonlySet<string> {
  const ended = new Set<string>()
  for (const [id, { life }] of one.allObjects())
    if ((life === 'freed' || life === 'gone') && other.object(id) === undefined) ended.add(id)
  if (ended.size === 0) return ended
  const pointed = new Set<string>()
  for (const [, { to }] of other.places()) for (const { object } of to ?? []) if (ended.has(object)) pointed.add(object)
  return pointed
}

function joinRanges(joined: State, a: State, b: State): void {
  for (const [symbol, range] of rangesOf(a)) {
    const other = b.range(symbol)
    if (other === range) continue
    joined.setRange(
      symbol,
      other === undefined
        ? { low: -Infinity, high: Infinity, isTight: false, most: null, isChecked: false }
        : symbol.startsWith('rounds ')
          ? joinRange(range, other)
          : withoutEdge(joinRange(range, other), range, other),
    )
  }
}

/** `n == 16 && rest`: left out on one way only, so that nobody knows whether the edge is still reached. */
function withoutEdge(joined: Range, a: Range, b: Range): Range {
  const isEdge = (one: Range, other: Range): boolean => one.low === one.high && other.high === one.high - 1
  return isEdge(a, b) || isEdge(b, a) ? { ...joined, isTight: false } : joined
}

const rangesOf = (state: State): Iterable<[string, Range]> => (state as unknown as { ranges: Map<string, Range> }).ranges

export function joinRange(a: Range, b: Range): Range {
  const most = a.most !== null && b.most !== null && isSame(a.most, b.most) ? a.most : null
  const high = Math.max(a.high, b.high)
  const isTight = (a.high === high && a.isTight) || (b.high === high && b.isTight)
  return {
    low: Math.min(a.low, b.low),
    high,
    isTight: isTight && Number.isFinite(high),
    most,
    isChecked: isLimited(a) && isLimited(b),
  }
}

/** Whatever the limit is on the other way. */
const isLimited = ({ isChecked, most }: Range): boolean => isChecked || most !== null

function joinObject(a: Obj, b: Obj): Obj {
  return {
    ...a,
    life: a.life === b.life ? a.life : 'unknown',
    size: a.size !== null && b.size !== null && isSame(a.size, b.size) ? a.size : null,
    length: a.length !== null && b.length !== null && isSame(a.length, b.length) ? a.length : null,
    escaped: a.escaped || b.escaped,
    isLent: a.isLent || b.isLent,
    isData: a.isData || b.isData,
    isLocked: a.isLocked && b.isLocked,
    ended: a.ended ?? b.ended,
  }
}

function joinValue(a: Value, b: Value, name: string, declare: (symbol: string, of: readonly Linear[]) => void): Value {
  let number: Linear | null = null
  if (a.number !== null && b.number !== null) {
    if (isSame(a.number, b.number)) number = a.number
    else {
      declare(name, [a.number, b.number])
      number = symbolic(name)
    }
  }
  return { number, to: joinTargets(a, b, name, declare), nil: a.nil | b.nil, isUnset: a.isUnset && b.isUnset }
}

const maxTargets = 4

function joinTargets(
  a: Value,
  b: Value,
  name: string,
  declare: (symbol: string, of: readonly Linear[]) => void,
): readonly Target[] | null {
  if (a.to === null || b.to === null) return null
  if (a.to === b.to) return a.to
  const found = new Map<string, Target>()
  for (const target of [...a.to, ...b.to]) {
    const known = found.get(target.object)
    if (known === undefined) found.set(target.object, target)
    else if (known.at === null || target.at === null) found.set(target.object, { object: target.object, at: null })
    else if (!isSame(known.at, target.at)) {
      const symbol = `${name} in ${target.object}`
      declare(symbol, [known.at, target.at])
      found.set(target.object, { object: target.object, at: symbolic(symbol) })
    }
  }
  return found.size > maxTargets ? null : [...found.values()]
}

export const moved = (target: Target, by: Linear | null): Target => ({
  object: target.object,
  at: target.at === null || by === null ? null : add(target.at, by),
})
