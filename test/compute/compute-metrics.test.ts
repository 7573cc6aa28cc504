/** The figures of compute, as a scrape finds them. */
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { createComputeMetrics } from '../../subgraphs/compute/compute-metrics.js'

it('a scrape tells how many machines there are and what they cost from one reading, that of this scrape', async () => {
  const registry = new Registry()
  const metrics = createComputeMetrics(registry)
  let reads = 0
  let count = 0
  metrics.watchMachines(async () => {
    reads += 1
    return [{ purpose: 'rental', phase: 'running', driverId: 'sandbox', count, usdPerHour: count * 2 }]
  })
  for (count of [1, 3, 0]) {
    const text = await registry.metrics()
    expect(text).toMatch(new RegExp(`^sluice_gpu_sessions{.*} ${count}$`, 'm'))
    expect(text).toMatch(new RegExp(`^sluice_gpu_usd_per_hour{.*} ${count * 2}$`, 'm'))
  }
  expect(reads).toBe(3)
  metrics.watchMachines(() => Promise.reject(new Error('the database is away')))
  expect(await registry.metrics()).toMatch(/^sluice_gpu_sessions{.*} 0$/m)
})
