/** /v1/messages: the same call and the same bill as a chat completion, in the shape of Anthropic's API. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answersBoth, deltaJson, fakeUsage, fails, playsEvents, streams } from '../../kit/fake-provider-scenes.js'
import { nano, startChatApp, type ChatApp } from './chat-app.js'

const pieces = ['Hel', 'lo ', 'you']
const calls = [
  deltaJson({
    role: 'assistant',
    tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a"' } }],
  }),
  deltaJson({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }),
  deltaJson({}, 'tool_calls', { usage: fakeUsage(11, 5) }),
]
let chat: ChatApp
beforeAll(async () => {
  chat = await startChatApp(
    {
      normal: answersBoth({ pieces, usageObject: fakeUsage(11, 3, { prompt_tokens_details: { cached_tokens: 4 } }) }),
      silent: answersBoth({ pieces, usage: 'none' }),
      calls: playsEvents(calls),
      cut: streams({ pieces, ending: 'reset' }),
      failing: fails(500),
    },
    { compute: { drivers: [{ type: 'sandbox', boot_seconds: 300 }] } },
    [{ id: 'cold', deploy: { vram_gb: 8, price_hint: '0.5', input_price_per_million: '0.1', output_price_per_million: '0.1' } }],
  )
})
afterAll(() => chat.stop())

const messages = [{ role: 'user', content: 'Hello there' }]
const post = (path: string, body: object, headers: Record<string, string>) =>
  fetch(`${chat.app.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const ask = (body: object, key = chat.app.adminKey) =>
  post(
    '/v1/messages',
    { model: 'normal', max_tokens: 20, messages, ...body },
    { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
  )

const eventsOf = (text: string) =>
  text
    .trimEnd()
    .split('\n\n')
    .map((frame) => {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(frame)!
      const event = JSON.parse(data!) as Record<string, unknown>
      expect(event['type']).toBe(name)
      return event
    })

it('answers whole, with the key in x-api-key', async () => {
  const answer = await ask({})
  expect(answer.headers.get('request-id')).toBe(answer.headers.get('x-request-id'))
  expect(await answer.json()).toMatchObject({
    type: 'message',
    content: [{ type: 'text', text: 'Hello you' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 7, cache_read_input_tokens: 4, output_tokens: 3 },
  })
})

it('streams the events in order, with usage in message_delta', async () => {
  const events = eventsOf(await (await ask({ stream: true })).text())
  expect(events.map(({ type }) => type)).toEqual([
    'message_start',
    'ping',
    'content_block_start',
    ...pieces.map(() => 'content_block_delta'),
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
  expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'end_turn' }, usage: { input_tokens: 7, output_tokens: 3 } })
})

it('streams a call of a tool', async () => {
  const events = eventsOf(await (await ask({ model: 'calls', stream: true })).text())
  expect(events).toContainEqual(
    expect.objectContaining({ content_block: { type: 'tool_use', id: 'c1', name: 'f', input: {}, caller: { type: 'direct' } } }),
  )
  expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } })
})

it('ends a stream that breaks with an error event', async () => {
  const events = eventsOf(await (await ask({ model: 'cut', stream: true })).text())
  expect(events.at(-1)).toMatchObject({ type: 'error', error: { type: 'api_error' }, request_id: expect.any(String) })
})

it.each(['normal', 'silent'])('costs what the same chat completion costs, to the token (%s)', async (model) => {
  const { key } = await chat.app.account({ credits: '1' })
  const spent = async (send: () => Promise<Response>) => {
    const before = nano((await chat.app.credits(key)).balance)
    await (await send()).text()
    return before - nano((await chat.app.credits(key)).balance)
  }
  const body = { model, max_tokens: 20, messages }
  for (const stream of [false, true]) {
    const here = await spent(() => ask({ ...body, stream }, key))
    const there = await spent(() => post('/v1/chat/completions', { ...body, stream }, { authorization: `Bearer ${key}` }))
    expect([here > 0, here]).toEqual([true, there])
  }
})

it('counts the tokens of a prompt, and asks no provider', async () => {
  const before = chat.provider.calls.length
  const answer = await post('/v1/messages/count_tokens', { model: 'normal', messages }, { 'x-api-key': chat.app.adminKey })
  const { input_tokens: counted } = (await answer.json()) as { input_tokens: number }
  expect(chat.provider.calls).toHaveLength(before)
  const silent = (await (await ask({ model: 'silent' })).json()) as { usage: { input_tokens: number } }
  expect(counted).toBe(silent.usage.input_tokens)
})

describe('a fault', () => {
  it.each([
    [400, 'invalid_request_error', { max_tokens: 0 }],
    [404, 'not_found_error', { model: 'nothing' }],
    [502, 'api_error', { model: 'failing' }],
    [529, 'overloaded_error', { model: 'cold' }],
    [529, 'overloaded_error', { model: 'cold', stream: true }],
  ])('is %i %s for %j', async (status, type, body) => {
    const answer = await ask(body)
    const said = (await answer.json()) as { request_id: string }
    expect([answer.status, said]).toMatchObject([status, { type: 'error', error: { type }, request_id: expect.any(String) }])
    expect(answer.headers.get('request-id')).toBe(said.request_id)
    expect(answer.headers.has('retry-after')).toBe(status === 529)
  })

  it('is 401 without a key, and x-api-key is none elsewhere', async () => {
    const refused = await ask({}, 'no-key-of-anybody')
    expect([refused.status, await refused.json()]).toMatchObject([401, { error: { type: 'authentication_error' } }])
    const elsewhere = await fetch(`${chat.app.url}/v1/models`, { headers: { 'x-api-key': chat.app.adminKey } })
    expect(elsewhere.status).toBe(401)
  })
})

it('is told from other APIs in the usage record', async () => {
  const { key } = await chat.app.account({ credits: '1' })
  const body = { model: 'normal', max_tokens: 20, messages }
  for (const stream of [false, true]) {
    await (await ask({ stream }, key)).text()
    await (await post('/v1/chat/completions', { ...body, stream }, { authorization: `Bearer ${key}` })).text()
  }
  await chat.app.graphql('mutation ($body: JSONObject!) { createChatCompletionRaw(body: $body) { __typename } }', { body }, key)
  const { viewer } = await chat.app.graphql<{ viewer: { usage: { nodes: { api: string }[] } } }>(
    '{ viewer { usage(sort: OLDEST) { nodes { api } } } }',
    {},
    key,
  )
  const rest = ['MESSAGES', 'CHAT_COMPLETIONS']
  expect(viewer.usage.nodes.map(({ api }) => api)).toEqual([...rest, ...rest, 'GRAPHQL'])
})
