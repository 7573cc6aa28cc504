/** The real program as a process in front of a provider, with callers who never rest and remember what they were told. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { departures } from '../contract/openapi-document.js'
import { FakeProvider } from '../kit/fake-provider.js'
import { answersBoth } from '../kit/fake-provider-scenes.js'
import { startSluice, type ServerProcess } from '../kit/process.js'

const ADMIN_KEY = 'a-preset-key-of-the-administrator-0001'
/** In nano-USD: 11 tokens at 1 and 3 at 2, what every answer of the provider costs. */
export const COST = 11n + 2n * 3n
/** A request that takes longer than this hangs. */
const HANGS_MS = 30_000

export interface ChaosServer extends AsyncDisposable {
  readonly process: ServerProcess
  /** Chats that were answered with 200, and their cost. */
  readonly acknowledged: Map<string, bigint>
  /** Every status that a caller got, how often; `broken` for no answer at all. */
  readonly statuses: Map<string, number>
  get(path: string, key?: string | null): Promise<Response>
  chat(): Promise<number>
  /** A write to the shared pool of connections: makes a key. */
  makeKey(): Promise<number>
  /** Callers who chat, look and write one after the other, until the returned function has stopped them. */
  startTraffic(callers: number): () => Promise<void>
  /** Resolves when a chat and a write work and readyz agrees. */
  serves(): Promise<void>
  ready(): Promise<{ status: number; reason: string | undefined }>
  /** Of an own counter or gauge, all labels together. */
  metric(name: string): Promise<number>
  /** What the log says, one object a line. */
  log(): { msg: string; part?: string; failures?: Record<string, number> }[]
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
}

export interface ChaosServerOptions {
  /** A Postgres url, or null for a SQLite file in `folder`. */
  readonly databaseUrl: string | null
  readonly folder?: string
  /** Sections of the configuration. */
  readonly server?: Record<string, unknown>
  readonly database?: Record<string, unknown>
  readonly limits?: Record<string, unknown>
  readonly ledger?: Record<string, unknown>
  /** Three for the account of the callers, wide enough for all that they do. Its holds are then waited for. */
  readonly hasBudgets?: boolean
}

export async function startChaosServer({
  databaseUrl,
  folder: given,
  server: serverSection,
  database,
  limits,
  ledger,
  hasBudgets = false,
}: ChaosServerOptions): Promise<ChaosServer> {
  const folder = given ?? mkdtempSync(join(tmpdir(), 'sluice-chaos-'))
  const provider = await FakeProvider.start(answersBoth({ pieces: ['a', 'b', 'c'] }))
  const price = { input_price_per_million: '0.001', output_price_per_million: '0.002' }
  const config = {
    sandbox: false,
    catalog: { include_shipped: false },
    server: { ...serverSection },
    database: { migrate: true, ...database },
    limits: { drain_seconds: 0, shutdown_seconds: 10, ...limits },
    ledger: { ...ledger },
    providers: [{ id: 'p1', base_url: provider.baseUrl, api_key: 'x' }],
    models: [
      {
        id: 'm',
        owned_by: 't',
        context_window: 8192,
        max_output_tokens: 100,
        deployments: [{ provider: 'p1', model_id: 'm', ...price }],
      },
    ],
  }
  writeFileSync(join(folder, 'sluice.config.yaml'), JSON.stringify(config))
  const env = { SLUICE_ADMIN_KEY: ADMIN_KEY, ...(databaseUrl === null ? {} : { SLUICE_DATABASE_URL: databaseUrl }) }
  const server = await startSluice(['serve'], { cwd: folder, env })
  const acknowledged = new Map<string, bigint>()
  const statuses = new Map<string, number>()

  const ask = async (path: string, body: object | null, key: string | null = ADMIN_KEY): Promise<Response> => {
    const response = await fetch(`${server.url}${path}`, {
      method: body === null ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) },
      ...(body !== null && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(HANGS_MS),
    })
    if (response.status === 503 && path !== '/graphql') {
      const answer = { status: 503, headers: response.headers, text: await response.clone().text() }
      const faults = departures(body === null ? 'GET' : 'POST', path, answer)
      if (faults.length > 0) throw new Error(`${path} ${answer.text}: ${faults.join('; ')}`)
    }
    return response
  }
  const chat = async () => {
    const response = await ask('/v1/chat/completions', {
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
      max_tokens: 60,
    })
    await response.json()
    if (response.status === 200) acknowledged.set(response.headers.get('x-request-id')!, COST)
    return response.status
  }
  const makeKey = async () => {
    const query = `mutation { createApiKey(input: { accountId: "${accountId}" }) { apiKey { id } } }`
    const response = await ask('/graphql', { query })
    const { errors } = (await response.json()) as { errors?: { extensions: { httpStatus?: number } }[] }
    return errors === undefined ? response.status : (errors[0]?.extensions.httpStatus ?? 500)
  }
  const viewer = (await (await ask('/graphql', { query: '{ viewer { id } }' })).json()) as { data: { viewer: { id: string } } }
  const accountId = viewer.data.viewer.id

  if (hasBudgets) await makeBudgets((query) => ask('/graphql', { query }))
  const log = () =>
    server.logged().flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as { msg: string; part?: string }] : []))

  return {
    process: server,
    acknowledged,
    statuses,
    get: (path, key) => ask(path, null, key),
    chat,
    makeKey,
    startTraffic(callers) {
      let isStopped = false
      const turns = [chat, makeKey, async () => (await ask('/v1/models', null)).status, chat]
      const note = (what: string) => statuses.set(what, (statuses.get(what) ?? 0) + 1)
      const running = Array.from({ length: callers }, async (_, caller) => {
        for (let turn = caller; !isStopped; turn++) {
          note(await turns[turn % turns.length]!().then(String, (error: unknown) => `broken: ${String(error)}`))
        }
      })
      return async () => {
        isStopped = true
        await Promise.all(running)
      }
    },
    async serves() {
      for (;;) {
        const worked = await Promise.all([chat(), makeKey(), ask('/readyz', null).then(({ status }) => status)])
        if (worked.every((status) => status === 200)) return
      }
    },
    async ready() {
      const response = await ask('/readyz', null, null)
      const { reason } = (await response.json()) as { reason?: string }
      return { status: response.status, reason }
    },
    async metric(name) {
      const text = await (await ask('/metrics', null)).text()
      const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))]
      return values.reduce((sum, [, value]) => sum + Number(value), 0)
    },
    log,
    stop: () => server.end('SIGTERM'),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await provider.stop()
      if (given === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function makeBudgets(ask: (query: string) => Promise<Response>): Promise<void> {
  for (const terms of ['period: HOUR', 'period: TOTAL', 'period: WEEK, models: ["m"]']) {
    const answer = await ask(`mutation { createBudget(input: { amount: "0.5", ${terms} }) { budget { id } } }`)
    const { errors } = (await answer.json()) as { errors?: unknown }
    if (errors !== undefined) throw new Error(JSON.stringify(errors))
  }
}
