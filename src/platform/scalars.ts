/**
 * The scalars of the graph: `Decimal` for every price and amount, `DateTime` for times, `JSON` and `JSONObject` for what
 * travels through us unchanged.
 */
import { GraphQLScalarType, Kind, type ValueNode } from 'graphql'
import { GraphQLJSON, GraphQLJSONObject } from 'graphql-scalars'
import { invalidRequest } from './errors.js'
import { exactNumber } from './json/exact-json.js'
import { formatUsd } from './money.js'

const DECIMAL = /^-?\d{1,18}(\.\d{1,18})?$/

function readDecimal(value: unknown): string {
  if (typeof value === 'string' && DECIMAL.test(value)) return value
  if (typeof value === 'number' && Number.isFinite(value) && DECIMAL.test(String(value))) return String(value)
  throw invalidRequest('A Decimal is a string such as "0.15".')
}

/** An exact decimal number as a string, such as "0.15"; resolvers return the text, or an amount in nano-USD. */
export const DecimalScalar = new GraphQLScalarType<string, string>({
  name: 'Decimal',
  description: 'An exact decimal number as a string, such as "0.15". Amounts and prices are US dollars.',
  serialize: (value) => (typeof value === 'bigint' ? formatUsd(value) : String(value)),
  parseValue: readDecimal,
  parseLiteral(node) {
    if (node.kind === Kind.STRING || node.kind === Kind.INT || node.kind === Kind.FLOAT) return readDecimal(node.value)
    return readDecimal(null)
  },
})

function readTime(value: unknown): Date {
  const time = typeof value === 'string' ? new Date(value) : null
  if (time && !Number.isNaN(time.getTime()) && /^\d{4}-\d{2}-\d{2}T/.test(String(value))) return time
  throw invalidRequest('A DateTime is an ISO 8601 string such as "2026-11-21T00:00:00Z".')
}

/** A moment in UTC; resolvers return a `Date` or epoch milliseconds. */
export const DateTimeScalar = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description: 'A moment as an ISO 8601 string in UTC, such as "2026-11-21T12:00:00.000Z".',
  serialize(value) {
    if (value instanceof Date) return value.toISOString()
    if (typeof value === 'number') return new Date(value).toISOString()
    return readTime(value).toISOString()
  },
  parseValue: readTime,
  parseLiteral: (node) => readTime(node.kind === Kind.STRING ? node.value : null),
})

/** As the scalar reads a literal, but for numbers: they keep every digit, as those of variables do. */
const exactly = (scalar: GraphQLScalarType): GraphQLScalarType =>
  new GraphQLScalarType({
    ...scalar.toConfig(),
    parseLiteral(node, variables) {
      // It says what is no object, in the words of the library.
      if (node.kind !== Kind.OBJECT) scalar.parseLiteral(node, variables)
      return literalValue(node, variables)
    },
  })

function literalValue(node: ValueNode, variables: Readonly<Record<string, unknown>> | null | undefined): unknown {
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT:
      return exactNumber(node.value)
    case Kind.LIST:
      return node.values.map((value) => literalValue(value, variables))
    case Kind.OBJECT: {
      const object = Object.create(null) as Record<string, unknown>
      for (const { name, value } of node.fields) object[name.value] = literalValue(value, variables)
      return object
    }
    case Kind.NULL:
      return null
    case Kind.VARIABLE:
      return variables?.[node.name.value]
    default:
      return node.value
  }
}

export const JsonScalar = exactly(GraphQLJSON)
export const JsonObjectScalar = exactly(GraphQLJSONObject)
