/**
 * Subgraphs as processes of their own on one Postgres, a gateway in front: the API is the same, streams cross the hop, and
 * nothing is left running when the caller leaves.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'graphql-sse'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testLocation, type TestLocation } from '../kit/database.js'
import { FakeProvider } from '../kit/fake-provider.js'
import { answersBoth, streams } from '../kit/fake-provider-scenes.js'
import { runSluice, startSluice, type ServerProcess } from '../kit/process.js'
import { PRICE } from '../contract/chats/chat-app.js'

const KEY = 'a-preset-key-of-the-administrator-0002'
const folder = mkdtempSync(join(tmpdir(), 'sluice-federated-'))
let database: TestLocation
let provider: FakeProvider
let processes: ServerProcess[] = []
let gateway: ServerProcess

beforeAll(async () => {
  database = await testLocation('postgres')
  provider = await FakeProvider.start(answersBoth({ pieces: ['Hel', 'lo'] }))
  provider.scenes.set('endless', streams({ pieces: Array.from({ length: 100 }, () => 'word '), betweenMs: 200 }))
  const model = (id: string) => ({
    id,
    owned_by: 't',
    tier: 'light',
    context_window: 8192,
    max_output_tokens: 100,
    deployments: [{ provider: 'p1', model_id: id, ...PRICE }],
  })
  writeFileSync(
    join(folder, 'sluice.config.yaml'),
    JSON.stringify({
      sandbox: false,
      catalog: { include_shipped: false },
      log: { level: 'silent' },
      providers: [{ id: 'p1', base_url: provider.baseUrl, api_key: 'x' }],
      models: [model('normal'), model('endless')],
    }),
  )
  const options = { cwd: folder, env: { SLUICE_ADMIN_KEY: KEY, SLUICE_DATABASE_URL: database.url } }
  const refused = await runSluice(['serve'], options)
  expect(refused.stderr).toContain('sluice migrate')
  expect((await runSluice(['migrate'], options)).code).toBe(0)
  const inference = await startSluice(['subgraph', 'inference'], options)
  const accounts = await startSluice(['subgraph', 'accounts'], options)
  processes = [inference, accounts]
  gateway = await startSluice(
    [
      'gateway',
      '--allow-partial',
      '--subgraph',
      `inference=${inference.url}/graphql`,
      '--subgraph',
      `accounts=${accounts.url}/graphql`,
    ],
    options,
  )
  processes.push(gateway)
})

afterAll(async () => {
  for (const process of processes) expect(await process.end()).toBe(0)
  await provider.stop()
  await database[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const messages = [{ role: 'user' as const, content: 'Hello' }]
const openai = () => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: KEY, maxRetries: 0 })

describe('through the gateway', () => {
  it('the OpenAI SDK gets whole and streamed answers, billed to the token', async () => {
    const completion = await openai().chat.completions.create({ model: 'normal', messages })
    expect(completion.choices[0]!.message.content).toBe('Hello')
    const stream = await openai().chat.completions.create({ model: 'normal', messages, stream: true })
    const chunks = []
    for await (const chunk of stream) chunks.push(chunk)
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('Hello')
    expect(chunks.at(-1)!.usage).toMatchObject({ total_tokens: 13 })
    const credits = (await (
      await fetch(`${gateway.url}/v1/credits`, { headers: { authorization: `Bearer ${KEY}` } })
    ).json()) as { balance: string; held: string }
    expect(credits).toMatchObject({ held: '0.00', balance: '9.99999997' })
  })

  it('faults keep their status, code and param', async () => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'nope', messages }),
    })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { type: 'model_not_found', param: 'model' } })
    expect((await fetch(`${gateway.url}/v1/models`)).status).toBe(401)
  })

  it('a key with a rate is told what is left, whole and streamed', async () => {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
    const query = 'mutation { createApiKey(input: { requestsPerMinute: 100 }) { secret } }'
    const made = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
    const { data } = (await made.json()) as { data: { createApiKey: { secret: string } } }
    const authorization = `Bearer ${data.createApiKey.secret}`
    for (const stream of [false, true]) {
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { ...headers, authorization },
        body: JSON.stringify({ model: 'normal', messages, stream }),
      })
      await response.text()
      expect(response.headers.get('x-ratelimit-limit-requests')).toBe('100')
      expect(Number(response.headers.get('x-ratelimit-remaining-requests'))).toBeLessThan(100)
    }
  })

  it('a join crosses processes', async () => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query:
          '{ viewer { usage { nodes { modelId route { candidates { deploymentId } } } } } models { models { id prices { pricing { inputPerMillion } } } } }',
      }),
    })
    const { data, errors } = (await response.json()) as {
      data: { viewer: { usage: { nodes: { route: object | null }[] } } }
      errors?: object[]
    }
    expect(errors).toBeUndefined()
    expect(data.viewer.usage.nodes.length).toBeGreaterThan(0)
    expect(data.viewer.usage.nodes.every(({ route }) => route !== null)).toBe(true)
  })

  it('a subscription streams over two hops, and the provider call ends when its client leaves', async () => {
    const client = createClient({ url: `${gateway.url}/graphql`, headers: { authorization: `Bearer ${KEY}` }, retryAttempts: 0 })
    const query =
      'subscription ($input: ChatCompletionInput!) { chatCompletion(input: $input) { ... on ChatCompletionChunk { choices { delta { content } } } } }'
    const events = client.iterate({
      query,
      variables: { input: { model: 'endless', messages: [{ role: 'USER', content: 'Hello' }] } },
    })
    const first = await events.next()
    expect(first.value?.errors).toBeUndefined()
    await events.return?.()
    await provider.until(() => provider.openCalls === 0)
    client.dispose()
  })

  it('the console is served and signed in to, asks and listens with its session, and is signed out when the key is gone', async () => {
    const page = await fetch(`${gateway.url}/play`, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const administrator = await begin({ key: KEY })
    const made = await administrator.ask<{ createApiKey: { secret: string; apiKey: { id: string } } }>(
      'mutation { createApiKey(input: { scopes: [CHAT] }) { secret apiKey { id } } }',
    )
    const { secret, apiKey } = made.data.createApiKey
    const { createConsoleCode } = (
      await (await begin({ key: secret })).ask<{ createConsoleCode: { code: string } }>('mutation { createConsoleCode { code } }')
    ).data
    const session = await begin({ code: createConsoleCode.code })
    expect((await session.ask('{ viewerKey { id } }')).data).toEqual({ viewerKey: { id: apiKey.id } })
    const client = createClient({ url: `${gateway.url}/graphql`, headers: session.headers, retryAttempts: 0 })
    const balances = client.iterate({ query: 'subscription { creditBalance { id } }' })
    expect((await balances.next()).value?.errors).toBeUndefined()
    await administrator.ask('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }', { id: apiKey.id })
    const last = await balances.next()
    expect(last.value?.errors?.[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED' })
    expect((await session.ask('{ viewerKey { id } }')).errors?.[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED' })
    client.dispose()
  })
})

interface Answer<Data> {
  readonly data: Data
  readonly errors?: readonly { readonly extensions: object }[]
}

/** A session of the console, begun at the gateway. */
async function begin(credential: { readonly key: string } | { readonly code: string }) {
  const ours = { 'x-sluice-console': '1', 'sec-fetch-site': 'same-origin' }
  const typed = { ...ours, 'content-type': 'application/json' }
  const begun = await fetch(`${gateway.url}/console/session`, {
    method: 'POST',
    headers: typed,
    body: JSON.stringify(credential),
  })
  expect(begun.status).toBe(201)
  const headers = { ...ours, cookie: begun.headers.getSetCookie()[0]!.split(';')[0]! }
  return {
    headers,
    async ask<Data>(query: string, variables: object = {}): Promise<Answer<Data>> {
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { ...typed, ...headers },
        body: JSON.stringify({ query, variables }),
      })
      return (await response.json()) as Answer<Data>
    },
  }
}
