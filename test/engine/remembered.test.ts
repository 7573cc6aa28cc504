import { describe, expect, it } from 'vitest'
import { Remembered } from '../../subgraphs/compliance/engine/rulebook/remembered.js'

describe('what is remembered of texts', () => {
  it('is found out once for each', () => {
    const lengths = new Remembered<{ readonly length: number }>()
    const found = lengths.of('token', () => ({ length: 5 }))
    expect(lengths.of('token', () => ({ length: 0 }))).toBe(found)
    expect(lengths.of('tokens', () => ({ length: 6 }))).toEqual({ length: 6 })
  })

  it('has an end, however many texts there are', () => {
    const numbers = new Remembered<number>()
    for (let at = 0; at < 30_000; at++) numbers.of(`name${at}`, () => at)
    expect(numbers.of('name29999', () => -1)).toBe(29_999)
    expect(numbers.of('name0', () => -1)).toBe(-1)
  })
})
