/** Numbers and addresses under operators and conversions. */
import { type Linear, add, constant, isConstant, isSame, scale, zero } from './linear.js'
import { freshSymbol, joinedSymbol, limitsOf, openData, plainSymbol, rangeOf } from './numbers.js'
import { noteResult, rangeOfSum } from './fitting.js'
import type { Expr, FunctionIr, ExprOf, Place, Type } from '../program.js'
import { type Run, step, unknownOf } from '../run.js'
import type { Span } from '../summary.js'
import { State, type Value, isAddress, isNull, moved, nullValue } from '../state.js'

export const numberValue = (number: Linear | null): Value => ({ number, to: null, nil: isNull | isAddress, isUnset: false })

export const bytesOf = (type: Type | null): number | null => {
  if (type === null) return null
  if (type.kind !== 'array') return type.bytes
  const element = bytesOf(type.of)
  return type.count?.op === 'number' && element !== null ? type.count.value * element : null
}

export const elementOf = (type: Type | null): Type | null => (type?.kind === 'pointer' || type?.kind === 'array' ? type.of : null)

/** The number of a value where only numbers are asked for. */
export const linear = (run: Run, value: Value, name: string, type: Type | null): Linear =>
  value.number ?? freshSymbol(run.symbols, name, limitsOf(type))

export function joinAll(run: Run, states: readonly State[], at: string): State {
  const [first, ...rest] = states
  return rest.reduce((joined, one) => {
    step(run, 1 + (joined.size >> 3))
    return State.join(joined, one, at, (symbol, of, into, a, b) => joinedSymbol(run.symbols, symbol, of, into, a, b))
  }, first ?? new State())
}

export function pointerSum(run: Run, expr: ExprOf<'binary'>, left: Value, right: Value): Value | null {
  // What an array is taken from is an address too, whatever nobody knows of it: the result is a number.
  if (expr.operator === '-' && isPointer(expr.right.type, right)) return distance(run, left, right, expr)
  const [pointer, by, type, sign] = isPointer(expr.left.type, left)
    ? ([left, right, expr.left.type, expr.operator === '-' ? -1 : 1] as const)
    : ([right, left, expr.right.type, 1] as const)
  if (!isPointer(type, pointer)) return null
  const size = bytesOf(elementOf(type))
  const offset = by.number === null || size === null ? null : scale(by.number, sign * size)
  return {
    number: null,
    to: pointer.to?.map((target) => moved(target, offset)) ?? null,
    nil: pointer.nil,
    isUnset: pointer.isUnset,
  }
}

export const isPointer = (type: Type | null, value: Value): boolean =>
  type === null ? value.number === null && value.to !== null : type.kind === 'pointer' || type.kind === 'array'

/** `end - p` of one object. */
function distance(run: Run, left: Value, right: Value, expr: ExprOf<'binary'>): Value {
  const [a, b] = [left.to?.[0], right.to?.[0]]
  const size = bytesOf(elementOf(expr.left.type)) ?? 1
  const bytes =
    a !== undefined && b !== undefined && a.object === b.object && a.at !== null && b.at !== null ? add(a.at, b.at, -1) : null
  if (bytes !== null && (size === 1 || (isConstant(bytes) && bytes.constant % size === 0)))
    return numberValue(scale(bytes, 1 / size))
  return numberValue(freshSymbol(run.symbols, `distance ${expr.start}`, {}))
}

/** The result of an operator; what is no sum is a new symbol with its own range. */
export function arithmetic(run: Run, state: State, expr: Expr, operator: string, a: Linear, b: Linear): Linear {
  if (operator === '+' || operator === '-') {
    const sum = add(a, b, operator === '+' ? 1 : -1)
    noteResult(run, state, expr, sum, rangeOfSum(run, state, expr, a, b))
    if (sum !== null && !(expr.type?.kind === 'float'))
      return isDifferenceOfUnsigned(run, state, expr, operator, sum)
        ? derived(run, state, expr, a, b, { low: 0, high: limitsOf(expr.type).high })
        : sum
  }
  if (operator === '*' && (isConstant(a) || isConstant(b))) {
    const product = isConstant(a) ? scale(b, a.constant) : scale(a, b.constant)
    noteResult(run, state, expr, product)
    return product
  }
  if (operator === '<<' && isConstant(b) && b.constant >= 0 && b.constant < 32) return scale(a, 2 ** b.constant)
  const [x, y] = [rangeOf(run.symbols, state, a), rangeOf(run.symbols, state, b)]
  if (isConstant(a) && isConstant(b)) {
    const folded = fold(operator, a.constant, b.constant)
    if (folded !== null) return constant(folded)
  }
  const range = resultRange(operator, x, y)
  if (operator === '*') noteResult(run, state, expr, null, range)
  return derived(run, state, expr, a, b, range)
}

const isDifferenceOfUnsigned = (run: Run, state: State, expr: Expr, operator: string, sum: Linear): boolean =>
  operator === '-' && expr.type?.kind === 'integer' && !expr.type.isSigned && rangeOf(run.symbols, state, sum).high < 0

function fold(operator: string, a: number, b: number): number | null {
  switch (operator) {
    case '/':
      return b === 0 ? null : Math.trunc(a / b)
    case '%':
      return b === 0 ? null : a % b
    case '&':
      return Number(BigInt(a) & BigInt(b))
    case '|':
      return Number(BigInt(a) | BigInt(b))
    case '^':
      return Number(BigInt(a) ^ BigInt(b))
    case '>>':
      return b >= 0 && b < 64 ? Math.floor(a / 2 ** b) : null
    default:
      return null
  }
}

const product = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b)

/** The largest numbers of 64 bits are one less than what a double says of them. */
const shifted = (high: number, by: number): number =>
  high === 2 ** 64 || high === 2 ** 63 ? high / 2 ** by - 1 : Math.floor(high / 2 ** by)

function resultRange(operator: string, x: Span, y: Span): Span {
  switch (operator) {
    case '*': {
      const all = [product(x.low, y.low), product(x.low, y.high), product(x.high, y.low), product(x.high, y.high)]
      return { low: Math.min(...all), high: Math.max(...all) }
    }
    case '/':
      return y.low >= 1
        ? { low: x.low >= 0 ? Math.floor(x.low / y.high) : x.low, high: Math.max(0, Math.floor(x.high / y.low)) }
        : x.low >= 0
          ? { low: 0, high: x.high }
          : { low: -Infinity, high: Infinity }
    case '%':
      return y.low > 0 && Number.isFinite(y.high)
        ? { low: x.low >= 0 ? 0 : 1 - y.high, high: Math.min(x.high, y.high - 1) }
        : { low: Math.min(0, x.low), high: x.high }
    case '&':
      return y.low >= 0
        ? { low: 0, high: x.low >= 0 ? Math.min(x.high, y.high) : y.high }
        : x.low >= 0
          ? { low: 0, high: x.high }
          : { low: -Infinity, high: Infinity }
    case '|':
    case '^':
      return x.low >= 0 && y.low >= 0
        ? { low: 0, high: 2 ** Math.ceil(Math.log2(Math.max(x.high, y.high) + 1)) - 1 }
        : { low: -Infinity, high: Infinity }
    case '>>':
      return y.low >= 0 && y.low < 64
        ? { low: x.low >= 0 ? 0 : x.low, high: shifted(Math.max(0, x.high), y.low) }
        : // By however many places, it gets no larger.
          { low: x.low >= 0 ? 0 : -Infinity, high: x.low >= 0 ? x.high : Infinity }
    default:
      return { low: -Infinity, high: Infinity }
  }
}

/** A number that is made from others in a way that no sum says: it is as open as they are, and may have wrapped around. */
function derived(run: Run, state: State, expr: Expr, a: Linear, b: Linear, range: Span): Linear {
  const limits = limitsOf(expr.type)
  const operator = expr.op === 'binary' || expr.op === 'assign' ? expr.operator : ''
  const data = [...openData(run.symbols, state, a), ...openData(run.symbols, state, b)]
  const isReduced = operator === '%' || operator === '&'
  const wasWrapped = [...a.terms, ...b.terms].some(([symbol]) => run.symbols.get(symbol)?.isWrapped === true)
  const isWrapped =
    (operator === '*' || operator === '<<') &&
    isOpen(run, state, a, expr) &&
    isOpen(run, state, b, expr) &&
    expr.type?.kind === 'integer' &&
    (expr.type.bytes ?? 8) <= 4 &&
    range.high > limits.high
  const name = `${expr.start}:${expr.end} ${state.epoch}`
  const low = Math.max(range.low, limits.low)
  const high = Math.min(range.high, limits.high)
  const made = freshSymbol(run.symbols, name, {
    ...plainSymbol,
    low,
    high,
    isData: data.length > 0 && !(isReduced && Number.isFinite(high) && high < 65_536),
    isWrapped: isWrapped || (wasWrapped && !isReduced),
  })
  const isBounded = isReduced && Number.isFinite(high)
  state.setRange(name, {
    low,
    high,
    isTight:
      isBounded &&
      (expr.op === 'binary' ? expr.right.op === 'number' : true) &&
      !isSame(a, zero) &&
      (operator === '%' || data.length > 0),
    most: null,
    isChecked: false,
  })
  return made
}

/** A factor that came from outside and was compared with nothing; constants are factors too. */
const isOpen = (run: Run, state: State, value: Linear, place: Place): boolean =>
  isConstant(value) || openData(run.symbols, state, value).length > 0 || isMeasure(run, state, value, place)

const measures =
  /^(?:w|h|d|width|height|depth|rows?|cols?|columns|stride|channels|planes|bpp|count|cells|samples|frames|points|entries|elements|num\w{0,12}|n_?\w{0,12})_?$/i

/** `w` in `Image(uint32_t w, uint32_t h)` with its full range: nobody on the way there compares it. */
function isMeasure(run: Run, state: State, { terms, constant: fixed }: Linear, { start }: Place): boolean {
  const [only] = terms
  const { fn } = run.frame
  const name = only === undefined ? undefined : /^&(\w+) 0$/.exec(only[0])?.[1]
  if (terms.length !== 1 || only === undefined || fixed !== 0 || name === undefined || !measures.test(name)) return false
  return state.range(only[0]) === undefined && isHandedDown(run, fn, name, start)
}

const mostCallers = 4

/** A parameter that nobody compares before: callers in the file only hand on such a parameter of their own. */
function isHandedDown(run: Run, fn: FunctionIr, name: string, before: number, hops = 0): boolean {
  const at = fn.parameters.findIndex((one) => one.name === name)
  if (at < 0 || hops > mostCallers || isComparedBefore(run, fn, name, before)) return false
  return run.program.functions.every((caller) =>
    caller.calls.every((call) => {
      const given = call.name === fn.name ? call.args[at] : null
      return given === null || (given?.op === 'variable' && isHandedDown(run, caller, given.name, call.start, hops + 1))
    }),
  )
}

/** The bound of the loop that fills what was allocated says nothing of how much that was. */
function isComparedBefore({ text }: Run, { compared, start }: FunctionIr, name: string, before: number): boolean {
  if (!compared.has(name)) return false
  const comparison = new RegExp(`\\b${name}\\b[^;{}]{0,80}[<>=]|[<>=][^;{}]{0,80}\\b${name}\\b`)
  return text
    .slice(text.indexOf('{', start), before)
    .split(/[;{}]/)
    .some((part) => /[<>]|[!=]=/.test(part) && comparison.test(part))
}

const isForeign = ({ to }: Value): boolean => to?.length === 1 && to[0]?.object.startsWith('*') === true

/** `(int8_t)bytes[0]`: all the values of a byte, half of which are below zero there. */
const isByteWithSign = ({ terms, constant: fixed }: Linear, { bytes, isSigned }: Type, low: number, high: number): boolean =>
  isSigned && bytes !== null && bytes <= 2 && terms.length === 1 && fixed === 0 && low === 0 && high === 2 ** (8 * bytes) - 1

/** A value in another type: a number that does not fit is a new one. */
export function converted(run: Run, state: State, value: Value, type: Type | null, place: Place): Value {
  if (
    type?.kind === 'pointer' &&
    value.number !== null &&
    value.to === null &&
    isConstant(value.number) &&
    value.number.constant === 0
  )
    return nullValue
  if (type?.kind === 'pointer' && value.to === null && value.nil === (isNull | isAddress))
    return unknownOf(run, state, `made ${place.start} ${state.epoch}`, type)
  // What nobody declares may be a number or an address: in a pointer it is an address.
  if (type?.kind === 'pointer' && value.number !== null && !isConstant(value.number) && isForeign(value))
    return { ...value, number: null }
  if (type?.kind !== 'integer' || value.number === null || type.bytes === null) return value
  const limits = limitsOf(type)
  const { low, high } = rangeOf(run.symbols, state, value.number)
  if (low >= limits.low && high <= limits.high) return value
  // Most programs know that their numbers fit: only a sign that gets lost and data from outside count.
  const data = openData(run.symbols, state, value.number)
  const isSignLost = low < 0 && limits.low === 0
  if (data.length === 0 && isByteWithSign(value.number, type, low, high)) {
    const name = `as ${type.name} ${place.start}:${place.end} ${state.epoch}`
    return { ...value, number: freshSymbol(run.symbols, name, { ...plainSymbol, ...limits, isTurned: true }) }
  }
  if (!isSignLost && data.length === 0) return value
  if (isSignLost && value.number.terms.some(([symbol]) => run.symbols.get(symbol)?.mayFail === true)) return value
  if (isSignLost && data.length === 0 && !value.number.terms.some(([symbol]) => run.symbols.get(symbol)?.isData === true))
    return value
  const name = `as ${type.name} ${place.start}:${place.end} ${state.epoch}`
  const isWrapped =
    data.length > 0 &&
    high > limits.high &&
    value.number.terms.some(([symbol, factor]) => factor > 1 || run.symbols.get(symbol)?.isWrapped === true)
  const number = freshSymbol(run.symbols, name, {
    ...plainSymbol,
    low: limits.low,
    high: limits.high,
    isData: data.length > 0,
    isWrapped,
  })
  state.setRange(name, {
    low: high > limits.high && data.length > 0 ? limits.low : Math.max(limits.low, isSignLost ? 0 : low),
    high: Math.min(limits.high, high < 0 ? limits.high : high),
    isTight: false,
    most: null,
    isChecked: data.length === 0,
  })
  return { ...value, number }
}
