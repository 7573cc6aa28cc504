/**
 * Which texts may come in as arguments: those that every database can hold as they are. PostgreSQL refuses U+0000, and half of
 * a surrogate pair would be stored as another character in silence. REST, MCP and GraphQL all pass through here, so no service
 * and no query looks at this again.
 *
 * A field that takes any text whatever, such as source code, says so with `@Extensions({ anyText: true })`; JSON scalars travel
 * unchanged.
 */
import {
  GraphQLID,
  GraphQLString,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql'
import { invalidRequest } from '#platform/errors.js'

type Check = (value: unknown, path: string) => void

/** Makes every field of `schema` check its arguments. `declared` is the same schema with the extensions of its declaration. */
export function guardArgumentTexts(schema: GraphQLSchema, declared: GraphQLSchema): void {
  const checkOf = checks()
  for (const type of Object.values(schema.getTypeMap())) {
    const declaredType = declared.getType(type.name)
    if (!isObjectType(type) || !isObjectType(declaredType)) continue
    for (const field of Object.values(type.getFields())) {
      const check = checkOfFields(declaredType.getFields()[field.name]?.args ?? [], checkOf)
      if (!check) continue
      const { resolve, subscribe } = field
      if (resolve) field.resolve = (source, args, ...rest) => (check(args, ''), resolve(source, args, ...rest))
      if (subscribe) field.subscribe = (source, args, ...rest) => (check(args, ''), subscribe(source, args, ...rest))
    }
  }
}

/** Looks at every text within a value, such as the representation of an entity. */
export function checkTextsWithin(value: unknown, path: string): void {
  if (typeof value === 'string') checkText(value, path)
  else if (value !== null && typeof value === 'object') {
    for (const [name, part] of Object.entries(value)) checkTextsWithin(part, `${path}.${name}`)
  }
}

const checkText: Check = (value, path) => {
  if (typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'))) return
  throw invalidRequest(`"${path}" holds a character that no text may have: U+0000 or half of a surrogate pair.`, path)
}

/** The check of a type, null when it holds no text. Input types may hold themselves, so each has one check. */
function checks(): (type: GraphQLInputType) => Check | null {
  const known = new Map<GraphQLInputType, Check | null>()
  const checkOf = (type: GraphQLInputType): Check | null => {
    if (isNonNullType(type)) return checkOf(type.ofType)
    if (isListType(type)) return checkOfList(checkOf(type.ofType))
    if (type === GraphQLString || type === GraphQLID) return checkText
    if (!isInputObjectType(type)) return null
    const before = known.get(type)
    if (before !== undefined) return before
    known.set(type, (value, path) => known.get(type)?.(value, path))
    const check = checkOfFields(Object.values(type.getFields()), checkOf)
    known.set(type, check)
    return check
  }
  return checkOf
}

/** A mutation's one input is not part of what callers call its fields. */
const pathOf = (path: string, name: string): string => (path !== '' ? `${path}.${name}` : name === 'input' ? '' : name)

interface Taking {
  readonly name: string
  readonly type: GraphQLInputType
  readonly extensions: Readonly<Record<string, unknown>>
}

function checkOfFields(fields: readonly Taking[], checkOf: (type: GraphQLInputType) => Check | null): Check | null {
  const parts = fields.flatMap(({ name, type, extensions }) => {
    const check = extensions['anyText'] === true ? null : checkOf(type)
    return check ? [{ name, check }] : []
  })
  if (parts.length === 0) return null
  return (value, path) => {
    if (value === null || typeof value !== 'object') return
    for (const { name, check } of parts) {
      const part = (value as Record<string, unknown>)[name]
      if (part !== undefined && part !== null) check(part, pathOf(path, name))
    }
  }
}

const checkOfList = (check: Check | null): Check | null =>
  check && ((value, path) => Array.isArray(value) && value.forEach((item, index) => check(item, `${path}[${index}]`)))
