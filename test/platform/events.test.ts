/** Both buses tell every subscriber, and a subscriber that leaves is forgotten. */
import { Client } from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '#platform/clock.js'
import { defaultDatabaseLimits } from '#platform/database/database-limits.js'
import { createInProcessEvents, EVENTS_RESUMED, eventStream, type EventBus } from '#platform/events/events.js'
import { createPostgresEvents } from '#platform/events/postgres-events.js'
import { postgresUrl } from '../kit/database.js'

const open: EventBus[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((bus) => bus.close()))
})

const postgres = async (channel: string) => {
  const bus = await createPostgresEvents({
    connectionString: postgresUrl,
    channel,
    limits: defaultDatabaseLimits,
    clock: systemClock,
    onError: () => undefined,
  })
  open.push(bus)
  return bus
}

describe('an event stream', () => {
  it('yields what was published after it was opened, in order, and ends with its signal', async () => {
    const bus = createInProcessEvents()
    const leave = new AbortController()
    bus.publish('t', { n: 0 })
    const stream = eventStream(bus, 't', leave.signal)
    bus.publish('t', { n: 1 })
    bus.publish('other', { n: 9 })
    bus.publish('t', { n: 2 })
    expect((await stream.next()).value).toEqual({ n: 1 })
    expect((await stream.next()).value).toEqual({ n: 2 })
    const last = stream.next()
    leave.abort()
    expect((await last).done).toBe(true)
  })

  it('keeps the newest 1,024 events of a reader that stalls', async () => {
    const bus = createInProcessEvents()
    const stream = eventStream(bus, 't', new AbortController().signal)
    for (let n = 0; n < 2_000; n++) bus.publish('t', { n })
    expect((await stream.next()).value).toEqual({ n: 976 })
  })
})

describe('the bus over Postgres', () => {
  it('tells its own listeners to look again when its connection is back', async () => {
    const channel = `test_${process.pid}_${Date.now()}_again`
    const bus = await postgres(channel)
    const stream = eventStream(bus, ['credits', EVENTS_RESUMED], new AbortController().signal)
    const client = new Client({ connectionString: postgresUrl })
    await client.connect()
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'LISTEN "${channel}"%'`)
    await client.end()
    expect((await stream.next()).value).toEqual({})
    bus.publish('credits', { accountId: 'a' })
    expect((await stream.next()).value).toEqual({ accountId: 'a' })
  })

  it('reaches the other process and tells its own listeners once', async () => {
    const channel = `test_${process.pid}_${Date.now()}`
    const [here, there] = await Promise.all([postgres(channel), postgres(channel)])
    const seenHere: unknown[] = []
    here.listen('key.changed', (payload) => seenHere.push(payload))
    const seenThere = new Promise((resolve) => there.listen('key.changed', resolve))
    here.publish('key.changed', { publicId: 'abc' })
    expect(await seenThere).toEqual({ publicId: 'abc' })
    const echoed = new Promise((resolve) => here.listen('back', resolve))
    there.publish('back', {})
    await echoed
    expect(seenHere).toEqual([{ publicId: 'abc' }])
  })
})
