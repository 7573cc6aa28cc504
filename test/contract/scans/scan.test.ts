/** The scanner's contract through HTTP: every field, status and error. */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../kit/app.js'
import { dangerous, flowing, harmless, languageNames } from '../../mcp/samples.js'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ config: { scanner: { file_bytes: 20_000, files: 5, batch_bytes: 50_000, body_bytes: 100_000 } } })
})
afterAll(() => app[Symbol.asyncDispose]())

type Json = Record<string, unknown>

async function post(path: string, body: unknown, options: { key?: string | null; accept?: string } = {}) {
  const { key = app.adminKey, accept } = options
  const response = await app.fetch(path, {
    method: 'POST',
    key,
    headers: { 'content-type': 'application/json', ...(accept !== undefined && { accept }) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json }
}

async function get(path: string, key: string | null = app.adminKey) {
  const response = await app.fetch(path, { key })
  return { status: response.status, body: (await response.json()) as Json }
}

const anyText = expect.stringMatching(/./) as string
const zeros = { total_violations: 0, critical: 0, high: 0, medium: 0, low: 0 }

describe('POST /api/scan', () => {
  it('answers status, violations and summary with the fields of the contract', async () => {
    const { status, headers, body } = await post('/api/scan', { code: dangerous, language: 'python' })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('x-request-id')).toMatch(/^req_/)
    expect(Object.keys(body)).toEqual(['status', 'violations', 'summary'])
    expect(body).toMatchObject({ status: 'completed', summary: { ...zeros, total_violations: 1, critical: 1 } })
    expect((body['violations'] as Json[])[0]).toMatchObject({
      severity: 'critical',
      standard: 'OWASP Top 10',
      rule: expect.stringMatching(/^[\w-]+: .+ \(CWE-78\)$/) as string,
      message: anyText,
      line: 4,
      column: expect.any(Number) as number,
      suggestion: anyText,
      code_snippet: expect.stringContaining('os.system') as string,
      cwe: ['CWE-78', 'CWE-77', 'CWE-88', 'CWE-74'],
      fingerprint: anyText,
    })
  })

  it('takes an empty file, and a null where a field may be left out', async () => {
    const { status, body } = await post('/api/scan', { code: '', language: 'sql', filename: null, standards: null })
    expect([status, body]).toEqual([200, { status: 'completed', violations: [], summary: zeros }])
  })

  it.each([...languageNames, 'js', 'ts', 'py', 'c#', 'c++', 'sh', 'kt', 'rs', 'rb', 'PYTHON'])(
    'accepts the language %s',
    async (language) => {
      expect((await post('/api/scan', { code: '', language })).status).toBe(200)
    },
  )

  it('reports the first of the standards that were asked for, in any letter case', async () => {
    const { body } = await post('/api/scan', { code: dangerous, language: 'python', standards: ['pci dss 4.0', 'HIPAA'] })
    expect((body['violations'] as Json[])[0]?.['standard']).toBe('PCI DSS 4.0.1')
  })

  it('counts lines and columns from 1, in UTF-16 units, with CRLF, a BOM and characters outside of the basic plane', async () => {
    const code = `\u{FEFF}import os\r\nfrom flask import request\r\ndef run():\r\n    x = '\u{1F600}'; os.system('ls ' + request.args['path'])\r\n`
    const { body } = await post('/api/scan', { code, language: 'python' })
    expect((body['violations'] as Json[])[0]).toMatchObject({ line: 4, column: 18 })
  })

  it('shows the way of the data, and none where a violation is not about data', async () => {
    const { body } = await post('/api/scan', { code: flowing, language: 'python' })
    const [injection, unverified] = body['violations'] as Json[]
    expect(injection).toMatchObject({
      line: 6,
      flow: [
        { kind: 'source', line: 4, column: 12, end_line: 4, end_column: 24, message: 'request data enters here' },
        { kind: 'assignment', line: 4, column: 5, message: 'passes into "name"' },
        { kind: 'assignment', line: 5, column: 5, message: 'passes into "command"' },
        { kind: 'sink', line: 6, column: 8, message: 'reaches the command sink' },
      ],
    })
    expect(unverified).toMatchObject({ line: 7 })
    expect(unverified).not.toHaveProperty('flow')
  })

  it('has codeFlows in SARIF where data flows, and nowhere else', async () => {
    const accept = 'application/sarif+json'
    const { body } = await post('/api/scan', { code: flowing, language: 'python', filename: 'a b.py' }, { accept })
    const [{ results }] = body['runs'] as [{ results: (Json & { codeFlows?: object[] })[] }]
    const at = (startLine: number, startColumn: number, endColumn: number, text: string, kind: string) => ({
      location: {
        physicalLocation: {
          artifactLocation: { uri: 'a%20b.py' },
          region: { startLine, startColumn, endLine: startLine, endColumn },
        },
        message: { text },
      },
      kinds: ['taint', kind],
    })
    expect(results.map(({ codeFlows }) => codeFlows)).toEqual([
      [
        {
          threadFlows: [
            {
              locations: [
                at(4, 12, 24, 'request data enters here', 'source'),
                at(4, 5, 9, 'passes into "name"', 'assignment'),
                at(5, 5, 12, 'passes into "command"', 'assignment'),
                at(6, 8, 23, 'reaches the command sink', 'sink'),
              ],
            },
          ],
        },
      ],
      undefined,
    ])
  })

  it('answers SARIF 2.1.0 to whoever accepts it', async () => {
    const { headers, body } = await post(
      '/api/scan',
      { code: dangerous, language: 'python', filename: 'a b/#c.py' },
      { accept: 'application/sarif+json' },
    )
    expect(headers.get('content-type')).toBe('application/sarif+json')
    expect(body).toMatchObject({
      version: '2.1.0',
      $schema: expect.stringContaining('sarif') as string,
      runs: [
        {
          tool: {
            driver: {
              name: 'Sluice',
              version: '0.1.0',
              rules: [
                { id: anyText, shortDescription: { text: anyText }, helpUri: 'https://cwe.mitre.org/data/definitions/78.html' },
              ],
            },
          },
          results: [
            {
              ruleIndex: 0,
              level: 'error',
              message: { text: anyText },
              locations: [{ physicalLocation: { artifactLocation: { uri: 'a%20b/%23c.py' }, region: { startLine: 4 } } }],
              partialFingerprints: { 'sluice/v1': anyText },
            },
          ],
        },
      ],
    })
  })
})

describe('POST /api/batch-scan', () => {
  it('answers a result for each file, in order, and the sums', async () => {
    const { status, body } = await post('/api/batch-scan', {
      files: [
        { code: dangerous, language: 'python', filename: 'one.py' },
        { code: harmless, language: 'py' },
      ],
    })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['status', 'results', 'overall_summary'])
    expect(body).toMatchObject({ status: 'completed', overall_summary: { ...zeros, total_violations: 1, critical: 1 } })
    const [first, second] = body['results'] as Json[]
    expect(first).toMatchObject({ filename: 'one.py', summary: { total_violations: 1 } })
    expect(second).toEqual({ filename: 'main.py', violations: [], summary: zeros })
  })

  it('answers an empty batch', async () => {
    expect((await post('/api/batch-scan', { files: [] })).body).toEqual({
      status: 'completed',
      results: [],
      overall_summary: zeros,
    })
  })
})

describe('GET /api/config, /api/rules and /api/health', () => {
  it('names the enabled standards, the real address and the version', async () => {
    const { body } = await get('/api/config')
    expect(body).toEqual({ standards: expect.any(Array) as string[], server_url: app.url, version: '0.1.0' })
    expect(body['standards']).toContain('OWASP Top 10')
  })

  it('lists rules with the fields of the contract, and counts them', async () => {
    const { body } = await get('/api/rules')
    const rules = body['rules'] as Json[]
    expect(body['total_rules']).toBe(rules.length)
    expect(rules.length).toBeGreaterThan(50)
    for (const rule of rules) {
      expect(rule).toMatchObject({ id: anyText, standard: anyText, category: anyText, description: anyText })
      expect(['critical', 'high', 'medium', 'low']).toContain(rule['severity'])
    }
  })

  it('lists only the rules of one standard', async () => {
    const { body } = await get('/api/rules?standard=hipaa')
    const rules = body['rules'] as Json[]
    expect(rules.length).toBeGreaterThan(0)
    expect(new Set(rules.map(({ standard }) => standard))).toEqual(new Set(['HIPAA']))
  })

  it('tells its health without a key', async () => {
    const { status, body } = await get('/api/health', null)
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'healthy',
      server_url: app.url,
      latency_ms: expect.any(Number) as number,
      version: '0.1.0',
    })
  })
})

describe('401 AUTH_ERROR', () => {
  it('is for every path but the health, before body, path and method are looked at', async () => {
    for (const key of [null, 'wrong']) {
      for (const [method, path] of [
        ['POST', '/api/scan'],
        ['POST', '/api/batch-scan'],
        ['GET', '/api/scan'],
        ['GET', '/api/config'],
        ['GET', '/api/rules'],
        ['GET', '/api/nothing'],
      ] as const) {
        const response = await app.fetch(path, { method, key, ...(method === 'POST' && { body: '{' }) })
        expect(response.status).toBe(401)
        expect(await response.json()).toEqual({ error: anyText, code: 'AUTH_ERROR' })
      }
    }
  })
})

describe('400 INVALID_REQUEST', () => {
  const file = { code: '', language: 'go' }
  it.each([
    ['no code', '/api/scan', { language: 'go' }, 'field: code'],
    ['no language', '/api/scan', { code: '' }, 'field: language'],
    ['code that is no text', '/api/scan', { code: 1, language: 'go' }, 'field: code'],
    ['a filename that is no text', '/api/scan', { ...file, filename: 3 }, 'field: filename'],
    ['an empty filename', '/api/scan', { ...file, filename: '' }, 'field: filename'],
    ['standards that are no list', '/api/scan', { ...file, standards: 'HIPAA' }, 'field: standards'],
    ['an unknown standard', '/api/scan', { ...file, standards: ['HIPAA', 'none'] }, 'field: standards'],
    ['no files', '/api/batch-scan', {}, 'field: files'],
    ['files that are no list', '/api/batch-scan', { files: file }, 'field: files'],
    ['a file that is no object', '/api/batch-scan', { files: [file, null] }, 'field: files[1]'],
    ['a file without code', '/api/batch-scan', { files: [file, { language: 'go' }] }, 'field: files[1].code'],
    ['too many files', '/api/batch-scan', { files: Array.from({ length: 6 }, () => file) }, 'field: files'],
    [
      'a file that is too large',
      '/api/batch-scan',
      { files: [file, { ...file, code: 'x'.repeat(20_001) }] },
      'field: files[1].code',
    ],
    [
      'a batch that is too large',
      '/api/batch-scan',
      { files: Array.from({ length: 3 }, () => ({ ...file, code: 'x'.repeat(19_000) })) },
      'field: files',
    ],
  ])('is for %s, and names the field', async (_, path, body, details) => {
    expect(await post(path, body)).toMatchObject({ status: 400, body: { error: anyText, code: 'INVALID_REQUEST', details } })
  })

  it.each([
    ['bad JSON', '{"code":'],
    ['an array', '[]'],
    ['a bare value', '3'],
  ])('is for %s', async (_, body) => {
    expect(await post('/api/scan', body)).toMatchObject({ status: 400, body: { error: anyText, code: 'INVALID_REQUEST' } })
  })

  it('is for an unknown standard of the rules, with the known ones', async () => {
    const { status, body } = await get('/api/rules?standard=none')
    expect([status, body['code']]).toEqual([400, 'INVALID_REQUEST'])
    expect(body['error']).toContain('SOC 2')
  })

  it('also goes with 413, 404 and 405', async () => {
    expect(await post('/api/scan', { code: 'x'.repeat(100_000), language: 'go' })).toMatchObject({
      status: 413,
      body: { code: 'INVALID_REQUEST' },
    })
    expect(await get('/api/nothing')).toMatchObject({ status: 404, body: { code: 'INVALID_REQUEST' } })
    const wrong = await app.fetch('/api/scan', { method: 'DELETE' })
    expect([wrong.status, wrong.headers.get('allow'), await wrong.json()]).toEqual([
      405,
      'POST',
      { error: anyText, code: 'INVALID_REQUEST' },
    ])
    expect(await post('/api/health', {}, { key: null })).toMatchObject({ status: 405, body: { code: 'INVALID_REQUEST' } })
  })
})

describe('400 UNSUPPORTED_LANGUAGE', () => {
  it('lists the sixteen languages and names the field', async () => {
    for (const language of ['cobol', '', '__proto__', 'constructor']) {
      const single = await post('/api/scan', { code: '', language })
      expect(single).toMatchObject({ status: 400, body: { code: 'UNSUPPORTED_LANGUAGE', details: 'field: language' } })
      for (const name of languageNames) expect(single.body['error']).toContain(name)
    }
    const batch = await post('/api/batch-scan', {
      files: [
        { code: '', language: 'go' },
        { code: '', language: 'cobol' },
      ],
    })
    expect(batch).toMatchObject({ status: 400, body: { code: 'UNSUPPORTED_LANGUAGE', details: 'field: files[1].language' } })
  })

  it('comes after a malformed body and before the limits', async () => {
    expect((await post('/api/scan', { language: 'cobol' })).body['code']).toBe('INVALID_REQUEST')
    const { key } = await app.account({ scanTier: 'FREE' })
    for (let at = 0; at < 70; at++) {
      expect((await post('/api/scan', { code: '', language: 'cobol' }, { key })).body['code']).toBe('UNSUPPORTED_LANGUAGE')
    }
    expect((await post('/api/scan', { code: '', language: 'go' }, { key })).status).toBe(200)
  })
})

describe('429 RATE_LIMIT', () => {
  it('is for the 61st request of a minute on the free tier; a batch is one request', async () => {
    const { key } = await app.account({ scanTier: 'FREE' })
    const file = { code: '', language: 'go' }
    for (let at = 0; at < 30; at++) expect((await post('/api/scan', file, { key })).status).toBe(200)
    for (let at = 0; at < 30; at++) expect((await post('/api/batch-scan', { files: [file, file] }, { key })).status).toBe(200)
    const { status, headers, body } = await post('/api/scan', file, { key })
    expect(status).toBe(429)
    expect(Object.keys(body)).toEqual(['error', 'code', 'retry_after_seconds'])
    expect(body['code']).toBe('RATE_LIMIT')
    expect(body['retry_after_seconds']).toBeGreaterThan(0)
    expect(body['retry_after_seconds']).toBeLessThanOrEqual(60)
    expect(headers.get('retry-after')).toBe(String(body['retry_after_seconds']))
    const other = await app.account({ scanTier: 'PRO' })
    expect((await post('/api/scan', file, { key: other.key })).status).toBe(200)
  })
})

describe('a client that leaves', () => {
  it('ends its scan', async () => {
    const { hostname, port } = new URL(app.url)
    const { key } = await app.account()
    const files = Array.from({ length: 5 }, () => ({ code: 'f(a+b);\n'.repeat(1_200), language: 'javascript' }))
    const body = JSON.stringify({ files })
    const socket = connect(Number(port), hostname)
    socket.write(
      `POST /api/batch-scan HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    const scans = async () =>
      (await app.graphql<{ scans: { nodes: { status: string }[] } }>('{ scans { nodes { status } } }', {}, key)).scans.nodes
    await expect.poll(scans, { timeout: 20_000 }).toHaveLength(1)
    socket.destroy()
    // It may have ended by itself before that was noticed.
    await expect.poll(async () => (await scans())[0]?.status, { timeout: 20_000 }).toMatch(/^(ERROR|COMPLETED)$/)
  })
})
