/**
 * Servers of two versions on one PostgreSQL: what an upgrade without a stop goes through. The older one is built from this
 * repository's history; a checkout without it cannot show this.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PRICE } from '../contract/chats/chat-app.js'
import { auditBooks, readPostgres } from '../kit/audit.js'
import { FakeProvider } from '../kit/fake-provider.js'
import { answersBoth } from '../kit/fake-provider-scenes.js'
import { buildVersion, hasCommit, OLDEST_VERSION } from '../kit/older-version.js'
import { startPostgres, type PostgresCluster } from '../kit/postgres.js'
import { runSluice, startSluice, type ServerProcess } from '../kit/process.js'

const KEY = 'a-preset-key-of-the-administrator-0044'
/** 11 tokens at 1 nano-USD and 3 at 2: what every answer of the provider costs. */
const COST = 11n + 2n * 3n
const isPossible = hasCommit(OLDEST_VERSION)
const folder = mkdtempSync(join(tmpdir(), 'sluice-versions-'))
let cluster: PostgresCluster
let provider: FakeProvider
let older: string
const started: ServerProcess[] = []
const isOlder = new WeakSet<ServerProcess>()

beforeAll(async () => {
  if (!isPossible) return
  const built = join(folder, 'older')
  mkdirSync(built)
  older = buildVersion(OLDEST_VERSION, built)
  cluster = await startPostgres()
  provider = await FakeProvider.start(answersBoth({ pieces: ['a', 'b', 'c'], betweenMs: 5 }))
  const model = { owned_by: 't', context_window: 8192, max_output_tokens: 100 }
  const deploy = { gpu_model: 'L4', vram_gb: 24, input_price_per_million: '0.1', output_price_per_million: '0.2' }
  writeFileSync(
    join(folder, 'sluice.config.yaml'),
    JSON.stringify({
      sandbox: false,
      catalog: { include_shipped: false },
      limits: { drain_seconds: 0 },
      // What is measured is no speed.
      database: { connect_seconds: 30, statement_seconds: 30 },
      providers: [{ id: 'p1', base_url: provider.baseUrl, api_key: 'x' }],
      models: [
        { id: 'm', ...model, deployments: [{ provider: 'p1', model_id: 'm', ...PRICE }] },
        { id: 'rented', ...model, deploy },
      ],
      compute: { drivers: [{ type: 'sandbox', boot_seconds: 0.5, tokens_per_second: 5_000 }] },
    }),
  )
})
afterAll(async () => {
  for (const server of started) await server[Symbol.asyncDispose]()
  await provider?.stop()
  await cluster?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const options = (main?: string) => ({
  cwd: folder,
  env: { SLUICE_ADMIN_KEY: KEY, SLUICE_DATABASE_URL: cluster.url, SLUICE_STARTING_CREDITS: '100' },
  ...(main !== undefined && { main }),
})

async function start(main?: string): Promise<ServerProcess> {
  const server = await startSluice(['serve'], options(main))
  started.push(server)
  if (main !== undefined) isOlder.add(server)
  return server
}

async function ask(server: ServerProcess, path: string, { key = KEY, ...init }: RequestInit & { key?: string } = {}) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(`${server.url}${path}`, { ...init, headers })
  return { status: response.status, id: response.headers.get('x-request-id')!, text: await response.text() }
}

const post = (body: object): RequestInit => ({ method: 'POST', body: JSON.stringify(body) })

async function graphql<Data>(server: ServerProcess, query: string): Promise<Data> {
  const { data, errors } = JSON.parse((await ask(server, '/graphql', post({ query }))).text) as { data: Data; errors?: unknown }
  if (errors) throw new Error(`${query}: ${JSON.stringify(errors)}`)
  return data
}

/** Answered chats by their ids, and what each must be charged. */
const acknowledged = new Map<string, bigint>()

async function chat(server: ServerProcess, isStream: boolean, key = KEY): Promise<number> {
  const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 60, stream: isStream }
  const { status, id, text } = await ask(server, '/v1/chat/completions', { key, ...post(body) })
  if (status !== 200) return status
  if (!text.includes('"finish_reason":"stop"') || text.includes('"error"')) throw new Error(text)
  acknowledged.set(id, COST)
  return status
}

/** Two callers of each server who chat, streamed and not, until told to stop. */
function startLoad(servers: readonly ServerProcess[]) {
  const faults: string[] = []
  const answered = new Map(servers.map((server) => [server, 0]))
  let isOver = false
  const callers = servers.flatMap((server) =>
    [true, false].map(async (isStream) => {
      while (!isOver) {
        const status = await chat(server, isStream).catch(String)
        if (status === 200) answered.set(server, answered.get(server)! + 1)
        else faults.push(`${started.indexOf(server)}: ${status}`)
      }
    }),
  )
  return {
    /** Resolves when each of them has answered so many more. */
    async each(count: number) {
      const before = new Map(answered)
      await expect.poll(() => [...answered].every(([server, now]) => now >= before.get(server)! + count)).toBe(true)
    },
    async stop() {
      isOver = true
      await Promise.all(callers)
      return faults
    },
  }
}

/** A key that one server makes works at the other at once, and nowhere any more once that one has revoked it. */
async function keyStory(maker: ServerProcess, other: ServerProcess): Promise<void> {
  const { viewer } = await graphql<{ viewer: { id: string } }>(maker, '{ viewer { id } }')
  const { createApiKey } = await graphql<{ createApiKey: { secret: string; apiKey: { id: string } } }>(
    maker,
    `mutation { createApiKey(input: { accountId: "${viewer.id}" }) { secret apiKey { id } } }`,
  )
  const { secret, apiKey } = createApiKey
  expect([await chat(other, true, secret), await chat(maker, false, secret)]).toEqual([200, 200])
  // The older graph took its arguments one by one.
  const taken = isOlder.has(other) ? `id: "${apiKey.id}"` : `input: { id: "${apiKey.id}" }`
  await graphql(other, `mutation { revokeApiKey(${taken}) { __typename } }`)
  for (const server of [other, maker]) await expect.poll(() => chat(server, false, secret)).toBe(401)
}

/** A machine that one server rents is seen to run, and is given back, at the other. */
async function rentalStory(renter: ServerProcess, other: ServerProcess): Promise<void> {
  const rented = await ask(renter, '/v1/gpu/rent', post({ gpu_model: 'L4', model_id: 'rented' }))
  expect(rented).toMatchObject({ status: 201 })
  const { rental_id: id } = JSON.parse(rented.text) as { rental_id: string }
  const statusAt = async (server: ServerProcess) =>
    (JSON.parse((await ask(server, `/v1/gpu/rentals/${id}`)).text) as { status: string }).status
  await expect.poll(() => statusAt(other), { timeout: 40_000 }).toBe('running')
  expect((await ask(other, `/v1/gpu/rentals/${id}`, { method: 'DELETE' })).status).toBe(200)
  await expect.poll(() => statusAt(renter), { timeout: 40_000 }).toBe('terminated')
}

const creditsAt = async (server: ServerProcess) =>
  JSON.parse((await ask(server, '/v1/credits')).text) as { balance: string; held: string }

/** Lines that an operator would look at, but for the one that tells of the server that was killed. */
const complaints = (server: ServerProcess) =>
  server.logged().filter((line) => !line.includes('"level":30') && !line.includes('closed holds that nobody was left to settle'))

it.skipIf(!isPossible)(
  `an upgrade without a stop from ${OLDEST_VERSION.slice(0, 7)} loses no chat, key, machine or cent (skipped without history)`,
  async () => {
    expect((await runSluice(['migrate'], options(older))).code).toBe(0)
    const old = [await start(older), await start(older)] as const

    // The tables change while both answer.
    let load = startLoad(old)
    await load.each(10)
    expect(await runSluice(['migrate'], options())).toMatchObject({ code: 0 })
    await load.each(10)
    expect(await load.stop()).toEqual([])

    // The new one joins.
    const next = await start()
    load = startLoad([...old, next])
    await load.each(10)
    await Promise.all([keyStory(old[0], next), keyStory(next, old[1])])
    await Promise.all([rentalStory(old[0], next), rentalStory(next, old[1])])
    expect(await load.stop()).toEqual([])

    // One of the old ones dies in the middle of its work and comes back, to tables that are newer than it is.
    const dying = startLoad([old[1]])
    await dying.each(2)
    await old[1].end('SIGKILL')
    await dying.stop()
    const back = await start(older)

    // Then they go, one by one, and their work with them to others.
    const last = await start()
    load = startLoad([next, last])
    const leaving = startLoad([old[0], back])
    await leaving.each(5)
    await leaving.stop()
    expect(await Promise.all([old[0].end('SIGTERM'), back.end('SIGTERM')])).toEqual([0, 0])
    await load.each(10)
    expect(await load.stop()).toEqual([])

    // What the dead one held is settled by whoever finds it.
    await expect.poll(async () => (await creditsAt(next)).held, { timeout: 40_000 }).toBe('0.00')
    expect(await creditsAt(last)).toEqual(await creditsAt(next))
    expect(await auditBooks(readPostgres(cluster), { acknowledged })).toEqual([])
    for (const server of [next, last]) expect(await server.end('SIGTERM')).toBe(0)
    expect(started.flatMap(complaints)).toEqual([])
  },
  300_000,
)
