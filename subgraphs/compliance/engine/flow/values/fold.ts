/** Constant folding of operators. `undefined` means that the result is not known. */
import type { Language } from '../../languages.js'
import type { Constant } from '../../syntax/ir.js'
import { elementsOf } from './parts.js'
import { type Value } from './value.js'

const maxText = 4000

/** Two integers divided are a fraction here. */
const fractions: ReadonlySet<string> = new Set(['javascript', 'typescript', 'python', 'php'])

export function foldBinary(
  operator: string,
  left: Constant | undefined,
  right: Constant | undefined,
  language: Language | null = null,
): Constant | undefined {
  if (operator === '&&') return left === false ? false : left === true ? right : undefined
  if (operator === '||' && typeof left === 'boolean') return left ? true : right
  if (left === undefined || right === undefined) return undefined
  if (typeof left === 'string' && typeof right === 'string') return foldText(operator, left, right)
  if (typeof left === 'number' && typeof right === 'number') {
    return operator === '/' && right !== 0 && language !== null && fractions.has(language)
      ? left / right
      : foldNumber(operator, left, right)
  }
  if (operator === '+' && (typeof left === 'string' || typeof right === 'string')) return `${left ?? ''}${right ?? ''}`
  return foldEquality(operator, left, right)
}

function foldText(operator: string, left: string, right: string): Constant | undefined {
  if (operator === '+' || operator === '.' || operator === '..')
    return left.length + right.length > maxText ? undefined : left + right
  if (operator === 'in') return right.includes(left)
  if (operator === 'not in') return !right.includes(left)
  return foldOrder(operator, left, right) ?? foldEquality(operator, left, right)
}

/** Longer text is compared by addresses in some languages. */
function foldOrder(operator: string, left: string, right: string): Constant | undefined {
  return left.length === 1 && right.length === 1
    ? foldComparison(operator, left.codePointAt(0) ?? 0, right.codePointAt(0) ?? 0)
    : undefined
}

const foldComparison = (operator: string, left: number, right: number): Constant | undefined =>
  ['<', '<=', '>', '>='].includes(operator) ? numbers[operator]?.(left, right) : undefined

/** Whether a constant is one of a list of constants, or a key of a map. */
export function foldMembership(operator: string, left: Value, right: Value): Constant | undefined {
  const isIn = operator === 'in'
  if ((!isIn && operator !== 'not in') || left.constant === undefined || right.fields === undefined) return undefined
  if (right.origins.length > 0 || right.path !== null) return undefined
  const elements = elementsOf(right)
  if (elements === null) return right.fields.has(String(left.constant)) === isIn
  if (elements.some((one) => one.constant === left.constant)) return isIn
  return elements.every((one) => one.constant !== undefined) ? !isIn : undefined
}

function foldEquality(operator: string, left: Constant, right: Constant): Constant | undefined {
  if (['==', '===', 'is'].includes(operator)) return left === right
  if (['!=', '!==', 'is not'].includes(operator)) return left !== right
  return undefined
}

const numbers: Record<string, (left: number, right: number) => Constant> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => (Number.isInteger(left) && Number.isInteger(right) ? Math.trunc(left / right) : left / right),
  '//': (left, right) => Math.floor(left / right),
  '**': (left, right) => left ** right,
  '%': (left, right) => left % right,
  '<<': (left, right) => left << right,
  '>>': (left, right) => left >> right,
  '&': (left, right) => left & right,
  '|': (left, right) => left | right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
}

function foldNumber(operator: string, left: number, right: number): Constant | undefined {
  if ((operator === '/' || operator === '//' || operator === '%') && right === 0) return undefined
  return numbers[operator]?.(left, right) ?? foldEquality(operator, left, right)
}

export function foldUnary(operator: string, operand: Constant | undefined): Constant | undefined {
  if (operand === undefined) return undefined
  if (operator === '!' && typeof operand === 'boolean') return !operand
  if (operator === '-' && typeof operand === 'number') return -operand
  if (operator === '+' && typeof operand === 'number') return operand
  return undefined
}

/** Whether a constant condition holds, in the loose sense of most languages; `undefined` for unknown. */
export function truthOf(constant: Constant | undefined): boolean | undefined {
  if (constant === undefined) return undefined
  if (typeof constant === 'boolean') return constant
  if (typeof constant === 'number') return constant !== 0
  return undefined
}
