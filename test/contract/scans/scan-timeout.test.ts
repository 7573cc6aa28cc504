/** The contract's TIMEOUT, and limits that the operator set. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../kit/app.js'
import { departures } from '../openapi-document.js'

let app: TestApp

beforeAll(async () => {
  const enterprise = { per_minute: 2, per_day: 100 }
  app = await startTestApp({ config: { scanner: { analyzers: 1, standards: ['hipaa', 'SOC 2'], enterprise } } })
})
afterAll(() => app[Symbol.asyncDispose]())

const scan = (path: string, body: object, { at = app, key }: { at?: TestApp; key?: string } = {}) =>
  at.fetch(path, {
    method: 'POST',
    key: key ?? at.adminKey,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

it('only the enabled standards exist', async () => {
  const config = (await (await app.fetch('/api/config')).json()) as { standards: string[] }
  expect(config.standards).toEqual(['HIPAA', 'SOC 2'])
  expect((await scan('/api/scan', { code: '', language: 'go', standards: ['OWASP Top 10'] })).status).toBe(400)
  const standardsOf = async (query: string): Promise<Set<string>> => {
    const { rules } = (await (await app.fetch(`/api/rules${query}`)).json()) as { rules: { standard: string }[] }
    return new Set(rules.map(({ standard }) => standard))
  }
  // Every rule has a clause in both, so the first of the enabled ones names them all.
  expect(await standardsOf('')).toEqual(new Set(['HIPAA']))
  expect(await standardsOf('?standard=soc2')).toEqual(new Set(['SOC 2']))
  expect((await app.fetch('/api/rules?standard=gdpr')).status).toBe(400)
})

it('enterprise accounts have the limits of the configuration', async () => {
  const { key } = await app.account({ scanTier: 'ENTERPRISE' })
  const statuses = []
  for (let at = 0; at < 3; at++) statuses.push((await scan('/api/scan', { code: '', language: 'go' }, { key })).status)
  expect(statuses).toEqual([200, 200, 429])
})

it('504 TIMEOUT is for a scan that took too long', async () => {
  await using hasty = await startTestApp({ config: { scanner: { analyzers: 1, scan_seconds: 2 } } })
  const code = 'function f(a) { return g(a + 1, [a, a]) }\n'.repeat(15_000)
  const files = Array.from({ length: 10 }, () => ({ code, language: 'javascript' }))
  const response = await scan('/api/batch-scan', { files }, { at: hasty })
  expect(response.status).toBe(504)
  const text = await response.text()
  expect(JSON.parse(text)).toEqual({ error: expect.stringMatching(/./) as string, code: 'TIMEOUT' })
  expect(departures('POST', '/api/batch-scan', { status: response.status, headers: response.headers, text })).toEqual([])
  const { scans } = await hasty.graphql<{ scans: { nodes: object[] } }>('{ scans { nodes { status error } } }')
  expect(scans.nodes[0]).toEqual({ status: 'ERROR', error: 'The scan took too long.' })
})
