/** What a provider says when it refuses: who hears it, and what is taken out of it before. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AppError } from '#platform/errors.js'
import { cleanWords, readWords } from '../../subgraphs/inference/providers/provider-words.js'
import { answers, answersBoth, fails, type Scene } from '../kit/fake-provider-scenes.js'
import { startFakeProvider } from '../kit/fake-provider.js'
import { ManualClock } from '../kit/manual-clock.js'
import { body, candidate, chatKit, collect, contextFor } from './chat-kit.js'

const PROVIDER = { baseUrl: 'http://inference-7.internal:8000/v1', apiKey: 'provider-key-0123456789' }
const DEARER = { versionId: 'pv_2', tokenPrice: { input: 2_000_000n, output: 4_000_000n, cachedInput: null } }
const failure = (result: Promise<unknown>): Promise<AppError> =>
  result.then(
    () => Promise.reject(new Error('was answered')),
    (error: AppError) => error,
  )

describe('a refusal of the request', () => {
  it('reaches the caller with its message, code and param, streamed or not, and nobody else is asked', async () => {
    const error = {
      message: "Invalid value for 'top_k': must be positive.",
      type: 'invalid_request_error',
      code: 'invalid_value',
      param: 'top_k',
    }
    await using provider = await startFakeProvider(answers({ error }, 400))
    const second = candidate(provider.baseUrl, { deploymentId: 'dep-2', providerId: 'hp-2' })
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl), second] })
    for (const answer of [kit.chat.complete(body(), contextFor()), kit.chat.stream(body({ stream: true }), contextFor())]) {
      expect(await failure(answer)).toMatchObject({
        httpStatus: 400,
        type: 'invalid_request_error',
        message: error.message,
        publicCode: 'invalid_value',
        param: 'top_k',
      })
    }
    expect(provider.calls).toHaveLength(2)
    expect(kit.ledger.captured).toEqual([0n, 0n])
  })

  it('in the shape of FastAPI names the field too, and a page of HTML says nothing', () => {
    const detail = [{ loc: ['body', 'messages', 0, 'role'], msg: 'Input should be "user"', type: 'enum' }]
    expect(readWords(JSON.stringify({ detail }), PROVIDER)).toEqual({
      message: 'Input should be "user"',
      code: null,
      param: 'messages.0.role',
    })
    expect(readWords('<html>nginx</html>', PROVIDER)).toEqual({ message: '', code: null, param: null })
    expect(readWords('{"error":"too many images","code":3051}', PROVIDER)).toMatchObject({
      message: 'too many images',
      code: '3051',
    })
    expect(readWords('{"error":{"message":7,"code":{"a":1},"param":["x"]}}', PROVIDER)).toEqual({
      message: '',
      code: null,
      param: null,
    })
  })
})

describe('the words of a provider', () => {
  it.each([
    ['see https://api.vendor.com/docs?key=1 for help', 'see [address] for help'],
    ['upstream 10.1.2.3:8080 closed', 'upstream [address] closed'],
    ['peer [fe80::1ff:fe23:4567:890a]:443 reset', 'peer [address] reset'],
    ['connect to ::1 port 8000', 'connect to [address] port 8000'],
    ['upstream [fd00::1]:80 closed', 'upstream [address] closed'],
    ['dial tcp[::1]:80: refused', 'dial tcp[address]: refused'],
    ['peer fe80::1%eth0: reset', 'peer [address]: reset'],
    ['dial unix:/var/run/vllm.sock: refused', 'dial [address]: refused'],
    ["no such file: '/run/vllm-2/api.sock'.", "no such file: '[address]'."],
    ['sent Authorization: Basic dXNlcjpwYXNz to it', 'sent Authorization: [key] to it'],
    ['{"authorization": "Basic dXNlcjo="}', '{"authorization": "[key]"}'],
    ['Basic dXNlcjpwYXNz was refused', '[key] was refused'],
    ['node gpu-3.eu-west.vendor.io is full', 'node [address] is full'],
    ['dial localhost:11434 failed', 'dial [address] failed'],
    ['inference-7.internal answered late', '[address] answered late'],
    ['write to ops@vendor.com', 'write to [address]'],
    ['Incorrect API key provided: sk-proj-ab****wxyz.', 'Incorrect API key provided: [key]'],
    ['key provider-key-0123456789 is unknown', 'key [key] is unknown'],
    ['Bearer abc.def.ghi is expired', '[key] is expired'],
    ['token 0123456789abcdef0123456789abcdef01 is bad', 'token [key] is bad'],
    ['two\nlines\u0000here', 'two lines here'],
    [
      "messages[0].content must be a string; 'max_tokens' is at most 4096 (got 5000).",
      "messages[0].content must be a string; 'max_tokens' is at most 4096 (got 5000).",
    ],
  ])('in %j are cleaned', (said, clean) => {
    expect(cleanWords(said, PROVIDER)).toBe(clean)
  })

  it.each([
    'std::vector, a::b and x::f2() at 12:30:45, 16:9',
    'cast of 1::int4 failed',
    'Basic authentication and basic JavaScript are fine, unix: no',
    'see /docs/websocket.sockets or Authorization: missing',
  ])('that are no addresses or keys stay: %s', (said) => {
    expect(cleanWords(said, PROVIDER)).toBe(said)
  })

  it('hold neither our key nor our address for it, and no more than 500 characters, whatever is around them', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const clean = cleanWords(`${before} ${PROVIDER.apiKey} ${PROVIDER.baseUrl} ${after}`.repeat(3), PROVIDER)
        expect(clean).not.toContain(PROVIDER.apiKey)
        expect(clean).not.toContain('inference-7.internal')
        expect(clean.length).toBeLessThanOrEqual(500)
      }),
    )
  })

  it('are cleaned in a time that grows with their length only', () => {
    const started = performance.now()
    for (const unit of ['a.', 'a-', '1.', ':', 'a1', 'http://', 'sk-', '@', 'x:1', '=/', 'unix:/', '/.', 'f::1', 'Basic a1'])
      cleanWords(unit.repeat(100_000), PROVIDER)
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

describe('a provider that refuses our key', () => {
  it('is told to the log once a minute for each status, and remembered until it answers', async () => {
    const clock = new ManualClock()
    const told: object[] = []
    const refuse = answers({ error: { message: 'Incorrect API key provided: provider-key', code: 'invalid_api_key' } }, 401)
    await using provider = await startFakeProvider(answersBoth({ pieces: ['Hi'] }))
    provider.scenes.set('first', refuse)
    const deployments = [
      candidate(provider.baseUrl, { providerModelId: 'first' }),
      candidate(provider.baseUrl, { deploymentId: 'dep-2', providerId: 'hp-2', price: DEARER }),
    ]
    await using kit = chatKit({ deployments, clock, onProviderFault: (fault) => told.push(fault) })
    const ask = () => kit.chat.complete(body(), contextFor({ startedAt: clock.monotonic() }))
    await ask()
    await ask()
    expect(told).toMatchObject([{ providerId: 'hp-1', status: 401, message: 'Incorrect API key provided: [key]' }])
    await clock.advance(59_999)
    await ask()
    expect(told).toHaveLength(1)
    await clock.advance(30_000)
    await ask()
    expect(told).toHaveLength(2)
    expect(kit.subgraph.providerFault('hp-1')).toMatchObject({ status: 401 })
    expect(kit.subgraph.providerFault('hp-2')).toBeNull()
    provider.scenes.delete('first')
    await clock.advance(60_000)
    for (let i = 0; i < 5; i++) await ask()
    expect(kit.subgraph.providerFault('hp-1')).toBeNull()
  })

  it('is another matter than a 500 or a refused request, which are not told as that', async () => {
    const told: object[] = []
    await using provider = await startFakeProvider(fails(500))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)], onProviderFault: (fault) => told.push(fault) })
    await failure(kit.chat.complete(body(), contextFor()))
    provider.scene = fails(400)
    await failure(kit.chat.complete(body(), contextFor()))
    expect(told).toEqual([])
  })
})

describe('a provider that fails', () => {
  it('is told once a minute for each kind of failure, with how many there were, and without words about the prompt', async () => {
    const clock = new ManualClock()
    const told: object[] = []
    await using provider = await startFakeProvider(answers({ error: { message: 'could not read "my secret prompt"' } }, 500))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)], clock, onProviderFailure: (one) => told.push(one) })
    const ask = () => failure(kit.chat.complete(body(), contextFor({ startedAt: clock.monotonic() })))
    for (let i = 0; i < 4; i++) await ask()
    expect(told).toEqual([{ providerId: 'hp-1', kind: 'status', status: 500, said: null, untold: 0 }])
    provider.scene = answers({ error: { message: 'overloaded' } }, 503)
    await ask()
    expect(told[1]).toMatchObject({ status: 503, said: 'overloaded' })
    await clock.advance(60_000)
    provider.scene = fails(500)
    await ask()
    expect(told[2]).toMatchObject({ status: 500, untold: 3 })
    provider.scene = fails(400)
    await ask()
    expect(told).toHaveLength(3)
  })
})

describe('a provider that refuses our stream_options', () => {
  /** Streams without usage unless asked; refuses whatever `isRefused` says. */
  const picky =
    (isRefused: (options: Record<string, unknown>) => boolean, message: string): Scene =>
    (response, call) => {
      const options = call.body['stream_options'] as Record<string, unknown> | undefined
      if (options && isRefused(options)) return answers({ error: { message } }, 400)(response, call)
      return answersBoth({ pieces: ['Hello', ' there'], usage: options ? 'separate' : 'none' })(response, call)
    }
  const ask = async (kit: ReturnType<typeof chatKit>) => collect(await kit.chat.stream(body({ stream: true }), contextFor()))

  it('is asked again without them, and never again with them; its tokens are counted by us', async () => {
    await using provider = await startFakeProvider(picky(() => true, 'Unrecognized request argument: stream_options'))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    for (let i = 0; i < 3; i++) expect((await ask(kit)).text).toBe('Hello there')
    expect(provider.calls.map((call) => 'stream_options' in call.body)).toEqual([true, false, false, false])
    const counted = { usageSource: 'counted', tokens: { output: 2 } }
    expect(kit.ledger.usage).toMatchObject([counted, counted, counted])
    expect(kit.ledger.usage[0]!.route.attempts).toHaveLength(1)
  })

  it('but only the counting along, is asked for usage at the end', async () => {
    await using provider = await startFakeProvider(
      picky((options) => 'continuous_usage_stats' in options, "Extra inputs are not permitted: 'continuous_usage_stats'"),
    )
    const config = { id: 'hp-1', baseUrl: provider.baseUrl, apiKey: null, streamUsage: 'continuous' as const }
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl, { provider: config })] })
    await ask(kit)
    await ask(kit)
    expect(provider.calls.map((call) => call.body['stream_options'])).toEqual([
      { include_usage: true, continuous_usage_stats: true },
      { include_usage: true },
      { include_usage: true },
    ])
    expect(kit.ledger.usage[1]).toMatchObject({ usageSource: 'reported' })
  })

  it('is not what happened when the request is refused without them too', async () => {
    await using provider = await startFakeProvider(answers({ error: { message: 'bad prompt about stream_options' } }, 400))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    const error = await failure(kit.chat.stream(body({ stream: true }), contextFor()))
    expect(error).toMatchObject({ httpStatus: 400, message: 'bad prompt about stream_options' })
    provider.scene = answersBoth({ pieces: ['Hi'] })
    await ask(kit)
    expect(provider.calls.at(-1)!.body['stream_options']).toEqual({ include_usage: true })
  })
})
