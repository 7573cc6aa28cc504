/**
 * What to do next with a session, from its record and the time alone. Pure.
 *
 * A round is: plan a step, perform it without any transaction, absorb the outcome into a patch, save the patch under the lease.
 * Everything that must survive a crash is in the record; `Round` holds only what may be forgotten.
 */
import type { DriverCaps } from '../drivers/driver.js'
import type { Offer } from '../offers/offer.js'
import { isDue, type GpuSession, type TerminationReason } from '../sessions/session.js'

export type Step =
  | { readonly do: 'rest' }
  /** The request that was placing the hold is gone: end the session as if it never was. */
  | { readonly do: 'end'; readonly reason: TerminationReason; readonly drain: boolean }
  | { readonly do: 'settle' }
  /** Takes the endpoint out of routing; afterwards the machine may go. */
  | { readonly do: 'withdraw' }
  | { readonly do: 'choose' }
  | { readonly do: 'create'; readonly offer: Offer }
  /** Looks by label for an instance whose create is in doubt. */
  | { readonly do: 'adopt' }
  | { readonly do: 'observe' }
  | { readonly do: 'bill' }
  | { readonly do: 'remove'; readonly instanceId: string; readonly isStray: boolean }
  | { readonly do: 'finish' }

/** What this process knows in this round beyond the record. */
export interface Round {
  /** The intent that this very process has just written: only then may it call create. */
  readonly intent: { readonly attempt: number; readonly offer: Offer } | null
  readonly end: { readonly reason: TerminationReason; readonly drain: boolean } | null
  readonly mustBill: boolean
}

export const newRound: Round = { intent: null, end: null, mustBill: false }

export function planStep(session: GpuSession, now: number, round: Round): Step {
  if (session.wanted === 'terminated') return planEnding(session, now)
  if (round.end) return { do: 'end', ...round.end }
  if (session.holdPhase === 'reserving') return { do: 'end', reason: 'not_started', drain: false }
  if (round.mustBill) return { do: 'bill' }
  if (!isDue(session, now)) return { do: 'rest' }
  switch (session.phase) {
    case 'requested':
      return session.strays[0] === undefined ? { do: 'choose' } : { do: 'remove', instanceId: session.strays[0], isStray: true }
    case 'creating':
      return round.intent?.attempt === session.attempt ? { do: 'create', offer: round.intent.offer } : { do: 'adopt' }
    default:
      return { do: 'observe' }
  }
}

/** Money first, then routing, then the machine: what callers see never waits for a provider. */
function planEnding(session: GpuSession, now: number): Step {
  if (session.phase === 'terminated') return { do: 'rest' }
  if (session.holdPhase !== 'closed') return { do: 'settle' }
  if (session.phase !== 'stopping') return { do: 'withdraw' }
  if (!isDue(session, now)) return { do: 'rest' }
  if (session.strays[0] !== undefined) return { do: 'remove', instanceId: session.strays[0], isStray: true }
  if (session.instanceId !== null) return { do: 'remove', instanceId: session.instanceId, isStray: false }
  if (session.attemptAt !== null) return { do: 'adopt' }
  return { do: 'finish' }
}

/** Until then an instance whose create is in doubt may still appear. */
export const doubtEndsAt = (attemptAt: number, caps: Pick<DriverCaps, 'createTimeoutMs' | 'listLagMs'>): number =>
  attemptAt + caps.createTimeoutMs + caps.listLagMs
