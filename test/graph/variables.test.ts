import fc from 'fast-check'
import { buildSchema, getVariableValues, parse, type OperationDefinitionNode } from 'graphql'
import { describe, expect, it } from 'vitest'
import { coercionOf } from '../../src/graph/execution/variables.js'

const schema = buildSchema(`
  enum Tier { LIGHT HIGH }
  input Part { name: String!, size: Int = 3, parts: [Part!] }
  type Query { look(id: ID!, tier: Tier, size: Int, names: [String!], part: Part): Boolean }
`)
const operation = parse(`
  query Look($id: ID!, $tier: Tier, $size: Int = 5, $names: [String!], $part: Part) {
    look(id: $id, tier: $tier, size: $size, names: $names, part: $part)
  }
`).definitions[0] as OperationDefinitionNode

const anything = fc.oneof(
  fc.constantFrom<unknown>('LIGHT', 'HIGH', 'a', 1, 1.5, 2 ** 40, true, null, undefined, [], ['a'], [null], { name: 'a' }),
  fc.constantFrom<unknown>({ name: 1 }, { size: 2 }, { name: 'a', parts: [{ name: 'b' }] }, { name: 'a', other: 1 }, [
    { name: 'a' },
  ]),
  fc.jsonValue(),
)
/** Mostly what fits, so that one fault stands alone. */
const mostly = (...values: unknown[]) => fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...values) }, anything)
const inputs = fc.record(
  {
    id: mostly('a', 1),
    tier: mostly('LIGHT', null),
    size: mostly(1, null),
    names: mostly(['a'], 'a'),
    part: mostly({ name: 'a', parts: [{ name: 'b' }] }),
    other: anything,
  },
  { requiredKeys: [] },
)

/** What callers see of it. */
const told = ({ coerced, errors }: ReturnType<typeof getVariableValues>) => ({
  coerced: coerced && structuredClone(coerced),
  errors: errors?.map(({ message }) => message),
})

describe('variables of an operation', () => {
  it('are coerced, and refused in the same words, as graphql-js does it for each request', () => {
    const coerce = coercionOf(schema, operation)
    fc.assert(
      fc.property(inputs, (given) => {
        expect(told(coerce(given))).toEqual(told(getVariableValues(schema, operation.variableDefinitions ?? [], given)))
      }),
      { numRuns: 400 },
    )
  })

  it('leave out what was left out, and take the default where there is one', () => {
    const coerce = coercionOf(schema, operation)
    expect(coerce({ id: 'a' }).coerced).toEqual({ id: 'a', size: 5 })
    expect(Object.keys(coerce({ id: 'a', size: 1 }).coerced ?? {})).toEqual(['id', 'size'])
  })
})
