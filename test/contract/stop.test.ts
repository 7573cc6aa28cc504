/** SIGTERM: nothing that is open is cut short of the limit, nothing new is begun, and what is left is told so and charged. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'graphql-sse'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../kit/app.js'
import { FakeProvider } from '../kit/fake-provider.js'
import { answersBoth, hangs, streams, wholeJson } from '../kit/fake-provider-scenes.js'
import { startSluice, type ServerProcess } from '../kit/process.js'
import { nano, PRICE } from './chats/chat-app.js'

const KEY = 'a-preset-key-of-the-administrator-0042'
const WORDS = Array.from({ length: 15 }, (_, index) => `word${index} `)

let provider: FakeProvider
let folder: string
let release: () => void
beforeAll(async () => {
  provider = await FakeProvider.start(hangs)
  provider.scenes.set('slow', streams({ pieces: WORDS, betweenMs: 100 }))
  provider.scenes.set('endless', streams({ pieces: WORDS, ending: 'hang' }))
  provider.scenes.set('quick', answersBoth({ pieces: ['Hi'] }))
  const released = new Promise<void>((resolve) => (release = resolve))
  provider.scenes.set('held', async (response) => {
    await released
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(wholeJson('at last')))
  })
})
afterAll(() => provider.stop())

const config = (limits: object) => ({
  sandbox: false,
  catalog: { include_shipped: false },
  providers: [{ id: 'p1', base_url: provider.baseUrl, api_key: 'x' }],
  models: [
    ...['slow', 'endless', 'quick', 'held', 'silent'].map((id) => ({
      id,
      owned_by: 't',
      context_window: 8192,
      max_output_tokens: 100,
      deployments: [{ provider: 'p1', model_id: id, ...PRICE }],
    })),
    {
      id: 'cold',
      owned_by: 't',
      context_window: 8192,
      max_output_tokens: 100,
      deploy: { gpu_model: 'L4', vram_gb: 24, ...PRICE },
    },
  ],
  compute: { drivers: [{ type: 'sandbox', boot_seconds: 300 }] },
  limits,
})

const messages = [{ role: 'user', content: 'Hello' }]

function post(url: string, path: string, body: object, headers: Record<string, string> = {}) {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

const chat = (url: string, model: string, more: object = {}, headers = {}) =>
  post(url, '/v1/chat/completions', { model, messages, max_tokens: 50, ...more }, headers)

interface Result {
  readonly errors?: readonly { readonly extensions: { readonly httpStatus: number } }[]
}

/** A subscription that is read to its `complete`. */
function subscribe(url: string, query: string, variables: Record<string, unknown> = {}) {
  const begun = Promise.withResolvers<void>()
  const read = async () => {
    const client = createClient({ url: `${url}/graphql`, headers: { authorization: `Bearer ${KEY}` }, retryAttempts: 0 })
    const results: Result[] = []
    for await (const result of client.iterate({ query, variables })) {
      results.push(result as Result)
      begun.resolve()
    }
    return results
  }
  return { begun: begun.promise, results: read() }
}

const toldToGo = [expect.objectContaining({ extensions: expect.objectContaining({ httpStatus: 503 }) as unknown })]

/** Why no new connection can be made; null when one can. A request could go over one that is open already. */
const newConnection = (url: string) =>
  new Promise<string | null>((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    socket.once('connect', () => {
      socket.destroy()
      resolve(null)
    })
  })

/** The events of a stream as data, without pings. */
const dataOf = (text: string) => text.split('\n\n').flatMap((frame) => (frame.startsWith('data: ') ? [frame.slice(6)] : []))

describe('SIGTERM to a process', () => {
  let server: ServerProcess
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-stop-'))
    writeFileSync(join(folder, 'sluice.config.yaml'), JSON.stringify(config({ drain_seconds: 1 })))
    server = await startSluice(['serve'], { cwd: folder, env: { SLUICE_ADMIN_KEY: KEY } })
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  it('tells probes at once, sends watchers elsewhere, lets requests run to their end, and exits with 0', async () => {
    const { url } = server
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    const rental = (await (await post(url, '/v1/gpu/rent', { gpu_model: 'L4', model_id: 'cold' })).json()) as {
      rental_id: string
    }
    const watchers = [
      subscribe(url, 'subscription ($id: ID!) { rentalStatus(id: $id) { status } }', { id: rental.rental_id }),
      subscribe(url, 'subscription { creditBalance { id } }'),
    ]
    const open = await Promise.all(Array.from({ length: 8 }, () => chat(url, 'slow', { stream: true })))
    const answer = subscribe(
      url,
      'subscription ($input: ChatCompletionInput!) { chatCompletion(input: $input) { ... on ChatCompletionChunk { usage { totalTokens } } } }',
      { input: { model: 'slow', messages: [{ role: 'USER', content: 'Hello' }] } },
    )
    const wholes = Array.from({ length: 4 }, () => chat(url, 'held'))
    const waiter = chat(url, 'cold', {}, { prefer: 'wait=90' })
    await Promise.all([...watchers.map(({ begun }) => begun), answer.begun])
    await provider.until(() => provider.calls.length === 13)

    const exit = server.end('SIGTERM')
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { interval: 10 }).toBe(503)
    // Who has not yet seen that is still served, on a connection that ends.
    const late = await chat(url, 'quick')
    expect([late.status, late.headers.get('connection')]).toEqual([200, 'close'])

    for (const { results } of watchers) expect((await results).at(-1)!.errors).toEqual(toldToGo)
    const gone = await waiter
    expect([gone.status, gone.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await gone.json()).toMatchObject({ error: { type: 'server_error', code: 'shutting_down' } })
    await expect.poll(() => newConnection(url), { interval: 10 }).toBe('ECONNREFUSED')

    release()
    for (const response of open) {
      const data = dataOf(await response.text())
      expect(data.at(-1)).toBe('[DONE]')
      expect(JSON.parse(data.at(-2)!)).toMatchObject({ choices: [{ finish_reason: 'stop' }], usage: {} })
      expect(data).toHaveLength(WORDS.length + 3)
    }
    for (const whole of wholes)
      expect(await (await whole).json()).toMatchObject({ choices: [{ message: { content: 'at last' } }] })
    const told = await answer.results
    expect(told.filter(({ errors }) => errors)).toEqual([])
    expect(told.at(-1)).toMatchObject({ data: { chatCompletion: { usage: { totalTokens: expect.any(Number) as number } } } })
    expect(await exit).toBe(0)
    expect(server.logged().filter((line) => /"level":(?:50|60)/.test(line))).toEqual([])
  })
})

describe('a second signal', () => {
  it('ends the process at once', async () => {
    const home = mkdtempSync(join(tmpdir(), 'sluice-stop-'))
    writeFileSync(join(home, 'sluice.config.yaml'), JSON.stringify(config({})))
    await using server = await startSluice(['serve'], { cwd: home, env: { SLUICE_ADMIN_KEY: KEY } })
    const stream = await chat(server.url, 'endless', { stream: true })
    await fetch(`${server.url}/readyz`)
    process.kill(server.pid, 'SIGTERM')
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status, { interval: 10 }).toBe(503)
    expect(await server.end('SIGINT')).toBe(130)
    await expect(stream.text()).rejects.toThrow()
    rmSync(home, { recursive: true, force: true })
  })
})

describe('what the limit of a stop cuts', () => {
  let app: TestApp
  const home = mkdtempSync(join(tmpdir(), 'sluice-stop-'))
  const start = () => startTestApp({ folder: home, config: config({ shutdown_seconds: 0.2 }), env: { SLUICE_ADMIN_KEY: KEY } })
  afterEach(async () => {
    await app[Symbol.asyncDispose]()
    rmSync(home, { recursive: true, force: true })
  })

  it('is told so: an error frame and [DONE], a 503 with Retry-After, an error before complete; and it is charged', async () => {
    app = await start()
    const { url } = app
    const before = nano((await app.credits(KEY)).balance)
    const calls = provider.calls.length
    const stream = await chat(url, 'endless', { stream: true })
    const whole = chat(url, 'silent')
    const graph = (query: string) => post(url, '/graphql', { query })
    const input = (model: string) => `input: { model: "${model}", messages: [{ role: USER, content: "Hello" }] }`
    const mutation = graph(`mutation { createChatCompletion(${input('silent')}) { __typename } }`)
    const answer = subscribe(url, `subscription { chatCompletion(${input('endless')}) { ... on ChatCompletionChunk { id } } }`)
    await answer.begun
    await provider.until(() => provider.calls.length === calls + 4)

    const stopped = app.server.stop()
    const data = dataOf(await stream.text())
    expect(data.at(-1)).toBe('[DONE]')
    expect(JSON.parse(data.at(-2)!)).toMatchObject({ error: { type: 'server_error', code: 'shutting_down' } })
    const refused = await whole
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await refused.json()).toMatchObject({ error: { type: 'server_error', code: 'shutting_down' } })
    expect(((await (await mutation).json()) as Result).errors).toEqual(toldToGo)
    const results = await answer.results
    expect(results.at(-1)!.errors).toEqual(toldToGo)
    expect(results.filter(({ errors }) => errors)).toHaveLength(1)
    await stopped

    app = await start()
    const { held, balance } = await app.credits(KEY)
    expect(held).toBe('0.00')
    const { viewer } = await app.graphql<{
      viewer: { usage: { nodes: { outcome: string; cost: string; outputTokens: number }[] } }
    }>('{ viewer { usage { nodes { outcome cost outputTokens } } } }')
    const { nodes } = viewer.usage
    expect(nodes.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 4 }, () => 'SERVER_STOPPED'))
    expect(nodes.filter(({ outputTokens }) => outputTokens > 0)).toHaveLength(2)
    expect(before - nano(balance)).toBe(nodes.reduce((sum, { cost }) => sum + nano(cost), 0))
  })
})
