/**
 * Two servers that lease of one account on a PostgreSQL of their own, under callers who never rest: one is killed, or stands still
 * until its leases are gone. `SLUICE_CHAOS=long` kills more often, and lets a server stand still for a minute.
 */
import { kill } from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditBooks, readPostgres } from '../kit/audit.js'
import { byEffort } from '../kit/effort.js'
import { type PostgresCluster, startPostgres } from '../kit/postgres.js'
import { type ChaosServer, startChaosServer } from './chaos-server.js'

const KILLS = byEffort({ brief: 1, short: 2, long: 20 })
const STILL_MS = byEffort({ brief: 2_000, short: 25_000, long: 60_000 })

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await startPostgres()
})
afterAll(() => cluster?.[Symbol.asyncDispose]())

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function installation() {
  const schema = `leases_${Math.random().toString(36).slice(2)}`
  const on: PostgresCluster['query'] = (sql) => cluster.query(sql.replace('from ', `from ${schema}.`))
  const acknowledged = new Map<string, bigint>()
  const started: ChaosServer[] = []
  return {
    async serve(): Promise<ChaosServer> {
      const server = await startChaosServer({ databaseUrl: `${cluster.url}?schema=${schema}`, ledger: { leases: true } })
      started.push(server)
      return server
    },
    async leases(): Promise<number> {
      return Number((await on('select count(*) as count from ledger_lease'))[0]?.['count'])
    },
    async audit(): Promise<string[]> {
      for (const server of started) for (const [id, cost] of server.acknowledged) acknowledged.set(id, cost)
      return auditBooks(readPostgres({ query: on }), { acknowledged })
    },
    async [Symbol.asyncDispose]() {
      for (const server of started) await server[Symbol.asyncDispose]()
    },
  }
}

const answers = async (server: ChaosServer, more: number) => {
  const before = server.acknowledged.size
  await expect.poll(() => server.acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(before + more)
}

test(
  `a server that is killed ${KILLS} times under load loses no charge that was told, and its leases come back`,
  { timeout: 600_000 },
  async () => {
    await using it = installation()
    const steady = await it.serve()
    for (let round = 0; round < KILLS; round++) {
      const killed = await it.serve()
      const [stopSteady, stopKilled] = [steady.startTraffic(8), killed.startTraffic(8)]
      await answers(killed, 30)
      await expect.poll(() => it.leases(), { timeout: 30_000 }).toBe(2)
      await killed.process.end('SIGKILL')
      await stopKilled()
      await answers(steady, 30)
      // Tables are read one after the other.
      await stopSteady()
      expect(await it.audit()).toEqual([])
    }
    // Twenty seconds, five of grace, and a heartbeat; and nobody asks any more, so that the other goes back too.
    await expect.poll(() => it.leases(), { timeout: 45_000, interval: 500 }).toBe(0)
    expect(await it.audit()).toEqual([])
    expect(await steady.metric('sluice_ledger_invariants_broken')).toBe(0)
    expect(await steady.stop()).toBe(0)
  },
)

test(
  `a server that stands still for ${STILL_MS / 1_000} seconds goes on in order, whatever became of its leases`,
  { timeout: 600_000 },
  async () => {
    await using it = installation()
    const [steady, still] = [await it.serve(), await it.serve()]
    const stops = [steady.startTraffic(8), still.startTraffic(8)]
    await answers(still, 30)
    await expect.poll(() => it.leases(), { timeout: 30_000 }).toBe(2)
    kill(still.process.pid, 'SIGSTOP')
    await pause(STILL_MS)
    kill(still.process.pid, 'SIGCONT')
    await answers(still, 30)
    await Promise.all(stops.map((stop) => stop()))
    expect(await it.audit()).toEqual([])
    expect(await still.metric('sluice_unexpected_errors_total')).toBe(0)
    // The account has plenty, so that what was under way is charged in full.
    expect(await still.metric('sluice_ledger_lost_usd_total')).toBe(0)
    expect(await Promise.all([steady.stop(), still.stop()])).toEqual([0, 0])
    expect(await it.leases()).toBe(0)
    expect(await it.audit()).toEqual([])
  },
)
