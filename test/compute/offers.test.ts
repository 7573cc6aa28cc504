/** The offers of all clouds through the graph. */
import { describe, expect, it } from 'vitest'
import { as, openCompute } from './kit/compute-graph.js'

describe('gpuOffers', () => {
  it('stacks all four filters, cheapest first', async () => {
    const { ask } = await openCompute()
    const list = async (filter: string) =>
      (
        await ask(
          `{ gpuOffers${filter} { gpuModel vramGb providerId region pricePerGpuHour interruptionProbability interruptionOrigin spot gpuCount fetchedAt } }`,
        )
      ).gpuOffers
    const all = await list('')
    expect(all.map(({ pricePerGpuHour }) => pricePerGpuHour)).toEqual(['0.72', '0.90'])
    expect(all[0]).toMatchObject({
      gpuModel: 'L4',
      vramGb: 24,
      providerId: 'gp90',
      region: 'eu-1',
      spot: true,
      interruptionOrigin: 'PRIOR',
      gpuCount: 1,
    })
    expect(Date.parse(all[0]!.fetchedAt)).toBeGreaterThan(Date.now() - 60_000)
    expect(await list('(gpuModel: "l4", maxPrice: "0.8")')).toHaveLength(1)
    expect(await list('(provider: "gp91", minVram: 24)')).toHaveLength(1)
    expect(await list('(provider: "gp91", minVram: 25)')).toEqual([])
    expect(await list('(gpuModel: "H100")')).toEqual([])
  })

  it('names the filter that is wrong', async () => {
    const { ask } = await openCompute()
    expect(await ask('{ gpuOffers(minVram: -1) { gpuModel } }')).toMatchObject({
      error: { code: 'invalid_request_error', param: 'minVram' },
    })
    expect(await ask('{ gpuOffers(maxPrice: "-1") { gpuModel } }')).toMatchObject({ error: { param: 'maxPrice' } })
    expect(await ask('{ gpuOffers { gpuModel } }', {}, as(null))).toMatchObject({ error: { status: 401 } })
  })
})
