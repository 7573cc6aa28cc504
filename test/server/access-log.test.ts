/** The line that each request leaves in the log. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/config.js'
import { startServer, type RunningServer } from '../../src/server/server.js'
import { PRICE } from '../contract/chats/chat-app.js'
import { FakeProvider } from '../kit/fake-provider.js'
import { streams } from '../kit/fake-provider-scenes.js'

const ADMIN_KEY = 'an-administrators-key-that-is-long-enough'
const PROMPT = 'a prompt that nobody else may read'

let provider: FakeProvider
let server: RunningServer
let folder: string
const lines: string[] = []

const start = (log: object) => {
  writeFileSync(
    join(folder, 'sluice.config.yaml'),
    stringify({
      sandbox: false,
      catalog: { include_shipped: false },
      providers: [{ id: 'p1', name: 'Fake', base_url: provider.baseUrl, api_key: 'provider-key' }],
      models: [{ id: 'm', owned_by: 'test', deployments: [{ provider: 'p1', model_id: 'm', ...PRICE }] }],
      limits: { drain_seconds: 0, shutdown_seconds: 0.05 },
      log,
    }),
  )
  const config = loadConfig({
    workingDirectory: folder,
    env: { SLUICE_PORT: '0', SLUICE_ADMIN_KEY: ADMIN_KEY, SLUICE_DATABASE_URL: `sqlite:${folder}/sluice.db` },
  })
  return startServer(config, undefined, { logTo: { write: (line) => void lines.push(line) } })
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-log-'))
  provider = await FakeProvider.start(streams({ pieces: ['an', ' answer'], betweenMs: 1 }))
  server = await start({})
})
afterAll(async () => {
  await server.stop()
  await provider.stop()
  rmSync(folder, { recursive: true, force: true })
})

const requests = () =>
  lines
    .join('')
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'request')
const lineOf = async (found: (line: Record<string, unknown>) => boolean) => {
  await expect.poll(() => requests().filter(found)).toHaveLength(1)
  return requests().find(found)!
}

const send = (path: string, body: object, key = ADMIN_KEY, signal?: AbortSignal) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })

const chatBody = { model: 'm', stream: true, messages: [{ role: 'user', content: PROMPT }] }

it('a chat tells who asked, what answered, what it cost and how long it took, and nothing of its text', async () => {
  const response = await send('/v1/chat/completions', chatBody)
  await response.text()
  const id = response.headers.get('x-request-id')
  expect(await lineOf(({ request_id }) => request_id === id)).toEqual({
    level: 30,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    msg: 'request',
    route: '/v1/chat/completions',
    method: 'POST',
    status: 200,
    total_ms: expect.any(Number),
    request_id: id,
    account_id: expect.stringMatching(/^acc_/),
    key_id: expect.stringMatching(/^key_/),
    model: 'm',
    provider: 'p1',
    outcome: 'completed',
    input_tokens: 11,
    cached_input_tokens: 0,
    output_tokens: 2,
    cost_usd: '0.000000015',
    first_token_ms: expect.any(Number),
  })
})

it('a client that leaves is written once its call is settled, with what it was charged', async () => {
  provider.scene = streams({ pieces: ['an', ' answer'], ending: 'hang' })
  const leaving = new AbortController()
  const response = await send('/v1/chat/completions', chatBody, ADMIN_KEY, leaving.signal)
  await response.body!.getReader().read()
  leaving.abort()
  const id = response.headers.get('x-request-id')
  const line = await lineOf(({ request_id }) => request_id === id)
  expect(line).toMatchObject({ outcome: 'client_closed', model: 'm', output_tokens: expect.any(Number) })
})

it('a GraphQL operation is told by its name, a stranger without an account, a made-up path not at all', async () => {
  await (await send('/graphql', { query: 'query WhoAmI { viewer { id } }' })).text()
  expect(await lineOf(({ operation }) => operation === 'WhoAmI')).toMatchObject({ route: '/graphql', status: 200 })
  await (await send('/v1/chat/completions', chatBody, 'not-a-key')).text()
  expect(await lineOf(({ status }) => status === 401)).not.toHaveProperty('account_id')
  await (await send('/made/up/"path"', {})).text()
  expect(await lineOf(({ route }) => route === 'other')).toMatchObject({ status: 404 })
})

it('no line holds a prompt, an answer, a key or a path', async () => {
  await (await fetch(`${server.url}/healthz`)).text()
  const text = lines.join('')
  for (const secret of [PROMPT, ' answer', ADMIN_KEY, 'not-a-key', 'provider-key', 'made/up', 'healthz']) {
    expect(text).not.toContain(secret)
  }
})

it('`log.access: false` writes none of them', async () => {
  await server.stop()
  lines.length = 0
  server = await start({ access: false })
  await (await send('/graphql', { query: '{ viewer { id } }' })).text()
  await server.stop()
  expect(requests()).toEqual([])
})
