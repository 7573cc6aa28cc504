/** A subgraph that is dead, frozen or not named: the gateway says which, answers the rest, and never waits for long. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'graphql-sse'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PRICE } from '../contract/chats/chat-app.js'
import { testLocation, type TestLocation } from '../kit/database.js'
import { FakeProvider } from '../kit/fake-provider.js'
import { answersBoth, streams } from '../kit/fake-provider-scenes.js'
import { runSluice, startSluice, type ServerProcess } from '../kit/process.js'

const KEY = 'a-preset-key-of-the-administrator-0005'
const folder = mkdtempSync(join(tmpdir(), 'sluice-subgraph-faults-'))
let database: TestLocation
let provider: FakeProvider
let inference: ServerProcess
let pricing: ServerProcess
let gateway: ServerProcess

/** Three bytes each, so that the network cuts some of them in two. */
const WORDS = '水は高きより低きに流れる'.repeat(20)

beforeAll(async () => {
  database = await testLocation('postgres')
  provider = await FakeProvider.start(answersBoth({ pieces: ['Hel', 'lo'] }))
  provider.scenes.set('endless', streams({ pieces: Array.from({ length: 1_000 }, () => 'word '), betweenMs: 50 }))
  provider.scenes.set('japanese', streams({ pieces: Array.from({ length: 30 }, () => WORDS) }))
  const model = (id: string) => ({
    id,
    owned_by: 't',
    tier: 'light',
    context_window: 200_000,
    max_output_tokens: 100_000,
    deployments: [{ provider: 'p1', model_id: id, ...PRICE }],
  })
  writeFileSync(
    join(folder, 'sluice.config.yaml'),
    JSON.stringify({
      sandbox: false,
      catalog: { include_shipped: false },
      log: { level: 'silent' },
      providers: [{ id: 'p1', base_url: provider.baseUrl, api_key: 'x' }],
      models: ['normal', 'endless', 'japanese'].map(model),
      graphql: { subgraph_silence_seconds: 1.5 },
    }),
  )
  const options = { cwd: folder, env: { SLUICE_ADMIN_KEY: KEY, SLUICE_DATABASE_URL: database.url } }
  expect((await runSluice(['migrate'], options)).code).toBe(0)
  inference = await startSluice(['subgraph', 'inference'], options)
  pricing = await startSluice(['subgraph', 'pricing'], options)
  const addresses = ['--subgraph', `inference=${inference.url}/graphql`, '--subgraph', `pricing=${pricing.url}/graphql`]
  gateway = await startSluice(['gateway', '--allow-partial', ...addresses], options)
})

afterAll(async () => {
  for (const process of [gateway, inference, pricing]) await process.end('SIGKILL')
  await provider.stop()
  await database[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
const messages = [{ role: 'user' as const, content: 'Hello' }]
const openai = () => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: KEY, maxRetries: 0 })
const ready = async () => {
  const response = await fetch(`${gateway.url}/readyz`)
  return { status: response.status, text: await response.text() }
}

interface Answer {
  readonly data: Record<string, unknown>
  readonly errors?: { readonly message: string; readonly path: unknown[]; readonly extensions: Record<string, unknown> }[]
}

async function graphql(query: string): Promise<Answer> {
  const response = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
  return (await response.json()) as Answer
}

const EVERYTHING = '{ viewer { id } prices { deploymentId } models { models { id prices { deploymentId } } } }'

describe('a gateway', () => {
  it('that is told of some subgraphs only does not start, and names the others', async () => {
    const { code, stderr } = await runSluice(['gateway', '--subgraph', 'catalog=http://127.0.0.1:9/graphql'], { cwd: folder })
    expect(code).toBe(2)
    expect(stderr).toContain('accounts, pricing, inference, compute, compliance')
    expect(stderr).toContain('--allow-partial')
  })

  it('that may run with some tells at its start which it runs itself', () => {
    expect(gateway.printed()).toContain('accounts, catalog, compute, compliance')
  })

  it('passes a long prompt and text of any script over the hop unchanged', async () => {
    const long = [{ role: 'user' as const, content: 'word '.repeat(20_000) }]
    const stream = await openai().chat.completions.create({ model: 'japanese', messages: long, stream: true })
    let text = ''
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    expect(text).toBe(WORDS.repeat(30))
  })
})

describe('a subgraph that is frozen', () => {
  it('costs its callers a 503 that names it, and nobody else anything', async () => {
    const endless = createClient({ url: `${gateway.url}/graphql`, headers: { authorization: `Bearer ${KEY}` }, retryAttempts: 0 })
    const events = endless.iterate({
      query: 'subscription ($input: ChatCompletionInput!) { chatCompletion(input: $input) { __typename } }',
      variables: { input: { model: 'endless', messages: [{ role: 'USER', content: 'Hello' }] } },
    })
    expect((await events.next()).value?.errors).toBeUndefined()
    process.kill(inference.pid, 'SIGSTOP')
    try {
      const chat = (stream: boolean) =>
        fetch(`${gateway.url}/v1/chat/completions`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ model: 'normal', messages, stream }),
        })
      for (const response of await Promise.all([chat(false), chat(true)])) {
        expect(response.status).toBe(503)
        expect(response.headers.get('retry-after')).toBe('2')
        const { error } = (await response.json()) as { error: object }
        expect(error).toMatchObject({ code: 'service_unavailable', message: expect.stringContaining('"inference"') as string })
      }
      // The stream that was open has ended with a fault too, behind what had arrived before.
      let last
      for await (const event of events) last = event
      expect(last?.errors?.[0]?.message).toContain('"inference"')
      expect(await ready()).toMatchObject({ status: 503, text: expect.stringContaining('inference') as string })
      expect((await graphql(EVERYTHING)).errors).toBeUndefined()
    } finally {
      process.kill(inference.pid, 'SIGCONT')
      endless.dispose()
    }
    await expect.poll(async () => (await ready()).status, { timeout: 10_000 }).toBe(200)
    expect((await openai().chat.completions.create({ model: 'normal', messages })).choices[0]!.message.content).toBe('Hello')
  })
})

describe('a subgraph that is dead', () => {
  it('is named in the errors of its own fields, and the rest of the answer arrives', async () => {
    expect((await graphql(EVERYTHING)).errors).toBeUndefined()
    await pricing.end('SIGKILL')
    const { data, errors = [] } = await graphql(EVERYTHING)
    const models = ['endless', 'japanese', 'normal'].map((id) => ({ id, prices: null }))
    expect(data).toMatchObject({ viewer: { id: expect.any(String) as string }, prices: null, models: { models } })
    expect(errors.length).toBeGreaterThan(0)
    for (const { message, extensions } of errors) {
      expect(message).toContain('"pricing"')
      expect(extensions).toMatchObject({ httpStatus: 503, retryAfterSeconds: 2 })
      expect(String(extensions['code']).toLowerCase()).toBe('service_unavailable')
    }
  })

  it('is a 503 with Retry-After on its own routes, while the others answer', async () => {
    const prices = await fetch(`${gateway.url}/v1/pricing`, { headers })
    expect([prices.status, prices.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await prices.json()).toMatchObject({ error: { type: 'server_error', code: 'service_unavailable' } })
    expect((await fetch(`${gateway.url}/v1/models`, { headers })).status).toBe(200)
    expect((await openai().chat.completions.create({ model: 'normal', messages })).choices[0]!.message.content).toBe('Hello')
  })

  it('makes the gateway not ready, and readyz says which it is', async () => {
    expect(await ready()).toMatchObject({ status: 503, text: expect.stringContaining('pricing') as string })
  })

  it('counts as no bug of ours', async () => {
    const metrics = await (await fetch(`${gateway.url}/metrics`, { headers })).text()
    expect(metrics).toMatch(/^sluice_unexpected_errors_total 0$/m)
  })
}, 30_000)
