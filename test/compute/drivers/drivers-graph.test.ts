/** The drivers through the graph, as administrators see them. */
import { describe, expect, it } from 'vitest'
import { instanceLabel } from '../../../subgraphs/compute/drivers/driver.js'
import { as, openCompute, until } from '../kit/compute-graph.js'

describe.each(['sqlite', 'postgres'] as const)('gpuDrivers on %s', (dialect) => {
  it('lists machines of ours that no session answers for, and says how a driver refuses', async () => {
    const { ask, rent, cloud } = await openCompute({ dialect })
    const look = async () => {
      const query = '{ gpuDrivers { id health offerCount orphans { instanceId label } } }'
      return (await ask(query, {}, as('acc_a', {}, ['admin']))).gpuDrivers[0]
    }
    await rent({ gpuModel: 'L4', dockerImage: 'busybox' })
    await until(
      async () => cloud.existing().length,
      (count) => count === 1,
    )
    expect(await look()).toEqual({ id: 'fake', health: 'ANSWERING', offerCount: 2, orphans: [] })
    const label = instanceLabel('test1', 'rent_forgotten', 1)
    const [offer] = cloud.offers
    const spec = { label, offer: offer!, gpuCount: 1, pricePerGpuHour: 1n, modelId: null, endpointKey: 'k' }
    const { instanceId } = await cloud.create({ ...spec, dockerImage: null, sshKey: null, fineTuned: false })
    expect(await look()).toMatchObject({ orphans: [{ instanceId, label }] })
    cloud.faults.list.push('rate_limited')
    expect(await look()).toMatchObject({ health: 'LIMITING', orphans: null })
    cloud.faults.list.push('error')
    expect(await look()).toMatchObject({ health: 'SILENT', orphans: null })
  })
})
