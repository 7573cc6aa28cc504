/** The outbox: nothing is lost between what is stored and what is followed, in either dialect. */
import { Client } from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Database, openDatabase } from '#platform/database/database.js'
import { defaultDatabaseLimits } from '#platform/database/database-limits.js'
import { createInProcessEvents, type EventBus } from '#platform/events/events.js'
import { createOutbox, type Outbox, OutboxEventEntity, type StreamRequest } from '#platform/events/outbox.js'
import { postgresUrl, testDatabase, testLocation } from '../kit/database.js'
import { ManualClock } from '../kit/manual-clock.js'

const opened: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one[Symbol.asyncDispose]()
})

interface Kit {
  readonly database: Database
  readonly clock: ManualClock
  readonly events: EventBus
  readonly outbox: Outbox
  add(subject: string, n: number): Promise<void>
}

async function kit(dialect: 'sqlite' | 'postgres'): Promise<Kit> {
  const database = await testDatabase(dialect, [OutboxEventEntity])
  opened.push(database)
  const clock = new ManualClock()
  const events = createInProcessEvents()
  const outbox = createOutbox({ database, events, clock })
  const add = async (subject: string, n: number) => {
    const added = [{ topic: 'rental', subject, payload: { n } }]
    await database.kysely.transaction().execute((tx) => outbox.append(tx, added))
    outbox.published(added)
  }
  return { database, clock, events, outbox, add }
}

const follow = (outbox: Outbox, request: Partial<StreamRequest>) =>
  outbox.stream({ topic: 'rental', afterSequence: 0, signal: new AbortController().signal, ...request })

async function take(stream: AsyncIterableIterator<{ payload: object }>, count: number): Promise<unknown[]> {
  const seen: unknown[] = []
  while (seen.length < count) {
    const { value, done } = await stream.next()
    if (done) break
    seen.push((value.payload as { n: number }).n)
  }
  return seen
}

describe.each(['sqlite', 'postgres'] as const)('the outbox on %s', (dialect) => {
  it('replays what is stored in order and then follows', async () => {
    const { outbox, add } = await kit(dialect)
    await add('r1', 1)
    await add('r2', 2)
    await add('r1', 3)
    const one = follow(outbox, { subject: 'r1' })
    const all = follow(outbox, {})
    expect(await take(one, 2)).toEqual([1, 3])
    expect(await take(all, 3)).toEqual([1, 2, 3])
    const next = take(one, 1)
    await add('r2', 4)
    await add('r1', 5)
    expect(await next).toEqual([5])
    expect(await take(all, 2)).toEqual([4, 5])
  })

  it('resumes after the last sequence that was seen', async () => {
    const { outbox, add } = await kit(dialect)
    for (let n = 1; n <= 5; n++) await add('r1', n)
    const first = follow(outbox, { subject: 'r1' })
    await first.next()
    const { value } = await first.next()
    await first.return?.()
    expect(await take(follow(outbox, { afterSequence: value!.sequence }), 3)).toEqual([3, 4, 5])
    expect(await take(follow(outbox, { afterSequence: (await outbox.latest()) - 1 }), 1)).toEqual([5])
  })

  it('loses nothing when the hint is lost', async () => {
    const { outbox, database, clock } = await kit(dialect)
    const stream = follow(outbox, {})
    const next = take(stream, 1)
    await new Promise((resolve) => setImmediate(resolve))
    await database.kysely
      .transaction()
      .execute((tx) => outbox.append(tx, [{ topic: 'rental', subject: 'r1', payload: { n: 7 } }]))
    let seen: unknown = null
    void next.then((value) => (seen = value))
    await vi.waitUntil(
      async () => {
        await clock.advance(2_000)
        return seen !== null
      },
      { interval: 1, timeout: 30_000 },
    )
    expect(seen).toEqual([7])
  })

  it('stores nothing of a transaction that fails', async () => {
    const { outbox, database } = await kit(dialect)
    const failing = database.kysely.transaction().execute(async (tx) => {
      await outbox.append(tx, [{ topic: 'rental', subject: 'r1', payload: { n: 1 } }])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await outbox.latest()).toBe(0)
  })

  it('stores events in a transaction of the ORM', async () => {
    const { outbox, database } = await kit(dialect)
    await database.fork().transactional(async (em) => {
      await outbox.append(em.getKysely(), [{ topic: 'rental', subject: 'r1', payload: { n: 9 } }])
    })
    expect(await take(follow(outbox, {}), 1)).toEqual([9])
  })

  it('shows events of concurrent transactions in an order that never changes', async () => {
    const { outbox, database } = await kit(dialect)
    const stop = new AbortController()
    const seen: number[] = []
    const reader = (async () => {
      for await (const { sequence } of follow(outbox, { signal: stop.signal })) seen.push(sequence)
    })()
    const write = async (n: number) => {
      const added = [{ topic: 'rental', subject: `r${n % 3}`, payload: { n } }]
      await database.kysely.transaction().execute((tx) => outbox.append(tx, added))
      outbox.published(added)
    }
    await Promise.all(Array.from({ length: 40 }, (_, n) => write(n)))
    while (seen.length < 40) await new Promise((resolve) => setImmediate(resolve))
    stop.abort()
    await reader
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(new Set(seen).size).toBe(40)
  })

  it('ends when the signal aborts, also while it waits', async () => {
    const { outbox } = await kit(dialect)
    const stop = new AbortController()
    const stream = follow(outbox, { signal: stop.signal })
    const next = stream.next()
    stop.abort()
    expect(await next).toEqual({ done: true, value: undefined })
    expect(await follow(outbox, { signal: AbortSignal.abort() }).next()).toEqual({ done: true, value: undefined })
  })

  it('prunes by age', async () => {
    const { outbox, clock, add } = await kit(dialect)
    await add('r1', 1)
    await clock.advance(10_000)
    await add('r1', 2)
    expect(await outbox.prune(5_000)).toBe(1)
    expect(await take(follow(outbox, {}), 1)).toEqual([2])
  })
})

it('a follower outlives a database in trouble and misses nothing', async () => {
  await using location = await testLocation('postgres')
  const failed = Promise.withResolvers<void>()
  const watch = { failed: () => failed.resolve(), succeeded: () => undefined }
  const limits = { ...defaultDatabaseLimits, lockMs: 50 }
  const database = await openDatabase({ url: location.url, entities: [OutboxEventEntity], limits, watch })
  await database.orm.schema.create()
  const [clock, events] = [new ManualClock(), createInProcessEvents()]
  const outbox = createOutbox({ database, events, clock })
  const stream = follow(outbox, {})

  const locker = new Client({ connectionString: postgresUrl })
  await locker.connect()
  await locker.query(`begin; lock table ${database.schema}.outbox_event in access exclusive mode`)
  const seen = take(stream, 1)
  await failed.promise
  await locker.end()
  await database.kysely.transaction().execute((tx) => outbox.append(tx, [{ topic: 'rental', subject: 's', payload: { n: 1 } }]))
  // The hint is lost as well.
  await clock.advance(10_000)
  expect(await seen).toEqual([1])
  await database.close()
})
