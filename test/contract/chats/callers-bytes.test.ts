/** What callers may put on the wire, on every edge: bytes that are read exactly, or refused in the form of that edge. */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answersBoth } from '../../kit/fake-provider-scenes.js'
import { startChatApp, type ChatApp } from './chat-app.js'
import { testMode } from '../../kit/app-servers.js'

let chat: ChatApp
const json = { 'content-type': 'application/json' }

/** One request with a body for every edge. */
const EDGES = [
  { path: '/v1/chat/completions', body: '{"model":"normal","messages":[{"role":"user","content":"é"}]}' },
  { path: '/api/scan', body: '{"code":"const é = 1","language":"javascript"}' },
  { path: '/graphql', body: '{"query":"{ __typename } # é"}' },
  { path: '/mcp', body: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}' },
] as const
const PATHS = EDGES.map(({ path }) => path)

beforeAll(async () => {
  chat = await startChatApp({ normal: answersBoth({ pieces: ['Hello'] }), long: answersBoth({ pieces: ['x'.repeat(2_000)] }) })
})
afterAll(() => chat.stop())

/** Sends text as it is and resolves with everything that came back once the server has ended the connection. */
function exchange(text: string, onData: (received: string, send: (more: string) => void) => void = () => undefined, at = chat) {
  const { hostname, port } = new URL(at.app.url)
  return new Promise<string>((resolve) => {
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.on('data', (data) => {
      received += String(data)
      onData(received, (more) => void socket.write(more))
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(received))
    socket.write(text)
  })
}

const head = (path: string, length: number, more: readonly string[] = [], key: string | null = chat.app.adminKey) =>
  [
    `POST ${path} HTTP/1.1`,
    ...(more.some((line) => line.startsWith('Host')) ? [] : ['Host: localhost']),
    'Connection: close',
    `Accept: application/json${path === '/mcp' ? ', text/event-stream' : ''}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    ...(key === null ? [] : [`Authorization: Bearer ${key}`]),
    ...more,
    '\r\n',
  ].join('\r\n')

describe('the encoding of a body', () => {
  const send = (path: string, body: Uint8Array<ArrayBuffer>) => chat.app.fetch(path, { method: 'POST', headers: json, body })

  it.each(EDGES.slice(0, 3))('may begin with a byte order mark at $path', async ({ path, body }) => {
    expect((await send(path, Buffer.from(`\uFEFF${body}`))).status).toBe(200)
  })

  it.each(EDGES.slice(0, 3))('is UTF-8 or refused at $path: nothing is replaced in silence', async ({ path, body }) => {
    for (const wrong of [
      Buffer.from(body, 'latin1'),
      Buffer.from(body, 'utf16le'),
      Buffer.from(body.replace('é', '\xED\xA0\x80'), 'latin1'),
    ]) {
      const answer = await send(path, wrong)
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('UTF-8')])
    }
  })
})

describe('headers that come twice', () => {
  it.each(PATHS)('are a 400 in the form of %s when they name a key or a host', async (path) => {
    for (const [name, ...twice] of [
      ['Host', 'Host: a', 'Host: b'],
      ['Authorization', `Authorization: Bearer ${chat.app.adminKey}`, 'authorization: Bearer other'],
    ]) {
      const answer = await exchange(head(path, 2, twice, null) + '{}')
      expect(answer).toMatch(/^HTTP\/1.1 400 /)
      expect(answer).toMatch(/x-request-id: req_/)
      const text = answer.slice(answer.indexOf('\r\n\r\n') + 4)
      // Without it, the body of this request would be a 400 too.
      expect(text).toContain(`Send the header \\"${name}\\" once.`)
      const body = JSON.parse(text) as Record<string, unknown>
      expect(Object.keys(body)[0]).toBe(path === '/graphql' ? 'errors' : 'error')
      expect(typeof body['error']).toBe(path.startsWith('/v1') ? 'object' : path === '/graphql' ? 'undefined' : 'string')
    }
  })
})

describe('401', () => {
  it.each(['/v1/chat/completions', '/v1/models', '/v1/nothing', '/api/scan', '/mcp', '/metrics'])(
    'names the scheme at %s',
    async (path) => {
      const answer = await chat.app.fetch(path, { key: 'x', method: path.includes('s/') || path === '/mcp' ? 'POST' : 'GET' })
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    },
  )

  it.each(['/v1/chat/completions', '/api/scan', '/mcp'])('comes without a "100 Continue" at %s', async (path) => {
    const answer = await exchange(head(path, 100, ['Expect: 100-continue'], null))
    expect(answer).toMatch(/^HTTP\/1.1 401 /)
  })
})

describe('"100 Continue"', () => {
  it.each(EDGES)('is sent once to whoever may send a body to $path', async ({ path, body }) => {
    let sent = false
    const text = head(path, Buffer.byteLength(body), ['Expect: 100-continue'])
    const answer = await exchange(text, (received, send) => {
      if (sent || !received.startsWith('HTTP/1.1 100 Continue\r\n\r\n')) return
      sent = true
      send(body)
    })
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 100', expect.stringMatching(/200|400/)])
  })

  it('is not sent for a body that is too large', async () => {
    const answer = await exchange(head('/v1/chat/completions', 100_000_000, ['Expect: 100-continue']))
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
  })
})

describe('a body that does not arrive', () => {
  it('ends the request on every edge after limits.body_seconds', async () => {
    const impatient = await startChatApp({ normal: answersBoth({ pieces: ['Hello'] }) }, { limits: { body_seconds: 0.2 } })
    const key = impatient.app.adminKey
    for (const { path, body } of EDGES) {
      const begun = head(path, Buffer.byteLength(body), [], key) + body.slice(0, 3)
      expect(await exchange(begun, () => undefined, impatient)).toMatch(/^HTTP\/1.1 408 /)
    }
    await impatient.stop()
  })
})

describe('numbers', () => {
  const NUMBERS =
    '[9007199254740993,-12345678901234567890,1e400,-1E-400,-0,0.1000000000000000055511151231257827,123456789.123456789]'
  const more = `"seed":9007199254740993,"logit_bias":{"1":${NUMBERS}},"tools":[{"type":"function","function":{"name":"f","parameters":{"enum":${NUMBERS}}}}]`
  const lastText = () => chat.provider.calls.at(-1)!.text

  it.each(['false', 'true'])('that no double holds reach the provider as they came (stream: %s)', async (stream) => {
    const body = `{"model":"normal","stream":${stream},"messages":[{"role":"user","content":"x","ids":${NUMBERS}}],${more}}`
    const answer = await chat.app.fetch('/v1/chat/completions', { method: 'POST', headers: json, body })
    await answer.text()
    expect(answer.status).toBe(200)
    expect(lastText().split(NUMBERS)).toHaveLength(4)
    expect(lastText()).toContain('"seed":9007199254740993,')
  })

  it('also as literals of a GraphQL document', async () => {
    const raw = `{ model: "normal", messages: [{ role: "user", content: "x", ids: ${NUMBERS} }], seed: 9007199254740993 }`
    const body = JSON.stringify({ query: `mutation { createChatCompletionRaw(body: ${raw}) { __typename } }` })
    const answer = await chat.app.fetch('/graphql', { method: 'POST', headers: json, body })
    expect(await answer.json()).toEqual({ data: { createChatCompletionRaw: { __typename: 'ChatCompletion' } } })
    expect(lastText()).toContain(NUMBERS)
    expect(lastText()).toContain('"seed":9007199254740993')
  })

  it('also through the variables of a GraphQL operation', async () => {
    const query = 'mutation ($body: JSONObject!) { createChatCompletionRaw(body: $body) { __typename } }'
    const raw = `{"model":"normal","messages":[{"role":"user","content":"x"}],${more}}`
    const body = `{"query":${JSON.stringify(query)},"variables":{"body":${raw}}}`
    const answer = await chat.app.fetch('/graphql', { method: 'POST', headers: json, body })
    expect(await answer.json()).toEqual({ data: { createChatCompletionRaw: { __typename: 'ChatCompletion' } } })
    expect(lastText().split(NUMBERS)).toHaveLength(3)
  })

  it.each([
    ['max_tokens', '12345678901234567890', 'max_tokens'],
    ['max_tokens', '1e400', 'max_tokens'],
    ['n', '100000000000000000001', 'n'],
    ['seed', '1e400', 'seed'],
    ['temperature', '2.00000000000000000001e1', 'temperature'],
    ['messages', '12345678901234567890', 'messages'],
    ['response_format', '12345678901234567890', 'response_format.type'],
  ])('are held to the range of their field: %s %s', async (name, number, param) => {
    const fields = { model: '"normal"', messages: '[{"role":"user","content":"x"}]', [name]: number }
    const body = `{${Object.entries(fields)
      .map(([field, value]) => `"${field}":${value}`)
      .join(',')}}`
    const answer = await chat.app.fetch('/v1/chat/completions', { method: 'POST', headers: json, body })
    expect([answer.status, await answer.json()]).toEqual([400, { error: expect.objectContaining({ param }) as object }])
  })
})

describe('compression', () => {
  const ask = async (path: string, encodings: string, body?: object) => {
    const answer = await chat.app.fetch(path, {
      headers: { ...json, accept: body ? 'application/json' : 'text/html', 'accept-encoding': encodings },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { text, encoding: answer.headers.get('content-encoding'), vary: answer.headers.get('vary') ?? '' }
  }
  const messages = [{ role: 'user', content: 'Hi' }]

  it.each([
    ['/openapi.json', undefined],
    ['/api/rules', undefined],
    ['/graphql', undefined],
    ['/graphql', { query: '{ __schema { types { name description } } }' }],
  ] as const)('of %s is what the caller asks for', async (path, body) => {
    const plain = await ask(path, 'identity', body)
    expect([plain.encoding, plain.text.length > 1_024]).toEqual([null, true])
    for (const encoding of ['gzip', 'br']) {
      const packed = await ask(path, encoding, body)
      expect({ ...packed, vary: /accept-encoding/i.test(packed.vary) }).toEqual({ text: plain.text, encoding, vary: true })
    }
    expect(/accept-encoding/i.test(plain.vary)).toBe(true)
  })

  it('leaves small answers, chat completions and streams as they are', async () => {
    expect((await ask('/v1/credits', 'gzip, br')).encoding).toBeNull()
    const whole = await ask('/v1/chat/completions', 'gzip, br', { model: 'long', messages })
    expect([whole.encoding, whole.text.length > 1_024]).toEqual([null, true])
    const stream = await ask('/v1/chat/completions?', 'gzip, br', { model: 'long', stream: true, messages })
    expect([stream.encoding, stream.text.endsWith('data: [DONE]\n\n')]).toEqual([null, true])
  })
})

describe('404', () => {
  it.each([
    ['POST', '/v1/completions', 'POST /v1/chat/completions'],
    ['POST', '/responses', 'POST /v1/responses'],
    ['POST', '/messages', 'POST /v1/messages'],
    ['POST', '/chat/completions', 'POST /v1/chat/completions'],
    ['POST', '/v1/v1/chat/completions', 'POST /v1/chat/completions'],
    ['POST', '/openai/v1/chat/completions', 'POST /v1/chat/completions'],
    ['POST', '/api/chat/completions', 'POST /v1/chat/completions'],
    ['POST', '/V1/Chat/Completions', 'POST /v1/chat/completions'],
    ['POST', '//v1//chat/completions', 'POST /v1/chat/completions'],
    ['POST', '/v1/Chat/Completions', 'POST /v1/chat/completions'],
    ['GET', '/models', 'GET /v1/models'],
    ['GET', '/v1/v1/models/a/b', 'GET /v1/models/a/b'],
    ['GET', '/v1/rentals', 'GET /v1/gpu/rentals'],
    ['POST', '/v1/api/scan', 'POST /api/scan'],
    ['POST', '/scan', 'POST /api/scan'],
    ['GET', '/mcp/sse', 'GET /mcp'],
    ['GET', '/v1/healthz', 'GET /healthz'],
  ])('of %s %s names %s', async (method, path, meant) => {
    const answer = await chat.app.fetch(path, { method, headers: json, ...(method === 'POST' && { body: '{}' }) })
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining(`Use ${meant}.`)])
  })

  it.each(['/v1/embeddings', '/v1/images/generations', '/v1/files', '/nothing', `/${'v1/'.repeat(200)}`])(
    'of %s promises nothing',
    async (path) => {
      const answer = await chat.app.fetch(path, { method: 'POST', headers: json, body: '{}' })
      expect([answer.status, await answer.text()]).toEqual([404, expect.not.stringContaining('Use ')])
    },
  )

  it('is not what a trailing slash gets', async () => {
    expect((await chat.app.fetch('/v1/models/')).status).toBe(200)
    expect((await chat.app.fetch('/v1/chat/completions/')).status).toBe(405)
  })
})

describe('/openapi.json', () => {
  // Behind other servers it names their `server.public_url`.
  it.runIf(testMode === 'embedded')('names the server that was asked, and never what could not be one', async () => {
    const serverFor = async (host: string) => {
      const answer = await exchange(`GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      return (JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as { servers: unknown }).servers
    }
    expect(await serverFor('gateway.example:8443')).toEqual([{ url: 'http://gateway.example:8443' }])
    expect(await serverFor('[::1]:8787')).toEqual([{ url: 'http://[::1]:8787' }])
    expect(await serverFor('evil"/x')).toEqual([{ url: '/' }])
  })
})
