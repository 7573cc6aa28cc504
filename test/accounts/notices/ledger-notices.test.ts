/** Operators hear once of a ledger that does not keep its promises. */
import { expect, it } from 'vitest'
import { createInProcessEvents } from '#platform/events/events.js'
import { createNoticeMarks, eventEntities } from '#platform/events/notice-marks.js'
import { NOTICE_TOPIC } from '#platform/events/notices.js'
import { createOutbox } from '#platform/events/outbox.js'
import { createLedgerNotices } from '../../../subgraphs/accounts/notices/ledger-notices.js'
import { testDatabase } from '../../kit/database.js'
import { ManualClock } from '../../kit/manual-clock.js'

const broken = (subject: string, detail = 'balance 1, entries 2') => ({
  violations: [{ invariant: 'the entries of an account sum to its balance', subject, detail }],
})

it.each(['sqlite', 'postgres'] as const)('on %s, a broken promise is told once, also by the next process', async (dialect) => {
  await using database = await testDatabase(dialect, eventEntities)
  const clock = new ManualClock()
  const outbox = createOutbox({ database, events: createInProcessEvents(), clock })
  const process = () => createLedgerNotices(createNoticeMarks({ database, outbox, clock }))
  const told = async () =>
    (await outbox.read({ topic: NOTICE_TOPIC, afterSequence: 0 })).map(
      ({ payload }) => JSON.parse(String(payload['data'])) as unknown,
    )

  const tell = process()
  await tell({ violations: [] })
  expect(await told()).toEqual([])
  await tell(broken('acc_1'))
  const first = { violations: 1, promise: 'the entries of an account sum to its balance', about: 'acc_1' }
  expect(await told()).toEqual([{ ...first, detail: 'balance 1, entries 2' }])
  await tell(broken('acc_1', 'balance 3, entries 4'))
  await process()(broken('acc_1'))
  expect(await told()).toHaveLength(1)
  await tell(broken('acc_2'))
  expect(await told()).toHaveLength(2)
  // In order again, and broken again: that is news.
  await tell({ violations: [] })
  await tell(broken('acc_2'))
  expect(await told()).toHaveLength(3)
})
