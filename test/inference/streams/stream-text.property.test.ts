/** A stream as text says what its chunks say one by one, and costs the same, however the provider's bytes arrive. */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { StreamForm } from '../../../subgraphs/inference/chat/chat-stream.js'
import { ModelDeploying } from '../../../subgraphs/inference/index.js'
import { fakeUsage, type Scene } from '../../kit/fake-provider-scenes.js'
import { startFakeProvider } from '../../kit/fake-provider.js'
import { body, candidate, chatKit, contextFor, toArray } from '../chat-kit.js'

/** What a provider says before one of its events, in the place of it, or with it. */
type Oddity = 'none' | 'comment' | 'CRLF' | 'padding' | 'own usage' | 'garbage' | 'empty choices'

interface Piece {
  readonly text: string
  readonly choice: number
  readonly oddity: Oddity
}

interface Plan {
  readonly pieces: readonly Piece[]
  readonly place: 'content' | 'reasoning_content' | 'arguments'
  readonly limit: number
  readonly sendsUsage: boolean
  readonly ending: 'whole' | 'no end' | 'cut'
  /** Where the bytes are split, in thousandths. */
  readonly cuts: readonly number[]
}

const texts = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('The', ' quick', ' brown', ' fox', ',', ' token-12', 'über', ' 🌍', '日本', ' 7', '') },
  { weight: 2, arbitrary: fc.constantFrom('\n\n', '"', '\\', '"},"finish_reason":null}]}', 'data: [DONE]', '\u2028', '\u0085') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
)

const oddities = fc.oneof(
  { weight: 60, arbitrary: fc.constant<Oddity>('none') },
  { weight: 1, arbitrary: fc.constantFrom<Oddity>('comment', 'CRLF', 'padding', 'own usage', 'garbage', 'empty choices') },
)

const plans: fc.Arbitrary<Plan> = fc.record({
  pieces: fc.array(
    fc.record({
      text: texts,
      choice: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(2) }),
      oddity: oddities,
    }),
    { minLength: 4, maxLength: 60, size: 'max' },
  ),
  place: fc.constantFrom('content', 'content', 'reasoning_content', 'arguments'),
  limit: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constant(4_000)),
  sendsUsage: fc.boolean(),
  ending: fc.constantFrom('whole', 'whole', 'no end', 'cut'),
  cuts: fc.array(fc.nat(1_000), { maxLength: 8 }),
})

function deltaOf(place: Plan['place'], text: string, isFirst: boolean): object {
  if (place !== 'arguments') return { ...(isFirst && { role: 'assistant' }), [place]: text }
  return { tool_calls: [{ index: 0, ...(isFirst && { id: 'c' }), function: { ...(isFirst && { name: 'f' }), arguments: text } }] }
}

const chunk = (fields: object) => JSON.stringify({ id: 'p', object: 'chat.completion.chunk', created: 1, model: 'm', ...fields })

function framesOf({ pieces, place, sendsUsage, ending }: Plan): string[] {
  const started = new Set<number>()
  const frames = pieces.map(({ text, choice, oddity }, index) => {
    const delta = deltaOf(place, text, !started.has(choice))
    started.add(choice)
    const usage = oddity === 'own usage' ? { usage: fakeUsage(9, index + 1) } : {}
    const data = chunk({ choices: [{ index: choice, delta, finish_reason: null }], ...usage })
    if (oddity === 'comment') return `: ping\n\ndata: ${data}\n\n`
    if (oddity === 'CRLF') return `data: ${data}\r\n\r\n`
    if (oddity === 'padding') return `event: x\ndata:${data.replace('{', '{ ')}\n\n`
    if (oddity === 'garbage') return `data: ${data.slice(0, -3)}\n\n`
    return oddity === 'empty choices' ? `data: ${chunk({ choices: [] })}\n\ndata: ${data}\n\n` : `data: ${data}\n\n`
  })
  if (ending !== 'whole') return frames
  for (const index of started) frames.push(`data: ${chunk({ choices: [{ index, delta: {}, finish_reason: 'stop' }] })}\n\n`)
  if (sendsUsage) frames.push(`data: ${chunk({ choices: [], usage: fakeUsage(9, pieces.length) })}\n\n`)
  return [...frames, 'data: [DONE]\n\n']
}

const sends =
  (plan: Plan): Scene =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const all = Buffer.from(framesOf(plan).join(''))
    const bytes = plan.ending === 'cut' ? all.subarray(0, -5) : all
    const places = plan.cuts.map((cut) => Math.floor((cut * bytes.length) / 1_000)).toSorted((a, b) => a - b)
    let start = 0
    for (const end of [...places, bytes.length]) {
      if (end > start) response.write(bytes.subarray(start, end))
      start = end
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  }

/** What the caller reads, a line for each chunk, and what the books say. */
async function run(plan: Plan, form: StreamForm) {
  await using provider = await startFakeProvider(sends(plan))
  await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
  const request = body({ max_tokens: plan.limit, n: 2, stream: true })
  const stream = await kit.chat.stream(request, contextFor(), form).catch((error: unknown) => String(error))
  if (stream instanceof ModelDeploying) throw new Error('deploying')
  if (typeof stream === 'string') return { lines: [stream], events: 0, captured: kit.ledger.captured, tokens: null }
  const events = await toArray(stream)
  const lines = events.flatMap((event) =>
    'error' in event ? [event.error.message] : 'payload' in event ? event.payload.split('\n') : [],
  )
  expect(kit.faults).toEqual([])
  const { tokens, usageSource, endedAs } = kit.ledger.usage[0]!
  const anonymous = lines.map((line) => line.replace(/"id":"chatcmpl-\w+"/, '').replace(/"created":\d+/, ''))
  return { lines: anonymous, events: events.length, captured: kit.ledger.captured, tokens: { ...tokens, usageSource, endedAs } }
}

it('is the same bytes, the same count and the same charge as chunk by chunk', async () => {
  const seen = { together: 0, cut: 0, counted: 0, reported: 0, failed: 0 }
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const [single, together] = await Promise.all([run(plan, 'chunks'), run(plan, 'text')])
      const { events, ...said } = together
      expect(said).toEqual({ lines: single.lines, captured: single.captured, tokens: single.tokens })
      if (events < single.events) seen.together++
      if (said.lines.some((line) => line.includes('"finish_reason":"length"'))) seen.cut++
      if (said.tokens?.usageSource === 'counted') seen.counted++
      if (said.tokens?.usageSource === 'reported') seen.reported++
      if (said.tokens?.endedAs !== 'completed') seen.failed++
    }),
    { numRuns: 150 },
  )
  // A property that never meets a case proves nothing about it.
  expect(Object.entries(seen).filter(([, times]) => times < 5)).toEqual([])
})
