/** What every driver promises, whatever is behind it. One suite; each driver's test brings its own world. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { knownGpu } from '../../../subgraphs/compute/offers/gpu-table.js'
import { faultOf, type GpuDriver, type InstanceSpec, type ObservedInstance } from '../../../subgraphs/compute/drivers/driver.js'
import type { Offer } from '../../../subgraphs/compute/offers/offer.js'

export interface DriverWorld extends AsyncDisposable {
  readonly driver: GpuDriver
  /** Lets what was created come up. */
  bringUp(): Promise<void>
}

const signal = () => AbortSignal.timeout(15_000)
let serial = 0

export function specFor(offer: Offer, fields: Partial<InstanceSpec> = {}): InstanceSpec {
  return {
    label: `slu-test-${String(++serial).padStart(25, '0')}-1`,
    offer,
    gpuCount: offer.gpuCount,
    pricePerGpuHour: offer.pricePerGpuHour,
    modelId: 'test-model',
    endpointKey: 'sks_contract',
    dockerImage: null,
    sshKey: null,
    fineTuned: false,
    ...fields,
  }
}

/** Asks until the answer is as wanted. */
export async function until<T>(look: () => Promise<T>, isWanted: (value: T) => boolean): Promise<T> {
  let value = await look()
  await vi.waitUntil(async () => isWanted((value = await look())), { interval: 20, timeout: 30_000 })
  return value
}

export function describeDriver(name: string, open: () => Promise<DriverWorld>): void {
  describe(`the ${name} driver`, () => {
    let world: DriverWorld
    let driver: GpuDriver

    beforeEach(async () => {
      world = await open()
      driver = world.driver
    })
    afterEach(() => world[Symbol.asyncDispose]())

    const create = async (fields: Partial<InstanceSpec> = {}) => {
      const [offer] = (await driver.listOffers({}, signal())).filter(({ gpuModel }) => gpuModel === 'L4')
      const spec = specFor(offer!, fields)
      const { instanceId } = await driver.create(spec, signal())
      return { spec, instanceId }
    }
    const get = (id: string) => driver.get(id, signal())

    it('states offers of known GPUs at believable prices', async () => {
      const offers = await driver.listOffers({}, signal())
      expect(offers.length).toBeGreaterThan(0)
      for (const offer of offers) {
        expect(knownGpu(offer.gpuModel)).toEqual({ gpuModel: offer.gpuModel, vramGb: offer.vramGb })
        expect(offer.pricePerGpuHour).toBeGreaterThan(20_000_000n)
        expect(offer.driverId).toBe(driver.id)
        expect(offer.gpuCount).toBeGreaterThan(0)
        expect(offer.spot || offer.interruptionProbability === 0).toBe(true)
        expect(offer.providerId).toMatch(/^[a-z0-9]+$/)
      }
    })

    it('takes an instance from creation to an endpoint and to nothing', async () => {
      const { spec, instanceId } = await create()
      const seen = await until(
        () => get(instanceId),
        (value) => value !== null,
      )
      expect(seen).toMatchObject({ instanceId, label: spec.label })
      await world.bringUp()
      const running = (await until(
        () => get(instanceId),
        (value) => value?.status === 'running' && value.endpointUrl !== null,
      )) as ObservedInstance
      expect(running.endpointUrl).toMatch(/^https?:\/\/.+\/v1$/)
      await until(
        () => driver.destroy(instanceId, signal()),
        (answer) => answer === 'gone',
      )
      expect(await get(instanceId)).toBeNull()
      expect(await driver.destroy(instanceId, signal())).toBe('gone')
    })

    it('finds an instance again by its label, and lists no other prefix', async () => {
      const { spec, instanceId } = await create()
      expect((await driver.list('slu-test-', signal())).map(({ instanceId: id }) => id)).toEqual([instanceId])
      expect(await driver.list(spec.label, signal())).toMatchObject([{ instanceId, label: spec.label }])
      expect(await driver.list('slu-other-', signal())).toEqual([])
      await until(
        () => driver.destroy(instanceId, signal()),
        (answer) => answer === 'gone',
      )
      expect(await driver.list('slu-test-', signal())).toEqual([])
    })

    it('says that what never was does not exist', async () => {
      const [offer] = await driver.listOffers({}, signal())
      const { label } = specFor(offer!)
      expect(await get(label)).toBeNull()
      expect(await driver.destroy(label, signal())).toBe('gone')
    })

    it('tells truly whether a label can be used twice', async () => {
      const { spec } = await create()
      const again = await driver.create(spec, signal()).then(
        () => 'a second one',
        (error: unknown) => faultOf(error).kind,
      )
      expect(again === 'a second one').toBe(driver.caps.createKey === 'label')
      expect((await driver.list(spec.label, signal())).length).toBe(driver.caps.createKey === 'label' ? 2 : 1)
    })
  })
}
