/** GET /v1/pricing and /v1/pricing/benchmark, and what a price decides: whether a model is routed to and what is charged. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandLine, type CommandLine } from '../cli/command-line.js'
import { startTestApp, type TestApp } from '../kit/app.js'
import { everywhere } from '../kit/app-servers.js'
import { FakeProvider } from '../kit/fake-provider.js'
import { answersBoth } from '../kit/fake-provider-scenes.js'
import { nano } from './chats/chat-app.js'

let app: TestApp
let provider: FakeProvider
let sluice: CommandLine

const deployment = (where: string, input: unknown, output: unknown, more: object = {}) => ({
  provider: where,
  model_id: `vendor/${where}`,
  input_price_per_million: input,
  output_price_per_million: output,
  ...more,
})

beforeAll(async () => {
  provider = await FakeProvider.start(answersBoth({ pieces: ['Hel', 'lo'] }))
  app = await startTestApp({
    config: {
      providers: ['p1', 'p2'].map((id) => ({ id, name: `Brand ${id}`, base_url: provider.baseUrl, api_key: 'x' })),
      models: [
        {
          id: 'full',
          display_name: 'Full',
          tier: 'high',
          params_b: 30.5,
          open_weight: true,
          context_window: 8192,
          max_output_tokens: 1000,
          supports_function_calling: true,
          supports_json_mode: true,
          deployments: [
            deployment('p1', '0.15', '0.60', { region: 'eu', cached_input_price_per_million: '0.075' }),
            // Written as YAML numbers, which would not survive a float.
            deployment('p2', 0.1, 0.3),
          ],
        },
        { id: 'small', tier: 'light', deployments: [deployment('p1', '0.000000001', '2'), deployment('p2', '1', '0.5')] },
        { id: 'tiny', tier: 'light', deployments: [deployment('p1', '1', '1.1')] },
        { id: 'by-graph', tier: 'medium', deployments: [{ provider: 'p1', model_id: 'vendor/g' }] },
        { id: 'by-hand', tier: 'medium', deployments: [{ provider: 'p1', model_id: 'vendor/h' }] },
      ],
      benchmark: {
        include_shipped: false,
        competitors: [
          {
            vendor: 'Elsewhere',
            label: 'Full at Elsewhere',
            model: 'full',
            input_price_per_million: 0.3,
            output_price_per_million: '0.9',
            date: '2026-07-02',
          },
          {
            vendor: 'Closed',
            label: 'Closed Large',
            tier: 'high',
            input_price_per_million: '3',
            output_price_per_million: '15',
            date: '2026-06',
          },
        ],
      },
    },
  })
  sluice = commandLine(app)
})
afterAll(async () => {
  sluice[Symbol.dispose]()
  await app[Symbol.asyncDispose]()
  await provider.stop()
})

type Json = Record<string, unknown>

interface Row {
  readonly canonical_model_id: string
  readonly provider_id: string
  readonly pricing: { input_price_per_million: string; output_price_per_million: string }
}

async function data<T>(query = ''): Promise<T[]> {
  const response = await app.fetch(`/v1/pricing${query}`)
  expect(response.status).toBe(200)
  const body = (await response.json()) as { object: string; count: number; data: T[] }
  expect(Object.keys(body)).toEqual(['object', 'count', 'data'])
  expect(body).toMatchObject({ object: 'list', count: body.data.length })
  return body.data
}

const rows = async (query = '') => (await data<Row>(query)).map((row) => `${row.canonical_model_id}@${row.provider_id}`)

describe('the flat format', () => {
  it('has every field of the contract, with its exact type, and no other', async () => {
    const [row] = await data<Json>('?model=full&provider=p1')
    expect(row).toEqual({
      canonical_model_id: 'full',
      provider_id: 'p1',
      model_id: 'vendor/p1',
      region: 'eu',
      pricing: {
        type: 'token',
        input_price_per_million: '0.15',
        output_price_per_million: '0.60',
        cached_input_price: '0.075',
      },
      capabilities: {
        context_window: 8192,
        max_output_tokens: 1000,
        supports_function_calling: true,
        supports_json_mode: true,
        quality_tier: 3,
      },
      health: { status: 'healthy', latency_p50_ms: 0, latency_p95_ms: 0, tokens_per_second: 0 },
      last_price_update: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/) as string,
    })
  })

  it('says null for a region and a cached price that nobody stated, and false for what nobody promised', async () => {
    const [row] = await data<{ region: null; pricing: Json; capabilities: Json }>('?model=small&provider=p1')
    expect(row).toMatchObject({
      region: null,
      pricing: { cached_input_price: null },
      capabilities: { supports_function_calling: false, supports_json_mode: false, quality_tier: 1 },
    })
    for (const field of ['context_window', 'max_output_tokens']) expect(Number.isInteger(row!.capabilities[field])).toBe(true)
  })

  it('prints decimals as they were written, whether as text or as a number', async () => {
    const prices = (await data<Row>()).map(({ pricing }) => [pricing.input_price_per_million, pricing.output_price_per_million])
    expect(prices).toEqual([
      ['0.10', '0.30'],
      ['0.15', '0.60'],
      ['1.00', '0.50'],
      ['0.000000001', '2.00'],
      ['1.00', '1.10'],
    ])
  })

  it('is the default, has one row a deployment by model and then cheapest first, and leaves out what has no price', async () => {
    expect(await rows()).toEqual(['full@p2', 'full@p1', 'small@p2', 'small@p1', 'tiny@p1'])
    expect(await rows('?format=flat')).toEqual(await rows())
  })

  it('filters by model and provider, and the filters stack', async () => {
    expect(await rows('?model=small')).toEqual(['small@p2', 'small@p1'])
    expect(await rows('?provider=p2')).toEqual(['full@p2', 'small@p2'])
    expect(await rows('?model=small&provider=p2')).toEqual(['small@p2'])
    expect(await rows('?model=tiny&provider=p2')).toEqual([])
    for (const unknown of ['?model=nothing', '?provider=nobody', '?model=__proto__', '?provider=Brand%20p1']) {
      expect(await rows(unknown)).toEqual([])
    }
  })

  it('shows whole milliseconds once there was traffic', async () => {
    await app.openai().chat.completions.create({ model: 'tiny', messages: [{ role: 'user', content: 'Hi' }] })
    const [row] = await data<{ health: Json }>('?model=tiny')
    expect(row!.health['status']).toBe('healthy')
    for (const field of ['latency_p50_ms', 'latency_p95_ms']) expect(Number.isInteger(row!.health[field])).toBe(true)
  })
})

describe('the tiers format', () => {
  it('rolls up the lowest rates of the tier, its cheapest deployment, and the cheapest of each model', async () => {
    const tiers = await data<Json>('?format=tiers')
    const price = (model: string, where: string, input: string, output: string) => ({
      canonical_model_id: model,
      provider_id: where,
      input_price_per_million: input,
      output_price_per_million: output,
    })
    expect(tiers).toEqual([
      {
        tier: 'light',
        quality_tier: 1,
        lowest_input_price_per_million: '0.000000001',
        lowest_output_price_per_million: '0.50',
        cheapest: price('small', 'p2', '1.00', '0.50'),
        models: [price('small', 'p2', '1.00', '0.50'), price('tiny', 'p1', '1.00', '1.10')],
      },
      {
        tier: 'high',
        quality_tier: 3,
        lowest_input_price_per_million: '0.10',
        lowest_output_price_per_million: '0.30',
        cheapest: price('full', 'p2', '0.10', '0.30'),
        models: [price('full', 'p2', '0.10', '0.30')],
      },
    ])
  })

  it('filters before it rolls up', async () => {
    const [light] = await data<{ tier: string; cheapest: Json }>('?format=tiers&provider=p1&model=small')
    expect(light).toMatchObject({ tier: 'light', cheapest: { provider_id: 'p1' }, lowest_output_price_per_million: '2.00' })
    expect(await data('?format=tiers&model=nothing')).toEqual([])
  })

  it('says where a tier keyword is routed to', async () => {
    const { model } = await app.openai().chat.completions.create({ model: 'high', messages: [{ role: 'user', content: 'Hi' }] })
    expect(model).toBe('full')
    expect(provider.calls.at(-1)!.body['model']).toBe('vendor/p2')
  })
})

describe('the benchmark', () => {
  const benchmark = async () =>
    (await (await app.fetch('/v1/pricing/benchmark')).json()) as { benchmarks: Json[]; updated_at: string }

  it('has every field of the contract: our cheapest price beside the same model elsewhere and closed models of the tier', async () => {
    const { benchmarks, ...wrapper } = await benchmark()
    expect(wrapper).toEqual({ object: 'benchmark_list', updated_at: '2026-07-02T00:00:00.000Z' })
    expect(benchmarks.find(({ canonical_model_id: id }) => id === 'full')).toEqual({
      canonical_model_id: 'full',
      model_meta: { display_name: 'Full', context_window: 8192, params_b: 30.5, open_weight: true },
      our_price: { input_per_million: '0.10', output_per_million: '0.30' },
      competitors: [
        { vendor: 'Elsewhere', label: 'Full at Elsewhere', input_per_million: '0.30', output_per_million: '0.90' },
        { vendor: 'Closed', label: 'Closed Large', input_per_million: '3.00', output_per_million: '15.00' },
      ],
    })
  })

  it('has only models that can be routed to', async () => {
    const ids = (await benchmark()).benchmarks.map(({ canonical_model_id: id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['full', 'small', 'tiny']))
    expect(ids).not.toContain('never-priced')
  })
})

describe.each([
  [
    'by-graph',
    'the graph',
    (input: string, output: string) =>
      app.graphql('mutation ($input: SetPriceInput!) { setPrice(input: $input) { price { versionId } } }', {
        input: { deploymentId: 'by-graph@p1', inputPerMillion: input, outputPerMillion: output },
      }),
  ],
  [
    'by-hand',
    'the command line',
    (input: string, output: string) => sluice.json('prices', 'set', 'by-hand@p1', '--input', input, '--output', output),
  ],
])('a model whose price is pending (%s)', (model, by, setPrice) => {
  const ask = (key: string) => app.openai(key).chat.completions.create({ model, messages: [{ role: 'user', content: 'Hi' }] })
  const state = async () => ((await (await app.fetch(`/v1/models/${model}`)).json()) as { availability: string }).availability

  async function lastUsage(key: string) {
    const query = '{ viewer { usage(first: 1) { nodes { cost priceVersionId deploymentId } } } }'
    const { viewer } = await app.graphql<{ viewer: { usage: { nodes: Json[] } } }>(query, {}, key)
    return viewer.usage.nodes[0]!
  }

  it(`is refused and charged nothing until a price is set through ${by}; then it is charged at exactly that version`, async () => {
    const { key } = await app.account({ credits: '1' })
    expect(await state()).toBe('pricing_pending')
    const before = provider.calls.length
    await expect(ask(key)).rejects.toMatchObject({ status: 400, code: 'pricing_pending', param: 'model' })
    expect(provider.calls.length).toBe(before)
    expect(await rows(`?model=${model}`)).toEqual([])

    await setPrice('0.001', '0.003')
    await everywhere(async () => {
      expect(await state()).toBe('instant')
      expect(await rows(`?model=${model}`)).toEqual([`${model}@p1`])
    })
    await ask(key)
    const { balance } = await app.credits(key)
    // 11 input tokens at 1 nano-USD and 2 output tokens at 3.
    expect(1e9 - nano(balance)).toBe(11 + 2 * 3)
    const first = await lastUsage(key)
    const versions = async () =>
      (
        await app.graphql<{ priceHistory: { nodes: { id: string; inputPerMillion: string; isCurrent: boolean }[] } }>(
          'query ($model: ID!) { priceHistory(model: $model) { nodes { id inputPerMillion isCurrent } } }',
          { model },
        )
      ).priceHistory.nodes
    expect(await versions()).toEqual([{ id: first['priceVersionId'], inputPerMillion: '0.001', isCurrent: true }])

    await setPrice('0.01', '0.03')
    // Whoever answers chats may be another process than whoever lists prices.
    let previous = 0
    await everywhere(async () => {
      previous = nano((await app.credits(key)).balance)
      await ask(key)
      expect((await lastUsage(key))['priceVersionId']).not.toBe(first['priceVersionId'])
    })
    const second = await lastUsage(key)
    expect(nano((await app.credits(key)).balance)).toBe(previous - 170)
    expect((await versions()).map(({ id, isCurrent }) => ({ id, isCurrent }))).toEqual([
      { id: second['priceVersionId'], isCurrent: true },
      { id: first['priceVersionId'], isCurrent: false },
    ])
  })
})
