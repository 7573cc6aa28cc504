import { describe, expect, it } from 'vitest'
import { tokenCost } from '#platform/money.js'
import { eventEntities } from '#platform/events/notice-marks.js'
import { PRICE_CHANGED, pricingEntities } from '../../subgraphs/pricing/index.js'
import { ratesOf } from '../../subgraphs/pricing/versions/sale-price.js'
import { model } from '../catalog/fixture.js'
import { testDatabase } from '../kit/database.js'
import { ManualClock } from '../kit/manual-clock.js'
import { type PricingTestOptions, requestContext, startPricing, versions } from './fixture.js'

const admin = requestContext(['admin'])
const SET = `mutation ($input: SetPriceInput!) { setPrice(input: $input) {
  price { deploymentId origin pricing { inputPerMillion outputPerMillion } } } }`

const declared = (input: string | null, output = '0.40', rest: object = {}) =>
  model({
    id: 'small',
    tier: 'light',
    ...rest,
    deployments: [
      {
        provider: 'hp-1',
        model_id: 'a',
        ...(input === null ? {} : { input_price_per_million: input, output_price_per_million: output }),
      },
    ],
  })

for (const dialect of ['sqlite', 'postgres'] as const) {
  /** Runs the program once per configuration on one database, one after another. */
  const restarts = async (
    configurations: PricingTestOptions[],
    visit: (test: Awaited<ReturnType<typeof startPricing>>, run: number) => Promise<void>,
  ) => {
    await using database = await testDatabase(dialect, [...pricingEntities, ...eventEntities])
    const clock = new ManualClock()
    for (const [run, options] of configurations.entries()) {
      await using test = await startPricing({ ...options, database, clock })
      await visit(test, run)
      await clock.advance(1000)
    }
  }

  describe(`price versions on ${dialect}`, () => {
    it('are written at start only when the configuration changed', async () => {
      const versions: string[] = []
      const runs = ['0.10', '0.10', '0.20', '0.20'].map((input) => ({ catalog: { models: [declared(input)] } }))
      await restarts(runs, async (test) => void versions.push(test.book.priceOf('small@hp-1')!.versionId))
      expect(versions[1]).toBe(versions[0])
      expect(versions[2]).not.toBe(versions[1])
      expect(versions[3]).toBe(versions[2])
    })

    it('stop a deployment from being routable when its price leaves the configuration', async () => {
      await restarts(
        [{ catalog: { models: [declared('0.10')] } }, { catalog: { models: [declared(null)] } }],
        async (test, run) => {
          expect(test.catalog.resolve('small', 'acc').kind).toBe(run === 0 ? 'candidates' : 'pricing_pending')
          expect(test.book.priceOf('small@hp-1') === null).toBe(run === 1)
        },
      )
    })

    it('carry cost and sale price with the markup of the model before that of the provider', async () => {
      const providers = [{ id: 'hp-1', base_url: 'https://one.example/v1', markup: '0.5' }]
      await restarts(
        [
          { catalog: { providers, models: [declared('0.10')] } },
          { catalog: { providers, models: [declared('0.10', '0.40', { markup: '0.1' })] } },
        ],
        async (test, run) => {
          const { tokenPrice, costPrice } = test.book.priceOf('small@hp-1')!
          expect(costPrice).toEqual({ input: 100_000_000n, output: 400_000_000n, cachedInput: null })
          expect(tokenPrice.input).toBe(run === 0 ? 150_000_000n : 110_000_000n)
        },
      )
    })

    it("keep an administrator's price over every start until it is cleared", async () => {
      const runs = [declared('0.10'), declared('0.30'), declared('0.30')].map((entry) => ({ catalog: { models: [entry] } }))
      await restarts(runs, async (test, run) => {
        if (run === 0)
          await test.ask(
            'pricing',
            SET,
            { input: { deploymentId: 'small@hp-1', inputPerMillion: '0.07', outputPerMillion: '0.09' } },
            admin,
          )
        expect(test.book.priceOf('small@hp-1')!.tokenPrice.input).toBe(70_000_000n)
        if (run < 2) return
        await test.ask(
          'pricing',
          'mutation { clearPrice(input: { deploymentId: "small@hp-1" }) { priceChange { origin } } }',
          {},
          admin,
        )
        expect(test.book.priceOf('small@hp-1')!).toMatchObject({
          tokenPrice: { input: 300_000_000n },
          version: { origin: 'config' },
        })
      })
    })

    it('let a charge be worked out again from the version it names, whatever happened to the price since', async () => {
      await using test = await startPricing({ dialect, catalog: { models: [declared('0.123456789', '0.4')] } })
      const used = { input: 1234, cachedInput: 99, output: 777 }
      const charged = test.book.priceOf('small@hp-1')!
      const charge = tokenCost(used, charged.tokenPrice)
      await test.book.setPrice('small@hp-1', { rates: { input: 1n, output: 1n, cachedInput: null }, cost: null, keyId: 'k' })
      const version = (await test.book.versions([charged.versionId])).get(charged.versionId)!
      expect(tokenCost(used, ratesOf(version)!)).toBe(charge)
      expect(version.state).toBe('past')
    })

    it('number without a gap or a double when two processes write at once', async () => {
      await using database = await testDatabase(dialect, [...pricingEntities, ...eventEntities])
      const options = { database, catalog: { models: [declared('0.10')] } }
      await using one = await startPricing(options)
      await using two = await startPricing(options)
      const price = (rate: bigint) => ({ rates: { input: rate, output: rate, cachedInput: null }, cost: null, keyId: 'k' })
      await Promise.all(
        [1n, 2n, 3n, 4n].flatMap((rate) => [
          one.book.setPrice('small@hp-1', price(rate)),
          two.book.setPrice('small@hp-1', price(rate + 10n)),
        ]),
      )
      const history = await versions(one)
      expect(history.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
      expect(history.filter(({ state }) => state === 'current')).toHaveLength(1)
    })
  })
}

describe('setPrice', () => {
  it('makes a pricing_pending model routable at once', async () => {
    await using test = await startPricing({ catalog: { models: [declared(null)] } })
    const state = async () =>
      (await test.ask<{ model: { availability: string } }>('catalog', '{ model(id: "small") { availability } }')).model
        .availability
    expect(await state()).toBe('PRICING_PENDING')
    const { setPrice } = await test.ask<{ setPrice: unknown }>(
      'pricing',
      SET,
      { input: { deploymentId: 'small@hp-1', inputPerMillion: '0.1', outputPerMillion: '0.4' } },
      admin,
    )
    expect(setPrice).toEqual({
      price: {
        deploymentId: 'small@hp-1',
        origin: 'ADMINISTRATOR',
        pricing: { inputPerMillion: '0.10', outputPerMillion: '0.40' },
      },
    })
    expect(await state()).toBe('INSTANT')
  })

  it('is refused without the scope, for unknown deployments and for negative or malformed prices', async () => {
    await using test = await startPricing({ catalog: { models: [declared('0.1')] } })
    const set = (id: string, inputPerMillion: string, context = admin) =>
      test.ask('pricing', SET, { input: { deploymentId: id, inputPerMillion, outputPerMillion: '1' } }, context)
    await expect(set('small@hp-1', '1', requestContext(['chat']))).rejects.toMatchObject({ code: 'insufficient_scope' })
    await expect(set('nope@hp-1', '1')).rejects.toMatchObject({ code: 'not_found', param: 'deploymentId' })
    await expect(set('small@hp-1', '-1')).rejects.toMatchObject({ code: 'invalid_request_error', param: 'inputPerMillion' })
    await expect(set('small@hp-1', '0.0000000001')).rejects.toMatchObject({ param: 'inputPerMillion' })
  })
})

describe('priceHistory', () => {
  it('lists every change newest first, and costs only to administrators', async () => {
    await using test = await startPricing({ catalog: { models: [declared('0.10')] } })
    await test.clock.advance(1000)
    await test.ask(
      'pricing',
      SET,
      { input: { deploymentId: 'small@hp-1', inputPerMillion: '0.2', outputPerMillion: '0.4' } },
      admin,
    )
    const query = '{ priceHistory(model: "small") { nodes { inputPerMillion costInputPerMillion origin isCurrent validFrom } } }'
    expect(await test.ask('pricing', query, {}, admin)).toEqual({
      priceHistory: {
        nodes: [
          {
            inputPerMillion: '0.20',
            costInputPerMillion: '0.10',
            origin: 'ADMINISTRATOR',
            isCurrent: true,
            validFrom: '2026-11-21T00:00:01.000Z',
          },
          {
            inputPerMillion: '0.10',
            costInputPerMillion: '0.10',
            origin: 'CONFIG',
            isCurrent: false,
            validFrom: '2026-11-21T00:00:00.000Z',
          },
        ],
      },
    })
    const { priceHistory } = await test.ask('pricing', query)
    expect(priceHistory).toMatchObject({ nodes: [{ costInputPerMillion: null }, { costInputPerMillion: null }] })
    const from =
      '{ priceHistory(model: "small", provider: "hp-1", from: "2026-11-21T00:00:01Z") { totalCount nodes { origin } } }'
    expect(await test.ask('pricing', from)).toEqual({ priceHistory: { totalCount: 1, nodes: [{ origin: 'ADMINISTRATOR' }] } })
  })
})

describe('a price that another process set', () => {
  it('is in force here when the event was lost, after the next reading', async () => {
    await using database = await testDatabase('postgres', [...pricingEntities, ...eventEntities])
    const options = { database, catalog: { models: [declared('0.10')] } }
    await using one = await startPricing(options)
    await using two = await startPricing(options)
    const seen: string[] = []
    two.book.onChange(({ priceId }) => seen.push(priceId))
    await one.book.setPrice('small@hp-1', { rates: { input: 7n, output: 7n, cachedInput: null }, cost: null, keyId: 'k' })
    expect(two.book.priceOf('small@hp-1')!.tokenPrice.input).toBe(100_000_000n)
    await two.book.load()
    expect(two.book.priceOf('small@hp-1')!.tokenPrice.input).toBe(7n)
    expect(seen).toEqual(['small@hp-1'])
  })

  it('is in force here as soon as its event arrives', async () => {
    await using database = await testDatabase('sqlite', [...pricingEntities, ...eventEntities])
    const options = { database, catalog: { models: [declared('0.10')] } }
    await using one = await startPricing(options)
    await using two = await startPricing(options)
    one.events.listen(PRICE_CHANGED, (payload) => two.events.publish(PRICE_CHANGED, payload))
    const arrived = new Promise<string>((resolve) => two.book.onChange(({ priceId }) => resolve(priceId)))
    await one.book.setPrice('small@hp-1', { rates: { input: 7n, output: 7n, cachedInput: null }, cost: null, keyId: 'k' })
    expect(await arrived).toBe('small@hp-1')
    expect(two.catalog.resolve('small', 'acc')).toMatchObject({
      models: [{ deployments: [{ price: { tokenPrice: { input: 7n } } }] }],
    })
  })
})
