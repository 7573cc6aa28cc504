/** What is committed as text is what the program says, and the text keeps its promises. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generate, loadCodegenConfig } from '@graphql-codegen/cli'
import {
  assertScalarType,
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  lexicographicSortSchema,
  parse,
  printSchema,
} from 'graphql'
import { expect, it } from 'vitest'
import { DateTimeScalar } from '#platform/scalars.js'
import { snapshotDrift } from '#platform/database/migrations.js'
import { entities } from '../../src/app/entities.js'
import { packageRoot } from '../../src/platform/package-root.js'
import { SUBGRAPH_NAMES } from '../../src/app/subgraph-names.js'
import { checkSchemaFiles } from '../../src/app/schema-files.js'
import { buildSubgraphSchema } from '../../src/graph/composition/subgraph-schema.js'
import { mergeSchemas } from '../../src/graph/execution/merged-schema.js'
import { withScalars } from '../../src/graph/prepared-operation.js'
import { readApi } from '../../src/graph/gateway/supergraph.js'
import { startTestApp } from '../kit/app.js'

it('schema/ is what the subgraphs compose to; after a change run "npm run schema"', async () => {
  expect(await checkSchemaFiles()).toEqual([])
})

it('src/generated is what codegen makes of the operations; after a change run "npm run schema"', async () => {
  const { config } = await loadCodegenConfig({ configFilePath: join(packageRoot, 'codegen.yml') })
  const files = (await generate({ ...config, cwd: packageRoot, silent: true }, false)) as { filename: string; content: string }[]
  expect(files.length).toBeGreaterThan(0)
  expect(files).toHaveLength(Object.keys(config.generates).length)
  for (const { filename, content } of files) expect(readFileSync(join(packageRoot, filename), 'utf8')).toBe(content)
})

it.each(['sqlite', 'postgres'] as const)(
  'the %s migrations are up to date; after a change run "npx sluice migrate --create <name>"',
  async (dialect) => {
    expect(await snapshotDrift({ dialect, entities, migrationsPath: join(packageRoot, 'src', 'migrations') })).toBe(false)
  },
)

it('every type, field, argument and enum value of the public schema has a description', () => {
  const schema = buildSchema(readFileSync(join(packageRoot, 'schema', 'api.graphql'), 'utf8'))
  const bare: string[] = []
  const check = (what: string, { description }: { description?: string | null | undefined }) => {
    if (!description) bare.push(what)
  }
  for (const type of Object.values(schema.getTypeMap())) {
    const isRoot = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].includes(type as never)
    if (isIntrospectionType(type) || ['String', 'Int', 'Float', 'Boolean', 'ID'].includes(type.name)) continue
    if (!isRoot) check(type.name, type)
    if (isEnumType(type)) for (const value of type.getValues()) check(`${type.name}.${value.name}`, value)
    if (isInputObjectType(type)) for (const field of Object.values(type.getFields())) check(`${type.name}.${field.name}`, field)
    if (!isObjectType(type) && !isInterfaceType(type)) continue
    for (const field of Object.values(type.getFields())) {
      check(`${type.name}.${field.name}`, field)
      for (const argument of field.args) check(`${type.name}.${field.name}(${argument.name})`, argument)
    }
  }
  expect(bare).toEqual([])
})

it('subgraphs describe what they share in the same words: a router that composes them takes one, and warns', () => {
  const said = new Map<string, Set<string>>()
  const say = (what: string, description: string | undefined): void => {
    if (description !== undefined) said.set(what, (said.get(what) ?? new Set()).add(description))
  }
  for (const name of SUBGRAPH_NAMES) {
    const { definitions } = parse(readFileSync(join(packageRoot, 'schema', `${name}.graphql`), 'utf8'))
    for (const type of definitions) {
      if (!('name' in type) || type.name === undefined || !('description' in type)) continue
      say(type.name.value, type.description?.value)
      if (!('fields' in type)) continue
      for (const field of type.fields ?? []) say(`${type.name.value}.${field.name.value}`, field.description?.value)
    }
  }
  expect(said.size).toBeGreaterThan(500)
  expect([...said].filter(([, descriptions]) => descriptions.size > 1)).toEqual([])
})

it('the merged schema of one process is the public API, to the byte', async () => {
  await using app = await startTestApp()
  const merged = mergeSchemas(readApi(), app.server.app.subgraphs.map(buildSubgraphSchema))
  expect(`${printSchema(lexicographicSortSchema(merged))}\n`).toBe(readApi())
})

it('the merged schema reads variables as it is: no second one is made for them', async () => {
  await using app = await startTestApp()
  const merged = mergeSchemas(readApi(), app.server.app.subgraphs.map(buildSubgraphSchema))
  expect(withScalars(merged)).toBe(merged)
  // A stitched one passes values on unread.
  const unread = buildSchema(readApi())
  expect(withScalars(unread)).not.toBe(unread)
  expect(assertScalarType(withScalars(unread).getType('DateTime')).parseValue).toBe(DateTimeScalar.parseValue)
})
