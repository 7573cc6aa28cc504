/** Constant folding of calls on strings: `"ABC".charAt(1)` and `substr($s, 1, 1)` are constants wherever they stand. */
import type { FoldKey } from '../../rulebook/word-keys.js'
import type { Words } from '../../rulebook/words.js'
import type { Constant } from '../../syntax/ir.js'

type Known = Constant | undefined

const whole = (value: Known): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined

type Fold = (text: string) => Constant
type FoldWith = (text: string, other: string) => Constant

const unary: readonly [FoldKey, Fold][] = [
  ['length', (text) => text.length],
  ['is_empty', (text) => text === ''],
  ['is_blank', (text) => text.trim() === ''],
  ['trim', (text) => text.trim()],
  ['lower', (text) => text.toLowerCase()],
  ['upper', (text) => text.toUpperCase()],
  ['same', (text) => text],
]

const binary: readonly [FoldKey, FoldWith][] = [
  ['equal', (text, other) => text === other],
  ['equal_ignoring_case', (text, other) => text.toLowerCase() === other.toLowerCase()],
  ['begins', (text, other) => text.startsWith(other)],
  ['ends', (text, other) => text.endsWith(other)],
  ['contains', (text, other) => text.includes(other)],
  ['index', (text, other) => text.indexOf(other)],
  ['position', (text, other) => (text.includes(other) ? text.indexOf(other) : false)],
]

/** The result of `method` on a constant text; `undefined` when it is not known. */
export function foldCall(folds: Words['folds'], method: string, receiver: Known, args: readonly Known[]): Known {
  if (typeof receiver === 'string') return foldMethod(folds, method, receiver, args)
  const [text, ...rest] = args
  return typeof text === 'string' && folds.as_function.has(method) ? foldMethod(folds, method, text, rest) : undefined
}

function foldMethod(folds: Words['folds'], method: string, text: string, args: readonly Known[]): Known {
  const [first, second] = args
  if (args.length === 0) return unary.find(([key]) => folds[key].has(method))?.[1](text)
  const from = whole(first)
  if (from !== undefined && args.length === 1 && folds.char_at.has(method)) return text[from]
  const isLength = folds.substr.has(method)
  if (from !== undefined && from <= text.length && (isLength || folds.substring.has(method))) {
    const to = args.length === 1 ? text.length : whole(second)
    if (to === undefined) return undefined
    const end = isLength && args.length > 1 ? from + to : to
    return end < from ? undefined : text.slice(from, end)
  }
  if (typeof first !== 'string' || args.length !== 1) return undefined
  return binary.find(([key]) => folds[key].has(method))?.[1](text, first)
}
