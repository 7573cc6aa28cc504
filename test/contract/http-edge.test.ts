/** What every route of /v1 promises, whatever it does: keys, methods, paths, bodies, ids. */
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { answersBoth } from '../kit/fake-provider-scenes.js'
import { startChatApp, type ChatApp } from './chats/chat-app.js'

let chat: ChatApp
const messages = [{ role: 'user', content: 'Hello' }]
const body = JSON.stringify({ model: 'normal', messages })
const json = { 'content-type': 'application/json' }

beforeAll(async () => {
  chat = await startChatApp({ normal: answersBoth({ pieces: ['Hello'] }) }, { limits: { body_bytes: 50_000 } })
})
afterAll(() => chat.stop())

const heard = (socket: Socket) =>
  new Promise<string>((resolve, reject) => {
    socket.once('data', (data) => resolve(String(data)))
    socket.once('close', () => reject(new Error('the server has ended the connection')))
  })

const written = (socket: Socket, text: string) =>
  new Promise<void>((resolve, reject) => void socket.write(text, (error) => (error ? reject(error) : resolve())))

describe('401', () => {
  const expected = {
    error: { type: 'authentication_error', code: 'authentication_error', param: null, message: expect.any(String) as string },
  }

  it('is one answer for missing, malformed, unknown, expired and revoked keys, on every route', async () => {
    const { id, keyId, key: revoked } = await chat.app.account()
    await chat.app.graphql('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }', { id: keyId })
    const { createApiKey } = await chat.app.graphql<{ createApiKey: { secret: string } }>(
      'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
      { input: { accountId: id, expiresAt: new Date(Date.now() + 3_600_000).toISOString() } },
    )
    const expired = createApiKey.secret
    expect((await chat.app.fetch('/v1/credits', { key: expired })).status).toBe(200)
    onTestFinished(() => void vi.useRealTimers())
    // Of the servers, which are in this process; their timers go on as they are.
    vi.setSystemTime(Date.now() + 3_600_001)
    const bodies = new Set<string>()
    for (const key of [null, 'x', 'slk_short', `slk_${'0'.repeat(16)}_${'0'.repeat(58)}`, revoked, expired]) {
      for (const path of ['/v1/chat/completions', '/v1/models', '/v1/pricing', '/v1/credits', '/v1/embeddings']) {
        const response = await chat.app.fetch(
          path,
          path.includes('chat') ? { key, method: 'POST', headers: json, body } : { key },
        )
        expect(response.status).toBe(401)
        bodies.add(await response.text())
      }
    }
    expect(bodies.size).toBe(1)
    expect(JSON.parse([...bodies][0]!)).toEqual(expected)
  })

  it('also answers other schemes and a key with blanks in it', async () => {
    for (const authorization of ['Basic abc', 'Bearer', 'Bearer  ', 'Bearer a b', chat.app.adminKey]) {
      const response = await chat.app.fetch('/v1/models', { key: null, headers: { authorization } })
      expect(response.status).toBe(401)
    }
  })

  it('comes before the body is read', async () => {
    const { hostname, port } = new URL(chat.app.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      'POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{',
    )
    const answer = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
    socket.destroy()
    expect(answer).toContain('401')
  })
})

describe('404', () => {
  it.each([
    ['POST', '/v1/embeddings'],
    ['POST', '/v1/images/generations'],
    ['POST', '/v1/audio/speech'],
    ['GET', '/v1/files'],
    ['POST', '/v1/completions'],
    ['GET', '/v1/nothing'],
  ])('for %s %s names the path', async (method, path) => {
    const response = await chat.app.fetch(path, { method, ...(method === 'POST' && { headers: json, body: '{}' }) })
    expect(response.status).toBe(404)
    const { error } = (await response.json()) as { error: Record<string, string> }
    expect(error).toMatchObject({ type: 'invalid_request_error', code: 'unsupported_endpoint', param: null })
    expect(error['message']).toContain(path)
  })

  it('outside /v1 is JSON too', async () => {
    const response = await chat.app.fetch('/nothing/here')
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toContain('application/json')
  })
})

describe('405', () => {
  it('names the methods that exist', async () => {
    const response = await chat.app.fetch('/v1/chat/completions')
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
    expect((await chat.app.fetch('/v1/models', { method: 'DELETE' })).headers.get('allow')).toBe('GET')
  })
})

describe('413 and 415', () => {
  it('refuse a body over the limit, declared or streamed', async () => {
    const large = JSON.stringify({ model: 'normal', messages: [{ role: 'user', content: 'x'.repeat(60_000) }] })
    const declared = await chat.app.fetch('/v1/chat/completions', { method: 'POST', headers: json, body: large })
    expect(declared.status).toBe(413)
    const chunked = await chat.app.fetch('/v1/chat/completions', {
      method: 'POST',
      headers: json,
      body: new Blob([large]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(chunked.status).toBe(413)
  })

  it.each(['/v1/chat/completions', '/v1/gpu/rent', '/graphql'])(
    'leave the connection to who still sends, or fetch of Node would see its end instead of the answer: %s',
    async (path) => {
      const { hostname, port } = new URL(chat.app.url)
      const socket = connect(Number(port), hostname)
      onTestFinished(() => void socket.destroy())
      const more = `Host: ${hostname}\r\nAuthorization: Bearer ${chat.app.adminKey}\r\n`
      socket.write(`POST ${path} HTTP/1.1\r\n${more}Content-Type: application/json\r\nContent-Length: 20000000\r\n\r\n{`)
      expect(await heard(socket)).toMatch(/^HTTP\/1.1 413 /)
      for (let i = 1; i < 20; i++) await written(socket, 'x'.repeat(1_000_000))
      socket.write(`${'x'.repeat(999_999)}GET /v1/models HTTP/1.1\r\n${more}\r\n`)
      expect(await heard(socket)).toMatch(/^HTTP\/1.1 200 /)
    },
  )

  it('refuse what is not JSON, and compressed bodies', async () => {
    const form = await chat.app.fetch('/v1/chat/completions', { method: 'POST', headers: { 'content-type': 'text/plain' }, body })
    expect(form.status).toBe(415)
    const packed = await chat.app.fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { ...json, 'content-encoding': 'gzip' },
      body,
    })
    expect(packed.status).toBe(415)
  })
})

describe('every response', () => {
  it('carries a request id of our own, also when the caller brings one: it names the hold', async () => {
    const ids = new Set<string>()
    for (const key of [chat.app.adminKey, null]) {
      for (let i = 0; i < 3; i++) {
        const response = await chat.app.fetch('/v1/models', { key, headers: { 'x-request-id': 'the-same-every-time' } })
        ids.add(response.headers.get('x-request-id')!)
      }
    }
    expect(ids.size).toBe(6)
    for (const id of ids) expect(id).toMatch(/^req_/)
  })

  it('says nothing of what serves it', async () => {
    const response = await chat.app.fetch('/v1/models')
    expect(response.headers.get('x-powered-by')).toBeNull()
    expect(response.headers.get('server')).toBeNull()
  })
})

describe('query parameters', () => {
  it.each([
    ['/v1/models?limit=0', 'limit'],
    ['/v1/models?limit=NaN', 'limit'],
    ['/v1/models?limit=1.5', 'limit'],
    ['/v1/models?limit=-1', 'limit'],
    ['/v1/models?offset=-1', 'offset'],
    ['/v1/models?limit=1&limit=2', 'limit'],
    ['/v1/pricing?format=tree', 'format'],
    ['/v1/pricing?model=a&model=b', 'model'],
  ])('%s is a 400 that names %s', async (path, param) => {
    const response = await chat.app.fetch(path)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', param } })
  })
})

describe('probes and metrics', () => {
  it("/healthz and /readyz need no key, /metrics needs an administrator's", async () => {
    expect((await chat.app.fetch('/healthz', { key: null })).status).toBe(200)
    expect((await chat.app.fetch('/readyz', { key: null })).status).toBe(200)
    expect((await chat.app.fetch('/metrics', { key: null })).status).toBe(401)
    const { key } = await chat.app.account()
    expect((await chat.app.fetch('/metrics', { key })).status).toBe(403)
    const metrics = await (await chat.app.fetch('/metrics')).text()
    expect(metrics).toContain('sluice_http_requests_total')
    expect(metrics).toContain('sluice_ledger_invariants_broken 0')
  })

  it('figures know a request by its route as it is declared, and what is no route by one name', async () => {
    const asked = {
      '/v1/models/anybody/some-model?x=1': '/v1/models/{+id}',
      '/v1/models/': '/v1/models',
      '/v1/responses/resp_1/input_items': '/v1/responses/{response_id}/input_items',
      '/v1/gpu/rentals/rent_1': '/v1/gpu/rentals/{rental_id}',
      '/api/rules?language=python': '/api/rules',
      '/api/none': 'other',
      '/v1/none': 'other',
      [`/v1/models/${'x'.repeat(600)}`]: 'other',
    }
    for (const path of Object.keys(asked)) await (await chat.app.fetch(path)).arrayBuffer()
    const told = async () => {
      const metrics = await chat.app.metrics()
      return new Set([...metrics.matchAll(/^sluice_http_requests_total\{route="([^"]*)"/gm)].map(([, route]) => route))
    }
    // A response counts when its connection is done with it.
    const missing = async () => {
      const routes = await told()
      return Object.values(asked).filter((route) => !routes.has(route))
    }
    await expect.poll(missing).toEqual([])
    const routes = await told()
    expect([...routes].filter((route) => !/^(?:other|\/[\w/{}+.-]*)$/.test(route!))).toEqual([])
    expect(routes).not.toContain('/api')
  })
})
