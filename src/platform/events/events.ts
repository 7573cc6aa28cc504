/**
 * Events: small facts that tell subscribers to look again ("key revoked", "price changed"), never the only copy of a state.
 *
 * The in-process bus serves one process. The interface fits Postgres LISTEN/NOTIFY: payloads are JSON, small (ids, not
 * objects), and delivery is at most once, so every subscriber re-reads the stored state first.
 */

export type EventPayload = Record<string, string | number | boolean | null>

/** Told to this process's own listeners when events of others may have been lost: everything is to be read again. */
export const EVENTS_RESUMED = 'events.resumed'

export interface EventBus {
  /** Tells every subscriber of the topic, in every process. Never throws and never waits. */
  publish(topic: string, payload: EventPayload): void
  /** Calls the listener for each event from now on, until the returned function is called. */
  listen(topic: string, listener: (payload: EventPayload) => void): () => void
  close(): Promise<void>
}

export function createInProcessEvents(): EventBus {
  const listeners = new Map<string, Set<(payload: EventPayload) => void>>()
  return {
    publish(topic, payload) {
      for (const listener of listeners.get(topic) ?? []) listener(payload)
    },
    listen(topic, listener) {
      const group = listeners.get(topic) ?? new Set()
      listeners.set(topic, group.add(listener))
      return () => {
        group.delete(listener)
        if (group.size === 0 && listeners.get(topic) === group) listeners.delete(topic)
      }
    },
    async close() {
      listeners.clear()
    },
  }
}

/** How many events one slow subscriber may have waiting before the oldest are dropped. */
const MAX_QUEUED = 1024

/**
 * Topics as one async iterable that ends when the signal aborts. The listener is registered when this is called, not at the
 * first `next()`, so that a caller can read the stored state afterwards and miss nothing.
 */
export function eventStream(
  bus: EventBus,
  topics: string | readonly string[],
  signal: AbortSignal,
  isWanted: (payload: EventPayload) => boolean = () => true,
): AsyncIterableIterator<EventPayload> {
  const queue: EventPayload[] = []
  let wake: (() => void) | undefined
  let ended = signal.aborted
  const heard = (payload: EventPayload) => {
    // Before the queue: what others cause must not push out what this follower waits for.
    if (!isWanted(payload)) return
    queue.push(payload)
    if (queue.length > MAX_QUEUED) queue.shift()
    wake?.()
  }
  const stops = [topics].flat().map((topic) => bus.listen(topic, heard))
  const end = () => {
    ended = true
    for (const stop of stops) stop()
    signal.removeEventListener('abort', end)
    wake?.()
  }
  signal.addEventListener('abort', end, { once: true })
  if (ended) end()
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      while (queue.length === 0 && !ended) await new Promise<void>((resolve) => (wake = resolve))
      const value = ended ? undefined : queue.shift()
      return value === undefined ? { done: true, value: undefined } : { done: false, value }
    },
    async return() {
      end()
      return { done: true, value: undefined }
    },
  }
}
