import { describe, expect, it } from 'vitest'
import { differenceOf, shareOf, sumOfDecimals } from '../../src/console/format/decimal.js'
import { cell } from '../../src/console/usage/csv.js'
import { columnsOf, spanOf } from '../../src/console/usage/spending/span.js'
import { readUsageSearch } from '../../src/console/usage/usage-search.js'

describe('a cell of the CSV', () => {
  it.each([
    [null, ''],
    [12, '12'],
    ['plain', 'plain'],
    ['a,b "c"', '"a,b ""c"""'],
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
    ['-1', "'-1"],
  ])('%j is %j', (value, text) => expect(cell(value)).toBe(text))
})

describe('sums of decimals', () => {
  it('are exact', () => {
    expect(sumOfDecimals(['0.1', '0.2', '-1'])).toBe('-0.7')
    expect(differenceOf('0.000000001', '0.000000001')).toBe('0')
    expect(shareOf('1', '4')).toBe(0.25)
    expect(shareOf('1', '0')).toBe(0)
  })
})

describe('the span of time', () => {
  const now = Date.parse('2026-03-05T10:20:00.000Z')
  it('of a range begins with a whole day, or with a whole hour', () => {
    expect(spanOf({ range: '7d' }, now)).toEqual({ from: '2026-02-27T00:00:00.000Z', to: null, group: 'DAY' })
    expect(spanOf({ range: '24h' }, now)).toEqual({ from: '2026-03-04T11:00:00.000Z', to: null, group: 'HOUR' })
  })
  it('has as many columns as days or hours', () => {
    expect(columnsOf(spanOf({ range: '30d' }, now), now)).toHaveLength(30)
    const day = spanOf({ from: '2026-03-01T00:00:00.000Z', to: '2026-03-02T00:00:00.000Z' }, now)
    expect([day.group, columnsOf(day, now).length]).toEqual(['HOUR', 24])
  })
})

it('what does not fit is left out of the address', () => {
  const read = readUsageSearch({ model: 'm', range: '1y', from: 'yesterday', sort: 'COSTLIEST', outcome: 'toString', by: 'key' })
  expect(read).toEqual({ model: 'm', sort: 'COSTLIEST', by: 'key' })
  expect(readUsageSearch({ api: 'RESPONSES', minCost: '0.5' })).toEqual({ api: 'RESPONSES', minCost: '0.5' })
  expect(readUsageSearch({ api: 'responses', minCost: '-1' })).toEqual({})
  expect(readUsageSearch({ minCost: 0.25 })).toEqual({ minCost: '0.25' })
})
