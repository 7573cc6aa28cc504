/** A backup is one moment of the books, proven; a restore is that moment again, or nothing happened. */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '#platform/clock.js'
import { openDatabase } from '#platform/database/database.js'
import { migrate } from '#platform/database/migrations.js'
import { ownSqliteFile } from '#platform/database/sqlite/sqlite-owner.js'
import { entities } from '../../src/app/entities.js'
import { backUp } from '../../src/keeping/backup.js'
import { knownMigrations } from '../../src/keeping/installation-file.js'
import { restore } from '../../src/keeping/restore.js'
import { packageRoot } from '../../src/platform/package-root.js'
import { openLedger, type Ledger } from '../../subgraphs/accounts/index.js'
import { usage } from '../accounts/ledger/kit/ledger-kit.js'
import { auditBooks, readSqlite } from '../kit/audit.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-backup-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const pathOf = (name: string) => join(folder, name)
const original = pathOf('original.db')
const good = pathOf('good.db')
let ledger: Ledger

const urlOf = (name: string) => `sqlite:${pathOf(name)}`
const SOURCE = `sqlite:${original}`

/** A database with tables, a row in `account`, and books. */
beforeAll(async () => {
  const database = await openDatabase({ url: SOURCE, entities })
  await migrate(database)
  await database.close()
  onFile(
    original,
    `insert into account (id, name, is_administrator, cold_start_mode, scan_tier, created_at) values ('acc_1', 'one', 1, 'respond', 'free', 1)`,
  )
  ledger = await openLedger({ url: SOURCE, clock: systemClock })
  await ledger.openAccount('acc_1', { monthlyCap: null })
  await ledger.topUp({ accountId: 'acc_1', amount: 1_000_000_000_000n, idempotencyKey: 'start', kind: 'top_up' })
  await charge('before', 50n)
  await backUp({ databaseUrl: SOURCE, file: good, force: false })
})
afterAll(() => ledger.close())

async function charge(holdId: string, amount: bigint): Promise<void> {
  await ledger.reserve({
    holdId,
    accountId: 'acc_1',
    amount: 1_000n,
    purpose: 'chat',
    keyId: 'key_1',
    modelId: 'model-1',
    expiresAt: Date.now() + 60_000,
  })
  await ledger.settle({ holdId, amount, usage: usage() })
}

function onFile(file: string, sql: string): void {
  const db = new DatabaseSync(file, { timeout: 10_000 })
  db.exec(sql)
  db.close()
}

const accountNames = (file: string) => {
  const db = new DatabaseSync(file, { readOnly: true })
  const names = db.prepare('select name from account').all()
  db.close()
  return names.map(({ name }) => name)
}

describe('backup', () => {
  it('is one moment of books that are written meanwhile: what was charged before it is in it, and it balances', async () => {
    const acknowledged = new Map<string, bigint>()
    let isOver = false
    const working = Promise.all(
      Array.from({ length: 8 }, async (_, client) => {
        for (let turn = 0; !isOver; turn++) {
          await charge(`hold-${client}-${turn}`, 7n)
          if (!isOver) acknowledged.set(`hold-${client}-${turn}`, 7n)
        }
      }),
    )
    await expect.poll(() => acknowledged.size, { interval: 5 }).toBeGreaterThan(50)
    const before = new Map(acknowledged)
    const { books } = await backUp({ databaseUrl: SOURCE, file: pathOf('live.db'), force: false })
    isOver = true
    await working
    expect(books).toMatchObject({ ok: true, accounts: 1 })
    expect(await auditBooks(readSqlite(pathOf('live.db')), { acknowledged: before })).toEqual([])
    expect(readdirSync(folder).filter((name) => /live\.db.|\.part/.test(name))).toEqual([])
  })

  it('takes the place of no file without force, and never that of the database', async () => {
    await expect(backUp({ databaseUrl: SOURCE, file: good, force: false })).rejects.toThrow('--force')
    await expect(backUp({ databaseUrl: SOURCE, file: original, force: true })).rejects.toThrow('the database itself')
    await expect(backUp({ databaseUrl: SOURCE, file: pathOf('no/b.db'), force: false })).rejects.toThrow('no folder')
    await expect(backUp({ databaseUrl: urlOf('nothing.db'), file: pathOf('b.db'), force: false })).rejects.toThrow('no database')
  })

  it('of PostgreSQL is refused with what to use', async () => {
    const postgres = { databaseUrl: 'postgres://host/name', file: pathOf('b.db'), force: false }
    await expect(backUp(postgres)).rejects.toThrow('pg_dump')
    await expect(restore(postgres)).rejects.toThrow('pg_restore')
  })

  it.skipIf(process.platform !== 'linux')(
    'that finds no room says so and leaves nothing behind (needs prlimit of Linux)',
    async () => {
      mkdirSync(pathOf('full'))
      const main = join(packageRoot, 'dist', 'src', 'main.js')
      const { status, stderr } = spawnSync('prlimit', ['--fsize=100000', process.execPath, main, 'backup', pathOf('full/b.db')], {
        env: { PATH: process.env['PATH'], SLUICE_DATABASE_URL: SOURCE },
        encoding: 'utf8',
      })
      expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('Nothing was written') as string })
      expect(readdirSync(pathOf('full'))).toEqual([])
      await charge('after-full', 3n)
    },
  )
})

describe('restore', () => {
  it('brings a backup back where nothing is, and does not touch the backup', async () => {
    const bytes = readFileSync(good)
    const result = await restore({ databaseUrl: urlOf('new/restored.db'), file: good, force: false })
    expect(result).toMatchObject({ migrations: [], replaced: null, books: { ok: true, accounts: 1 } })
    expect(accountNames(pathOf('new/restored.db'))).toEqual(['one'])
    expect(readFileSync(good).equals(bytes)).toBe(true)
  })

  it('refuses a database that holds accounts; with force it is kept under another name, with its log', async () => {
    copyFileSync(good, pathOf('used.db'))
    onFile(pathOf('used.db'), "update account set name = 'two'")
    const request = { databaseUrl: urlOf('used.db'), file: good, force: false }
    await expect(restore(request)).rejects.toThrow('holds an account')
    expect(accountNames(pathOf('used.db'))).toEqual(['two'])
    const { replaced } = await restore({ ...request, force: true })
    expect([accountNames(pathOf('used.db')), accountNames(replaced!)]).toEqual([['one'], ['two']])
  })

  it('refuses a database in use, also with force', async () => {
    const owner = ownSqliteFile(pathOf('busy.db'), systemClock)
    await expect(restore({ databaseUrl: urlOf('busy.db'), file: good, force: true })).rejects.toThrow(`process ${process.pid}`)
    owner.release()
  })

  it('brings the backup of an older version up to date', async () => {
    const older = await openDatabase({ url: urlOf('older.db'), entities })
    await older.orm.migrator.up({ to: knownMigrations().at(-2)! })
    await older.close()
    onFile(pathOf('older.db'), 'pragma journal_mode = delete')
    const result = await restore({ databaseUrl: urlOf('upgraded.db'), file: pathOf('older.db'), force: false })
    expect(result.migrations).toEqual([knownMigrations().at(-1)])
  })

  it.each<[string, string, (file: string) => void]>([
    [
      'a newer version',
      'newer version',
      (file) => onFile(file, "insert into mikro_orm_migrations (name) values ('Migration2999')"),
    ],
    ['books that do not balance', 'does not balance', (file) => onFile(file, 'update ledger_account set balance = balance + 1')],
    ['a damaged file', 'is damaged', (file) => writeFileSync(file, readFileSync(file).fill(0xaa, 8192, 40_000))],
    ['another program', 'not one of Sluice', (file) => onFile(file, 'drop table mikro_orm_migrations')],
    ['no database', 'no SQLite database', (file) => writeFileSync(file, 'A text of some length. '.repeat(100))],
    ['a database with its log', 'has a log', (file) => writeFileSync(`${file}-wal`, '')],
  ])('refuses %s, and leaves nothing behind', async (name, sentence, change) => {
    const at = name.replaceAll(' ', '-')
    mkdirSync(pathOf(at))
    copyFileSync(good, pathOf(`${at}.db`))
    change(pathOf(`${at}.db`))
    await expect(restore({ databaseUrl: urlOf(`${at}/sluice.db`), file: pathOf(`${at}.db`), force: true })).rejects.toThrow(
      sentence,
    )
    expect(readdirSync(pathOf(at)).filter((file) => file !== 'sluice.db.owner')).toEqual([])
  })
})

it('the commands say what they did', () => {
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [join(packageRoot, 'dist', 'src', 'main.js'), ...args], {
      env: { PATH: process.env['PATH'], SLUICE_DATABASE_URL: urlOf('command.db') },
      encoding: 'utf8',
    })
  expect(run('restore', good)).toContain('accounts 1, ledger entries 2, open holds 0; the ledger balances')
  expect(run('backup', pathOf('command-backup.db'))).toContain('command-backup.db')
  expect(existsSync(pathOf('command-backup.db'))).toBe(true)
})
