/** Declarations of fields, such as those of a struct. */
import type { ShapeIr } from '../ir.js'
import type { Custom, Lowering } from './shapes.js'

/** The type that is called `name`, with its fields. */
export const shapeOf = (
  lowering: Lowering,
  node: number,
  name: string,
  fields: readonly number[],
  typeOf: (field: number) => number | undefined = (field) => lowering.first(field, 'type'),
): ShapeIr => ({
  op: 'shape',
  name,
  fields: fields.flatMap((field) =>
    lowering.all(field, 'name*').map((at) => ({
      name: lowering.text(at),
      type: lowering.typeName(typeOf(field)) ?? '',
      start: lowering.startOf(field),
      end: lowering.endOf(field),
    })),
  ),
  start: lowering.startOf(node),
  end: lowering.endOf(node),
})

/** A declaration of a type with a name, whose fields the selector finds. */
export const withFields =
  (fields: string): Custom =>
  (lowering, node) =>
    shapeOf(lowering, node, lowering.typeName(lowering.first(node, 'name')) ?? '', lowering.all(node, fields))
