/** What the tests of streamed answers share: a text in pieces, and one stream from end to end. */
import { expect } from 'vitest'
import { startFakeProvider } from '../../kit/fake-provider.js'
import type { Scene } from '../../kit/fake-provider-scenes.js'
import { body, candidate, chatKit, collect, contextFor } from '../chat-kit.js'

export const PIECES = ['Hel', 'lo', ' wörld 🌍', '!']
export const TEXT = PIECES.join('')
/** Tokens of `TEXT`, and of the prompt of `body()`, by the tokenizer. */
export const COUNTED = { input: 8, output: 7 }

export const streamBody = (more: Record<string, unknown> = {}) => body({ stream: true, ...more })

/** Streams one answer to its end and holds the books against it. */
export async function play(scene: Scene, request = streamBody(), overrides: Parameters<typeof chatKit>[0] = {}) {
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
