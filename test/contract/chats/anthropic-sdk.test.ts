/** `@anthropic-ai/sdk` as its users write it, against /v1/messages. */
import Anthropic from '@anthropic-ai/sdk'
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { answersBoth, fakeUsage, streams } from '../../kit/fake-provider-scenes.js'
import { nano, startChatApp, type ChatApp } from './chat-app.js'
import { messagesOf, PLACE, weatherAgent } from './weather-agent.js'

const pieces = ['Hel', 'lo ', 'you']
const weather: Anthropic.Tool = {
  name: 'weather',
  description: 'The weather of a city.',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

let chat: ChatApp
beforeAll(async () => {
  chat = await startChatApp(
    {
      normal: answersBoth({ pieces, usageObject: fakeUsage(11, 3, { prompt_tokens_details: { cached_tokens: 4 } }) }),
      silent: answersBoth({ pieces, usage: 'none' }),
      hanging: streams({ pieces, ending: 'hang' }),
      cut: streams({ pieces, ending: 'error_event' }),
      agent: weatherAgent,
    },
    { compute: { drivers: [{ type: 'sandbox', boot_seconds: 300 }] } },
    [{ id: 'cold', deploy: { vram_gb: 8, price_hint: '0.5', input_price_per_million: '0.1', output_price_per_million: '0.1' } }],
  )
})
afterAll(() => chat.stop())

const clientOf = (apiKey = chat.app.adminKey) => new Anthropic({ baseURL: chat.app.url, apiKey, maxRetries: 0 })
const ask = { model: 'normal', max_tokens: 20, messages: [{ role: 'user' as const, content: 'Hello there' }] }
const textOf = ({ content }: Anthropic.Message) => content.map((block) => (block.type === 'text' ? block.text : '')).join('')

it('answers whole, with the id of the request', async () => {
  const { data, response, request_id: id } = await clientOf().messages.create(ask).withResponse()
  expect([textOf(data), data.stop_reason, data.usage]).toMatchObject([
    'Hello you',
    'end_turn',
    { input_tokens: 7, cache_read_input_tokens: 4, output_tokens: 3 },
  ])
  expect(id).toBe(response.headers.get('x-request-id'))
})

it('streams: the text as it comes, and the same message at the end as a whole answer', async () => {
  const stream = clientOf().messages.stream(ask)
  const heard: string[] = []
  stream.on('text', (text) => heard.push(text))
  const streamed = await stream.finalMessage()
  const { id: _id, ...whole } = await clientOf().messages.create(ask)
  expect(heard).toEqual(pieces)
  expect(streamed).toMatchObject(whole)
})

describe.each(['whole', 'streamed'])('a loop of two calls of a tool, %s', (way) => {
  it('gives every result back to the model, and ends with its answer', async () => {
    const { messages } = clientOf()
    const said: Anthropic.MessageParam[] = [{ role: 'user', content: 'How is the weather?' }]
    const asked: unknown[] = []
    for (;;) {
      const request = { ...ask, model: 'agent', messages: said, tools: [weather] }
      const answer = way === 'whole' ? await messages.create(request) : await messages.stream(request).finalMessage()
      const uses = answer.content.filter((block) => block.type === 'tool_use')
      expect(answer.stop_reason).toBe(uses.length > 0 ? 'tool_use' : 'end_turn')
      if (uses.length === 0) {
        expect(textOf(answer)).toBe('sun 0, sun 1')
        break
      }
      const results = uses.map(({ id: tool_use_id, input }) => {
        asked.push(input)
        return { type: 'tool_result' as const, tool_use_id, content: `sun ${asked.length - 1}` }
      })
      said.push({ role: 'assistant', content: answer.content }, { role: 'user', content: results })
    }
    expect(asked).toEqual([{ city: 'Bern' }, { city: 'Ulm' }])
    expect(messagesOf(chat.provider.calls.at(-1)!).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
    ])
  })
})

it('answers the tool runner of the SDK', async () => {
  const cities: unknown[] = []
  const run = (input: unknown) => `sun ${cities.push(input) - 1}`
  const tool = { ...weather, type: 'custom' as const, run, parse: (input: unknown) => input }
  const runner = clientOf().beta.messages.toolRunner({ ...ask, model: 'agent', tools: [tool] })
  // It asks for a conversation that is kept, and understands the refusal.
  const { content } = await runner
  expect([content, cities]).toMatchObject([[{ type: 'text', text: 'sun 0, sun 1' }], [{ city: 'Bern' }, { city: 'Ulm' }]])
})

it('parses an answer by its schema', async () => {
  const format = zodOutputFormat(z.object({ city: z.string(), lakes: z.number() }))
  const { parsed_output: parsed } = await clientOf().messages.parse({ ...ask, model: 'agent', output_config: { format } })
  expect(parsed).toEqual(PLACE)
})

it('counts tokens as they are billed', async () => {
  const { model: _model, max_tokens: _max, ...prompt } = ask
  const { input_tokens: counted } = await clientOf().messages.countTokens({ model: 'silent', ...prompt })
  const { usage } = await clientOf().messages.create({ ...ask, model: 'silent' })
  expect([counted > 0, counted]).toEqual([true, usage.input_tokens])
})

describe('a fault', () => {
  const faultOf = async (more: object, key?: string): Promise<unknown> =>
    clientOf(key)
      .messages.create({ ...ask, ...more })
      .catch((error: unknown) => error)

  it.each([
    [401, Anthropic.AuthenticationError, 'authentication_error', {}, 'no-key-of-anybody'],
    [404, Anthropic.NotFoundError, 'not_found_error', { model: 'nothing' }],
    [400, Anthropic.BadRequestError, 'invalid_request_error', { max_tokens: 0 }],
    [529, Anthropic.OverloadedError, 'overloaded_error', { model: 'cold' }],
    [529, Anthropic.OverloadedError, 'overloaded_error', { model: 'cold', stream: true }],
  ])('%i is the class %O', async (status, errorClass, type, more, key?: string) => {
    const fault = await faultOf(more, key)
    expect(fault).toBeInstanceOf(errorClass)
    expect(fault).toMatchObject({ status, type, requestID: expect.stringMatching(/^req_/), error: { error: { type } } })
    const retryAfter = fault instanceof Anthropic.APIError ? fault.headers?.get('retry-after') : null
    expect(Number(retryAfter) > 0).toBe(status === 529)
  })

  it('in the middle of a stream is thrown', async () => {
    const stream = clientOf().messages.stream({ ...ask, model: 'cut' })
    const fault = await stream.finalMessage().catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(Anthropic.APIError)
    expect(fault).toMatchObject({ type: 'api_error' })
  })
})

describe('the bill', () => {
  const spentBy = async (key: string, send: () => Promise<unknown>): Promise<number> => {
    const before = nano((await chat.app.credits(key)).balance)
    await send()
    return before - nano((await chat.app.credits(key)).balance)
  }
  const complete = (key: string, body: object) =>
    fetch(`${chat.app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then((answer) => answer.text())

  it.each(['normal', 'silent'])('is that of the same chat completion, to the token (%s)', async (model) => {
    const { key } = await chat.app.account({ credits: '1' })
    const { messages } = clientOf(key)
    const whole = await spentBy(key, () => messages.create({ ...ask, model }))
    const streamed = await spentBy(key, () => messages.stream({ ...ask, model }).finalMessage())
    const same = await spentBy(key, () => complete(key, { ...ask, model }))
    expect([whole > 0, whole, streamed]).toEqual([true, same, same])
  })

  it('of a client that leaves is for what was delivered, and its call at the provider ends', async () => {
    const { key } = await chat.app.account({ credits: '1' })
    const { messages } = clientOf(key)
    const { input_tokens: prompt } = await messages.countTokens({ model: 'hanging', messages: ask.messages })
    const stream = messages.stream({ ...ask, model: 'hanging' })
    const ended = stream.finalMessage().catch((error: unknown) => error)
    await expect.poll(() => stream.currentMessage && textOf(stream.currentMessage)).toBe(pieces.join(''))
    const call = chat.provider.calls.at(-1)!
    stream.abort()
    expect(await ended).toBeInstanceOf(Anthropic.APIUserAbortError)
    await chat.provider.until(() => call.abortedAt !== null)
    await expect.poll(async () => (await chat.app.credits(key)).held).toBe('0.00')
    // "Hello you" is two tokens; input costs 1 nano-USD a token and output 2.
    expect(1e9 - nano((await chat.app.credits(key)).balance)).toBe(prompt + 2 * 2)
  })
})

it('a limit that no model can reach, as agents write down, is what the model can write', async () => {
  const answer = await clientOf()
    .messages.stream({ ...ask, max_tokens: 64_000 })
    .finalMessage()
  expect(textOf(answer)).toBe('Hello you')
  // Of the model of this test.
  expect(chat.provider.calls.at(-1)!.body['max_tokens']).toBe(1_000)
  await clientOf().messages.create({ ...ask, max_tokens: 999 })
  expect(chat.provider.calls.at(-1)!.body['max_tokens']).toBe(999)
  // Chat completions do not demand a limit, so who gives one means it.
  await expect(chat.app.openai().chat.completions.create({ ...ask, max_tokens: 64_000 })).rejects.toMatchObject({
    status: 400,
    param: 'max_tokens',
  })
})
