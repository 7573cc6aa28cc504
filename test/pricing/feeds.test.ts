import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FeedConfig } from '../../subgraphs/pricing/index.js'
import { model } from '../catalog/fixture.js'
import { requestContext, startPricing, versions } from './fixture.js'

let answer: RequestListener
let server: Server
let url: string

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/list`
})
afterAll(() => server.close())

const serve = (document: unknown) => {
  answer = (_, response) => response.end(typeof document === 'string' ? document : JSON.stringify(document))
}

const admin = requestContext(['admin'])
const models = [
  model({
    id: 'small',
    deployments: [
      { provider: 'hp-1', model_id: 'a/small', input_price_per_million: '0.10', output_price_per_million: '0.40' },
      { provider: 'hp-2', model_id: 'a/small', input_price_per_million: '0.50', output_price_per_million: '0.50' },
    ],
  }),
  model({ id: 'later', deployments: [{ provider: 'hp-1', model_id: 'a/later' }] }),
]
const feed = (rest: object = {}) =>
  FeedConfig.parse({
    name: 'list',
    type: 'json',
    url,
    provider: 'hp-1',
    mapping: { model_id: 'id', input: 'in', output: 'out', context_window: 'ctx', unit: 'per_million' },
    ...rest,
  })

const start = (rest: object = {}, markup = 0n) => startPricing({ catalog: { models, markup }, pricing: { feeds: [feed(rest)] } })
const FEEDS = '{ priceFeeds { name problem matched changed pending refused lastRunAt lastSuccessAt } }'
const PENDING = '{ pendingPrices { deploymentId current { inputPerMillion } proposal { inputPerMillion origin reason } } }'

describe('a feed', () => {
  it('updates a price within its factor as a new version of its own, with the markup', async () => {
    await using test = await start({}, 100_000_000n)
    serve([{ id: 'a/small', in: 0.1 + 0.02, out: 0.4, ctx: 64_000 }])
    await test.prices.readFeeds()
    const { tokenPrice, costPrice, version } = test.book.priceOf('small@hp-1')!
    expect(costPrice?.input).toBe(120_000_000n)
    expect(tokenPrice.input).toBe(132_000_000n)
    expect(version).toMatchObject({ origin: 'feed', source: 'list' })
    expect(test.catalog.deployment('small@hp-1')?.contextWindow).toBe(64_000)
    expect(test.book.priceOf('small@hp-2')?.version.origin).toBe('config')
  })

  it('longer than its setting allows is not used', async () => {
    await using test = await start({ answer_bytes: 20 })
    serve([{ id: 'a/small', in: 0.12, out: 0.4 }])
    await test.prices.readFeeds()
    expect((await test.ask('pricing', FEEDS, {}, admin))['priceFeeds']).toMatchObject([
      { matched: 0, problem: 'The answer is longer than 20 bytes.' },
    ])
  })

  it('that says the same again writes nothing', async () => {
    await using test = await start()
    serve([{ id: 'a/small', in: 0.12, out: 0.4 }])
    await test.prices.readFeeds()
    const { versionId } = test.book.priceOf('small@hp-1')!
    await test.prices.readFeeds()
    expect(test.book.priceOf('small@hp-1')!.versionId).toBe(versionId)
    expect((await test.ask('pricing', FEEDS, {}, admin))['priceFeeds']).toMatchObject([
      { matched: 1, changed: 0, pending: 0, problem: null },
    ])
  })

  it('that jumps further than its factor, up or down, waits for an administrator and is shown', async () => {
    await using test = await start()
    for (const price of [0.21, 0.04]) {
      serve([{ id: 'a/small', in: price, out: 0.4 }])
      await test.prices.readFeeds()
      expect(test.book.priceOf('small@hp-1')!.tokenPrice.input).toBe(100_000_000n)
    }
    await test.prices.readFeeds()
    const { pendingPrices } = await test.ask('pricing', PENDING, {}, admin)
    expect(pendingPrices).toEqual([
      {
        deploymentId: 'small@hp-1',
        current: { inputPerMillion: '0.10' },
        proposal: { inputPerMillion: '0.04', origin: 'FEED', reason: 'the input price would change by a factor of 0.400' },
      },
      { deploymentId: 'later@hp-1', current: null, proposal: null },
    ])
    expect((await versions(test, { providerId: 'hp-1' })).map(({ state }) => state)).toEqual(['pending', 'dismissed', 'current'])
    const accept =
      'mutation { resolvePendingPrice(input: { deploymentId: "small@hp-1", accept: true }) { priceChange { inputPerMillion origin isCurrent } } }'
    expect(await test.ask('pricing', accept, {}, admin)).toEqual({
      resolvePendingPrice: { priceChange: { inputPerMillion: '0.04', origin: 'FEED', isCurrent: true } },
    })
    expect(test.book.priceOf('small@hp-1')!.tokenPrice.input).toBe(40_000_000n)
    expect(await test.ask('pricing', accept, {}, admin)).toEqual({ resolvePendingPrice: { priceChange: null } })
  })

  it('never makes an unpriced model routable by itself', async () => {
    await using test = await start()
    serve([{ id: 'a/later', in: 1, out: 1 }])
    await test.prices.readFeeds()
    expect(test.catalog.resolve('later', 'acc')).toEqual({ kind: 'pricing_pending', modelId: 'later' })
    await test.book.resolvePending('later@hp-1', true, 'key')
    expect(test.catalog.resolve('later', 'acc').kind).toBe('candidates')
  })

  it('never makes anything free', async () => {
    await using test = await start()
    serve([
      { id: 'a/small', in: 0, out: 0 },
      { id: 'a/later', in: 0, out: 0 },
    ])
    await test.prices.readFeeds()
    expect(test.book.priceOf('small@hp-1')!.tokenPrice.input).toBe(100_000_000n)
    expect(test.book.priceOf('later@hp-1')).toBeNull()
    const { priceFeeds } = await test.ask('pricing', FEEDS, {}, admin)
    expect(priceFeeds).toMatchObject([{ problem: 'No row of the list fits a deployment.' }])
  })

  it('refuses a deployment that it prices twice', async () => {
    await using test = await start()
    serve([
      { id: 'a/small', in: 0.12, out: 0.4 },
      { id: 'a/small', in: 0.13, out: 0.4 },
      { id: 'a/later', in: 1, out: 1 },
    ])
    await test.prices.readFeeds()
    expect(test.book.priceOf('small@hp-1')!.tokenPrice.input).toBe(100_000_000n)
    expect((await test.ask('pricing', FEEDS, {}, admin))['priceFeeds']).toMatchObject([
      { refused: ['small@hp-1: the list has two prices for it'] },
    ])
  })

  it("leaves an administrator's price alone", async () => {
    await using test = await start()
    await test.book.setPrice('small@hp-1', { rates: { input: 5n, output: 5n, cachedInput: null }, cost: null, keyId: 'k' })
    serve([{ id: 'a/small', in: 0.12, out: 0.4 }])
    await test.prices.readFeeds()
    expect(test.book.priceOf('small@hp-1')).toMatchObject({ tokenPrice: { input: 5n }, version: { origin: 'administrator' } })
    expect(test.book.pendingOf('small@hp-1')).toBeNull()
  })

  it('gives way to a later edit of the configuration', async () => {
    await using one = await start()
    serve([{ id: 'a/small', in: 0.12, out: 0.4 }])
    await one.prices.readFeeds()
    const edited = model({
      id: 'small',
      deployments: [{ provider: 'hp-1', model_id: 'a/small', input_price_per_million: '0.11', output_price_per_million: '0.4' }],
    })
    {
      await using same = await startPricing({ database: one.database, catalog: { models } })
      expect(same.book.priceOf('small@hp-1')!.version.origin).toBe('feed')
    }
    await using two = await startPricing({ database: one.database, catalog: { models: [edited] } })
    expect(two.book.priceOf('small@hp-1')).toMatchObject({ tokenPrice: { input: 110_000_000n }, version: { origin: 'config' } })
  })

  it('passes a changed markup on to prices that it set', async () => {
    await using one = await start()
    serve([{ id: 'a/small', in: 0.12, out: 0.4 }])
    await one.prices.readFeeds()
    await using two = await startPricing({ database: one.database, catalog: { models, markup: 500_000_000n } })
    expect(two.book.priceOf('small@hp-1')).toMatchObject({
      tokenPrice: { input: 180_000_000n },
      costPrice: { input: 120_000_000n },
      version: { origin: 'feed' },
    })
  })
})

describe('a broken feed changes nothing and is reported', () => {
  const broken: [string, RequestListener, string][] = [
    ['an error status', (_, response) => response.writeHead(503).end(), 'The server answered 503.'],
    ['no JSON', (_, response) => response.end('<html>'), 'The answer is not JSON.'],
    ['half a document', (_, response) => response.end('[{"id":"a/small","in":0.1'), 'The answer is not JSON.'],
    ['another shape', (_, response) => response.end('{"rows":[]}'), 'There is no list at "(top)".'],
    ['an empty list', (_, response) => response.end('[]'), 'No row of the list fits a deployment.'],
    ['a cut connection', (_, response) => response.socket?.destroy(), 'The server does not answer.'],
    [
      'too long an answer',
      (_, response) => response.end(`[${' '.repeat(33 * 1024 * 1024)}]`),
      'The answer is longer than 33554432 bytes.',
    ],
  ]
  it.each(broken)('%s', async (_, listener, problem) => {
    await using test = await start()
    answer = listener
    await test.prices.readFeeds()
    const { priceFeeds } = await test.ask('pricing', FEEDS, {}, admin)
    expect(priceFeeds).toEqual([
      {
        name: 'list',
        problem,
        matched: 0,
        changed: 0,
        pending: 0,
        refused: [],
        lastRunAt: expect.any(String),
        lastSuccessAt: null,
      },
    ])
    expect(await versions(test)).toHaveLength(2)
  })
})

describe('the schedule of feeds', () => {
  it('reads at start and again after each interval, and stops with the program', async () => {
    let requests = 0
    answer = (_, response) => {
      requests++
      response.end(JSON.stringify([{ id: 'a/small', in: 0.1, out: 0.4 }]))
    }
    await using test = await start({ interval_seconds: 60 })
    const read = async (count: number) => {
      await test.clock.advance(count === 1 ? 0 : 60_000)
      // The reading is a real request: it is over when its status says so.
      while ((await statuses()) !== test.clock.now() || requests < count)
        await new Promise<void>((resolve) => setImmediate(resolve))
    }
    const statuses = async () => {
      const { priceFeeds } = await test.ask<{ priceFeeds: { lastSuccessAt: string | null }[] }>('pricing', FEEDS, {}, admin)
      return priceFeeds[0]!.lastSuccessAt === null ? null : Date.parse(priceFeeds[0]!.lastSuccessAt)
    }
    await read(1)
    await read(2)
    await test.prices.stop()
    await test.clock.advance(600_000)
    expect(requests).toBe(2)
  })
})
