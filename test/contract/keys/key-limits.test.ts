/** What a key may do less than its account: ask some models only, spend less, or read the metrics and nothing else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answers, wholeJson } from '../../kit/fake-provider-scenes.js'
import { nano, PRICE, startChatApp, type ChatApp } from '../chats/chat-app.js'
import { everywhere } from '../../kit/app-servers.js'

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
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret apiKey { id models } } }',
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
    const set =
      'mutation ($id: ID!, $models: [ID!]) { setApiKeyModels(input: { id: $id, models: $models }) { apiKey { models } } }'
    await chat.app.graphql(set, { id, models: ['cheap'] })
    await everywhere(async () => expect((await ask('cheap', key)).status).toBe(200))
    expect((await ask('a', key)).status).toBe(404)
    const { rotateApiKey } = await chat.app.graphql<{ rotateApiKey: { secret: string } }>(
      'mutation ($id: ID!) { rotateApiKey(input: { id: $id }) { secret } }',
      { id },
    )
    expect(await listed(rotateApiKey.secret)).toEqual(['cheap'])
    await chat.app.graphql(set, { id, models: null })
    await everywhere(async () => expect((await ask('a', key)).status).toBe(200))
  })

  it('cannot make, widen or rotate a key that may ask more', async () => {
    const { key, id } = await keyFor(['a'])
    const { id: free } = await keyFor(null)
    await expect(keyFor(null, ['CHAT'], key)).rejects.toThrow('may ask some models only')
    await expect(keyFor(['a', 'dear'], ['CHAT'], key)).rejects.toThrow('may ask some models only')
    expect((await keyFor(['a'], ['CHAT'], key)).models).toEqual(['a'])
    await expect(
      chat.app.graphql('mutation ($id: ID!) { setApiKeyModels(input: { id: $id }) { apiKey { id } } }', { id }, key),
    ).rejects.toThrow('models only')
    await expect(
      chat.app.graphql('mutation ($id: ID!) { rotateApiKey(input: { id: $id }) { secret } }', { id: free }, key),
    ).rejects.toThrow('models only')
  })

  it('rents no GPU to serve another, and machines that serve none of ours as before', async () => {
    const { key } = await keyFor(['a'], ['GPU'])
    const rent = async (more: object, idempotencyKey = 'one') => {
      const init = {
        method: 'POST',
        key,
        headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
        body: JSON.stringify({ gpu_model: 'L4', docker_image: 'busybox', ...more }),
      }
      const response = await chat.app.fetch('/v1/gpu/rent', init)
      const { error } = (await response.json()) as { error: { code: string; param: string | null } }
      return [response.status, error.code, error.param]
    }
    expect(await rent({ model_id: 'cheap' })).toEqual([404, 'model_not_found', 'model_id'])
    expect(await rent({ model_id: 'cheap-tuned', fine_tuned: true })).toEqual([404, 'model_not_found', 'model_id'])
    // This server has no GPUs, which is as far as these get.
    const noOffer = await rent({}, 'two')
    expect(noOffer[1]).toBe('offer_unavailable')
    expect(await rent({ model_id: 'a' }, 'three')).toEqual(noOffer)
  })

  it('has between 1 and 500 ids in it', async () => {
    await expect(keyFor([])).rejects.toThrow('1 to 500 ids')
    await expect(keyFor([''])).rejects.toThrow('1 to 500 ids')
    await expect(keyFor(['a\u0000'])).rejects.toThrow('U+0000')
  })
})

interface Capped {
  readonly secret: string
  readonly apiKey: { readonly id: string; readonly monthlyCap: string | null; readonly spentThisMonth: string | null }
}

const SHOWN = 'secret apiKey { id monthlyCap spentThisMonth }'

async function capped(monthlyCap: string | null, key?: string): Promise<Capped> {
  const query = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { ${SHOWN} } }`
  return (await chat.app.graphql<{ createApiKey: Capped }>(query, { input: { monthlyCap } }, key)).createApiKey
}

const rotate = async (id: string, key?: string) =>
  (
    await chat.app.graphql<{ rotateApiKey: Capped }>(
      `mutation ($id: ID!) { rotateApiKey(input: { id: $id }) { ${SHOWN} } }`,
      { id },
      key,
    )
  ).rotateApiKey

const setCap = async (id: string, monthlyCap: string | null, key?: string) =>
  (
    await chat.app.graphql<{ setApiKeyMonthlyCap: { apiKey: Capped['apiKey'] } }>(
      'mutation ($id: ID!, $cap: Decimal) { setApiKeyMonthlyCap(input: { id: $id, monthlyCap: $cap }) { apiKey { id monthlyCap spentThisMonth } } }',
      { id, cap: monthlyCap },
      key,
    )
  ).setApiKeyMonthlyCap.apiKey

const shown = async (id: string) => {
  const { viewer } = await chat.app.graphql<{ viewer: { keys: { nodes: Capped['apiKey'][] } } }>(
    '{ viewer { keys { nodes { id monthlyCap spentThisMonth } } } }',
  )
  return viewer.keys.nodes.find((key) => key.id === id)
}

/** Asks until the cap refuses. */
async function exhaust(key: string) {
  for (let asked = 0; asked < 50; asked++) {
    const answer = (await ask('a', key)) as { status: number; body: { error?: { code: string; message: string } } }
    if (answer.status !== 200) return { asked, ...answer }
  }
  throw new Error('The cap refused nothing.')
}

describe('a key with a monthly cap', () => {
  it('gets 402 that names the cap, what is spent of it and what is needed, and its account goes on', async () => {
    const { secret, apiKey } = await capped('0.0000002')
    expect(apiKey).toMatchObject({ monthlyCap: '0.0000002', spentThisMonth: '0.00' })
    const { asked, status, body } = await exhaust(secret)
    expect(asked).toBeGreaterThan(0)
    expect({ status, code: body.error?.code }).toEqual({ status: 402, code: 'insufficient_credits' })
    const { spentThisMonth } = (await shown(apiKey.id))!
    expect(nano(spentThisMonth!)).toBeGreaterThan(0)
    expect(nano(spentThisMonth!)).toBeLessThanOrEqual(200)
    expect(body.error?.message).toContain(`monthly cap is $0.0000002, of which $${spentThisMonth} is spent`)
    expect(body.error?.message).toMatch(/needs up to \$0\.\d+\. It begins anew at \d{4}-\d\d-01T00:00:00Z\.$/)
    expect((await ask('a', chat.app.adminKey)).status).toBe(200)
    expect((await ask('a', (await capped(null)).secret)).status).toBe(200)
  })

  it('is refused before a large request of it is read', async () => {
    const { secret, apiKey } = await capped('0.0000002')
    await exhaust(secret)
    // To the last nano-dollar, as an account without any credits.
    const { spentThisMonth } = (await shown(apiKey.id))!
    await setCap(apiKey.id, spentThisMonth)
    const content = 'x'.repeat(300_000)
    const init = { method: 'POST', key: secret, headers: { 'content-type': 'application/json' } }
    const large = JSON.stringify({ model: 'a', max_tokens: 5, messages: [{ role: 'user', content }] })
    const response = await chat.app.fetch('/v1/chat/completions', { ...init, body: large })
    expect({ status: response.status, text: await response.text() }).toMatchObject({
      status: 402,
      text: expect.stringContaining(`monthly cap is $${spentThisMonth}`),
    })
  })

  it('keeps what it spent when it is rotated, when its cap is taken away and when it gets it back', async () => {
    const { secret, apiKey } = await capped('0.0000002')
    await exhaust(secret)
    const { spentThisMonth } = (await shown(apiKey.id))!
    const next = await rotate(apiKey.id)
    expect(next.apiKey).toMatchObject({ monthlyCap: '0.0000002', spentThisMonth })
    expect((await ask('a', next.secret)).status).toBe(402)
    expect(await setCap(next.apiKey.id, null)).toMatchObject({ monthlyCap: null, spentThisMonth })
    expect((await ask('a', next.secret)).status).toBe(200)
    expect((await ask('a', secret)).status).toBe(200)
    expect((await setCap(apiKey.id, '0.0000002')).monthlyCap).toBe('0.0000002')
    expect((await ask('a', next.secret)).status).toBe(402)
  })

  it('is a cap from now on for a key that had none, at once', async () => {
    const { secret, apiKey } = await capped(null)
    expect(apiKey).toMatchObject({ monthlyCap: null, spentThisMonth: null })
    expect((await ask('a', secret)).status).toBe(200)
    expect(await setCap(apiKey.id, '0.000000001')).toMatchObject({ monthlyCap: '0.000000001', spentThisMonth: '0.00' })
    await everywhere(async () => expect((await ask('a', secret)).status).toBe(402))
  })

  it('makes keys that spend of the same cap, and can neither set a cap nor rotate a key beyond its own', async () => {
    const { secret, apiKey } = await capped('0.0000002')
    const free = await capped(null)
    await expect(capped('5', secret)).rejects.toThrow('no key may be made or changed with it to spend more')
    await expect(setCap(apiKey.id, null, secret)).rejects.toThrow('to spend more')
    await expect(setCap(free.apiKey.id, '1', secret)).rejects.toThrow()
    await expect(rotate(free.apiKey.id, secret)).rejects.toThrow('to spend more')
    const { apiKey: child, secret: ofChild } = await capped(null, secret)
    expect(child.monthlyCap).toBe('0.0000002')
    await exhaust(ofChild)
    expect((await ask('a', secret)).status).toBe(402)
    expect((await rotate(apiKey.id, secret)).apiKey.monthlyCap).toBe('0.0000002')
  })

  it('has a cap of more than nothing', async () => {
    await expect(capped('0')).rejects.toThrow('more than 0')
    await expect(setCap((await capped(null)).apiKey.id, '-1')).rejects.toThrow()
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
