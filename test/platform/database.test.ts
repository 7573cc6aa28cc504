import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineEntity, p } from '@mikro-orm/core'
import { CompiledQuery } from 'kysely'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { type Database, type Entities, openDatabase } from '#platform/database/database.js'
import { parseDatabaseUrl } from '#platform/database/database-url.js'
import { assertMigrated, createMigration, migrate, pendingMigrations, snapshotDrift } from '#platform/database/migrations.js'
import { schemaDrift, testDatabase, testLocation } from '../kit/database.js'

const MAX_INT64 = 2n ** 63n - 1n
const dialects = ['sqlite', 'postgres'] as const

const Owner = defineEntity({
  name: 'Owner',
  properties: { id: p.string().primary(), amount: p.bigint(), visits: p.integer(), active: p.boolean(), seenAt: p.datetime() },
})
const Pet = defineEntity({
  name: 'Pet',
  properties: { id: p.string().primary(), owner: () => p.manyToOne(Owner).deleteRule('cascade') },
})
const OwnerWithNote = defineEntity({
  name: 'Owner',
  properties: {
    id: p.string().primary(),
    amount: p.bigint(),
    visits: p.string(),
    active: p.boolean(),
    seenAt: p.datetime(),
    note: p.string().nullable(),
  },
})
const PetOfOwnerWithNote = defineEntity({
  name: 'Pet',
  properties: { id: p.string().primary(), owner: () => p.manyToOne(OwnerWithNote).deleteRule('cascade') },
})

const PetWithNote = defineEntity({
  name: 'Pet',
  properties: {
    id: p.string().primary(),
    owner: () => p.manyToOne(OwnerWithNote).deleteRule('cascade'),
    note: p.string().nullable(),
  },
})

type Tables = { owner: { id: string; amount: bigint; visits: number } }

const seenAt = new Date(Date.UTC(2026, 10, 21, 8, 0, 0, 123))
const owner = (id: string, amount: bigint) => ({ id, amount, visits: 3, active: true, seenAt })

/** Node runs migrations from a folder of the repository, so that their import of the ORM resolves. */
function temporaryMigrations(): { path: string } & Disposable {
  const path = mkdtempSync(fileURLToPath(new URL('../../.migrations-', import.meta.url)))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Closed by the end of the test. */
async function opened(url: string, entities: Entities, migrationsPath: string): Promise<Database & AsyncDisposable> {
  const database = await openDatabase({ url, entities, migrationsPath })
  return { ...database, [Symbol.asyncDispose]: () => database.close() }
}

const execute = (database: Database, sql: string) =>
  database.kysely.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql)).then((result) => result.rows)

describe.each(dialects)('the %s database', (dialect) => {
  test('keeps 64-bit amounts exact through the ORM and through kysely', async () => {
    await using database = await testDatabase(dialect, [Owner, Pet])
    const writer = database.fork()
    writer.create(Owner, owner('most', MAX_INT64))
    writer.create(Owner, owner('least', -MAX_INT64))
    writer.create(Owner, owner('one', 1n))
    await writer.flush()

    const read = await database.fork().findOneOrFail(Owner, 'most')
    expect(read.amount).toBe(MAX_INT64)
    expect(read).toMatchObject({ visits: 3, active: true, seenAt })
    expect(await database.fork().count(Owner)).toBe(3)

    const tables = database.kysely.withTables<Tables>()
    const rows = await tables.selectFrom('owner').select(['id', 'amount', 'visits']).orderBy('id').execute()
    expect(rows).toEqual([
      { id: 'least', amount: -MAX_INT64, visits: 3 },
      { id: 'most', amount: MAX_INT64, visits: 3 },
      { id: 'one', amount: 1n, visits: 3 },
    ])
    const updated = await tables
      .updateTable('owner')
      .set({ amount: MAX_INT64 - 1n })
      .where('amount', '=', MAX_INT64)
      .executeTakeFirstOrThrow()
    expect(updated.numUpdatedRows).toBe(1n)
    expect((await database.fork().findOneOrFail(Owner, 'most')).amount).toBe(MAX_INT64 - 1n)
  })

  test('reads aggregates without losing digits', async () => {
    await using database = await testDatabase(dialect, [Owner, Pet])
    const em = database.fork()
    em.create(Owner, owner('a', 2n ** 60n))
    em.create(Owner, owner('b', 1n))
    await em.flush()
    const [row] = await execute(database, 'select sum(amount) as total, count(*) as count from owner')
    expect(BigInt(String(row?.total))).toBe(2n ** 60n + 1n)
    expect(Number(row?.count)).toBe(2)
  })

  test('rolls a failed transaction back and enforces foreign keys', async () => {
    await using database = await testDatabase(dialect, [Owner, Pet])
    const failing = database.fork().transactional(async (em) => {
      em.create(Owner, owner('a', 1n))
      await em.flush()
      throw new Error('stop')
    })
    await expect(failing).rejects.toThrow('stop')
    expect(await database.fork().count(Owner)).toBe(0)
    await expect(execute(database, `insert into pet (id, owner_id) values ('p', 'nobody')`)).rejects.toThrow(/foreign key/i)
  })

  test('reports drift between entities and the live database', async () => {
    await using database = await testDatabase(dialect, [Owner, Pet], true)
    expect(await schemaDrift(database)).toBe('')
    await execute(database, 'alter table owner drop column visits')
    expect(await schemaDrift(database)).toContain('visits')
  })

  test('writes migrations offline, refuses pending ones by name, and applies them without losing rows', async () => {
    using folder = temporaryMigrations()
    await using location = await testLocation(dialect, true)
    const source = { dialect, entities: [Owner, Pet], migrationsPath: folder.path }
    expect(await snapshotDrift(source)).toBe(true)
    const first = await createMigration(source, 'initial')
    expect(first?.fileName).toMatch(/^Migration\d+_initial\.ts$/)
    expect(await snapshotDrift(source)).toBe(false)
    expect(await createMigration(source, 'nothing')).toBeNull()

    const database = await openDatabase({ url: location.url, entities: [Owner, Pet], migrationsPath: folder.path })
    await expect(assertMigrated(database, 'sluice migrate')).rejects.toThrow(
      /1 migration is missing .*Migration\d+_initial.* run "sluice migrate"/,
    )
    expect(await migrate(database)).toHaveLength(1)
    await assertMigrated(database, 'sluice migrate')
    expect(await migrate(database)).toEqual([])
    expect(await schemaDrift(database)).toBe('')
    const em = database.fork()
    em.create(Pet, { id: 'p', owner: em.create(Owner, owner('a', MAX_INT64)) })
    await em.flush()
    await database.close()

    // The second migration changes a column's type: on SQLite that rebuilds the parent table of `pet`.
    const changed = { ...source, entities: [OwnerWithNote, PetOfOwnerWithNote] }
    expect(await snapshotDrift(changed)).toBe(true)
    expect(await createMigration(changed, 'note')).not.toBeNull()
    const reopened = await openDatabase({ url: location.url, entities: changed.entities, migrationsPath: folder.path })
    expect(await schemaDrift(reopened)).toContain('note')
    expect(await pendingMigrations(reopened)).toHaveLength(1)
    await migrate(reopened)
    expect(await schemaDrift(reopened)).toBe('')
    expect(await execute(reopened, 'select id from pet')).toEqual([{ id: 'p' }])
    expect(await execute(reopened, 'select amount from owner')).toEqual([{ amount: MAX_INT64 }])
    await expect(execute(reopened, `insert into pet (id, owner_id) values ('q', 'nobody')`)).rejects.toThrow(/foreign key/i)
    await reopened.close()
    expect(readdirSync(`${folder.path}/${dialect}`)).toHaveLength(3)
    expect(readFileSync(`${folder.path}/${dialect}/.snapshot.json`, 'utf8')).toContain('note')
  })
})

test('migrations that PostgreSQL ends because a server holds what they need, and needs what they hold, are applied again', async () => {
  using folder = temporaryMigrations()
  await using location = await testLocation('postgres', true)
  const source = { dialect: 'postgres' as const, entities: [Owner, Pet], migrationsPath: folder.path }
  await createMigration(source, 'initial')
  await using first = await opened(location.url, source.entities, folder.path)
  await migrate(first)
  const changed = [OwnerWithNote, PetWithNote]
  await createMigration({ ...source, entities: changed }, 'notes')
  await using database = await opened(location.url, changed, folder.path)

  const url = new URL(location.url)
  url.searchParams.delete('schema')
  const server = new Client({ connectionString: url.toString() })
  await server.connect()
  await server.query('begin; select from alone.pet')
  const migrated = migrate(database)
  const waiting = () => server.query("select from pg_locks where not granted and relation = 'alone.pet'::regclass")
  await expect.poll(async () => (await waiting()).rowCount).toBe(1)
  // It waits for us, and we for it: it waited first, and so is the first to find out.
  await server.query('select from alone.owner')
  await server.query('commit')
  await server.end()
  expect(await migrated).toHaveLength(1)
  expect(await schemaDrift(database)).toBe('')
})

describe('the SQLite connection', () => {
  test('waits for another connection that writes, also when it has read before', async () => {
    await using database = await testDatabase('sqlite', [Owner, Pet])
    const other = await openDatabase({ url: database.url, entities: [Owner, Pet] })
    await other.fork().transactional(async (em) => {
      await em.count(Owner)
      em.create(Owner, owner('a', 1n))
    })
    await database.fork().transactional(async (em) => {
      expect(await em.count(Owner)).toBe(1)
      em.create(Owner, owner('b', 1n))
    })
    await other.close()
    const [mode] = await execute(database, 'pragma journal_mode')
    const [sync] = await execute(database, 'pragma synchronous')
    expect([mode, sync]).toEqual([{ journal_mode: 'wal' }, { synchronous: 2 }])
  })
})

describe('a database url', () => {
  test.each([
    ['sqlite:./data/sluice.db', { dialect: 'sqlite', file: './data/sluice.db' }],
    ['sqlite:///var/lib/sluice.db', { dialect: 'sqlite', file: '/var/lib/sluice.db' }],
    ['postgres://u:p@h:1/d?schema=s', { dialect: 'postgres', connectionString: 'postgres://u:p@h:1/d', schema: 's' }],
    ['postgresql://h/d', { dialect: 'postgres', connectionString: 'postgresql://h/d', schema: null }],
  ])('%s is understood', (url, expected) => {
    expect(parseDatabaseUrl(url)).toEqual(expected)
  })

  test.each(['mysql://u:secret@h/d', 'sqlite:', 'sqlite::memory:', 'postgres://h/d?schema=a;b', 'secret'])(
    '%s is refused without being repeated',
    (url) => {
      expect(() => parseDatabaseUrl(url)).toThrow(expect.objectContaining({ message: expect.not.stringContaining('secret') }))
    },
  )

  test('that nobody answers fails with a public sentence', async () => {
    await expect(openDatabase({ url: 'postgres://127.0.0.1:1/none', entities: [Owner, Pet] })).rejects.toThrow(
      'Nothing listens at 127.0.0.1:1: PostgreSQL is not running there.',
    )
  })
})
