/** A compiled operation answers as graphql-js does, and none of what graphql-jit does otherwise is seen from outside. */
import {
  buildSchema,
  execute,
  parse,
  type ExecutionResult,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLUnionType,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { AppError } from '#platform/errors.js'
import type { RequestContext } from '#platform/requests/context.js'
import { isCompilable } from '../../src/graph/execution/compilable.js'
import { createEngine, type EngineRequest } from '../../src/graph/execution/engine.js'
import { publicError } from '../../src/graph/graph-errors.js'

const SDL = `
  scalar Anything
  type Query {
    item(id: ID, rows: Int = 3): Item
    items: [Item]
    strict: Item!
    pet(kind: String): Pet
    echo(value: Anything): Anything
    number: Int
  }
  type Mutation { add: Int  fail: Int }
  type Subscription { ticks(from: Int!, step: Int = 2): Int }
  type Item { id: ID!  name: String  late: String  item: Item  broken: String  required: String! }
  union Pet = Cat | Dog
  type Cat { name: String  lives: Int }
  type Dog { name: String  tricks: [String!]! }
`

function machine(): GraphQLSchema {
  const schema = buildSchema(SDL)
  const resolve = (type: string, field: string, resolver: (source: never, args: never) => unknown) => {
    ;(schema.getType(type) as GraphQLObjectType).getFields()[field]!.resolve = resolver as never
  }
  const item = (id: string): object => ({ id, name: `Item ${id}`, late: Promise.resolve('never awaited'), item: null })
  resolve('Query', 'item', (_, { id, rows }: { id?: string; rows: number }) => (id === undefined ? null : item(`${id}:${rows}`)))
  resolve('Query', 'items', async () => [item('a'), null, item('b')])
  resolve('Query', 'strict', async () => ({ id: 's' }))
  resolve('Query', 'pet', async (_, { kind }: { kind: string }) => ({ kind, name: kind, lives: 9, tricks: ['sit', null] }))
  resolve('Query', 'echo', (_, { value }: { value: unknown }) => value)
  resolve('Query', 'number', () => 'many')
  resolve('Item', 'late', async ({ id }: { id: string }) => `later ${id}`)
  resolve('Item', 'broken', async () => {
    throw new AppError('insufficient_credits', 'Not enough credits.', { param: 'id' })
  })
  let added = 0
  resolve('Mutation', 'add', async () => ++added)
  resolve('Mutation', 'fail', async () => {
    throw new AppError('conflict', 'It was changed meanwhile.')
  })
  const ticks = (schema.getType('Subscription') as GraphQLObjectType).getFields()['ticks']!
  ticks.subscribe = async function* (_: unknown, { from, step }: { from: number; step: number }) {
    for (let tick = from; tick < from + 3 * step; tick += step) yield tick
  }
  ticks.resolve = (tick: number) => {
    if (tick === 3) throw new AppError('timeout', 'Too late.')
    return tick
  }
  const pet = schema.getType('Pet') as GraphQLUnionType
  pet.resolveType = ({ kind }: { kind: string }) => {
    if (kind === 'ghost') throw new Error('There are no ghosts.')
    return kind === 'cat' ? 'Cat' : kind === 'dog' ? 'Dog' : undefined
  }
  return schema
}

const context = {} as RequestContext
const engine = createEngine(machine(), { compiles: true })

/** As a client sees it, after a use that was interpreted and one that was compiled. */
async function bothWays(query: string, variableValues: Record<string, unknown> = {}) {
  const request: EngineRequest = { document: parse(query), variableValues, contextValue: context }
  const interpreted = shown(await execute({ schema: machine(), ...request }))
  expect(shown(await engine.execute(request))).toEqual(interpreted)
  const compiled = shown(await engine.execute(request))
  expect(compiled).toEqual(interpreted)
  return compiled
}

const shown = ({ data, errors }: ExecutionResult) => ({
  data: JSON.parse(JSON.stringify(data ?? null)) as Record<string, unknown> | null,
  errors: errors?.map((error) => publicError(error.toJSON(), error, () => undefined)),
})

describe('an operation that is compiled answers as one that is interpreted', () => {
  it.each([
    ['a resolver that waits', '{ item(id: 1) { id late item { id } } }', {}],
    ['a list with an empty place', '{ items { id name late __typename } }', {}],
    [
      'aliases and defaults',
      'query ($id: ID!, $rows: Int = 7) { a: item(id: $id, rows: $rows) { x: id } b: item(id: $id) { id } }',
      { id: 'v' },
    ],
    ['a variable that is left out', 'query ($rows: Int) { item(id: 2, rows: $rows) { id } }', {}],
    ['a variable that is null', 'query ($id: ID) { item(id: $id) { id } }', { id: null }],
    ['skip and include', 'query ($no: Boolean!) { item(id: 1) { id @skip(if: $no) name @include(if: $no) } }', { no: true }],
    [
      'members of a union',
      'query ($kind: String) { pet(kind: $kind) { __typename ... on Cat { name lives } } }',
      { kind: 'cat' },
    ],
    [
      'a null in a list that has none',
      'query ($kind: String) { pet(kind: $kind) { ... on Dog { name tricks } } }',
      { kind: 'dog' },
    ],
    ['a type that is unknown', 'query ($kind: String) { pet(kind: $kind) { __typename } number }', { kind: 'fish' }],
    ['a fault below a list', '{ items { id broken } }', {}],
    ['an empty field that is required', '{ strict { id required } }', {}],
    ['a value of ours that does not fit', '{ number item(id: 1) { id } }', {}],
    ['an object as a variable', 'query ($value: Anything) { echo(value: $value) }', { value: { a: [1, { b: null }] } }],
  ])('%s', async (_, query, variables) => {
    expect(await bothWays(query, variables)).toHaveProperty('data')
  })

  it('a fragment that is spread under two conditions is selected when one of them holds', async () => {
    const query = `query ($a: Boolean!, $b: Boolean!) { item(id: 1) { ...f @include(if: $a) ...f @include(if: $b) item { id } } }
      fragment f on Item { id name }`
    const { data } = await bothWays(query, { a: false, b: true })
    expect(data).toEqual({ item: { id: '1:3', name: 'Item 1:3', item: null } })
    await bothWays(query, { a: true, b: false })
    await bothWays(query, { a: false, b: false })
  })

  it('mutations run one after the other, past one that fails', async () => {
    const { document, contextValue } = { document: parse('mutation { a: add fail b: add }'), contextValue: context }
    const own = createEngine(machine(), { compiles: true })
    await own.execute({ document, contextValue })
    const { data, errors } = shown(await own.execute({ document, contextValue }))
    expect(data).toEqual({ a: 3, fail: null, b: 4 })
    expect(errors).toMatchObject([{ message: 'It was changed meanwhile.', path: ['fail'] }])
  })
})

describe('faults of a compiled operation', () => {
  it('a resolver’s fault keeps its code, its place and its path', async () => {
    const { errors } = await bothWays('{ items { id\n broken } }')
    expect(errors).toHaveLength(2)
    expect(errors![0]).toMatchObject({
      path: ['items', 0, 'broken'],
      locations: [{ line: 2, column: 2 }],
      extensions: { code: 'insufficient_credits', param: 'id', httpStatus: 402 },
    })
  })

  it('a type resolver that throws is a fault of its field, and the operation ends', async () => {
    const { data, errors } = await bothWays(
      'query ($kind: String) { pet(kind: $kind) { __typename } number item(id: 1) { id } }',
      {
        kind: 'ghost',
      },
    )
    expect(data).toEqual({ pet: null, number: null, item: { id: '1:3' } })
    expect(errors!.find(({ path }) => path?.[0] === 'pet')!.extensions).toMatchObject({ code: 'server_error' })
  })

  it('an argument that must not be null is the caller’s fault', async () => {
    const schema = buildSchema('type Query { item(id: ID! = "x"): String }')
    const strict = createEngine(schema, { compiles: true })
    const document = parse('query ($id: ID = 1) { item(id: $id) }')
    const request = { document, variableValues: { id: null }, contextValue: context }
    await strict.execute(request)
    const { errors } = shown(await strict.execute(request))
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' }, path: ['item'] }])
  })

  it('a variable that does not fit is told in the words of graphql-js, before anything runs', async () => {
    const document = parse('query ($rows: Int!) { item(id: 1, rows: $rows) { id } }')
    const request = { document, variableValues: { rows: 'x' }, contextValue: context }
    const { errors } = await execute({ schema: machine(), ...request })
    await engine.execute(request)
    const compiled = await engine.execute(request)
    expect(compiled.data).toBeUndefined()
    expect(compiled.errors!.map((error) => error.toJSON())).toEqual(errors!.map((error) => error.toJSON()))
  })
})

it('a promise in a property is a fault that is told: what waits needs a resolver', async () => {
  const schema = buildSchema('type Query { item: Item } type Item { late: String }')
  schema.getQueryType()!.getFields()['item']!.resolve = () => ({ late: Promise.resolve('x') })
  const plain = createEngine(schema, { compiles: true })
  const result = await plain.execute({ document: parse('{ item { late } }'), contextValue: context, isOwn: true })
  expect(result.errors).toHaveLength(1)
})

describe('a subscription', () => {
  const ticks = async (query: string, variableValues: Record<string, unknown> = {}) => {
    const opened = await engine.subscribe({ document: parse(query), variableValues, contextValue: context })
    if (!(Symbol.asyncIterator in opened)) return shown(opened)
    const results = []
    for await (const result of opened) results.push(shown(result))
    return results
  }

  it('opens its source with literals and defaults, and each event is projected', async () => {
    expect(await ticks('subscription { ticks(from: 10) }')).toMatchObject([10, 12, 14].map((tick) => ({ data: { ticks: tick } })))
    expect(await ticks('subscription ($from: Int!) { at: ticks(from: $from, step: 1) }', { from: 5 })).toMatchObject(
      [5, 6, 7].map((tick) => ({ data: { at: tick } })),
    )
  })

  it('tells of an event that fails and goes on', async () => {
    const events = await ticks('subscription { ticks(from: 1, step: 2) }')
    expect(events).toMatchObject([
      { data: { ticks: 1 } },
      { data: { ticks: null }, errors: [{ extensions: { code: 'timeout' } }] },
      { data: { ticks: 5 } },
    ])
  })

  it('refuses variables that do not fit before it opens anything', async () => {
    expect(await ticks('subscription ($from: Int!) { ticks(from: $from) }', { from: 'x' })).toMatchObject({ data: null })
  })
})

describe('a caller’s document', () => {
  const compilable = (query: string) => {
    const document = parse(query)
    return isCompilable(document, document.definitions[0] as never)
  }

  it('never gets a text of its own into program text', async () => {
    const mark = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d'
    const attack = `${mark}(globalThis.wasRun = true)`
    const texts = [
      `{ echo(value: "${attack}") }`,
      `{ echo(value: "\\u005f${attack.slice(1)}") }`,
      `{ echo(value: """${attack}""") }`,
      `{ echo(value: ["${attack}"]) }`,
      `{ echo(value: { ${mark}a: 1 }) }`,
      `query ($value: Anything = "${attack}") { echo(value: $value) }`,
    ]
    for (const text of texts) {
      const request = { document: parse(text), contextValue: context }
      for (let use = 0; use < 3; use++) expect((await engine.execute(request)).errors).toBeUndefined()
      expect(compilable(text)).toBe(false)
    }
    expect(globalThis).not.toHaveProperty('wasRun')
  })

  it('may name its answer as it likes', async () => {
    const { data } = await bothWays('{ __proto__: item(id: 1) { id } constructor: item(id: 2) { __proto__: id } }')
    expect(Object.keys(data!)).toEqual(['__proto__', 'constructor'])
  })

  it('is compiled when its values are variables, numbers or names', () => {
    expect(compilable('query ($id: ID) { item(id: $id, rows: 3) { id late @skip(if: false) __typename } }')).toBe(true)
    expect(compilable('mutation { add }')).toBe(true)
    expect(compilable('mutation { add b: add }')).toBe(false)
    expect(compilable('{ __schema { types { name } } }')).toBe(false)
    expect(compilable(`{ ${'item { id } '.repeat(1_000)} }`)).toBe(false)
  })
})
