/** Two servers on one PostgreSQL are restarted one after the other under load, and no caller notices. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, createServer, get, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nano, PRICE } from '../contract/chats/chat-app.js'
import { testLocation, type TestLocation } from '../kit/database.js'
import { FakeProvider } from '../kit/fake-provider.js'
import { answersBoth } from '../kit/fake-provider-scenes.js'
import { runSluice, startSluice, type ServerProcess } from '../kit/process.js'

const KEY = 'a-preset-key-of-the-administrator-0044'
const PIECES = Array.from({ length: 8 }, (_, index) => `word${index} `)
const folder = mkdtempSync(join(tmpdir(), 'sluice-rolling-'))
let database: TestLocation
let provider: FakeProvider
let balancer: Balancer
/** The two that are stopped, and the two that take their place. */
let servers: ServerProcess[]

beforeAll(async () => {
  database = await testLocation('postgres')
  provider = await FakeProvider.start(answersBoth({ pieces: PIECES, betweenMs: 40 }))
  const model = { id: 'm', owned_by: 't', context_window: 8192, max_output_tokens: 100 }
  writeFileSync(
    join(folder, 'sluice.config.yaml'),
    JSON.stringify({
      sandbox: false,
      catalog: { include_shipped: false },
      limits: { drain_seconds: 0.5 },
      providers: [{ id: 'p1', base_url: provider.baseUrl, api_key: 'x' }],
      models: [{ ...model, deployments: [{ provider: 'p1', model_id: 'm', ...PRICE }] }],
    }),
  )
  const options = { cwd: folder, env: { SLUICE_ADMIN_KEY: KEY, SLUICE_DATABASE_URL: database.url } }
  expect((await runSluice(['migrate'], options)).code).toBe(0)
  // The first one makes the administrator and its key.
  servers = [await startSluice(['serve'], options)]
  servers.push(...(await Promise.all(Array.from({ length: 3 }, () => startSluice(['serve'], options)))))
  balancer = await startBalancer()
})
afterAll(async () => {
  await balancer.stop()
  for (const server of servers) await server[Symbol.asyncDispose]()
  await provider.stop()
  await database[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

interface Balancer {
  readonly url: string
  readonly backends: Set<string>
  /** Those whose last /readyz was a 200. */
  readonly ready: ReadonlySet<string>
  /** Answers that it could not pass on. */
  readonly faults: string[]
  stop(): Promise<void>
}

/** What a usual load balancer does: goes by /readyz, keeps connections, and sends only a refused connection elsewhere. */
async function startBalancer(): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  const backends = new Set<string>()
  const ready = new Set<string>()
  const faults: string[] = []
  let turn = 0
  const probe = setInterval(() => {
    for (const url of backends) {
      const asked = get(`${url}/readyz`, { agent }, (answer) => {
        if (answer.statusCode === 200 && backends.has(url)) ready.add(url)
        else ready.delete(url)
        answer.resume()
      })
      asked.on('error', () => ready.delete(url))
    }
  }, 25)

  function pass(incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, tried: readonly string[]): void {
    const left = [...ready].filter((url) => !tried.includes(url))
    const url = left[turn++ % left.length]
    if (url === undefined) {
      faults.push('no server is ready')
      return void outgoing.writeHead(502).end()
    }
    const { method, url: path, headers } = incoming
    const upstream = request(`${url}${path}`, { method, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode!, { 'content-type': answer.headers['content-type'] })
      answer.pipe(outgoing)
      answer.on('error', (error) => {
        faults.push(`cut: ${error.message}`)
        outgoing.destroy()
      })
    })
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') return pass(incoming, body, outgoing, [...tried, url])
      faults.push(`lost: ${error.code ?? error.message}`)
      outgoing.destroy()
    })
    upstream.end(body)
  }

  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => pass(incoming, Buffer.concat(chunks), outgoing, []))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    backends,
    ready,
    faults,
    async stop() {
      clearInterval(probe)
      agent.destroy()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** One chat through the balancer; null when it was whole, else what was wrong with it. */
async function ask(isStream: boolean): Promise<string | null> {
  const body = { model: 'm', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 50, stream: isStream }
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  try {
    const response = await fetch(`${balancer.url}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await response.text()
    if (response.status !== 200) return `${response.status} ${text}`
    if (!isStream) return text.includes('"finish_reason":"stop"') ? null : text
    const isWhole = text.includes('"finish_reason":"stop"') && text.endsWith('data: [DONE]\n\n') && !text.includes('"error"')
    return isWhole && PIECES.every((piece) => text.includes(JSON.stringify(piece))) ? null : text
  } catch (error) {
    return String(error)
  }
}

/** Asks again and again, eight at a time, until told to stop; resolves with what went wrong and how many went well. */
function startLoad() {
  let isOver = false
  const broken: string[] = []
  let whole = 0
  const caller = async (isStream: boolean) => {
    while (!isOver) {
      const fault = await ask(isStream)
      if (fault === null) whole++
      else broken.push(fault)
    }
  }
  const callers = Array.from({ length: 8 }, (_, index) => caller(index % 2 === 0))
  return {
    count: () => whole,
    async stop() {
      isOver = true
      await Promise.all(callers)
      return { broken, whole }
    },
  }
}

async function waitUntil(isTrue: () => boolean): Promise<void> {
  await expect.poll(isTrue, { timeout: 30_000, interval: 20 }).toBe(true)
}

it('every stream has its finish_reason and [DONE], every answer is whole, and the balance is what was answered', async () => {
  const old = servers.slice(0, 2)
  const next = servers.slice(2)
  for (const { url } of old) balancer.backends.add(url)
  await expect.poll(async () => (await ask(false)) ?? 'whole', { timeout: 30_000 }).toBe('whole')
  balancer.faults.length = 0
  const load = startLoad()
  for (const [index, server] of old.entries()) {
    const before = load.count()
    await waitUntil(() => load.count() >= before + 20)
    expect(await server.end('SIGTERM')).toBe(0)
    balancer.backends.delete(server.url)
    expect(server.logged().filter((line) => /a request failed|caller had left/.test(line))).toEqual([])
    balancer.backends.add(next[index]!.url)
    await waitUntil(() => balancer.ready.has(next[index]!.url))
  }
  const before = load.count()
  await waitUntil(() => load.count() >= before + 20)
  const { broken, whole } = await load.stop()
  expect(broken).toEqual([])
  expect(balancer.faults).toEqual([])
  expect(whole).toBeGreaterThanOrEqual(60)

  const answer = await fetch(`${balancer.url}/v1/credits`, { headers: { authorization: `Bearer ${KEY}` } })
  const { balance, held } = (await answer.json()) as { balance: string; held: string }
  expect(held).toBe('0.00')
  // 11 tokens of the prompt and one for each piece; the first answer came before the load.
  expect(10e9 - nano(balance)).toBe((whole + 1) * (11 + PIECES.length * 2))
  for (const server of next) expect(await server.end('SIGTERM')).toBe(0)
})
