import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLoopTurns } from '../../src/platform/loop-turns.js'

/** Holds the event loop. */
function hold(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

describe('steps that hold the event loop', () => {
  it('leave it to everybody else for at least as long as they took, before the next one', async () => {
    const turns = createLoopTurns()
    const steps: { readonly from: number; readonly to: number }[] = []
    const step = () => {
      const from = performance.now()
      hold(10)
      steps.push({ from, to: performance.now() })
    }
    await Promise.all(Array.from({ length: 5 }, () => turns.take(step)))
    const gaps = steps.slice(1).map(({ from }, at) => (from - steps[at]!.to) / (steps[at]!.to - steps[at]!.from))
    expect(gaps).toHaveLength(4)
    expect(Math.min(...gaps)).toBeGreaterThan(1)
  })

  it('take place at once when nobody is before them', () => {
    const turns = createLoopTurns()
    const done: string[] = []
    void turns.take(() => done.push('first'))
    void turns.take(() => done.push('second'))
    expect(done).toEqual(['first', 'second'])
  })

  it('take place in their order, whatever they take, and each answers its own', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(0, 0, 2.5), { maxLength: 8 }), async (durations) => {
        const turns = createLoopTurns()
        const order: number[] = []
        const answers = await Promise.all(
          durations.map((ms, at) =>
            turns.take(() => {
              hold(ms)
              order.push(at)
              return at
            }),
          ),
        )
        expect(answers).toEqual(durations.map((_, at) => at))
        expect(order).toEqual(answers)
      }),
      { numRuns: 10 },
    )
  })

  it('may fail without keeping the next one', async () => {
    const turns = createLoopTurns()
    const broken = turns.take(() => {
      hold(3)
      throw new Error('broken')
    })
    const next = turns.take(() => 'next')
    await expect(broken).rejects.toThrow('broken')
    await expect(next).resolves.toBe('next')
  })
})
