/** Money: exact in, exact out, and rounded once, upwards. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#platform/errors.js'
import { ceilDiv, formatUsd, parseUsd, tokenCost, type TokenBuckets, type TokenPrice } from '#platform/money.js'

const MAX = 2n ** 63n - 1n
const nano = fc.bigInt({ min: -MAX, max: MAX })
const rate = fc.bigInt({ min: 0n, max: 1_000_000n * 1_000_000_000n })
const tokens = fc.integer({ min: 0, max: 2 ** 40 })

describe('amounts', () => {
  it('come back as they went out, for every amount that int64 holds', () => {
    fc.assert(fc.property(nano, (amount) => parseUsd(formatUsd(amount)) === amount))
  })

  it('are printed with two to nine decimals, without superfluous zeros and without an exponent', () => {
    fc.assert(
      fc.property(nano, (amount) => {
        expect(formatUsd(amount)).toMatch(/^-?(0|[1-9]\d*)\.\d{2}(\d{0,6}[1-9])?$/)
      }),
    )
  })

  it('are read as the number that the text states', () => {
    const whole = fc.integer({ min: 0, max: 9_000_000_000 })
    const decimals = fc.stringMatching(/^\d{1,9}$/)
    fc.assert(
      fc.property(whole, decimals, fc.boolean(), (dollars, fraction, isNegative) => {
        const text = `${isNegative ? '-' : ''}${dollars}.${fraction}`
        const exact = BigInt(`${dollars}${fraction.padEnd(9, '0')}`)
        return parseUsd(text) === (isNegative ? -exact : exact)
      }),
    )
  })

  it.each([
    ['0', 0n],
    ['-0.00', 0n],
    ['0.15', 150_000_000n],
    ['1.10', 1_100_000_000n],
    ['0.000000001', 1n],
    ['0.1000000000000', 100_000_000n],
    ['9223372036.854775807', MAX],
  ])('%s is read exactly', (text, amount) => {
    expect(parseUsd(text)).toBe(amount)
  })

  it.each(
    [
      '',
      ' ',
      '.5',
      '1.',
      '+1',
      '1e3',
      '1E-9',
      '1,000',
      '1_000',
      '0x10',
      '١',
      'NaN',
      'Infinity',
      '--1',
      '1.2.3',
      ' 1',
      '1\n',
    ].concat(['0.0000000001', '0.1234567891', '9223372036.854775808', '1000000000000', '9'.repeat(400)]),
  )('%j is refused as a 400 that names the field', (text) => {
    try {
      parseUsd(text, 'amount')
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(AppError)
      expect(error).toMatchObject({ code: 'invalid_request_error', param: 'amount' })
      expect((error as AppError).message.length).toBeLessThan(120)
    }
  })
})

describe('the cost of tokens', () => {
  const buckets = fc.record({ input: tokens, cachedInput: tokens, output: tokens })
  const price = fc.record({ input: rate, output: rate, cachedInput: fc.option(rate) })
  const exactMillionths = (count: TokenBuckets, { input, output, cachedInput }: TokenPrice) =>
    BigInt(count.input) * input + BigInt(count.cachedInput) * (cachedInput ?? input) + BigInt(count.output) * output

  it('is the exact rational, rounded up to a whole nano-USD', () => {
    fc.assert(
      fc.property(buckets, price, (count, rates) => {
        const cost = tokenCost(count, rates)
        const exact = exactMillionths(count, rates)
        return cost * 1_000_000n >= exact && (cost - 1n) * 1_000_000n < exact
      }),
    )
  })

  it('is rounded once: the parts of a request together cost at most one nano-USD a part more', () => {
    fc.assert(
      fc.property(buckets, price, ({ input, cachedInput, output }, rates) => {
        const whole = tokenCost({ input, cachedInput, output }, rates)
        const parts = [
          { input, cachedInput: 0, output: 0 },
          { input: 0, cachedInput, output: 0 },
          { input: 0, cachedInput: 0, output },
        ].reduce((sum, part) => sum + tokenCost(part, rates), 0n)
        return parts >= whole && parts - whole <= 2n
      }),
    )
  })

  it('charges cached tokens like input when no price for them is stated', () => {
    const rates = { input: 1_000_000n, output: 0n, cachedInput: null }
    expect(tokenCost({ input: 3, cachedInput: 4, output: 0 }, rates)).toBe(7n)
    expect(tokenCost({ input: 3, cachedInput: 4, output: 0 }, { ...rates, cachedInput: 0n })).toBe(3n)
  })

  it('of nothing is nothing, and of anything that is not free is something', () => {
    expect(tokenCost({ input: 0, cachedInput: 0, output: 0 }, { input: 5n, output: 5n, cachedInput: null })).toBe(0n)
    expect(tokenCost({ input: 1, cachedInput: 0, output: 0 }, { input: 1n, output: 5n, cachedInput: null })).toBe(1n)
  })

  it('has no float on its way: counts beyond what a double multiplies exactly stay exact', () => {
    const count = { input: 2 ** 40 + 1, cachedInput: 0, output: 0 }
    expect(tokenCost(count, { input: 999_999_999_999n, output: 0n, cachedInput: null })).toBe(
      ceilDiv(BigInt(count.input) * 999_999_999_999n, 1_000_000n),
    )
  })
})
