/** Text that is put together from values. */
import type { Language } from '../../languages.js'
import { foldBinary } from './fold.js'
import { elementsOf, isList, listOf, withElements } from './parts.js'
import {
  changedOrigins,
  cleaned,
  constantValue,
  deepOrigins,
  joinOrigins,
  unknown,
  type Origin,
  type Value,
  withOrigins,
} from './value.js'

/** What `+` makes of two values: a longer list where one of them is a list, and text otherwise. */
export function added(left: Value, right: Value): Value {
  if (isText(left) || isText(right) || !(isList(left) || isList(right))) return addText(left, right)
  const [before, after] = [left, right].map(elementsOf)
  const isWhole = (list: Value, { length }: readonly Value[]): boolean => length === (list.size ?? Math.max(length, 1))
  if (before != null && after != null && isWhole(left, before) && isWhole(right, after))
    return withElements(left, [...before, ...after])
  return listOf(joinOrigins(deepOrigins(left), deepOrigins(right)))
}

const isText = ({ constant, prefix, isConcat }: Value): boolean =>
  typeof constant === 'string' || prefix !== undefined || isConcat === true

/** Two pieces of text next to each other. */
export function addText(left: Value, right: Value): Value {
  const constant = foldBinary('+', left.constant, right.constant)
  // A secret that is written in the program is one in every text.
  if (constant !== undefined) return withOrigins(constantValue(constant), joinOrigins(left.origins, right.origins))
  const isBuilt = left.prefix !== '' || left.origins.length > 0
  const origins = joinOrigins(
    changedOrigins(deepOrigins(left), { built: true }),
    ledBy(endOf(left), changedOrigins(deepOrigins(right), { built: isBuilt })),
  )
  const prefix = typeof left.constant === 'string' ? left.constant + (right.prefix ?? '') : left.prefix
  const written = (endOf(left) + endOf(right)).slice(-longestLead)
  return { ...unknown, origins, isConcat: true, written, prefix }
}

const textualSums: ReadonlySet<string> = new Set(['javascript', 'typescript'])

/** A sum of these languages is a text and no object, so no operator of a filter is in it; unless it is JSON to be parsed. */
export const asWords = (value: Value, language: Language): Value =>
  textualSums.has(language) && !/[{"]/.test(value.written ?? '') ? cleaned(value, ['nosql']) : value

/** So much of the text in front of data is kept. */
const longestLead = 120

const endOf = ({ constant, written }: Value): string =>
  typeof constant === 'string' ? constant.slice(-longestLead) : (written ?? gap)

/** The same data behind this text. */
const ledBy = (text: string, origins: readonly Origin[]): readonly Origin[] =>
  origins.map((origin) => ({ ...origin, lead: (text + (origin.lead ?? '')).slice(-longestLead) }))

/** What is put behind a text that grows: where nothing is known of the text, nothing is said of what stands in front of it. */
export function behindText(text: Value, piece: Value): Pick<Value, 'origins' | 'written'> {
  const known = typeof text.constant === 'string' ? text.constant : text.written
  // `target.append('?')`: from here on a part of the text is known.
  if (known === undefined) {
    const { constant } = piece
    return { origins: piece.origins, written: typeof constant === 'string' ? (gap + constant).slice(-longestLead) : undefined }
  }
  const end = known.slice(-longestLead)
  return { origins: ledBy(end, piece.origins), written: (end + endOf(piece)).slice(-longestLead) }
}

/** Where a value is put into a template: `%s`, `{}`, `{name}`. */
export const placeholder = /%[\d$.+-]*[a-z]|\{\w*\}/i

/** The data of values that are put into a template one after the other. */
export function ledByTemplate(template: string, values: readonly Value[]): readonly Origin[] {
  const pieces = template.split(placeholder)
  return values.reduce<readonly Origin[]>((all, value, at) => {
    const origins = deepOrigins(value)
    return joinOrigins(all, pieces.length > at + 1 ? ledBy(pieces.slice(0, at + 1).join(gap), origins) : origins)
  }, [])
}

/** `snprintf(path, n, "%s", name)` copies a text. */
export const copiedBy = ([format, text, ...more]: readonly Value[]): Value | null =>
  format?.constant === '%s' && text !== undefined && more.length === 0 ? { ...text, path: null } : null

/** All pieces in order. */
export function joinText(pieces: readonly Value[]): Value {
  const joined = pieces.reduce<Value | null>((left, right) => (left === null ? right : addText(left, right)), null)
  return joined === null ? constantValue('') : unlessHead(joined, pieces.map(writtenIn).join(''))
}

/** Stands in a text for what is not known of it. */
const gap = '\uFFFC'

/** The text as patterns of packs know it: `?` for what is not known. */
export const shownText = (text: string): string => text.replaceAll(gap, '?')

/** Kinds of sinks to which an address leads. */
const addressed: ReadonlySet<string> = new Set(['ssrf', 'redirect'])

/**
 * `${base}/items?q=${data}`: whatever the base is, the server stands in it. Where a redirect begins with nothing, a slash alone does
 * not keep it on this site.
 */
export function isBehindBase(kind: string, prefix: string | undefined, lead: string | undefined): boolean {
  if (!addressed.has(kind) || lead === undefined || (prefix !== undefined && prefix !== '')) return false
  const at = lead.indexOf(gap)
  if (at > 0 || (at < 0 && lead.length < longestLead)) return false
  const rest = lead.slice(at + 1).replace('://', '')
  return kind === 'ssrf' ? /[/?#]/.test(rest) : new RegExp(`[?#&]|/[^/\\\\${gap}]`).test(rest)
}

const writtenIn = ({ constant }: Value): string => (typeof constant === 'string' ? constant : gap)

/** Lines of the head of a message: `Location: ?` and `HTTP/1.1 ?`, each ended by CR LF. */
const headLines = /^(?:(?:HTTP\/|[^\s:<]+: )[^<\r\n]*\r\n)+(?:\r\n)?$/

/** No browser reads the head of a message as markup, whatever stands in it. `text` is all that is written of it. */
export const unlessHead = (value: Value, text: string): Value =>
  value.origins.length > 0 && text.endsWith('\r\n') && headLines.test(text) ? cleaned(value, ['html']) : value

/** Scala: `++` puts lists together, and texts where none of them is known to be a list. */
export const addLists = (left: Value, right: Value): Value =>
  [left, right].some(({ fields, isConcat }) => fields !== undefined && isConcat !== true)
    ? { ...unknown, origins: joinOrigins(deepOrigins(left), deepOrigins(right)), path: left.path }
    : addText(left, right)
