/** A whole server in this process, on a free port and a throw-away database, with what a client needs to talk to it. */
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import OpenAI from 'openai'
import { stringify } from 'yaml'
import type { ServerMode } from '../../src/server/modes.js'
import type { RunningServer } from '../../src/server/server.js'
import { startServers, testMode } from './app-servers.js'
import { databaseFolder } from './database.js'

export interface TestApp extends AsyncDisposable {
  /** Without a path. */
  readonly url: string
  /** Holds every scope. */
  readonly adminKey: string
  readonly server: RunningServer
  /** A request with a key (the administrator's when left out; null for none). */
  fetch(path: string, init?: RequestInit & { key?: string | null }): Promise<Response>
  /** A GraphQL query or mutation; fails the test when there are errors. */
  graphql<T = Record<string, unknown>>(query: string, variables?: object, key?: string): Promise<T>
  /** The official client, without retries, so that a test sees every answer. */
  openai(key?: string): OpenAI
  /** A new account with a key for chat, gpu and scan. */
  account(options?: AccountOptions): Promise<TestAccount>
  credits(key: string): Promise<Credits>
  /** What `/metrics` of all its servers say. */
  metrics(): Promise<string>
}

export interface AccountOptions {
  readonly credits?: string
  readonly monthlyCap?: string
  readonly scanTier?: 'FREE' | 'PRO' | 'ENTERPRISE'
}

export interface TestAccount {
  readonly id: string
  readonly key: string
  readonly keyId: string
}

export interface Credits {
  readonly balance: string
  readonly held: string
  readonly available: string
  readonly monthly_cap: string | null
  readonly spent_this_month: string
}

export interface TestAppOptions {
  /**
   * As in sluice.config.yaml; the sandbox and the shipped catalogue are off when left out. A test chooses its database by
   * `SLUICE_DATABASE_URL`: this app sets that variable, and it wins over the file.
   */
  readonly config?: Record<string, unknown> & { readonly database?: never }
  readonly env?: Record<string, string>
  readonly mode?: ServerMode
  /** What is tested is of one server, such as its own limits or the stream of a session: where there are two, one is asked. */
  readonly isOfOneServer?: boolean
  /** Keeps using a folder, so that a second start sees the same database. */
  readonly folder?: string
}

/** A test that is over does not wait for the requests that it has left open. */
const IMPATIENT = { drain_seconds: 0, shutdown_seconds: 0.05 }

export async function startTestApp({
  config = {},
  env = {},
  mode,
  isOfOneServer = false,
  folder: given,
}: TestAppOptions = {}): Promise<TestApp> {
  const folder = given ?? databaseFolder('sluice-app-')
  const adminKey = env['SLUICE_ADMIN_KEY'] ?? randomBytes(24).toString('hex')
  const limits = { ...IMPATIENT, ...(config['limits'] as object | undefined) }
  // What is measured is no speed: on a shared machine a crowd waits for the database longer than callers should.
  const database = { connect_seconds: 30 }
  const ledger = { leases: testMode === 'leased', ...(config['ledger'] as object | undefined) }
  writeFileSync(
    join(folder, 'sluice.config.yaml'),
    stringify({ sandbox: false, catalog: { include_shipped: false }, database, ...config, ledger, limits }),
  )
  const servers = await startServers({
    workingDirectory: folder,
    env: { SLUICE_PORT: '0', SLUICE_LOG_LEVEL: 'silent', SLUICE_ADMIN_KEY: adminKey, ...env },
    mode,
    isLasting: given !== undefined,
    isOfOneServer,
  })
  const server = servers.first
  const app: TestApp = {
    url: server.url,
    adminKey,
    server,
    fetch(path, { key = adminKey, headers, ...init } = {}) {
      const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
      return fetch(`${servers.nextUrl()}${path}`, {
        ...init,
        headers: { ...authorization, ...(headers as Record<string, string>) },
      })
    },
    async graphql<T>(query: string, variables: object = {}, key = adminKey): Promise<T> {
      const response = await app.fetch('/graphql', {
        method: 'POST',
        key,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      })
      const { data, errors } = (await response.json()) as { data: T; errors?: object[] }
      if (errors) throw new Error(JSON.stringify(errors))
      return data
    },
    openai: (key = adminKey) =>
      new OpenAI({
        baseURL: `${server.url}/v1`,
        apiKey: key,
        maxRetries: 0,
        fetch(asked, init) {
          const { pathname, search } = new URL(asked instanceof Request ? asked.url : asked)
          return fetch(`${servers.nextUrl()}${pathname}${search}`, init)
        },
      }),
    async account(options = {}) {
      const {
        createAccount: { account },
      } = await app.graphql<{ createAccount: { account: { id: string } } }>(
        'mutation ($input: CreateAccountInput!) { createAccount(input: $input) { account { id } } }',
        { input: { name: 'test', ...options } },
      )
      const { createApiKey } = await app.graphql<{ createApiKey: { secret: string; apiKey: { id: string } } }>(
        'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret apiKey { id } } }',
        { input: { accountId: account.id } },
      )
      return { id: account.id, key: createApiKey.secret, keyId: createApiKey.apiKey.id }
    },
    async metrics() {
      const headers = { authorization: `Bearer ${adminKey}` }
      return (await Promise.all(servers.urls.map(async (url) => (await fetch(`${url}/metrics`, { headers })).text()))).join('')
    },
    credits: async (key) => (await app.fetch('/v1/credits', { key })).json() as Promise<Credits>,
    async [Symbol.asyncDispose]() {
      await servers[Symbol.asyncDispose]()
      // What supervises an instance may still write a last word.
      if (given === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  return app
}
