/** A PassingMap answers as a Map does, whatever comes and goes. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PassingMap } from '../../src/platform/passing-map.js'

const step = fc.record({
  kind: fc.constantFrom('set', 'set', 'delete', 'delete', 'clear'),
  key: fc.integer({ min: 0, max: 8 }),
  value: fc.integer(),
})

it('holds what a Map holds', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const passing = new PassingMap<number, { readonly value: number }>()
      const plain = new Map<number, { readonly value: number }>()
      for (const { kind, key, value } of steps) {
        if (kind === 'delete') expect(passing.delete(key)).toBe(plain.delete(key))
        else if (kind === 'clear') [passing, plain].forEach((map) => map.clear())
        else [passing, plain].forEach((map) => map.set(key, { value }))
        expect(passing.size).toBe(plain.size)
        expect(passing.get(key)).toEqual(plain.get(key) ?? null)
        expect(passing.values()).toEqual([...plain.values()])
      }
    }),
  )
})
