/**
 * JSON from outside, read without losing a digit.
 *
 * `JSON.parse` rounds every number to a double: 9007199254740993 becomes ...992, 1e400 becomes Infinity and is written as null,
 * -0 loses its sign. A number that would change is kept as its own text instead (`JSON.rawJSON`), which `JSON.stringify` writes
 * unchanged. Such numbers are rare, so texts without any are told by a scan that looks at every third character, and cost
 * nothing more.
 */
import { isUtf8 } from 'node:buffer'

/** A number that no double holds, as its text. `JSON.stringify` writes it as it came. */
interface RawNumber {
  readonly rawJSON: string
}

/** ES2026, in V8 since Node 22; not yet in TypeScript's library. */
interface JsonWithSource {
  rawJSON(text: string): RawNumber
  isRawJSON(value: unknown): value is RawNumber
  parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
}

const json = JSON as unknown as JsonWithSource

/** Whether a parsed value is a number that is kept as its text. */
const isRawNumber = (value: unknown): value is RawNumber => json.isRawJSON(value)

/** Whether such a number is anywhere within: a value with one cannot be handed to another thread. */
export function holdsRawNumber(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  return isRawNumber(value) || (Array.isArray(value) ? value : Object.values(value)).some(holdsRawNumber)
}

/** The nearest double of a parsed number, for checks of its range. Other values are returned as they are. */
export const nearestNumber = (value: unknown): unknown => (isRawNumber(value) ? Number(value.rawJSON) : value)

/**
 * The value of a JSON text in UTF-8, with or without a byte order mark.
 *
 * @throws SyntaxError also for bytes that are not UTF-8: replacing them would change what the caller wrote.
 */
export function parseExactJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new SyntaxError('The text is not UTF-8.')
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const text = bytes.toString('utf8', hasMark ? 3 : 0)
  if (!holdsLongNumber(bytes) && !holdsNegativeZero(text)) return JSON.parse(text)
  return json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && !isExact(value, source) ? json.rawJSON(source) : value,
  )
}

/** The number that a text of JSON or GraphQL writes; kept as its text where a double would change it. */
export function exactNumber(source: string): unknown {
  const value = Number(source)
  return isExact(value, source) ? value : json.rawJSON(source)
}

/** Sixteen digits may be one more than a double holds; three digits of exponent may be more than it reaches. */
const LONG_NUMBER = 16
const LONG_EXPONENT = 3

/** False only when no number is too long to be read as a double unchanged. Digits inside of texts may make it true. */
function holdsLongNumber(bytes: Buffer): boolean {
  // Whatever is at least three digits long covers a third character.
  for (let i = LONG_EXPONENT - 1; i < bytes.length; i += LONG_EXPONENT) {
    if (!isNumeral(bytes[i])) continue
    let start = i
    while (isNumeral(bytes[start - 1])) start--
    let end = i + 1
    while (isNumeral(bytes[end])) end++
    if (end - start >= LONG_NUMBER || (end - start >= LONG_EXPONENT && isExponent(bytes, start))) return true
    i = end
  }
  return false
}

const ZERO = 48
const POINT = 46
const isNumeral = (code = 0): boolean => (code >= ZERO && code <= 57) || code === POINT

function isExponent(bytes: Buffer, start: number): boolean {
  const sign = bytes[start - 1]
  const mark = sign === 43 || sign === 45 ? start - 2 : start - 1
  return (bytes[mark]! | 32) === 101 && isNumeral(bytes[mark - 1])
}

/** A minus and then zeros only, where a value may stand. */
function holdsNegativeZero(text: string): boolean {
  for (let at = text.indexOf('-0'); at !== -1; at = text.indexOf('-0', at + 2)) {
    const before = text.charCodeAt(at - 1)
    const isValue = at === 0 || before === 58 || before === 44 || before === 91 || before <= 32
    let end = at + 2
    while (text.charCodeAt(end) === POINT || text.charCodeAt(end) === ZERO) end++
    if (isValue && !isNumeral(text.charCodeAt(end))) return true
  }
  return false
}

function isExact(value: number, source: string): boolean {
  const written = JSON.stringify(value)
  return written === source || sameDecimal(written, source)
}

/** Compares two JSON numbers digit by digit, however they are written: 1.50 and 15e-1 are the same. */
function sameDecimal(a: string, b: string): boolean {
  const left = decimalOf(a)
  return left !== null && left === decimalOf(b)
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Sign, digits and exponent in one form; null for what is no number, such as the null that Infinity is written as. */
function decimalOf(text: string): string | null {
  const [, sign, whole, fraction = '', exponent = '0'] = NUMBER.exec(text) ?? []
  if (whole === undefined) return null
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return `${sign}0`
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
}
