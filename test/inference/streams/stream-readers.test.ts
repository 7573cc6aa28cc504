/** Readers of a stream: who leaves, stalls or waits, and a thousand who leave at once. */
import { describe, expect, it, vi } from 'vitest'
import { ChatStreamFault, type ChatStreamEvent, type ModelDeploying } from '../../../subgraphs/inference/index.js'
import { streams } from '../../kit/fake-provider-scenes.js'
import { startFakeProvider } from '../../kit/fake-provider.js'
import { candidate, chatKit, contextFor, turns } from '../chat-kit.js'
import { COUNTED, PIECES, streamBody } from './stream-kit.js'

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
