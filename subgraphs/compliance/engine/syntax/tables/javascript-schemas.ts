/** Types that are made of a schema: `type Form = z.infer<typeof schema>` has the keys of the object that the schema is made of. */
import type { ShapeField } from '../ir.js'
import { withFields } from '../lowering/lower-fields.js'
import type { Custom, Lowering } from '../lowering/shapes.js'

interface Key {
  readonly name: string
  readonly type: string
}

/** As much of a schema is read. */
const maxSchema = 6000

const known = new WeakMap<Lowering, ReadonlyMap<string, readonly Key[]>>()

export const typeAlias: Custom = (lowering, node) => {
  const shape = withFields('value/%property_signature*')(lowering, node)
  const schema = /<\s*typeof\s+(\w{1,60})\s*>\s*;?\s{0,20}(?:\/\/[^\n]{0,200})?$/.exec(lowering.text(node).slice(-320))?.[1]
  if (shape.op !== 'shape' || shape.fields.length > 0 || schema === undefined) return shape
  const end = lowering.endOf(node)
  const fields = (schemasOf(lowering).get(schema) ?? []).map((key): ShapeField => ({ ...key, start: end, end }))
  return { ...shape, fields }
}

/** By the names of the constants that hold them: all of the file, read once. */
function schemasOf(lowering: Lowering): ReadonlyMap<string, readonly Key[]> {
  const before = known.get(lowering)
  if (before !== undefined) return before
  const schemas = new Map<string, readonly Key[]>()
  // The object may be in brackets, or given to another call that returns it.
  for (const found of lowering.source.matchAll(
    /\bconst\s{1,4}(\w{1,60})\s{0,4}=\s{0,4}\(?\s{0,4}(?:[\w.]{1,40}\(\s{0,20}){1,3}\{/g,
  ))
    schemas.set(found[1] ?? '', keysFrom(lowering.source, found.index + found[0].length))
  for (const [, name = '', of = ''] of lowering.source.matchAll(
    /\bconst\s{1,4}(\w{1,60})\s{0,4}=\s{0,4}(\w{1,60})\s{0,4}(?:[;\n]|$)/g,
  )) {
    const keys = schemas.get(of)
    if (keys !== undefined) schemas.set(name, keys)
  }
  known.set(lowering, schemas)
  return schemas
}

/** `birthDate: s.string().date(), age: s.number(),` up to the brace that ends the object. */
function keysFrom(source: string, from: number): readonly Key[] {
  const text = source.slice(from, from + maxSchema)
  const keys: Key[] = []
  let depth = 0
  let begin = 0
  for (let at = 0; at < text.length && depth >= 0; at++) {
    const character = text[at] ?? ''
    if ('([{'.includes(character)) depth++
    if (')]}'.includes(character)) depth--
    if (depth >= 0 && (depth > 0 || character !== ',')) continue
    const [, name, made = ''] = /^\s{0,200}["']?([A-Za-z_]\w{0,60})["']?\s{0,4}:([^]{0,200})/.exec(text.slice(begin, at)) ?? []
    if (name !== undefined) keys.push({ name, type: /\b(?:number|boolean|bool|bigint|int)\(/.test(made) ? 'number' : '' })
    begin = at + 1
  }
  return keys
}
