import type { Executor } from '@graphql-tools/utils'
import { createSourceEventStream, graphql, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { composeSupergraph } from '../../src/graph/composition/composition.js'
import { executorOver } from '../../src/graph/gateway/executors.js'
import { createGatewaySchema } from '../../src/graph/gateway/gateway.js'
import { localSubgraph } from '../../src/graph/gateway/local-subgraph.js'
import { model } from '../catalog/fixture.js'
import { requestContext, startPricing } from './fixture.js'

const models = Array.from({ length: 50 }, (_, index) =>
  model({
    id: `m${String(index).padStart(2, '0')}`,
    display_name: `Model ${index}`,
    tier: 'light',
    deployments: ['hp-1', 'hp-2'].map((provider, place) => ({
      provider,
      model_id: `vendor/${index}`,
      input_price_per_million: `0.${index + 10}`,
      output_price_per_million: place === 0 ? '1' : '0.5',
    })),
  }),
)

type Test = Awaited<ReturnType<typeof startPricing>>

/** A gateway over both subgraphs that counts how often each is asked. */
function gateway(test: Test) {
  const counts = new Map<string, number>()
  const subgraphs = [test.schemas.catalog, test.schemas.pricing]
  const { supergraphSdl } = composeSupergraph(subgraphs)
  const schema = createGatewaySchema({
    supergraphSdl,
    executorFor(name) {
      const run = executorOver(localSubgraph(() => subgraphs.find((subgraph) => subgraph.name === name)!.schema))
      return ((request) => {
        counts.set(name, (counts.get(name) ?? 0) + 1)
        return run(request)
      }) as Executor
    },
  })
  return {
    counts,
    async ask<T>(source: string): Promise<T> {
      const result = await graphql({ schema, source, contextValue: requestContext() })
      if (result.errors) throw result.errors[0]!
      return JSON.parse(JSON.stringify(result.data)) as T
    },
  }
}

describe('joins across the supergraph', () => {
  it('cost one batch per subgraph for 50 models with their prices', async () => {
    await using test = await startPricing({ catalog: { models } })
    const graph = gateway(test)
    const answer = await graph.ask<{
      models: { models: { id: string; prices: unknown[]; cheapestPrice: { providerId: string }; benchmark: unknown }[] }
    }>(`{
      models(limit: 50) { models { id displayName prices { providerId pricing { inputPerMillion } } cheapestPrice { providerId } benchmark { competitors { savingPercent } } } } }`)
    expect(answer.models.models).toHaveLength(50)
    for (const entry of answer.models.models) {
      expect(entry.prices).toHaveLength(2)
      expect(entry.cheapestPrice.providerId).toBe('hp-2')
      expect(entry.benchmark).not.toBeNull()
    }
    expect(Object.fromEntries(graph.counts)).toEqual({ catalog: 1, pricing: 1 })
  })

  it('reach the price of each deployment and come back from a price to its model, provider and deployment', async () => {
    await using test = await startPricing({ catalog: { models } })
    const graph = gateway(test)
    const { model: entry } = await graph.ask<{
      model: { deployments: { id: string; price: { model: { displayName: string } } }[] }
    }>(
      '{ model(id: "m07") { deployments { id price { pricing { outputPerMillion } model { displayName } provider { id health } deployment { providerModelId } } } } }',
    )
    expect(entry.deployments).toEqual([
      {
        id: 'm07@hp-1',
        price: {
          pricing: { outputPerMillion: '1.00' },
          model: { displayName: 'Model 7' },
          provider: { id: 'hp-1', health: 'HEALTHY' },
          deployment: { providerModelId: 'vendor/7' },
        },
      },
      expect.objectContaining({ id: 'm07@hp-2', price: expect.objectContaining({ pricing: { outputPerMillion: '0.50' } }) }),
    ])
  })

  it('give null for the price of a model that is not routable', async () => {
    await using test = await startPricing({
      catalog: { models: [model({ id: 'later', deployments: [{ provider: 'hp-1', model_id: 'x' }] })] },
    })
    const { models: list } = await gateway(test).ask<{ models: unknown }>(
      '{ models { models { id availability cheapestPrice { canonicalModelId } prices { canonicalModelId } benchmark { canonicalModelId } deployments { isRoutable price { canonicalModelId } } } } }',
    )
    expect(list).toEqual({
      models: [
        {
          id: 'later',
          availability: 'PRICING_PENDING',
          cheapestPrice: null,
          prices: [],
          benchmark: null,
          deployments: [{ isRoutable: false, price: null }],
        },
      ],
    })
  })
})

describe('priceChanged', () => {
  const subscribe = async (test: Test, query: string, signal: AbortSignal) => {
    const stream = await createSourceEventStream({
      schema: test.schemas.pricing.schema,
      document: parse(query),
      contextValue: requestContext(['chat'], 'acc', signal),
    })
    return (stream as AsyncIterable<Record<string, unknown>>)[Symbol.asyncIterator]()
  }
  const price = (rate: bigint) => ({ rates: { input: rate, output: rate, cachedInput: null }, cost: null, keyId: 'k' })

  it('sends the prices in force of a model first and then every change of it', async () => {
    await using test = await startPricing({ catalog: { models: models.slice(0, 2) } })
    const caller = new AbortController()
    const stream = await subscribe(test, 'subscription { priceChanged(model: "m00") { id } }', caller.signal)
    expect([(await stream.next()).value, (await stream.next()).value]).toMatchObject([
      { deploymentId: 'm00@hp-1', costInputPerMillion: null },
      { deploymentId: 'm00@hp-2' },
    ])
    await test.book.setPrice('m01@hp-1', price(3n))
    await test.book.setPrice('m00@hp-1', price(2_000_000_000n))
    expect((await stream.next()).value).toMatchObject({
      deploymentId: 'm00@hp-1',
      inputPerMillion: 2_000_000_000n,
      origin: 'administrator',
      isCurrent: true,
    })
    caller.abort()
    expect(await stream.next()).toMatchObject({ done: true })
  })

  it('without a model sends only changes, of every model', async () => {
    await using test = await startPricing({ catalog: { models: models.slice(0, 2) } })
    const caller = new AbortController()
    const stream = await subscribe(test, 'subscription { priceChanged { id } }', caller.signal)
    const first = stream.next()
    await test.book.setPrice('m01@hp-1', price(3n))
    expect((await first).value).toMatchObject({ deploymentId: 'm01@hp-1' })
    caller.abort()
  })
})
