/** The contract's limits per tier, with a clock that the test moves. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Database } from '#platform/database/database.js'
import { AppError } from '#platform/errors.js'
import { contractTiers, createRateLimits, type RateLimits } from '../../subgraphs/compliance/limits/rate-limits.js'

// The limiter keeps time by the system's clock, which this replaces.
beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21), toFake: ['Date', 'setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const newLimits = (): RateLimits =>
  createRateLimits({ dialect: 'sqlite' } as Database, 'scan', { ...contractTiers, enterprise: { perMinute: 5, perDay: 7 } })

async function refusal(limits: RateLimits, account: string, tier: 'free' | 'pro' | 'enterprise'): Promise<number | null> {
  try {
    await limits.consume(account, tier)
    return null
  } catch (error) {
    expect(error).toBeInstanceOf(AppError)
    expect((error as AppError).code).toBe('rate_limit')
    return (error as AppError).retryAfterSeconds ?? -1
  }
}

async function consume(limits: RateLimits, count: number, tier: 'free' | 'pro' | 'enterprise' = 'free'): Promise<void> {
  for (let at = 0; at < count; at++) expect(await refusal(limits, 'acc_1', tier)).toBeNull()
}

describe('a minute', () => {
  it.each([
    ['free', 60],
    ['pro', 300],
    ['enterprise', 5],
  ] as const)('of the %s tier has %i requests', async (tier, count) => {
    const limits = newLimits()
    await consume(limits, count, tier)
    expect(await refusal(limits, 'acc_1', tier)).toBe(60)
  })

  it('tells the seconds that are left of it, and begins anew after them', async () => {
    const limits = newLimits()
    await consume(limits, 60)
    vi.advanceTimersByTime(45_500)
    expect(await refusal(limits, 'acc_1', 'free')).toBe(15)
    vi.advanceTimersByTime(14_500)
    await consume(limits, 60)
  })

  it('is each account’s own', async () => {
    const limits = newLimits()
    await consume(limits, 60)
    expect(await refusal(limits, 'acc_2', 'free')).toBeNull()
  })
})

describe('a day', () => {
  it('of the free tier has 1000 requests; what the minute refused is not counted', async () => {
    const limits = newLimits()
    for (let minute = 0; minute < 16; minute++) {
      await consume(limits, 60)
      for (let at = 0; at < 5; at++) expect(await refusal(limits, 'acc_1', 'free')).not.toBeNull()
      vi.advanceTimersByTime(60_000)
    }
    await consume(limits, 40)
    const wait = await refusal(limits, 'acc_1', 'free')
    expect(wait).toBe(86_400 - 16 * 60)
    vi.advanceTimersByTime((wait ?? 0) * 1000)
    expect(await refusal(limits, 'acc_1', 'free')).toBeNull()
  })
})
