/** What pages of other origins may do, said to their browsers before a key is looked at, on every edge and beside errors. */
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError } from '../../src/config/config-error.js'
import { loadConfig } from '../../src/config/config.js'
import { allowedOrigins } from '../../src/edge/cors.js'
import { answersBoth, streams } from '../kit/fake-provider-scenes.js'
import { startTestApp, type TestApp } from '../kit/app.js'
import { startChatApp, type ChatApp } from '../contract/chats/chat-app.js'

let chat: ChatApp
beforeAll(async () => {
  chat = await startChatApp({ normal: answersBoth({ pieces: ['Hello'] }), streamed: streams({ pieces: ['Hel', 'lo'] }) })
})
afterAll(() => chat.stop())

const PAGE = 'http://localhost:5173'
const EDGES = ['/v1/chat/completions', '/v1/models', '/api/scan', '/graphql', '/mcp', '/openapi.json']
const SDK_HEADERS =
  'authorization,content-type,idempotency-key,mcp-protocol-version,mcp-session-id,last-event-id,openai-organization,prefer,x-stainless-lang,x-stainless-retry-count'

/** As a browser sends it, with headers that `fetch` would not let a script set. */
function send(app: TestApp, path: string, method: string, headers: Record<string, string>, body = '') {
  return new Promise<{ status: number; headers: Record<string, string | string[] | undefined>; text: string }>(
    (resolve, reject) => {
      const outgoing = request(`${app.url}${path}`, { method, headers }, (incoming) => {
        let text = ''
        incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        incoming.on('end', () => resolve({ status: incoming.statusCode!, headers: incoming.headers, text }))
      })
      outgoing.once('error', reject)
      outgoing.end(body)
    },
  )
}

const preflight = (app: TestApp, path: string, more: Record<string, string> = {}) =>
  send(app, path, 'OPTIONS', { origin: PAGE, 'access-control-request-method': 'POST', ...more })

describe('a preflight', () => {
  it.each(EDGES)('of %s is answered without a key, for the headers that SDKs send', async (path) => {
    const { status, headers } = await preflight(chat.app, path, { 'access-control-request-headers': SDK_HEADERS })
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-headers': SDK_HEADERS,
      'access-control-allow-methods': expect.stringContaining('DELETE') as string,
      'access-control-max-age': '7200',
      vary: 'Origin',
    })
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
    expect(headers).not.toHaveProperty('access-control-allow-private-network')
  })

  it('reflects no list of headers that is none or has no end', async () => {
    for (const names of ['x'.repeat(2_001), 'a: b', 'a;b']) {
      const { headers } = await preflight(chat.app, '/v1/models', { 'access-control-request-headers': names })
      expect(headers).not.toHaveProperty('access-control-allow-headers')
    }
  })

  it('lets a page of the internet reach a private address only when it may talk to this server', async () => {
    const asks = { 'access-control-request-private-network': 'true' }
    expect((await preflight(chat.app, '/v1/models', asks)).headers['access-control-allow-private-network']).toBe('true')
    const evil = await preflight(chat.app, '/v1/models', { ...asks, origin: 'https://evil.example' })
    expect(evil.headers).not.toHaveProperty('access-control-allow-private-network')
  })

  it('of a page that may not is a 403 that says which setting decides', async () => {
    const { status, headers, text } = await preflight(chat.app, '/graphql', { origin: 'https://evil.example' })
    expect({ status, text }).toEqual({
      status: 403,
      text: '"https://evil.example" is not one of server.cors_origins of this server.\n',
    })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('an answer', () => {
  const json = { origin: PAGE, 'content-type': 'application/json' }
  const ask = (model: string, stream: boolean) => JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Hi' }] })
  const readable = { 'access-control-allow-origin': PAGE, vary: expect.stringContaining('Origin') as string }

  it('can be read by the page, with its headers: chat whole and streamed, lists, GraphQL', async () => {
    const key = { authorization: `Bearer ${chat.app.adminKey}` }
    const answers = await Promise.all([
      send(chat.app, '/v1/chat/completions', 'POST', { ...json, ...key }, ask('normal', false)),
      send(chat.app, '/v1/chat/completions', 'POST', { ...json, ...key }, ask('streamed', true)),
      send(chat.app, '/v1/models', 'GET', { ...json, ...key }),
      send(chat.app, '/graphql', 'POST', { ...json, ...key }, '{"query":"{ __typename }"}'),
    ])
    for (const { status, headers } of answers) {
      expect({ status, headers }).toMatchObject({ status: 200, headers: readable })
      const exposed = String(headers['access-control-expose-headers'])
      expect(exposed.split(', ')).toEqual(expect.arrayContaining(['x-request-id', 'retry-after', 'location', 'mcp-session-id']))
    }
  })

  it.each([
    ['POST', '/v1/chat/completions', 401],
    ['GET', '/v1/models', 401],
    ['GET', '/v1/nothing', 401],
    ['POST', '/api/scan', 401],
    ['POST', '/mcp', 401],
    ['POST', '/graphql', 400],
    ['PUT', '/graphql', 405],
  ])('to %s %s can be read also when it is a %i', async (method, path, expected) => {
    const { status, headers } = await send(chat.app, path, method, json, method === 'GET' ? '' : '{}')
    expect({ status, headers }).toMatchObject({ status: expected, headers: readable })
  })

  it('to a page that may not talk to this server, or to none, names no origin', async () => {
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost.evil.example',
      'http://127.0.0.1.evil.example',
      'file://',
    ]) {
      const { headers } = await send(chat.app, '/v1/models', 'GET', { origin })
      expect(headers).not.toHaveProperty('access-control-allow-origin')
    }
    const { headers } = await send(chat.app, '/v1/models', 'GET', {})
    expect(headers).not.toHaveProperty('access-control-allow-origin')
    // A cache must not give it to a page.
    expect(headers['vary']).toContain('Origin')
  })

  it('of what is no edge is for no page', async () => {
    for (const path of ['/healthz', '/metrics', '/v1x', '/graphqlx']) {
      expect((await send(chat.app, path, 'GET', { origin: PAGE })).headers).not.toHaveProperty('access-control-allow-origin')
    }
  })
})

describe('server.cors_origins', () => {
  it('lets in the pages that it lists and no others, at /mcp too', async () => {
    await using app = await startTestApp({ config: { server: { cors_origins: ['https://app.example'] } } })
    const initialize = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'page', version: '1' } },
    })
    const asked = async (origin: string) => {
      const headers = {
        origin,
        authorization: `Bearer ${app.adminKey}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      }
      const mcp = await send(app, '/mcp', 'POST', headers, initialize)
      const { status } = await preflight(app, '/v1/models', { origin })
      return [status, mcp.status, mcp.headers['access-control-allow-origin']]
    }
    expect(await asked('https://app.example')).toEqual([204, 200, 'https://app.example'])
    expect(await asked(PAGE)).toEqual([403, 403, undefined])
  })

  it('is this machine while the server listens to this machine only', () => {
    const pages = [
      'http://localhost:5173',
      'https://localhost',
      'http://127.0.0.1:1',
      'http://[::1]:8080',
      'https://app.example',
      'null',
    ]
    const letIn = (origins: '*' | string[] | undefined, host: string) => pages.filter(allowedOrigins({ origins, host }))
    for (const host of ['127.0.0.1', '::1', 'localhost', '127.0.0.2']) expect(letIn(undefined, host)).toEqual(pages.slice(0, 4))
    for (const host of ['0.0.0.0', '::', '10.0.0.1', 'sluice.example']) expect(letIn(undefined, host)).toEqual([])
    expect(letIn('*', '0.0.0.0')).toEqual(pages)
    expect(letIn([], '127.0.0.1')).toEqual([])
  })

  it('comes from the environment as a list with commas, and what is no origin stops the start', () => {
    const load = (text: string) =>
      loadConfig({ env: { SLUICE_CORS_ORIGINS: text }, workingDirectory: '/nonexistent' }).server.cors_origins
    expect(load('*')).toBe('*')
    expect(load('https://a.example, http://b.example:8080,capacitor://localhost')).toEqual([
      'https://a.example',
      'http://b.example:8080',
      'capacitor://localhost',
    ])
    for (const wrong of [
      'https://a.example/',
      'a.example',
      'https://a.example:443',
      'https://A.example',
      'https://a.example/x',
      'https://*.a.example/',
    ]) {
      expect(() => load(wrong)).toThrow(ConfigError)
    }
  })
})
