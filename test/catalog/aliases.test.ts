/** Other names of models and tiers: where they lead, what they may not be, and who wins where two say the same name. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { catalogConfig } from '../../subgraphs/catalog/index.js'
import { model, testCatalog } from './fixture.js'

const host = (provider = 'hp-1') => ({
  provider,
  model_id: 'm',
  input_price_per_million: '1',
  output_price_per_million: '2',
})

const declared = (aliases: Record<string, unknown>) => catalogConfig.parse({ aliases }).aliases

const MODELS = [
  model({ id: 'small', tier: 'light', deployments: [host()] }),
  model({ id: 'big', tier: 'high', aliases: ['big-2026-01-01'], deployments: [host()] }),
]

function priced(aliases: Record<string, unknown>, models = MODELS, includeShipped = false) {
  const test = testCatalog({ models, aliases: declared(aliases), includeShipped })
  test.priceAll()
  return test.catalog
}

describe('an alias', () => {
  it('leads where its target leads, whoever asks and whatever their key allows', () => {
    const targets = fc.constantFrom('small', 'big', 'light', 'medium', 'high')
    const only = fc.option(
      fc.subarray(['small', 'big']).map((ids) => new Set(ids)),
      { nil: undefined },
    )
    fc.assert(
      fc.property(targets, only, (target, allowed) => {
        const catalog = priced({ 'gpt-x': target })
        expect(catalog.resolve('gpt-x', 'acc_1', allowed)).toEqual(catalog.resolve(target, 'acc_1', allowed))
      }),
    )
  })

  it('may come with a model of the catalogue', () => {
    const catalog = priced({})
    expect(catalog.resolve('big-2026-01-01', 'acc_1')).toBe(catalog.resolve('big', 'acc_1'))
    expect(catalog.aliases()).toEqual([{ name: 'big-2026-01-01', target: 'big', isShown: false }])
  })

  it('of the operator takes the place of a shipped model and of the other name of one', () => {
    const catalog = priced({ 'gpt-4o': 'small', 'gpt-4o-2024-08-06': 'big' }, MODELS, true)
    expect(catalog.resolve('gpt-4o', 'acc_1')).toBe(catalog.resolve('small', 'acc_1'))
    expect(catalog.resolve('gpt-4o-2024-08-06', 'acc_1')).toBe(catalog.resolve('big', 'acc_1'))
    expect(catalog.model('gpt-4o')).toBeUndefined()
  })

  it("of a catalogue gives way to a model's own id", () => {
    const catalog = priced({}, [...MODELS, model({ id: 'big-2026-01-01', tier: 'high', deployments: [host('hp-2')] })])
    expect(catalog.resolve('big-2026-01-01', 'acc_1')).toMatchObject({ models: [{ modelId: 'big-2026-01-01' }] })
  })

  it('is refused where it leads nowhere, to another alias, is a model too, or stands for two models', () => {
    expect(() => priced({ 'gpt-x': 'nothing' })).toThrow(
      'The alias "gpt-x" names "nothing", which is neither a model nor a tier.',
    )
    expect(() => priced({ a: 'b', b: 'big' })).toThrow('The alias "a" names "b", which is an alias itself.')
    expect(() => priced({ 'big-2026-01-01': 'gone' })).toThrow(/neither a model nor a tier/)
    expect(() => priced({ big: 'small' })).toThrow('The alias "big" is also a model of "models".')
    const twice = [...MODELS, model({ id: 'other', aliases: ['big-2026-01-01'], deployments: [host()] })]
    expect(() => priced({}, twice)).toThrow('The models "big" and "other" both have the alias "big-2026-01-01".')
  })

  it('cannot be called like a tier, or by characters that ids may not have', () => {
    for (const name of ['light', 'a b', '-x', '']) {
      const parsed = catalogConfig.safeParse({ aliases: Object.fromEntries([[name, 'big']]) })
      expect([name, parsed.success]).toEqual([name, false])
    }
    expect(catalogConfig.safeParse({ aliases: { a: { model: 'big', shown: true } } }).success).toBe(false)
  })

  it('is another one after the configuration was read again', () => {
    const test = testCatalog({ models: MODELS, aliases: declared({ 'gpt-x': 'small' }) })
    test.priceAll()
    const next = {
      providers: [],
      models: MODELS.map((each) => ({ ...each, deployments: [] })),
      presetKeys: new Map(),
      markup: 0n,
    }
    expect(() => test.subgraph.declare({ ...next, aliases: declared({ 'gpt-x': 'gone' }), includeShipped: false })).toThrow()
    expect(test.catalog.resolve('gpt-x', 'acc_1')).toMatchObject({ models: [{ modelId: 'small' }] })
    test.subgraph.declare({ ...next, aliases: declared({ 'gpt-y': { model: 'big', show: true } }), includeShipped: false })
    expect(test.catalog.aliases().map(({ name, isShown }) => ({ name, isShown }))).toEqual([
      { name: 'big-2026-01-01', isShown: false },
      { name: 'gpt-y', isShown: true },
    ])
    expect(test.catalog.resolve('gpt-x', 'acc_1')).toEqual({ kind: 'unknown' })
  })
})
