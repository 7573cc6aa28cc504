/** Constant folding of methods of strings: `"ABC".charAt(1)` is `"B"` wherever it stands. */
import type { Constant } from '../syntax/ir.js'

const whole = (value: Constant | undefined): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined

const unary: Readonly<Record<string, (text: string) => Constant>> = {
  length: (text) => text.length,
  isempty: (text) => text === '',
  trim: (text) => text.trim(),
  strip: (text) => text.trim(),
  tolowercase: (text) => text.toLowerCase(),
  lowercase: (text) => text.toLowerCase(),
  tolower: (text) => text.toLowerCase(),
  touppercase: (text) => text.toUpperCase(),
  uppercase: (text) => text.toUpperCase(),
  toupper: (text) => text.toUpperCase(),
  tostring: (text) => text,
}

const binary: Readonly<Record<string, (text: string, other: string) => Constant>> = {
  equals: (text, other) => text === other,
  equalsignorecase: (text, other) => text.toLowerCase() === other.toLowerCase(),
  startswith: (text, other) => text.startsWith(other),
  endswith: (text, other) => text.endsWith(other),
  contains: (text, other) => text.includes(other),
  indexof: (text, other) => text.indexOf(other),
}

/** The result of `method` on a constant text; `undefined` when it is not known. */
export function foldCall(
  method: string,
  receiver: Constant | undefined,
  args: readonly (Constant | undefined)[],
): Constant | undefined {
  if (typeof receiver !== 'string') return undefined
  const name = method.toLowerCase()
  const [first, second] = args
  if (args.length === 0) return unary[name]?.(receiver)
  const from = whole(first)
  if (from !== undefined && args.length === 1 && name === 'charat') return receiver[from]
  if (from !== undefined && name === 'substring' && from <= receiver.length) {
    const to = args.length === 1 ? receiver.length : whole(second)
    return to === undefined || to < from ? undefined : receiver.slice(from, to)
  }
  return typeof first === 'string' && args.length === 1 ? binary[name]?.(receiver, first) : undefined
}
