/** Where requests go while a provider fails and after it has recovered, through the whole service on a clock moved by hand. */
import { describe, expect, it } from 'vitest'
import type { AppError } from '#platform/errors.js'
import { ManualClock } from '../../kit/manual-clock.js'
import { answersBoth, fails, fakeUsage, streams, type Scene } from '../../kit/fake-provider-scenes.js'
import { startFakeProvider } from '../../kit/fake-provider.js'
import { body, candidate, chatKit, collect, contextFor } from '../chat-kit.js'

const good = answersBoth({ pieces: ['fine'] })
const DEARER = { versionId: 'pv_2', tokenPrice: { input: 2_000_000n, output: 4_000_000n, cachedInput: null } }

/** A cheap and a dear provider of one model. */
async function world(cheap: Scene, dear: Scene = good) {
  const clock = new ManualClock()
  const provider = await startFakeProvider(dear)
  provider.scenes.set('cheap', cheap)
  const deployments = [
    candidate(provider.baseUrl, { deploymentId: 'cheap', providerModelId: 'cheap' }),
    candidate(provider.baseUrl, { deploymentId: 'dear', providerId: 'hp-2', providerModelId: 'dear', price: DEARER }),
  ]
  const kit = chatKit({ deployments, clock })
  const ask = () => kit.chat.complete(body(), contextFor({ startedAt: clock.monotonic() }))
  const served = () => kit.ledger.usage.at(-1)!.route.servedBy
  return {
    clock,
    provider,
    kit,
    ask,
    served,
    async [Symbol.asyncDispose]() {
      await kit[Symbol.asyncDispose]()
      await provider[Symbol.asyncDispose]()
    },
  }
}

describe('a cheap provider that recovers', () => {
  it.each([
    ['three failures among good answers', 10, 3],
    ['minutes of nothing but failures', 0, 300],
  ])('after %s has all of the traffic again within 60 s, and nobody sees a failure', async (_, before, failing) => {
    await using w = await world(good)
    for (let i = 0; i < before; i++) await w.ask()
    w.provider.scenes.set('cheap', fails(500))
    for (let i = 0; i < failing; i++) {
      await w.ask()
      expect(w.served()).toBe('dear')
      await w.clock.advance(1_000)
    }
    w.provider.scenes.set('cheap', good)
    let cheapAgain: number | null = null
    for (let second = 0; second < 60; second++) {
      await w.ask()
      if (w.served() === 'dear') cheapAgain = null
      else cheapAgain ??= second
      await w.clock.advance(1_000)
    }
    expect(cheapAgain).toBeLessThan(60)
    expect(w.kit.subgraph.health.of('cheap').status).toBe('healthy')
  })

  it('is tried by exactly one of many parallel requests while it is degraded', async () => {
    await using w = await world(good)
    for (let i = 0; i < 10; i++) await w.ask()
    w.provider.scenes.set('cheap', fails(500))
    for (let i = 0; i < 3; i++) await w.ask()
    await w.clock.advance(5_000)
    const waiting: (() => void)[] = []
    w.provider.scenes.set('cheap', (response, call) => void waiting.push(() => void good(response, call)))
    const earlier = w.provider.calls.length
    const all = Promise.all(Array.from({ length: 50 }, w.ask))
    await w.provider.until(() => w.provider.calls.length === earlier + 50)
    expect(waiting).toHaveLength(1)
    waiting[0]!()
    await all
    expect(Map.groupBy(w.kit.ledger.usage.slice(-50), ({ route }) => route.servedBy).get('cheap')).toHaveLength(1)
  })
})

describe('when every provider answers 429', () => {
  const failure = (answer: Promise<unknown>): Promise<AppError> =>
    answer.then(
      () => Promise.reject(new Error('was answered')),
      (error: AppError) => error,
    )

  it('the 502 carries the longest Retry-After that they gave', async () => {
    await using w = await world(fails(429, { 'retry-after': '7' }), fails(429, { 'retry-after': '21.4' }))
    expect(await failure(w.ask())).toMatchObject({ httpStatus: 502, code: 'upstream_error', retryAfterSeconds: 22 })
  })

  it('and one of them gave no time, it carries what the others gave; none when nobody did', async () => {
    await using w = await world(fails(429), fails(429, { 'retry-after': '3' }))
    expect((await failure(w.ask())).retryAfterSeconds).toBe(3)
    await using silent = await world(fails(429), fails(429))
    expect((await failure(silent.ask())).retryAfterSeconds).toBeUndefined()
  })

  it('but one, which is broken, no time helps', async () => {
    await using w = await world(fails(429, { 'retry-after': '7' }), fails(500))
    expect((await failure(w.ask())).retryAfterSeconds).toBeUndefined()
  })
})

describe('a request without a limit', () => {
  it('may be as long as the model writes: the hold covers it and the provider is not told less', async () => {
    await using provider = await startFakeProvider(good)
    const capabilities = {
      contextWindow: 200_000,
      maxOutputTokens: 64_000,
      supportsFunctionCalling: null,
      supportsJsonMode: null,
    }
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl, { capabilities })] })
    await kit.chat.complete(body({ max_tokens: undefined }), contextFor())
    expect(provider.calls[0]!.body).not.toHaveProperty('max_tokens')
    expect(kit.ledger.holds.values().next().value!.amount).toBeGreaterThanOrEqual(128_000n)
  })

  it('is as long as credits reach when they do not reach that far, and the provider is told', async () => {
    await using provider = await startFakeProvider(good)
    const capabilities = {
      contextWindow: 200_000,
      maxOutputTokens: 64_000,
      supportsFunctionCalling: null,
      supportsJsonMode: null,
    }
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl, { capabilities })], balance: 80_000n })
    await kit.chat.complete(body({ max_tokens: undefined }), contextFor())
    const told = provider.calls[0]!.body['max_tokens'] as number
    expect(told).toBeGreaterThan(39_900)
    expect(told).toBeLessThanOrEqual(40_000)
  })
})

describe('a wall clock that is set ten years ahead in the middle of a stream', () => {
  it('ends nothing, and what was delivered is charged with the time that it really took', async () => {
    const clock = new ManualClock()
    const pieces = Array.from({ length: 40 }, (_, index) => ` word${index}`)
    await using provider = await startFakeProvider(streams({ pieces, usageObject: fakeUsage(11, 40) }))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)], clock })
    const stream = await kit.chat.stream(body({ stream: true }), contextFor({ startedAt: clock.monotonic() }))
    const events = stream as Extract<typeof stream, AsyncIterable<unknown>>
    await events.next()
    await clock.advance(2_000)
    clock.setWallClock(10 * 365 * 86_400_000)
    // The meter looks at every stream, and the provider's timers at the provider.
    await clock.advance(1_000)
    const { chunks } = await collect(events)
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }], usage: { completion_tokens: 40 } })
    expect(kit.ledger.usage).toMatchObject([{ endedAs: 'completed', tokens: { output: 40 }, durationMs: 3_000 }])
  })
})
