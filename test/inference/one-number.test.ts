/** What is delivered is what the answer reports is what is charged, whatever a provider does with its limit and its counts. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tokenCost } from '#platform/money.js'
import { ChatCompletion } from '../../subgraphs/inference/index.js'
import { countText } from '../../subgraphs/inference/tokens/token-count.js'
import { answers, fakeUsage, type Scene } from '../kit/fake-provider-scenes.js'
import { startFakeProvider } from '../kit/fake-provider.js'
import { body, candidate, chatKit, collect, contextFor, PRICE } from './chat-kit.js'

const WORDS = [
  'The',
  ' quick',
  ' brown',
  ' fox',
  ' jumps',
  '.',
  '\n\n',
  ' über',
  ' 🌍',
  ' 12345',
  'un',
  'break',
  'able',
  '日本',
  ' ',
  '!?',
]

interface Plan {
  /** One text for each choice. */
  readonly texts: readonly string[]
  readonly place: 'content' | 'reasoning_content' | 'arguments'
  readonly limit: number
  readonly report: 'none' | 'honest' | 'under' | 'over' | 'huge prompt'
  readonly pieceCharacters: number
  readonly ending: 'stop' | 'length' | 'cut' | 'no end'
}

const plans: fc.Arbitrary<Plan> = fc.record({
  texts: fc.array(
    fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 60 }).map((words) => words.join('')),
    { minLength: 1, maxLength: 3 },
  ),
  place: fc.constantFrom('content', 'content', 'reasoning_content', 'arguments'),
  limit: fc.integer({ min: 1, max: 40 }),
  report: fc.constantFrom('none', 'honest', 'under', 'over', 'huge prompt'),
  pieceCharacters: fc.integer({ min: 1, max: 30 }),
  ending: fc.constantFrom('stop', 'stop', 'length', 'cut', 'no end'),
})

const count = (text: string) => countText('o200k_base', text)
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

async function usageOf({ report, texts }: Plan): Promise<Record<string, unknown> | null> {
  const output = sum(await Promise.all(texts.map(count)))
  if (report === 'none') return null
  if (report === 'under') return fakeUsage(9, Math.max(1, output >> 1))
  if (report === 'over') return fakeUsage(9, output * 3 + 40)
  return fakeUsage(report === 'huge prompt' ? 5_000_000 : 9, output)
}

const part = (place: Plan['place'], text: string, isFirst: boolean) => {
  if (place !== 'arguments') return { [place]: text }
  return {
    tool_calls: [
      {
        index: 0,
        ...(isFirst && { id: 'call_1', type: 'function' }),
        function: { name: isFirst ? 'f' : undefined, arguments: text },
      },
    ],
  }
}

const finishOf = ({ ending }: Plan) => (ending === 'length' ? 'length' : 'stop')

const wholeScene = (plan: Plan, usage: object | null): Scene =>
  answers({
    choices: plan.texts.map((text, index) => ({
      index,
      message: { role: 'assistant', content: null, ...part(plan.place, text, true) },
      finish_reason: finishOf(plan),
    })),
    ...(usage && { usage }),
  })

/** The choices take turns, piece by piece. */
function streamScene(plan: Plan, usage: object | null): Scene {
  const events: object[] = []
  const characters = plan.texts.map((text) => Array.from(text))
  const longest = Math.max(...characters.map(({ length }) => length))
  for (let start = 0; start < longest; start += plan.pieceCharacters) {
    for (const [index, text] of characters.entries()) {
      const piece = text.slice(start, start + plan.pieceCharacters).join('')
      if (piece !== '') events.push({ choices: [{ index, delta: part(plan.place, piece, start === 0), finish_reason: null }] })
    }
  }
  const isWhole = plan.ending === 'stop' || plan.ending === 'length'
  if (isWhole)
    for (const index of characters.keys()) events.push({ choices: [{ index, delta: {}, finish_reason: finishOf(plan) }] })
  if (isWhole && usage) events.push({ choices: [], usage })
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    if (plan.ending === 'cut') response.write(text, () => setImmediate(() => response.socket?.resetAndDestroy()))
    else response.end(plan.ending === 'no end' ? text : `${text}data: [DONE]\n\n`)
  }
}

/** What a client has read of one choice, in the place where the plan puts it. */
interface Delivered {
  text: string
  finish: string | null
}

function textIn(message: Record<string, unknown>): string {
  const calls = (message['tool_calls'] ?? []) as { function: { name?: string; arguments?: string } }[]
  const called = calls.map((call) => (call.function.name ?? '') + (call.function.arguments ?? '')).join('')
  return `${(message['reasoning_content'] as string) ?? ''}${(message['content'] as string) ?? ''}${called}`
}

async function run(plan: Plan, form: 'whole' | 'streamed') {
  const usage = await usageOf(plan)
  await using provider = await startFakeProvider(form === 'whole' ? wholeScene(plan, usage) : streamScene(plan, usage))
  await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
  const request = body({ max_tokens: plan.limit, n: plan.texts.length, stream: form === 'streamed' })
  const delivered = new Map<number, Delivered>()
  let said: Record<string, unknown> | undefined
  const note = (choice: { index: number; finish_reason: string | null }, message: Record<string, unknown>) => {
    const known = delivered.get(choice.index) ?? { text: '', finish: null }
    delivered.set(choice.index, { text: known.text + textIn(message), finish: choice.finish_reason ?? known.finish })
  }
  if (form === 'whole') {
    const answer = await kit.chat.complete(request, contextFor())
    if (!(answer instanceof ChatCompletion)) throw new Error('deploying')
    const raw = answer.raw as {
      choices: { index: number; finish_reason: string; message: Record<string, unknown> }[]
      usage: Record<string, unknown>
    }
    for (const choice of raw.choices) note(choice, choice.message)
    said = raw.usage
  } else {
    const { chunks } = await collect(await kit.chat.stream(request, contextFor()))
    for (const chunk of chunks) for (const choice of chunk.choices ?? []) note(choice, choice.delta)
    said = chunks.at(-1)!.usage
  }
  expect(kit.faults).toEqual([])
  expect(kit.ledger.usage).toHaveLength(1)
  const hold = kit.ledger.holds.values().next().value!
  return { usage: kit.ledger.usage[0]!, captured: kit.ledger.captured[0]!, hold, delivered, said, reported: usage }
}

const seen = { counted: 0, reported: 0, cut: 0, broken: 0, several: 0 }

async function holds(plan: Plan, form: 'whole' | 'streamed'): Promise<void> {
  const { usage, captured, hold, delivered, said, reported } = await run(plan, form)
  const { tokens } = usage
  // Charged is what the recorded tokens cost, within the hold, and nothing delivered was free.
  expect(captured).toBe(tokenCost(tokens, PRICE.tokenPrice))
  expect(usage.cost).toBe(captured)
  expect(captured).toBeLessThanOrEqual(hold.amount)
  expect(captured).toBeGreaterThan(0n)
  // Reported to the caller is what was charged; a broken stream ends with an error instead.
  if (said) expect(said).toMatchObject({ prompt_tokens: tokens.input + tokens.cachedInput, completion_tokens: tokens.output })
  else seen.broken++
  const texts = [...delivered.entries()].toSorted(([a], [b]) => a - b).map(([, choice]) => choice)
  const prefix = plan.place === 'arguments' ? 'f' : ''
  for (const [index, { text }] of texts.entries()) expect((prefix + plan.texts[index]!).startsWith(text)).toBe(true)
  const counts = await Promise.all(texts.map(({ text }) => count(text)))
  if (usage.usageSource === 'counted') {
    seen.counted++
    expect(tokens.output).toBe(sum(counts))
    for (const choice of counts) expect(choice).toBeLessThanOrEqual(plan.limit)
  } else {
    seen.reported++
    expect(tokens.output).toBe(reported!['completion_tokens'])
    expect(tokens.output).toBeLessThanOrEqual(plan.limit * plan.texts.length)
    for (const [index, { text }] of texts.entries()) expect(text).toBe(prefix + plan.texts[index]!)
  }
  for (const [index, { text, finish }] of texts.entries()) {
    if (text.length === (prefix + plan.texts[index]!).length) continue
    seen.cut++
    expect(finish).toBe('length')
  }
  if (texts.length > 1) seen.several++
}

describe.each(['whole', 'streamed'] as const)('of a %s answer', (form) => {
  it('the delivered, the reported and the charged tokens are one number, and keep the limit', async () => {
    for (const name of Object.keys(seen) as (keyof typeof seen)[]) seen[name] = 0
    await fc.assert(
      fc.asyncProperty(plans, (plan) => holds(plan, form)),
      { numRuns: 120 },
    )
    // A property that never meets a case proves nothing about it.
    expect(seen.counted).toBeGreaterThan(20)
    expect(seen.reported).toBeGreaterThan(5)
    expect(seen.cut).toBeGreaterThan(20)
    expect(seen.several).toBeGreaterThan(20)
    if (form === 'streamed') expect(seen.broken).toBeGreaterThan(10)
  })

  it('fifty tokens for a limit of five are five', async () => {
    const text = Array.from({ length: 50 }, (_, index) => (index === 0 ? 'word' : ' word')).join('')
    const plan: Plan = { texts: [text], place: 'content', limit: 5, report: 'honest', pieceCharacters: 5, ending: 'stop' }
    const { delivered, said, usage, captured } = await run(plan, form)
    expect(delivered.get(0)).toEqual({ text: 'word word word word word', finish: 'length' })
    expect(said).toEqual({ prompt_tokens: 8, completion_tokens: 5, total_tokens: 13 })
    expect(usage).toMatchObject({ usageSource: 'counted', tokens: { input: 8, output: 5 } })
    expect(captured).toBe(18n)
  })

  it('an answer that is far longer than its limit is not believed to have kept it', async () => {
    const text = Array.from({ length: 200 }, () => ' word').join('')
    const plan: Plan = { texts: [text], place: 'content', limit: 5, report: 'honest', pieceCharacters: 5, ending: 'stop' }
    const lie = { ...plan, report: 'under' as const, texts: [text] }
    const { usage, delivered } = await run(lie, form)
    expect(usage).toMatchObject({ usageSource: 'counted', tokens: { output: 5 } })
    expect(delivered.get(0)!.finish).toBe('length')
  })

  it('choices that nobody asked for are neither delivered nor charged', async () => {
    const plan: Plan = {
      texts: ['one', 'two', 'three'],
      place: 'content',
      limit: 5,
      report: 'honest',
      pieceCharacters: 9,
      ending: 'stop',
    }
    const usage = await usageOf(plan)
    await using provider = await startFakeProvider(form === 'whole' ? wholeScene(plan, usage) : streamScene(plan, usage))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
    if (form === 'whole') await kit.chat.complete(body(), contextFor())
    else {
      const { bytes } = await collect(await kit.chat.stream(body({ stream: true }), contextFor()))
      expect(bytes).not.toContain('two')
    }
    expect(kit.ledger.usage[0]).toMatchObject({ usageSource: 'counted', tokens: { output: 1 } })
  })
})

it('a provider that counts along decides itself where its limit is', async () => {
  // A word of three tokens by our tokenizer is one by this provider's.
  const words = Array.from({ length: 10 }, () => 'zxqvjkw')
  const events = words.map((content, index) => ({
    choices: [{ index: 0, delta: { content }, finish_reason: index === 9 ? 'length' : null }],
    usage: fakeUsage(9, index + 1),
  }))
  await using provider = await startFakeProvider((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`)
  })
  await using kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
  const { text, chunks } = await collect(await kit.chat.stream(body({ stream: true, max_tokens: 10 }), contextFor()))
  expect(text).toBe(words.join(''))
  expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 10 } })
  expect(kit.ledger.usage[0]).toMatchObject({ usageSource: 'reported', tokens: { output: 10 } })
})
