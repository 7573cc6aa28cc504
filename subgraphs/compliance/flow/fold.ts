/** Constant folding of operators. `undefined` means that the result is not known. */
import type { Constant } from '../syntax/ir.js'

const maxText = 4000

export function foldBinary(operator: string, left: Constant | undefined, right: Constant | undefined): Constant | undefined {
  if (operator === '&&') return left === false ? false : left === true ? right : undefined
  if (operator === '||' && typeof left === 'boolean') return left ? true : right
  if (left === undefined || right === undefined) return undefined
  if (typeof left === 'string' && typeof right === 'string') return foldText(operator, left, right)
  if (typeof left === 'number' && typeof right === 'number') return foldNumber(operator, left, right)
  if (operator === '+' && (typeof left === 'string' || typeof right === 'string')) return `${left ?? ''}${right ?? ''}`
  return foldEquality(operator, left, right)
}

function foldText(operator: string, left: string, right: string): Constant | undefined {
  if (operator === '+' || operator === '.' || operator === '..')
    return left.length + right.length > maxText ? undefined : left + right
  return foldEquality(operator, left, right)
}

function foldEquality(operator: string, left: Constant, right: Constant): Constant | undefined {
  if (operator === '==' || operator === '===') return left === right
  if (operator === '!=' || operator === '!==') return left !== right
  return undefined
}

const numbers: Record<string, (left: number, right: number) => Constant> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => (Number.isInteger(left) && Number.isInteger(right) ? Math.trunc(left / right) : left / right),
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
  if ((operator === '/' || operator === '%') && right === 0) return undefined
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
