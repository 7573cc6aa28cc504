/** A gateway with a query planner: whom it asks for what, what it passes on unread, and where a subgraph's fault is shown. */
import { buildSchema, GraphQLError, parse, type ExecutionResult } from 'graphql'
import { describe, expect, it } from 'vitest'
import { AppError } from '#platform/errors.js'
import type { RequestContext } from '#platform/requests/context.js'
import { composeSupergraph } from '../../src/graph/composition/composition.js'
import { createPlannedEngine, type SubgraphLink } from '../../src/graph/gateway/planned/planned-engine.js'
import type { SubgraphRequest } from '../../src/graph/gateway/planned/plan-runner.js'
import { loadHivePlanner } from '../../src/graph/gateway/planned/query-planner.js'
import { contextFor } from '../inference/chat-kit.js'

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key"])'
const SDLS = {
  books: `${LINK}
    type Query { book(id: ID!): Book books: [Book!] shelf: [Thing!] broken: Int }
    type Subscription { bookChanged: Book! }
    type Book @key(fields: "id") { id: ID! title: String! }
    type Lamp @key(fields: "id") { id: ID! watts: Int! }
    union Thing = Book | Lamp`,
  prices: `${LINK}
    type Query { priceCount: Int }
    type Book @key(fields: "id") { id: ID! cents: Int offers: [Offer!] }
    type Lamp @key(fields: "id") { id: ID! cents: Int! }
    type Offer { shop: String! }`,
}

type Answers = Record<keyof typeof SDLS, (request: SubgraphRequest) => ExecutionResult>

async function gateway(answers: Partial<Answers>, unread: SubgraphLink['unread'] = null) {
  const { supergraphSdl, apiSdl } = composeSupergraph(Object.entries(SDLS).map(([name, sdl]) => ({ name, sdl })))
  const planner = await loadHivePlanner(supergraphSdl)
  if ('reason' in planner) return expect.unreachable(planner.reason)
  const asked: [name: string, query: string, variables: object][] = []
  const link = (name: keyof typeof SDLS): SubgraphLink => ({
    declared: buildSchema(SDLS[name].replace(/extend schema.*|@key\(fields: "id"\)/g, ''), { assumeValid: true }),
    async ask(request) {
      asked.push([name, request.query, request.variables])
      return answers[name]!(request)
    },
    follow: async () => expect.unreachable(),
    unread: name === 'books' ? unread : null,
  })
  const engine = createPlannedEngine({
    schema: buildSchema(apiSdl),
    plan: planner.plan,
    links: new Map([
      ['books', link('books')],
      ['prices', link('prices')],
    ]),
    stitched: () => expect.unreachable('Nothing here is left to the stitched schema.'),
  })
  const contextValue: RequestContext = contextFor()
  const ask = (query: string, variableValues: Record<string, unknown> = {}) =>
    engine.execute({ document: parse(query), variableValues, contextValue })
  return { engine, asked, ask, contextValue }
}

const books = (...ids: string[]) => ids.map((id) => ({ __typename: 'Book', id, title: `Title ${id}` }))
const shown = ({ errors = [] }: ExecutionResult) => errors.map(({ message, path }) => [message, path?.join('.')])

describe('a join', () => {
  it('asks for each entity once, wherever it stands, and answers in the order of the selection', async () => {
    const { ask, asked } = await gateway({
      books: () => ({ data: { books: books('a', 'b', 'a') } }),
      prices: () => ({ data: { _entities: [{ cents: 1 }, { cents: 2 }] } }),
    })
    const { data, errors } = await ask('{ books { price: cents title __typename } }')
    expect(errors).toBeUndefined()
    expect(asked).toHaveLength(2)
    const representations = ['a', 'b'].map((id) => ({ __typename: 'Book', id }))
    expect(asked[1]).toMatchObject(['prices', expect.stringContaining('price: cents'), { representations }])
    // The subgraph has the alias too.
    expect(JSON.stringify(data)).toBe(
      JSON.stringify({ books: ['a', 'b', 'a'].map((id) => ({ price: null, title: `Title ${id}`, __typename: 'Book' })) }),
    )
  })

  it('leaves out what is skipped, and asks nobody for it', async () => {
    const { ask, asked } = await gateway({ books: () => ({ data: { books: books('a') } }) })
    const query = 'query ($all: Boolean! = false) { books { title cents @include(if: $all) ... @skip(if: $all) { id } } }'
    expect((await ask(query)).data).toEqual({ books: [{ title: 'Title a', id: 'a' }] })
    expect(asked).toHaveLength(1)
  })

  it('goes by the type of each member of a union', async () => {
    const lamp = { __typename: 'Lamp', id: 'l', watts: 5 }
    const { ask, asked } = await gateway({
      books: () => ({ data: { shelf: [...books('a'), lamp] } }),
      prices: () => ({ data: { _entities: [{ cents: 7 }] } }),
    })
    const { data } = await ask('{ shelf { ... on Lamp { cents watts } ... on Book { title } } }')
    expect(data).toEqual({ shelf: [{ title: 'Title a' }, { cents: 7, watts: 5 }] })
    expect(asked[1]![2]).toEqual({ representations: [{ __typename: 'Lamp', id: 'l' }] })
  })
})

describe('a fault', () => {
  const fault = new AppError('service_unavailable', 'The subgraph "prices" does not answer.')
  const silent = () => ({ data: null, errors: [new GraphQLError(fault.message, { originalError: fault })] })

  it('of a whole subgraph stands at every field that it was asked for, and takes nothing else with it', async () => {
    const { ask } = await gateway({ books: () => ({ data: { books: books('a', 'b') } }), prices: silent })
    const result = await ask('{ books { title cents offers { shop } } priceCount }')
    expect(result.data).toEqual({
      books: ['a', 'b'].map((id) => ({ title: `Title ${id}`, cents: null, offers: null })),
      priceCount: null,
    })
    const places = ['books.0.cents', 'books.0.offers', 'books.1.cents', 'books.1.offers', 'priceCount']
    expect(new Set(shown(result))).toEqual(new Set(places.map((place) => [fault.message, place])))
    expect(result.errors!.every(({ originalError }) => originalError === fault)).toBe(true)
  })

  it('of one entity stands where the entity does, in each of its places', async () => {
    const error = new GraphQLError('No shop.', { path: ['_entities', 1, 'offers', 0, 'shop'], extensions: { code: 'x' } })
    const { ask } = await gateway({
      books: () => ({ data: { books: books('a', 'b', 'b') } }),
      prices: () => ({ data: { _entities: [{ offers: [{ shop: 's' }] }, { offers: null }] }, errors: [error] }),
    })
    const result = await ask('{ books { offers { shop } } }')
    expect(shown(result)).toEqual([1, 2].map((at) => ['No shop.', `books.${at}.offers.0.shop`]))
    expect(result.errors![0]!.extensions).toEqual({ code: 'x' })
  })

  it('where no null may stand takes the object with it, and is told once', async () => {
    const { ask } = await gateway({
      books: () => ({ data: { shelf: [{ __typename: 'Lamp', id: 'l' }] } }),
      prices: () => ({ data: { _entities: [null] } }),
    })
    const result = await ask('{ shelf { ... on Lamp { cents } } priceCount: __typename }')
    expect(result.data).toEqual({ shelf: null, priceCount: 'Query' })
    expect(shown(result)).toEqual([['Cannot return null for non-nullable field Lamp.cents.', 'shelf.0.cents']])
  })
})

describe('what belongs to one subgraph', () => {
  const bytes = Buffer.from('{"data":{"book":{"title":"as it came"}}}')
  const passing = () => {
    const sent: SubgraphRequest[] = []
    const ask = async (request: SubgraphRequest) => (sent.push(request), bytes)
    return { sent, unread: { ask, follow: async () => expect.unreachable() } }
  }
  const relayOf = async (query: string, variableValues: Record<string, unknown> = {}) => {
    const { sent, unread } = passing()
    const { engine, contextValue } = await gateway({}, unread)
    const relay = engine.relay!({ document: parse(query), operationName: null, variableValues, contextValue })
    return { sent, answer: relay && (await relay.answer()) }
  }

  it('is passed on as it is, with its variables, and its answer unread', async () => {
    const { sent, answer } = await relayOf('query B($id: ID!) { book(id: $id) { ...b } } fragment b on Book { title }', {
      id: 'x',
    })
    expect(answer).toBe(bytes)
    expect(sent[0]!.variables).toEqual({ id: 'x' })
    expect(parse(sent[0]!.query).definitions).toHaveLength(2)
  })

  it.each([
    ['has a field of another', '{ book(id: "a") { title cents } }'],
    ['has one even if that is skipped', '{ book(id: "a") { title cents @skip(if: true) } }'],
    ['asks several', '{ book(id: "a") { title } priceCount }'],
    ['is about the schema', '{ __schema { queryType { name } } }'],
    ['belongs to one in this process', '{ priceCount }'],
  ])('but not what %s', async (_, query) => {
    expect((await relayOf(query)).answer).toBeNull()
  })
})

it('the schema is told by the gateway itself', async () => {
  const { ask, asked } = await gateway({})
  expect((await ask('{ __type(name: "Book") { fields { name } } }')).data).toEqual({
    __type: { fields: ['cents', 'id', 'offers', 'title'].map((name) => ({ name })) },
  })
  expect(asked).toEqual([])
})
