/** Declarations of fields, such as those of a struct. */
import type { ShapeIr } from '../ir.js'
import type { Lowering } from './shapes.js'

/** The type that is called `name`, with its fields. */
export const shapeOf = (lowering: Lowering, node: number, name: string, fields: readonly number[]): ShapeIr => ({
  op: 'shape',
  name,
  fields: fields.flatMap((field) =>
    lowering.all(field, 'name*').map((at) => ({
      name: lowering.text(at),
      type: lowering.typeName(lowering.first(field, 'type')) ?? '',
      start: lowering.startOf(field),
      end: lowering.endOf(field),
    })),
  ),
  start: lowering.startOf(node),
  end: lowering.endOf(node),
})
