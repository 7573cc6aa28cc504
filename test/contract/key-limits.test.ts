/** What a key may do less than its account: ask some models only, or read the metrics and nothing else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answers, wholeJson } from '../kit/fake-provider-scenes.js'
import { PRICE, startChatApp, type ChatApp } from './chat-app.js'

let chat: ChatApp

beforeAll(async () => {
  const dear = { input_price_per_million: '1', output_price_per_million: '2' }
  const model = (id: string, price: object) => ({
    id,
    owned_by: 'test',
    tier: 'medium',
    deployments: [{ provider: 'p1', model_id: id, ...price }],
  })
  chat = await startChatApp({ a: answers(wholeJson('Hi')) }, {}, [model('cheap', PRICE), model('dear', dear)])
})

afterAll(() => chat.stop())

async function keyFor(models: string[] | null, scopes?: string[], key?: string) {
  const { createApiKey } = await chat.app.graphql<{
    createApiKey: { secret: string; apiKey: { id: string; models: string[] | null } }
  }>(
    'mutation ($input: CreateApiKeyArgs!) { createApiKey(input: $input) { secret apiKey { id models } } }',
    { input: { models, ...(scopes && { scopes }) } },
    key,
  )
  return { key: createApiKey.secret, id: createApiKey.apiKey.id, models: createApiKey.apiKey.models }
}

const ask = async (model: string, key: string) => {
  const messages = [{ role: 'user', content: 'Hi' }]
  const init = {
    method: 'POST',
    key,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages, max_tokens: 5 }),
  }
  const response = await chat.app.fetch('/v1/chat/completions', init)
  return { status: response.status, body: (await response.json()) as { model?: string; error?: { code: string; param: string } } }
}

const listed = async (key: string) => {
  const { data } = (await (await chat.app.fetch('/v1/models', { key })).json()) as { data: { id: string }[] }
  return data.map(({ id }) => id)
}

describe('a key with a list of models', () => {
  it('gets 404 model_not_found for every other, as if it did not exist', async () => {
    const { key, models } = await keyFor(['a', 'dear'])
    expect(models).toEqual(['a', 'dear'])
    expect((await ask('a', key)).status).toBe(200)
    expect(await ask('cheap', key)).toMatchObject({ status: 404, body: { error: { code: 'model_not_found', param: 'model' } } })
    expect((await chat.app.fetch('/v1/models/cheap', { key })).status).toBe(404)
    expect((await chat.app.fetch('/v1/models/a', { key })).status).toBe(200)
  })

  it('sees only them in the list of models', async () => {
    expect(await listed((await keyFor(['dear', 'not-there-yet'])).key)).toEqual(['dear'])
    expect(await listed(chat.app.adminKey)).toEqual(expect.arrayContaining(['a', 'cheap', 'dear']))
  })

  it('gets the cheapest of them from a tier, and 404 from a tier without any', async () => {
    const { key } = await keyFor(['dear'])
    expect(await ask('medium', key)).toMatchObject({ status: 200, body: { model: 'dear' } })
    expect(await ask('medium', (await keyFor(['cheap', 'dear'])).key)).toMatchObject({ status: 200, body: { model: 'cheap' } })
    expect(await ask('light', key)).toMatchObject({ status: 404, body: { error: { code: 'model_not_found' } } })
  })

  it('is changed at once, and a rotated key keeps the list', async () => {
    const { key, id } = await keyFor(['a'])
    expect((await ask('cheap', key)).status).toBe(404)
    const set = 'mutation ($id: ID!, $models: [ID!]) { setApiKeyModels(id: $id, models: $models) { models } }'
    await chat.app.graphql(set, { id, models: ['cheap'] })
    expect((await ask('cheap', key)).status).toBe(200)
    expect((await ask('a', key)).status).toBe(404)
    const { rotateApiKey } = await chat.app.graphql<{ rotateApiKey: { secret: string } }>(
      'mutation ($id: ID!) { rotateApiKey(id: $id) { secret } }',
      { id },
    )
    expect(await listed(rotateApiKey.secret)).toEqual(['cheap'])
    await chat.app.graphql(set, { id, models: null })
    expect((await ask('a', key)).status).toBe(200)
  })

  it('cannot make, widen or rotate a key that may ask more', async () => {
    const { key, id } = await keyFor(['a'])
    const { id: free } = await keyFor(null)
    await expect(keyFor(null, ['CHAT'], key)).rejects.toThrow('may ask some models only')
    await expect(keyFor(['a', 'dear'], ['CHAT'], key)).rejects.toThrow('may ask some models only')
    expect((await keyFor(['a'], ['CHAT'], key)).models).toEqual(['a'])
    await expect(chat.app.graphql('mutation ($id: ID!) { setApiKeyModels(id: $id) { id } }', { id }, key)).rejects.toThrow(
      'models only',
    )
    await expect(chat.app.graphql('mutation ($id: ID!) { rotateApiKey(id: $id) { secret } }', { id: free }, key)).rejects.toThrow(
      'models only',
    )
  })

  it('has between 1 and 500 ids in it', async () => {
    await expect(keyFor([])).rejects.toThrow('1 to 500 ids')
    await expect(keyFor([''])).rejects.toThrow('1 to 500 ids')
    await expect(keyFor(['a\u0000'])).rejects.toThrow('1 to 500 ids')
  })
})

describe('a key with the scope metrics', () => {
  it('reads /metrics, which other keys may not, and asks nothing of a model', async () => {
    const { key } = await keyFor(null, ['METRICS'])
    const metrics = await chat.app.fetch('/metrics', { key })
    expect(metrics.status).toBe(200)
    expect(await metrics.text()).toContain('sluice_http_requests_total')
    expect((await ask('a', key)).status).toBe(403)
    const { key: other } = await keyFor(null, ['CHAT', 'GPU', 'SCAN'])
    expect((await chat.app.fetch('/metrics', { key: other })).status).toBe(403)
    expect((await chat.app.fetch('/metrics', { key: null })).status).toBe(401)
    expect((await chat.app.fetch('/metrics')).status).toBe(200)
  })
})
