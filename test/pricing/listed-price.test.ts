import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BrokenFeed, readPrice, readRate } from '../../subgraphs/pricing/feeds/listed-price.js'
import { parseMappedJson } from '../../subgraphs/pricing/feeds/json-mapping.js'
import { parseModelsDev } from '../../subgraphs/pricing/feeds/models-dev.js'
import { parseOpenRouter } from '../../subgraphs/pricing/feeds/openrouter.js'
import type { FeedMapping } from '../../subgraphs/pricing/pricing-config.js'

describe('a rate of a price list', () => {
  it('loses the noise of floats', () => {
    expect(readRate(0.1 + 0.05, 'per_million')).toBe(150_000_000n)
    expect(readRate(0.000_000_15, 'per_token')).toBe(150_000_000n)
    expect(readRate('1.5e-7', 'per_token')).toBe(150_000_000n)
    expect(readRate('0.00000015', 'per_token')).toBe(150_000_000n)
    expect(readRate(0.00015, 'per_thousand')).toBe(150_000_000n)
    expect(readRate(2, 'per_million')).toBe(2_000_000_000n)
  })

  it('is the same whichever unit states it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (micro) => {
        const perMillion = micro / 1e6
        const expected = BigInt(micro) * 1000n
        expect(readRate(perMillion, 'per_million')).toBe(expected)
        expect(readRate(perMillion / 1e3, 'per_thousand')).toBe(expected)
        expect(readRate(perMillion / 1e6, 'per_token')).toBe(expected)
        expect(readRate(String(perMillion), 'per_million')).toBe(expected)
      }),
    )
  })

  it('is nothing when it is negative, absurd or no number', () => {
    for (const value of [-1, '-1', Number.NaN, Infinity, '', ' ', '1,5', '0x10', null, undefined, {}, [], true, '1e99', 5e6]) {
      expect(readRate(value, 'per_million')).toBeNull()
    }
  })

  it('never throws and is never negative', () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom('per_token', 'per_thousand', 'per_million'), (value, unit) => {
        const rate = readRate(value, unit)
        expect(rate === null || rate >= 0n).toBe(true)
      }),
    )
  })
})

describe('a price of a price list', () => {
  it('is refused when one direction is free or missing', () => {
    expect(readPrice({ input: 0, output: 1 }, 'per_million')).toBe('a feed cannot make a model free')
    expect(readPrice({ input: '0', output: '0' }, 'per_token')).toBe('a feed cannot make a model free')
    expect(readPrice({ input: 1e-9, output: 1 }, 'per_million')).toBe('a feed cannot make a model free')
    expect(readPrice({ input: 1, output: undefined }, 'per_million')).toBe('input or output is not a price')
  })

  it('drops a cached rate that is free or dearer than input', () => {
    const cached = (cachedInput: unknown) => readPrice({ input: 1, output: 2, cachedInput }, 'per_million')
    expect(cached(0)).toMatchObject({ cachedInput: null })
    expect(cached(3)).toMatchObject({ cachedInput: null })
    expect(cached('0.25')).toMatchObject({ cachedInput: 250_000_000n })
  })
})

describe('the models.dev list', () => {
  const list = {
    groq: {
      models: {
        'a/one': {
          cost: { input: 0.05, output: 0.08, cache_read: 0.01 },
          limit: { context: 131_072, output: 8192 },
          tool_call: true,
          structured_output: false,
        },
        free: { cost: { input: 0, output: 0 } },
        unpriced: {},
      },
    },
    other: { models: { x: { cost: { input: 1, output: 1 } } } },
  }

  it('gives prices per million and capabilities of the providers asked for', () => {
    expect(parseModelsDev(list, new Set(['groq', 'absent', '__proto__']))).toEqual({
      rows: [
        {
          feedProvider: 'groq',
          providerModelId: 'a/one',
          price: { input: 50_000_000n, output: 80_000_000n, cachedInput: 10_000_000n },
          capabilities: { contextWindow: 131_072, maxOutputTokens: 8192, supportsFunctionCalling: true, supportsJsonMode: false },
        },
      ],
      refused: ['groq/free: a feed cannot make a model free'],
    })
  })

  it('is broken when it is no object', () => {
    expect(() => parseModelsDev([], new Set())).toThrow(BrokenFeed)
  })
})

describe('the OpenRouter list', () => {
  it('gives prices per token as text and capabilities', () => {
    const entry = {
      id: 'vendor/m',
      context_length: 32_768,
      top_provider: { max_completion_tokens: 4096 },
      supported_parameters: ['tools', 'temperature'],
      pricing: { prompt: '0.00000015', completion: '0.0000006', input_cache_read: '0.00000005' },
    }
    expect(
      parseOpenRouter({
        data: [
          entry,
          { id: 'f', pricing: { prompt: '0', completion: '0' } },
          {},
          { id: 'g', pricing: { prompt: '-1', completion: '-1' } },
        ],
      }),
    ).toEqual({
      rows: [
        {
          feedProvider: null,
          providerModelId: 'vendor/m',
          price: { input: 150_000_000n, output: 600_000_000n, cachedInput: 50_000_000n },
          capabilities: { contextWindow: 32_768, maxOutputTokens: 4096, supportsFunctionCalling: true, supportsJsonMode: false },
        },
      ],
      refused: ['f: a feed cannot make a model free', 'a row without an id', 'g: input or output is not a price'],
    })
    expect(() => parseOpenRouter({ error: 'no' })).toThrow(BrokenFeed)
  })
})

describe('a mapped list', () => {
  const mapping: FeedMapping = {
    rows: 'result.items',
    model_id: 'name',
    input: 'price.in',
    output: 'price.out',
    context_window: 'ctx',
    unit: 'per_thousand',
  }

  it('is read by its mapping and unit', () => {
    const document = { result: { items: [{ name: 'm', price: { in: 0.001, out: '0.002' }, ctx: 4096 }, { name: 5 }] } }
    expect(parseMappedJson(document, mapping)).toEqual({
      rows: [
        {
          feedProvider: null,
          providerModelId: 'm',
          price: { input: 1_000_000_000n, output: 2_000_000_000n, cachedInput: null },
          capabilities: { contextWindow: 4096 },
        },
      ],
      refused: ['a row without text at "name"'],
    })
  })

  it('never reads what the document does not have itself', () => {
    expect(() => parseMappedJson({}, { ...mapping, rows: 'constructor.name' })).toThrow(BrokenFeed)
    expect(() => parseMappedJson({}, { ...mapping, rows: '__proto__' })).toThrow(BrokenFeed)
  })

  it('never throws anything but BrokenFeed, whatever the document', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (document) => {
        for (const read of [
          () => parseMappedJson(document, { ...mapping, rows: undefined }),
          () => parseModelsDev(document, new Set(['a', ''])),
          () => parseOpenRouter(document),
        ]) {
          try {
            read()
          } catch (error) {
            if (!(error instanceof BrokenFeed)) throw error
          }
        }
      }),
    )
  })
})
