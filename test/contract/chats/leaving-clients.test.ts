/** A client that leaves is never a fault of the server: on any edge, at any moment. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FakeProvider } from '../../kit/fake-provider.js'
import { answersBoth, hangs } from '../../kit/fake-provider-scenes.js'
import { startSluice, type ServerProcess } from '../../kit/process.js'
import { PRICE } from './chat-app.js'

const KEY = 'a-preset-key-of-the-administrator-0043'
const folder = mkdtempSync(join(tmpdir(), 'sluice-leave-'))
let provider: FakeProvider
let server: ServerProcess

beforeAll(async () => {
  const scene = { pieces: Array.from({ length: 12 }, (_, index) => `word${index} `) }
  provider = await FakeProvider.start(answersBoth({ ...scene, betweenMs: 8 }))
  provider.scenes.set('silent', hangs)
  const model = { owned_by: 't', context_window: 8192, max_output_tokens: 100 }
  writeFileSync(
    join(folder, 'sluice.config.yaml'),
    JSON.stringify({
      sandbox: false,
      catalog: { include_shipped: false },
      providers: [{ id: 'p1', base_url: provider.baseUrl, api_key: 'x' }],
      models: ['m', 'silent'].map((id) => ({ id, ...model, deployments: [{ provider: 'p1', model_id: id, ...PRICE }] })),
      scanner: { analyzers: 1 },
    }),
  )
  server = await startSluice(['serve'], { cwd: folder, env: { SLUICE_ADMIN_KEY: KEY } })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await provider.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface Ask {
  readonly path: string
  readonly body: object
  readonly headers?: Record<string, string>
}

const SSE = { accept: 'text/event-stream' }
const chat = { model: 'm', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 50 }
const input = 'input: { model: "m", messages: [{ role: USER, content: "Hello" }], maxTokens: 50 }'
const file = { code: 'const password = "hunter2hunter2"\neval(location.hash)\n'.repeat(40), language: 'javascript' }

const ASKS: Record<string, Ask> = {
  stream: { path: '/v1/chat/completions', body: { ...chat, stream: true } },
  whole: { path: '/v1/chat/completions', body: chat },
  graphStream: { path: '/graphql', body: { query: `subscription { chatCompletion(${input}) { __typename } }` }, headers: SSE },
  graphWatch: { path: '/graphql', body: { query: 'subscription { creditBalance { id balance } }' }, headers: SSE },
  graphWhole: { path: '/graphql', body: { query: `mutation { createChatCompletion(${input}) { __typename } }` } },
  graphQuery: { path: '/graphql', body: { query: '{ viewer { id balance held usageBy(group: MODEL) { requests cost } } }' } },
  scan: { path: '/api/scan', body: file },
  call: {
    path: '/mcp',
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'scan_code', arguments: file } },
  },
}

async function send({ path, body, headers }: Ask, signal?: AbortSignal, more: Record<string, string> = {}) {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers, ...more },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function mcpSession(): Promise<Record<string, string>> {
  const clientInfo = { name: 'test', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  const { headers } = await send({ ...ASKS['call']!, body: { jsonrpc: '2.0', id: 1, method: 'initialize', params } })
  return { 'mcp-session-id': headers.get('mcp-session-id')! }
}

/** So many scans of one account meet its rate limit. */
const FINE: readonly number[] = [200, 429]

const numberOf = (metrics: string, name: RegExp): number =>
  [...metrics.matchAll(name)].reduce((sum, [, value]) => sum + Number(value), 0)

it('240 clients that leave at random moments are no errors in the log, no unexpected errors, and leave no hold', async () => {
  const session = await mcpSession()
  const leavers = fc.sample(
    fc.record({ ask: fc.constantFrom(...Object.keys(ASKS)), afterMs: fc.integer({ min: 0, max: 160 }) }),
    { seed: 3, numRuns: 240 },
  )
  const stayers = Object.keys(ASKS).filter((name) => name !== 'graphWatch')
  const left = leavers.map(({ ask, afterMs }) =>
    send(ASKS[ask]!, AbortSignal.timeout(afterMs), session).then(
      ({ status }) => status,
      () => 'left',
    ),
  )
  const stayed = await Promise.all(stayers.map((name) => send(ASKS[name]!, undefined, session)))
  expect(stayed.filter(({ status }) => !FINE.includes(status))).toEqual([])
  const ends = await Promise.all(left)
  // Otherwise nobody has left, or nobody late.
  expect(ends.filter((end) => end === 'left').length).toBeGreaterThan(100)
  expect(ends.filter((end) => end !== 'left' && !FINE.includes(end as number))).toEqual([])

  const credits = () => fetch(`${server.url}/v1/credits`, { headers: { authorization: `Bearer ${KEY}` } })
  await expect.poll(async () => ((await (await credits()).json()) as { held: string }).held, { timeout: 20_000 }).toBe('0.00')
  // One of whom it is certain that it leaves while its answer is being made.
  const leaver = new AbortController()
  const silent = send({ path: '/v1/chat/completions', body: { ...chat, model: 'silent' } }, leaver.signal).catch(() => 'left')
  await provider.until(() => provider.calls.some(({ body }) => body['model'] === 'silent'))
  leaver.abort()
  expect(await silent).toBe('left')
  await provider.until(() => provider.openCalls === 0)
  const metrics = await (await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${KEY}` } })).text()
  expect(numberOf(metrics, /^sluice_unexpected_errors_total (\d+)/gm)).toBe(0)
  expect(numberOf(metrics, /^sluice_http_requests_total\{.*status="5\d\d"\} (\d+)/gm)).toBe(0)
  const closed = numberOf(metrics, /^sluice_http_requests_total\{.*status="499"\} (\d+)/gm)
  expect(closed).toBeGreaterThan(0)
  expect(closed).toBeLessThanOrEqual(ends.filter((end) => end === 'left').length + 1)
  expect(await server.end()).toBe(0)
  expect(server.logged().filter((line) => /"level":(?:40|50|60)/.test(line))).toEqual([])
})
