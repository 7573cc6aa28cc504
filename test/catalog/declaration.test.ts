import { describe, expect, it } from 'vitest'
import { catalogConfig, ModelConfig, parseMarkup, ProviderConfig } from '../../subgraphs/catalog/index.js'
import { model, testCatalog } from './fixture.js'

const priced = (input: unknown, output: unknown) => ({
  provider: 'hp-1',
  model_id: 'm',
  input_price_per_million: input,
  output_price_per_million: output,
})

describe('a model entry', () => {
  const parse = (entry: object) => ModelConfig.safeParse({ id: 'm', ...entry }).success

  it('takes a price as text or as a YAML number, exactly', () => {
    const entry = ModelConfig.parse({ id: 'm', deployments: [priced(0.1, '0.40')] })
    expect(entry.deployments?.[0]).toMatchObject({ input_price_per_million: '0.1', output_price_per_million: '0.40' })
  })

  it('is refused with half a price, a negative or too fine one, an unknown key, or something that no model takes', () => {
    expect(parse({ deployments: [priced('0.1', undefined)] })).toBe(false)
    expect(parse({ deployments: [priced('-0.1', '1')] })).toBe(false)
    expect(parse({ deployments: [priced('0.0000000001', '1')] })).toBe(false)
    expect(parse({ deployments: [priced(1e-10, '1')] })).toBe(false)
    expect(parse({ deployments: [{ ...priced('1', '1'), input_price: '1' }] })).toBe(false)
    expect(parse({ context: 5 })).toBe(false)
    expect(parse({ input_modalities: ['smell'] })).toBe(false)
  })

  it('cannot be called like a tier, or by characters that separate ids', () => {
    for (const id of ['light', 'medium', 'high', 'a@b', 'a:b', 'a b', ''])
      expect(ModelConfig.safeParse({ id }).success).toBe(false)
    for (const id of ['__proto__', '-x']) expect(ModelConfig.safeParse({ id }).success).toBe(false)
    expect(parse({ id: 'vendor/model-1.5_b' })).toBe(true)
  })

  it('adds its deployments to the shipped model of the same id and changes what it names', () => {
    const own = model({ id: 'qwen3-8b', tier: 'high', deployments: [priced('0.1', '0.2')] })
    const test = testCatalog({ includeShipped: true, presetKeys: new Map([['SILICONFLOW_API_KEY', 'k']]), models: [own] })
    expect(test.catalog.model('qwen3-8b')).toMatchObject({ tier: 'high', displayName: 'Qwen3 8B' })
    expect(test.catalog.deploymentsOf('qwen3-8b')).toHaveLength(2)
  })

  it('is refused when it names an undeclared provider, twice the same place, or comes twice', () => {
    const build =
      (...models: ModelConfig[]) =>
      () =>
        testCatalog({ models })
    expect(build(model({ id: 'm', deployments: [{ provider: 'nobody', model_id: 'm' }] }))).toThrow(
      /"nobody", which is not declared/,
    )
    expect(build(model({ id: 'm', deployments: [priced('1', '1'), priced('2', '2')] }))).toThrow(/two deployments/)
    expect(build(model({ id: 'm' }), model({ id: 'm' }))).toThrow(/declared twice/)
  })

  it('has limits and capabilities of its deployments where they say more', () => {
    const test = testCatalog({
      models: [
        model({
          id: 'm',
          context_window: 1000,
          supports_json_mode: true,
          deployments: [{ ...priced('1', '1'), context_window: 500 }],
        }),
      ],
    })
    expect(test.catalog.deploymentsOf('m')[0]).toMatchObject({
      contextWindow: 500,
      maxOutputTokens: null,
      supportsJsonMode: true,
    })
  })
})

describe('a provider entry', () => {
  it('changes the shipped preset of the same id and may bring its key', () => {
    const override = ProviderConfig.parse({ id: 'hp10', api_key: 'k', markup: '0.25' })
    const test = testCatalog({ includeShipped: true, providers: [override] })
    expect(test.catalog.provider('hp10')).toMatchObject({ kind: 'preset', apiKey: 'k' })
    expect(test.catalog.deployments()[0]?.markup).toBe(250_000_000n)
  })

  it('needs an address when it is no preset', () => {
    expect(() => testCatalog({ providers: [ProviderConfig.parse({ id: 'own' })] })).toThrow(/needs a base_url/)
  })
})

describe('what a public price list says about capabilities', () => {
  it('fills gaps of own entries and never changes what they state', () => {
    const test = testCatalog({ models: [model({ id: 'm', context_window: 1000, deployments: [priced('1', '1')] })] })
    test.catalog.applyListedCapabilities('list', new Map([['m@hp-1', { contextWindow: 9999, maxOutputTokens: 77 }]]))
    expect(test.catalog.deployment('m@hp-1')).toMatchObject({ contextWindow: 1000, maxOutputTokens: 77 })
    test.catalog.applyListedCapabilities('list', new Map())
    expect(test.catalog.deployment('m@hp-1')).toMatchObject({ contextWindow: 1000, maxOutputTokens: null })
  })
})

it('the configuration of the catalogue is empty by default and includes the shipped files', () => {
  expect(catalogConfig.parse({})).toEqual({ catalog: { include_shipped: true }, providers: [], models: [], aliases: {} })
  expect(parseMarkup('0.1')).toBe(100_000_000n)
  expect(() => parseMarkup('101')).toThrow(/mistake/)
})
