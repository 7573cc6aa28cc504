/** What the graph machine promises, whatever the subgraphs are. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { createClient } from 'graphql-sse'
import { auditServer } from 'graphql-http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '#platform/clock.js'
import { createMetrics } from '#platform/metrics.js'
import { serverStops } from '#platform/requests/end-reasons.js'
import { AppError } from '#platform/errors.js'
import { createContextSource, type Authenticate, type ContextSource } from '#platform/requests/request-context.js'
import { composeSupergraph, type Composition } from '../../src/graph/composition/composition.js'
import { createEngine, type Engine } from '../../src/graph/execution/engine.js'
import { mergeSchemas } from '../../src/graph/execution/merged-schema.js'
import { createGatewayEngine } from '../../src/graph/gateway/gateway-engine.js'
import { createGraphServer, type GraphServer } from '../../src/graph/graph-server.js'
import { buildSubgraphSchema, type SubgraphSchema } from '../../src/graph/composition/subgraph-schema.js'
import { onlySmallBodies } from '../kit/large-bodies.js'
import { toySubgraphs, type ToyLog } from './toy-subgraphs.js'

const merged = (subgraphs: readonly SubgraphSchema[], { apiSdl }: Composition): Engine =>
  createEngine(mergeSchemas(apiSdl, subgraphs), { compiles: true })

const planned = (subgraphs: readonly SubgraphSchema[], composition: Composition): Promise<Engine> =>
  createGatewayEngine({ ...composition, subgraphs, remote: () => undefined, onNoPlanner: (reason) => expect.unreachable(reason) })

const stitched = (subgraphs: readonly SubgraphSchema[], composition: Composition): Promise<Engine> => {
  const loadPlanner = async () => ({ reason: 'There is none for this platform.' })
  return createGatewayEngine({ ...composition, subgraphs, remote: () => undefined, onNoPlanner: () => {}, loadPlanner })
}

describe.each([
  ['merged', merged],
  ['stitched', stitched],
  ['planned', planned],
])('the subgraphs %s', (_, engineOf) => {
  const log: ToyLog = { batches: [], ended: 0 }
  const unexpected: string[] = []
  let server: Server
  let graph: GraphServer
  let contexts: ContextSource
  let url: string
  let authenticate: Authenticate = () => null

  beforeAll(async () => {
    const subgraphs = toySubgraphs(log).map(buildSubgraphSchema)
    const composition = composeSupergraph(subgraphs)
    contexts = createContextSource({ authenticate: (token) => authenticate(token), clock: systemClock })
    graph = await createGraphServer({
      engine: await engineOf(subgraphs, composition),
      contexts,
      limits: { maxDepth: 5, maxAliases: 5, maxDirectives: 5, maxTokens: 300, maxCost: 100, introspection: true },
      body: { maxBytes: 100_000, maxDepth: 64 },
      large: onlySmallBodies.large,
      pace: { clock: systemClock, stalledMs: 60_000 },
      answers: new Set(),
      metrics: createMetrics(),
      onUnexpected: (error) => unexpected.push(error.detail ?? ''),
    })
    const app = express()
    app.use('/graphql', graph.router)
    server = createServer(app)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
  })

  afterAll(async () => {
    contexts.requests.endAll(serverStops())
    await graph.stop()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  async function post(query: string, variables: object = {}, headers: Record<string, string> = {}) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  const overSse = (query: string) => post(query, {}, { accept: 'text/event-stream' })

  describe('the gateway', () => {
    it('joins two subgraphs with one batch for 50 entities', async () => {
      log.batches = []
      const { text } = await post('{ books(limit: 50) { id title cents } }')
      const { data, errors } = JSON.parse(text) as { data: { books: { cents: number }[] }; errors?: unknown }
      expect(errors).toBeUndefined()
      expect(data.books).toHaveLength(50)
      expect(data.books[49]).toEqual({ id: 'b49', title: 'Book 49', cents: 100 })
      expect(log.batches).toEqual([50])
    })

    it('passes all audits of GraphQL over HTTP', async () => {
      const results = await auditServer({ url, fetchFn: fetch })
      expect(results.filter((result) => result.status !== 'ok').map((result) => `${result.id} ${result.name}`)).toEqual([])
      expect(results).toHaveLength(61)
    })

    it('shows a known fault with its code and hides an unknown one', async () => {
      const fault = await post('{ fault { id } }')
      expect(JSON.parse(fault.text).errors[0].extensions).toEqual({
        code: 'insufficient_credits',
        type: 'insufficient_credits',
        param: 'model',
        httpStatus: 402,
      })
      const hidden = await post('{ hidden { id } }')
      expect(hidden.text).not.toContain('postgres')
      expect(JSON.parse(hidden.text).errors[0].extensions.code).toBe('server_error')
      expect(unexpected.at(-1)).toContain('postgres')
    })

    it('counts a value of ours that does not fit the schema as ours', async () => {
      const before = unexpected.length
      expect(JSON.parse((await post('{ misfit }')).text).errors[0].extensions.code).toBe('server_error')
      expect(unexpected).toHaveLength(before + 1)
    })

    it('tells of an outage with a 503 and when to come back, and counts no bug', async () => {
      const before = unexpected.length
      for (const accept of ['*/*', 'application/json', 'application/graphql-response+json']) {
        const { status, text, headers } = await post('{ outage { id } }', {}, { accept })
        expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '7' })
        expect(JSON.parse(text)).not.toHaveProperty('data')
        expect(JSON.parse(text).errors[0].extensions).toEqual({
          code: 'SERVICE_UNAVAILABLE',
          type: 'server_error',
          param: null,
          httpStatus: 503,
          retryAfterSeconds: 7,
        })
      }
      expect((await overSse('{ outage { id } }')).text).toContain('"code":"SERVICE_UNAVAILABLE"')
      expect(unexpected).toHaveLength(before)
    })

    it('is a 200 when an outage leaves something to answer with', async () => {
      const { status, text } = await post(
        '{ outage { id } books(limit: 1) { id } }',
        {},
        { accept: 'application/graphql-response+json' },
      )
      expect(status).toBe(200)
      expect(JSON.parse(text)).toMatchObject({
        data: { outage: null, books: [{ id: 'b0' }] },
        errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }],
      })
    })

    it('tells of an outage before the key is known in the same form', async () => {
      authenticate = () => {
        throw new AppError('service_unavailable', 'The database does not answer.', { retryAfterSeconds: 7 })
      }
      const { status, text, headers } = await post('{ books { id } }', {}, { authorization: 'Bearer x' })
      authenticate = () => null
      expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '7' })
      expect(JSON.parse(text).errors[0].extensions.code).toBe('SERVICE_UNAVAILABLE')
    })
  })

  describe('subscriptions', () => {
    it('stream over server-sent events to the graphql-sse client and complete', async () => {
      const client = createClient({ url, retryAttempts: 0 })
      const ticks: unknown[] = []
      for await (const result of client.iterate({ query: 'subscription { ticks(upTo: 3) }' })) ticks.push(result.data?.['ticks'])
      expect(ticks).toEqual([1, 2, 3])
      client.dispose()
    })

    it('that break end with an event that says why, and tell nothing of our inside', async () => {
      const before = unexpected.length
      const outage = await overSse('subscription { broken(upTo: 1) }')
      expect(outage.text).toContain('"data":{"broken":1}')
      expect(outage.text).toContain('"code":"SERVICE_UNAVAILABLE"')
      expect(outage.text).toContain('event: complete')
      expect(unexpected).toHaveLength(before)
      const bug = await overSse('subscription { broken(upTo: 2) }')
      expect(bug.text).toContain('"code":"server_error"')
      expect(bug.text).not.toContain('postgres')
      expect(unexpected).toHaveLength(before + 1)
    })

    it('end their source when the client leaves', async () => {
      const before = log.ended
      const leave = new AbortController()
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ query: 'subscription { ticks(upTo: 0) }' }),
        signal: leave.signal,
      })
      const reader = response.body!.getReader()
      await reader.read()
      leave.abort()
      await expect.poll(() => log.ended).toBe(before + 1)
    })

    it('sent without the event stream header get a 406 that says what to do', async () => {
      const { status, text } = await post('subscription { ticks(upTo: 1) }')
      expect(status).toBe(406)
      expect(text).toContain('text/event-stream')
    })

    it('cannot be reserved as a single connection', async () => {
      const response = await fetch(url, { method: 'PUT', headers: { accept: 'text/event-stream' } })
      expect(response.status).toBe(405)
    })
  })

  describe('limits hold on both paths', () => {
    const bombs = {
      depth: '{ __typename a: __schema { types { fields { type { ofType { ofType { ofType { name } } } } } } } books { id } }',
      aliases: `{ ${Array.from({ length: 9 }, (_, i) => `a${i}: books { id }`).join(' ')} }`,
      directives: `{ books ${'@include(if: true) '.repeat(9)} { id } }`,
      tokens: `{ books { ${'id '.repeat(400)} } }`,
      cost: '{ books(limit: 1000) { id title cents } b: books(limit: 1000) { id title cents } c: books(limit: 1000) { id title } }',
      fragments: `{ books { ...f0 } } ${Array.from({ length: 9 }, (_, i) => `fragment f${i} on Book { x${i}: id ...f${i + 1} ...f${i + 1} }`).join(' ')} fragment f9 on Book { id }`,
    }
    it.each(Object.entries(bombs))('refuses a bomb of %s', async (_, query) => {
      for (const send of [post, overSse]) {
        const { text } = await send(query)
        expect(text).toContain('"code":"OPERATION_TOO_COMPLEX"')
        expect(text).not.toContain('"data":{')
      }
    })
  })

  describe('GET /graphql', () => {
    it('serves GraphiQL to a browser and the public SDL beside it', async () => {
      const page = await fetch(url, { headers: { accept: 'text/html,*/*' } })
      expect(page.headers.get('content-type')).toContain('text/html')
      const sdl = await (await fetch(`${url}/schema.graphql`)).text()
      expect(sdl).toContain('type Book')
      expect(sdl).not.toContain('_entities')
    })
  })
})
