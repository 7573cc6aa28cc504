/**
 * The sweep: finds instances of this installation that no session answers for, and destroys them.
 *
 * It is the second line against leaks (the first is that every create is followed up by its session), so it must never touch
 * what somebody else's program made: only labels of our installation count.
 */
import { HOUR_MS, type Clock } from '#platform/clock.js'
import { labelPrefix, parseLabel, type GpuDriver, type ObservedInstance } from '../drivers/driver.js'
import type { ComputePolicy } from '../policy.js'
import type { LedgerPort } from '../ports.js'
import type { GpuSession } from '../sessions/session.js'
import type { SessionStore } from '../store/session-store.js'
import { settle, withDeadline } from './perform.js'

export interface SweepDeps {
  readonly store: SessionStore
  readonly ledger: LedgerPort
  readonly drivers: ReadonlyMap<string, GpuDriver>
  readonly installId: string
  readonly clock: Clock
  readonly policy: ComputePolicy
  readonly onOrphan: (driverId: string, instanceId: string) => Promise<void> | void
  readonly onFault: (error: unknown, driverId: string) => void
}

/** How far back closed sessions are compared with the ledger. */
const AUDIT_WINDOW_MS = HOUR_MS

export async function sweep(deps: SweepDeps): Promise<void> {
  for (const driver of deps.drivers.values()) {
    try {
      await sweepDriver(driver, deps)
    } catch (error) {
      deps.onFault(error, driver.id)
    }
  }
}

async function sweepDriver(driver: GpuDriver, { store, installId, clock, policy, onOrphan }: SweepDeps): Promise<void> {
  const call: DriverCall = (run) => withDeadline(clock, policy.callTimeoutMs, run)
  for (const { instanceId } of await findOrphans(driver, installId, store, call)) {
    await onOrphan(driver.id, instanceId)
    await call((signal) => driver.destroy(instanceId, signal))
  }
}

type DriverCall = <T>(run: (signal: AbortSignal) => Promise<T>) => Promise<T>

/** The machines of this installation that a driver knows and no session answers for. */
export async function findOrphans(
  driver: GpuDriver,
  installId: string,
  store: Pick<SessionStore, 'byLabelKeys'>,
  call: DriverCall,
): Promise<ObservedInstance[]> {
  const prefix = labelPrefix(installId)
  const instances = (await call((signal) => driver.list(prefix, signal))).filter(({ label }) => label.startsWith(prefix))
  // Sessions are read after the list: every instance in it was created for a session that is stored already.
  const keys = instances.map(({ label }) => parseLabel(label)?.sessionKey ?? '')
  const sessions = await store.byLabelKeys(keys)
  return instances.filter((instance, index) => isOrphan(instance, sessions.get(keys[index] ?? '')))
}

/** No session, one that is over, or one that has another instance now. */
export function isOrphan(instance: ObservedInstance, session: GpuSession | undefined): boolean {
  const attempt = parseLabel(instance.label)?.attempt
  if (attempt === undefined) return false
  if (!session || session.phase === 'terminated') return true
  if (instance.instanceId === session.instanceId) return false
  return attempt < session.attempt || (session.instanceId !== null && attempt === session.attempt)
}

/** Closes the holds of ended sessions that are open all the same: a process that died a moment too late had placed them. */
export async function auditHolds({ store, ledger, clock }: Pick<SweepDeps, 'store' | 'ledger' | 'clock'>): Promise<void> {
  const closed = await store.terminatedSince(clock.now() - AUDIT_WINDOW_MS)
  const holds = await ledger.read(closed.map(({ id }) => id))
  for (const session of closed) {
    if (holds.get(session.id)?.state === 'open') await settle(session, ledger)
  }
}
