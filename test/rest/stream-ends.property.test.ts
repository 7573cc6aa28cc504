/** A stream that was cut never looks complete: wherever it is cut, by whomever, and whatever the caller asked for. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '#platform/clock.js'
import { authenticationError, type Principal } from '#platform/requests/context.js'
import { serverStops } from '#platform/requests/end-reasons.js'
import { createContextSource } from '#platform/requests/request-context.js'
import { buildSubgraphSchema } from '../../src/graph/composition/subgraph-schema.js'
import { createEngine } from '../../src/graph/execution/engine.js'
import { createTypedGraph } from '../../src/graph/execution/typed-graph.js'
import { createChatCompletion } from '../../src/rest/chat-completions/route.js'
import { plainRoute } from '../../src/edge/route.js'
import { openAiError } from '../../src/edge/responses.js'
import { candidate, chatKit } from '../inference/chat-kit.js'
import { onlySmallBodies } from '../kit/large-bodies.js'
import { startFakeProvider, type FakeProvider } from '../kit/fake-provider.js'
import type { Scene } from '../kit/fake-provider-scenes.js'

const ENDS = ['complete', 'done without finish', 'early', 'reset', 'error event', 'garbage', 'hang'] as const
const CUTS = ['none', 'stop', 'key', 'time'] as const

interface Story {
  readonly choices: number
  readonly pieces: number
  /** How many of the provider's events arrive. */
  readonly cutAfter: number
  readonly end: (typeof ENDS)[number]
  readonly cut: (typeof CUTS)[number]
  readonly wantsUsage: boolean
  readonly sendsUsage: boolean
  /** Cut from our side before the caller has seen a byte, else after. */
  readonly cutsEarly: boolean
  /** More than the hold pays for. */
  readonly isLong: boolean
}

const stories = fc.record<Story>({
  choices: fc.integer({ min: 1, max: 3 }),
  pieces: fc.integer({ min: 1, max: 6 }),
  cutAfter: fc.nat(30),
  end: fc.constantFrom(...ENDS),
  cut: fc.constantFrom(...CUTS),
  wantsUsage: fc.boolean(),
  sendsUsage: fc.boolean(),
  cutsEarly: fc.boolean(),
  isLong: fc.boolean(),
})

const chunk = (fields: object) => JSON.stringify({ id: 'p', object: 'chat.completion.chunk', created: 1, model: 'm', ...fields })

/** All of the provider's events, the choices one after the other. */
function eventsOf({ choices, pieces, sendsUsage, isLong }: Story): string[] {
  const content = isLong ? 'many words '.repeat(60) : 'word '
  const events = Array.from({ length: choices }, (_, index) => [
    ...Array.from({ length: pieces }, () => chunk({ choices: [{ index, delta: { content }, finish_reason: null }] })),
    chunk({ choices: [{ index, delta: {}, finish_reason: 'stop' }] }),
  ]).flat()
  const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 }
  return sendsUsage ? [...events, chunk({ choices: [], usage })] : events
}

/** Plays a story. One that is cut from our side cuts itself when its events have gone out, or waits to be cut. */
const plays =
  (story: Story): Scene =>
  async (response) => {
    const events = eventsOf(story)
    const isWhole = story.end === 'complete'
    const sent = isWhole ? events : events.slice(0, 1 + (story.cutAfter % events.length))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(sent.map((event) => `data: ${event}\n\n`).join(''))
    await new Promise((resolve) => setImmediate(resolve))
    if (story.cutsEarly) cut(story)
    else if (story.cut !== 'none') return
    if (story.end === 'hang') return story.cut === 'none' ? void response.destroy() : undefined
    if (story.end === 'reset') return void response.socket?.resetAndDestroy()
    if (story.end === 'error event') response.write('data: {"error":{"message":"no"}}\n\n')
    if (story.end === 'garbage') response.write('data: {"choices":[{"delta"\n\n')
    response.end(isWhole || story.end === 'done without finish' ? 'data: [DONE]\n\n' : '')
  }

const PRINCIPAL: Principal = { accountId: 'acc_1', keyId: 'key_1', scopes: new Set(['chat']) }
const contexts = createContextSource({ authenticate: () => PRINCIPAL, clock: systemClock })
const unexpected: unknown[] = []
let provider: FakeProvider
let kit: ReturnType<typeof chatKit>
let server: Server
let url: string

beforeAll(async () => {
  provider = await startFakeProvider((response) => void response.end())
  kit = chatKit({
    deployments: [candidate(provider.baseUrl)],
    limits: { requestTimeMs: 250, settleMarginMs: 0, afterFinishTimeMs: 20 },
  })
  const { schema } = buildSubgraphSchema(kit.subgraph)
  const edge = {
    graph: createTypedGraph(createEngine(schema, { compiles: true })),
    contexts,
    limits: { maxBodyBytes: 1e6, maxSmallBodyBytes: 64_000, maxJsonDepth: 64, storesResponses: false },
    ...onlySmallBodies,
    onUnexpected: (error: unknown) => unexpected.push(error),
  }
  server = createServer(plainRoute(edge, openAiError, createChatCompletion(edge)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await kit[Symbol.asyncDispose]()
  await provider.stop()
})

function cut({ cut: by }: Story): void {
  if (by === 'key') contexts.requests.endThoseOf('key_1', authenticationError())
  if (by === 'stop') for (const keyId of contexts.requests.keyIds()) contexts.requests.endThoseOf(keyId, serverStops())
}

interface Event {
  readonly error?: object
  readonly choices?: { readonly index: number; readonly finish_reason: string | null }[]
}

it('every stream that ends with [DONE] has a finish_reason for each choice, or an error just before', async () => {
  const seen = { whole: 0, told: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      provider.scene = plays(story)
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'my-model',
          messages: [{ role: 'user', content: 'Hello' }],
          max_tokens: 20,
          stream: true,
          n: story.choices,
          ...(story.wantsUsage && { stream_options: { include_usage: true } }),
        }),
      })
      if (!story.cutsEarly) cut(story)
      const text = await response.text()
      if (response.status !== 200) {
        seen.refused++
        expect(text).not.toContain('[DONE]')
        return
      }
      const data = text.split('\n\n').flatMap((frame) => (frame.startsWith('data: ') ? [frame.slice(6)] : []))
      expect(data.at(-1)).toBe('[DONE]')
      const events = data.slice(0, -1).map((line) => JSON.parse(line) as Event)
      if (events.at(-1)!.error) return void seen.told++
      seen.whole++
      const finished = events.flatMap(({ choices = [] }) => choices.filter((choice) => choice.finish_reason !== null))
      expect(finished.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: story.choices }, (_, index) => index),
      )
    }),
    { numRuns: 120 },
  )
  // A run that reaches only one of the ends proves nothing of the others.
  expect(Object.values(seen).every((count) => count > 0)).toBe(true)
  expect(unexpected).toEqual([])
  expect(kit.faults).toEqual([])
  await expect.poll(() => kit.ledger.held).toBe(0n)
})
