/** POST /v1/chat/completions through the official SDK, old and new: what the client sees and what it is charged. */
import OpenAI from 'openai'
import OpenAIv4 from 'openai-v4'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  answers,
  answersBoth,
  echoes,
  fails,
  fakeUsage,
  hangs,
  resets,
  streams,
  wholeJson,
} from '../../kit/fake-provider-scenes.js'
import { nano, startChatApp, type ChatApp } from './chat-app.js'

const pieces = ['Hel', 'lo', ' world']
let chat: ChatApp

beforeAll(async () => {
  chat = await startChatApp({
    normal: answersBoth({ pieces }),
    cached: answersBoth({ pieces, usageObject: fakeUsage(11, 3, { prompt_tokens_details: { cached_tokens: 4 } }) }),
    silent: answersBoth({ pieces, usage: 'none' }),
    extra: answers(wholeJson('hi', fakeUsage(11, 3), { system_fingerprint: 'fp', vendor_field: { a: 1 } })),
    echo: echoes,
    cut: streams({ pieces, ending: 'reset' }),
    fault: streams({ pieces, ending: 'error_event' }),
    refused: fails(400),
    broken: fails(500),
    limited: fails(429, { 'retry-after': '1' }),
    reset: resets,
    hang: hangs,
    utf8: streams({ pieces: ['日本', '語 🌍'], splitBytes: 1 }),
    crlf: streams({ pieces, lineEnd: '\r\n', comment: 'keep-alive' }),
  })
})
afterAll(() => chat.stop())

const messages = [{ role: 'user' as const, content: 'Hello' }]

/** Runs with a fresh account and answers what it was charged, in nano-USD. */
async function charged(run: (key: string) => Promise<unknown>): Promise<number> {
  const { key } = await chat.app.account({ credits: '1' })
  await run(key)
  const { balance, held } = await chat.app.credits(key)
  expect(held).toBe('0.00')
  return 1e9 - nano(balance)
}

describe.each([
  ['7', OpenAI],
  ['4', OpenAIv4 as unknown as typeof OpenAI],
])('the official SDK %s', (_, Client) => {
  const client = (key: string) => new Client({ baseURL: `${chat.app.url}/v1`, apiKey: key, maxRetries: 0 })

  it('gets a whole answer and pays the reported tokens', async () => {
    const cost = await charged(async (key) => {
      const completion = await client(key).chat.completions.create({ model: 'normal', messages })
      expect(completion).toMatchObject({
        object: 'chat.completion',
        model: 'normal',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hello world' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 },
      })
      expect(completion.id).toMatch(/^chatcmpl-/)
      expect(Math.abs(completion.created - Date.now() / 1000)).toBeLessThan(60)
    })
    expect(cost).toBe(11 * 1 + 3 * 2)
  })

  it.each(['normal', 'crlf'])('streams %s: one id, one role, finish_reason and usage in the last chunk', async (model) => {
    const cost = await charged(async (key) => {
      const stream = await client(key).chat.completions.create({ model, messages, stream: true })
      const chunks = []
      for await (const chunk of stream) chunks.push(chunk)
      expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('Hello world')
      expect(new Set(chunks.map((chunk) => `${chunk.id} ${chunk.created} ${chunk.model} ${chunk.object}`)).size).toBe(1)
      expect(chunks.filter((chunk) => chunk.choices[0]?.delta.role !== undefined)).toHaveLength(1)
      expect(chunks.filter((chunk) => 'usage' in chunk)).toEqual([chunks.at(-1)])
      expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }], usage: { total_tokens: 14 } })
    })
    expect(cost).toBe(17)
  })

  it('gets usage as a chunk of its own when it asks for it', async () => {
    const { key } = await chat.app.account({ credits: '1' })
    const stream = await client(key).chat.completions.create({
      model: 'normal',
      messages,
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks = []
    for await (const chunk of stream) chunks.push(chunk)
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 14 } })
    expect(chunks.filter((chunk) => chunk.usage != null)).toHaveLength(1)
  })

  it('hears of a stream that broke as an error, and pays what arrived', async () => {
    for (const model of ['cut', 'fault']) {
      const cost = await charged(async (key) => {
        const stream = await client(key).chat.completions.create({ model, messages, stream: true })
        let text = ''
        await expect(
          (async () => {
            for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
          })(),
        ).rejects.toThrow()
        expect(text).toBe('Hello world')
      })
      // Counted: the prompt and the words that were delivered.
      expect(cost).toBeGreaterThan(2 * 2)
      expect(cost).toBeLessThan(40)
    }
  })
})

describe('billing', () => {
  it('charges cached tokens once', async () => {
    expect(await charged((key) => chat.app.openai(key).chat.completions.create({ model: 'cached', messages }))).toBe(17)
  })

  it('counts what was delivered when the provider says nothing, and says so', async () => {
    const { key } = await chat.app.account({ credits: '1' })
    await chat.app.openai(key).chat.completions.create({ model: 'silent', messages })
    const { viewer } = await chat.app.graphql<{ viewer: { usage: { nodes: Record<string, unknown>[] } } }>(
      '{ viewer { usage { nodes { usageSource outputTokens cost outcome } } } }',
      {},
      key,
    )
    expect(viewer.usage.nodes).toHaveLength(1)
    expect(viewer.usage.nodes[0]).toMatchObject({ usageSource: 'COUNTED', outputTokens: 2, outcome: 'COMPLETED' })
  })

  it('keeps when the first token of a stream came, and nothing where none was streamed', async () => {
    const { key } = await chat.app.account({ credits: '1' })
    const openai = chat.app.openai(key)
    await openai.chat.completions.create({ model: 'cached', messages })
    for await (const _ of await openai.chat.completions.create({ model: 'cached', messages, stream: true }));
    const { viewer } = await chat.app.graphql<{
      viewer: { usage: { nodes: { firstTokenMs: number | null; durationMs: number; attempts: number }[] } }
    }>('{ viewer { usage { nodes { firstTokenMs durationMs attempts } } } }', {}, key)
    const [streamed, whole] = viewer.usage.nodes
    expect(streamed!.firstTokenMs).toBeGreaterThanOrEqual(0)
    expect(streamed!.firstTokenMs).toBeLessThanOrEqual(streamed!.durationMs)
    expect(whole).toMatchObject({ firstTokenMs: null, attempts: 1 })
  })

  it('charges nothing when no provider answered, and names routing ids and statuses only', async () => {
    for (const [model, statusText] of [
      ['broken', '500'],
      ['limited', '429'],
      ['reset', ''],
    ] as const) {
      const cost = await charged(async (key) => {
        const response = await post({ model, messages }, key)
        expect(response.status).toBe(502)
        expect(response.headers.get('x-should-retry')).toBe('false')
        const { error } = (await response.json()) as { error: Record<string, string> }
        expect(error).toMatchObject({ type: 'upstream_error', code: 'upstream_error', param: null })
        expect(error['message']).toContain('p1')
        expect(error['message']).toContain(statusText)
        expect(error['message']).not.toContain('secret')
      })
      expect(cost).toBe(0)
    }
  })

  it("charges nothing when the provider refuses the request, and passes that on as the caller's 400", async () => {
    const cost = await charged(async (key) => {
      const response = await post({ model: 'refused', messages, stream: true }, key)
      expect(response.status).toBe(400)
      // What is wrong with the request only the provider can say; addresses and keys are taken out of it.
      expect(await response.json()).toEqual({
        error: { message: 'secret detail of the provider', type: 'invalid_request_error', code: 'x', param: null },
      })
    })
    expect(cost).toBe(0)
  })
})

async function post(
  body: unknown,
  key: string | undefined = chat.app.adminKey,
  headers: Record<string, string> = {},
): Promise<Response> {
  return chat.app.fetch('/v1/chat/completions', {
    method: 'POST',
    key,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

describe('what travels through', () => {
  it('unknown request and message fields reach the provider unchanged, and unknown response fields come back', async () => {
    const response = await post({
      model: 'echo',
      messages: [{ role: 'user', content: 'x', cache_control: { type: 'e' } }],
      vendor_knob: [1, { a: null }],
      top_k: 5,
    })
    const { received } = (await response.json()) as { received: { body: Record<string, unknown> } }
    expect(received.body).toMatchObject({
      messages: [{ role: 'user', content: 'x', cache_control: { type: 'e' } }],
      vendor_knob: [1, { a: null }],
      top_k: 5,
    })
    const extra = (await (await post({ model: 'extra', messages })).json()) as Record<string, unknown>
    expect(extra).toMatchObject({ system_fingerprint: 'fp', vendor_field: { a: 1 } })
  })

  it("nothing of the caller's headers but the trace id goes up, and nothing of the provider's comes down", async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const response = await post({ model: 'echo', messages }, undefined, {
      traceparent,
      cookie: 'a=b',
      'x-forwarded-for': '1.2.3.4',
      'x-own': 'y',
    })
    const { received } = (await response.json()) as { received: { headers: Record<string, string>; path: string } }
    expect(received.headers['authorization']).toBe('Bearer provider-key')
    expect(received.headers['traceparent']).toBeDefined()
    for (const name of ['cookie', 'x-forwarded-for', 'x-own']) expect(received.headers[name]).toBeUndefined()
    const streamed = await post({ model: 'utf8', messages, stream: true })
    expect(streamed.headers.get('x-provider-secret')).toBeNull()
    await streamed.text()
  })

  it('text that is split inside a character arrives whole', async () => {
    const stream = await chat.app.openai().chat.completions.create({ model: 'utf8', messages, stream: true })
    let text = ''
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    expect(text).toBe('日本語 🌍')
  })
})

describe('the stream on the wire', () => {
  it("has only data lines, the contract's headers, and ends with [DONE]", async () => {
    const response = await post({ model: 'normal', messages, stream: true })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    expect(response.headers.get('x-request-id')).toMatch(/^req_/)
    const text = await response.text()
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('data: '))).toEqual([])
    expect(text).not.toContain('"usage":null')
  })

  it.each([
    ['chat completions', '/v1/chat/completions', { messages, stream: true }],
    ['whole chat completions', '/v1/chat/completions', { messages }],
    ['stored responses', '/v1/responses', { input: 'Hello', store: true }],
    ['messages', '/v1/messages', { messages, max_tokens: 50 }],
  ])('has, in %s, the id of the usage record in x-request-id', async (_, path, body) => {
    const { key } = await chat.app.account({ credits: '1' })
    const headers = { 'content-type': 'application/json' }
    const sent = JSON.stringify({ model: 'normal', ...body })
    const response = await chat.app.fetch(path, { method: 'POST', key, headers, body: sent })
    await response.text()
    const { viewer } = await chat.app.graphql<{ viewer: { usage: { nodes: { id: string }[] } } }>(
      '{ viewer { usage(first: 2) { nodes { id } } } }',
      {},
      key,
    )
    expect(viewer.usage.nodes).toEqual([{ id: response.headers.get('x-request-id') }])
  })

  it('carries an error after the first token as a data frame before [DONE]', async () => {
    const text = await (await post({ model: 'fault', messages, stream: true })).text()
    const frames = text.trimEnd().split('\n\n')
    expect(frames.at(-1)).toBe('data: [DONE]')
    const { error } = JSON.parse(frames.at(-2)!.slice('data: '.length)) as { error: Record<string, unknown> }
    expect(error).toMatchObject({ type: 'upstream_error', param: null })
    expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'type'])
    expect(text).not.toContain('secret')
  })

  it('answers a fault before the first token with an HTTP status', async () => {
    const response = await post({ model: 'broken', messages, stream: true })
    expect(response.status).toBe(502)
    expect(response.headers.get('content-type')).toContain('application/json')
  })
})

describe('400', () => {
  it.each([
    ['missing model', { messages }, 'model'],
    ['missing messages', { model: 'normal' }, 'messages'],
    ['messages of the wrong type', { model: 'normal', messages: 'hi' }, 'messages'],
    ['no messages', { model: 'normal', messages: [] }, 'messages'],
    ['an unknown role', { model: 'normal', messages: [{ role: 'robot', content: 'x' }] }, 'messages[0].role'],
    [
      'content of the wrong type',
      { model: 'normal', messages: [...messages, { role: 'user', content: 5 }] },
      'messages[1].content',
    ],
    ['temperature as text', { model: 'normal', messages, temperature: 'hot' }, 'temperature'],
    ['temperature out of range', { model: 'normal', messages, temperature: 3 }, 'temperature'],
    ['a fractional max_tokens', { model: 'normal', messages, max_tokens: 1.5 }, 'max_tokens'],
    ['stream as text', { model: 'normal', messages, stream: 'yes' }, 'stream'],
  ])('for %s names the field', async (_, body, param) => {
    const response = await post(body)
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { error: Record<string, unknown> }
    expect(error).toMatchObject({ type: 'invalid_request_error', code: 'invalid_request_error', param })
    expect(typeof error['message']).toBe('string')
  })

  it('is not the answer to the nulls that the contract accepts', async () => {
    const response = await post({
      model: 'normal',
      messages,
      stop: null,
      seed: null,
      tools: null,
      tool_choice: null,
      response_format: null,
    })
    expect(response.status).toBe(200)
  })

  it('is JSON for bad JSON, and for JSON that is no object', async () => {
    for (const body of ['{"model": ', '[]', '"text"', '{"a":'.repeat(100) + '1' + '}'.repeat(100)]) {
      const response = await post(body)
      expect(response.status).toBe(400)
      expect(response.headers.get('content-type')).toContain('application/json')
    }
  })

  it('says that an unpriced model cannot be called yet', async () => {
    const response = await post({ model: 'unpriced', messages })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'pricing_pending', param: 'model' } })
  })
})

describe('402', () => {
  it('tells the live balance when credits do not cover the request', async () => {
    const { key } = await chat.app.account({ credits: '0.000000005' })
    const response = await post({ model: 'normal', messages, max_tokens: 100 }, key)
    expect(response.status).toBe(402)
    const { error } = (await response.json()) as { error: Record<string, string> }
    expect(error).toMatchObject({ type: 'insufficient_credits', code: 'insufficient_credits' })
    expect(error['message']).toContain('0.000000005')
  })

  it('comes with the monthly cap too', async () => {
    const { key } = await chat.app.account({ credits: '1', monthlyCap: '0.0000001' })
    const statuses: number[] = []
    while (statuses.length < 10 && statuses.at(-1) !== 402)
      statuses.push((await post({ model: 'normal', messages, max_tokens: 4 }, key)).status)
    expect(statuses[0]).toBe(200)
    expect(statuses.at(-1)).toBe(402)
    expect(nano((await chat.app.credits(key)).spent_this_month)).toBe(17 * (statuses.length - 1))
    expect(17 * (statuses.length - 1)).toBeLessThanOrEqual(100)
  })
})

describe('404', () => {
  it.each(['nope', '__proto__', 'constructor'])('for the model %s', async (model) => {
    const response = await post({ model, messages })
    expect(response.status).toBe(404)
    const { error } = (await response.json()) as { error: { message: string } }
    expect(error).toMatchObject({ type: 'model_not_found', code: 'model_not_found', param: 'model' })
    expect(error.message).toContain(`"${model}"`)
  })
})

describe('a tier keyword', () => {
  it('is answered by a model of the tier under its own name', async () => {
    const completion = await chat.app.openai().chat.completions.create({ model: 'light', messages })
    expect(completion.model).not.toBe('light')
  })
})

describe('the time limit', () => {
  it('before the first byte is a 504 with code timeout', async () => {
    const slow = await startChatApp({ hang: hangs }, { limits: { request_seconds: 1.5, first_byte_seconds: 60 } })
    try {
      const response = await slow.app.fetch('/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'hang', messages }),
      })
      expect(response.status).toBe(504)
      expect(await response.json()).toMatchObject({ error: { type: 'upstream_error', code: 'timeout' } })
    } finally {
      await slow.stop()
    }
  })
})
