/** Arithmetic of the shell: its result is a number, but each operand is evaluated as text before. */
import type { Assign, Ir } from '../ir.js'
import type { Custom, Lowering } from '../lowering/shapes.js'

/** `$(( a + b ))` */
export const arithmetic: Custom = (lowering, node) => {
  const operands = lowering.children(node).flatMap((child) => operandsOf(lowering.lower(child)))
  return lowering.make.call(node, lowering.make.name(node, '%arithmetic'), [evaluated(lowering, node, operands)])
}

/** `(( a > b ))`, which the grammar takes for a group of commands. */
export const arithmeticCommand: Custom = (lowering, node) => {
  const body = lowering.children(node).map((child) => lowering.lower(child))
  const operands = lowering.text(node).startsWith('((') ? body.flatMap((one) => operandsOf(one)) : []
  return withEvaluated(lowering, node, operands, body)
}

/** `[[ $a -gt $b ]]` evaluates both sides; `[ ]` only takes numbers. */
export const numericTest: Custom = (lowering, node) => {
  const test = lowering.children(node).find((child) => lowering.typeOf(child) !== 'test_operator')
  if (test === undefined) return lowering.make.opaque(node, [])
  const only = lowering.lower(test)
  const operands = lowering.text(node).startsWith('[[') ? comparedIn(only) : []
  return operands.length === 0 ? only : withEvaluated(lowering, node, operands, [only])
}

const comparedIn = (ir: Ir): Ir[] => {
  if (ir.op === 'unary') return comparedIn(ir.operand)
  if (ir.op !== 'binary') return []
  if (ir.operator === '&&' || ir.operator === '||') return [...comparedIn(ir.left), ...comparedIn(ir.right)]
  return /^-(?:eq|ne|lt|le|gt|ge)$/.test(ir.operator) ? [ir.left, ir.right].filter((one) => one.op !== 'literal') : []
}

const operandsOf = (ir: Ir): Ir[] => {
  if (ir.op === 'binary') return [...operandsOf(ir.left), ...operandsOf(ir.right)]
  return ir.op === 'unary' ? operandsOf(ir.operand) : [ir]
}

const evaluated = (lowering: Lowering, node: number, operands: readonly Ir[]): Ir =>
  lowering.make.call(node, lowering.make.name(node, '#evaluated'), [...operands])

const withEvaluated = (lowering: Lowering, node: number, operands: readonly Ir[], body: readonly Ir[]): Ir =>
  lowering.make.block(node, [...(operands.length === 0 ? [] : [evaluated(lowering, node, operands)]), ...body])

/** `declare -i n=from+1` evaluates the text of `from`. */
export function asNumber(lowering: Lowering, node: number, ir: Assign): Assign {
  const { value } = ir
  if (value === null) return ir
  const isText = value.op === 'literal' && typeof value.value === 'string'
  const names = isText
    ? [...value.value.matchAll(/[A-Za-z_]\w*/g)].map(([name]) => lowering.make.name(node, `$${name}`))
    : [value]
  return { ...ir, value: lowering.make.call(node, lowering.make.name(node, '%arithmetic'), [evaluated(lowering, node, names)]) }
}
