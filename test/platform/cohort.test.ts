import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inCohort } from '../../src/platform/cohort.js'

describe('a cohort', () => {
  it('takes every step of a turn to its next stage before any goes further, in the order in which they came', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 20 }), async (stages) => {
        const done: { readonly step: number; readonly stage: number }[] = []
        const run = async (step: number, last: number) => {
          for (let stage = 0; stage <= last; stage++) {
            done.push({ step, stage })
            await Promise.resolve()
          }
        }
        stages.forEach((last, step) => inCohort(() => void run(step, last)))
        await turn()
        await turn()
        const all = stages.flatMap((last, step) => Array.from({ length: last + 1 }, (_, stage) => ({ step, stage })))
        expect(done).toEqual(all.toSorted((a, b) => a.stage - b.stage || a.step - b.step))
      }),
    )
  })

  it('begins after the turn, and steps that come later are of the next', async () => {
    const done: string[] = []
    inCohort(() => {
      done.push('first')
      inCohort(() => done.push('third'))
    })
    inCohort(() => done.push('second'))
    await Promise.resolve()
    expect(done).toEqual([])
    await turn()
    expect(done).toEqual(['first', 'second'])
    await turn()
    expect(done).toEqual(['first', 'second', 'third'])
  })
})
