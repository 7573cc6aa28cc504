import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatUsd, parseUsd, tokenCost } from '#platform/money.js'
import { savingPercent } from '../../subgraphs/pricing/benchmark/benchmark.js'
import type { Tier } from '../../src/platform/vocabulary/words.js'
import type { PricedDeployment } from '../../subgraphs/pricing/ports.js'
import { cheapest, cheapestFirst, isPriced, type PriceRow, rollUpByTier } from '../../subgraphs/pricing/list/price-rows.js'
import { nothingYet } from '#platform/database/tables.js'
import { PriceVersionEntity, type PriceVersion } from '../../subgraphs/pricing/versions/price-version.js'
import { declaredText, listOf, salePrice } from '../../subgraphs/pricing/versions/sale-price.js'

const rate = fc.bigInt({ min: 0n, max: 10n ** 15n })
const tokenPrice = fc.record({ input: rate, output: rate, cachedInput: fc.option(rate) })
const tier = fc.constantFrom<Tier[]>('light', 'medium', 'high')

const version = (index: number): PriceVersion => ({
  ...nothingYet(PriceVersionEntity),
  id: `v${index}`,
  priceId: `p${index}`,
  number: 1,
  modelId: 'm',
  providerId: 'hp',
  state: 'current',
  origin: 'config',
  declared: '',
  validFrom: 0,
})

const row = (
  index: number,
  modelId: string,
  tierName: Tier,
  price: { input: bigint; output: bigint; cachedInput: bigint | null } | null,
): PriceRow => {
  const unknown = { contextWindow: null, maxOutputTokens: null, supportsFunctionCalling: null, supportsJsonMode: null }
  const model = { ...unknown, id: modelId, displayName: modelId, tier: tierName, openWeight: true, paramsB: null }
  const id = `${modelId}@hp-${index}`
  const deployment: PricedDeployment = {
    ...unknown,
    id,
    modelId,
    providerId: `hp-${index}`,
    providerModelId: modelId,
    region: null,
    priceId: id,
    model,
    provider: { feedId: null },
  }
  return {
    deployment,
    price: price && { versionId: `v${index}`, tokenPrice: price, costPrice: null, version: version(index) },
  }
}

/** Up to 40 deployments of up to 8 models, some without a price; a model has one tier. */
const rows = fc
  .tuple(fc.array(tier, { minLength: 8, maxLength: 8 }), fc.array(fc.tuple(fc.nat(7), fc.option(tokenPrice)), { maxLength: 40 }))
  .map(([tiers, entries]) => entries.map(([model, price], index) => row(index, `model-${model}`, tiers[model]!, price)))

describe('the roll-up by tier', () => {
  it('equals the minimum over the flat rows', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const tiers = rollUpByTier(all)
        for (const name of ['light', 'medium', 'high'] as const) {
          const flat = all.filter(isPriced).filter(({ deployment }) => deployment.model.tier === name)
          const rolled = tiers.find((candidate) => candidate.tier === name)
          expect(rolled === undefined).toBe(flat.length === 0)
          if (!rolled) continue
          const least = (values: bigint[]) => values.reduce((a, b) => (a < b ? a : b))
          const total = ({ price }: (typeof flat)[number]) => price.tokenPrice.input + price.tokenPrice.output
          expect(total(rolled.cheapest)).toBe(least(flat.map(total)))
          expect(rolled.lowestInput).toBe(least(flat.map(({ price }) => price.tokenPrice.input)))
          expect(rolled.lowestOutput).toBe(least(flat.map(({ price }) => price.tokenPrice.output)))
          expect(new Set(rolled.models.map(({ deployment }) => deployment.modelId))).toEqual(
            new Set(flat.map(({ deployment }) => deployment.modelId)),
          )
          expect(rolled.models).toHaveLength(new Set(flat.map(({ deployment }) => deployment.modelId)).size)
        }
      }),
    )
  })
})

describe('the order of prices', () => {
  it('never puts an unpriced row before a priced one', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const sorted = all.toSorted(cheapestFirst)
        const firstUnpriced = sorted.findIndex(({ price }) => price === null)
        const priced = firstUnpriced < 0 ? sorted : sorted.slice(0, firstUnpriced)
        expect(priced.every(isPriced)).toBe(true)
        expect(priced).toHaveLength(all.filter(isPriced).length)
        expect(cheapest(all)?.deployment.id).toBe(sorted.find(isPriced)?.deployment.id)
      }),
    )
  })

  it('is the same whatever the order of the rows', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const ids = (list: PriceRow[]) => list.toSorted(cheapestFirst).map(({ deployment }) => deployment.id)
        expect(ids(all.toReversed())).toEqual(ids(all))
      }),
    )
  })
})

describe('price arithmetic', () => {
  it('round-trips decimals without artefacts', () => {
    fc.assert(
      fc.property(rate, (nano) => {
        expect(parseUsd(formatUsd(nano))).toBe(nano)
      }),
    )
  })

  it('never sells below the list price with its markup and never more than a nano-dollar above', () => {
    fc.assert(
      fc.property(tokenPrice, fc.bigInt({ min: 0n, max: 10n ** 10n }), (list, markup) => {
        const sale = salePrice(list, markup)
        for (const [listed, sold] of [
          [list.input, sale.input],
          [list.output, sale.output],
        ] as const) {
          const exact = listed * (10n ** 9n + markup)
          expect(sold * 10n ** 9n >= exact && (sold - 1n) * 10n ** 9n < exact).toBe(true)
        }
        expect(sale.cachedInput === null).toBe(list.cachedInput === null)
      }),
    )
  })

  it('tells two declarations apart exactly when they differ', () => {
    fc.assert(
      fc.property(tokenPrice, tokenPrice, rate, (a, b, markup) => {
        const same = a.input === b.input && a.output === b.output && a.cachedInput === b.cachedInput
        expect(declaredText({ listPrice: a, markup }) === declaredText({ listPrice: b, markup })).toBe(same)
        expect(listOf(declaredText({ listPrice: a, markup }))).toBe(listOf(declaredText({ listPrice: a, markup: markup + 1n })))
      }),
    )
  })

  it('charges no less than each bucket alone', () => {
    const tokens = fc.record({ input: fc.nat(1e6), cachedInput: fc.nat(1e6), output: fc.nat(1e6) })
    fc.assert(
      fc.property(tokens, tokenPrice, (used, price) => {
        const whole = tokenCost(used, price)
        expect(whole >= tokenCost({ ...used, output: 0 }, price)).toBe(true)
        expect(
          whole <= tokenCost({ ...used, output: 0 }, price) + tokenCost({ input: 0, cachedInput: 0, output: used.output }, price),
        ).toBe(true)
      }),
    )
  })
})

describe('the saving', () => {
  const saving = (ours: bigint, theirs: bigint) => savingPercent({ input: ours, output: 0n }, { input: theirs, output: 0n })

  it('is exact, has one decimal and rounds half away from zero', () => {
    expect(saving(30n, 80n)).toBe('62.5')
    expect(saving(0n, 80n)).toBe('100.0')
    expect(saving(80n, 80n)).toBe('0.0')
    expect(saving(2n, 3n)).toBe('33.3')
    expect(saving(9995n, 10_000n)).toBe('0.1')
    expect(saving(10_005n, 10_000n)).toBe('-0.1')
    expect(saving(300n, 100n)).toBe('-200.0')
    expect(saving(10_001n, 10_000n)).toBe('0.0')
  })
})
