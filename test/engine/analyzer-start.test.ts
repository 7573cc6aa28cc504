import { systemClock } from '#platform/clock.js'
import { expect, it } from 'vitest'
import { createPool } from '../../subgraphs/compliance/engine/analyzer/pool.js'
import { loadAll } from '../../subgraphs/compliance/engine/rulebook/load.js'

const job = { code: 'let a = 1', language: 'javascript', filename: 'a.js', timeoutMs: 60_000, maxSteps: 1_000 } as const

it('fails the job whose analyzer cannot be started, and no other', async () => {
  let isBroken = true
  const rulesHash = (): string => {
    if (isBroken) throw new Error('no rules')
    return loadAll().hash
  }
  const pool = createPool({ clock: systemClock, rulesHash, size: 1, smallBytes: 0 })
  try {
    expect((await pool.run('a', job)).outcome).toEqual({ status: 'failed', message: 'The analyzer cannot be started.' })
    isBroken = false
    expect((await pool.run('a', job)).outcome.status).toBe('done')
  } finally {
    await pool.close()
  }
})
