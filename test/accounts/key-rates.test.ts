/** The rates of keys: exact in one process, and of several on one database within a stated bound. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RateLimits } from '#platform/requests/context.js'
import { KeyRateEntity, leaseFrom } from '../../subgraphs/accounts/rates/key-rate.js'
import { createKeyRates, type KeyRates } from '../../subgraphs/accounts/rates/key-rates.js'
import { testDatabase, type TestDatabase } from '../kit/database.js'
import { ManualClock } from '../kit/manual-clock.js'

const MINUTE_MS = 60_000
const limitsOf = (requestsPerMinute: number | null, tokensPerMinute: number | null = null): RateLimits => ({
  group: 'key_1',
  requestsPerMinute,
  tokensPerMinute,
})

const isLetIn = async (rates: KeyRates, limits: RateLimits, tokens = 0) => (await rates.take(limits, tokens)).refusedBy === null

describe('one process', () => {
  it('lets in as many requests and tokens of each minute as the rates say, whatever is asked and when', async () => {
    const asked = fc.record({ afterMs: fc.nat(40_000), tokens: fc.nat(60), used: fc.nat(120) })
    const ever = fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 100 }),
      fc.array(asked),
      async (most, mostTokens, asks) => {
        const clock = new ManualClock()
        const rates = createKeyRates(clock, null)
        let [minute, requests, tokens] = [-1, 0, 0]
        for (const { afterMs, tokens: wanted, used } of asks) {
          await clock.advance(afterMs)
          const now = Math.floor(clock.now() / MINUTE_MS)
          if (now !== minute) [minute, requests, tokens] = [now, 0, 0]
          const setAside = Math.min(wanted, mostTokens)
          const grant = await rates.take(limitsOf(most, mostTokens), wanted)
          const refusedBy = requests === most ? 'requests' : tokens + setAside > mostTokens ? 'tokens' : null
          expect(grant.refusedBy).toBe(refusedBy)
          if (refusedBy !== null) continue
          requests++
          expect(grant).toMatchObject({ requests: { limit: most, remaining: most - requests }, tokens: { limit: mostTokens } })
          grant.settle(used)
          tokens += used
        }
      },
    )
    await fc.assert(ever, { numRuns: 100 })
  })

  it('counts what an answer took beyond what was set aside in the minute of its end, and gives back nothing of an old one', async () => {
    const clock = new ManualClock()
    const rates = createKeyRates(clock, null)
    const long = await rates.take(limitsOf(null, 100), 10)
    const short = await rates.take(limitsOf(null, 100), 50)
    await clock.advance(MINUTE_MS)
    long.settle(70)
    short.settle(0)
    expect((await rates.take(limitsOf(null, 100), 0)).tokens).toEqual({ limit: 100, remaining: 40 })
  })

  it('lets a request that is larger than the rate into a minute of its own', async () => {
    const rates = createKeyRates(new ManualClock(), null)
    expect(await isLetIn(rates, limitsOf(null, 100), 5_000)).toBe(true)
    expect(await isLetIn(rates, limitsOf(null, 100), 1)).toBe(false)
  })

  it('says the whole seconds until the minute is over', async () => {
    const clock = new ManualClock()
    const rates = createKeyRates(clock, null)
    await clock.advance(12_300)
    expect((await rates.take(limitsOf(1), 0)).resetSeconds).toBe(48)
  })

  it('goes by new rates at once', async () => {
    const rates = createKeyRates(new ManualClock(), null)
    expect(await isLetIn(rates, limitsOf(1))).toBe(true)
    expect(await isLetIn(rates, limitsOf(1))).toBe(false)
    expect(await isLetIn(rates, limitsOf(2))).toBe(true)
  })
})

describe('several processes', () => {
  it('never let in less than the rate, and not a twentieth more for each of them, in whatever order their shares arrive', async () => {
    const ever = fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 4 }),
      async (scheduler, most, processes) => {
        let taken = 0
        const lease = scheduler.scheduleFunction(async (_id: string, _minute: number, amount: number) => (taken += amount))
        const clock = new ManualClock()
        const asks = Array.from({ length: processes }, () => createKeyRates(clock, lease)).flatMap((rates) =>
          Array.from({ length: most + 2 }, () => isLetIn(rates, limitsOf(most))),
        )
        const letIn = (await scheduler.waitFor(Promise.all(asks))).filter(Boolean).length
        expect(letIn).toBeGreaterThanOrEqual(most)
        expect(letIn).toBeLessThanOrEqual(most + processes * Math.max(1, Math.floor(most / 20)))
      },
    )
    await fc.assert(ever, { numRuns: 100 })
  })

  it('ask the database once for many requests', async () => {
    let asked = 0
    let taken = 0
    const rates = createKeyRates(new ManualClock(), async (_id, _minute, amount) => (asked++, (taken += amount)))
    for (let at = 0; at < 1_000; at++) await isLetIn(rates, limitsOf(1_000))
    expect(asked).toBeLessThanOrEqual(11)
  })

  describe('on one PostgreSQL', () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await testDatabase('postgres', [KeyRateEntity])
    })
    afterAll(() => database[Symbol.asyncDispose]())

    it('share each minute', async () => {
      const clock = new ManualClock()
      const all = [1, 2, 3].map(() => createKeyRates(clock, leaseFrom(database)))
      for (let minute = 0; minute < 3; minute++) {
        const asks = all.flatMap((rates) => Array.from({ length: 60 }, () => isLetIn(rates, limitsOf(50))))
        const letIn = (await Promise.all(asks)).filter(Boolean).length
        expect(letIn).toBeGreaterThanOrEqual(50)
        expect(letIn).toBeLessThanOrEqual(50 + 3 * 2)
        await clock.advance(MINUTE_MS)
      }
    })
  })
})
