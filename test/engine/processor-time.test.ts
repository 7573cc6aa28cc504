import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { processorTimeOf } from '../../subgraphs/compliance/engine/analyzer/processor-time.js'

const isTold = existsSync('/proc/self/stat')

it.runIf(isTold)('tells the processor time of a process as the process itself counts it', () => {
  const own = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  while (own() < 200) Math.hypot(Math.random(), 1)
  const before = own()
  const told = processorTimeOf(process.pid)
  // Two ticks: user and system time are rounded apart.
  expect(told).toBeGreaterThan(before - 20)
  expect(told).toBeLessThan(own() + 20)
})

it('tells nothing of a process that is not there', () => {
  expect(processorTimeOf(2 ** 22 + 1)).toBeNull()
})
