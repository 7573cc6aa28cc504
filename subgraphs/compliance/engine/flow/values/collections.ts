/**
 * Operations on collections and text builders that all languages share by name.
 *
 * They are only precise for collections whose beginning was seen (a literal, or a constructor without arguments); otherwise what is
 * put in makes the whole collection as tainted as itself.
 */
import { elementOf, partOf } from '../assign.js'
import type { Words } from '../../rulebook/words.js'
import { mergedMaps } from './merged.js'
import { elementsOf, isList, listOf, withElements, withField, withoutField } from './parts.js'
import { behindText } from './text.js'
import {
  changedOrigins,
  deepOrigins,
  joinOrigins,
  joinValues,
  type Origin,
  unknown,
  type Value,
  withoutWhole,
  withOrigins,
} from './value.js'

export interface Change {
  /** What the receiver becomes. */
  readonly after: Value
  /** What the call returns. */
  readonly result: Value
  /** Something was put in, and nothing taken out. */
  readonly isAddition?: boolean
}

const keyOf = (value: Value | undefined): string | null => {
  const constant = value?.constant
  return typeof constant === 'string' || typeof constant === 'number' ? String(constant) : null
}

/** The effect of a method on its receiver; `null` when it has none. */
export function changedBy(words: Words, method: string, receiver: Value, args: readonly Value[]): Change | null {
  const name = method.toLowerCase()
  const removed = removal(words, name, receiver, args)
  if (removed !== null) return removed
  const after = addition(words, name, receiver, args)
  return after === null ? null : { after, result: { ...after, constant: undefined }, isAddition: true }
}

function removal(words: Words, name: string, receiver: Value, args: readonly Value[]): Change | null {
  if (receiver.fields === undefined) return null
  if (words.clears.has(name)) {
    const after = { ...unknown, type: receiver.type, path: receiver.path, fields: new Map() }
    return { after, result: after }
  }
  const elements = elementsOf(receiver)
  if (args.length === 0) {
    if (elements === null || elements.length === 0) return null
    if (words.removes_first.has(name)) return removedAt(receiver, elements, 0)
    return words.removes_last.has(name) ? removedAt(receiver, elements, elements.length - 1) : null
  }
  if (!words.removes.has(name)) return null
  const constant = args[0]?.constant
  if (elements !== null && elements.length > 0) {
    const at =
      typeof constant === 'number'
        ? constant
        : elements.findIndex((one) => one.constant !== undefined && one.constant === constant)
    if (typeof constant === 'number' || at >= 0) return removedAt(receiver, elements, at < 0 ? elements.length + at : at)
    return constant === undefined ? removedSomewhere(receiver, elements) : null
  }
  const key = keyOf(args[0])
  if (key === null || !receiver.fields.has(key)) return null
  return { after: withoutField(receiver, key), result: partOf(receiver, key) }
}

function removedAt(receiver: Value, elements: readonly Value[], index: number): Change {
  const result = withOrigins(elements[index] ?? unknown, joinOrigins((elements[index] ?? unknown).origins, receiver.origins))
  return { after: withElements(receiver, elements.toSpliced(index, 1)), result }
}

/** Any element may be gone: each place may hold the one that stood behind it. */
function removedSomewhere(receiver: Value, elements: readonly Value[]): Change {
  const moved = elements.map((one, at) => joinValues(one, elements[at + 1] ?? one))
  return { after: withElements(receiver, moved), result: elementOf(receiver) }
}

function addition(words: Words, name: string, receiver: Value, args: readonly Value[]): Value | null {
  const [first, second] = args
  if (first === undefined) return null
  const elements = elementsOf(receiver)
  if (name === 'splice' && elements !== null) return spliced(receiver, elements, args)
  if (elements !== null && second !== undefined && words.inserts.has(name) && typeof first.constant === 'number') {
    if (first.constant <= elements.length) return withElements(receiver, elements.toSpliced(first.constant, 0, ...args.slice(1)))
  }
  if (words.puts.has(name) && second !== undefined) {
    const put = putAt(receiver, args, !words.appends_text.has(name) && !words.adds.has(name))
    if (put !== null) return put
  }
  if (words.prepends.has(name) && elements !== null) return withElements(receiver, [...args, ...elements])
  if (words.merges.has(name) && receiver.fields !== undefined && first.fields !== undefined && elements === null) {
    const merged = { ...receiver, fields: new Map([...receiver.fields, ...first.fields]) }
    return withOrigins(merged, joinOrigins(receiver.origins, first.origins))
  }
  // What lies over it may hold any key, those that were known before as well.
  const isPlain = receiver.fields !== undefined && (elements === null || elements.length === 0)
  if (words.merges.has(name) && isPlain && first.origins.length > 0)
    return mergedMaps([receiver, first]) ?? withOrigins(receiver, joinOrigins(receiver.origins, first.origins))
  const added = words.spreads.has(name) ? elementsOf(first) : null
  if (added !== null && elements !== null) return withElements(receiver, [...elements, ...added])
  if (words.adds.has(name) && elements !== null) return withElements(receiver, [...elements, ...args])
  if (!words.adds.has(name) && !words.appends_text.has(name) && !words.prepends.has(name) && !words.spreads.has(name)) return null
  const origins = args.reduce<readonly Origin[]>((all, one) => joinOrigins(all, deepOrigins(one)), [])
  if (isList(receiver) && receiver.isConcat !== true)
    return elements === null || words.spreads.has(name)
      ? listOf(joinOrigins(deepOrigins(receiver), origins))
      : withElements(receiver, [...elements, ...args])
  const text = withOrigins(args.at(-1) ?? unknown, changedOrigins(origins, { built: true }))
  const { origins: led, written } = args.length === 1 ? behindText(receiver, text) : { origins: text.origins, written: undefined }
  if (receiver.fields === undefined)
    return { ...withOrigins(receiver, joinOrigins(receiver.origins, led)), constant: undefined, written, isConcat: true }
  return { ...withField(receiver, String(receiver.fields.size), withOrigins(text, led)), written, isConcat: true }
}

/** `put(key, value)`, and `set(section, key, value)`; `append(key, value)` only where the receiver is a map that is known. */
function putAt(receiver: Value, args: readonly Value[], isAlways: boolean): Value | null {
  const value = args.length > 2 && args.slice(0, 2).every((one) => typeof one.constant === 'string') ? args[2] : args[1]
  if (value === undefined) return null
  const key = value === args[2] ? args.slice(0, 2).map(keyOf).join('\0') : keyOf(args[0])
  if (!isAlways && (receiver.fields === undefined || typeof args[0]?.constant !== 'string')) return null
  if (key !== null) return withField(receiver, key, value)
  return isAlways ? withOrigins(receiver, joinOrigins(receiver.origins, deepOrigins(value))) : null
}

function spliced(receiver: Value, elements: readonly Value[], [start, count, ...added]: readonly Value[]): Value {
  const from = start?.constant
  const many = count === undefined ? elements.length : count.constant
  if (typeof from === 'number' && typeof many === 'number')
    return withElements(receiver, elements.toSpliced(from, many, ...added))
  const origins = [...elements, ...added].reduce<readonly Origin[]>((all, one) => joinOrigins(all, deepOrigins(one)), [])
  return { ...receiver, fields: undefined, origins: joinOrigins(receiver.origins, origins) }
}

/** What the call returns when it reads a collection that is known part by part. */
export function readFrom(words: Words, method: string, receiver: Value, args: readonly Value[]): Value | null {
  if (receiver.fields === undefined || receiver.func !== undefined) return null
  const name = method.toLowerCase()
  const [first, second] = args
  if (first === undefined) {
    if (words.gets_first.has(name)) return partOf(receiver, 'first')
    if (words.gets_last.has(name)) return partOf(receiver, 'last')
  }
  if (name === 'slice' && elementsOf(receiver) !== null) return slicedFrom(receiver, first?.constant, second?.constant)
  if (!words.gets.has(name)) return null
  const key = keyOf(first)
  if (key === null) return elementOf(receiver)
  const nested = second === undefined ? null : `${key}\0${keyOf(second) ?? ''}`
  if (nested !== null && receiver.fields.has(nested)) return partOf(receiver, nested)
  const part = partOf({ ...receiver, path: null }, key)
  return second === undefined || receiver.fields.has(key) ? part : joinValues(part, second)
}

/** The elements from `from` up to `to`, as far as both are known. */
export function slicedFrom(value: Value, from: Value['constant'], to: Value['constant']): Value {
  const elements = elementsOf(value)
  const isKnown = (typeof from === 'number' || from === null) && (typeof to === 'number' || to == null)
  if (elements === null || !isKnown)
    return value.fields === undefined
      ? { ...value, constant: undefined, origins: withoutWhole(value.origins) }
      : { ...unknown, origins: withoutWhole(deepOrigins(value)) }
  return withElements(value, elements.slice(from ?? 0, to ?? undefined))
}
