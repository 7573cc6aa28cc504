/** C: what a function is given behind its last parameter. */
import { type Ir, type Parameter, restName } from '../ir.js'
import type { Lowering } from '../lowering/shapes.js'

export const restOf = (lowering: Lowering, node: number): Parameter => ({
  name: restName,
  decorators: [],
  rest: true,
  start: lowering.startOf(node),
  end: lowering.endOf(node),
})

export const isVariadic = (lowering: Lowering, list: number | undefined, body: number | undefined): boolean =>
  list !== undefined &&
  body !== undefined &&
  /,\s*\.\.\.\s*\)$/.test(lowering.text(list)) &&
  /\bva_start\s*\(/.test(lowering.text(body))

/** `va_start(list, last)` fills the list with the arguments behind the last parameter. */
export const withRest = (callee: Ir, args: readonly Ir[]): readonly Ir[] => {
  const [list] = args
  if (callee.op !== 'name' || callee.name !== 'va_start' || list === undefined) return args
  return [...args, { op: 'name', name: restName, start: list.start, end: list.end }]
}
