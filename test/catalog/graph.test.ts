import { describe, expect, it } from 'vitest'
import { model } from './fixture.js'
import { requestContext, startPricing } from '../pricing/fixture.js'
import { createSourceEventStream, parse } from 'graphql'

const models = ['a', 'b', 'c'].map((id) =>
  model({
    id,
    owned_by: 'me',
    created: '2025-03-13',
    tier: id === 'c' ? 'high' : 'light',
    deployments: [
      { provider: 'hp-1', model_id: id, ...(id === 'b' ? {} : { input_price_per_million: '1', output_price_per_million: '2' }) },
    ],
  }),
)
const LIST = `query ($limit: Int, $offset: Int, $availability: Availability, $tier: Tier) {
  models(limit: $limit, offset: $offset, availability: $availability, tier: $tier) { totalCount models { id } } }`

describe('models', () => {
  it('are paged and filtered, ordered by id', async () => {
    await using test = await startPricing({ catalog: { models } })
    const ids = async (variables: object) => {
      const { models: page } = await test.ask<{ models: { totalCount: number; models: { id: string }[] } }>('catalog', LIST, {
        ...variables,
      })
      return [page.totalCount, ...page.models.map(({ id }) => id)]
    }
    expect(await ids({})).toEqual([3, 'a', 'b', 'c'])
    expect(await ids({ limit: 1, offset: 1 })).toEqual([3, 'b'])
    expect(await ids({ offset: 7 })).toEqual([3])
    expect(await ids({ availability: 'PRICING_PENDING' })).toEqual([1, 'b'])
    expect(await ids({ tier: 'LIGHT', availability: 'INSTANT' })).toEqual([1, 'a'])
  })

  it('are refused with a limit or offset outside of its range, naming it', async () => {
    await using test = await startPricing({ catalog: { models } })
    for (const limit of [0, -1, 1001])
      await expect(test.ask('catalog', LIST, { limit })).rejects.toMatchObject({ param: 'limit' })
    await expect(test.ask('catalog', LIST, { offset: -1 })).rejects.toMatchObject({ param: 'offset' })
  })

  it('need a key', async () => {
    await using test = await startPricing({ catalog: { models } })
    const nobody = { ...requestContext(), principal: null }
    await expect(test.ask('catalog', LIST, {}, nobody)).rejects.toMatchObject({ code: 'authentication_error' })
    await expect(test.ask('pricing', '{ prices { canonicalModelId } }', {}, nobody)).rejects.toMatchObject({
      code: 'authentication_error',
    })
  })

  it('carry every field of the contract', async () => {
    await using test = await startPricing({ catalog: { models } })
    const { model: entry } = await test.ask<{ model: unknown }>(
      'catalog',
      '{ model(id: "a") { id created ownedBy providers providerCount availability estimatedDeploySeconds estimatedCostPerHour } }',
    )
    expect(entry).toEqual({
      id: 'a',
      created: 1_741_824_000,
      ownedBy: 'me',
      providers: ['hp-1'],
      providerCount: 1,
      availability: 'INSTANT',
      estimatedDeploySeconds: null,
      estimatedCostPerHour: null,
    })
    expect(await test.ask('catalog', '{ model(id: "__proto__") { id } }')).toEqual({ model: null })
  })

  it('show who a provider is only to administrators', async () => {
    await using test = await startPricing({ catalog: { models } })
    const query = '{ model(id: "a") { deployments { id provider { id name health } } } }'
    const provider = (name: string | null) => ({
      model: { deployments: [{ id: 'a@hp-1', provider: { id: 'hp-1', name, health: 'HEALTHY' } }] },
    })
    expect(await test.ask('catalog', query)).toEqual(provider(null))
    expect(await test.ask('catalog', query, {}, requestContext(['admin']))).toEqual(provider('First'))
  })
})

describe('providers', () => {
  it('tell administrators, and nobody else, which deployments are asked nothing and until when', async () => {
    await using test = await startPricing({ catalog: { models } })
    test.traffic.openCircuits.set('a@hp-1', Date.UTC(2026, 10, 21))
    const query = '{ model(id: "a") { deployments { provider { openCircuits { deploymentId openUntil } } } } }'
    const asked = async (context = requestContext()) => {
      const { model } = await test.ask<{ model: { deployments: object[] } }>('catalog', query, {}, context)
      return model.deployments[0]
    }
    expect(await asked()).toEqual({ provider: { openCircuits: null } })
    const open = { deploymentId: 'a@hp-1', openUntil: '2026-11-21T00:00:00.000Z' }
    expect(await asked(requestContext(['admin']))).toEqual({ provider: { openCircuits: [open] } })
  })
})

describe('modelAvailability', () => {
  const subscribe = async (test: Awaited<ReturnType<typeof startPricing>>, query: string, signal: AbortSignal) => {
    const contextValue = requestContext(['chat'], 'acc_1', signal)
    const stream = await createSourceEventStream({ schema: test.schemas.catalog.schema, document: parse(query), contextValue })
    if (!(Symbol.asyncIterator in stream)) throw stream.errors![0]!.originalError
    return (stream as AsyncIterable<{ id: string; availability: string }>)[Symbol.asyncIterator]()
  }

  it('sends the present state first, then each change once, and ends with its caller', async () => {
    await using test = await startPricing({ catalog: { models } })
    const caller = new AbortController()
    const stream = await subscribe(test, 'subscription { modelAvailability(id: "b") { id } }', caller.signal)
    expect((await stream.next()).value).toMatchObject({ id: 'b', availability: 'pricing_pending' })
    test.catalog.announce('b')
    test.catalog.announce('a')
    await test.book.setPrice('b@hp-1', { rates: { input: 1n, output: 1n, cachedInput: null }, cost: null, keyId: 'k' })
    expect((await stream.next()).value).toMatchObject({ id: 'b', availability: 'instant' })
    const changed = stream.next()
    await new Promise((resolve) => setImmediate(resolve))
    await test.book.clearPrice('b@hp-1', 'k')
    expect((await changed).value).toMatchObject({ id: 'b', availability: 'pricing_pending' })
    const next = stream.next()
    caller.abort()
    expect(await next).toEqual({ done: true, value: undefined })
  })

  it('tells what the GPU session of the model does, step by step', async () => {
    await using test = await startPricing({ catalog: { models } })
    const caller = new AbortController()
    const deploying = { state: 'deploying', estimatedDeploySeconds: 60, estimatedCostPerHour: 1n } as const
    test.sessions.set('b', { ...deploying, phase: 'booting' })
    const stream = await subscribe(test, 'subscription { modelAvailability(id: "b") { id } }', caller.signal)
    await stream.next()
    const next = stream.next()
    test.sessions.set('b', { ...deploying, phase: 'loading' })
    test.catalog.announce('b')
    expect((await next).value).toMatchObject({ id: 'b', availability: 'deploying' })
    caller.abort()
  })

  it('without a model sends the state of all of them', async () => {
    await using test = await startPricing({ catalog: { models } })
    const caller = new AbortController()
    const stream = await subscribe(test, 'subscription { modelAvailability { id } }', caller.signal)
    const seen = [await stream.next(), await stream.next(), await stream.next()].map(({ value }) => value?.id)
    expect(seen).toEqual(['a', 'b', 'c'])
    caller.abort()
  })

  it('is refused for a model that does not exist', async () => {
    await using test = await startPricing({ catalog: { models } })
    const query = 'subscription { modelAvailability(id: "nope") { id } }'
    await expect(subscribe(test, query, new AbortController().signal)).rejects.toMatchObject({ code: 'model_not_found' })
  })
})
