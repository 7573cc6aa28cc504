/** Two servers on one Postgres behave like one: keys, credits, prices, rentals and cold starts are shared. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'graphql-sse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nano, PRICE } from '../contract/chats/chat-app.js'
import { testLocation, type TestLocation } from '../kit/database.js'
import { FakeProvider } from '../kit/fake-provider.js'
import { answersBoth } from '../kit/fake-provider-scenes.js'
import { runSluice, startSluice, type ServerProcess } from '../kit/process.js'

const KEY = 'a-preset-key-of-the-administrator-0003'
const folder = mkdtempSync(join(tmpdir(), 'sluice-replicated-'))
let database: TestLocation
let provider: FakeProvider
let one: ServerProcess
let two: ServerProcess

beforeAll(async () => {
  database = await testLocation('postgres')
  provider = await FakeProvider.start(answersBoth({ pieces: ['Hel', 'lo'] }))
  writeFileSync(
    join(folder, 'sluice.config.yaml'),
    JSON.stringify({
      sandbox: false,
      catalog: { include_shipped: false },
      log: { level: 'silent' },
      providers: [{ id: 'p1', base_url: provider.baseUrl, api_key: 'x' }],
      models: [
        {
          id: 'hosted',
          owned_by: 't',
          context_window: 8192,
          max_output_tokens: 100,
          deployments: [{ provider: 'p1', model_id: 'm', ...PRICE }],
        },
        {
          id: 'later',
          owned_by: 't',
          context_window: 8192,
          max_output_tokens: 100,
          deployments: [{ provider: 'p1', model_id: 'l' }],
        },
        {
          id: 'cold',
          owned_by: 't',
          context_window: 8192,
          max_output_tokens: 100,
          deploy: { gpu_model: 'L4', vram_gb: 24, ...PRICE },
        },
      ],
      compute: { drivers: [{ type: 'sandbox', boot_seconds: 1, tokens_per_second: 5000 }] },
    }),
  )
  const options = { cwd: folder, env: { SLUICE_ADMIN_KEY: KEY, SLUICE_DATABASE_URL: database.url } }
  expect((await runSluice(['migrate'], options)).code).toBe(0)
  one = await startSluice(['serve'], options)
  two = await startSluice(['serve'], options)
})

afterAll(async () => {
  for (const process of [one, two]) expect(await process.end()).toBe(0)
  await provider.stop()
  await database[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

type Json = Record<string, unknown>

async function call(at: ServerProcess, method: string, path: string, body?: unknown, key = KEY, headers: object = {}) {
  const response = await fetch(`${at.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Json }
}

async function graphql<T>(at: ServerProcess, query: string, variables: object = {}): Promise<T> {
  const { body } = await call(at, 'POST', '/graphql', { query, variables })
  expect(body['errors']).toBeUndefined()
  return body['data'] as T
}

const chat = (at: ServerProcess, model: string, key = KEY) =>
  call(at, 'POST', '/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 8 }, key)

describe('two servers on one Postgres', () => {
  it('spend one balance: what both charged is what is gone, and a balance for 20 is served 20 times', async () => {
    const { createAccount } = await graphql<{ createAccount: { account: { id: string } } }>(
      one,
      'mutation { createAccount(input: { name: "a", credits: "1" }) { account { id } } }',
    )
    const { createApiKey } = await graphql<{ createApiKey: { secret: string } }>(
      two,
      'mutation ($id: ID!) { createApiKey(input: { accountId: $id }) { secret } }',
      { id: createAccount.account.id },
    )
    const key = createApiKey.secret
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => chat(index % 2 === 0 ? one : two, 'hosted', key)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    for (const at of [one, two]) {
      const { body } = await call(at, 'GET', '/v1/credits', undefined, key)
      expect(1e9 - nano(body['balance'] as string)).toBe(40 * 15)
      expect(body['held']).toBe('0.00')
    }
  })

  it('refuse a revoked key in both at once', async () => {
    const { createApiKey } = await graphql<{ createApiKey: { secret: string; apiKey: { id: string } } }>(
      one,
      'mutation { createApiKey(input: {}) { secret apiKey { id } } }',
    )
    for (const at of [one, two]) expect((await call(at, 'GET', '/v1/credits', undefined, createApiKey.secret)).status).toBe(200)
    await graphql(one, 'mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }', {
      id: createApiKey.apiKey.id,
    })
    expect((await call(one, 'GET', '/v1/credits', undefined, createApiKey.secret)).status).toBe(401)
    await expect
      .poll(async () => (await call(two, 'GET', '/v1/credits', undefined, createApiKey.secret)).status, { timeout: 4_000 })
      .toBe(401)
  })

  it('route by a price that was set in the other', async () => {
    expect((await chat(two, 'later')).body).toMatchObject({ error: { code: 'pricing_pending' } })
    await graphql(
      one,
      'mutation { setPrice(input: { deploymentId: "later@p1", inputPerMillion: "0.001", outputPerMillion: "0.002" }) { price { versionId } } }',
    )
    await expect.poll(async () => (await chat(two, 'later')).status, { timeout: 5_000 }).toBe(200)
  })

  it('start one session for a cold model, and both route to it', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => chat(index % 2 === 0 ? one : two, 'cold')))
    expect(answers.filter(({ status }) => status !== 202)).toEqual([])
    expect(answers.filter(({ body }) => body['already_queued'] === false)).toHaveLength(1)
    for (const at of [one, two]) await expect.poll(async () => (await chat(at, 'cold')).status, { timeout: 20_000 }).toBe(200)
  })

  it('start one rental for one Idempotency-Key, however many ask either at once', async () => {
    const rent = (at: ServerProcess) =>
      call(at, 'POST', '/v1/gpu/rent', { gpu_model: 'L4', model_id: 'cold' }, KEY, { 'idempotency-key': 'order-1' })
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => rent(index % 2 === 0 ? one : two)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect(new Set(answers.map(({ body }) => body['rental_id'])).size).toBe(1)
    await call(one, 'DELETE', `/v1/gpu/rentals/${String(answers[0]!.body['rental_id'])}`)
  })

  it('tell subscribers of one about a top-up in the other', async () => {
    const client = createClient({ url: `${two.url}/graphql`, headers: { authorization: `Bearer ${KEY}` }, retryAttempts: 0 })
    const events = client.iterate<{ creditBalance: { id: string; balance: string } }>({
      query: 'subscription { creditBalance { id balance } }',
    })
    const before = (await events.next()).value!.data!.creditBalance
    const topUp =
      'mutation ($id: ID!) { addCredits(input: { accountId: $id, amount: "1000", idempotencyKey: "far" }) { entry { id } } }'
    await graphql(one, topUp, { id: before.id })
    let balance = before.balance
    while (Number(balance) < 1_000) balance = (await events.next()).value!.data!.creditBalance.balance
    expect(Number(balance)).toBeLessThan(1_100)
    await events.return?.()
    client.dispose()
  })

  it('tell subscribers of one what happens to a rental of the other', async () => {
    const { body } = await call(one, 'POST', '/v1/gpu/rent', { gpu_model: 'L4', model_id: 'cold' })
    const client = createClient({ url: `${two.url}/graphql`, headers: { authorization: `Bearer ${KEY}` }, retryAttempts: 0 })
    const seen: string[] = []
    const events = client.iterate<{ rentalStatus: { status: string } }>({
      query: 'subscription ($id: ID!) { rentalStatus(id: $id) { status } }',
      variables: { id: body['rental_id'] },
    })
    for await (const { data, errors } of events) {
      expect(errors).toBeUndefined()
      const { status } = data!.rentalStatus
      if (seen.at(-1) !== status) seen.push(status)
      if (status === 'RUNNING' && seen.length === 2) void call(one, 'DELETE', `/v1/gpu/rentals/${String(body['rental_id'])}`)
    }
    expect(seen).toEqual(['PROVISIONING', 'RUNNING', 'TERMINATED'])
    client.dispose()
  })
}, 60_000)
