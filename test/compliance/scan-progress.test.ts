import { expect, it } from 'vitest'
import type { EventBus } from '../../src/platform/events/events.js'
import { reportProgress } from '../../subgraphs/compliance/scans/scan-progress.js'
import type { ScanStore } from '../../subgraphs/compliance/scans/scan-store.js'
import { ManualClock } from '../kit/manual-clock.js'

it('writes no count beside one that is still being written, however slow the database is', async () => {
  const clock = new ManualClock()
  const written: { readonly done: number; readonly end: () => void }[] = []
  const progress: ScanStore['progress'] = (_id, done) => new Promise((end) => written.push({ done, end }))
  const told: number[] = []
  const onProgress = reportProgress('scan', 'request', {
    store: { progress } as ScanStore,
    events: { publish: (_topic, event) => void told.push((event as unknown as { done: number }).done) } as EventBus,
    clock,
    onFault: (error) => expect.fail(String(error)),
  })
  for (const done of [1, 2, 3]) {
    onProgress(done, 5)
    await clock.advance(200)
  }
  expect(written.map(({ done }) => done)).toEqual([1])
  written[0]!.end()
  await clock.advance(200)
  onProgress(4, 5)
  onProgress(5, 5)
  expect(written.map(({ done }) => done)).toEqual([1, 4])
  expect(told).toEqual([1, 2, 3, 4, 5])
})
