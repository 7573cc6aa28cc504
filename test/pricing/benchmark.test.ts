import { describe, expect, it } from 'vitest'
import { CompetitorConfig } from '../../subgraphs/pricing/index.js'
import { loadCompetitors } from '../../subgraphs/pricing/benchmark/competitors.js'
import { model } from '../catalog/fixture.js'
import { startPricing } from './fixture.js'

const QUERY = `{ benchmarks { updatedAt benchmarks {
  canonicalModelId modelMeta { displayName contextWindow paramsB openWeight } ourPrice { inputPerMillion outputPerMillion providerId }
  competitors { vendor label inputPerMillion outputPerMillion isSameModel savingPercent source date } } } }`

const competitors = [
  {
    model: 'small',
    vendor: 'Cloud',
    label: 'Small',
    input_price_per_million: '0.4',
    output_price_per_million: '0.4',
    source: 'list',
    date: '2026-03-01',
  },
  {
    tier: 'light',
    vendor: 'Closed',
    label: 'Mini',
    input_price_per_million: 0.1,
    output_price_per_million: '0.1',
    date: '2026-05',
  },
  {
    tier: 'high',
    vendor: 'Closed',
    label: 'Max',
    input_price_per_million: '9',
    output_price_per_million: '9',
    date: '2026-09-01',
  },
].map((entry) => CompetitorConfig.parse(entry))

const models = [
  model({
    id: 'small',
    display_name: 'Small',
    tier: 'light',
    context_window: 32_000,
    params_b: 8.2,
    open_weight: true,
    deployments: [
      { provider: 'hp-1', model_id: 's', input_price_per_million: '0.3', output_price_per_million: '0.3' },
      { provider: 'hp-2', model_id: 's', input_price_per_million: '0.1', output_price_per_million: '0.2' },
    ],
  }),
  model({ id: 'later', tier: 'light', deployments: [{ provider: 'hp-1', model_id: 'l' }] }),
]

describe('the benchmark', () => {
  it('puts our cheapest routable price beside the same model elsewhere and closed models of the tier', async () => {
    await using test = await startPricing({ catalog: { models }, pricing: { competitors, includeShippedCompetitors: false } })
    expect(await test.ask('pricing', QUERY)).toEqual({
      benchmarks: {
        updatedAt: '2026-05-01T00:00:00.000Z',
        benchmarks: [
          {
            canonicalModelId: 'small',
            modelMeta: { displayName: 'Small', contextWindow: 32_000, paramsB: 8.2, openWeight: true },
            ourPrice: { inputPerMillion: '0.10', outputPerMillion: '0.20', providerId: 'hp-2' },
            competitors: [
              {
                vendor: 'Cloud',
                label: 'Small',
                inputPerMillion: '0.40',
                outputPerMillion: '0.40',
                isSameModel: true,
                savingPercent: '62.5',
                source: 'list',
                date: '2026-03-01T00:00:00.000Z',
              },
              {
                vendor: 'Closed',
                label: 'Mini',
                inputPerMillion: '0.10',
                outputPerMillion: '0.10',
                isSameModel: false,
                savingPercent: '-50.0',
                source: 'operator',
                date: '2026-05-01T00:00:00.000Z',
              },
            ],
          },
        ],
      },
    })
  })

  it('leaves models without a price out and shows them as soon as they have one', async () => {
    await using test = await startPricing({ catalog: { models } })
    const ids = async () => {
      const { benchmarks } = await test.ask<{ benchmarks: { benchmarks: { canonicalModelId: string }[] } }>('pricing', QUERY)
      return benchmarks.benchmarks.map(({ canonicalModelId }) => canonicalModelId)
    }
    expect(await ids()).toEqual(['small'])
    await test.book.setPrice('later@hp-1', { rates: { input: 1n, output: 1n, cachedInput: null }, cost: null, keyId: 'k' })
    expect(await ids()).toEqual(['later', 'small'])
  })
})

describe('shipped competitors', () => {
  it('are priced, dated and name their source', () => {
    const shipped = loadCompetitors([], true)
    for (const tier of ['light', 'medium', 'high'] as const) {
      const closed = shipped.of('', tier)
      expect(closed.length).toBeGreaterThan(3)
      for (const { competitor } of closed) {
        expect(competitor.input > 0n && competitor.output > 0n).toBe(true)
        expect(competitor).toMatchObject({ source: 'models.dev', date: expect.any(Number) })
      }
    }
    const same = shipped.of('gpt-oss-20b', 'light').filter(({ isSameModel }) => isSameModel)
    expect(same.map(({ competitor }) => competitor.vendor)).toEqual(['AWS Bedrock', 'Google Vertex AI'])
  })

  it('are free of zero prices and of entries for both a model and a tier', () => {
    const base = { vendor: 'v', label: 'l', output_price_per_million: '1', date: '2026-01-01' }
    expect(CompetitorConfig.safeParse({ ...base, input_price_per_million: '0', tier: 'light' }).success).toBe(false)
    expect(CompetitorConfig.safeParse({ ...base, input_price_per_million: '1' }).success).toBe(false)
    expect(CompetitorConfig.safeParse({ ...base, input_price_per_million: '1', tier: 'light', model: 'm' }).success).toBe(false)
  })
})
