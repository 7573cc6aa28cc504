/** Every answer that the server gives, in every status, is described by schema/openapi.yaml, field by field. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everywhere } from '../kit/app-servers.js'
import { fails, hangs, streams } from '../kit/fake-provider-scenes.js'
import { dangerous, harmless } from '../mcp/samples.js'
import { startChatApp, type ChatApp } from './chats/chat-app.js'
import { answering, CHAT, judged, question, type Call } from './judged-calls.js'
import { METHODS, openApi, streamData } from './openapi-document.js'

let chat: ChatApp
const keys = { poor: '', scanOnly: '', chatOnly: '' }
const { call, judge, status, seen } = judged(() => chat.app)

beforeAll(async () => {
  chat = await startChatApp(
    {
      ...answering,
      cut: streams({ pieces: ['Hel', 'lo'], ending: 'reset' }),
      broken: fails(500),
      hang: hangs,
    },
    {
      limits: {
        body_bytes: 20_000,
        request_seconds: 2,
        large_body_bytes: 10_000,
        large_body_account_bytes: 10_000,
        large_body_wait_seconds: 0.1,
      },
      compute: { drivers: [{ type: 'sandbox', boot_seconds: 300 }] },
      scanner: {
        file_bytes: 20_000,
        files: 5,
        batch_bytes: 50_000,
        body_bytes: 100_000,
        enterprise: { per_minute: 2, per_day: 10 },
      },
    },
    [
      {
        id: 'cold-one',
        deploy: { vram_gb: 8, price_hint: '0.5', input_price_per_million: '0.1', output_price_per_million: '0.1' },
      },
      {
        id: 'cold-two',
        deploy: { vram_gb: 8, price_hint: '0.5', input_price_per_million: '0.1', output_price_per_million: '0.1' },
      },
    ],
    { isOfOneServer: true },
  )
  keys.poor = (await chat.app.account()).key
  keys.scanOnly = await keyFor('SCAN')
  keys.chatOnly = await keyFor('CHAT')
})
afterAll(() => chat.stop())

async function keyFor(scope: 'SCAN' | 'CHAT'): Promise<string> {
  const { createApiKey } = await chat.app.graphql<{ createApiKey: { secret: string } }>(
    `mutation { createApiKey(input: { scopes: [${scope}] }) { secret } }`,
  )
  return createApiKey.secret
}

/** The status of a request that comes while a large one of the same account is open. */
async function besideLarge(ask: () => Promise<number>): Promise<number> {
  for (;;) {
    let isOpen = true
    const large = status('POST', CHAT, question('hang', { user: 'x'.repeat(12_000) })).finally(() => (isOpen = false))
    await Promise.race([chat.provider.until(() => chat.provider.openCalls > 0), large])
    const answered = await ask()
    // A machine that was so slow that the large one reached its time limit first has shown nothing.
    const wasOpen = isOpen
    expect(await large).toBe(504)
    if (wasOpen) return answered
  }
}

describe('answers fit the description', () => {
  it.each(Object.keys(answering))('a chat completion of %s, whole and streamed', async (model) => {
    expect(await status('POST', CHAT, question(model))).toBe(200)
    expect(await status('POST', CHAT, question(model, { stream: true }))).toBe(200)
    expect(await status('POST', CHAT, question(model, { stream: true, stream_options: { include_usage: true } }))).toBe(200)
  })

  it('a stream that breaks ends with an error object', async () => {
    const { text } = await call('POST', CHAT, question('cut', { stream: true }))
    expect(streamData(text).at(-1)).toMatchObject({ error: { type: 'upstream_error' } })
  })

  it('wrong requests', async () => {
    expect(await status('POST', CHAT, { body: '{"model":' })).toBe(400)
    expect(await status('POST', CHAT, { body: { model: 'normal' } })).toBe(400)
    expect(await status('POST', CHAT, question('normal', { temperature: 'hot' }))).toBe(400)
    expect(await status('POST', CHAT, question('unpriced'))).toBe(400)
    expect(await status('POST', CHAT, question('nothing'))).toBe(404)
    expect(await status('POST', CHAT, question('normal', { user: 'x'.repeat(30_000) }))).toBe(413)
    expect(await status('POST', CHAT, { ...question('normal'), headers: { 'content-type': 'text/plain' } })).toBe(415)
    expect(await status('GET', CHAT)).toBe(405)
    expect(await status('POST', '/v1/embeddings', { body: {} })).toBe(404)
  })

  it('requests without a key: 401 exactly where the description says so', async () => {
    for (const [path, item] of Object.entries(openApi.paths)) {
      for (const method of METHODS.filter((name) => item[name])) {
        const isOpen = item[method]!.security?.length === 0
        const answer = await status(method.toUpperCase(), path.replace(/\{\w+\}/, 'x'), { key: null })
        expect(answer === 401, `${method} ${path}`).toBe(!isOpen)
      }
    }
  })

  it('callers who may not, and callers who cannot pay', async () => {
    expect(await status('POST', CHAT, { ...question('normal'), key: keys.scanOnly })).toBe(403)
    expect(await status('POST', CHAT, { ...question('normal'), key: keys.poor })).toBe(402)
    expect(await status('GET', '/metrics', { key: keys.scanOnly })).toBe(403)
  })

  it('an account that sends too many large requests at once', async () => {
    expect(await besideLarge(() => status('POST', CHAT, question('normal', { user: 'x'.repeat(12_000) })))).toBe(429)
  })

  it('providers that fail or hang', async () => {
    expect(await status('POST', CHAT, question('broken'))).toBe(502)
    expect(await status('POST', CHAT, question('hang'))).toBe(504)
  })

  it('models in every state', async () => {
    const states = (list: unknown) => (list as { data: { availability: string }[] }).data.map(({ availability }) => availability)
    expect(new Set(states((await call('GET', '/v1/models')).json))).toEqual(new Set(['instant', 'pricing_pending', 'cold']))
    expect(await status('POST', CHAT, question('cold-one'))).toBe(202)
    await everywhere(async () => expect(states((await call('GET', '/v1/models')).json)).toContain('deploying'))
    expect(await status('GET', '/v1/models?limit=1&offset=1')).toBe(200)
    expect(await status('GET', '/v1/models?limit=0')).toBe(400)
    for (const id of ['normal', 'unpriced', 'cold-one', 'cold-two', 'vendor/with/slashes', 'vendor%2Fwith%2Fslashes']) {
      expect(await status('GET', `/v1/models/${id}`)).toBe(200)
    }
    expect(await status('GET', '/v1/models/nothing')).toBe(404)
  })

  it('a deploying model whose caller wants to be retried', async () => {
    const { viewer } = await chat.app.graphql<{ viewer: { id: string } }>('{ viewer { id } }')
    const mode = (coldStartMode: string) =>
      chat.app.graphql('mutation ($input: UpdateAccountInput!) { updateAccount(input: $input) { account { id } } }', {
        input: { id: viewer.id, coldStartMode },
      })
    await mode('RETRY')
    const { status: code, headers } = await call('POST', CHAT, question('cold-two'))
    expect(code).toBe(503)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    await mode('RESPOND')
  })

  it.each(['/v1/messages', '/v1/messages/count_tokens'])('a conversation sent to %s', async (path) => {
    const isAnswered = path === '/v1/messages'
    const ask = (model: string, fields: object = {}, more: Call = {}) => {
      const messages = [{ role: 'user', content: 'Hello' }]
      const limit = isAnswered ? { max_tokens: 10 } : {}
      return status('POST', path, { body: { model, messages, ...limit, ...fields }, ...more })
    }
    const large = { system: 'x'.repeat(12_000) }
    expect(await ask('normal')).toBe(200)
    expect(await ask('normal', { thinking: { type: 'enabled' } })).toBe(400)
    expect(await ask('normal', large, { key: keys.poor })).toBe(402)
    expect(await ask('normal', {}, { key: keys.scanOnly })).toBe(403)
    expect(await ask('nothing')).toBe(404)
    expect(await ask('normal', { system: 'x'.repeat(30_000) })).toBe(413)
    expect(await ask('normal', {}, { headers: { 'content-type': 'text/plain' } })).toBe(415)
    expect(await besideLarge(() => ask('normal', large))).toBe(429)
    if (!isAnswered) return
    expect(await ask('broken')).toBe(502)
    expect(await ask('hang')).toBe(504)
    expect(await ask('cold-two')).toBe(529)
  })

  it('an input sent to /v1/responses', async () => {
    const ask = (model: string, fields: object = {}, more: Call = {}) =>
      status('POST', '/v1/responses', { body: { model, input: 'Hello', ...fields }, ...more })
    const large = { instructions: 'x'.repeat(12_000) }
    expect(await ask('normal')).toBe(200)
    expect(await ask('normal', { stream: true })).toBe(200)
    expect(await ask('cut', { stream: true })).toBe(200)
    expect(await ask('normal', { background: true })).toBe(400)
    expect(await ask('normal', large, { key: keys.poor })).toBe(402)
    expect(await ask('normal', {}, { key: keys.scanOnly })).toBe(403)
    expect(await ask('nothing')).toBe(404)
    expect(await ask('normal', { instructions: 'x'.repeat(30_000) })).toBe(413)
    expect(await ask('normal', {}, { headers: { 'content-type': 'text/plain' } })).toBe(415)
    expect(await besideLarge(() => ask('normal', large))).toBe(429)
    expect(await ask('broken')).toBe(502)
    expect(await ask('hang')).toBe(504)
    expect(await ask('cold-two')).toBe(503)
  })

  it('the life of a stored response', async () => {
    const { json } = await call('POST', '/v1/responses', { body: { model: 'normal', input: 'Hello', store: true } })
    const path = `/v1/responses/${(json as { id: string }).id}`
    expect(await status('GET', path)).toBe(200)
    expect(await status('GET', `${path}/input_items`)).toBe(200)
    expect(await status('GET', `${path}/input_items?limit=0`)).toBe(400)
    for (const [method, of] of [
      ['GET', path],
      ['GET', `${path}/input_items`],
      ['DELETE', path],
    ] as const) {
      expect(await status(method, of, { key: keys.scanOnly })).toBe(403)
    }
    expect(await status('DELETE', path)).toBe(200)
    for (const gone of [path, `${path}/input_items`]) expect(await status('GET', gone)).toBe(404)
    expect(await status('DELETE', path)).toBe(404)
  })

  it('prices, tiers, the benchmark and credits', async () => {
    for (const query of ['', '?format=flat', '?format=tiers', '?model=normal', '?provider=p1&format=tiers', '?model=nothing']) {
      expect(await status('GET', `/v1/pricing${query}`)).toBe(200)
    }
    expect(await status('GET', '/v1/pricing?format=tree')).toBe(400)
    expect(await status('GET', '/v1/pricing/benchmark')).toBe(200)
    expect(await status('GET', '/v1/credits')).toBe(200)
  })

  it('offers and the life of a rental', async () => {
    const { json } = await call('GET', '/v1/gpu/offers')
    const [offer] = (json as { data: { gpu_model: string; price_per_gpu_hour: string }[] }).data
    expect(await status('GET', `/v1/gpu/offers?gpu_model=${offer!.gpu_model}&min_vram=1&max_price=100`)).toBe(200)
    expect(await status('GET', '/v1/gpu/offers?min_vram=many')).toBe(400)
    const body = { gpu_model: offer!.gpu_model, model_id: 'cold-one' }
    const headers = { 'idempotency-key': 'one' }
    const rented = await call('POST', '/v1/gpu/rent', { body, headers })
    expect(rented.status).toBe(201)
    const id = (rented.json as { rental_id: string }).rental_id
    expect(rented.headers.get('location')).toBe(`/v1/gpu/rentals/${id}`)
    expect((await call('POST', '/v1/gpu/rent', { body, headers })).json).toMatchObject({ rental_id: id })
    expect(await status('POST', '/v1/gpu/rent', { body: { ...body, fine_tuned: true }, headers })).toBe(409)
    expect(await status('GET', '/v1/gpu/rentals')).toBe(200)
    expect(await status('GET', '/v1/gpu/rentals?status=provisioning')).toBe(200)
    expect(await status('GET', '/v1/gpu/rentals?status=gone')).toBe(400)
    expect(await status('GET', `/v1/gpu/rentals/${id}`)).toBe(200)
    expect(await status('GET', `/v1/gpu/rentals/${id}`, { key: keys.poor })).toBe(404)
    expect(await status('DELETE', `/v1/gpu/rentals/${id}`, { key: keys.scanOnly })).toBe(403)
    expect(await status('DELETE', '/v1/gpu/rentals/nothing')).toBe(404)
    expect((await call('DELETE', `/v1/gpu/rentals/${id}`)).json).toMatchObject({ status: 'terminated' })
    expect(await status('DELETE', `/v1/gpu/rentals/${id}`)).toBe(200)
    expect(await status('GET', `/v1/gpu/rentals/${id}`)).toBe(200)
  })

  it('requests for a rental that cannot be had', async () => {
    const rent = (body: unknown, more: Call = {}) => status('POST', '/v1/gpu/rent', { body, ...more })
    expect(await rent({})).toBe(400)
    expect(await rent({ gpu_model: 'L4' })).toBe(400)
    expect(await rent({ gpu_model: 'L4', model_id: 'nothing' })).toBe(404)
    expect(await rent({ gpu_model: 'no such GPU', docker_image: 'a/b' })).toBe(409)
    expect(await rent({ gpu_model: 'L4', model_id: 'cold-one' }, { key: keys.poor })).toBe(402)
    expect(await rent({ gpu_model: 'L4', model_id: 'cold-one' }, { key: keys.scanOnly })).toBe(403)
    expect(await rent({ gpu_model: 'L4', docker_image: 'x'.repeat(30_000) })).toBe(413)
    expect(await rent('gpu_model=L4', { headers: { 'content-type': 'application/x-www-form-urlencoded' } })).toBe(415)
  })

  it('scans, what the scanner is, and how it is', async () => {
    const file = { code: dangerous, language: 'python' }
    const unknownRule = { code: `${dangerous}# compliance-ignore no-such-rule\n`, language: 'py', filename: 'a.py' }
    const sarif = { accept: 'application/sarif+json' }
    expect((await call('POST', '/api/scan', { body: file })).json).toMatchObject({ summary: { total_violations: 1 } })
    expect((await call('POST', '/api/scan', { body: unknownRule })).json).toMatchObject({ warnings: [expect.anything()] })
    expect(await status('POST', '/api/scan', { body: file, headers: sarif })).toBe(200)
    const files = [file, { code: harmless, language: 'python' }]
    expect(await status('POST', '/api/batch-scan', { body: { files } })).toBe(200)
    expect(await status('POST', '/api/batch-scan', { body: { files: [] } })).toBe(200)
    expect(await status('POST', '/api/batch-scan', { body: { files }, headers: sarif })).toBe(200)
    for (const path of ['config', 'rules', 'rules?standard=hipaa']) expect(await status('GET', `/api/${path}`)).toBe(200)
    expect(await status('GET', '/api/rules?standard=none')).toBe(400)
    expect(await status('GET', '/api/health', { key: null })).toBe(200)
    expect(await status('GET', '/api/nothing')).toBe(404)
    expect(await status('DELETE', '/api/scan')).toBe(405)
  })

  it('scans that are refused', async () => {
    const { key } = await chat.app.account({ scanTier: 'ENTERPRISE' })
    for (const [path, body] of [
      ['/api/scan', { code: '', language: 'go' }],
      ['/api/batch-scan', { files: [{ code: '', language: 'go' }] }],
    ] as const) {
      expect(await status('POST', path, { body: {} })).toBe(400)
      expect(await status('POST', path, { body: { ...body, standards: ['none'] } })).toBe(400)
      expect(await status('POST', path, { body, key: keys.chatOnly })).toBe(403)
      expect(await status('POST', path, { body: { ...body, more: 'x'.repeat(100_000) } })).toBe(413)
      expect(await status('POST', path, { body, headers: { 'content-type': 'text/plain' } })).toBe(415)
      for (let at = 0; at < 2; at++) await status('POST', path, { body, key })
      expect(await status('POST', path, { body, key })).toBe(429)
    }
    const cobol = await call('POST', '/api/scan', { body: { code: '', language: 'cobol' } })
    expect(cobol.json).toMatchObject({ code: 'UNSUPPORTED_LANGUAGE' })
    for (const path of ['/api/config', '/api/rules']) expect(await status('GET', path, { key: keys.chatOnly })).toBe(403)
  })

  it('the envelope of the protocol for assistants', async () => {
    const accept = 'application/json, text/event-stream'
    const post = (body: unknown, headers: object = {}) => call('POST', '/mcp', { body, headers: { accept, ...headers } })
    const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
    const begin = { jsonrpc: '2.0', id: 1, method: 'initialize', params: client }
    const opened = await post(begin)
    expect(opened.status).toBe(200)
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id')!, 'mcp-protocol-version': '2025-11-25' }
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect((await post(initialized, session)).status).toBe(202)
    expect((await post('{', session)).status).toBe(400)
    expect((await post(begin, { accept: 'text/html' })).status).toBe(406)
    expect((await post({ ...begin, more: 'x'.repeat(100_000) })).status).toBe(413)
    expect((await post(begin, { 'content-type': 'text/plain' })).status).toBe(415)
    const get = (headers: object = {}) => status('GET', '/mcp', { headers: { accept, ...session, ...headers } })
    const stream = await chat.app.fetch('/mcp', { headers: { accept, ...session } })
    expect(await get()).toBe(409)
    expect(await get({ accept: 'text/html' })).toBe(406)
    expect(await status('GET', '/mcp', { headers: { accept } })).toBe(400)
    expect(await status('DELETE', '/mcp')).toBe(400)
    for (const [more, refused] of [
      [{ origin: 'https://evil.example' }, 403],
      [{ 'mcp-session-id': 'gone' }, 404],
    ] as const) {
      expect((await post(initialized, more)).status).toBe(refused)
      expect(await get(more)).toBe(refused)
      expect(await status('DELETE', '/mcp', { headers: more })).toBe(refused)
    }
    expect(await status('DELETE', '/mcp', { headers: session })).toBe(200)
    expect((await judge('GET', '/mcp', stream)).status).toBe(200)
  })

  it('probes, metrics and the description itself', async () => {
    expect(await status('GET', '/healthz', { key: null })).toBe(200)
    expect(await status('GET', '/readyz', { key: null })).toBe(200)
    expect(await status('GET', '/metrics')).toBe(200)
    expect(await status('GET', '/openapi.json', { key: null })).toBe(200)
  })

  it('and every described status was seen, but for faults of the server itself', () => {
    const described = Object.values(openApi.paths).flatMap((item) =>
      METHODS.flatMap((method) =>
        Object.keys(item[method]?.responses ?? {}).map((code) => `${item[method]!.operationId} ${code}`),
      ),
    )
    // A database in trouble needs a database of its own: test/chaos holds these answers against the description.
    const isOutage = (entry: string) => entry.endsWith(' 503') && !/^create(ChatCompletion|Response) /.test(entry)
    const unseen = described.filter((entry) => !seen.has(entry) && !entry.endsWith(' 500') && !isOutage(entry))
    // scan-timeout.test.ts holds a 504 of the scanner against the description.
    expect(unseen).toEqual(['scanCode 504', 'batchScan 504'])
  })
})
