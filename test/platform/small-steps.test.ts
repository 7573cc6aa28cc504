import { expect, it } from 'vitest'
import { inSmallSteps, STEP_ROWS } from '#platform/database/small-steps.js'

it('deletes step by step to the end, and everything else has its turn between two steps', async () => {
  let rows = BigInt(2 * STEP_ROWS + 50)
  const seen: string[] = []
  const deleted = await inSmallSteps(async () => {
    const numDeletedRows = rows < STEP_ROWS ? rows : BigInt(STEP_ROWS)
    rows -= numDeletedRows
    seen.push('step')
    setImmediate(() => seen.push('turn'))
    return { numDeletedRows }
  })
  expect([deleted, rows]).toEqual([2 * STEP_ROWS + 50, 0n])
  expect(seen).toEqual(['step', 'turn', 'step', 'turn', 'step'])
})
