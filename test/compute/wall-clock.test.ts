/** Wall clocks that are set to another time while GPUs run: what is billed is the time that really passed. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRentRequest } from '../../subgraphs/compute/rentals/rent-request.js'
import { labelKeyOf } from '../../subgraphs/compute/sessions/session.js'
import type { GpuSession } from '../../subgraphs/compute/sessions/session.js'
import { createWorld, type Gateway } from './kit/world.js'

const HOUR_MS = 3_600_000
const TEN_YEARS_MS = 10 * 365 * 24 * HOUR_MS
const USD = 1_000_000_000n
const request = parseRentRequest({ gpuModel: 'L4', dockerImage: 'busybox' })

/** A rental that runs, and the true time that it has run. */
async function aRunningRental() {
  const world = createWorld({ balance: 1_000n * USD })
  const { clock, store, cloud } = world
  const gateways: Gateway[] = [world.gateway(), world.gateway()]
  /** Both servers look every second; `index` says whose turn comes first. */
  const pass = async (seconds: number, index = 0) => {
    for (const until = clock.time + seconds * 1000; clock.time < until; clock.time += 1_000) {
      await gateways[index]!.reconciler.tick()
      await gateways[1 - index]!.reconciler.tick()
    }
  }
  const { id } = await gateways[0]!.rentals.rent(request, { accountId: 'acc_a' }, null)
  const session = (): GpuSession => store.sessions.get(id)!
  while (session().phase !== 'running') await pass(1)
  const startedAt = session().runningAt!
  const end = (index = 0) => gateways[index]!.rentals.terminate(id, 'acc_a')
  return {
    ...world,
    pass,
    session,
    end,
    ranMs: () => clock.time - startedAt,
    servedMs: () => cloud.servedMs(labelKeyOf(id)),
    restart: () => void gateways.splice(0, 2, world.gateway(), world.gateway()),
  }
}

describe('a rental whose wall clock is set', () => {
  it.each([
    ['ten years ahead', TEN_YEARS_MS],
    ['an hour back', -HOUR_MS],
    ['four minutes back', -240_000],
    ['ten years back', -TEN_YEARS_MS],
  ])('%s is billed for the time that really passed, to the last second', async (_, stepMs) => {
    const { clock, pass, session, end, ranMs, ledger } = await aRunningRental()
    await pass(100)
    clock.wallStepMs += stepMs
    await pass(1_000)
    const ended = await end()
    expect(ended.terminationReason).toBe('user')
    expect(session().aliveMs - ranMs()).toBeLessThanOrEqual(0)
    expect(session().aliveMs - ranMs()).toBeGreaterThan(-2_000)
    expect(ledger.balances.get('acc_a')).toBe(1_000n * USD - ended.finalCost!)
  })

  it('back by an hour is looked at and covered all the same', async () => {
    const { clock, pass, session, ranMs } = await aRunningRental()
    await pass(100)
    clock.wallStepMs -= HOUR_MS
    await pass(1_500)
    expect(ranMs() - session().aliveMs).toBeLessThan(20_000)
    expect(session().holdAmount).toBeGreaterThan(300_000_000n)
  })

  it('is billed by a server that looks for the first time after the step for no more than the truth', async () => {
    for (const stepMs of [TEN_YEARS_MS, -HOUR_MS]) {
      const { clock, pass, session, ranMs } = await aRunningRental()
      await pass(100)
      clock.wallStepMs += stepMs
      await pass(60, 1)
      await pass(60, 0)
      expect(session().aliveMs).toBeLessThanOrEqual(ranMs())
      expect(ranMs() - session().aliveMs).toBeLessThan(20_000)
    }
  })

  it('is billed for a silence of all servers, and for at most a day of it', async () => {
    const { clock, pass, session, restart, ranMs } = await aRunningRental()
    restart()
    clock.time += 5 * HOUR_MS
    await pass(60)
    expect(ranMs() - session().aliveMs).toBeLessThan(20_000)
    restart()
    clock.wallStepMs += TEN_YEARS_MS
    await pass(60)
    expect(session().aliveMs - ranMs()).toBeLessThanOrEqual(24 * HOUR_MS)
  })

  it('is never billed for more than the truth, however often clocks are set and whoever looks', async () => {
    const deed = fc.record({
      stepSeconds: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: -4_000, max: 4_000 }), fc.constant(3e8)),
      seconds: fc.integer({ min: 1, max: 120 }),
      gateway: fc.nat({ max: 1 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 12 }), async (deeds) => {
        const { clock, pass, session, end, servedMs } = await aRunningRental()
        for (const { stepSeconds, seconds, gateway } of deeds) {
          clock.wallStepMs += stepSeconds * 1000
          await pass(seconds, gateway)
          expect(session().aliveMs).toBeLessThanOrEqual(servedMs())
        }
        await end(deeds.length % 2)
        expect(session().aliveMs).toBeLessThanOrEqual(servedMs())
      }),
      { numRuns: 100, seed: 20261122 },
    )
  })
})
