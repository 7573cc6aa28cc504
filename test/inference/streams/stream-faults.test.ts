/** Streams that end before their time: a fault of the provider, before the first token or after, and a limit. */
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import {
  answers,
  deltaJson,
  fails,
  hangs,
  playsEvents,
  resets,
  streams,
  type Scene,
  type StreamScene,
} from '../../kit/fake-provider-scenes.js'
import { startFakeProvider } from '../../kit/fake-provider.js'
import { candidate, chatKit, collect, contextFor, failure, turns } from '../chat-kit.js'
import { COUNTED, PIECES, play, streamBody, TEXT } from './stream-kit.js'

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

  it('leaves the connection of a provider that ends soon after it for the next request, and cuts one that goes on', async () => {
    const opened: ServerResponse[] = []
    await using provider = await startFakeProvider((response) => {
      opened.push(response)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const piece of PIECES) response.write(`data: ${deltaJson({ content: piece })}\n\n`)
    })
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)], limits: { overrunTimeMs: 300 } })
    const stream = async () => collect(await kit.chat.stream(streamBody({ max_tokens: 1 }), contextFor()))
    expect((await stream()).chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'length' }] })
    opened[0]!.end(`data: ${deltaJson({ content: ' and more' }, 'length')}\n\ndata: [DONE]\n\n`)
    await provider.until(() => provider.calls[0]!.isFinished)
    await turns()
    expect((await stream()).text).not.toContain('more')
    expect(opened[1]!.socket).toBe(opened[0]!.req.socket)
    expect(provider.calls[0]!.abortedAt).toBeNull()
    await provider.until(() => provider.calls[1]!.abortedAt !== null)
  })
})
