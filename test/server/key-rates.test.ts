/** A key with rates as its callers see it: over REST in both shapes and in GraphQL, with the headers that the SDKs read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import OpenAI from 'openai'
import { startChatApp, type ChatApp } from '../contract/chats/chat-app.js'
import { answers, wholeJson } from '../kit/fake-provider-scenes.js'

let chat: ChatApp
beforeAll(async () => {
  chat = await startChatApp({ a: answers(wholeJson('Hi')) }, {}, [], { isOfOneServer: true })
})
afterAll(() => chat.stop())

interface Made {
  readonly secret: string
  readonly apiKey: { readonly id: string; readonly requestsPerMinute: number | null; readonly tokensPerMinute: number | null }
}

const make = async (input: object, key?: string) => {
  const query = `mutation ($input: CreateApiKeyInput!) {
    createApiKey(input: $input) { secret apiKey { id requestsPerMinute tokensPerMinute } }
  }`
  return (await chat.app.graphql<{ createApiKey: Made }>(query, { input }, key)).createApiKey
}

const setRates = (input: object, key?: string) =>
  chat.app.graphql(
    'mutation ($input: SetApiKeyRateLimitsInput!) { setApiKeyRateLimits(input: $input) { apiKey { requestsPerMinute tokensPerMinute } } }',
    { input },
    key,
  )

const post = (path: string, key: string, body: object) =>
  chat.app.fetch(path, { method: 'POST', key, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

const messages = [{ role: 'user', content: 'Hi' }]
const ask = (key: string) => post('/v1/chat/completions', key, { model: 'a', messages, max_tokens: 5 })

/** A minute that ends during a test begins a new count: the requests are asked until one is refused. */
async function askUntilRefused(
  request: () => Promise<Response>,
  isRefusal: (text: string) => boolean = () => false,
): Promise<Response> {
  for (let asked = 0; asked < 10; asked++) {
    const answer = await request()
    if (answer.status === 429) return answer
    expect(answer.status).toBe(200)
    const kept = answer.clone()
    if (isRefusal(await answer.text())) return kept
  }
  throw new Error('The rate refused nothing.')
}

describe('a key with a rate', () => {
  it('is told in every answer what is left, and refused with 429 rate_limit and when to come again', async () => {
    const { secret, apiKey } = await make({ requestsPerMinute: 2, tokensPerMinute: 1_000 })
    expect(apiKey).toMatchObject({ requestsPerMinute: 2, tokensPerMinute: 1_000 })
    const first = await ask(secret)
    expect(first.headers.get('x-ratelimit-limit-requests')).toBe('2')
    expect(first.headers.get('x-ratelimit-remaining-requests')).toBe('1')
    expect(first.headers.get('x-ratelimit-reset-requests')).toMatch(/^\d{1,2}s$/)
    expect(first.headers.get('x-ratelimit-limit-tokens')).toBe('1000')
    const refused = await askUntilRefused(() => ask(secret))
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    const { error } = (await refused.json()) as { error: { type: string; code: string; message: string } }
    expect(error).toMatchObject({ type: 'rate_limit', code: 'rate_limit' })
    expect(error.message).toContain('2 requests a minute')
  })

  it('is counted over messages and GraphQL alike', async () => {
    const { secret } = await make({ requestsPerMinute: 1 })
    const refused = await askUntilRefused(() => post('/v1/messages', secret, { model: 'a', messages, max_tokens: 5 }))
    expect(((await refused.json()) as { error: object }).error).toMatchObject({ type: 'rate_limit_error' })
    const query = 'mutation ($body: JSONObject!) { createChatCompletionRaw(body: $body) { __typename } }'
    const variables = { body: { model: 'a', messages } }
    const asksGraph = () => post('/graphql', secret, { query, variables })
    const inGraph = await askUntilRefused(asksGraph, (text) => text.includes('"errors"'))
    expect(inGraph.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    expect(await inGraph.json()).toMatchObject({
      errors: [{ extensions: { code: 'rate_limit', httpStatus: 429, retryAfterSeconds: expect.any(Number) } }],
    })
  })

  it('of tokens is used up by what answers take, and a stream says what is left in its head', async () => {
    const { secret } = await make({ tokensPerMinute: 20 })
    const body = { model: 'a', messages, max_tokens: 5, stream: true }
    const refused = await askUntilRefused(() => post('/v1/chat/completions', secret, body))
    expect(refused.headers.get('x-ratelimit-limit-tokens')).toBe('20')
    expect(refused.headers.get('x-ratelimit-limit-requests')).toBeNull()
    expect(await refused.text()).toContain('20 tokens a minute')
  })

  it('of tokens gets back at the end of an answer what was set aside and not used', async () => {
    const { secret } = await make({ tokensPerMinute: 1_000 })
    for (let at = 0; at < 3; at++) {
      const answer = await post('/v1/chat/completions', secret, { model: 'a', messages, max_tokens: 900 })
      expect(answer.status).toBe(200)
      await answer.text()
    }
  })

  it('is what the OpenAI SDK knows as a RateLimitError', async () => {
    const { secret } = await make({ requestsPerMinute: 1 })
    await askUntilRefused(() => ask(secret))
    const client = new OpenAI({ apiKey: secret, baseURL: `${chat.app.url}/v1`, maxRetries: 0 })
    const asks = async () => {
      for (let at = 0; at < 2; at++)
        await client.chat.completions.create({ model: 'a', messages: [{ role: 'user', content: 'Hi' }] })
    }
    await expect(asks()).rejects.toBeInstanceOf(OpenAI.RateLimitError)
  })

  it('is set by administrators only, at once, and taken away again', async () => {
    const { secret, apiKey } = await make({})
    await expect(setRates({ id: apiKey.id, requestsPerMinute: 1 }, secret)).rejects.toThrow('admin')
    await expect(make({ requestsPerMinute: 1 }, secret)).rejects.toThrow('Only administrators')
    await expect(setRates({ id: apiKey.id, requestsPerMinute: 0 })).rejects.toThrow('requestsPerMinute')
    await setRates({ id: apiKey.id, requestsPerMinute: 1 })
    await askUntilRefused(() => ask(secret))
    await setRates({ id: apiKey.id, requestsPerMinute: null })
    expect((await ask(secret)).headers.get('x-ratelimit-limit-requests')).toBeNull()
  })

  it('gives it to the keys that it makes, and rotates no other', async () => {
    const { secret, apiKey } = await make({})
    const rotate = 'mutation ($id: ID!) { rotateApiKey(input: { id: $id }) { secret } }'
    await setRates({ id: apiKey.id, requestsPerMinute: 1 })
    const made = await make({}, secret)
    expect(made.apiKey.requestsPerMinute).toBe(1)
    const free = await make({})
    await expect(chat.app.graphql(rotate, { id: free.apiKey.id }, secret)).rejects.toThrow('rate limit')
  })
})

it('a key without rates hears nothing of them', async () => {
  const { secret } = await make({})
  const answer = await ask(secret)
  expect([...answer.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
})
