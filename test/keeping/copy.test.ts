/** An installation that moves to another database is there whole, to the last nano-USD, or not at all. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '#platform/clock.js'
import { type Database, openDatabase } from '#platform/database/database.js'
import { migrate } from '#platform/database/migrations.js'
import { createInProcessEvents } from '#platform/events/events.js'
import { createOutbox } from '#platform/events/outbox.js'
import { entities } from '../../src/app/entities.js'
import { copyInstallation } from '../../src/keeping/copy.js'
import { openLedger } from '../../subgraphs/accounts/index.js'
import { usage } from '../accounts/ledger/kit/ledger-kit.js'
import { auditBooks, readSqlite } from '../kit/audit.js'
import { testLocation, type TestLocation } from '../kit/database.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-copy-'))
const pathOf = (name: string) => join(folder, name)
const urlOf = (name: string) => `sqlite:${pathOf(name)}`
let postgres: TestLocation

beforeAll(async () => {
  postgres = await testLocation('postgres')
  await fill(urlOf('source.db'))
})
afterAll(async () => {
  await postgres[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** More rows than a page holds, in tables of every kind, with texts and numbers that a careless copy would change. */
async function fill(url: string): Promise<void> {
  const database = await openDatabase({ url, entities })
  await migrate(database)
  const outbox = createOutbox({ database, events: createInProcessEvents(), clock: systemClock })
  const events = Array.from({ length: 3 }, (_, index) => ({
    topic: 't',
    subject: `s${index}`,
    payload: { text: 'ä "\'\\ 😀\n', index },
  }))
  await outbox.append(database.kysely, events)
  await run(
    database,
    `insert into account (id, name, is_administrator, cold_start_mode, scan_tier, created_at)
     values ('acc_1', 'Über', 1, 'respond', 'free', 1), ('acc_2', '007', 0, 'wait', 'pro', 9007199254740993)`,
  )
  await database.close()
  const ledger = await openLedger({ url, clock: systemClock })
  for (const accountId of ['acc_1', 'acc_2']) {
    await ledger.openAccount(accountId, { monthlyCap: accountId === 'acc_1' ? 4_000_000_000_000_000_000n : null })
    await ledger.topUp({ accountId, amount: 9_007_199_254_740_993n, idempotencyKey: 'start', kind: 'top_up' })
  }
  const expiresAt = Date.now() + 3_600_000
  const chat = async (index: number) => {
    const hold = { holdId: `req_${index}`, accountId: `acc_${1 + (index % 2)}`, amount: 1_000n, keyId: 'key_1', modelId: 'm' }
    await ledger.reserve({ ...hold, purpose: 'chat', expiresAt })
    await ledger.settle({ holdId: hold.holdId, amount: BigInt(index % 900), usage: usage({ firstTokenMs: null }) })
  }
  await Promise.all(Array.from({ length: 1_200 }, (_, index) => chat(index)))
  await ledger.reserve({ holdId: 'gses_1', accountId: 'acc_2', amount: 5_000n, purpose: 'session', expiresAt })
  await ledger.capture({ holdId: 'gses_1', total: 77n })
  await ledger.close()
}

const run = async (database: Database, text: string) => (await database.kysely.executeQuery(CompiledQuery.raw(text))).rows

async function onDatabase<Result>(url: string, work: (database: Database) => Promise<Result>): Promise<Result> {
  const database = await openDatabase({ url, entities })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Every row of a table of a SQLite file, as text. */
function rowsOf(file: string): Record<string, string[]> {
  const db = new DatabaseSync(file, { readOnly: true, readBigInts: true })
  const tables = db.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'").all()
  const entries = tables
    .map(({ name }) => String(name))
    .filter((name) => !['mikro_orm_migrations', 'ledger_process'].includes(name))
    .map((name) => [
      name,
      db
        .prepare(`select * from ${name}`)
        .all()
        .map((row) => JSON.stringify(row, texts))
        .toSorted(),
    ])
  db.close()
  return Object.fromEntries(entries) as Record<string, string[]>
}
const texts = (_key: string, value: unknown) => (typeof value === 'bigint' ? `int ${value}` : value)

it('goes to PostgreSQL and back without a row changed, and both find their books in order', async () => {
  const there = await copyInstallation({ from: urlOf('source.db'), to: postgres.url })
  expect(there.books).toMatchObject({ ok: true, accounts: 2, openHolds: 1 })
  const back = await copyInstallation({ from: postgres.url, to: urlOf('back.db') })
  expect(back.tables).toEqual(there.tables)
  expect(back.balance).toBe(there.balance)
  expect(rowsOf(pathOf('back.db'))).toEqual(rowsOf(pathOf('source.db')))
  expect(await auditBooks(readSqlite(pathOf('back.db')), { acknowledged: new Map([['req_899', 899n]]) })).toEqual([])
  // The counter of the target goes on behind what it was given.
  await onDatabase(postgres.url, async (database) => {
    const outbox = createOutbox({ database, events: createInProcessEvents(), clock: systemClock })
    await outbox.append(database.kysely, [{ topic: 't', subject: 'new', payload: {} }])
    expect(await outbox.latest()).toBe(4)
  })
})

it('refuses a target that holds something, and a source on which a server works', async () => {
  await expect(copyInstallation({ from: urlOf('source.db'), to: postgres.url })).rejects.toThrow('The target holds something')
  await onDatabase(postgres.url, (database) => run(database, `insert into ledger_process values ('p', ${Date.now()})`))
  await expect(copyInstallation({ from: postgres.url, to: urlOf('other.db') })).rejects.toThrow('A server works on the source')
  const ledger = { url: urlOf('source.db'), clock: systemClock }
  await expect(copyInstallation({ from: ledger.url, to: ledger.url })).rejects.toThrow('onto itself')
  await expect(copyInstallation({ from: urlOf('none.db'), to: urlOf('other.db') })).rejects.toThrow('no database')
})

it('writes nothing when a row does not fit, or when the books of the source are not in order', async () => {
  await using target = await testLocation('postgres')
  await fill(urlOf('odd.db'))
  const change = (sql: string) => onDatabase(urlOf('odd.db'), (database) => run(database, sql))
  await change(`update usage_record set model_id = '${'x'.repeat(300)}' where request_id = 'req_7'`)
  await expect(copyInstallation({ from: urlOf('odd.db'), to: target.url })).rejects.toThrow('A row of usage_record does not fit')
  const counted = await onDatabase(target.url, (database) => run(database, 'select count(*) as n from account'))
  expect(counted).toEqual([{ n: 0n }])
  await change("update ledger_account set balance = balance + 1 where account_id = 'acc_1'")
  await expect(copyInstallation({ from: urlOf('odd.db'), to: target.url })).rejects.toThrow('does not balance')
})
