/**
 * A circuit per provider: after some failed calls in a row nobody calls it for a while, in any process that shares the store.
 * Rate limits and missing capacity are answers, not failures.
 */
import type { Clock } from '#platform/clock.js'
import type { ComputePolicy } from '../policy.js'
import type { SessionStore } from '../store/session-store.js'

export interface Circuits {
  /** Reads what other processes opened; call once a round. */
  refresh(): Promise<void>
  /** Epoch milliseconds until which the provider is left alone, or null. */
  openUntil(driverId: string): number | null
  succeeded(driverId: string): void
  failed(driverId: string): Promise<void>
}

const MAX_OPENINGS = 4

export function createCircuits(store: SessionStore, clock: Clock, policy: ComputePolicy): Circuits {
  const failures = new Map<string, number>()
  const openings = new Map<string, number>()
  let open: ReadonlyMap<string, number> = new Map()
  return {
    async refresh() {
      open = await store.circuitsOpenAt(clock.now())
    },
    openUntil(driverId) {
      const until = open.get(driverId)
      return until !== undefined && until > clock.now() ? until : null
    },
    succeeded(driverId) {
      failures.delete(driverId)
      openings.delete(driverId)
    },
    async failed(driverId) {
      const count = (failures.get(driverId) ?? 0) + 1
      failures.set(driverId, count)
      if (count < policy.circuitFailures) return
      failures.delete(driverId)
      const opening = Math.min(MAX_OPENINGS, openings.get(driverId) ?? 0)
      openings.set(driverId, opening + 1)
      const until = clock.now() + policy.circuitOpenMs * 2 ** opening
      open = new Map([...open, [driverId, until]])
      await store.openCircuit(driverId, until)
    },
  }
}
