/** The parts of an OpenAPI document that the reference reads, and how one of its schemas is put into words. */

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

export interface Content {
  readonly schema?: Schema
  readonly 'x-event-data'?: Schema
}

export interface Answer {
  readonly $ref?: string
  readonly description?: string
  readonly headers?: Readonly<Record<string, { readonly $ref?: string }>>
  readonly content?: Readonly<Record<string, Content>>
}

export interface Parameter {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
}

export interface Operation {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly security?: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, Answer>>
}

/** A path has its operations by method, and what is said of all of them. */
export interface PathItem {
  readonly description?: string
  readonly get?: Operation
  readonly post?: Operation
  readonly put?: Operation
  readonly patch?: Operation
  readonly delete?: Operation
}

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Answer>>
  }
}

export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** In a cell of a table. */
export const cell = (text: string): string =>
  text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', String.raw`\|`)

const literal = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

const alternatives = (schemas: readonly Schema[]) => [...new Set(schemas.map(typeOf))].join(' or ')

/** What a value may be, in Markdown. */
export function typeOf(schema: Schema): string {
  if (schema.$ref) return `[${nameOf(schema.$ref)}](/docs/rest-schemas.md#${nameOf(schema.$ref).toLowerCase()})`
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(', ')
  if (schema.anyOf ?? schema.oneOf) return alternatives(schema.anyOf ?? schema.oneOf ?? [])
  if (schema.allOf) return [...new Set(schema.allOf.map(typeOf))].join(' with ')
  if (schema.items) return `list of ${typeOf(schema.items)}${isNullable(schema) ? ' or null' : ''}`
  if (typeof schema.additionalProperties === 'object') return `object, each value ${typeOf(schema.additionalProperties)}`
  const type = schema.type === undefined ? 'any value' : [schema.type].flat().join(' or ')
  return schema.format ? `${type} (${schema.format})` : type
}

const isNullable = ({ type }: Schema) => Array.isArray(type) && type.includes('null')

function span(least: number | undefined, most: number | undefined, unit: string): string[] {
  if (least !== undefined && most !== undefined) return [`${least} to ${most}${unit}`]
  if (most !== undefined) return [`at most ${most}${unit}`]
  return least === undefined ? [] : [`at least ${least}${unit}`]
}

/** The limits of a value, as a sentence; empty where there are none. */
export function limitsOf(schema: Schema): string {
  const limits = [
    ...span(schema.minimum, schema.maximum, ''),
    ...span(schema.minLength, schema.maxLength, ' characters'),
    ...span(schema.minItems, schema.maxItems, ' items'),
    ...(schema.pattern === undefined ? [] : [`in the form \`${schema.pattern}\``]),
    ...(schema.default === undefined ? [] : [`${literal(schema.default)} when left out`]),
    ...(schema.examples ? [`such as ${schema.examples.map(literal).join(', ')}`] : []),
  ].join(', ')
  return limits && `${limits[0]?.toUpperCase()}${limits.slice(1)}.`
}

/** Inline objects are written out so deep; what is deeper has a name of its own. */
const MAX_DEPTH = 3

interface Row {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly text: string
}

function rowsOf(schema: Schema, prefix: string, depth: number): Row[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = `${prefix}${name}`
    const isRequired = schema.required?.includes(name) ?? false
    const text = [property.description ?? '', limitsOf(property)].filter(Boolean).join(' ')
    const row: Row = { name: path, type: typeOf(property), isRequired, text }
    if (depth >= MAX_DEPTH) return [row]
    const below = property.items ? rowsOf(property.items, `${path}[].`, depth + 1) : rowsOf(property, `${path}.`, depth + 1)
    return [row, ...below]
  })
  return [...own, ...(schema.allOf ?? []).flatMap((part) => rowsOf(part, prefix, depth))]
}

/** The fields of an object as a table; empty for what has none. */
export function fieldTable(schema: Schema): string {
  const rows = rowsOf(schema, '', 0)
  if (rows.length === 0) return ''
  const lines = rows.map(
    ({ name, type, isRequired, text }) => `| \`${name}\` | ${cell(type)} | ${isRequired ? 'yes' : ''} | ${cell(text)} |`,
  )
  return ['| field | type | always there | meaning |', '|---|---|---|---|', ...lines].join('\n')
}
