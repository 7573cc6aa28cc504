import { describe, expect, it } from 'vitest'
import { liveProviderCount } from '../../subgraphs/catalog/index.js'
import { missingVariables, resolvePreset, shippedCatalogue } from '../../subgraphs/catalog/shipped/shipped-catalogue.js'
import { testCatalog } from './fixture.js'

const { presets, models } = shippedCatalogue()
const allKeys = new Map(presets.flatMap((preset) => missingVariables(preset, new Map())).map((name) => [name, 'test-key']))

describe('the shipped catalogue', () => {
  it('holds 45 open-weight models, each with tier, owner, limits and what it takes', () => {
    const open = models.filter((model) => model.open_weight)
    expect(open).toHaveLength(45)
    expect(models.every((model) => model.tier && model.owned_by && model.created && model.display_name)).toBe(true)
    expect(models.every((model) => model.input_modalities?.includes('text'))).toBe(true)
    expect(open.every((model) => model.context_window! >= model.max_output_tokens!)).toBe(true)
  })

  it('names a source and a day for every price and never ships a free one', () => {
    const rows = models.flatMap((model) => model.deployments ?? [])
    expect(rows.length).toBeGreaterThan(200)
    for (const row of rows) {
      expect(row.source).toBe('models.dev')
      expect(row.date).toMatch(/^\d{4}-\d{2}(-\d{2})?$/)
      expect(Number(row.input_price_per_million)).toBeGreaterThan(0)
      expect(Number(row.output_price_per_million)).toBeGreaterThan(0)
    }
  })

  it('states a parameter count only with where it comes from', () => {
    for (const model of models) expect(model.params_b == null).toBe(model.params_source == null)
  })

  it('uses only declared presets with neutral ids and https addresses', () => {
    const ids = new Set(presets.map((preset) => preset.id))
    expect(ids.size).toBe(presets.length)
    for (const preset of presets) {
      expect(preset.id).toMatch(/^hp\d\d$/)
      expect(preset.base_url).toMatch(/^https:\/\//)
    }
    for (const row of models.flatMap((model) => model.deployments ?? [])) expect(ids).toContain(row.provider)
  })

  it('builds with every preset live', () => {
    const { catalog } = testCatalog({ includeShipped: true, presetKeys: allKeys, providers: [] })
    expect(catalog.deployments().length).toBe(models.flatMap((model) => model.deployments ?? []).length)
  })
})

describe('a preset', () => {
  it('is live only while its key is set', () => {
    const base = { providers: [], models: [], includeShipped: true }
    expect(liveProviderCount({ ...base, presetKeys: new Map() })).toBe(0)
    expect(liveProviderCount({ ...base, presetKeys: new Map([['GROQ_API_KEY', 'k']]) })).toBe(1)
  })

  it('needs every variable that its address names', () => {
    const preset = presets.find((candidate) => candidate.base_url.includes('${'))!
    const key = new Map([[preset.api_key_env, 'k']])
    expect(resolvePreset(preset, key)).toBeNull()
    const resolved = resolvePreset(preset, new Map([...key, ['CLOUDFLARE_ACCOUNT_ID', 'a/b']]))
    expect(resolved?.baseUrl).toContain('/accounts/a%2Fb/')
  })
})

describe('the sandbox', () => {
  it('serves models of each tier at the price of their cheapest declared host', () => {
    const sandbox = { providerId: 'sandbox', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 's' }
    const test = testCatalog({ includeShipped: true, providers: [], sandbox })
    test.priceAll()
    const tiers = test.catalog.list({}).map(({ model }) => model.tier)
    expect(new Set(tiers)).toEqual(new Set(['light', 'medium', 'high']))
    expect(test.catalog.resolve('light', 'acc')).toMatchObject({ kind: 'candidates' })
    const listed = test.catalog.deploymentsOf('gpt-oss-20b')[0]!
    expect(listed).toMatchObject({ id: 'gpt-oss-20b@sandbox', listPrice: { input: 30_000_000n, output: 140_000_000n } })
  })
})
