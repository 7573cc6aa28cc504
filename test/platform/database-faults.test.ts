/** What goes wrong inside of a connection must end with that connection, and not with the pool. */
import { DatabaseSync } from 'node:sqlite'
import { defineEntity, p } from '@mikro-orm/core'
import { CompiledQuery } from 'kysely'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '#platform/database/database.js'
import { defaultDatabaseLimits } from '#platform/database/database-limits.js'
import type { OutageWatch } from '#platform/database/outage-watch.js'
import { postgresUrl, testLocation } from '../kit/database.js'

const Item = defineEntity({
  name: 'Item',
  properties: { id: p.string().primary(), amount: p.bigint(), text: p.text().default('') },
})
type Tables = { item: { id: string; amount: bigint } }

const POOL = 2
const limits = { ...defaultDatabaseLimits, connectMs: 2_000, lockMs: 300 }
const dialects = ['sqlite', 'postgres'] as const
type TestDatabase = Database & AsyncDisposable

async function smallDatabase(dialect: (typeof dialects)[number], others: Partial<typeof limits> = {}): Promise<TestDatabase> {
  const location = await testLocation(dialect)
  const database = await openDatabase({
    url: location.url,
    entities: [Item],
    maxConnections: POOL,
    limits: { ...limits, ...others },
  })
  await database.orm.schema.create()
  return {
    ...database,
    async [Symbol.asyncDispose]() {
      await database.close()
      await location[Symbol.asyncDispose]()
    },
  }
}

const run = async (database: Pick<Database, 'kysely'>, sql: string) =>
  (await database.kysely.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql))).rows

/** As many transactions at once as there are places, on both ways to the database. */
async function expectAllPlacesFree(database: Database): Promise<void> {
  const places = database.dialect === 'postgres' ? POOL : 1
  const allIn = new Barrier(places)
  const viaOrm = Array.from({ length: places }, (_, index) =>
    database.fork().transactional(async (em) => {
      em.create(Item, { id: `after-${Math.random()}`, amount: BigInt(index) })
      await em.flush()
      await allIn.arrive()
    }),
  )
  await Promise.all(viaOrm)
  await database.kysely
    .withTables<Tables>()
    .transaction()
    .execute((tx) =>
      tx
        .insertInto('item')
        .values({ id: `after-${Math.random()}`, amount: 1n })
        .execute(),
    )
}

/** Resolves for all when all have come. */
class Barrier {
  readonly #all = Promise.withResolvers<void>()
  #missing: number

  constructor(count: number) {
    this.#missing = count
  }

  arrive(): Promise<void> {
    if (--this.#missing === 0) this.#all.resolve()
    return this.#all.promise
  }
}

async function onPostgres(sql: string): Promise<void> {
  const client = new Client({ connectionString: postgresUrl })
  await client.connect()
  await client.query(sql)
  await client.end()
}

const kill = (pid: unknown) => onPostgres(`select pg_terminate_backend(${String(pid)})`)

describe.each(dialects)('a %s connection', (dialect) => {
  test('whose begin fails gives its place back', async () => {
    await using database = await smallDatabase(dialect)
    for (let round = 0; round < 2 * POOL; round++) {
      if (dialect === 'postgres') {
        // No such level: the server refuses the begin itself.
        const begin = database.kysely.startTransaction().setIsolationLevel('snapshot').execute()
        await expect(begin).rejects.toThrow(/syntax/)
      } else {
        using other = lockHolder(database)
        await expect(database.kysely.startTransaction().execute()).rejects.toMatchObject({ code: 'service_unavailable' })
        other.release()
      }
    }
    await expectAllPlacesFree(database)
  })
})

describe('a postgres connection', () => {
  test('that dies in a transaction of the ORM gives its place back, and the caller hears of an outage', async () => {
    await using database = await smallDatabase('postgres')
    for (let round = 0; round < 2 * POOL; round++) {
      const killed = database.fork().transactional(async (em) => {
        em.create(Item, { id: `killed-${round}`, amount: 1n })
        await em.flush()
        const [row] = await em.getConnection().execute('select pg_backend_pid() as pid', [], 'all', em.getTransactionContext())
        await kill((row as { pid: number }).pid)
        // The next thing is the commit.
      })
      await expect(killed).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: expect.any(Number) as number })
    }
    await expectAllPlacesFree(database)
    expect(await run(database, `select id from item where id like 'killed%'`)).toEqual([])
  })

  test('that dies in a transaction of kysely gives its place back', async () => {
    await using database = await smallDatabase('postgres')
    for (let round = 0; round < 2 * POOL; round++) {
      const transaction = await database.kysely.startTransaction().execute()
      const { rows } = await transaction.executeQuery<{ pid: number }>(CompiledQuery.raw('select pg_backend_pid() as pid'))
      await kill(rows[0]?.pid)
      await expect(transaction.commit().execute()).rejects.toMatchObject({ code: 'service_unavailable' })
    }
    await expectAllPlacesFree(database)
  })

  test('that was made read-only is replaced', async () => {
    await using database = await smallDatabase('postgres')
    const one = await openDatabase({ url: database.url, entities: [Item], maxConnections: 1, limits })
    for (const make of [`set default_transaction_read_only = on`, `set session characteristics as transaction read only`]) {
      await run(one, make)
      await expect(run(one, `insert into item values ('x', 1)`)).rejects.toMatchObject({ code: 'service_unavailable' })
      await run(one, `insert into item values ('${make}', 1)`)

      await run(one, make)
      await expect(one.probe()).rejects.toMatchObject({ reason: 'read_only' })
      await one.probe()
    }
    await one.close()
  })

  test('of which a statement takes too long fails as an outage, and works on', async () => {
    await using database = await smallDatabase('postgres')
    const hasty = await openDatabase({ url: database.url, entities: [Item], limits: { ...limits, statementMs: 100 } })
    await expect(run(hasty, 'select pg_sleep(20)')).rejects.toMatchObject({ code: 'service_unavailable', reason: 'timeout' })
    expect(await hasty.unhurried(() => run(hasty, 'select pg_sleep(0.2)'))).toHaveLength(1)
    await expect(run(hasty, 'select pg_sleep(20)')).rejects.toMatchObject({ reason: 'timeout' })
    await hasty.close()
  })

  test('that waits for a locked table fails as an outage', async () => {
    await using database = await smallDatabase('postgres')
    const locker = new Client({ connectionString: postgresUrl })
    await locker.connect()
    await locker.query(`begin; lock table ${database.schema}.item`)
    await expect(database.fork().count(Item)).rejects.toMatchObject({ code: 'service_unavailable', reason: 'locked' })
    await locker.end()
    expect(await database.fork().count(Item)).toBe(0)
  })

  test('that waits for a locked table is an outage until that table answers, and not until another one does', async () => {
    await using database = await smallDatabase('postgres')
    const told: string[] = []
    const watch: OutageWatch = {
      failed: (_, { work = '' } = {}) => told.push(`failed ${work}`),
      succeeded: (work = '') => told.push(work),
    }
    const watched = await openDatabase({ url: database.url, entities: [Item], limits, watch })
    const locker = new Client({ connectionString: postgresUrl })
    await locker.connect()
    await locker.query(`begin; lock table ${database.schema}.item`)
    told.length = 0
    const read = 'select id from item'
    await expect(run(watched, read)).rejects.toMatchObject({ reason: 'locked' })
    await run(watched, 'select 1')
    await locker.end()
    await run(watched, read)
    expect(told).toEqual([`failed ${read}`, 'select 1', read])
    await watched.close()
  })

  test('whose transaction failed before its commit does not answer as if it were done', async () => {
    await using database = await smallDatabase('postgres')
    const transaction = await database.kysely.startTransaction().execute()
    const failing = transaction.executeQuery(CompiledQuery.raw('select nonsense'))
    await expect(failing).rejects.toThrow(/nonsense/)
    await expect(transaction.commit().execute()).rejects.toThrow(/nothing of it was kept/)
    await expectAllPlacesFree(database)
  })

  test('is waited for no longer than the limit when all are in use, and a close does not wait for them', async () => {
    const location = await testLocation('postgres')
    const database = await openDatabase({
      url: location.url,
      entities: [Item],
      maxConnections: 1,
      limits: { ...limits, connectMs: 200 },
    })
    const holder = await database.kysely.startTransaction().execute()
    await expect(run(database, 'select 1')).rejects.toMatchObject({ code: 'service_unavailable' })
    await database.close()
    await expect(holder.commit().execute()).rejects.toBeTruthy()
    await location[Symbol.asyncDispose]()
  })
})

interface LockHolder extends Disposable {
  release(): void
}

/** Another connection that writes and does not come to an end. */
function lockHolder(database: Database): LockHolder {
  const db = new DatabaseSync(database.url.slice('sqlite:'.length))
  db.exec('begin immediate')
  const release = () => db.isTransaction && db.exec('rollback')
  return {
    release: () => void release(),
    [Symbol.dispose]() {
      release()
      db.close()
    },
  }
}

describe('a sqlite connection', () => {
  const roomy = 'pragma max_page_count = 1000000'
  const fill = `insert into item (id, amount, text) values ('big', 1, hex(zeroblob(1000000)))`

  test.each(['the ORM', 'kysely'])(
    'on a full disk ends a transaction of %s, and serves again when there is room',
    async (via) => {
      await using database = await smallDatabase('sqlite')
      for (let round = 0; round < 3; round++) {
        await run(database, 'pragma max_page_count = 10')
        const full =
          via === 'the ORM'
            ? database.fork().transactional((em) => em.getConnection().execute(fill, [], 'run', em.getTransactionContext()))
            : database.kysely.transaction().execute((tx) => tx.executeQuery(CompiledQuery.raw(fill)))
        await expect(full).rejects.toMatchObject({ code: 'service_unavailable' })
        expect(await run(database, 'select id from item where length(text) > 0')).toEqual([])
        await run(database, roomy)
      }
      await expectAllPlacesFree(database)
    },
  )

  test('that finds the file locked leaves the event loop alone until the lock is gone', async () => {
    // Not the limit of the others: on a busy machine it would be over before the lock is gone.
    await using database = await smallDatabase('sqlite', { lockMs: 30_000 })
    using other = lockHolder(database)
    // The holder lives in this thread: if the writer stood still, nobody could ever release the lock.
    const writing = run(database, `insert into item (id, amount) values ('a', 1)`)
    const transaction = database.fork().transactional(async (em) => void em.create(Item, { id: 'b', amount: 1n }))
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(await run(database, 'select id from item')).toEqual([])
    other.release()
    await Promise.all([writing, transaction])
    expect(await run(database, 'select id from item order by id')).toEqual([{ id: 'a' }, { id: 'b' }])
  })

  test('gives up after the limit, for each who waits, and goes on afterwards', async () => {
    await using database = await smallDatabase('sqlite')
    using other = lockHolder(database)
    const inserts = ['a', 'b', 'c'].map((id) => run(database, `insert into item (id, amount) values ('${id}', 1)`))
    for (const result of await Promise.allSettled(inserts)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'service_unavailable', reason: 'locked' } })
    }
    other.release()
    await expectAllPlacesFree(database)
  })

  test('keeps writers apart and lets readers through while a transaction is open', async () => {
    await using database = await smallDatabase('sqlite')
    const order: string[] = []
    const first = await database.kysely.withTables<Tables>().startTransaction().execute()
    await first.insertInto('item').values({ id: 'first', amount: 1n }).execute()
    const second = run(database, `insert into item (id, amount) values ('second', 2)`).then(() => order.push('second'))
    expect(await run(database, 'select id from item')).toEqual([])
    order.push('commit')
    await first.commit().execute()
    await second
    expect(order).toEqual(['commit', 'second'])
    expect(await run(database, 'select id from item order by id')).toEqual([{ id: 'first' }, { id: 'second' }])
  })
})
