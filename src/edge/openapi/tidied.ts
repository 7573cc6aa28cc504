/** The document as the library makes it, in fewer words. */

type Fields = Record<string, unknown>

export function tidied(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(tidied)
  const fields = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, tidied(part)]))
  return withEventData(withOneDescription(withoutEmptyWords(asOneType(fields))))
}

/** Bounds that every integer of JavaScript has, and that anything may follow, need no words. */
function withoutEmptyWords(schema: Fields): Fields {
  const { maximum, minimum, additionalProperties: more, ...rest } = schema
  return {
    ...rest,
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(more !== undefined && !isEmpty(more) && { additionalProperties: more }),
  }
}

const isEmpty = (value: unknown): boolean => value !== null && typeof value === 'object' && Object.keys(value).length === 0

/** A value or null is one schema of two types. */
function asOneType(schema: Fields): Fields {
  const { anyOf, ...rest } = schema as { anyOf?: readonly Fields[] }
  const [only, nothing, ...more] = anyOf ?? []
  if (!only || nothing?.['type'] !== 'null' || more.length > 0) return schema
  const { type, enum: words, ...inner } = only
  if (typeof type !== 'string' || 'const' in only) return schema
  return { ...inner, ...rest, type: [type, 'null'], ...(Array.isArray(words) && { enum: [...(words as unknown[]), null] }) }
}

/** What is said of a parameter or a header is said beside its schema, once. */
function withOneDescription(fields: Fields): Fields {
  const schema = fields['schema'] as Fields | undefined
  const isNamed = 'in' in fields || 'required' in fields
  if (!schema || !isNamed || schema['description'] === undefined) return fields
  const { description, ...rest } = schema
  return { ...fields, description, schema: rest }
}

/** OpenAPI 3.1 has no word of its own for what the events of a stream hold. */
function withEventData({ itemSchema, ...rest }: Fields): Fields {
  return itemSchema === undefined ? rest : { ...rest, 'x-event-data': itemSchema }
}
