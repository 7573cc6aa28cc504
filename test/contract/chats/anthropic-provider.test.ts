/** Official SDKs against a gateway whose model is served by a provider with Anthropic's Messages API. */
import Anthropic from '@anthropic-ai/sdk'
import type OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answersBoth } from '../../kit/fake-provider-scenes.js'
import { FakeProvider } from '../../kit/fake-provider.js'
import { overloaded, plays, refuses, says, simulated, simulatedUsage } from '../../kit/messages-simulator.js'
import { nano, PRICE, startChatApp, type ChatApp } from './chat-app.js'

interface Turn {
  readonly role: string
  readonly content: readonly { readonly type: string; readonly content?: readonly { readonly text: string }[] }[]
}

/** Asks for the weather of two cities, one after the other, and then tells it. */
const agent = plays((request) => {
  const turns = request['messages'] as Turn[]
  const results = turns.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_result'))
  const usage = simulatedUsage(20 + results.length, 5, 3)
  const city = ['Bern', 'Ulm'][results.length]
  if (city === undefined) return { ...says(results.map(({ content }) => content![0]!.text).join(', ')), usage }
  const call = { type: 'tool_use' as const, id: `toolu_${results.length}`, name: 'weather', input: { city } }
  return simulated([{ type: 'text', text: 'Let me see.' }, call], { usage })
})

let anthropic: FakeProvider
let chat: ChatApp
beforeAll(async () => {
  anthropic = await FakeProvider.start(plays({ ...says('Hello you'), usage: simulatedUsage(7, 3, 4, 2) }))
  anthropic.scenes.set('agent', agent)
  anthropic.scenes.set(
    'stopped',
    plays(simulated([{ type: 'text', text: 'Hel' }], { stop_reason: 'stop_sequence', stop_sequence: 'lo' })),
  )
  anthropic.scenes.set('both', overloaded)
  anthropic.scenes.set('down', overloaded)
  anthropic.scenes.set('unpaid', refuses(400, 'invalid_request_error', 'Your credit balance is too low to access the API.'))
  const modelOf = (id: string, more: readonly object[] = []) => ({
    id,
    owned_by: 'test',
    tier: 'light',
    context_window: 8192,
    max_output_tokens: 1000,
    deployments: [{ provider: 'a1', model_id: id, ...PRICE, cached_input_price_per_million: '0.0005' }, ...more],
  })
  const dearer = { input_price_per_million: '0.001', output_price_per_million: '0.003' }
  chat = await startChatApp(
    { other: answersBoth({ pieces: ['From ', 'another'] }) },
    {},
    [
      ...['claude', 'agent', 'stopped', 'down', 'unpaid'].map((id) => modelOf(id)),
      modelOf('both', [{ provider: 'p1', model_id: 'other', ...dearer }]),
    ],
    { providers: [{ id: 'a1', name: 'Anthropic', base_url: anthropic.baseUrl, api: 'messages', api_key: 'a-key' }] },
  )
})
afterAll(async () => {
  await chat.stop()
  await anthropic.stop()
})

const messages = [{ role: 'user' as const, content: 'Hello there' }]
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const spentBy = async (key: string, send: () => Promise<unknown>): Promise<number> => {
  const before = nano((await chat.app.credits(key)).balance)
  await send()
  return before - nano((await chat.app.credits(key)).balance)
}

describe('the openai SDK', () => {
  type Asked = Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>
  const complete = (key?: string) => chat.app.openai(key).chat.completions
  const create = ({ stream: _whole, ...request }: Asked, key?: string) =>
    complete(key).create({ model: 'claude', messages, ...request })
  const stream = ({ stream: _whole, ...request }: Asked, key?: string) =>
    complete(key).stream({ model: 'claude', messages, stream_options: { include_usage: true }, ...request })

  it('is answered whole and streamed, with the same words and counts', async () => {
    const whole = await create({ max_tokens: 50 })
    const streamed = await stream({}).finalChatCompletion()
    for (const { choices, usage, model } of [whole, streamed]) {
      expect([choices[0]!.message.content, choices[0]!.finish_reason, model]).toEqual(['Hello you', 'stop', 'claude'])
      expect(usage).toMatchObject({ prompt_tokens: 13, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } })
    }
    expect(anthropic.calls.at(-1)!.body['max_tokens']).toBe(1000)
    expect(anthropic.calls.at(-1)!.headers['x-api-key']).toBe('a-key')
  })

  it('pays for the counts of the usage, cached tokens at their own price', async () => {
    const { key } = await chat.app.account({ credits: '1' })
    const whole = await spentBy(key, () => create({}, key))
    const streamed = await spentBy(key, () => stream({}, key).finalChatCompletion())
    // 9 new tokens at 1 nano-USD, 4 cached ones at a half, 3 of output at 2.
    expect([whole, streamed]).toEqual([17, 17])
  })

  it.each(['whole', 'streamed'])('completes a task of two calls of a tool, %s', async (way) => {
    const said: OpenAI.ChatCompletionMessageParam[] = [...messages]
    const cities: string[] = []
    const tools = [{ type: 'function' as const, function: { name: 'weather', parameters } }]
    for (;;) {
      const request = { model: 'agent', messages: said, tools }
      const answer = await (way === 'whole' ? create(request) : stream(request).finalChatCompletion())
      const { message, finish_reason: reason } = answer.choices[0]!
      const calls = (message.tool_calls ?? []).filter((call) => call.type === 'function')
      expect([reason, answer.usage?.prompt_tokens]).toEqual([calls.length > 0 ? 'tool_calls' : 'stop', 23 + cities.length])
      if (calls.length === 0) {
        expect(message.content).toBe('sun 0, sun 1')
        break
      }
      said.push(message)
      for (const { id, function: made } of calls) {
        const { city } = JSON.parse(made.arguments) as { city: string }
        said.push({ role: 'tool', tool_call_id: id, content: `sun ${cities.push(city) - 1}` })
      }
    }
    expect(cities).toEqual(['Bern', 'Ulm'])
  })

  it('is answered through Responses too', async () => {
    const { responses } = chat.app.openai()
    const whole = await responses.create({ model: 'claude', input: 'Hello there', instructions: 'Be brief.' })
    const streamed = await responses.stream({ model: 'claude', input: 'Hello there' }).finalResponse()
    for (const { output_text: text, status, usage } of [whole, streamed]) {
      expect([text, status]).toEqual(['Hello you', 'completed'])
      expect(usage).toMatchObject({ input_tokens: 13, input_tokens_details: { cached_tokens: 4 }, output_tokens: 3 })
    }
  })

  it('is answered by the other provider while this one is overloaded', async () => {
    const whole = await create({ model: 'both' })
    const streamed = await stream({ model: 'both' }).finalChatCompletion()
    expect([whole, streamed].map(({ choices }) => choices[0]!.message.content)).toEqual(['From another', 'From another'])
    expect(anthropic.calls.filter(({ body }) => body['model'] === 'both').length).toBeGreaterThan(0)
  })

  it.each([
    ['down', 502, 'upstream_error'],
    ['unpaid', 502, 'upstream_error'],
  ])('is told %s as it is told of every provider (%i)', async (model, status, code) => {
    const fault: unknown = await create({ model }).catch((error: unknown) => error)
    expect(fault).toMatchObject({ status, code })
  })

  it('is refused what this API cannot say, by the name of the field', async () => {
    const fault: unknown = await create({ logprobs: true }).catch((error: unknown) => error)
    expect(fault).toMatchObject({ status: 400, param: 'logprobs', type: 'invalid_request_error' })
  })
})

describe("Anthropic's SDK", () => {
  const clientOf = (apiKey = chat.app.adminKey) => new Anthropic({ baseURL: chat.app.url, apiKey, maxRetries: 0 })
  const ask = { model: 'claude', max_tokens: 20, messages }

  it('gets through the gateway what the provider said, whole and streamed', async () => {
    const whole = await clientOf().messages.create({ ...ask, system: 'Be brief.', metadata: { user_id: 'u' } })
    const streamed = await clientOf().messages.stream(ask).finalMessage()
    for (const { content, stop_reason: reason, usage } of [whole, streamed]) {
      expect([content, reason]).toMatchObject([[{ type: 'text', text: 'Hello you' }], 'end_turn'])
      expect(usage).toMatchObject({ input_tokens: 9, cache_read_input_tokens: 4, output_tokens: 3 })
    }
    expect(anthropic.calls.at(-2)!.body).toEqual({
      model: 'claude',
      max_tokens: 20,
      stream: false,
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello there' }] }],
      metadata: { user_id: 'u' },
    })
  })

  it('hears which text ended the answer', async () => {
    const request = { ...ask, model: 'stopped', stop_sequences: ['lo'] }
    const whole = await clientOf().messages.create(request)
    const streamed = await clientOf().messages.stream(request).finalMessage()
    const ends = [whole, streamed].map(({ stop_reason: reason, stop_sequence: text }) => [reason, text])
    expect(ends).toEqual([
      ['stop_sequence', 'lo'],
      ['stop_sequence', 'lo'],
    ])
  })

  it.each(['whole', 'streamed'])('completes a task of two calls of a tool, %s', async (way) => {
    const said: Anthropic.MessageParam[] = [...messages]
    const asked: unknown[] = []
    const tools = [{ name: 'weather', input_schema: { ...parameters, type: 'object' as const } }]
    for (;;) {
      const request = { ...ask, model: 'agent', messages: said, tools }
      const sent = clientOf().messages
      const answer = way === 'whole' ? await sent.create(request) : await sent.stream(request).finalMessage()
      const uses = answer.content.filter((block) => block.type === 'tool_use')
      if (uses.length === 0) {
        expect(answer.content).toMatchObject([{ type: 'text', text: 'sun 0, sun 1' }])
        break
      }
      const results = uses.map(({ id: tool_use_id, input }) => {
        asked.push(input)
        return { type: 'tool_result' as const, tool_use_id, content: `sun ${asked.length - 1}` }
      })
      said.push({ role: 'assistant', content: answer.content }, { role: 'user', content: results })
    }
    expect(asked).toEqual([{ city: 'Bern' }, { city: 'Ulm' }])
    // The conversation that reaches the provider is the caller's, block by block.
    const sent = anthropic.calls.at(-1)!.body['messages'] as Turn[]
    expect(sent.map(({ role, content }) => [role, content.map(({ type }) => type)])).toEqual([
      ['user', ['text']],
      ['assistant', ['text', 'tool_use']],
      ['user', ['tool_result']],
      ['assistant', ['text', 'tool_use']],
      ['user', ['tool_result']],
    ])
  })

  it('pays the same as a chat completion', async () => {
    const { key } = await chat.app.account({ credits: '1' })
    expect(await spentBy(key, () => clientOf(key).messages.create(ask))).toBe(17)
  })
})
