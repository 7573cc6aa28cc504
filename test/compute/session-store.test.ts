/** One suite for every session store: in memory, on SQLite and on Postgres. */
import { afterEach, describe, expect, it } from 'vitest'
import { createInProcessEvents } from '#platform/events/events.js'
import { createOutbox, OutboxEventEntity } from '#platform/events/outbox.js'
import { computeEntities } from '../../subgraphs/compute/store/market-entities.js'
import { labelKeyOf, MAX_REST_MS } from '../../subgraphs/compute/sessions/session.js'
import type { SessionStore } from '../../subgraphs/compute/store/session-store.js'
import { createSessionTables } from '../../subgraphs/compute/store/session-tables.js'
import { testDatabase } from '../kit/database.js'
import { ManualClock } from '../kit/manual-clock.js'
import { createMemoryStore } from './kit/memory-store.js'
import { aSession } from './kit/session-fixture.js'

const NO_LIMITS = { maxConcurrentSessions: null, maxHourlySpend: null }
const BIG = 8_000_000_000_000_000_001n

let cleanUp: AsyncDisposable | null = null

async function onTables(dialect: 'sqlite' | 'postgres'): Promise<SessionStore> {
  const database = await testDatabase(dialect, [...computeEntities, OutboxEventEntity])
  cleanUp = database
  const options = { database, events: createInProcessEvents(), clock: new ManualClock() }
  return createSessionTables(database, createOutbox(options))
}

afterEach(async () => {
  await cleanUp?.[Symbol.asyncDispose]()
  cleanUp = null
})

describe.each([
  ['memory', async () => createMemoryStore()],
  ['sqlite', () => onTables('sqlite')],
  ['postgres', () => onTables('postgres')],
])('the session store on %s', (_, open) => {
  it('gives back exactly what was put in', async () => {
    const store = await open()
    const session = aSession({
      strays: ['i-1', 'i-2'],
      holdAmount: BIG,
      finalCost: 7n,
      sshPort: 22,
      label: 'slu-x-y-1',
      runningAt: 5,
      lastAliveAt: 6,
      aliveMs: 1,
    })
    expect(await store.insert(session, NO_LIMITS, [])).toEqual({ outcome: 'inserted' })
    expect(await store.find(session.id)).toEqual(session)
    expect(await store.findMany([session.id, 'rent_none'])).toEqual([session])
    expect((await store.byLabelKeys([labelKeyOf(session.id), 'none'])).get(labelKeyOf(session.id))).toEqual(session)
    expect(await store.find('rent_none')).toBeNull()
  })

  it('keeps one live session per model, however many are inserted at once', async () => {
    const store = await open()
    const rivals = Array.from({ length: 5 }, () => aSession({ purpose: 'model', modelId: 'm' }))
    const results = await Promise.all(rivals.map((session) => store.insert(session, NO_LIMITS, [])))
    expect(results.filter(({ outcome }) => outcome === 'inserted')).toHaveLength(1)
    const winner = await store.liveForModel('m')
    expect(
      results.every(
        (result) => result.outcome === 'inserted' || (result.outcome === 'exists' && result.session.id === winner?.id),
      ),
    ).toBe(true)
    expect(await store.decide(winner!, { wanted: 'terminated' }, [])).toBe(true)
    expect(await store.liveForModel('m')).toBeNull()
    expect((await store.insert(aSession({ purpose: 'model', modelId: 'm' }), NO_LIMITS, [])).outcome).toBe('inserted')
  })

  it('shows what is live only once its hold is placed', async () => {
    const store = await open()
    const session = aSession({ purpose: 'model', modelId: 'm', holdPhase: 'reserving' })
    await store.insert(session, NO_LIMITS, [])
    expect(await store.liveWithModel()).toEqual([])
    await store.decide(session, { holdPhase: 'open' }, [])
    expect((await store.liveWithModel()).map(({ id }) => id)).toEqual([session.id])
  })

  it('lets any number of rentals serve one model', async () => {
    const store = await open()
    for (let i = 0; i < 3; i++) expect((await store.insert(aSession({ modelId: 'm' }), NO_LIMITS, [])).outcome).toBe('inserted')
    expect(await store.liveWithModel()).toHaveLength(3)
    expect(await store.liveForModel('m')).toBeNull()
  })

  it('holds the limits of an account when many sessions start at once', async () => {
    const store = await open()
    const start = (limits: object) => store.insert(aSession(), { ...NO_LIMITS, ...limits }, [])
    const results = await Promise.all(Array.from({ length: 6 }, () => start({ maxConcurrentSessions: 2 })))
    expect(results.filter(({ outcome }) => outcome === 'inserted')).toHaveLength(2)
    expect(results.filter(({ outcome }) => outcome === 'too_many')).toHaveLength(4)
    expect(await start({ maxHourlySpend: 2_159_999_999n })).toEqual({ outcome: 'too_expensive', hourlySpend: 2_160_000_000n })
    expect((await start({ maxHourlySpend: 2_160_000_000n })).outcome).toBe('inserted')
    expect((await store.insert(aSession({ accountId: 'acc_b' }), { ...NO_LIMITS, maxConcurrentSessions: 1 }, [])).outcome).toBe(
      'inserted',
    )
  })

  it('gives each due session to one claimer until its lease runs out', async () => {
    const store = await open()
    for (let i = 0; i < 4; i++) await store.insert(aSession({ dueAt: 1_000 + i }), NO_LIMITS, [])
    await store.insert(aSession({ dueAt: 9_000 }), NO_LIMITS, [])
    await store.insert(aSession({ phase: 'terminated', wanted: 'terminated' }), NO_LIMITS, [])
    const [first, second] = await Promise.all([store.claim('t1', 2_000, 500, 3), store.claim('t2', 2_000, 500, 3)])
    const ids = [...first, ...second].map(({ id }) => id)
    expect(new Set(ids).size).toBe(4)
    expect(ids).toHaveLength(4)
    expect(await store.claim('t3', 2_499, 500, 9)).toEqual([])
    expect(await store.claim('t3', 2_500, 500, 9)).toHaveLength(4)
  })

  it('gives out what is due further away than any wait: the clock was set back since', async () => {
    const store = await open()
    const session = aSession({ dueAt: 3_600_000 })
    await store.insert(session, NO_LIMITS, [])
    expect(await store.claim('t', 3_600_000 - MAX_REST_MS, 500, 9)).toEqual([])
    expect((await store.claim('t', 1_000, 500, 9)).map(({ id }) => id)).toEqual([session.id])
  })

  it('refuses a write that is based on an older version, and one without the lease', async () => {
    const store = await open()
    await store.insert(aSession(), NO_LIMITS, [])
    const [claimed] = await store.claim('t1', 2_000, 500, 1)
    expect(await store.save(claimed!, 't1', { phase: 'creating' }, [])).toBe('saved')
    expect(await store.save(claimed!, 't1', { phase: 'booting' }, [])).toBe('stale')
    expect(await store.decide(claimed!, { wanted: 'terminated' }, [])).toBe(false)
    const current = (await store.find(claimed!.id))!
    expect(current.version).toBe(claimed!.version + 1)
    expect(await store.save(current, 't2', { phase: 'booting' }, [])).toBe('lost')
    expect(await store.decide(current, { wanted: 'terminated' }, [])).toBe(true)
    expect(await store.save(current, 't1', { phase: 'booting' }, [])).toBe('stale')
    expect((await store.find(current.id))?.phase).toBe('creating')
  })

  it('renews a lease only for its holder', async () => {
    const store = await open()
    await store.insert(aSession(), NO_LIMITS, [])
    const [claimed] = await store.claim('t1', 2_000, 500, 1)
    expect(await store.renew(claimed!.id, 't2', 9_000)).toBe(false)
    expect(await store.renew(claimed!.id, 't1', 9_000)).toBe(true)
    expect(await store.claim('t2', 5_000, 500, 1)).toEqual([])
    expect(await store.nextDue()).toBe(9_000)
    await store.breakLeases()
    expect(await store.claim('t2', 5_000, 500, 1)).toHaveLength(1)
  })

  it('notes activity forwards only and in a way that older decisions notice', async () => {
    const store = await open()
    const session = aSession({ purpose: 'model', modelId: 'm', lastActiveAt: 5_000 })
    await store.insert(session, NO_LIMITS, [])
    await store.noteActivity('m', 4_000)
    expect((await store.find(session.id))?.lastActiveAt).toBe(5_000)
    await store.noteActivity('m', 6_000)
    expect((await store.find(session.id))?.lastActiveAt).toBe(6_000)
    expect(await store.decide(session, { wanted: 'terminated' }, [])).toBe(false)
  })

  it('lists rentals of an account by status, newest first, without those that never started', async () => {
    const store = await open()
    const old = aSession({ createdAt: 1, phase: 'running' })
    const young = aSession({ createdAt: 2 })
    const over = aSession({ createdAt: 3, wanted: 'terminated', terminationReason: 'user' })
    const never = aSession({ createdAt: 4, wanted: 'terminated', terminationReason: 'not_started' })
    for (const session of [
      old,
      young,
      over,
      never,
      aSession({ accountId: 'acc_b' }),
      aSession({ purpose: 'model', modelId: 'm' }),
    ]) {
      await store.insert(session, NO_LIMITS, [])
    }
    const ids = async (status: 'provisioning' | 'running' | 'terminated' | null) =>
      (await store.rentalsOf('acc_a', status, { size: 10, isBackward: false, cursor: null })).edges.map(({ node }) => node.id)
    expect(await ids(null)).toEqual([over.id, young.id, old.id])
    expect(await ids('provisioning')).toEqual([young.id])
    expect(await ids('running')).toEqual([old.id])
    expect(await ids('terminated')).toEqual([over.id])
  })

  it('learns from sessions that ran: experience of markets and durations of starts', async () => {
    const store = await open()
    const day = 86_400_000
    for (let i = 0; i < 3; i++) {
      await store.insert(
        aSession({ modelId: 'm', createdAt: day, runningAt: day + (i + 1) * 60_000, aliveMs: day }),
        NO_LIMITS,
        [],
      )
    }
    await store.insert(
      aSession({ runningAt: day, lastAliveAt: day, wanted: 'terminated', terminationReason: 'interrupted' }),
      NO_LIMITS,
      [],
    )
    const seen = (await store.experience(0)).get('fake/gp90/eu-1/L4/spot')
    expect(seen?.runningDays).toBeCloseTo(3)
    expect(seen?.interruptions).toBe(1)
    expect(await store.startDurations({ driverId: 'fake', gpuModel: 'L4', modelId: 'm' }, 2)).toEqual([180, 120])
  })

  it('bars markets and opens circuits for a while', async () => {
    const store = await open()
    await store.bar('a', 1_000)
    await store.bar('a', 2_000)
    await store.openCircuit('d', 2_000)
    expect(await store.barredAt(1_999)).toEqual(new Set(['a']))
    expect(await store.barredAt(2_000)).toEqual(new Set())
    expect(await store.circuitsOpenAt(1_999)).toEqual(new Map([['d', 2_000]]))
    await store.prune(3_000)
    expect(await store.circuitsOpenAt(0)).toEqual(new Map())
  })

  it('gives a named task to one process at a time', async () => {
    const store = await open()
    const results = await Promise.all(['t1', 't2', 't3'].map((token) => store.takeTask('sweep', token, 1_000, 2_000)))
    expect(results.filter(Boolean)).toHaveLength(1)
    expect(await store.takeTask('sweep', 't4', 1_999, 3_000)).toBe(false)
    expect(await store.takeTask('sweep', 't4', 2_000, 3_000)).toBe(true)
  })

  it('leaves a machine’s own sessions to its servers until their lease runs out', async () => {
    const store = await open()
    const lease = { leaseToken: 'home a', leaseUntil: 5_000 }
    await store.insert(aSession({ dueAt: 1_000, ...lease }), NO_LIMITS, [])
    expect(await store.claim('elsewhere', 2_000, 500, 9, ['home b'])).toEqual([])
    expect([await store.nextDue(['home a']), await store.nextDue(['home b'])]).toEqual([1_000, 5_000])
    await store.keep(['home a'], 6_000)
    expect(await store.claim('elsewhere', 5_500, 500, 9)).toEqual([])
    // A server that starts again at the same place goes on at once; with it gone for good anybody may end the session.
    expect(await store.claim('here', 2_000, 100, 9, ['home a'])).toHaveLength(1)
    expect(await store.claim('here too', 2_000, 500, 9, ['home a'])).toEqual([])
    expect(await store.claim('elsewhere', 2_100, 500, 9, ['home b'])).toHaveLength(1)
  })

  it('remembers keyed requests until they expire', async () => {
    const store = await open()
    const entry = { accountId: 'acc_a', key: 'k', requestHash: 'h', sessionId: 'rent_1', now: 1_000, expiresAt: 5_000 }
    expect(await store.remember(entry)).toBe('new')
    expect(await store.remember({ ...entry, sessionId: 'rent_2' })).toEqual({ sessionId: 'rent_1', expiresAt: 5_000 })
    expect(await store.remember({ ...entry, requestHash: 'other' })).toBe('conflict')
    expect(await store.remember({ ...entry, accountId: 'acc_b' })).toBe('new')
    expect(await store.remember({ ...entry, requestHash: 'other', now: 5_000, expiresAt: 9_000 })).toBe('new')
    // Somebody else's answer under the same key stays.
    await store.forget('acc_a', 'k', 'rent_2')
    expect(await store.remember({ ...entry, requestHash: 'other', now: 5_001 })).toMatchObject({ sessionId: 'rent_1' })
    await store.forget('acc_a', 'k', 'rent_1')
    expect(await store.remember(entry)).toBe('new')
  })
})

describe.each(['sqlite', 'postgres'] as const)('tables on %s', (dialect) => {
  it('store events together with the change, or neither', async () => {
    const database = await testDatabase(dialect, [...computeEntities, OutboxEventEntity])
    cleanUp = database
    const outbox = createOutbox({ database, events: createInProcessEvents(), clock: new ManualClock() })
    const store = createSessionTables(database, outbox)
    const session = aSession()
    const event = { topic: 'rental', subject: session.id, payload: { status: 'provisioning' } } as const
    await store.insert(session, NO_LIMITS, [event])
    await store.decide(session, { phase: 'creating' }, [event])
    await store.decide(session, { phase: 'booting' }, [event])
    await store.insert(aSession({ accountId: 'acc_a' }), { ...NO_LIMITS, maxConcurrentSessions: 1 }, [event])
    const rows = await database.kysely
      .withTables<{ outbox_event: { sequence: number } }>()
      .selectFrom('outbox_event')
      .selectAll()
      .execute()
    expect(rows).toHaveLength(2)
    expect(await store.installId('abc')).toBe('abc')
    expect(await store.installId('xyz')).toBe('abc')
  })
})
