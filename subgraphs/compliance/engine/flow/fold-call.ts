/** Constant folding of calls on strings: `"ABC".charAt(1)` and `substr($s, 1, 1)` are constants wherever they stand. */
import type { Constant } from '../syntax/ir.js'

type Known = Constant | undefined

const whole = (value: Known): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined

const lengths = 'length len size count strlen mb_strlen'
const empties = 'isempty empty? is_empty isnullorempty'

const named = <T>(names: string, fold: T): [string, T][] => names.split(' ').map((name) => [name, fold])

const unary: ReadonlyMap<string, (text: string) => Constant> = new Map([
  ...named(lengths, (text: string): Constant => text.length),
  ...named(empties, (text: string): Constant => text === ''),
  ...named('isnullorwhitespace isblank blank?', (text: string): Constant => text.trim() === ''),
  ...named('trim strip trimspace', (text: string): Constant => text.trim()),
  ...named('tolowercase lowercase lowercased lower tolower downcase strtolower', (text: string): Constant => text.toLowerCase()),
  ...named('touppercase uppercase uppercased upper toupper upcase strtoupper', (text: string): Constant => text.toUpperCase()),
  ...named('tostring to_string to_owned to_s str string clone freeze', (text: string): Constant => text),
])

const binary: ReadonlyMap<string, (text: string, other: string) => Constant> = new Map([
  ...named('equals equal eql? isequal', (text: string, other: string): Constant => text === other),
  ...named('equalsignorecase equalfold', (text: string, other: string): Constant => text.toLowerCase() === other.toLowerCase()),
  ...named('startswith starts_with start_with? hasprefix str_starts_with', (text: string, other: string): Constant =>
    text.startsWith(other),
  ),
  ...named('endswith ends_with end_with? hassuffix str_ends_with', (text: string, other: string): Constant =>
    text.endsWith(other),
  ),
  ...named('contains includes include? str_contains', (text: string, other: string): Constant => text.includes(other)),
  ...named('indexof index', (text: string, other: string): Constant => text.indexOf(other)),
  ...named('strpos', (text: string, other: string): Constant => (text.includes(other) ? text.indexOf(other) : false)),
])

/** Functions that take the text as their first argument, apart from methods that some receiver has under the same name. */
const asFunctions = new Set(
  'len strlen mb_strlen isnullorempty isnullorwhitespace trimspace strtolower strtoupper tolower toupper equalfold hasprefix hassuffix contains str_starts_with str_ends_with str_contains strpos substr str'.split(
    ' ',
  ),
)

/** The result of `method` on a constant text; `undefined` when it is not known. */
export function foldCall(method: string, receiver: Known, args: readonly Known[]): Known {
  const name = method.toLowerCase()
  if (typeof receiver === 'string') return foldMethod(name, receiver, args)
  const [text, ...rest] = args
  return typeof text === 'string' && asFunctions.has(name) ? foldMethod(name, text, rest) : undefined
}

function foldMethod(name: string, text: string, args: readonly Known[]): Known {
  const [first, second] = args
  if (args.length === 0) return unary.get(name)?.(text)
  const from = whole(first)
  if (from !== undefined && args.length === 1 && ['charat', 'at', 'getchar'].includes(name)) return text[from]
  if (from !== undefined && from <= text.length && ['substring', 'slice', 'substr'].includes(name)) {
    const to = args.length === 1 ? text.length : whole(second)
    if (to === undefined) return undefined
    const end = name === 'substr' && args.length > 1 ? from + to : to
    return end < from ? undefined : text.slice(from, end)
  }
  return typeof first === 'string' && args.length === 1 ? binary.get(name)?.(text, first) : undefined
}
