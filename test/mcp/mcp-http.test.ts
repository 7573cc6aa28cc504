/** The five tools through the official client over Streamable HTTP. */
import { request } from 'node:http'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { LoggingMessageNotificationSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../kit/app.js'
import { dangerous, harmless, languageNames } from './samples.js'

let app: TestApp
let client: Client

async function connect(key: string): Promise<Client> {
  const opened = new Client({ name: 'test', version: '1.0.0' })
  await opened.connect(
    new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  )
  return opened
}

const textOf = ({ content }: CallToolResult): string => (content[0]?.type === 'text' ? content[0].text : '')
const call = async (name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> =>
  (await client.callTool({ name, arguments: args })) as CallToolResult

beforeAll(async () => {
  app = await startTestApp()
  client = await connect(app.adminKey)
  await client.listTools()
})
afterAll(async () => {
  await client.close()
  await app[Symbol.asyncDispose]()
})

describe('the list of tools', () => {
  it('has exactly the five tools, each read-only, idempotent, of a closed world, with schemas', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['scan_code', 'batch_scan', 'get_config', 'get_rules', 'health_check'])
    for (const { annotations, inputSchema, outputSchema } of tools) {
      expect(annotations).toMatchObject({
        readOnlyHint: true,
        idempotentHint: true,
        destructiveHint: false,
        openWorldHint: false,
      })
      expect(inputSchema.type).toBe('object')
      expect(outputSchema?.type).toBe('object')
    }
  })

  it('gives the language as an enumeration of the sixteen, and requires what the contract requires', async () => {
    const { tools } = await client.listTools()
    const [scanCode, batchScan] = tools
    expect(scanCode?.inputSchema.required).toEqual(['code', 'language'])
    expect(scanCode?.inputSchema.properties).toMatchObject({ language: { type: 'string', enum: languageNames } })
    expect(Object.keys(scanCode?.inputSchema.properties ?? {})).toEqual(['code', 'language', 'filename', 'standards'])
    expect(batchScan?.inputSchema.required).toEqual(['files'])
    expect(Object.keys(batchScan?.inputSchema.properties ?? {})).toEqual(['files', 'standards'])
  })
})

describe('a call', () => {
  it('of scan_code answers what /api/scan answers, and says it in text', async () => {
    const result = await call('scan_code', { code: dangerous, language: 'python', filename: 'a.py' })
    const response = await app.fetch('/api/scan', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: dangerous, language: 'python', filename: 'a.py' }),
    })
    expect(result.structuredContent).toEqual(await response.json())
    expect(textOf(result)).toMatch(/^1 violation \(1 critical\)\.\na\.py:4:\d+ critical /)
  })

  it('names the file of a finding in its text, also when the caller gave it no name', async () => {
    expect(textOf(await call('scan_code', { code: dangerous, language: 'py' }))).toMatch(/\nmain\.py:4:\d+ critical /)
    const unnamed = [
      { code: harmless, language: 'python', filename: 'a.py' },
      { code: dangerous, language: 'python' },
    ]
    expect(textOf(await call('batch_scan', { files: unnamed }))).toMatch(/\nmain\.py:4:\d+ critical /)
  })

  it('of batch_scan answers every file and tells how far it is', async () => {
    const ticks: number[] = []
    const files = Array.from({ length: 12 }, (_, at) => ({
      code: at === 3 ? dangerous : harmless,
      language: 'python',
      filename: `${at}.py`,
    }))
    const result = await client.callTool({ name: 'batch_scan', arguments: { files } }, undefined, {
      onprogress: ({ progress, total }) => {
        expect(total).toBe(12)
        ticks.push(progress)
      },
    })
    expect(result.structuredContent).toMatchObject({ status: 'completed', overall_summary: { total_violations: 1, critical: 1 } })
    expect((result.structuredContent as { results: { filename: string }[] }).results.map(({ filename }) => filename)).toEqual(
      files.map(({ filename }) => filename),
    )
    expect(ticks.at(-1)).toBe(12)
    expect(ticks).toEqual(ticks.toSorted((a, b) => a - b))
  })

  it('of get_config, get_rules and health_check answers what the REST endpoints answer', async () => {
    expect((await call('get_config')).structuredContent).toEqual(await (await app.fetch('/api/config')).json())
    expect((await call('get_rules', { standard: 'hipaa' })).structuredContent).toEqual(
      await (await app.fetch('/api/rules?standard=HIPAA')).json(),
    )
    expect((await call('health_check')).structuredContent).toMatchObject({ status: 'healthy', server_url: app.url })
  })

  it.each([
    ['an unsupported language', 'scan_code', { code: '', language: 'cobol' }, 'UNSUPPORTED_LANGUAGE', 'field: language'],
    ['a missing argument', 'scan_code', { language: 'python' }, 'INVALID_REQUEST', 'field: code'],
    ['a wrong type inside', 'batch_scan', { files: [{ code: 1, language: 'go' }] }, 'INVALID_REQUEST', 'field: files[0].code'],
    ['an unknown standard', 'get_rules', { standard: 'none' }, 'INVALID_REQUEST', 'field: standards'],
    ['an unknown tool', 'delete_code', {}, 'INVALID_REQUEST', undefined],
  ])('with %s is an error in the words of the contract', async (_, name, args, code, details) => {
    const result = await call(name, args)
    expect(result.isError).toBe(true)
    const body = JSON.parse(textOf(result)) as Record<string, unknown>
    expect(body).toMatchObject({ code, error: expect.any(String) as string })
    expect(body['details']).toBe(details)
  })

  it('over the limit is RATE_LIMIT with the seconds to wait', async () => {
    const { key } = await app.account({ scanTier: 'FREE' })
    const own = await connect(key)
    const results = []
    for (let at = 0; at < 61; at++)
      results.push(await own.callTool({ name: 'scan_code', arguments: { code: '', language: 'sql' } }))
    expect(results.slice(0, 60).every(({ isError }) => isError !== true)).toBe(true)
    const body = JSON.parse(textOf(results[60] as CallToolResult)) as { code: string; retry_after_seconds: number }
    expect(body.code).toBe('RATE_LIMIT')
    expect(body.retry_after_seconds).toBeGreaterThan(0)
    await own.close()
  })

  it('that is cancelled stops scanning', async () => {
    const slow = 'function f(a) { return a + 1 }\n'.repeat(5_000)
    const files = Array.from({ length: 20 }, () => ({ code: slow, language: 'javascript' }))
    const controller = new AbortController()
    const running = client.callTool({ name: 'batch_scan', arguments: { files } }, undefined, {
      signal: controller.signal,
      onprogress: () => controller.abort(),
    })
    await expect(running).rejects.toThrow()
    const newest = async () => {
      const { scans } = await app.graphql<{ scans: { nodes: { status: string; error: string | null; fileCount: number }[] } }>(
        '{ scans(first: 1) { nodes { status error fileCount } } }',
      )
      return scans.nodes[0]
    }
    await expect.poll(newest, { timeout: 10_000 }).toEqual({ status: 'ERROR', error: 'The client left.', fileCount: 20 })
  })
})

describe('resources and prompts', () => {
  it('lists every rule page by page and reads one', async () => {
    const uris: string[] = []
    let cursor: string | undefined
    do {
      const page = await client.listResources(cursor === undefined ? {} : { cursor })
      uris.push(...page.resources.map(({ uri }) => uri))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    const { total_rules: total } = (await (await app.fetch('/api/rules')).json()) as { total_rules: number }
    expect(new Set(uris).size).toBe(total)
    const { contents } = await client.readResource({ uri: uris[0]! })
    expect(contents[0]).toMatchObject({
      uri: uris[0],
      mimeType: 'text/markdown',
      text: expect.stringContaining('Fix: ') as string,
    })
    await expect(client.readResource({ uri: 'sluice://rules/none' })).rejects.toMatchObject({ code: -32_002 })
  })

  it('fix_violations hands the assistant the violations and the code', async () => {
    const { messages } = await client.getPrompt({ name: 'fix_violations', arguments: { code: dangerous, language: 'python' } })
    const content = messages[0]?.content
    expect(content?.type === 'text' && content.text).toMatch(
      /- main\.py, line 4, column \d+, critical: [\s\S]*```python\nimport os/,
    )
    const clean = await client.getPrompt({ name: 'fix_violations', arguments: { code: harmless, language: 'python' } })
    expect(JSON.stringify(clean.messages)).toContain('no violations')
    await expect(client.getPrompt({ name: 'fix_violations', arguments: { code: '', language: 'cobol' } })).rejects.toMatchObject({
      data: { code: 'UNSUPPORTED_LANGUAGE' },
    })
  })
})

describe('while somebody types', () => {
  it('languages and rule ids are completed, and what does not exist is refused', async () => {
    const prompt = { type: 'ref/prompt' as const, name: 'fix_violations' }
    const languages = await client.complete({ ref: prompt, argument: { name: 'language', value: 'Ja' } })
    expect(languages.completion).toEqual({ values: ['javascript', 'java'], total: 2, hasMore: false })
    const { completion: nothing } = await client.complete({ ref: prompt, argument: { name: 'code', value: '' } })
    expect(nothing.values).toEqual([])
    const template = { type: 'ref/resource' as const, uri: 'sluice://rules/{id}' }
    const { completion: rules } = await client.complete({ ref: template, argument: { name: 'id', value: 'py' } })
    expect(rules.values.length).toBeGreaterThan(0)
    expect(rules.values.length).toBeLessThanOrEqual(100)
    for (const id of rules.values) await client.readResource({ uri: `sluice://rules/${id}` })
    const unknown = client.complete({ ref: { ...prompt, name: 'other' }, argument: { name: 'language', value: '' } })
    await expect(unknown).rejects.toMatchObject({ code: -32_602 })
  })
})

describe('the log of a client', () => {
  it('has the faults of calls, and every call once the client asks for that', async () => {
    const own = await connect(app.adminKey)
    const messages: object[] = []
    own.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void messages.push(params))
    await own.callTool({ name: 'get_config', arguments: {} })
    await own.callTool({ name: 'scan_code', arguments: { code: '', language: 'cobol' } })
    await own.setLoggingLevel('debug')
    await own.callTool({ name: 'get_config', arguments: {} })
    const fault = { tool: 'scan_code', code: 'UNSUPPORTED_LANGUAGE' }
    expect(messages).toMatchObject([
      { level: 'error', logger: 'sluice', data: fault },
      { level: 'info', data: { tool: 'get_config', milliseconds: expect.any(Number) as number } },
    ])
    await own.close()
  })
})

describe('the endpoint', () => {
  const initialize = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  })
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

  it('refuses a missing or wrong key before anything else', async () => {
    for (const key of [null, 'wrong']) {
      for (const init of [{ method: 'POST', body: '{' }, { method: 'GET' }, { method: 'PUT' }]) {
        const response = await app.fetch('/mcp', { key, ...init, headers: { origin: 'https://evil.example' } })
        expect(response.status).toBe(401)
        expect(response.headers.get('www-authenticate')).toBe('Bearer')
        expect(await response.json()).toMatchObject({ code: 'AUTH_ERROR' })
      }
    }
  })

  it('refuses pages of other sites, and takes pages of this machine', async () => {
    const evil = await app.fetch('/mcp', {
      method: 'POST',
      headers: { ...headers, origin: 'https://evil.example' },
      body: initialize,
    })
    expect(evil.status).toBe(403)
    const local = await app.fetch('/mcp', {
      method: 'POST',
      headers: { ...headers, origin: 'http://localhost:3000' },
      body: initialize,
    })
    expect(local.status).toBe(200)
    await local.text()
  })

  it('answers to this machine’s names only', async () => {
    const { hostname, port } = new URL(app.url)
    const status = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const authorization = `Bearer ${app.adminKey}`
        const outgoing = request(
          { hostname, port, path: '/mcp', method: 'POST', headers: { ...headers, authorization, host } },
          (incoming) => {
            incoming.resume()
            resolve(incoming.statusCode)
          },
        )
        outgoing.once('error', reject)
        outgoing.end(initialize)
      })
    expect([await status('evil.example'), await status(`localhost:${port}`), await status('127.0.0.1')]).toEqual([403, 200, 200])
  })

  it('does not show a session to another key, and forgets one that was ended', async () => {
    const opened = await app.fetch('/mcp', { method: 'POST', headers, body: initialize })
    await opened.text()
    const session = {
      ...headers,
      'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
      'mcp-protocol-version': '2025-11-25',
    }
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' })
    const { key } = await app.account()
    const status = async (with_: string) =>
      (await app.fetch('/mcp', { method: 'POST', key: with_, headers: session, body: ping })).status
    expect(await status(app.adminKey)).toBe(200)
    expect(await status(key)).toBe(404)
    expect((await app.fetch('/mcp', { method: 'DELETE', headers: session })).status).toBe(200)
    expect(await status(app.adminKey)).toBe(404)
  })

  it('does not let another key end a session, whose owner goes on', async () => {
    const opened = await app.fetch('/mcp', { method: 'POST', headers, body: initialize })
    await opened.text()
    const session = {
      ...headers,
      'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
      'mcp-protocol-version': '2025-11-25',
    }
    const { key } = await app.account()
    expect((await app.fetch('/mcp', { method: 'DELETE', key, headers: session })).status).toBe(404)
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' })
    expect((await app.fetch('/mcp', { method: 'POST', headers: session, body: ping })).status).toBe(200)
    // A name that somebody made up is nobody's.
    const madeUp = { ...session, 'mcp-session-id': 'a'.repeat(24) + '.' + 'b'.repeat(43) }
    expect((await app.fetch('/mcp', { method: 'POST', headers: madeUp, body: ping })).status).toBe(404)
  })

  it('answers 405 with Allow to other methods, and 400 to what is no request', async () => {
    const put = await app.fetch('/mcp', { method: 'PUT' })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST, DELETE'])
    expect((await app.fetch('/mcp', { method: 'POST', headers, body: '{' })).status).toBe(400)
  })
})
