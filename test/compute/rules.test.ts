/** The pure rules of compute: offers, prices, probabilities, labels, estimates. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { remainingSeconds } from '../../subgraphs/compute/deployments/deploying-status.js'
import { percentile75 } from '../../subgraphs/compute/deployments/deployments.js'
import { instanceLabel, labelPrefix, parseLabel } from '../../subgraphs/compute/drivers/driver.js'
import { knownGpu } from '../../subgraphs/compute/offers/gpu-table.js'
import { withExperience } from '../../subgraphs/compute/offers/interruption.js'
import { cheapestFirst, matchesFilter, offersFor } from '../../subgraphs/compute/offers/offer.js'
import { importOffers, shippedOffers, type StatedOffer } from '../../subgraphs/compute/offers/offer-catalogue.js'
import { shippedRecipes } from '../../subgraphs/compute/deployments/recipe.js'
import { defaultPolicy } from '../../subgraphs/compute/policy.js'
import { absorb } from '../../subgraphs/compute/reconciler/absorb.js'
import { doubtEndsAt } from '../../subgraphs/compute/reconciler/plan.js'
import { isOrphan } from '../../subgraphs/compute/reconciler/sweep.js'
import { costOf, holdFor, secondsCovered } from '../../subgraphs/compute/sessions/session-cost.js'
import { labelKeyOf } from '../../subgraphs/compute/sessions/session.js'
import { newSessionId } from '../../subgraphs/compute/sessions/session.js'
import { aSession } from './kit/session-fixture.js'
import { testOffer } from './kit/world.js'

const stated = (fields: Partial<StatedOffer> = {}): StatedOffer => ({
  driverId: 'd',
  providerId: 'p',
  region: 'r',
  gpu: 'L4',
  gpuCount: 1,
  pricePerGpuHour: 500_000_000n,
  spot: false,
  interruption: null,
  fetchedAt: 0,
  reference: null,
  ...fields,
})

describe('the importer', () => {
  it.each([
    [{ gpu: 'Quantum 9000' }, 'unknown_gpu'],
    [{ pricePerGpuHour: 20_000_000n }, 'price_too_low'],
    [{ pricePerGpuHour: 40_000_000_001n }, 'price_too_high'],
    [{ gpuCount: 0 }, 'bad_count'],
  ] as const)('puts %o into quarantine as %s', (fields, reason) => {
    expect(importOffers([stated(fields)])).toMatchObject({ offers: [], quarantine: [{ reason }] })
  })

  it('distrusts spot that is not cheaper than on-demand at the same place', () => {
    const { offers, quarantine } = importOffers([stated(), stated({ spot: true }), stated({ spot: true, region: 'other' })])
    expect(offers).toHaveLength(2)
    expect(quarantine).toMatchObject([{ reason: 'spot_above_on_demand' }])
  })

  it('takes memory from our own table and flags an assumed probability', () => {
    const [offer] = importOffers([stated({ gpu: 'NVIDIA H100 80GB HBM3', spot: true })]).offers
    expect(offer).toMatchObject({ gpuModel: 'H100', vramGb: 80, interruptionProbability: 0.15, interruptionOrigin: 'prior' })
  })

  it('accepts the whole shipped catalogue, with its date', () => {
    const offers = shippedOffers('sandbox')
    expect(offers.length).toBeGreaterThanOrEqual(80)
    expect(new Set(offers.map(({ fetchedAt }) => fetchedAt))).toEqual(new Set([Date.UTC(2026, 7, 31)]))
    expect(new Set(offers.map(({ interruptionOrigin }) => interruptionOrigin))).toEqual(
      new Set(['on_demand', 'prior', 'published']),
    )
  })

  it('ships a recipe for every model with a GPU that the catalogue has in the size it needs', () => {
    const offers = shippedOffers('sandbox')
    for (const recipe of shippedRecipes().values()) {
      const need = { filter: { gpuModel: recipe.gpuModel }, gpuCount: recipe.gpuCount, totalVramGb: recipe.minVramGb }
      expect([recipe.modelId, offersFor(offers, need, () => false).length > 0]).toEqual([recipe.modelId, true])
    }
  })
})

describe('offers', () => {
  it('pass only when every filter lets them', () => {
    const offer = testOffer()
    const filter = { gpuModel: 'l4', providerId: 'gp90', region: 'eu-1', minVramGb: 24, maxPricePerGpuHour: 720_000_000n }
    expect(matchesFilter(offer, filter)).toBe(true)
    const others = { gpuModel: 'L40S', providerId: 'x', region: 'x', minVramGb: 25, maxPricePerGpuHour: 719_999_999n }
    for (const [key, value] of Object.entries(others)) expect(matchesFilter(offer, { ...filter, [key]: value })).toBe(false)
  })

  it('are ordered the same way however they arrive', () => {
    const offers = shippedOffers('sandbox')
    const sorted = offers.toSorted(cheapestFirst)
    fc.assert(
      fc.property(fc.shuffledSubarray(offers, { minLength: offers.length }), (shuffled) => {
        expect(shuffled.toSorted(cheapestFirst).map(({ pricePerGpuHour }) => pricePerGpuHour)).toEqual(
          sorted.map(({ pricePerGpuHour }) => pricePerGpuHour),
        )
      }),
      { numRuns: 20 },
    )
  })

  it('are chosen by what the whole session costs, in the multiples that are sold', () => {
    const single = testOffer({ pricePerGpuHour: 1_000_000_000n })
    const four = testOffer({ pricePerGpuHour: 500_000_000n, gpuCount: 4 })
    const eight = testOffer({ pricePerGpuHour: 300_000_000n, gpuCount: 8, providerId: 'gp99' })
    const cheapest = (gpuCount: number) => offersFor([single, four, eight], { filter: {}, gpuCount }, () => false)[0]
    expect(cheapest(1)).toBe(single)
    expect(cheapest(3)).toBe(four)
    expect(cheapest(8)).toBe(eight)
    expect(offersFor([single], { filter: {}, gpuCount: 1, totalVramGb: 25 }, () => false)).toEqual([])
    expect(offersFor([single], { filter: {}, gpuCount: 1 }, () => true)).toEqual([])
  })

  it('know GPUs under the names that providers use', () => {
    expect(knownGpu('NVIDIA GeForce RTX 4090')?.gpuModel).toBe('RTX-4090')
    expect(knownGpu('A100 SXM4')?.gpuModel).toBe('A100-80GB')
    expect(knownGpu('RTX 6000Ada')?.gpuModel).toBe('RTX-6000-Ada')
    expect(knownGpu('constructor')).toBeNull()
  })
})

describe('interruption probabilities', () => {
  it('move slowly from the stated one towards what was seen', () => {
    const offer = testOffer({ interruptionProbability: 0.15 })
    const after = (runningDays: number, interruptions: number) => withExperience(offer, { runningDays, interruptions })
    expect(after(0.5, 0)).toBe(offer)
    expect(after(30, 0).interruptionProbability).toBeLessThan(0.15)
    expect(after(0.1, 1).interruptionProbability).toBeGreaterThan(0.5)
    expect(after(300, 1)).toMatchObject({ interruptionOrigin: 'observed', interruptionProbability: expect.closeTo(0.1, 1) })
    expect(
      withExperience(testOffer({ spot: false, interruptionProbability: 0 }), { runningDays: 9, interruptions: 9 })
        .interruptionProbability,
    ).toBe(0)
  })
})

describe('the cost of a session', () => {
  const price = fc.bigInt({ min: 1n, max: 400_000_000_000n })

  it('is the same however often it is worked out, and never falls', () => {
    fc.assert(
      fc.property(price, fc.nat(10_000_000), fc.nat(10_000_000), (hourly, a, b) => {
        expect(costOf(hourly, a) <= costOf(hourly, a + b)).toBe(true)
        expect(costOf(hourly, 3_600_000)).toBe(hourly)
        expect(costOf(hourly, a) * 3600n >= hourly * BigInt(Math.floor(a / 1000))).toBe(true)
      }),
    )
  })

  it('is covered by a hold for exactly as long as the hold was made for', () => {
    fc.assert(
      fc.property(price, fc.integer({ min: 1, max: 100_000 }), (hourly, seconds) => {
        const hold = holdFor(hourly, seconds)
        expect(secondsCovered(hourly, hold)).toBeGreaterThanOrEqual(seconds)
        expect(costOf(hourly, seconds * 1000)).toBe(hold)
      }),
    )
    expect(costOf(720_000_000n, -5)).toBe(0n)
    expect(secondsCovered(720_000_000n, -1n)).toBe(0)
  })
})

describe('labels', () => {
  it('name the installation, the session and the attempt, in what every provider takes as a name', () => {
    const id = newSessionId('rental', Date.UTC(2099, 1))
    const label = instanceLabel('abc123', id, 12)
    expect(label).toMatch(/^[a-z][a-z0-9-]{1,40}$/)
    expect(label.startsWith(labelPrefix('abc123'))).toBe(true)
    expect(parseLabel(label)).toEqual({ sessionKey: labelKeyOf(id), attempt: 12 })
    expect(parseLabel('somebody-elses-machine')).toBeNull()
  })

  it('tell an orphan from an instance that is answered for', () => {
    const session = aSession({ attempt: 2, instanceId: 'i-2' })
    const seen = (attempt: number, instanceId: string) =>
      ({
        instanceId,
        label: instanceLabel('x', session.id, attempt),
        status: 'running',
        endpointUrl: null,
        sshHost: null,
        sshPort: null,
      }) as const
    expect(isOrphan(seen(2, 'i-2'), session)).toBe(false)
    expect(isOrphan(seen(2, 'i-9'), session)).toBe(true)
    expect(isOrphan(seen(1, 'i-1'), session)).toBe(true)
    expect(isOrphan(seen(2, 'i-2'), undefined)).toBe(true)
    expect(isOrphan(seen(2, 'i-2'), { ...session, phase: 'terminated' })).toBe(true)
    expect(isOrphan(seen(2, 'i-2'), { ...session, instanceId: null })).toBe(false)
    expect(isOrphan({ ...seen(2, 'i-2'), label: 'other' }, undefined)).toBe(false)
  })
})

describe('a create in doubt', () => {
  const caps = {
    spot: false,
    bid: false,
    image: false,
    ssh: false,
    createKey: 'label',
    createTimeoutMs: 10_000,
    listLagMs: 2_000,
    provisionTimeoutMs: 3_600_000,
    pollMs: 250,
    billsBoot: false,
  } as const

  it('is looked at again as soon as another attempt is safe, however often it was looked at before', () => {
    const looks = fc.record({
      waitedMs: fc.integer({ min: 0, max: 12_000 }),
      setbacks: fc.nat(12),
      random: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(looks, ({ waitedMs, setbacks, random }) => {
        const session = aSession({ phase: 'creating', attempt: 1, attemptAt: 5_000, setbacks })
        const now = 5_000 + waitedMs
        const context = { now, monotonic: now, aliveSince: () => 0, installId: 'x', policy: defaultPolicy, caps }
        const { patch } = absorb(session, { of: 'adopt', found: [] }, { ...context, random: () => random })
        expect(patch.dueAt).toBeGreaterThan(now)
        expect(patch.dueAt).toBeLessThanOrEqual(doubtEndsAt(5_000, caps) + 1)
      }),
    )
  })
})

describe('estimates', () => {
  it('take the upper quartile and never promise less than a tenth when overdue', () => {
    expect(percentile75([10, 20, 30, 40])).toBe(30)
    expect(percentile75([5])).toBe(5)
    const session = aSession({ createdAt: 0, estimatedReadySeconds: 100 })
    expect(remainingSeconds(session, 30_000)).toBe(70)
    expect(remainingSeconds(session, 95_000)).toBe(10)
    expect(remainingSeconds(session, 500_000)).toBe(10)
  })
})
