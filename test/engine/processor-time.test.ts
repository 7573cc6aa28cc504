import { existsSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { processorTimeOf } from '../../subgraphs/compliance/engine/analyzer/processor-time.js'
import { createWorker } from '../../subgraphs/compliance/engine/analyzer/worker.js'
import { loadAll } from '../../subgraphs/compliance/engine/rulebook/load.js'
import { ManualClock } from '../kit/manual-clock.js'

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

it.each([
  ['has used', (): number => 1e9],
  ['is taken to have used, where the system does not tell,', () => null],
])('ends an analyzer that %s more than a stage may take', async (_, processorTime) => {
  const clock = new ManualClock()
  const worker = createWorker({ clock, rulesHash: () => loadAll().hash, maxRssBytes: 1e9, maxHeapMb: 384, processorTime })
  try {
    let status = ''
    const limits = { timeoutMs: 1e9, maxSteps: 1e9, parsing: { parseMs: 60_000, parseMsPerKb: 0 } }
    const code = 'export const f = (a) => [a, `${a}`, { a }]\n'.repeat(20_000)
    void worker.run({ code, language: 'javascript', filename: 'main.js', ...limits }).then((outcome) => (status = outcome.status))
    while (status === '') {
      await clock.advance(50)
      await turn()
    }
    expect(status).toBe('failed')
  } finally {
    await worker.close()
  }
})
