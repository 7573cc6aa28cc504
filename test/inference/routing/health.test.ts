/** Passive health and the circuit breaker, on a clock that is moved by hand. */
import { describe, expect, it } from 'vitest'
import { HealthTracker } from '../../../subgraphs/inference/routing/health.js'
import { ManualClock } from '../../kit/manual-clock.js'

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

  it('show no speed that only says that an answer came in one piece', () => {
    const { health } = setup()
    health.begin('d').answered({ latencyMs: 1, firstTokenMs: 1, outputTokens: 60_000, durationMs: 1.000_01 })
    expect(health.of('d').tokensPerSecond).toBe(1_000_000)
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
    // It is degraded until it has proven itself, so the next one may try already.
    expect(health.candidate('d')).toMatchObject({ isDown: false, wantsTrial: true, hasTrialInFlight: false })
    trial.answered(sample(1))
    expect(health.candidate('d').isDown).toBe(false)
  })

  it('says until when it is open', async () => {
    const { clock, health, fail } = setup()
    expect(health.openUntil('d')).toBe(null)
    fail(5)
    expect(health.openUntil('d')).toBe(clock.now() + 5_000)
    await clock.advance(2_000)
    expect(health.openUntil('d')).toBe(clock.now() + 3_000)
    await clock.advance(3_000)
    health.begin('d').answered(sample(1))
    expect(health.openUntil('d')).toBe(null)
  })

  it('opens for twice as long after each failed trial, at most half a minute', async () => {
    const { clock, health, fail } = setup()
    fail(5)
    for (const pauseMs of [5_000, 10_000, 20_000, 30_000, 30_000]) {
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

describe('a degraded deployment', () => {
  /** Degraded by three failures among good calls, which is too few to open the breaker. */
  function degraded() {
    const world = setup()
    for (let i = 0; i < 10; i++) world.health.begin('d').answered(sample(50))
    world.fail(3)
    expect(world.health.candidate('d')).toMatchObject({ status: 'degraded', isDown: false, wantsTrial: false })
    return world
  }

  it('is tried by one request at a time, after a pause that grows to half a minute with each failed trial', async () => {
    const { clock, health } = degraded()
    for (const pauseMs of [5_000, 10_000, 20_000, 30_000, 30_000]) {
      await clock.advance(pauseMs - 1)
      expect(health.beginTrial('d')).toBeNull()
      await clock.advance(1)
      const trial = health.beginTrial('d')
      expect(health.candidate('d').wantsTrial).toBe(false)
      expect(health.beginTrial('d')).toBeNull()
      trial!.failed()
      // Good calls in between keep the breaker closed.
      for (let i = 0; i < 4; i++) health.begin('d').answered(sample(50))
    }
  })

  it('is healthy after three good trials in a row, and a failed one begins again', async () => {
    const { clock, health } = degraded()
    await clock.advance(5_000)
    health.beginTrial('d')!.answered(sample(50))
    health.beginTrial('d')!.answered(sample(50))
    health.beginTrial('d')!.failed()
    await clock.advance(10_000)
    for (let i = 0; i < 3; i++) {
      expect(health.candidate('d').status).toBe('degraded')
      health.beginTrial('d')!.answered(sample(50))
    }
    expect(health.of('d')).toMatchObject({ status: 'healthy', errorRate: 0 })
  })

  it('is tried after a restart too, although its failures are only remembered', () => {
    const { health } = degraded()
    const restarted = new HealthTracker(new ManualClock())
    restarted.load(health.snapshot())
    restarted.beginTrial('d')!.answered(sample(50))
    expect(restarted.of('d').status).toBe('healthy')
  })

  it('is tried again too when it was only slow', async () => {
    const { clock, health } = setup()
    const slow = { latencyMs: 10, firstTokenMs: 10, outputTokens: 10, durationMs: 20_000 }
    for (let i = 0; i < 20; i++) health.begin('d').answered(slow)
    expect(health.candidate('d')).toMatchObject({ isSlow: true, wantsTrial: false })
    await clock.advance(30_000)
    health.beginTrial('d')!.answered(slow)
    expect(health.beginTrial('d')).toBeNull()
    await clock.advance(30_000)
    for (let i = 0; i < 3; i++) health.beginTrial('d')!.answered(sample(10))
    expect(health.candidate('d')).toMatchObject({ isSlow: false, wantsTrial: false })
  })
})

it('a wall clock that is set changes nothing', async () => {
  const { clock, health, fail } = setup()
  health.begin('d').answered(sample(50))
  fail(5)
  clock.setWallClock(10 * 365 * 86_400_000)
  expect(health.candidate('d')).toMatchObject({ isDown: true, status: 'down' })
  expect(health.of('d').samples).toBe(6)
  clock.setWallClock(-20 * 365 * 86_400_000)
  await clock.advance(5_000)
  expect(health.candidate('d')).toMatchObject({ isDown: false, wantsTrial: true })
})
