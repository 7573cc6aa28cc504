/** Texts that are hard on a server: what a database cannot hold, what a path or a pattern means something in, and long ones. */
import fc from 'fast-check'
import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
} from 'graphql'

const HARD = [
  '\u0000',
  'a\u0000b',
  '\uD800',
  'x\uDFFFy',
  '__proto__',
  'constructor',
  "'; drop table account; --",
  '%00',
  '%',
  '../..',
  '\u202E',
  '\uFEFF',
  '🦀',
  '\u0001',
  '\u007F',
  '$1',
  '\\u0000',
  '{}',
]

/** Any text at all; `known` are values that lead further in than an unknown one would. */
export const hardText = (known: readonly string[] = []): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...HARD) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
    { weight: 1, arbitrary: fc.constantFrom(40, 201, 256, 300, 3_000, 20_000).map((length) => 'é'.repeat(length)) },
    ...(known.length > 0
      ? [
          { weight: 2, arbitrary: fc.constantFrom(...known) },
          { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...known), fc.constantFrom(...HARD)).map((parts) => parts.join('')) },
        ]
      : []),
  )

/** What PostgreSQL cannot hold, alone and behind what it knows. */
export const unstorableText = (known: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom('', ...known).map((text) => `${text}\u0000`)

const hardJson = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    hardText(),
    fc.constant(null),
    fc.array(hardText(), { maxLength: 2 }),
    fc.dictionary(hardText(), hardText(), { maxKeys: 2 }),
  )

/** Values for a type of the graph: its own form, with these texts wherever it takes a text. */
function valueOf(type: GraphQLInputType, texts: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) return valueOf(type.ofType, texts)
  if (isListType(type)) return fc.array(valueOf(type.ofType, texts), { maxLength: 2 })
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name))
  if (isInputObjectType(type)) return argumentsOf(Object.values(type.getFields()), texts)
  if (!isScalarType(type)) throw new Error(`There are no values for ${String(type)}.`)
  switch (type.name) {
    case 'Int':
      return fc.oneof(fc.integer(), fc.constantFrom(0, 1, 2))
    case 'Float':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'Boolean':
      return fc.boolean()
    case 'Decimal':
      return fc.oneof(
        fc.constantFrom('0', '1', '0.000000001', '-1', '999999999999999999.999999999999999999'),
        fc.integer().map(String),
      )
    case 'DateTime':
      return fc.oneof(
        fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') }).map((date) => date.toISOString()),
        fc.constant('9999-12-31T23:59:59Z'),
      )
    case 'JSON':
      return hardJson()
    case 'JSONObject':
      return fc.dictionary(fc.oneof(hardText(), fc.constantFrom('model', 'messages', 'user')), hardJson(), { maxKeys: 3 })
    default:
      return texts
  }
}

/** Optional ones may be left out. */
export function argumentsOf(
  args: readonly (GraphQLArgument | { readonly name: string; readonly type: GraphQLInputType })[],
  texts: fc.Arbitrary<string>,
): fc.Arbitrary<Record<string, unknown>> {
  const shape = Object.fromEntries(args.map(({ name, type }) => [name, valueOf(type, texts)]))
  return fc.record(shape, { requiredKeys: args.filter(({ type }) => isNonNullType(type)).map(({ name }) => name) })
}

type Field = GraphQLField<unknown, unknown>

/** A selection of a field's answer: its plain fields, and one level of objects that need no arguments. */
export function selectionOf(field: Field): string {
  const type = getNamedType(field.type)
  return isObjectType(type)
    ? `{ __typename ${plainFields(type).join(' ')} }`
    : 'getFields' in type || 'getTypes' in type
      ? '{ __typename }'
      : ''
}

const plainFields = (type: GraphQLObjectType): string[] =>
  Object.values(type.getFields())
    .filter(
      ({ type: inner, args }) =>
        args.length === 0 && !('getFields' in getNamedType(inner)) && !('getTypes' in getNamedType(inner)),
    )
    .map(({ name }) => name)
