/**
 * Who uses which model now. Requests in flight are counted in this process; the record's `lastActiveAt` tells all processes.
 *
 * It is refreshed when a request starts and while any is in flight, much more often than the idle limit, so a session with a
 * request in flight anywhere is never idle.
 */
import type { Clock } from '#platform/clock.js'
import type { SessionStore } from '../store/session-store.js'

export interface Activity {
  /** A chat request for this model begins; call the answer once when it ends. */
  touch(modelId: string): () => void
  stop(): void
}

/** A model's record is written at most this often. */
const WRITE_EVERY_MS = 10_000

export function createActivity(store: SessionStore, clock: Clock, onError: (error: unknown) => void): Activity {
  const counts = new Map<string, number>()
  const writtenAt = new Map<string, number>()
  let cancelTimer: (() => void) | null = null

  function write(modelId: string): void {
    const now = clock.now()
    if (now - (writtenAt.get(modelId) ?? -Infinity) < WRITE_EVERY_MS) return
    writtenAt.set(modelId, now)
    store.noteActivity(modelId, now).catch(onError)
  }

  function keepFresh(): void {
    cancelTimer ??= clock.setTimeout(() => {
      cancelTimer = null
      for (const modelId of counts.keys()) write(modelId)
      if (counts.size > 0) keepFresh()
    }, WRITE_EVERY_MS)
  }

  return {
    touch(modelId) {
      counts.set(modelId, (counts.get(modelId) ?? 0) + 1)
      write(modelId)
      keepFresh()
      let ended = false
      return () => {
        if (ended) return
        ended = true
        const left = (counts.get(modelId) ?? 1) - 1
        if (left > 0) counts.set(modelId, left)
        else counts.delete(modelId)
        write(modelId)
      }
    },
    stop: () => cancelTimer?.(),
  }
}
