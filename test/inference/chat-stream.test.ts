/** Streamed answers that end well: the same to the caller however the provider writes them, and what is billed. */
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import {
  answers,
  answersBoth,
  deltaJson,
  fakeUsage,
  playsEvents,
  streams,
  wholeJson,
  type Scene,
  type StreamScene,
} from '../kit/fake-provider-scenes.js'
import { startFakeProvider } from '../kit/fake-provider.js'
import { candidate, chatKit, collect, contextFor, model, turns } from './chat-kit.js'
import { COUNTED, PIECES, play, streamBody, TEXT } from './streams/stream-kit.js'

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

  it('leaves a connection whose answer ends after [DONE] for the next request, and cuts one whose answer does not end', async () => {
    const opened: ServerResponse[] = []
    await using provider = await startFakeProvider((response) => {
      opened.push(response)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${deltaJson({ content: 'a' })}\n\ndata: ${deltaJson({}, 'stop')}\n\ndata: [DONE]\n\n`)
    })
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)], limits: { afterFinishTimeMs: 300 } })
    const stream = async () => collect(await kit.chat.stream(streamBody(), contextFor()))
    expect((await stream()).text).toBe('a')
    // Its reader has the whole answer; only now the provider says that there is nothing more.
    opened[0]!.end()
    await provider.until(() => provider.calls[0]!.isFinished)
    await turns()
    expect((await stream()).text).toBe('a')
    expect(opened[1]!.socket).toBe(opened[0]!.req.socket)
    expect(provider.calls[0]!.abortedAt).toBeNull()
    await provider.until(() => provider.calls[1]!.abortedAt !== null)
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
