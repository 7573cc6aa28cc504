/** Passive health and the circuit breaker, on a clock that is moved by hand. */
import { describe, expect, it } from 'vitest'
import { HealthTracker } from '../../subgraphs/inference/health.js'
import { ManualClock } from '../kit/manual-clock.js'

const sample = (latencyMs: number) => ({ latencyMs, firstTokenMs: latencyMs, outputTokens: 100, durationMs: latencyMs + 1_000 })

function setup() {
  const clock = new ManualClock()
  const health = new HealthTracker(clock)
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) health.begin('d').failed()
  }
  return { clock, health, fail }
}

describe('figures', () => {
  it('are percentiles of real calls, and nothing before the first', () => {
    const { health } = setup()
    expect(health.of('d')).toMatchObject({ status: 'healthy', latencyP50Ms: null, errorRate: 0, samples: 0 })
    for (let i = 1; i <= 100; i++) health.begin('d').answered(sample(i))
    expect(health.of('d')).toMatchObject({
      status: 'healthy',
      latencyP50Ms: 51,
      latencyP95Ms: 96,
      timeToFirstTokenMs: 51,
      tokensPerSecond: 100,
      samples: 100,
    })
  })

  it('survive a restart, without the open breaker', () => {
    const { health, fail } = setup()
    health.begin('d').answered(sample(50))
    fail(5)
    const restarted = new HealthTracker(new ManualClock())
    restarted.load(JSON.parse(JSON.stringify(health.snapshot())))
    expect(restarted.of('d')).toMatchObject({ status: 'degraded', latencyP50Ms: 50 })
    expect(restarted.candidate('d').isDown).toBe(false)
  })

  it('forget what is older than a quarter of an hour', async () => {
    const { clock, health, fail } = setup()
    health.begin('d').answered(sample(50))
    fail(4)
    expect(health.of('d').status).toBe('degraded')
    await clock.advance(15 * 60_000 + 1)
    expect(health.of('d')).toMatchObject({ status: 'healthy', errorRate: 0, samples: 0 })
  })

  it('count each call once, whatever is reported after it', () => {
    const { health } = setup()
    const trial = health.begin('d')
    trial.answered(sample(5))
    trial.failed()
    trial.rateLimited(null)
    expect(health.of('d')).toMatchObject({ samples: 1, errorRate: 0 })
  })
})

describe('the breaker', () => {
  it('opens after five failures in a row, or when half of the recent calls fail', () => {
    const { health, fail } = setup()
    fail(4)
    expect(health.candidate('d').isDown).toBe(false)
    fail(1)
    expect(health.candidate('d')).toMatchObject({ isDown: true, status: 'down' })
    for (let i = 0; i < 5; i++) {
      health.begin('e').answered(sample(1))
      health.begin('e').failed()
    }
    expect(health.candidate('e').isDown).toBe(true)
  })

  it('lets one real request try when the pause is over, and closes when it is answered', async () => {
    const { clock, health, fail } = setup()
    fail(5)
    await clock.advance(5_000)
    expect(health.candidate('d')).toMatchObject({ isDown: false, wantsTrial: true })
    const trial = health.begin('d')
    expect(health.candidate('d')).toMatchObject({ wantsTrial: false, hasTrialInFlight: true })
    trial.alive()
    expect(health.candidate('d')).toMatchObject({ isDown: false, wantsTrial: false, hasTrialInFlight: false })
    trial.answered(sample(1))
    expect(health.candidate('d').isDown).toBe(false)
  })

  it('opens for twice as long after each failed trial, at most two minutes', async () => {
    const { clock, health, fail } = setup()
    fail(5)
    for (const pauseMs of [5_000, 10_000, 20_000, 40_000, 80_000, 120_000, 120_000]) {
      await clock.advance(pauseMs - 1)
      expect(health.candidate('d').isDown).toBe(true)
      await clock.advance(1)
      expect(health.candidate('d').isDown).toBe(false)
      health.begin('d').failed()
    }
  })

  it('gives the trial to another when the caller left', async () => {
    const { clock, health, fail } = setup()
    fail(5)
    await clock.advance(5_000)
    health.begin('d').abandoned()
    expect(health.candidate('d').wantsTrial).toBe(true)
  })

  it('is not tripped by 429, which only lowers the place for as long as the provider says', async () => {
    const { clock, health } = setup()
    for (let i = 0; i < 20; i++) health.begin('d').rateLimited(7_000)
    expect(health.candidate('d')).toMatchObject({ isDown: false, isRateLimited: true, status: 'degraded' })
    await clock.advance(7_000)
    expect(health.candidate('d')).toMatchObject({ isRateLimited: false, status: 'healthy' })
    health.begin('e').rateLimited(3_600_000)
    await clock.advance(60_000)
    expect(health.candidate('e').isRateLimited).toBe(false)
  })
})
