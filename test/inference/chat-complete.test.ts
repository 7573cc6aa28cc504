/** Whole answers: what the caller sees, and what is billed. */
import { describe, expect, it } from 'vitest'
import type { AppError } from '#platform/errors.js'
import { ChatCompletion, ModelDeploying } from '../../subgraphs/inference/index.js'
import { answers, echoes, fails, fakeUsage, hangs, resets, wholeJson, type Scene } from '../kit/fake-provider-scenes.js'
import { startFakeProvider } from '../kit/fake-provider.js'
import { body, candidate, chatKit, contextFor, model, PRICE, turns } from './chat-kit.js'

async function completed(result: Promise<ChatCompletion | ModelDeploying>): Promise<ChatCompletion> {
  const answer = await result
  if (!(answer instanceof ChatCompletion)) throw new Error('deploying')
  return answer
}

const failure = (result: Promise<unknown>): Promise<AppError> =>
  result.then(
    () => Promise.reject(new Error('was answered')),
    (error: AppError) => error,
  )

/** Two deployments of one model at one server, the first cheaper, each with its own scene. */
async function twoProviders(first: Scene, second: Scene) {
  const provider = await startFakeProvider(second)
  provider.scenes.set('first', first)
  const dearer = { versionId: 'pv_2', tokenPrice: { input: 2_000_000n, output: 4_000_000n, cachedInput: null } }
  const deployments = [
    candidate(provider.baseUrl, { providerModelId: 'first' }),
    candidate(provider.baseUrl, { deploymentId: 'dep-2', providerId: 'hp-2', providerModelId: 'second', price: dearer }),
  ]
  return { provider, deployments }
}

describe('a complete answer', () => {
  it('has our id and model, the unknown fields of the provider, and real usage', async () => {
    await using provider = await startFakeProvider(
      answers(wholeJson('Hi', fakeUsage(11, 3, { x: 1 }), { system_fingerprint: 'fp', custom: { a: 1 } })),
    )
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    const { raw } = await completed(kit.chat.complete(body(), contextFor()))
    expect(raw).toMatchObject({
      object: 'chat.completion',
      model: 'my-model',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14, x: 1 },
      system_fingerprint: 'fp',
      custom: { a: 1 },
    })
    expect(raw['id']).toMatch(/^chatcmpl-/)
  })

  it('is charged once, at the reported counts and the price version in force', async () => {
    await using provider = await startFakeProvider(answers(wholeJson('Hi')))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    const context = contextFor()
    await kit.chat.complete(body(), context)
    expect(kit.ledger.captured).toEqual([17n])
    expect(kit.ledger.held).toBe(0n)
    expect(kit.ledger.usage).toMatchObject([
      {
        requestId: context.requestId,
        accountId: 'acc_1',
        keyId: 'key_1',
        modelId: 'my-model',
        deploymentId: 'dep-1',
        priceVersionId: PRICE.versionId,
        tokens: { input: 11, cachedInput: 0, output: 3 },
        usageSource: 'reported',
        cost: 17n,
        endedAs: 'completed',
        route: {
          requested: 'my-model',
          servedBy: 'dep-1',
          attempts: [{ deploymentId: 'dep-1', outcome: 'answered', status: 200 }],
        },
      },
    ])
  })

  it('bills cached tokens once, at their own price', async () => {
    const usage = fakeUsage(100, 10, { prompt_tokens_details: { cached_tokens: 40 } })
    await using provider = await startFakeProvider(answers(wholeJson('Hi', usage)))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    await kit.chat.complete(body(), contextFor())
    expect(kit.ledger.usage[0]!.tokens).toEqual({ input: 60, cachedInput: 40, output: 10 })
    expect(kit.ledger.captured).toEqual([100n])
  })

  it('is counted when the provider sends no usage, and an explicit zero stays zero', async () => {
    await using provider = await startFakeProvider(answers(wholeJson('Hello there, friend', null)))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    const { raw } = await completed(kit.chat.complete(body(), contextFor()))
    expect(kit.ledger.usage[0]).toMatchObject({ usageSource: 'counted', tokens: { input: 8, cachedInput: 0, output: 4 } })
    expect(raw['usage']).toEqual({ prompt_tokens: 8, completion_tokens: 4, total_tokens: 12 })
    provider.scene = answers(wholeJson('Hello there, friend', fakeUsage(0, 0)))
    await kit.chat.complete(body(), contextFor())
    expect(kit.ledger.usage[1]).toMatchObject({
      usageSource: 'reported',
      tokens: { input: 0, cachedInput: 0, output: 0 },
      cost: 0n,
    })
  })

  it('never costs more than its hold, whatever the provider reports, and says what it costs', async () => {
    await using provider = await startFakeProvider(answers(wholeJson('Hi', fakeUsage(1_000_000, 1_000_000))))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    const { raw } = await completed(kit.chat.complete(body(), contextFor()))
    expect(kit.ledger.usage[0]).toMatchObject({ usageSource: 'counted', tokens: { input: 8, output: 1 }, cost: 10n })
    expect(kit.ledger.captured).toEqual([10n])
    expect(raw['usage']).toEqual({ prompt_tokens: 8, completion_tokens: 1, total_tokens: 9 })
    provider.scene = answers(wholeJson('Hi', fakeUsage(1_000_000, 3)))
    const again = await completed(kit.chat.complete(body(), contextFor()))
    const { cost, tokens } = kit.ledger.usage[1]!
    expect(cost).toBe(BigInt(tokens.input) + 6n)
    expect(again.raw['usage']).toMatchObject({ prompt_tokens: tokens.input, completion_tokens: 3 })
    expect(cost).toBeLessThan(300n)
  })

  it('takes nothing of the caller up but the body and the trace context', async () => {
    await using provider = await startFakeProvider(echoes)
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    const headers = new Map([
      ['traceparent', traceparent],
      ['authorization', 'Bearer caller'],
      ['idempotency-key', 'x'],
      ['prefer', 'wait=1'],
    ])
    await kit.chat.complete(body({ reasoning_effort: 'low', stop: null, stream_options: null }), contextFor({ headers }))
    const [call] = provider.calls
    expect(Object.keys(call!.headers).sort()).toEqual([
      'accept',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
      'traceparent',
      'user-agent',
    ])
    expect(call!.headers).toMatchObject({ authorization: 'Bearer provider-key', traceparent })
    expect(call!.path).toBe('/v1/chat/completions')
    expect(call!.body).toEqual({ ...body(), model: 'vendor/model', stream: false, reasoning_effort: 'low' })
  })

  it('leaves only after the hold and the settlement are durable', async () => {
    await using provider = await startFakeProvider(answers(wholeJson('Hi')))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    const commits: (() => void)[] = []
    kit.ledger.commit = () => new Promise((resolve) => commits.push(resolve))
    let isAnswered = false
    const answer = kit.chat.complete(body(), contextFor()).then(() => (isAnswered = true))
    // The provider is called beside the hold, because credits are plentiful.
    await provider.until(() => provider.calls.some(({ isFinished }) => isFinished))
    await new Promise((resolve) => setImmediate(resolve))
    expect(commits).toHaveLength(1)
    commits[0]!()
    while (commits.length < 2) await new Promise((resolve) => setImmediate(resolve))
    expect(isAnswered).toBe(false)
    commits[1]!()
    await answer
  })
})

describe('402', () => {
  it('is answered with the live balance, and without calling a provider', async () => {
    await using provider = await startFakeProvider(answers(wholeJson('Hi')))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)], balance: 100n })
    const error = await failure(kit.chat.complete(body(), contextFor()))
    expect(error).toMatchObject({ httpStatus: 402, code: 'insufficient_credits' })
    expect(error.message).toContain('$0.0000001 ')
    expect(provider.calls).toHaveLength(0)
  })

  it('ends a provider call that was begun beside a hold that was then refused, and nothing is charged', async () => {
    await using provider = await startFakeProvider(hangs)
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    kit.ledger.commit = async () => {
      await provider.until(() => provider.calls.length === 1)
      kit.ledger.balance = 1n
    }
    expect(await failure(kit.chat.complete(body(), contextFor()))).toMatchObject({ httpStatus: 402 })
    await provider.until(() => provider.calls[0]!.abortedAt !== null)
    expect(kit.ledger.captured).toEqual([])
  })

  it('is the answer when the hold is refused after the provider has answered', async () => {
    await using provider = await startFakeProvider(answers(wholeJson('Hi')))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    kit.ledger.commit = async () => {
      await provider.until(() => provider.calls.some(({ isFinished }) => isFinished))
      await turns()
      kit.ledger.balance = 1n
    }
    expect(await failure(kit.chat.complete(body(), contextFor()))).toMatchObject({ httpStatus: 402 })
    expect(kit.ledger.usage).toEqual([])
  })

  it('is not the answer when an exact count of the prompt fits, or when a shorter answer does', async () => {
    await using provider = await startFakeProvider(echoes)
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)], balance: 3_000n })
    const long = [{ role: 'user', content: 'The quick brown fox jumps over the lazy dog. '.repeat(100) }]
    await kit.chat.complete(body({ messages: long }), contextFor())
    await kit.chat.complete(body({ messages: long, max_tokens: undefined }), contextFor())
    const told = provider.calls.map((call) => call.body['max_tokens'])
    expect(told[0]).toBe(100)
    expect(told[1]).toBeGreaterThan(900)
    expect(told[1]).toBeLessThan(1_100)
  })

  it('meets every concurrent request that the balance does not cover, and the others are answered', async () => {
    const answer = answers(wholeJson('Hi', fakeUsage(0, 0)))
    await using provider = await startFakeProvider(answer)
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    await kit.chat.complete(body(), contextFor())
    const { amount } = kit.ledger.holds.values().next().value!
    kit.ledger.balance = amount * 25n
    const waiting: (() => void)[] = []
    provider.scene = (response, call) => void waiting.push(() => void answer(response, call))
    const results = Promise.allSettled(Array.from({ length: 100 }, () => kit.chat.complete(body(), contextFor())))
    // Holds are a little smaller once the prompt is counted exactly, so one more may fit in what is left.
    await provider.until(() => waiting.length >= 25)
    expect(kit.ledger.held).toBeLessThanOrEqual(kit.ledger.balance)
    expect(kit.ledger.held + amount).toBeGreaterThan(kit.ledger.balance)
    for (const go of waiting) go()
    const statuses = (await results).map((result) =>
      result.status === 'fulfilled' ? 200 : (result.reason as AppError).httpStatus,
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(waiting.length)
    expect(statuses.filter((status) => status === 402)).toHaveLength(100 - waiting.length)
    expect(kit.ledger.held).toBe(0n)
  })
})

describe('failover', () => {
  const garbage = answers('<html>')
  it.each<[string, Scene, string, number | null]>([
    ['500', fails(500), 'status', 500],
    ['429', fails(429), 'status', 429],
    ['401', fails(401), 'status', 401],
    ['404', fails(404), 'status', 404],
    ['a reset', resets, 'cut', null],
    ['garbage', garbage, 'malformed', null],
    ['an empty answer', answers({ choices: [] }), 'malformed', null],
    ['an error in a 200', answers({ error: { message: 'secret' } }), 'error_frame', null],
  ])('after %s, charged once for the provider that answered', async (_, first, outcome, status) => {
    const { provider, deployments } = await twoProviders(first, answers(wholeJson('from the second')))
    await using _provider = provider
    await using kit = chatKit({ deployments })
    const { raw } = await completed(kit.chat.complete(body(), contextFor()))
    expect(JSON.stringify(raw)).toContain('from the second')
    expect(kit.ledger.captured).toEqual([34n])
    expect(kit.ledger.usage[0]).toMatchObject({
      deploymentId: 'dep-2',
      priceVersionId: 'pv_2',
      route: {
        servedBy: 'dep-2',
        attempts: [
          { deploymentId: 'dep-1', outcome, status },
          { deploymentId: 'dep-2', outcome: 'answered' },
        ],
      },
    })
  })

  it('ends with 502 that lists routing ids and statuses, never what a provider said; nothing is charged', async () => {
    const { provider, deployments } = await twoProviders(fails(500), resets)
    await using _provider = provider
    await using kit = chatKit({ deployments })
    const error = await failure(kit.chat.complete(body(), contextFor()))
    expect(error).toMatchObject({ httpStatus: 502, type: 'upstream_error' })
    expect(error.message).toBe('Every eligible provider failed: hp-1 (500), hp-2 (cut).')
    expect(kit.ledger.captured).toEqual([0n])
    expect(kit.ledger.usage[0]).toMatchObject({ endedAs: 'failed', cost: 0n, tokens: { input: 0, output: 0 } })
    expect(kit.ledger.held).toBe(0n)
  })

  it('after many 429 goes on to ask for less and less, but never breaks off with the provider', async () => {
    const { provider, deployments } = await twoProviders(fails(429, { 'retry-after': '7' }), answers(wholeJson('second')))
    await using _provider = provider
    await using kit = chatKit({ deployments })
    for (let i = 0; i < 8; i++) await kit.chat.complete(body(), contextFor())
    // Asked once; then behind the other until the seven seconds are over.
    expect(provider.calls.filter((call) => call.body['model'] === 'first')).toHaveLength(1)
    expect(kit.subgraph.health.of('dep-1')).toMatchObject({ status: 'degraded', errorRate: 0 })
    await using alone = chatKit({ deployments: deployments.slice(0, 1) })
    for (let i = 0; i < 8; i++)
      expect(await failure(alone.chat.complete(body(), contextFor()))).toMatchObject({ httpStatus: 502 })
    expect(alone.subgraph.health.of('dep-1').status).toBe('degraded')
  })

  it('does not follow a refusal of the request: that is a 400 in the words of the provider', async () => {
    const { provider, deployments } = await twoProviders(fails(400), answers(wholeJson('second')))
    await using _provider = provider
    await using kit = chatKit({ deployments })
    const error = await failure(kit.chat.complete(body(), contextFor()))
    expect(error).toMatchObject({ httpStatus: 400, type: 'invalid_request_error' })
    expect(error).toMatchObject({ message: 'secret detail of the provider', publicCode: 'x' })
    expect(provider.calls).toHaveLength(1)
    expect(kit.ledger.captured).toEqual([0n])
  })

  it('names the context window when the provider does', async () => {
    await using provider = await startFakeProvider(answers({ error: { code: 'context_length_exceeded' } }, 400))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    expect(await failure(kit.chat.complete(body(), contextFor()))).toMatchObject({
      code: 'context_length_exceeded',
      param: 'messages',
    })
  })

  it('reaches the next model of a tier, which the answer then names', async () => {
    const { provider, deployments } = await twoProviders(fails(503), answers(wholeJson('Hi')))
    await using _provider = provider
    const other = { ...deployments[1]!, modelId: 'other-model' }
    const models = [model([deployments[0]!]), model([other])]
    await using kit = chatKit({ resolve: () => ({ kind: 'candidates', models }) })
    const { raw } = await completed(kit.chat.complete(body({ model: 'light' }), contextFor()))
    expect(raw['model']).toBe('other-model')
    expect(kit.ledger.usage[0]).toMatchObject({ modelId: 'other-model', route: { requested: 'light' } })
  })
})

describe('a time limit', () => {
  it('of a silent provider leads to the next one', async () => {
    const { provider, deployments } = await twoProviders(hangs, answers(wholeJson('second')))
    await using _provider = provider
    await using kit = chatKit({ deployments, limits: { firstByteTimeMs: 50 } })
    await completed(kit.chat.complete(body(), contextFor()))
    expect(kit.ledger.usage[0]!.route.attempts[0]).toMatchObject({ outcome: 'timeout' })
    await provider.until(() => provider.calls[0]!.abortedAt !== null)
  })

  it('of the whole request is a 504, ends the provider call and costs nothing', async () => {
    await using provider = await startFakeProvider(hangs)
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)], limits: { requestTimeMs: 60, settleMarginMs: 0 } })
    expect(await failure(kit.chat.complete(body(), contextFor()))).toMatchObject({ httpStatus: 504, code: 'timeout' })
    await provider.until(() => provider.calls[0]!.abortedAt !== null)
    expect(kit.ledger.usage[0]).toMatchObject({ endedAs: 'time_limit', cost: 0n })
  })
})

describe('a caller who leaves', () => {
  it('ends the provider call and pays nothing for an answer that never came', async () => {
    await using provider = await startFakeProvider(hangs)
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    const caller = new AbortController()
    const answer = failure(kit.chat.complete(body(), contextFor({ signal: caller.signal })))
    await provider.until(() => provider.calls.length === 1)
    caller.abort()
    expect(await answer).toMatchObject({ code: 'client_closed_request' })
    await provider.until(() => provider.calls[0]!.abortedAt !== null)
    expect(kit.ledger.usage[0]).toMatchObject({ endedAs: 'client_closed', cost: 0n })
    expect(kit.ledger.held).toBe(0n)
  })
})

describe('a model without a running deployment', () => {
  it('is a 404 when unknown, whatever its name', async () => {
    await using kit = chatKit()
    for (const name of ['nope', '__proto__', 'constructor']) {
      expect(await failure(kit.chat.complete(body({ model: name }), contextFor()))).toMatchObject({
        httpStatus: 404,
        type: 'model_not_found',
        param: 'model',
      })
    }
  })

  it('is a 400 pricing_pending when nobody has confirmed a price', async () => {
    await using kit = chatKit({ deployments: [candidate('http://127.0.0.1:1/v1', { price: null })] })
    expect(await failure(kit.chat.complete(body(), contextFor()))).toMatchObject({ httpStatus: 400, code: 'pricing_pending' })
  })

  it('is deployed when cold, and 404 when that is impossible', async () => {
    const status = {
      message: 'The model is being deployed.',
      model: 'cold',
      estimatedReadySeconds: 240,
      alreadyQueued: false,
      deploymentStatus: 'provisioning' as const,
      deploymentProvider: 'gpu-1',
      retryAfterSeconds: 240,
    }
    const resolve = (modelId: string) => ({ kind: 'cold' as const, modelId })
    await using kit = chatKit({ resolve, ensureDeployment: async () => ({ kind: 'deploying', ...status }) })
    const answer = await kit.chat.complete(body({ model: 'cold' }), contextFor())
    expect(answer).toBeInstanceOf(ModelDeploying)
    expect(answer).toMatchObject(status)
    await using other = chatKit({ resolve })
    expect(await failure(other.chat.complete(body({ model: 'cold' }), contextFor()))).toMatchObject({ httpStatus: 404 })
    expect(kit.ledger.holds.size).toBe(0)
  })
})

describe('a key', () => {
  it('is demanded before anything else, with the scope chat', async () => {
    await using kit = chatKit()
    expect(await failure(kit.chat.complete({}, contextFor({ principal: null })))).toMatchObject({ httpStatus: 401 })
    const principal = { accountId: 'a', keyId: 'k', scopes: new Set(['gpu' as const]) }
    expect(await failure(kit.chat.complete({}, contextFor({ principal })))).toMatchObject({ httpStatus: 403 })
  })
})
