import { afterEach, describe, expect, it, vi } from 'vitest'
import { timeLimit } from '../../subgraphs/compliance/engine/syntax/time-limit.js'

afterEach(() => vi.restoreAllMocks())

describe('the time limit of a stage', () => {
  it('is over when its processor time is used up, and asks that clock only when it may be', () => {
    const asked = vi.spyOn(process, 'threadCpuUsage')
    const limit = timeLimit(Infinity, 20)
    let looks = 0
    while (!limit.isOver()) looks++
    expect(looks).toBeGreaterThan(1_000)
    expect(asked.mock.calls.length).toBeLessThan(looks / 10)
    expect(limit.isOver()).toBe(true)
  })

  it('is over at its deadline, whatever was worked', () => {
    expect(timeLimit(performance.now() - 1, 1_000).isOver()).toBe(true)
  })
})
