/** Values whose parts are known: one part replaced or left out, and lists that are known element by element. */
import { anyElement, deepOrigins, joinOrigins, type Origin, unknown, type Value } from './value.js'

const maxElements = 200

/** The value with one known part replaced. */
export function withField(value: Value, key: string, field: Value): Value {
  const fields = new Map(value.fields)
  if (fields.size >= maxElements && !fields.has(key)) return { ...value, origins: joinOrigins(value.origins, deepOrigins(field)) }
  fields.set(key, field)
  return { ...value, fields, constant: undefined }
}

/** The elements of a list that is known from its beginning; `null` for maps and for everything else. */
export function elementsOf({ fields }: Value): readonly Value[] | null {
  if (fields === undefined) return null
  let at = 0
  for (const key of fields.keys()) if (key !== String(at++)) return null
  return [...fields.values()]
}

/** Written out as a list, or made of one. */
export const isList = ({ fields, size }: Value): boolean => fields !== undefined && (size !== undefined || fields.has(anyElement))

/** A list that is not known element by element: any of them may be from there. */
export const listOf = (origins: readonly Origin[]): Value => {
  const element = { ...unknown, origins }
  return { ...element, fields: new Map([[anyElement, element]]) }
}

/** The list with other elements. */
export const withElements = (list: Value, elements: readonly Value[]): Value => ({
  ...list,
  constant: undefined,
  fields: new Map(elements.slice(0, maxElements).map((value, at) => [String(at), value])),
  origins: elements.slice(maxElements).reduce((origins, one) => joinOrigins(origins, deepOrigins(one)), list.origins),
  size: list.size === undefined ? undefined : elements.length,
})

/** The value without one of its known parts. */
export function withoutField(value: Value, key: string): Value {
  if (value.fields?.has(key) !== true) return value
  const fields = new Map(value.fields)
  fields.delete(key)
  return { ...value, fields }
}

/** `del list[0]`: the elements behind it move up. */
export function withoutPart(value: Value, key: string, isMoving: boolean): Value {
  const elements = isMoving ? elementsOf(value) : null
  const index = Number(key)
  if (elements !== null && Number.isInteger(index)) return withElements(value, elements.toSpliced(index, 1))
  return withoutField(value, key)
}
