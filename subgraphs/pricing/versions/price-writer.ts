/**
 * Keeps memory and database the same while prices change, in this process and in others.
 *
 * Work goes one after another; the unique number per price id settles a race between processes: who comes second reads the
 * winner's version and decides again.
 */
import { UniqueConstraintViolationException } from '@mikro-orm/core'
import type { Clock } from '#platform/clock.js'
import type { EventBus } from '#platform/events/events.js'
import type { PriceMemory } from './price-memory.js'
import type { PriceChangeRequest, PriceStore } from './price-store.js'
import type { PriceVersion } from './price-version.js'

/** Carries `priceId`, `modelId` and `versionId`: read the price again. */
export const PRICE_CHANGED = 'price.changed'

/** How often a decision is made anew after another process wrote the same version number. */
const CONFLICT_RETRIES = 5

export interface PriceWriter {
  /** Runs alone; `decide` sees the present prices, and is asked again when another process was faster. */
  write(decide: () => readonly PriceChangeRequest[]): Promise<PriceVersion[]>
  /** Runs alone, for work that is not a new version. */
  alone<T>(work: () => Promise<T>): Promise<T>
  /** Reads what is stored and tells of what came into force meanwhile. */
  refresh(priceIds: readonly string[] | null): Promise<void>
  /** Calls back with each version that came into force; the result ends it. */
  onChange(listener: (version: PriceVersion) => void): () => void
  close(): void
}

export function createPriceWriter(store: PriceStore, memory: PriceMemory, clock: Clock, events: EventBus): PriceWriter {
  const listeners = new Set<(version: PriceVersion) => void>()
  let tail: Promise<unknown> = Promise.resolve()

  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const next = tail.then(work, work)
    tail = next.catch(() => undefined)
    return next
  }
  const notify = (versions: readonly PriceVersion[]) => {
    for (const version of versions) for (const listener of listeners) listener(version)
  }
  const refresh = (priceIds: readonly string[] | null) => alone(async () => notify(await reload(store, memory, priceIds)))
  const stopListening = events.listen(PRICE_CHANGED, ({ priceId, versionId }) => {
    if (memory.versionOf(String(priceId))?.id === versionId) return
    // A failed reading is made up for by the next `refresh`.
    refresh([String(priceId)]).catch(() => undefined)
  })
  const write = async (decide: () => readonly PriceChangeRequest[]): Promise<PriceVersion[]> => {
    for (let attempt = 0; ; attempt++) {
      const changes = decide()
      if (changes.length === 0) return []
      try {
        const written = await store.insert(changes, clock.now())
        for (const version of written) {
          memory.dropPending(version.priceId)
          memory.remember(version)
        }
        const inForce = written.filter(({ state }) => state === 'current')
        notify(inForce)
        for (const { id, priceId, modelId } of inForce) events.publish(PRICE_CHANGED, { priceId, modelId, versionId: id })
        return written
      } catch (error) {
        if (!(error instanceof UniqueConstraintViolationException) || attempt >= CONFLICT_RETRIES) throw error
        const ids = changes.map(({ point }) => point.priceId)
        notify(await reload(store, memory, ids))
      }
    }
  }
  return {
    write: (decide) => alone(() => write(decide)),
    alone,
    refresh,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      stopListening()
      listeners.clear()
    },
  }
}

/** Takes what is stored into memory and answers the versions in force that were not known. */
async function reload(store: PriceStore, memory: PriceMemory, priceIds: readonly string[] | null): Promise<PriceVersion[]> {
  const rows = await store.live(priceIds)
  const waiting = new Set(rows.filter(({ state }) => state === 'pending').map(({ priceId }) => priceId))
  for (const priceId of priceIds ?? memory.priceIds()) if (!waiting.has(priceId)) memory.dropPending(priceId)
  const fresh = rows.filter((row) => row.state === 'pending' || memory.versionOf(row.priceId)?.id !== row.id)
  for (const row of fresh) memory.remember(row)
  return fresh.filter(({ state }) => state === 'current')
}
