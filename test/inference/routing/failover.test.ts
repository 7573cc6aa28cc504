/** A provider that fails or is silent: who answers in its place, what the caller hears, and what is charged. */
import { describe, expect, it } from 'vitest'
import { answers, fails, hangs, resets, wholeJson, type Scene } from '../../kit/fake-provider-scenes.js'
import { startFakeProvider } from '../../kit/fake-provider.js'
import { body, candidate, chatKit, completed, contextFor, failure, model, twoProviders } from '../chat-kit.js'

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
