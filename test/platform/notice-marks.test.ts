/** Marks of what was told: whoever moves one tells, and nobody else does. */
import { describe, expect, it } from 'vitest'
import { createInProcessEvents } from '#platform/events/events.js'
import { createNoticeMarks, eventEntities } from '#platform/events/notice-marks.js'
import { notice, NOTICE_TOPIC } from '#platform/events/notices.js'
import { createOutbox, type Outbox } from '#platform/events/outbox.js'
import { testDatabase } from '../kit/database.js'
import { ManualClock } from '../kit/manual-clock.js'

const down = notice('provider.down', 'p1', { providerId: 'p1' })
const told = (outbox: Outbox) => outbox.read({ topic: NOTICE_TOPIC, afterSequence: 0 })

describe.each(['sqlite', 'postgres'] as const)('marks on %s', (dialect) => {
  const open = async () => {
    const database = await testDatabase(dialect, eventEntities)
    const clock = new ManualClock()
    const outbox = createOutbox({ database, events: createInProcessEvents(), clock })
    return { database, clock, outbox, marks: createNoticeMarks({ database, outbox, clock }) }
  }

  it('let one of many who saw the same tell of it', async () => {
    const { database, outbox, marks } = await open()
    await using _ = database
    const move = (from: string | undefined, to: string) => marks.move({ kind: 'provider', subject: 'p1', from, to }, [down])
    const first = await Promise.all(Array.from({ length: 8 }, () => move(undefined, 'down')))
    expect(first.filter(Boolean)).toHaveLength(1)
    const second = await Promise.all(Array.from({ length: 8 }, () => move('down', 'up')))
    expect(second.filter(Boolean)).toHaveLength(1)
    expect(await told(outbox)).toHaveLength(2)
    expect(await marks.read('provider', ['p1', 'p2'])).toEqual(new Map([['p1', 'up']]))
    expect(await marks.read('balance', ['p1'])).toEqual(new Map())
  })

  it('stay where they were when the notice cannot be written', async () => {
    const { database, clock, outbox } = await open()
    await using _ = database
    const failing = { ...outbox, append: () => Promise.reject(new Error('disk full')) }
    const marks = createNoticeMarks({ database, outbox: failing, clock })
    await expect(marks.move({ kind: 'provider', subject: 'p1', from: undefined, to: 'down' }, [down])).rejects.toThrow(
      'disk full',
    )
    expect(await marks.read('provider', ['p1'])).toEqual(new Map())
  })

  it('are forgotten by kind and age', async () => {
    const { database, clock, marks } = await open()
    await using _ = database
    await marks.move({ kind: 'orphan', subject: 'old', from: undefined, to: 'found' }, [])
    await marks.move({ kind: 'balance', subject: 'old', from: undefined, to: 'low' }, [])
    await clock.advance(1_000)
    await marks.move({ kind: 'orphan', subject: 'new', from: undefined, to: 'found' }, [])
    expect(await marks.forget('orphan', 1_000)).toBe(0)
    expect(await marks.forget('orphan', 999)).toBe(1)
    expect([...(await marks.read('orphan', ['old', 'new'])).keys()]).toEqual(['new'])
    expect([...(await marks.read('balance', ['old'])).keys()]).toEqual(['old'])
  })
})
