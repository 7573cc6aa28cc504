/** Ending a session: billed through the last sign of life, then its hold closed. */
import { settle, withDeadline } from '../reconciler/perform.js'
import { eventsOf } from '../reconciler/reconciler.js'
import type { Look } from './alive-time.js'
import { type GpuSession, termination, type TerminationReason } from './session.js'
import type { Sessions, SessionsDeps } from './sessions.js'

/** How long a DELETE waits for the provider to say whether the instance is still alive. */
const LAST_LOOK_MS = 3_000

export function sessionEnding({
  store,
  ledger,
  revenue,
  drivers,
  clock,
  aliveTime,
  kick,
  onChange,
}: SessionsDeps): Sessions['end'] {
  /** Closes the hold of an ended session, if that is still to be done. */
  async function close(session: GpuSession): Promise<GpuSession> {
    let current = session
    if (current.holdPhase === 'closing') {
      const charged = await settle(current, ledger)
      while (current.holdPhase === 'closing') {
        const patch = { holdPhase: 'closed', finalCost: charged } as const
        const closed = { ...current, ...patch, version: current.version + 1 }
        if (await store.decide(current, patch, eventsOf(current, closed))) current = closed
        else current = (await store.find(current.id)) ?? closed
      }
    }
    onChange(current)
    kick()
    return current
  }

  /** When the instance of a running session is known to be alive right now: a rental ended by its renter is billed until then. */
  async function lastLook(session: GpuSession): Promise<Look | null> {
    const driver = drivers.get(session.driverId)
    const { instanceId } = session
    if (!driver || instanceId === null || session.phase !== 'running' || session.probeFailures > 0) return null
    const look = aliveTime.look()
    try {
      const seen = await withDeadline(clock, LAST_LOOK_MS, (signal) => driver.get(instanceId, signal))
      return seen?.status === 'running' && seen.label === session.label ? look : null
    } catch {
      return null
    }
  }

  return async function end(session: GpuSession, reason: TerminationReason): Promise<GpuSession> {
    let current = session
    const look = await lastLook(session)
    for (;;) {
      if (current.wanted === 'terminated') return close(current)
      const tokenRevenue = current.purpose === 'model' ? await revenue.billedTokens(current.id) : 0n
      const sinceMs = look === null ? 0 : aliveTime.since(current, look)
      const seen = look === null || sinceMs === 0 ? {} : { lastAliveAt: look.at, aliveMs: current.aliveMs + sinceMs }
      const patch = { ...termination({ ...current, ...seen }, reason, clock.now(), { tokenRevenue, drainMs: 0 }), ...seen }
      const ended = { ...current, ...patch, version: current.version + 1 }
      if (await store.decide(current, patch, eventsOf(current, ended))) return close(ended)
      current = (await store.find(current.id)) ?? ended
    }
  }
}
