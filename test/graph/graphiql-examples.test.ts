/** The operations that GraphiQL begins with run against the schema that is served. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, getOperationAST, getVariableValues, parse, validate } from 'graphql'
import { expect, it } from 'vitest'
import { packageRoot } from '#platform/package-root.js'
import { EXAMPLES } from '../../src/graph/graphiql/examples.js'

const schema = buildSchema(readFileSync(join(packageRoot, 'schema', 'api.graphql'), 'utf8'))

it.each(EXAMPLES)('an example fits the schema, with its variables: $query', ({ query, variables = {} }) => {
  const document = parse(query)
  expect(validate(schema, document)).toEqual([])
  const { variableDefinitions = [] } = getOperationAST(document)!
  expect(getVariableValues(schema, variableDefinitions, variables).errors).toBeUndefined()
})

it('there is a query, a mutation and two subscriptions', () => {
  const kinds = EXAMPLES.map(({ query }) => getOperationAST(parse(query))!.operation)
  expect(kinds).toEqual(['query', 'mutation', 'subscription', 'subscription'])
})
