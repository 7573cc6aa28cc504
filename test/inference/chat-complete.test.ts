/** Whole answers: what the caller sees, and what is billed. */
import { describe, expect, it } from 'vitest'
import { ModelDeploying } from '../../subgraphs/inference/index.js'
import { answers, echoes, fakeUsage, hangs, wholeJson } from '../kit/fake-provider-scenes.js'
import { startFakeProvider } from '../kit/fake-provider.js'
import { body, candidate, chatKit, completed, contextFor, failure, PRICE } from './chat-kit.js'

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
