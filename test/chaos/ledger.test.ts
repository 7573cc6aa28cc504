import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '#platform/database/database.js'
import { createBatchedLedger } from '../../subgraphs/accounts/ledger/batched-ledger.js'
import type { Ledger } from '../../subgraphs/accounts/ledger/ledger.js'
import { ledgerEntities } from '../../subgraphs/accounts/ledger/ledger-tables.js'
import { startPostgres } from '../kit/postgres.js'
import { MINUTE_MS, openTransport, SteppingClock, usage } from '../accounts/ledger/kit/ledger-kit.js'

const clock = new SteppingClock()
const UNAVAILABLE = { code: 'service_unavailable', retryAfterSeconds: 2 }

async function openTables(url: string): Promise<void> {
  const database = await openDatabase({ url, entities: ledgerEntities })
  await database.orm.schema.create()
  await database.close()
}

async function openFunded(url: string, retryMs: number): Promise<Ledger> {
  await openTables(url)
  const transport = openTransport(url, { connectMs: 500, statementMs: 500, lockMs: 200 })
  const ledger = await createBatchedLedger({ transport, clock, limits: { retryMs } })
  await ledger.openAccount('acc', { monthlyCap: null })
  await ledger.topUp({ accountId: 'acc', amount: 10n ** 12n, idempotencyKey: 'k', kind: 'top_up' })
  return ledger
}

const reserve = (ledger: Ledger, holdId: string) =>
  ledger.reserve({ holdId, accountId: 'acc', amount: 100n, purpose: 'chat', expiresAt: clock.now() + MINUTE_MS })

async function charge(ledger: Ledger, holdId: string): Promise<void> {
  await reserve(ledger, holdId)
  await ledger.settle({ holdId, amount: 70n, usage: usage() })
}

/** A file system of three megabytes, which only root can make. */
function smallDisk(): { readonly folder: string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-disk-'))
  execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder])
  return {
    folder,
    [Symbol.dispose]() {
      execFileSync('/bin/umount', ['-l', folder])
      rmSync(folder, { recursive: true })
    },
  }
}

describe.runIf(process.getuid?.() === 0)('a ledger on SQLite whose disk is full', () => {
  test('says so, charges again when there is space, and has lost and doubled nothing', { timeout: 30_000 }, async () => {
    using disk = smallDisk()
    const ledger = await openFunded(`sqlite:${disk.folder}/ledger.db`, 1_000)
    const { bavail, bsize } = statfsSync(disk.folder)
    writeFileSync(join(disk.folder, 'filler'), Buffer.alloc(bavail * bsize - 65_536))
    let charged = 0n
    const fillUp = async () => {
      for (let index = 0; index < 2_000; index++) {
        await charge(ledger, `hold-${index}`)
        charged += 70n
      }
    }
    await expect(fillUp()).rejects.toMatchObject(UNAVAILABLE)
    expect(await ledger.health()).toEqual({ ok: false, reason: 'The disk of the database is full.' })

    rmSync(join(disk.folder, 'filler'))
    await expect.poll(() => ledger.health()).toEqual({ ok: true })
    await charge(ledger, 'after')
    charged += 70n
    // The sweep stands for the clock, which does not move here: what was in doubt is repeated first.
    await ledger.sweep()
    const { balance, held } = await ledger.read('acc')
    expect(held).toBe(0n)
    expect([0n, 70n]).toContain(10n ** 12n - balance - charged)
    expect((await ledger.checkInvariants()).violations).toEqual([])
    await ledger.close()
  })
})

describe('a ledger on PostgreSQL', () => {
  test('whose server turned read-only charges again as soon as it takes writes', { timeout: 30_000 }, async () => {
    await using cluster = await startPostgres()
    const ledger = await openFunded(cluster.url, 300)
    await cluster.query('alter database test set default_transaction_read_only = on')
    await cluster.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null',
    )
    await expect(charge(ledger, 'hold-1')).rejects.toMatchObject(UNAVAILABLE)
    expect(await ledger.health()).toEqual({ ok: false, reason: 'The database takes no writes.' })

    await cluster.query('begin read write; alter database test reset default_transaction_read_only; commit')
    await charge(ledger, 'hold-2')
    expect(await ledger.health()).toEqual({ ok: true })
    await ledger.close()
  })

  test(
    'whose server stands still fails in bounded time, and its last batch is undone when the server wakes',
    { timeout: 30_000 },
    async () => {
      await using cluster = await startPostgres()
      const ledger = await openFunded(cluster.url, 0)
      await charge(ledger, 'hold-1')
      cluster.freeze()
      await expect(reserve(ledger, 'hold-2')).rejects.toMatchObject(UNAVAILABLE)
      expect(await ledger.health()).toMatchObject({ ok: false })
      cluster.thaw()
      await expect.poll(() => ledger.health(), { timeout: 10_000 }).toEqual({ ok: true })
      await ledger.sweep()
      expect(await ledger.read('acc')).toMatchObject({ held: 0n, balance: 10n ** 12n - 70n })
      await ledger.close()
    },
  )

  test('answers everything exactly once over crashes and restarts of its server', { timeout: 60_000 }, async () => {
    await using cluster = await startPostgres()
    const ledger = await openFunded(cluster.url, 10_000)
    let isOver = false
    let charged = 0n
    const client = async (_: unknown, name: number) => {
      for (let index = 0; !isOver; index++) {
        await charge(ledger, `hold-${name}-${index}`)
        charged += 70n
      }
    }
    const clients = Array.from({ length: 16 }, client)
    for (const how of ['fast', 'immediate', 'fast'] as const) {
      const before = charged
      await cluster.restart(how)
      await expect.poll(() => charged - before, { timeout: 10_000 }).toBeGreaterThan(70n * 32n)
    }
    isOver = true
    await Promise.all(clients)
    expect(await ledger.read('acc')).toMatchObject({ held: 0n, balance: 10n ** 12n - charged })
    expect((await ledger.checkInvariants()).violations).toEqual([])
    await ledger.close()
  })
})
