/** A provider that speaks Anthropic's Messages API, behind the same call, bill and failover as every other. */
import { describe, expect, it } from 'vitest'
import { sharedText } from '../../../src/platform/shared-bytes.js'
import { answersBoth } from '../../kit/fake-provider-scenes.js'
import { startFakeProvider } from '../../kit/fake-provider.js'
import {
  messageEvents,
  overloaded,
  plays,
  refuses,
  says,
  simulated,
  simulatedUsage,
  type SimulatedEnding,
} from '../../kit/messages-simulator.js'
import type { Candidate } from '../../../subgraphs/inference/index.js'
import { body, candidate, chatKit, collect, completed, contextFor, failure, model, PRICE } from '../chat-kit.js'

type Kit = ReturnType<typeof chatKit>

/** A deployment of `my-model` at a Messages provider. */
function anthropic(baseUrl: string, overrides: Partial<Candidate> = {}): Candidate {
  const made = candidate(baseUrl, { providerModelId: 'claude', ...overrides })
  return { ...made, provider: { ...made.provider, api: 'messages' } }
}

/** One at a chat completions provider, dearer, so that it comes second. */
const second = (baseUrl: string): Candidate =>
  candidate(baseUrl, {
    deploymentId: 'dep-2',
    providerId: 'hp-2',
    providerModelId: 'second',
    price: { versionId: 'pv_2', tokenPrice: { ...PRICE.tokenPrice, output: 4_000_000n } },
  })

const pieces = ['Hel', 'lo ', 'you']
const answer = says('Hello you')
const streamed = async (kit: Kit, more: object = {}) =>
  collect(await kit.chat.stream(body({ stream: true, ...more }), contextFor()))

describe('a chat', () => {
  it('is asked at /messages with the key and version as headers, and with nothing else of the caller', async () => {
    await using provider = await startFakeProvider(plays(answer))
    await using kit = chatKit({ deployments: [anthropic(provider.baseUrl)] })
    await kit.chat.complete(body({ n: 1, seed: 5, stop: null }), contextFor())
    const [call] = provider.calls
    expect(call!.path).toBe('/v1/messages')
    expect(call!.headers).toMatchObject({ 'x-api-key': 'provider-key', 'anthropic-version': '2023-06-01' })
    expect(call!.headers).not.toHaveProperty('authorization')
    expect(call!.body).toEqual({
      model: 'claude',
      max_tokens: 100,
      stream: false,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    })
  })

  it('is the same answer whole and streamed, and is charged for the counts of the provider', async () => {
    await using provider = await startFakeProvider(plays({ ...answer, usage: simulatedUsage(7, 3, 40, 2) }))
    await using kit = chatKit({ deployments: [anthropic(provider.baseUrl)] })
    const { raw } = await completed(kit.chat.complete(body(), contextFor()))
    const { chunks, text } = await streamed(kit)
    const usage = { prompt_tokens: 49, completion_tokens: 3, total_tokens: 52, prompt_tokens_details: { cached_tokens: 40 } }
    expect(raw).toMatchObject({
      object: 'chat.completion',
      model: 'my-model',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello you', refusal: null }, finish_reason: 'stop' }],
      usage,
    })
    expect([text, chunks.at(-1)]).toMatchObject(['Hello you', { usage, choices: [{ finish_reason: 'stop' }] }])
    expect(chunks.every(({ id, object, model: name }) => id.startsWith('chatcmpl-') && object && name === 'my-model')).toBe(true)
    // 9 new tokens at 1, 40 cached at a half, 3 of output at 2.
    expect(kit.ledger.captured).toEqual([35n, 35n])
    expect(kit.ledger.usage.map(({ usageSource }) => usageSource)).toEqual(['reported', 'reported'])
  })

  it('keeps one connection for one after the other', async () => {
    await using provider = await startFakeProvider(plays(answer))
    await using kit = chatKit({ deployments: [anthropic(provider.baseUrl)], limits: { connectionsPerProvider: 1 } })
    for (let i = 0; i < 3; i++) expect((await streamed(kit)).text).toBe('Hello you')
    expect(provider.calls.map(({ isFinished }) => isFinished)).toEqual([true, true, true])
  })

  it('is asked in the other API as soon as the configuration says so', async () => {
    await using provider = await startFakeProvider((response, call) =>
      (call.path.endsWith('/messages') ? plays(answer) : answersBoth({ pieces }))(response, call),
    )
    const deployments = [candidate(provider.baseUrl), anthropic(provider.baseUrl)]
    await using kit = chatKit({ resolve: () => ({ kind: 'candidates', models: [model(deployments.slice(0, 1))] }) })
    for (let i = 0; i < 2; i++) {
      expect((await streamed(kit)).text).toBe('Hello you')
      deployments.shift()
    }
    expect(provider.calls.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/messages'])
  })

  it('too large to be read on the event loop is translated as well', async () => {
    await using provider = await startFakeProvider(plays(answer))
    await using kit = chatKit({ deployments: [anthropic(provider.baseUrl)] })
    const image = `data:image/png;base64,${'A'.repeat(300_000)}`
    const parts = [
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: image } },
    ]
    const read = (more: object) =>
      kit.subgraph.readLarge(sharedText(JSON.stringify(body({ messages: [{ role: 'user', content: parts }], ...more }))))
    await kit.chat.complete(await read({ temperature: 2 }), contextFor())
    expect(provider.calls[0]!.body).toEqual({
      model: 'claude',
      max_tokens: 100,
      stream: false,
      temperature: 1,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(300_000) } },
          ],
        },
      ],
    })
    expect(await failure(kit.chat.complete(await read({ n: 2 }), contextFor()))).toMatchObject({ httpStatus: 400, param: 'n' })
  })
})

describe('max_tokens, which the provider requires,', () => {
  const capabilities = { contextWindow: 100_000, maxOutputTokens: null, supportsFunctionCalling: null, supportsJsonMode: null }
  it.each([
    ['is what the caller said', { max_completion_tokens: 9, max_tokens: undefined }, 4_096, 10_000_000n, 9],
    ["is else the model's limit", { max_tokens: undefined }, 4_096, 10_000_000n, 4_096],
    ["is else the gateway's own", { max_tokens: undefined }, null, 10_000_000n, 16_384],
    ['is what the credits pay for where that is less', { max_tokens: undefined }, 4_096, 1_000n, 491],
  ])('%s', async (_, more, maxOutputTokens, balance, expected) => {
    await using provider = await startFakeProvider(plays(answer))
    const deployment = anthropic(provider.baseUrl, { capabilities: { ...capabilities, maxOutputTokens } })
    await using kit = chatKit({
      balance,
      resolve: () => ({ kind: 'candidates', models: [model([deployment], { maxOutputTokens })] }),
    })
    await kit.chat.complete(body(more), contextFor())
    expect(provider.calls[0]!.body['max_tokens']).toBe(expected)
  })
})

describe('what the provider cannot be asked for', () => {
  it('goes to one that can, and the route says why', async () => {
    await using messages = await startFakeProvider(plays(answer))
    await using chats = await startFakeProvider(answersBoth({ pieces }))
    await using kit = chatKit({ deployments: [anthropic(messages.baseUrl), second(chats.baseUrl)] })
    await kit.chat.complete(body({ response_format: { type: 'json_object' } }), contextFor())
    await kit.chat.complete(body({ logprobs: false }), contextFor())
    expect([messages.calls.length, chats.calls.length]).toEqual([1, 1])
    expect(kit.ledger.usage[0]!.route.candidates).toMatchObject([
      { deploymentId: 'dep-2', kept: true },
      { deploymentId: 'dep-1', kept: false, reason: 'unsupported_field' },
    ])
  })

  it('is a 400 that names the field where nobody can', async () => {
    await using provider = await startFakeProvider(plays(answer))
    await using kit = chatKit({ deployments: [anthropic(provider.baseUrl)] })
    expect(await failure(kit.chat.complete(body({ logit_bias: { 5: 1 } }), contextFor()))).toMatchObject({
      httpStatus: 400,
      type: 'invalid_request_error',
      param: 'logit_bias',
      message: expect.stringContaining('"logit_bias"'),
    })
    expect(provider.calls).toHaveLength(0)
  })
})

describe('a failure', () => {
  it.each([
    ['overloaded (529)', overloaded, 'status', 529],
    ['of its own (500)', refuses(500, 'api_error', 'Internal server error'), 'status', 500],
    ['of the rate (429)', refuses(429, 'rate_limit_error', 'Slow down', { 'retry-after': '7' }), 'status', 429],
    ['of the key (401)', refuses(401, 'authentication_error', 'invalid x-api-key'), 'status', 401],
    [
      'of the bill (400)',
      refuses(400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
      'status',
      402,
    ],
    ['before the first word', plays(answer, { events: 1, ending: 'error' }), 'error_frame', null],
  ])('%s goes to the next provider, streamed', async (_, scene, outcome, status) => {
    await using messages = await startFakeProvider(scene)
    await using chats = await startFakeProvider(answersBoth({ pieces }))
    await using kit = chatKit({ deployments: [anthropic(messages.baseUrl), second(chats.baseUrl)] })
    expect((await streamed(kit)).text).toBe('Hello you')
    expect(kit.ledger.usage[0]!.route.attempts).toMatchObject([{ outcome, status }, { outcome: 'answered' }])
    expect(kit.ledger.usage[0]!.deploymentId).toBe('dep-2')
  })

  it.each([
    ['529', overloaded, undefined],
    ['429 with its pause', refuses(429, 'rate_limit_error', 'Slow down', { 'retry-after': '7' }), 7],
  ])('of the only provider is a 502 (%s)', async (_, scene, retryAfterSeconds) => {
    await using messages = await startFakeProvider(scene)
    await using kit = chatKit({ deployments: [anthropic(messages.baseUrl)] })
    const error = await failure(kit.chat.complete(body(), contextFor()))
    expect([error.code, error.retryAfterSeconds]).toEqual(['upstream_error', retryAfterSeconds])
  })

  it.each([
    [401, 'authentication_error', 'invalid x-api-key', 401],
    [404, 'not_found_error', 'model: claude', 404],
    [400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.', 402],
    [400, 'invalid_request_error', 'You have reached your specified API usage limits.', 402],
  ])('that only the operator can repair is told to the operator: %i %s %s', async (status, type, message, told) => {
    const faults: object[] = []
    await using messages = await startFakeProvider(refuses(status, type, message))
    await using kit = chatKit({ deployments: [anthropic(messages.baseUrl)], onProviderFault: (fault) => faults.push(fault) })
    const error = await failure(kit.chat.complete(body(), contextFor()))
    expect([error.code, faults]).toMatchObject(['upstream_error', [{ providerId: 'hp-1', status: told, message }]])
  })

  it.each([
    [400, 'messages.0: roles must alternate', 'invalid_request_error'],
    [413, 'Request exceeds the maximum size', 'invalid_request_error'],
    [400, 'prompt is too long: 210000 tokens > 200000 maximum', 'context_length_exceeded'],
    [400, 'input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000', 'context_length_exceeded'],
  ])("that is the caller's is a 400 in the words of the provider (%i, %s)", async (status, message, code) => {
    await using messages = await startFakeProvider(refuses(status, 'invalid_request_error', message))
    await using chats = await startFakeProvider(answersBoth({ pieces }))
    await using kit = chatKit({ deployments: [anthropic(messages.baseUrl), second(chats.baseUrl)] })
    const error = await failure(kit.chat.complete(body(), contextFor()))
    expect(error).toMatchObject({ httpStatus: 400, code, message })
    expect(chats.calls).toHaveLength(0)
  })

  it('is an answer that cannot be read', async () => {
    await using messages = await startFakeProvider((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"type":"message"}')
    })
    await using kit = chatKit({ deployments: [anthropic(messages.baseUrl)] })
    expect(await failure(kit.chat.complete(body(), contextFor()))).toMatchObject({ code: 'upstream_error' })
    expect(kit.ledger.usage[0]!.route.attempts).toMatchObject([{ outcome: 'malformed' }])
  })
})

describe('a stream', () => {
  const message = simulated([
    { type: 'text', text: 'Hello you' },
    { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
  ])
  const events = messageEvents(message)
  /** Up to here nothing was said: the caller gets an error in the place of an answer. */
  const silent = events.findIndex(({ type }) => type === 'content_block_delta')
  /** The last word and the counts have come. After them an answer is whole, unless the provider takes it back. */
  const hasCounts = (at: number) => at > events.findIndex(({ type }) => type === 'message_delta')
  const cuts = events.flatMap((_, at) =>
    (['early', 'reset', 'error'] as const).map((ending): [number, SimulatedEnding['ending']] => [at, ending]),
  )

  it.each(cuts)('that ends after %i events (%s) says so, and is charged for what came', async (at, ending) => {
    await using provider = await startFakeProvider(plays(message, { events: at, ending }))
    await using kit = chatKit({ deployments: [anthropic(provider.baseUrl)] })
    if (at <= silent) {
      const error = await failure(kit.chat.stream(body({ stream: true }), contextFor()))
      expect([error.code, kit.ledger.captured]).toEqual(['upstream_error', [0n]])
      return
    }
    const { chunks, text } = await streamed(kit)
    expect('Hello you'.startsWith(text) && text.length > 0).toBe(true)
    const isWhole = hasCounts(at) && ending !== 'error'
    if (isWhole)
      expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }], usage: { completion_tokens: 3 } })
    else expect(chunks.at(-1)).toMatchObject({ error: { code: 'upstream_error' } })
    expect(kit.ledger.usage).toMatchObject([
      { endedAs: isWhole ? 'completed' : 'provider_cut', usageSource: hasCounts(at) ? 'reported' : 'counted' },
    ])
    expect(kit.ledger.held).toBe(0n)
  })

  it('that is answered whole all the same is told in chunks', async () => {
    await using provider = await startFakeProvider((response, call) =>
      plays(message)(response, { ...call, body: { ...call.body, stream: false } }),
    )
    await using kit = chatKit({ deployments: [anthropic(provider.baseUrl)] })
    const { chunks, text } = await streamed(kit)
    expect([text, chunks.at(-1)]).toMatchObject(['Hello you', { choices: [{ finish_reason: 'tool_calls' }] }])
    expect(kit.ledger.usage[0]!.tokens).toEqual({ input: 11, cachedInput: 0, output: 3 })
  })

  it('of a caller who leaves ends at the provider too', async () => {
    await using provider = await startFakeProvider(plays(message, { events: events.length - 3, ending: 'hang' }))
    await using kit = chatKit({ deployments: [anthropic(provider.baseUrl)] })
    const stream = await kit.chat.stream(body({ stream: true }), contextFor())
    if (!('next' in stream)) throw new Error('deploying')
    await stream.next()
    await stream.return?.()
    await provider.until(() => provider.calls[0]!.abortedAt !== null)
    expect(kit.ledger.usage[0]!.endedAs).toBe('client_closed')
  })
})
