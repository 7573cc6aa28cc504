/** `openai` as its users write it, against /v1/responses: the same call and the same bill as a chat completion. */
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answersBoth, fakeUsage, streams } from '../../kit/fake-provider-scenes.js'
import { nano, startChatApp, type ChatApp } from './chat-app.js'
import { messagesOf, weatherAgent } from './weather-agent.js'

const pieces = ['Hel', 'lo ', 'you']
const weather = {
  type: 'function' as const,
  name: 'weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
  strict: true,
}
let chat: ChatApp
beforeAll(async () => {
  chat = await startChatApp(
    {
      normal: answersBoth({ pieces, usageObject: fakeUsage(11, 3, { prompt_tokens_details: { cached_tokens: 4 } }) }),
      silent: answersBoth({ pieces, usage: 'none' }),
      cut: streams({ pieces, ending: 'error_event' }),
      json: answersBoth({ pieces: ['{"city":', '"Bern"}'] }),
      agent: weatherAgent,
    },
    { compute: { drivers: [{ type: 'sandbox', boot_seconds: 300 }] } },
    [{ id: 'cold', deploy: { vram_gb: 8, price_hint: '0.5', input_price_per_million: '0.1', output_price_per_million: '0.1' } }],
  )
})
afterAll(() => chat.stop())

const clientOf = (apiKey = chat.app.adminKey) => new OpenAI({ baseURL: `${chat.app.url}/v1`, apiKey, maxRetries: 0 })
const ask = { model: 'normal', max_output_tokens: 20, input: 'Hello there' }
const billed = { input_tokens: 11, input_tokens_details: { cached_tokens: 4 }, output_tokens: 3, total_tokens: 14 }

it('answers whole', async () => {
  const answer = await clientOf().responses.create({ ...ask, metadata: { a: 'b' } })
  expect(answer).toMatchObject({
    output_text: 'Hello you',
    status: 'completed',
    usage: billed,
    store: false,
    metadata: { a: 'b' },
  })
})

it('streams the events in order, and the same response at the end as a whole answer', async () => {
  const stream = clientOf().responses.stream(ask)
  const types: string[] = []
  const numbers: number[] = []
  const texts: string[] = []
  for await (const event of stream) {
    types.push(event.type)
    numbers.push(event.sequence_number)
    if (event.type === 'response.output_text.delta') texts.push(event.delta)
  }
  expect(types).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    ...pieces.map(() => 'response.output_text.delta'),
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ])
  expect(numbers).toEqual(types.map((_, at) => at))
  expect(texts).toEqual(pieces)
  expect(await stream.finalResponse()).toMatchObject({ output_text: 'Hello you', status: 'completed', usage: billed })
})

it.each(['whole', 'streamed'])('a loop of two calls of a tool, %s, gives every result back to the model', async (way) => {
  const { responses } = clientOf()
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'How is the weather?' }]
  const asked: unknown[] = []
  for (;;) {
    const request = { ...ask, model: 'agent', input, tools: [weather] }
    const answer = way === 'whole' ? await responses.create(request) : await responses.stream(request).finalResponse()
    const output: readonly OpenAI.Responses.ResponseOutputItem[] = answer.output
    const calls = output.filter((item): item is OpenAI.Responses.ResponseFunctionToolCall => item.type === 'function_call')
    if (calls.length === 0) {
      expect(answer.output_text).toBe('sun 0, sun 1')
      break
    }
    const results = calls.map(({ call_id, arguments: json }) => {
      asked.push(JSON.parse(json))
      return { type: 'function_call_output' as const, call_id, output: `sun ${asked.length - 1}` }
    })
    input.push(...calls, ...results)
  }
  expect(asked).toEqual([{ city: 'Bern' }, { city: 'Ulm' }])
  const roles = messagesOf(chat.provider.calls.at(-1)!).map(({ role }) => role)
  expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool'])
})

it('parses structured output', async () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }
  const format = { type: 'json_schema' as const, name: 'place', schema, strict: true }
  const { output_parsed } = await clientOf().responses.parse({ ...ask, model: 'json', text: { format } })
  expect(output_parsed).toEqual({ city: 'Bern' })
  expect(chat.provider.calls.at(-1)!.body['response_format']).toMatchObject({ json_schema: { name: 'place', schema } })
})

describe('a fault', () => {
  it.each([
    [401, {}, null, 'no-key-of-anybody'],
    [404, { model: 'nothing' }, 'model'],
    [400, { background: true }, 'background'],
    [400, { previous_response_id: 'resp_1' }, 'previous_response_id'],
    [400, { tools: [{ type: 'web_search' }] }, 'tools[0].type'],
    [503, { model: 'cold' }, 'model'],
    [503, { model: 'cold', stream: true }, 'model'],
  ])('is %i for %j', async (status, more, param, key?: string) => {
    const fault: unknown = await clientOf(key)
      .responses.create({ ...ask, ...more } as OpenAI.Responses.ResponseCreateParamsNonStreaming)
      .catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(OpenAI.APIError)
    expect(fault).toMatchObject({ status, param })
    const retryAfter = fault instanceof OpenAI.APIError ? fault.headers?.get('retry-after') : null
    expect(Number(retryAfter) > 0).toBe(status === 503)
  })

  it('in the middle of a stream is response.failed', async () => {
    let last: unknown = null
    for await (const event of await clientOf().responses.create({ ...ask, model: 'cut', stream: true })) last = event
    expect(last).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: expect.any(String) }, output: [{ status: 'incomplete' }] },
    })
  })
})

it.each(['normal', 'silent'])(
  'costs what the same chat completion costs, to the token, under its own name (%s)',
  async (model) => {
    const { key } = await chat.app.account({ credits: '1' })
    const { responses, chat: chats } = clientOf(key)
    const spent = async (send: () => Promise<unknown>) => {
      const before = nano((await chat.app.credits(key)).balance)
      await send()
      return before - nano((await chat.app.credits(key)).balance)
    }
    const whole = await spent(() => responses.create({ ...ask, model }))
    const streamed = await spent(() => responses.stream({ ...ask, model }).finalResponse())
    const messages = [{ role: 'user' as const, content: ask.input }]
    const same = await spent(() => chats.completions.create({ model, max_completion_tokens: 20, messages }))
    expect([whole > 0, whole, streamed]).toEqual([true, same, same])
    const { viewer } = await chat.app.graphql<{ viewer: { usage: { nodes: { api: string }[] } } }>(
      '{ viewer { usage(sort: OLDEST) { nodes { api } } } }',
      {},
      key,
    )
    expect(viewer.usage.nodes.map(({ api }) => api)).toEqual(['RESPONSES', 'RESPONSES', 'CHAT_COMPLETIONS'])
  },
)
