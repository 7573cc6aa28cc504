/** GET /v1/models and /v1/models/{id}: each field of the contract and when it is there, paging, ids with slashes, aliases. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestApp, type TestApp } from '../kit/app.js'

let app: TestApp

const price = { input_price_per_million: '1', output_price_per_million: '2' }
const deploy = { vram_gb: 8, price_hint: '0.75', estimated_seconds: 240, ...price }

beforeAll(async () => {
  app = await startTestApp({
    config: {
      providers: ['p2', 'p1', 'p3'].map((id) => ({ id, name: `Brand ${id}`, base_url: 'http://127.0.0.1:9/v1', api_key: 'x' })),
      models: [
        {
          id: 'hosted',
          owned_by: 'someone',
          created: '2025-03-13',
          deployments: [
            { provider: 'p2', model_id: 'a', ...price },
            { provider: 'p1', model_id: 'a', ...price },
            { provider: 'p1', model_id: 'a', region: 'eu', ...price },
            { provider: 'p3', model_id: 'a' },
          ],
        },
        { id: 'both', deploy, deployments: [{ provider: 'p1', model_id: 'b', ...price }] },
        { id: 'cold', deploy },
        { id: 'pending', deployments: [{ provider: 'p1', model_id: 'c' }] },
        { id: 'starting', owned_by: 'someone', deploy },
        { id: 'unreachable', owned_by: 'someone' },
        { id: 'vendor/name/v1.0', deployments: [{ provider: 'p1', model_id: 'd', ...price }] },
      ],
      aliases: {
        'gpt-hidden': 'hosted',
        'gpt-shown': { model: 'cold', show: true },
        'gpt-best': { model: 'medium', show: true },
      },
      compute: { drivers: [{ type: 'sandbox', boot_seconds: 300 }] },
    },
  })
  const started = await app.fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'starting', messages: [{ role: 'user', content: 'Hi' }] }),
  })
  expect(started.status).toBe(202)
  // Where the catalogue is another process, it hears of that a moment later.
  await vi.waitFor(async () => expect(await entry('starting')).toMatchObject({ availability: 'deploying' }), 20_000)
})
afterAll(() => app[Symbol.asyncDispose]())

interface Entry {
  readonly id: string
  readonly availability: string
  readonly [field: string]: unknown
}

async function list(query = ''): Promise<Entry[]> {
  const response = await app.fetch(`/v1/models${query}`)
  expect(response.status).toBe(200)
  const { object, data, ...rest } = (await response.json()) as { object: string; data: Entry[] }
  expect({ object, rest }).toEqual({ object: 'list', rest: {} })
  return data
}

const ids = async (query = '') => (await list(query)).map(({ id }) => id)
const entry = async (id: string) => (await list()).find((model) => model.id === id)

const ALWAYS = { object: 'model', created: expect.any(Number) as number, owned_by: expect.any(String) as string }

describe('the fields of an entry', () => {
  it('of an instant model name its hosts once each, by routing identifier, and only those with a price', async () => {
    expect(await entry('hosted')).toEqual({
      id: 'hosted',
      object: 'model',
      created: Date.UTC(2025, 2, 13) / 1000,
      owned_by: 'someone',
      availability: 'instant',
      providers: ['p1', 'p2'],
      provider_count: 2,
    })
  })

  it('of a deploying model hold the estimates as numbers, and no hosts', async () => {
    const starting = await entry('starting')
    expect(starting).toEqual({
      ...ALWAYS,
      id: 'starting',
      availability: 'deploying',
      estimated_deploy_seconds: expect.any(Number) as number,
      estimated_cost_per_hour: expect.any(Number) as number,
    })
    expect(starting!['estimated_deploy_seconds']).toSatisfy(
      (value: number) => Number.isInteger(value) && value > 0 && value <= 300,
    )
    expect(starting!['estimated_cost_per_hour']).toBeGreaterThan(0)
  })

  it.each(['cold', 'pending'])('of a model that is %s are those that every model has', async (id) => {
    expect(await entry(id)).toEqual({ ...ALWAYS, id, availability: id === 'cold' ? 'cold' : 'pricing_pending' })
  })

  it('prefer what answers at once: a hosted model with a recipe is instant', async () => {
    expect(await entry('both')).toMatchObject({ availability: 'instant', providers: ['p1'] })
  })

  it('created is whole Unix seconds and stays the same', async () => {
    const [first, second] = [await list(), await list()]
    for (const model of first) expect(Number.isInteger(model['created'])).toBe(true)
    expect(second.map(({ created }) => created)).toEqual(first.map(({ created }) => created))
  })

  it('never hold the name of a provider', async () => {
    expect(await (await app.fetch('/v1/models')).text()).not.toContain('Brand')
  })
})

const MODELS = ['both', 'cold', 'hosted', 'pending', 'starting', 'vendor/name/v1.0']
const SHOWN = ['gpt-best', 'gpt-shown']

describe('the list', () => {
  it('has every model that can be served in some way, ordered by id, and then the aliases to be shown', async () => {
    expect(await ids()).toEqual([...MODELS, ...SHOWN])
  })

  it('is cut by limit and offset, which together walk over every model once', async () => {
    const all = await ids()
    expect(await ids('?limit=2')).toEqual(all.slice(0, 2))
    expect(await ids('?offset=4')).toEqual(all.slice(4))
    const walked = []
    for (let offset = 0; offset < all.length; offset += 4) walked.push(...(await ids(`?limit=4&offset=${offset}`)))
    expect(walked).toEqual(all)
    expect(await ids('?limit=5&offset=7')).toEqual(['gpt-shown'])
  })

  it('is empty behind its end, however far', async () => {
    expect(await ids('?offset=8')).toEqual([])
    expect(await ids('?offset=999999999999')).toEqual([])
    expect((await app.fetch('/v1/models?offset=99999999999999999')).status).toBe(400)
  })

  it('takes limits from 1 to 1000', async () => {
    expect(await ids('?limit=1000')).toHaveLength(8)
    expect((await app.fetch('/v1/models?limit=1001')).status).toBe(400)
  })

  it('is what the official SDK iterates', async () => {
    const seen = []
    for await (const model of app.openai().models.list()) seen.push(model.id)
    expect(seen).toEqual(await ids())
  })
})

describe('one model', () => {
  it('is the same as its entry in the list', async () => {
    for (const model of await list()) {
      const response = await app.fetch(`/v1/models/${model.id}`)
      const { estimated_deploy_seconds: _now, ...read } = (await response.json()) as Entry
      const { estimated_deploy_seconds: _before, ...listed } = model
      expect(read).toEqual(listed)
    }
  })

  it.each(['vendor/name/v1.0', 'vendor%2Fname%2Fv1.0', 'vendor/name%2fv1.0'])(
    'with slashes in its id is found as %s',
    async (path) => {
      const response = await app.fetch(`/v1/models/${path}`)
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({ id: 'vendor/name/v1.0' })
    },
  )

  it('with slashes in its id is found by the official SDK', async () => {
    expect(await app.openai().models.retrieve('vendor/name/v1.0')).toMatchObject({ id: 'vendor/name/v1.0' })
  })

  it.each(['nothing', 'unreachable', '__proto__', 'constructor', 'hosted/', 'vendor', '%20', 'light'])(
    'is a 404 for %s',
    async (path) => {
      const response = await app.fetch(`/v1/models/${path}`)
      expect(response.status).toBe(404)
      expect(await response.json()).toEqual({
        error: { message: expect.any(String) as string, type: 'model_not_found', code: 'model_not_found', param: 'model' },
      })
    },
  )

  it('is a 400 in the same form when its escapes are broken', async () => {
    const response = await app.fetch('/v1/models/%ZZ')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', param: null } })
  })
})

describe('an alias', () => {
  it('has the entry of the model that it leads to, under its own name, in the list as for itself', async () => {
    const [best, cold, hidden] = await Promise.all(
      ['gpt-best', 'gpt-shown', 'gpt-hidden'].map(
        async (name) => (await (await app.fetch(`/v1/models/${name}`)).json()) as Entry,
      ),
    )
    // Of the tier's models this is the cheapest one that answers at once.
    expect(best).toEqual({ ...(await entry('both')), id: 'gpt-best' })
    expect(cold).toEqual({ ...(await entry('cold')), id: 'gpt-shown' })
    expect(hidden).toEqual({ ...(await entry('hosted')), id: 'gpt-hidden' })
    expect(await entry('gpt-best')).toEqual(best)
    expect(await entry('gpt-shown')).toEqual(cold)
  })

  it('is a name for callers who may use what it leads to', async () => {
    const create = 'mutation { createApiKey(input: { name: "one model", models: ["cold"] }) { secret } }'
    const { createApiKey } = await app.graphql<{ createApiKey: { secret: string } }>(create)
    const seen = async (path: string) => (await app.fetch(path, { key: createApiKey.secret })).status
    expect(await seen('/v1/models/gpt-shown')).toBe(200)
    expect(await seen('/v1/models/gpt-hidden')).toBe(404)
  })
})
