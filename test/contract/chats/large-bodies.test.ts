/**
 * Large requests, of an account with credits and of one without: others do not wait for them, and what one account may have under
 * way is bounded. The server runs in a process of its own, so that the work of its event loop can be told from the test's; it is the
 * same one in every mode of the tests.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testMode } from '../../kit/app-servers.js'
import { answersBoth, hangs } from '../../kit/fake-provider-scenes.js'
import { FakeProvider } from '../../kit/fake-provider.js'
import { startSluice, type ServerProcess } from '../../kit/process.js'
import { PRICE } from './chat-app.js'

const ADMIN_KEY = 'the-key-of-large-bodies-0123456789'
const AT_ONCE = 10
/** A neighbour on the machine only adds to what is measured: one round below the bar shows it, and it may take some. */
const MAX_ROUNDS = 3
/** Of one account. */
const ROOM_BYTES = 50_000_000
const json = { 'content-type': 'application/json' }
const folder = mkdtempSync(join(tmpdir(), 'sluice-large-'))
let provider: FakeProvider
let server: ServerProcess
const keys = { rich: '', poor: '', other: '' }

const MODELS = ['normal', 'hang'].map((id) => ({
  id,
  owned_by: 'test',
  tier: 'light',
  context_window: 50_000_000,
  max_output_tokens: 1000,
  deployments: [{ provider: 'p1', model_id: id, ...PRICE }],
}))

beforeAll(async () => {
  provider = await FakeProvider.start(answersBoth({ pieces: ['Hello'] }))
  provider.scenes.set('hang', hangs)
  const config = {
    sandbox: false,
    catalog: { include_shipped: false },
    providers: [{ id: 'p1', name: 'Fake', base_url: provider.baseUrl, api_key: 'provider-key' }],
    models: MODELS,
    limits: { large_body_account_bytes: ROOM_BYTES, large_body_account_waiting: AT_ONCE, large_body_wait_seconds: 2 },
  }
  writeFileSync(join(folder, 'sluice.config.yaml'), stringify(config))
  server = await startSluice(['serve'], { cwd: folder, env: { SLUICE_ADMIN_KEY: ADMIN_KEY, SLUICE_STARTING_CREDITS: '1000' } })
  for (const name of ['rich', 'poor', 'other'] as const) keys[name] = await accountKey(name === 'poor' ? '' : ', credits: "100"')
})
afterAll(async () => {
  await server.end()
  await provider.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function graphql(query: string): Promise<Record<string, { account?: { id: string }; secret?: string }>> {
  const answer = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${ADMIN_KEY}` },
    body: JSON.stringify({ query }),
  })
  return ((await answer.json()) as { data: Record<string, { account?: { id: string }; secret?: string }> }).data
}

async function accountKey(credits: string): Promise<string> {
  const { createAccount } = await graphql(`mutation { createAccount(input: { name: "x"${credits} }) { account { id } } }`)
  const { createApiKey } = await graphql(
    `mutation { createApiKey(input: { accountId: "${createAccount!.account!.id}" }) { secret } }`,
  )
  return createApiKey!.secret!
}

const chat = (key: string, body: BodyInit, more: Record<string, string> = {}, signal: AbortSignal | null = null) =>
  fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...json, ...more, authorization: `Bearer ${key}` },
    body,
    signal,
    ...(body instanceof ReadableStream && ({ duplex: 'half' } as RequestInit)),
  })

const ids = Array.from({ length: 100_000 }, (_, index) => index)
const largeBody = (more: object = {}) =>
  JSON.stringify({ model: 'normal', ids, messages: [{ role: 'user', content: 'Hällo world '.repeat(300_000) }], ...more })

const graphChat = () =>
  JSON.stringify({
    query: 'mutation ($input: ChatCompletionInput!) { createChatCompletion(input: $input) { ... on ChatCompletion { id } } }',
    variables: { input: { model: 'normal', messages: [{ role: 'USER', content: 'Hällo world '.repeat(300_000) }] } },
  })

const rpc = (id: number, method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id, method, params })
const post = (path: string, key: string, body: string, more: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { method: 'POST', headers: { ...json, ...more, authorization: `Bearer ${key}` }, body })

/** Seconds that the thread of the server's event loop has worked, whatever else the machine did meanwhile. */
function loopSeconds(): number {
  const stat = readFileSync(`/proc/${server.pid}/task/${server.pid}/stat`, 'latin1')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user! + system!) / TICKS_PER_SECOND
}

const TICKS_PER_SECOND = 100

async function loopSecondsDuring(work: () => Promise<unknown>): Promise<number> {
  const before = loopSeconds()
  await work()
  return loopSeconds() - before
}

describe.runIf(testMode === 'embedded')('large requests', () => {
  it.each([
    ['chats of an account with credits', 200, largeBody, (body: string) => chat(keys.rich, body)],
    ['chats of an account without credits', 402, largeBody, (body: string) => chat(keys.poor, body)],
    ['chats through GraphQL', 200, graphChat, (body: string) => post('/graphql', keys.rich, body)],
  ] as const)(
    'that are %s are less work for the event loop than reading and writing them twice',
    async (_, status, write, send) => {
      const body = write()
      // One for all of them: what is one text and nothing else is read as fast as it is copied on some machines.
      const read = largeBody()
      await (await send(body)).text()
      let share = Infinity
      for (let round = 0; round < MAX_ROUNDS && share >= 2; round++) {
        const before = process.cpuUsage()
        for (let times = 0; times < AT_ONCE; times++) JSON.stringify(JSON.parse(read))
        const { user, system } = process.cpuUsage(before)
        const yardstick = (user + system) / 1e6
        const answers: Response[] = []
        const worked = await loopSecondsDuring(async () => {
          answers.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => send(body)))))
          await Promise.all(answers.map((answer) => answer.text()))
        })
        expect(answers.map((answer) => answer.status)).toEqual(Array(AT_ONCE).fill(status))
        share = worked / yardstick
      }
      expect(share).toBeLessThan(2)
    },
  )

  it('reach the provider as they came, digits and all', async () => {
    const seed = '9007199254740993'
    for (const stream of [false, true]) {
      const body = largeBody({ stream, max_tokens: 7, temperature: 0.5 }).replace('"ids"', `"seed":${seed},"ids"`)
      const answer = await chat(keys.rich, body)
      await answer.text()
      expect(answer.status).toBe(200)
      const call = provider.calls.at(-1)!
      expect(call.text).toContain(`"seed":${seed},`)
      expect(call.body).toMatchObject({
        model: 'normal',
        stream,
        max_tokens: 7,
        temperature: 0.5,
        ids,
        messages: [{ role: 'user' }],
      })
      expect(call.headers['content-length']).toBe(String(Buffer.byteLength(call.text)))
    }
  })

  it.each([
    ['broken JSON', (body: string) => body.slice(0, -1), null],
    ['a wrong field', (body: string) => body.replace('"user"', '"nobody"'), 'messages[0].role'],
    ['too many values', (body: string) => body.replace('"ids":[', `"ids":[${'0,'.repeat(250_000)}`), null],
    ['too deep a nesting', (body: string) => body.replace('"ids":[', `"ids":[${'['.repeat(70)}${']'.repeat(70)},`), null],
    ['another encoding', (body: string) => Buffer.from(body, 'latin1'), null],
  ])('with %s are a 400 in the same words as small ones', async (_, change, param) => {
    const answer = await chat(keys.rich, change(largeBody()))
    expect([answer.status, await answer.json()]).toEqual([400, { error: expect.objectContaining({ param }) as object }])
  })

  it('are read under the same limits by the MCP endpoint, which begins no session before', async () => {
    const clientInfo = { name: 'test', version: '1', notes: 'x'.repeat(300_000) }
    const begin = (more: object) =>
      post('/mcp', keys.poor, rpc(0, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo, ...more }), {
        accept: 'application/json, text/event-stream',
      })
    const begun = await begin({})
    expect([begun.status, begun.headers.has('mcp-session-id')]).toEqual([200, true])
    await begun.text()
    const refused = await begin({ more: Array(250_001).fill(0) })
    expect([refused.status, refused.headers.has('mcp-session-id'), await refused.json()]).toEqual([
      400,
      false,
      { jsonrpc: '2.0', error: { code: -32_700, message: expect.stringContaining('250000 values') as string }, id: null },
    ])
  })

  it('are read without a declared length too, and refused without a key', async () => {
    const streamed = () => new Blob([largeBody()]).stream()
    expect((await chat(keys.rich, streamed())).status).toBe(200)
    expect((await chat(keys.poor, streamed())).status).toBe(402)
    const query = JSON.stringify({ query: '{ __typename }', variables: { text: 'x'.repeat(300_000) } })
    const ask = (headers: Record<string, string>) =>
      fetch(`${server.url}/graphql`, { method: 'POST', headers: { ...json, ...headers }, body: query })
    const refused = await ask({})
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect((await ask({ authorization: `Bearer ${keys.poor}` })).status).toBe(200)
  })

  it('of one account wait for room, and the one that waits too long is a 429 with Retry-After', async () => {
    const leave = new AbortController()
    const body = largeBody({ model: 'hang' })
    const many = Math.floor(ROOM_BYTES / Buffer.byteLength(body))
    const held = Array.from({ length: many }, () => chat(keys.rich, body, {}, leave.signal).catch(() => null))
    await provider.until(() => provider.openCalls === held.length)
    const refused = await chat(keys.rich, largeBody())
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      429,
      '5',
      { error: expect.objectContaining({ type: 'rate_limit' }) as object },
    ])
    expect((await chat(keys.other, largeBody())).status).toBe(200)
    const waiting = chat(keys.rich, largeBody())
    leave.abort()
    await Promise.all(held)
    expect((await waiting).status).toBe(200)
  })
})
