/** Signing in to the console over real HTTP: with a key or a code, for as long as the key is good, and from its own pages only. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyMigrations } from '../../src/migrations/migrate.js'
import { loadConfig } from '../../src/config/config.js'
import { startServer } from '../../src/server/server.js'
import { startTestApp, type TestApp } from '../kit/app.js'
import { testLocation } from '../kit/database.js'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const OURS = { 'x-sluice-console': '1', 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }

const session = (url: string, method: string, body: object | null, headers: Record<string, string> = OURS) =>
  fetch(`${url}/console/session`, { method, headers, ...(body && { body: JSON.stringify(body) }) })

const signIn = (body: object, headers: Record<string, string> = OURS) => session(app.url, 'POST', body, headers)

/** What the browser sends back of a `Set-Cookie`. */
const cookieOf = (response: Response): string => response.headers.getSetCookie()[0]!.split(';')[0]!

const ask = (url: string, cookie: string, query: string, headers: Record<string, string> = OURS) =>
  fetch(`${url}/graphql`, { method: 'POST', headers: { ...headers, cookie }, body: JSON.stringify({ query }) })

async function viewerIn(url: string, cookie: string, headers?: Record<string, string>): Promise<string | null> {
  const response = await ask(url, cookie, '{ viewerKey { id } }', headers)
  return ((await response.json()) as { data?: { viewerKey: { id: string } | null } }).data?.viewerKey?.id ?? null
}

const newCode = async (key: string): Promise<string> =>
  (await app.graphql<{ createConsoleCode: { code: string } }>('mutation { createConsoleCode { code } }', {}, key))
    .createConsoleCode.code

describe('a session', () => {
  it('begins with a key, in a cookie that no script and no other site can use, and speaks for that key', async () => {
    const { key, keyId } = await app.account()
    const response = await signIn({ key })
    expect(response.status).toBe(201)
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sluice_session=sls_[\w-]{43}; Path=\/; Max-Age=43[12]\d\d; HttpOnly; SameSite=Strict$/),
    ])
    expect(await response.text()).not.toContain('sls_')
    expect(await viewerIn(app.url, cookieOf(response))).toBe(keyId)
  })

  it('has a cookie for secure connections only where the page came over one', async () => {
    const response = await signIn({ key: app.adminKey }, { ...OURS, origin: 'https://sluice.example' })
    expect(response.headers.getSetCookie()[0]).toMatch(/; Secure$/)
  })

  it('begins with a code, once, in the name of the key that asked for the code', async () => {
    const { key, keyId } = await app.account()
    const code = await newCode(key)
    const [one, two] = await Promise.all([signIn({ code }), signIn({ code })])
    expect([one.status, two.status].toSorted((a, b) => a - b)).toEqual([201, 401])
    expect(await viewerIn(app.url, cookieOf(one.ok ? one : two))).toBe(keyId)
  })

  it('ends at once when its key is revoked, with the subscriptions that are open', async () => {
    const { key, keyId } = await app.account()
    const cookie = cookieOf(await signIn({ key }))
    const stream = await ask(app.url, cookie, 'subscription { creditBalance { id } }', { ...OURS, accept: 'text/event-stream' })
    await app.graphql('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }', { id: keyId })
    expect(await stream.text()).toContain('UNAUTHENTICATED')
    expect(await viewerIn(app.url, cookie)).toBeNull()
  })

  it('ends when its owner signs out', async () => {
    const cookie = cookieOf(await signIn({ key: app.adminKey }))
    expect(await viewerIn(app.url, cookie)).not.toBeNull()
    const response = await session(app.url, 'DELETE', null, { ...OURS, cookie })
    expect(response.status).toBe(204)
    expect(response.headers.getSetCookie()[0]).toMatch(/^sluice_session=; Path=\/; Max-Age=0/)
    expect(await viewerIn(app.url, cookie)).toBeNull()
  })

  it('counts on /graphql only, and a key that comes with it counts more', async () => {
    const cookie = cookieOf(await signIn({ key: app.adminKey }))
    const { key, keyId } = await app.account()
    expect((await fetch(`${app.url}/v1/models`, { headers: { ...OURS, cookie } })).status).toBe(401)
    expect(await viewerIn(app.url, cookie, { ...OURS, authorization: `Bearer ${key}` })).toBe(keyId)
  })
})

describe('a request that another page makes the browser send', () => {
  const FOREIGN: [string, Record<string, string>][] = [
    ['without the header', { 'sec-fetch-site': 'same-origin' }],
    ['from another site', { 'x-sluice-console': '1', 'sec-fetch-site': 'cross-site' }],
    ['from another port of this machine', { 'x-sluice-console': '1', 'sec-fetch-site': 'same-site' }],
    ['with another origin', { 'x-sluice-console': '1', origin: 'http://evil.example' }],
    ['without any origin', { 'x-sluice-console': '1' }],
  ]

  it.each(FOREIGN)('%s has no session and begins none', async (_, headers) => {
    const cookie = cookieOf(await signIn({ key: app.adminKey }))
    const json = { ...headers, 'content-type': 'application/json' }
    expect(await viewerIn(app.url, cookie, json)).toBeNull()
    const response = await signIn({ key: app.adminKey }, json)
    expect(response.status).toBe(400)
    expect(response.headers.getSetCookie()).toEqual([])
  })

  it('is told from one of the console by its origin where the browser says no more', async () => {
    const headers = { 'x-sluice-console': '1', 'content-type': 'application/json', origin: app.url }
    expect((await signIn({ key: app.adminKey }, headers)).status).toBe(201)
  })
})

describe('an attempt to sign in', () => {
  it.each([{}, { key: '' }, { key: 'a', code: 'b' }, { key: 'x'.repeat(600) }, { password: 'x' }])(
    'with %j is a 400',
    async (body) => {
      expect((await signIn(body)).status).toBe(400)
    },
  )

  it.each([{ key: 'slk_unknown' }, { code: 'unknown' }])('with %j is a 401 without a cookie', async (body) => {
    const response = await signIn(body)
    expect(response.status).toBe(401)
    expect(response.headers.getSetCookie()).toEqual([])
  })

  it('is refused for a minute after many, with the seconds to wait', async () => {
    await using own = await startTestApp()
    const attempt = () => session(own.url, 'POST', { code: 'unknown' })
    for (let tries = 0; tries < 30; tries++) expect((await attempt()).status).toBe(401)
    const refused = await attempt()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

it('two servers on one PostgreSQL know the sessions and the codes of each other', async () => {
  await using location = await testLocation('postgres')
  const adminKey = 'an-administrators-key-of-more-than-32-characters'
  const config = loadConfig({
    workingDirectory: '/nonexistent',
    env: { SLUICE_PORT: '0', SLUICE_LOG_LEVEL: 'silent', SLUICE_ADMIN_KEY: adminKey, SLUICE_DATABASE_URL: location.url },
  })
  await applyMigrations(config)
  const [one, two] = [await startServer(config), await startServer(config)]
  try {
    const begun = await session(one.url, 'POST', { key: adminKey })
    const cookie = cookieOf(begun)
    const keyId = await viewerIn(one.url, cookie)
    expect(await viewerIn(two.url, cookie)).toBe(keyId)
    // Of those who come with a code at the same time, one gets in.
    for (let round = 0; round < 5; round++) {
      const asked = await ask(one.url, cookie, 'mutation { createConsoleCode { code } }')
      const { code } = ((await asked.json()) as { data: { createConsoleCode: { code: string } } }).data.createConsoleCode
      const come = await Promise.all([two.url, one.url, two.url].map((url) => session(url, 'POST', { code })))
      expect(come.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 401, 401])
    }
    await session(two.url, 'DELETE', null, { ...OURS, cookie })
    await expect.poll(() => viewerIn(one.url, cookie), { timeout: 10_000 }).toBeNull()
  } finally {
    await one.stop()
    await two.stop()
  }
})
