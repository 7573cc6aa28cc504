/** Streamed answers: what the caller sees, and what is billed, for everything that a provider may do. */
import { describe, expect, it, vi } from 'vitest'
import type { AppError } from '#platform/errors.js'
import { ChatStreamFault, type ChatStreamEvent, type ModelDeploying } from '../../subgraphs/inference/index.js'
import {
  answers,
  answersBoth,
  deltaJson,
  fails,
  fakeUsage,
  hangs,
  playsEvents,
  resets,
  streams,
  wholeJson,
  type Scene,
  type StreamScene,
} from '../kit/fake-provider-scenes.js'
import { startFakeProvider } from '../kit/fake-provider.js'
import { body, candidate, chatKit, collect, contextFor, model, turns } from './chat-kit.js'

const PIECES = ['Hel', 'lo', ' wörld 🌍', '!']
const TEXT = PIECES.join('')
/** Tokens of `TEXT`, and of the prompt of `body()`, by the tokenizer. */
const COUNTED = { input: 8, output: 7 }

const streamBody = (more: Record<string, unknown> = {}) => body({ stream: true, ...more })

async function play(scene: Scene, request = streamBody(), overrides: Parameters<typeof chatKit>[0] = {}) {
  await using provider = await startFakeProvider(scene)
  await using kit = chatKit({ deployments: [candidate(provider.baseUrl)], ...overrides })
  const collected = await collect(await kit.chat.stream(request, contextFor()))
  expect(kit.ledger.held).toBe(0n)
  expect(kit.ledger.usage).toHaveLength(1)
  expect(kit.faults).toEqual([])
  expect(kit.subgraph.openStreams()).toBe(0)
  return {
    ...collected,
    usage: kit.ledger.usage[0]!,
    captured: kit.ledger.captured[0]!,
    calls: provider.calls,
    ledger: kit.ledger,
  }
}

const failure = (result: Promise<unknown>): Promise<AppError> =>
  result.then(
    () => Promise.reject(new Error('was answered')),
    (error: AppError) => error,
  )

describe('a complete stream', () => {
  const scenes: [string, Omit<StreamScene, 'pieces'>][] = [
    ['LF', {}],
    ['CRLF', { lineEnd: '\r\n' }],
    ['CR', { lineEnd: '\r' }],
    ['no space after data:', { noSpace: true }],
    ['comments', { comment: 'PROCESSING' }],
    ['one byte at a time', { splitBytes: 1 }],
    ['characters split over reads', { splitBytes: 7 }],
    ['many frames in a segment', { splitBytes: 100_000 }],
    ['usage in the last chunk', { usage: 'last' }],
    ['usage in a chunk of its own', { usage: 'separate' }],
    ['cumulative usage in every chunk', { usage: 'every' }],
    ['usage inside an extension', { usage: 'x_groq' }],
    ['usage inside the choice', { usage: 'choice' }],
    ['junk after [DONE]', { afterDone: 'data: {"broken\n\njunk' }],
    ['no [DONE]', { done: false }],
    ['the role in every chunk', { roleInEvery: true }],
    ['fields that nobody knows', { extra: { custom: { a: [1] }, system_fingerprint: 'fp' } }],
  ]

  it.each(scenes)('reads the same with %s, and is charged by the reported usage', async (_, scene) => {
    const { chunks, text, usage, captured, bytes } = await play(streams({ pieces: PIECES, ...scene }))
    expect(text).toBe(TEXT)
    expect(new Set(chunks.map(({ id, object, created, model }) => `${id} ${object} ${created} ${model}`)).size).toBe(1)
    expect(chunks[0]).toMatchObject({ object: 'chat.completion.chunk', model: 'my-model' })
    expect(chunks.map(({ choices }) => 'role' in choices[0]!.delta)).toEqual(chunks.map((_chunk, index) => index === 0))
    expect(chunks.filter((chunk) => 'usage' in chunk)).toEqual([chunks.at(-1)])
    expect(chunks.at(-1)).toMatchObject({
      choices: [{ finish_reason: 'stop' }],
      usage: { prompt_tokens: 11, completion_tokens: 4, total_tokens: 15 },
    })
    expect(chunks.slice(0, -1).every(({ choices }) => choices[0]!.finish_reason === null)).toBe(true)
    expect(chunks.every((chunk) => chunk['system_fingerprint'] === scene.extra?.['system_fingerprint'])).toBe(true)
    expect(bytes).not.toContain('vendor/model')
    expect(usage).toMatchObject({
      usageSource: 'reported',
      endedAs: 'completed',
      tokens: { input: 11, cachedInput: 0, output: 4 },
    })
    expect(captured).toBe(19n)
  })

  it('has the separate usage chunk of OpenAI when asked for it', async () => {
    const { chunks } = await play(
      streams({ pieces: PIECES, usage: 'last' }),
      streamBody({ stream_options: { include_usage: true } }),
    )
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 4, total_tokens: 15 } })
    expect(chunks.at(-2)!.choices[0]!.finish_reason).toBe('stop')
    expect(chunks.filter((chunk) => 'usage' in chunk)).toHaveLength(1)
  })

  it('is counted when the provider sends no usage', async () => {
    const { chunks, usage, captured } = await play(streams({ pieces: PIECES, usage: 'none' }))
    expect(usage).toMatchObject({ usageSource: 'counted', endedAs: 'completed', tokens: { ...COUNTED, cachedInput: 0 } })
    expect(chunks.at(-1)!.usage).toEqual({ prompt_tokens: 8, completion_tokens: 7, total_tokens: 15 })
    expect(captured).toBe(22n)
  })

  it('is counted when the only usage came before the text', async () => {
    const events = [
      deltaJson({ role: 'assistant' }, null, { usage: fakeUsage(11, 0) }),
      deltaJson({ content: TEXT }),
      deltaJson({}, 'stop'),
    ]
    const { usage } = await play(playsEvents(events))
    expect(usage).toMatchObject({ usageSource: 'counted', tokens: COUNTED })
  })

  it('with an explicit zero is charged zero', async () => {
    const { usage, captured } = await play(streams({ pieces: PIECES, usageObject: fakeUsage(0, 0) }))
    expect(usage).toMatchObject({ usageSource: 'reported', cost: 0n })
    expect(captured).toBe(0n)
  })

  it('ends with a finish reason even when the provider sent none before [DONE]', async () => {
    const { chunks } = await play(streams({ pieces: PIECES, finish: false, usage: 'none' }))
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop', delta: {} }], usage: { completion_tokens: 7 } })
  })

  it('may have a delta of a megabyte', async () => {
    const capabilities = { contextWindow: null, maxOutputTokens: null, supportsFunctionCalling: null, supportsJsonMode: null }
    const pieces = ['x '.repeat(1 << 19)]
    await using provider = await startFakeProvider(streams({ pieces, usageObject: fakeUsage(1, 50) }))
    const { text } = await play(streams({ pieces, usageObject: fakeUsage(1, 50) }), streamBody({ max_tokens: 1 << 20 }), {
      resolve: () => ({
        kind: 'candidates',
        models: [model([candidate(provider.baseUrl, { capabilities })], { contextWindow: null, maxOutputTokens: null })],
      }),
    })
    expect(text).toHaveLength(1 << 20)
  })

  it('is made from the whole answer of a provider that ignores `stream`', async () => {
    const message = {
      role: 'assistant',
      content: 'Hi',
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
    }
    const whole = wholeJson('', fakeUsage(11, 4), { choices: [{ index: 0, message, finish_reason: 'tool_calls' }], custom: 1 })
    const { chunks, captured } = await play(answers(whole))
    expect(chunks[0]).toMatchObject({
      object: 'chat.completion.chunk',
      custom: 1,
      choices: [{ delta: { role: 'assistant', content: 'Hi', tool_calls: [{ index: 0, id: 'c' }] } }],
    })
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }], usage: { total_tokens: 15 } })
    expect(captured).toBe(19n)
  })

  it('relays tool calls, and counts their names and arguments', async () => {
    const call = (more: object) => deltaJson({ tool_calls: [{ index: 0, ...more }] })
    const events = [
      deltaJson({ role: 'assistant', content: null }),
      call({ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '' } }),
      call({ function: { arguments: '{"city":' } }),
      call({ function: { arguments: '"Paris"}' } }),
      deltaJson({}, 'tool_calls'),
    ]
    const { chunks, usage } = await play(playsEvents(events))
    const parts = chunks.flatMap(
      ({ choices }) => (choices[0]!.delta['tool_calls'] as { function: { arguments: string } }[] | undefined) ?? [],
    )
    expect(parts.map((part) => part.function.arguments).join('')).toBe('{"city":"Paris"}')
    expect(usage.usageSource).toBe('counted')
    expect(usage.tokens.output).toBeGreaterThan(4)
  })

  it('with several choices ends each, and carries usage once', async () => {
    const choice = (index: number, delta: object, finish: string | null = null) =>
      JSON.stringify({ id: 'p', choices: [{ index, delta, finish_reason: finish }] })
    const events = [
      choice(0, { content: 'a' }),
      choice(1, { content: 'b' }),
      choice(0, {}, 'stop'),
      choice(1, { content: 'c' }),
      choice(1, {}, 'length'),
    ]
    const { chunks, usage } = await play(
      playsEvents([...events, JSON.stringify({ choices: [], usage: fakeUsage(5, 3) })]),
      streamBody({ n: 2 }),
    )
    const finishes = chunks.flatMap(({ choices }) =>
      choices.filter(({ finish_reason: reason }) => reason !== null).map(({ index }) => index),
    )
    expect(finishes.toSorted((a, b) => a - b)).toEqual([0, 1])
    expect(chunks.filter((chunk) => 'usage' in chunk)).toHaveLength(1)
    expect(usage.tokens.output).toBe(3)
  })

  it('does not wait for a provider that has finished but keeps the connection open', async () => {
    const scene: Scene = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${deltaJson({ content: 'a' })}\n\ndata: ${deltaJson({}, 'stop')}\n\n`)
    }
    const { usage } = await play(scene, streamBody(), { limits: { afterFinishTimeMs: 20 } })
    expect(usage).toMatchObject({ endedAs: 'completed', usageSource: 'counted' })
  })

  it('asks the provider for the usage that its configuration names', async () => {
    await using provider = await startFakeProvider(answersBoth({ pieces: PIECES }))
    for (const [streamUsage, options] of [
      ['include_usage', { include_usage: true }],
      ['continuous', { include_usage: true, continuous_usage_stats: true }],
      ['none', undefined],
    ] as const) {
      const config = { id: `hp-${streamUsage}`, baseUrl: provider.baseUrl, apiKey: null, streamUsage }
      await using kit = chatKit({ deployments: [candidate(provider.baseUrl, { provider: config })] })
      await collect(await kit.chat.stream(streamBody({ stream_options: { include_usage: false } }), contextFor()))
      expect(provider.calls.at(-1)!.body['stream_options']).toEqual(options)
      expect(provider.calls.at(-1)!.headers.authorization).toBeUndefined()
    }
  })
})

describe('an error before the first token', () => {
  const firstFails: [string, Scene, string][] = [
    ['500', fails(500), '500'],
    ['429', fails(429), '429'],
    ['401', fails(401), '401'],
    ['a reset', resets, 'cut'],
    ['an error as first event', streams({ pieces: [], ending: 'error_event' }), 'error_frame'],
    ['an empty stream', playsEvents([]), 'empty'],
    ['a role and nothing else', streams({ pieces: [], ending: 'early' }), 'empty'],
    ['garbage', answers('<html>'), 'malformed'],
  ]

  it.each(firstFails)('(%s) is a 502 and not a stream, and nothing is charged', async (_, scene, word) => {
    await using provider = await startFakeProvider(scene)
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    const error = await failure(kit.chat.stream(streamBody(), contextFor()))
    expect(error).toMatchObject({ httpStatus: 502, message: `Every eligible provider failed: hp-1 (${word}).` })
    expect(kit.ledger.captured).toEqual([0n])
    expect(kit.ledger.held).toBe(0n)
  })

  it.each(firstFails)('(%s) leads to the next provider', async (_, scene) => {
    await using provider = await startFakeProvider(streams({ pieces: PIECES }))
    provider.scenes.set('first', scene)
    const second = candidate(provider.baseUrl, { deploymentId: 'dep-2', providerId: 'hp-2' })
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl, { providerModelId: 'first' }), second] })
    const { text } = await collect(await kit.chat.stream(streamBody(), contextFor()))
    expect(text).toBe(TEXT)
    expect(kit.ledger.usage).toMatchObject([{ deploymentId: 'dep-2', cost: 19n }])
  })
})

describe('an error after the first token', () => {
  it.each<[string, StreamScene]>([
    ['a reset', { pieces: PIECES, ending: 'reset' }],
    ['a clean early end', { pieces: PIECES, ending: 'early' }],
    ['an error event', { pieces: PIECES, ending: 'error_event' }],
    ['garbage', { pieces: PIECES, ending: 'garbage' }],
  ])('(%s) is an error frame, never a clean end or a second answer, and what arrived is billed', async (_, scene) => {
    const { chunks, text, usage, captured, bytes, calls } = await play(streams(scene))
    expect(text).toBe(TEXT)
    expect(chunks.at(-1)).toMatchObject({ error: { type: 'upstream_error', code: 'upstream_error', param: null } })
    expect(bytes).not.toContain('secret')
    expect(bytes).not.toContain('finish_reason":"stop')
    expect(usage).toMatchObject({ endedAs: 'provider_cut', usageSource: 'counted', tokens: { ...COUNTED, cachedInput: 0 } })
    expect(captured).toBe(22n)
    expect(calls).toHaveLength(1)
  })

  it('is billed by the cumulative usage when the provider gives it: the last value, not the sum', async () => {
    const { usage } = await play(streams({ pieces: PIECES, usage: 'every', ending: 'reset' }))
    expect(usage).toMatchObject({ endedAs: 'provider_cut', usageSource: 'reported', tokens: { input: 11, output: 4 } })
  })

  it('also ends a stream that hangs', async () => {
    const { chunks, usage } = await play(streams({ pieces: PIECES, ending: 'hang' }), streamBody(), {
      limits: { idleTimeMs: 50 },
    })
    expect(chunks.at(-1)!.error).toMatchObject({ type: 'upstream_error' })
    expect(usage.endedAs).toBe('provider_cut')
  })
})

describe('a limit', () => {
  it('of the request time truncates a running stream with finish_reason length, and bills what was delivered', async () => {
    const { chunks, usage, calls } = await play(streams({ pieces: PIECES, ending: 'hang' }), streamBody(), {
      limits: { requestTimeMs: 150, settleMarginMs: 0 },
    })
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: COUNTED.output } })
    expect(usage).toMatchObject({ endedAs: 'time_limit', usageSource: 'counted' })
    expect(calls[0]!.isFinished).toBe(false)
  })

  it('of the request time is a 504 before the first token', async () => {
    await using provider = await startFakeProvider(hangs)
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)], limits: { requestTimeMs: 50, settleMarginMs: 0 } })
    expect(await failure(kit.chat.stream(streamBody(), contextFor()))).toMatchObject({ httpStatus: 504 })
    expect(kit.ledger.captured).toEqual([0n])
  })

  it('of the hold stops a provider that ignores max_tokens, and no more than the hold is charged', async () => {
    const pieces = Array.from({ length: 5_000 }, (_, index) => ` word${index % 7}`)
    const { usage, captured, chunks, ledger, text } = await play(
      streams({ pieces, ending: 'hang', splitBytes: 4_000 }),
      streamBody({ max_tokens: 50 }),
    )
    const [hold] = ledger.holds.values()
    expect(captured).toBeLessThanOrEqual(hold!.amount)
    expect(usage.tokens.output).toBeLessThan(80)
    expect(text.length).toBeLessThan(1_000)
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'length' }] })
  })
})

describe('a reader', () => {
  const open = async (kit: ReturnType<typeof chatKit>, overrides: Parameters<typeof contextFor>[0] = {}, more = {}) => {
    const stream = await kit.chat.stream(streamBody(more), contextFor(overrides))
    return stream as Exclude<Awaited<ReturnType<typeof kit.chat.stream>>, ModelDeploying>
  }
  const take = async (stream: AsyncIterableIterator<ChatStreamEvent>, count: number) => {
    for (let i = 0; i < count; i++) await stream.next()
  }

  it('who leaves ends the provider call and pays for what it took', async () => {
    await using provider = await startFakeProvider(streams({ pieces: PIECES, ending: 'hang' }))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    const caller = new AbortController()
    const stream = await open(kit, { signal: caller.signal })
    await take(stream, 3)
    caller.abort()
    expect(await stream.next()).toEqual({ done: true, value: undefined })
    await provider.until(() => provider.openCalls === 0)
    // The role and the first two pieces.
    expect(kit.ledger.usage).toMatchObject([
      { endedAs: 'client_closed', usageSource: 'counted', tokens: { input: 8, output: 1 } },
    ])
    expect(kit.ledger.held).toBe(0n)
  })

  it('who calls return() is settled before it resolves', async () => {
    await using provider = await startFakeProvider(streams({ pieces: PIECES, ending: 'hang' }))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    const stream = await open(kit)
    await take(stream, 5)
    await stream.return!()
    expect(kit.ledger.usage).toMatchObject([{ endedAs: 'client_closed', tokens: { output: COUNTED.output } }])
    expect(await stream.next()).toEqual({ done: true, value: undefined })
    await provider.until(() => provider.openCalls === 0)
  })

  it('who stalls pauses the provider, is cut after a while and settled', async () => {
    const piece = 'word '.repeat(200)
    await using provider = await startFakeProvider(
      streams({ pieces: Array.from({ length: 20_000 }, () => piece), splitBytes: 64 * 1024 }),
    )
    await using kit = chatKit({
      deployments: [candidate(provider.baseUrl)],
      limits: { stalledReaderTimeMs: 200, meterIntervalMs: 50 },
    })
    const stream = await open(kit, {}, { max_tokens: 4_000 })
    await take(stream, 2)
    await provider.until(() => provider.calls[0]!.abortedAt !== null)
    // Of 20 MB, what fits the buffers of two sockets and our queue.
    expect(provider.calls[0]!.bytesWritten).toBeLessThan(8 * 1024 * 1024)
    expect(kit.ledger.usage).toMatchObject([{ endedAs: 'client_closed' }])
    // One that reads on after all must not take the cut answer for a whole one.
    expect((await stream.next()).value).toMatchObject({ error: { code: 'timeout' } })
    expect(await stream.next()).toEqual({ done: true, value: undefined })
  })

  it('is metered once a second with what was delivered', async () => {
    await using provider = await startFakeProvider(streams({ pieces: PIECES, ending: 'hang' }))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)], limits: { meterIntervalMs: 20 } })
    const stream = await open(kit)
    await take(stream, 5)
    const [hold] = kit.ledger.holds.values()
    await vi.waitUntil(() => hold!.metered !== 0n, { interval: 5, timeout: 30_000 })
    expect(hold!.metered).toBeGreaterThanOrEqual(BigInt(COUNTED.output) * 2n)
    await stream.return!()
  })

  it('gets no byte before the hold is durable, and not the last before the settlement is', async () => {
    await using provider = await startFakeProvider(streams({ pieces: PIECES }))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    const commits: (() => void)[] = []
    kit.ledger.commit = () => new Promise((resolve) => commits.push(resolve))
    let isOpen = false
    const opening = open(kit).then((stream) => {
      isOpen = true
      return stream
    })
    await provider.until(() => provider.calls.some(({ isFinished }) => isFinished))
    await turns()
    expect(isOpen).toBe(false)
    commits[0]!()
    const stream = await opening
    await take(stream, 5)
    let hasLast = false
    const last = stream.next().then(() => (hasLast = true))
    while (commits.length < 2) await new Promise((resolve) => setImmediate(resolve))
    expect(hasLast).toBe(false)
    commits[1]!()
    await last
  })

  it('hears of a settlement that failed as a fault, not as a complete answer', async () => {
    await using provider = await startFakeProvider(streams({ pieces: PIECES }))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    const stream = await open(kit)
    kit.ledger.settle = () => Promise.reject(new Error('disk full'))
    const events: ChatStreamEvent[] = []
    for await (const event of stream) events.push(event)
    expect((events.at(-1) as ChatStreamFault).error).toMatchObject({ code: 'server_error' })
    expect(kit.faults).toHaveLength(1)
  })
})

describe('a thousand readers who leave', () => {
  it('leave no provider call behind, and each is settled once for what it took', async () => {
    await using provider = await startFakeProvider(streams({ pieces: PIECES, ending: 'hang' }))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)], limits: { connectionsPerProvider: 1_000 } })
    const caller = new AbortController()
    const readers = await Promise.all(
      Array.from({ length: 1_000 }, async (_, index) => {
        const stream = await kit.chat.stream(streamBody(), contextFor({ signal: caller.signal }))
        const iterator = stream as AsyncIterableIterator<ChatStreamEvent>
        for (let i = 0; i < index % 6; i++) if (i < 5) await iterator.next()
        return iterator
      }),
    )
    expect(provider.openCalls).toBe(1_000)
    expect(kit.subgraph.openStreams()).toBe(1_000)
    caller.abort()
    await Promise.all(readers.map((reader) => reader.next()))
    await provider.until(() => provider.openCalls === 0)
    expect(kit.ledger.usage).toHaveLength(1_000)
    expect(kit.ledger.held).toBe(0n)
    expect(kit.subgraph.openStreams()).toBe(0)
    const byTokens = Map.groupBy(kit.ledger.usage, ({ tokens }) => tokens.output)
    expect([...byTokens.keys()].sort((a, b) => a - b)).toEqual([0, 1, 6, 7])
    expect(byTokens.get(0)!.every(({ cost }) => cost === 0n)).toBe(true)
  })
})
