/**
 * kill -9 of the server under load, again and again on the same books: what was told is charged once, and the next server sweeps what
 * was left open. Servers that lease have leases.test.ts. `SLUICE_CHAOS=long` kills twenty times.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditBooks, readPostgres, readSqlite, type ReadTable } from '../kit/audit.js'
import { byEffort } from '../kit/effort.js'
import { startPostgres } from '../kit/postgres.js'
import { type ChaosServerOptions, startChaosServer } from './chaos-server.js'

const KILLS = byEffort({ brief: 1, short: 2, long: 20 })

interface Books extends AsyncDisposable {
  readonly at: Pick<ChaosServerOptions, 'databaseUrl' | 'folder'>
  readonly read: ReadTable
}

const BOOKS: Record<string, () => Promise<Books>> = {
  async SQLite() {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-kills-'))
    return {
      at: { databaseUrl: null, folder },
      read: readSqlite(join(folder, 'data', 'sluice.db')),
      [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }),
    }
  },
  async PostgreSQL() {
    const cluster = await startPostgres()
    return {
      at: { databaseUrl: cluster.url },
      read: readPostgres(cluster),
      [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
    }
  },
}

test.each(Object.keys(BOOKS))(
  `${KILLS} kills under load on %s leave the books in order`,
  { timeout: 600_000 },
  async (database) => {
    await using books = await BOOKS[database]!()
    const acknowledged = new Map<string, bigint>()
    for (let round = 0; round < KILLS; round++) {
      await using server = await startChaosServer(books.at)
      const stopTraffic = server.startTraffic(16)
      await expect.poll(() => server.acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(200)
      await server.process.end('SIGKILL')
      await stopTraffic()
      for (const [id, cost] of server.acknowledged) acknowledged.set(id, cost)
      expect(await auditBooks(books.read, { acknowledged })).toEqual([])
    }
    await using last = await startChaosServer(books.at)
    await last.serves()
    const open = async () => (await books.read('ledger_hold')).filter(({ state }) => state === 'open')
    await expect.poll(open, { timeout: 60_000, interval: 500 }).toEqual([])
    expect(await auditBooks(books.read, { acknowledged })).toEqual([])
    expect(await last.stop()).toBe(0)
  },
)
