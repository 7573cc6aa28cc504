/**
 * Progress of scans: how often it is told, and the stream behind `scanProgress`.
 *
 * A tick goes to the outbox together with the stored count, so a follower that reconnects misses nothing; the same tick is
 * published under the id of the request that scans, for an edge that reports progress to the caller who waits for the answer.
 */
import type { Clock } from '#platform/clock.js'
import { requireScope, type RequestContext } from '#platform/requests/context.js'
import { AppError } from '#platform/errors.js'
import type { EventBus } from '#platform/events/events.js'
import { lastSeen } from '#platform/events/last-seen.js'
import type { Outbox, OutboxEvent } from '#platform/events/outbox.js'
import type { Scan } from './scan.js'
import { SCAN_TOPIC, type ScanStore } from './scan-store.js'

/** Published with `requestId`, `done` and `total` while a batch is scanned. */
export const SCAN_PROGRESS = 'scan.progress'

/** A batch of many small files would otherwise write more progress than results. */
const TICK_MS = 200

export interface ProgressOptions {
  readonly store: ScanStore
  readonly events: EventBus
  readonly clock: Clock
  readonly onFault: (error: unknown) => void
}

/** What the engine calls after each file of one scan. */
export type OnProgress = (done: number, total: number) => void

export function reportProgress(scanId: string, requestId: string, options: ProgressOptions): OnProgress {
  const { store, events, clock, onFault } = options
  let toldAt = Number.NEGATIVE_INFINITY
  let isWriting = false
  return (done, total) => {
    const isLast = done === total
    if (!isLast && clock.now() - toldAt < TICK_MS) return
    toldAt = clock.now()
    events.publish(SCAN_PROGRESS, { requestId, done, total })
    // The last tick is stored with the results. One that a slow database is still writing could be overtaken by the next.
    if (isLast || isWriting) return
    isWriting = true
    void store
      .progress(scanId, done)
      .catch(onFault)
      .finally(() => (isWriting = false))
  }
}

/** A scan after an event; the stored state that comes first follows none. */
export interface ScanUpdate {
  readonly scan: Scan
  readonly sequence: number | null
}

/**
 * A reconnecting subscriber sends the last sequence it saw (`after`, or the header `Last-Event-ID`) and gets every event since,
 * each with the progress of its time; the present state only when nothing happened. Ends when the scan has ended.
 *
 * @throws AppError 404 for a scan that is not the caller's.
 */
export function scanSource(store: ScanStore, outbox: Outbox) {
  return async (args: Readonly<Record<string, unknown>>, context: RequestContext): Promise<AsyncIterable<ScanUpdate>> => {
    const { accountId } = requireScope(context, 'scan')
    const id = String(args['id'])
    const seen = lastSeen(args['after'], context)
    const afterSequence = seen ?? (await outbox.latest())
    const isBehind = seen !== null && (await outbox.latest({ topic: SCAN_TOPIC, subject: id })) > seen
    const scan = await store.find(id)
    if (scan?.accountId !== accountId) throw new AppError('not_found', 'There is no such scan.', { param: 'id' })
    const changes = outbox.stream({ topic: SCAN_TOPIC, subject: id, afterSequence, signal: context.signal })
    return updates(scan, isBehind, changes, () => store.find(id))
  }
}

async function* updates(
  first: Scan,
  isBehind: boolean,
  changes: AsyncIterable<OutboxEvent>,
  read: () => Promise<Scan | null>,
): AsyncGenerator<ScanUpdate> {
  if (!isBehind) yield { scan: first, sequence: null }
  if (!isBehind && first.status !== 'running') return
  for await (const { sequence, payload } of changes) {
    const isRunning = payload['status'] === 'running'
    // The end is final, so what is stored then is what it was; before it only the count changes.
    const scan = isRunning ? underWay(first, Number(payload['done'])) : await read()
    if (!scan) return
    yield { scan, sequence }
    if (!isRunning) return
  }
}

const underWay = (scan: Scan, filesDone: number): Scan => ({
  ...scan,
  status: 'running',
  filesDone,
  summary: NOTHING_FOUND,
  files: null,
  error: null,
  finishedAt: null,
})

const NOTHING_FOUND = { totalViolations: 0, critical: 0, high: 0, medium: 0, low: 0 }
