/**
 * The whole program on a PostgreSQL of its own that restarts, stands still, is locked, full of others and read-only. Each ends
 * with an audit of the books. `SLUICE_CHAOS=long` runs more and longer rounds (`npm run chaos`).
 */
import { Client } from 'pg'
import { createPostgresEvents } from '#platform/events/postgres-events.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditBooks, readPostgres } from '../kit/audit.js'
import { effort } from '../kit/effort.js'
import { ManualClock } from '../kit/manual-clock.js'
import { type PostgresCluster, startPostgres } from '../kit/postgres.js'
import { type ChaosServer, startChaosServer } from './chaos-server.js'

const isLong = effort === 'long'
const ROUNDS = isLong ? 20 : 4
const FREEZE_MS = isLong ? 60_000 : 0
const POOL = 8
const MAX_CONNECTIONS = 60

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await startPostgres({ settings: { max_connections: String(MAX_CONNECTIONS) } })
})
afterAll(() => cluster?.[Symbol.asyncDispose]())

/** What is not about speed does not wait for the default limits. */
const HASTY = { connect_seconds: 1, statement_seconds: 1, lock_seconds: 1 }

const serve = async (hasty: object = isLong ? {} : HASTY, hasBudgets = false) => {
  const schema = `chaos_${Math.random().toString(36).slice(2)}`
  const server = await startChaosServer({
    databaseUrl: `${cluster.url}?schema=${schema}`,
    database: { max_connections: POOL, ...hasty },
    hasBudgets,
  })
  const read = readPostgres({ query: (sql) => cluster.query(sql.replace('from ', `from ${schema}.`)) })
  return { server, schema, audit: () => auditBooks(read, server) }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Nothing that a caller got was a bug, and the log has a beginning and an end for each outage. */
async function expectOrderly(server: ChaosServer): Promise<void> {
  expect([...server.statuses.keys()].filter((status) => status !== '200' && status !== '503')).toEqual([])
  expect(await server.metric('sluice_unexpected_errors_total')).toBe(0)
  expect(await server.metric('sluice_ledger_invariants_broken')).toBe(0)
}

/** While writes wait for a lock, as many connections wait as the pool may have. */
async function expectFullPool(server: ChaosServer, schema: string): Promise<void> {
  const locker = new Client({ connectionString: cluster.url })
  await locker.connect()
  await locker.query(`begin; lock table ${schema}.api_key in share mode`)
  const writes = Array.from({ length: 2 * POOL }, () => server.makeKey())
  const waiting = `select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'sluice'`
  await expect.poll(async () => (await cluster.query(waiting))[0]?.['count'], { timeout: 20_000 }).toBe(POOL)
  await locker.end()
  await Promise.all(writes)
}

test(
  `${ROUNDS} restarts under 30 callers leave a full pool, a service and books in order each time`,
  async () => {
    const { server, schema, audit } = await serve({}, true)
    await using _ = server
    const stopTraffic = server.startTraffic(30)
    const backAfterMs: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const before = server.acknowledged.size
      await expect.poll(() => server.acknowledged.size, { timeout: 30_000 }).toBeGreaterThan(before + 50)
      await cluster.restart(round % 2 === 0 ? 'fast' : 'immediate')
      const restarted = performance.now()
      await server.serves()
      backAfterMs.push(Math.round(performance.now() - restarted))
      await expectFullPool(server, schema)
    }
    await stopTraffic()
    // A figure and no assertion: on a busy machine it tells of the machine.
    if (isLong) console.info('back after ms', backAfterMs, Object.fromEntries(server.statuses))
    await expectOrderly(server)
    expect(await audit()).toEqual([])
    const spent = await cluster.query(`select count(*)::int as budgets from ${schema}.ledger_budget where spent > 0`)
    expect(spent).toEqual([{ budgets: 3 }])
    const outages = server.log().filter(({ part }) => part === 'database')
    expect(outages.length).toBeGreaterThan(0)
    expect(outages.length).toBeLessThanOrEqual(2 * ROUNDS)
    expect(await server.stop()).toBe(0)
  },
  isLong ? 600_000 : 120_000,
)

test(
  'a server that stands still is answered for within seconds: readyz at once, everything else with 503',
  async () => {
    const { server, audit } = await serve()
    await using _ = server
    await server.serves()
    const stopTraffic = server.startTraffic(10)
    cluster.freeze()
    const frozen = performance.now()
    const unknownKey = `slk_${'1'.repeat(16)}_${'2'.repeat(58)}`
    const answers = [server.chat(), server.makeKey(), server.get('/v1/models', unknownKey).then(({ status }) => status)]
    await expect
      .poll(() => server.ready(), { timeout: 20_000 })
      .toMatchObject({ status: 503, reason: expect.stringMatching(/answer/) as string })
    expect((await server.get('/healthz')).status).toBe(200)
    const [chatted, made, unknown] = await Promise.all(answers)
    expect([chatted, made]).toEqual([503, 503])
    expect([401, 503]).toContain(unknown)
    await pause(Math.max(0, FREEZE_MS - (performance.now() - frozen)))
    cluster.thaw()
    await server.serves()
    await stopTraffic()
    await expectOrderly(server)
    expect(await audit()).toEqual([])
  },
  isLong ? 300_000 : 90_000,
)

test('a stop while the server stands still ends the process in order', async () => {
  const { server } = await serve()
  await using _ = server
  const stopTraffic = server.startTraffic(5)
  await expect.poll(() => server.acknowledged.size, { timeout: 30_000 }).toBeGreaterThan(10)
  cluster.freeze()
  try {
    const code = server.stop()
    const gave = await Promise.race([code, pause(25_000).then(() => 'it hangs')])
    expect(gave).toBe(0)
  } finally {
    cluster.thaw()
    await stopTraffic()
  }
})

test('sessions that were made read-only are replaced', async () => {
  const { server, schema, audit } = await serve()
  await using _ = server
  await server.serves()
  const sessions = `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'sluice%'`
  await cluster.query(`alter database test set default_transaction_read_only = on`)
  try {
    await cluster.query(sessions)
    await expect
      .poll(() => server.ready(), { timeout: 20_000 })
      .toMatchObject({ status: 503, reason: expect.stringMatching(/read-only|no writes/) as string })
    expect([await server.chat(), await server.makeKey()]).toEqual([503, 503])
  } finally {
    // The sessions that are open now would stay read-only for ever.
    await cluster.query(`begin read write; alter database test reset default_transaction_read_only; commit`)
  }
  await server.serves()
  await expectFullPool(server, schema)
  await expectOrderly(server)
  expect(await audit()).toEqual([])
})

test('a database whose connections are all taken is an outage that passes', async () => {
  const { server, schema, audit } = await serve()
  await using _ = server
  await server.serves()
  const own = `from pg_stat_activity where application_name like 'sluice%'`
  const hogs: Client[] = []
  try {
    for (let round = 0; hogs.length < MAX_CONNECTIONS && round < 2 * MAX_CONNECTIONS; round++) {
      const hog = new Client({ connectionString: cluster.url })
      hog.on('error', () => undefined)
      const isIn = await hog.connect().then(
        () => true,
        () => false,
      )
      if (isIn) hogs.push(hog)
      else await hogs[0]!.query(`select pg_terminate_backend(pid) ${own}`)
    }
    await expect.poll(() => server.ready(), { timeout: 20_000 }).toMatchObject({ status: 503 })
    expect([await server.chat(), await server.makeKey()]).toEqual([503, 503])
  } finally {
    await Promise.all(hogs.map((hog) => hog.end()))
  }
  await server.serves()
  await expectFullPool(server, schema)
  await expectOrderly(server)
  expect(await audit()).toEqual([])
})

test('locked tables are an outage that passes', async () => {
  const { server, schema, audit } = await serve()
  await using _ = server
  await server.serves()
  const locker = new Client({ connectionString: cluster.url })
  await locker.connect()
  await locker.query(`begin; lock table ${schema}.ledger_account, ${schema}.api_key, ${schema}.account in access exclusive mode`)
  const answers = Promise.all([server.chat(), server.makeKey()])
  await expect.poll(() => server.ready(), { timeout: 20_000 }).toMatchObject({ status: 503 })
  expect((await server.get('/healthz')).status).toBe(200)
  expect(await answers).toEqual([503, 503])
  await locker.end()
  await server.serves()
  await expectOrderly(server)
  expect(await audit()).toEqual([])
})

test('a server that cannot look up keys is not ready until it can', async () => {
  const { server, schema } = await serve()
  await using _ = server
  await server.serves()
  const locker = new Client({ connectionString: cluster.url })
  await locker.connect()
  await locker.query(`begin; lock table ${schema}.api_key in access exclusive mode`)
  for (let round = 0; round < 6; round++) {
    expect(await server.ready()).toMatchObject({ status: 503 })
    await pause(250)
  }
  await locker.end()
  await expect.poll(() => server.ready(), { timeout: 20_000 }).toMatchObject({ status: 200 })
})

test('the connection for events notices a server that went silent or away, and hears of others again', async () => {
  const clock = new ManualClock()
  const lost: Error[] = []
  const listener = await createPostgresEvents({
    connectionString: cluster.url,
    channel: 'chaos',
    limits: { connectMs: 2_000, statementMs: 300 },
    clock,
    onError: (error) => lost.push(error),
  })
  let heard = 0
  listener.listen('t', () => heard++)
  const hearsAgain = async () => {
    const before = heard
    await expect
      .poll(async () => {
        await clock.advance(1_000)
        await cluster.query(`select pg_notify('chaos', '{"from":"another","topic":"t","payload":{}}')`)
        return heard
      })
      .toBeGreaterThan(before)
  }
  await hearsAgain()

  cluster.freeze()
  await clock.advance(5_000)
  await expect.poll(() => lost.length).toBe(1)
  cluster.thaw()
  await hearsAgain()

  await cluster.restart()
  await expect.poll(() => lost.length).toBe(2)
  await hearsAgain()
  await listener.close()
})
