/** Operators hear of a machine that no session answers for, before it is gone, and once. */
import { describe, expect, it } from 'vitest'
import { createInProcessEvents } from '#platform/events/events.js'
import { createNoticeMarks, eventEntities, type NoticeMarks } from '#platform/events/notice-marks.js'
import { NOTICE_TOPIC } from '#platform/events/notices.js'
import { createOutbox } from '#platform/events/outbox.js'
import { labelPrefix, type GpuDriver } from '../../subgraphs/compute/drivers/driver.js'
import { defaultPolicy } from '../../subgraphs/compute/policy.js'
import { createOrphanNotices } from '../../subgraphs/compute/reconciler/orphan-notices.js'
import { sweep } from '../../subgraphs/compute/reconciler/sweep.js'
import type { SessionStore } from '../../subgraphs/compute/store/session-store.js'
import { testDatabase } from '../kit/database.js'
import { ManualClock } from '../kit/manual-clock.js'

const clock = new ManualClock()

/** A driver with one machine that nobody answers for, and that is slow to go. */
function sweepOf(marks: NoticeMarks, onDestroy: (instanceId: string) => Promise<void>) {
  const faults: unknown[] = []
  const label = `${labelPrefix('here')}abc-1`
  const driver = {
    id: 'cloud',
    list: async () => [{ instanceId: 'i-1', label, status: 'running' }],
    destroy: onDestroy,
  } as unknown as GpuDriver
  const store = { byLabelKeys: async () => new Map() } as unknown as SessionStore
  const run = () =>
    sweep({
      store,
      ledger: {} as never,
      drivers: new Map([['cloud', driver]]),
      installId: 'here',
      clock,
      policy: defaultPolicy,
      onOrphan: createOrphanNotices(marks, (error) => faults.push(error)),
      onFault: (error) => faults.push(error),
    })
  return { run, faults }
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (dialect) => {
  it('an orphan is told of once, before it is destroyed, however long that takes', async () => {
    await using database = await testDatabase(dialect, eventEntities)
    const outbox = createOutbox({ database, events: createInProcessEvents(), clock })
    const told = async () => (await outbox.read({ topic: NOTICE_TOPIC, afterSequence: 0 })).map(({ payload }) => payload)
    const toldAtDestroy: number[] = []
    const { run, faults } = sweepOf(createNoticeMarks({ database, outbox, clock }), async () => {
      toldAtDestroy.push((await told()).length)
    })
    for (let times = 0; times < 3; times++) await run()
    expect(toldAtDestroy).toEqual([1, 1, 1])
    expect(await told()).toEqual([{ type: 'gpu.orphan', data: '{"driverId":"cloud","instanceId":"i-1"}' }])
    expect(faults).toEqual([])
  })
})

it('an orphan is destroyed although nobody can be told', async () => {
  const marks = { move: () => Promise.reject(new Error('no database')) } as unknown as NoticeMarks
  const destroyed: string[] = []
  const { run, faults } = sweepOf(marks, async (instanceId) => void destroyed.push(instanceId))
  await run()
  expect(destroyed).toEqual(['i-1'])
  expect(faults).toMatchObject([{ message: 'no database' }])
})
