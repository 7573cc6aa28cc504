import { describe, expect, it } from 'vitest'
import { missingVariables, shippedCatalogue } from '../../subgraphs/catalog/shipped/shipped-catalogue.js'
import { model } from '../catalog/fixture.js'
import { startPricing } from './fixture.js'

const ROW = `query ($model: ID, $provider: ID) { prices(model: $model, provider: $provider) {
  canonicalModelId providerId providerModelId region
  pricing { type inputPerMillion outputPerMillion cachedInputPerMillion }
  capabilities { contextWindow maxOutputTokens supportsFunctionCalling supportsJsonMode qualityTier }
  health { status latencyP50Ms latencyP95Ms tokensPerSecond }
  lastPriceUpdate versionId origin } }`

const models = [
  model({
    id: 'small',
    tier: 'light',
    context_window: 32_000,
    max_output_tokens: 4000,
    supports_json_mode: true,
    deployments: [
      { provider: 'hp-1', model_id: 'a/small', input_price_per_million: '0.10', output_price_per_million: '0.40' },
      {
        provider: 'hp-2',
        model_id: 'b/small',
        region: 'eu',
        input_price_per_million: 0.05,
        output_price_per_million: '0.2',
        cached_input_price_per_million: '0.01',
      },
    ],
  }),
  model({ id: 'later', deployments: [{ provider: 'hp-1', model_id: 'a/later' }] }),
]

describe('prices', () => {
  it('carry every field of the contract with its exact type', async () => {
    await using test = await startPricing({ catalog: { models } })
    test.traffic.load([
      { ...test.traffic.of('small@hp-2:eu'), latencyP50Ms: 120, latencyP95Ms: 400, tokensPerSecond: 51.5, samples: 9 },
    ])
    const { prices } = await test.ask('pricing', ROW)
    expect(prices).toEqual([
      {
        canonicalModelId: 'small',
        providerId: 'hp-2',
        providerModelId: 'b/small',
        region: 'eu',
        pricing: { type: 'TOKEN', inputPerMillion: '0.05', outputPerMillion: '0.20', cachedInputPerMillion: '0.01' },
        capabilities: {
          contextWindow: 32_000,
          maxOutputTokens: 4000,
          supportsFunctionCalling: false,
          supportsJsonMode: true,
          qualityTier: 1,
        },
        health: { status: 'HEALTHY', latencyP50Ms: 120, latencyP95Ms: 400, tokensPerSecond: 51.5 },
        lastPriceUpdate: '2026-11-21T00:00:00.000Z',
        versionId: expect.stringMatching(/^price_/),
        origin: 'CONFIG',
      },
      expect.objectContaining({
        providerId: 'hp-1',
        region: null,
        pricing: { type: 'TOKEN', inputPerMillion: '0.10', outputPerMillion: '0.40', cachedInputPerMillion: null },
        health: { status: 'HEALTHY', latencyP50Ms: 0, latencyP95Ms: 0, tokensPerSecond: 0 },
      }),
    ])
  })

  it('are filtered by model and provider together', async () => {
    await using test = await startPricing({ catalog: { models } })
    const count = async (filter: object) => (await test.ask('pricing', ROW, { ...filter }))['prices']!.length
    expect(await count({ model: 'small' })).toBe(2)
    expect(await count({ provider: 'hp-1' })).toBe(1)
    expect(await count({ model: 'small', provider: 'hp-2' })).toBe(1)
    expect(await count({ model: 'later' })).toBe(0)
    expect(await count({ model: '__proto__' })).toBe(0)
  })
})

describe('the shipped catalogue with every key set', () => {
  it('prices every deployment and compares every one of its models', async () => {
    const variables = shippedCatalogue().presets.flatMap((preset) => missingVariables(preset, new Map()))
    const presetKeys = new Map(variables.map((name) => [name, 'k']))
    await using test = await startPricing({ catalog: { includeShipped: true, presetKeys, providers: [] } })
    const { prices } = await test.ask('pricing', ROW)
    expect(prices).toHaveLength(test.catalog.deployments().length)
    const { benchmarks } = await test.ask<{ benchmarks: { updatedAt: string; benchmarks: unknown[] } }>(
      'pricing',
      '{ benchmarks { updatedAt benchmarks { canonicalModelId competitors { vendor savingPercent } } } }',
    )
    expect(benchmarks.updatedAt).toBe('2026-06-30T00:00:00.000Z')
    const { models: listed } = await test.ask<{ models: { totalCount: number } }>(
      'catalog',
      '{ models(availability: INSTANT) { totalCount } }',
    )
    expect(benchmarks.benchmarks).toHaveLength(listed.totalCount)
  })
})
