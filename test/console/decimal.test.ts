/** Amounts are texts in the console as on the wire: shown, rounded and compared without ever being a float. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareDecimals, exactDecimal, flooredDecimal, roundedDecimal } from '../../src/console/format/decimal.js'

describe('an exact decimal', () => {
  it.each([
    ['0', 2, '0.00'],
    ['0.000000001', 2, '0.000000001'],
    ['1234567.1', 2, '1,234,567.10'],
    ['9007199254740993.123456789', 2, '9,007,199,254,740,993.123456789'],
    ['-0.500', 0, '-0.5'],
  ])('%s with at least %i digits is %s', (decimal, digits, shown) => {
    expect(exactDecimal(decimal, digits)).toBe(shown)
  })
})

describe('a rounded decimal', () => {
  it.each([
    ['9.99999894', 2, '10.00'],
    ['0.005', 2, '0.01'],
    ['-0.005', 2, '-0.01'],
    ['-0.004', 2, '0.00'],
    ['1.005', 2, '1.01'],
    ['9007199254740993.5', 0, '9,007,199,254,740,994'],
  ])('%s with %i digits is %s', (decimal, digits, shown) => {
    expect(roundedDecimal(decimal, digits)).toBe(shown)
  })
})

describe('a balance', () => {
  it.each([
    ['9.99996', 4, '9.9999'],
    ['-0.00001', 4, '-0.0001'],
    ['10', 4, '10.0000'],
    ['-0.5', 0, '-1'],
  ])('%s with %i digits is %s', (decimal, digits, shown) => {
    expect(flooredDecimal(decimal, digits)).toBe(shown)
  })

  it('is never shown as more than it is, and by less than one unit as less', () => {
    const nano = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n })
    fc.assert(
      fc.property(nano, fc.integer({ min: 0, max: 9 }), (amount, digits) => {
        const text = (amount < 0n ? -amount : amount).toString().padStart(10, '0')
        const shown = flooredDecimal(`${amount < 0n ? '-' : ''}${text.slice(0, -9)}.${text.slice(-9)}`, digits)
        const units = BigInt(shown.replace(/[,.]/g, '')) * 10n ** BigInt(9 - digits)
        expect(units <= amount && amount - units < 10n ** BigInt(9 - digits)).toBe(true)
      }),
    )
  })
})

it('decimals are put in order by their values, also where floats are equal', () => {
  const amounts = ['10', '9.5', '-1', '0.000000002', '0.000000001', '9007199254740993', '9007199254740992']
  expect(amounts.toSorted(compareDecimals)).toEqual([
    '-1',
    '0.000000001',
    '0.000000002',
    '9.5',
    '10',
    '9007199254740992',
    '9007199254740993',
  ])
})
