/**
 * What an outcome means for a session: the patch to save and what to remember in this round. Pure.
 *
 * It may be called twice for one outcome, when somebody else (a DELETE, a chat request) wrote meanwhile: the second time with
 * the newer record. So it must look at `wanted` and never assume that the record is what the step was planned on.
 */
import type { NanoUsd } from '#platform/money.js'
import type { DriverCaps, DriverFault, ObservedInstance } from '../drivers/driver.js'
import { instanceLabel } from '../drivers/driver.js'
import type { Offer } from '../offers/offer.js'
import type { ComputePolicy } from '../policy.js'
import type { AliveTime, Look } from '../sessions/alive-time.js'
import { secondsCovered } from '../sessions/session-cost.js'
import {
  costSoFar,
  type GpuSession,
  MAX_REST_MS,
  offerFields,
  sessionHourlyPrice,
  type SessionPatch,
  termination,
  type TerminationReason,
} from '../sessions/session.js'
import { doubtEndsAt, type Round } from './plan.js'

/** A driver call that gave no answer to rely on. `untilMs`: do not ask before. */
export interface Unknown {
  readonly unknown: true
  readonly untilMs: number | null
}

export type Outcome =
  | { readonly of: 'end'; readonly reason: TerminationReason; readonly drain: boolean; readonly tokenRevenue: NanoUsd }
  | { readonly of: 'settle'; readonly charged: NanoUsd }
  | { readonly of: 'withdraw' }
  | { readonly of: 'choose'; readonly offer: Offer | null; readonly reason: 'no_capacity' | 'offer_unavailable' }
  | { readonly of: 'create'; readonly instanceId: string }
  | { readonly of: 'create'; readonly fault: DriverFault }
  | { readonly of: 'adopt'; readonly found: readonly ObservedInstance[] }
  | { readonly of: 'adopt'; readonly found: Unknown }
  | {
      readonly of: 'observe'
      readonly look: Look
      readonly seen: ObservedInstance | null | Unknown
      readonly probe: 'ok' | 'failed' | 'none'
    }
  | {
      readonly of: 'bill'
      readonly tokenRevenue: NanoUsd
      readonly extension: { toAmount: NanoUsd; expiresAt: number } | null
      readonly isRefused: boolean
    }
  | {
      readonly of: 'remove'
      readonly instanceId: string
      readonly isStray: boolean
      readonly seen: ObservedInstance | null | Unknown
    }
  | { readonly of: 'finish' }

export interface Absorbed {
  readonly patch: SessionPatch
  readonly round: Partial<Round>
  /** The look that `lastAliveAt` is from, once the patch is saved. */
  readonly look?: Look
}

export interface AbsorbContext {
  readonly now: number
  readonly monotonic: number
  /** Milliseconds from the last look in the record to this one. */
  readonly aliveSince: AliveTime['since']
  readonly installId: string
  readonly policy: ComputePolicy
  readonly caps: DriverCaps
  /** 0 to 1, for the jitter of backoffs. */
  readonly random: () => number
}

type Observation = Pick<Extract<Outcome, { of: 'observe' }>, 'look' | 'probe'>

const isUnknown = (seen: object | null): seen is Unknown => seen !== null && 'unknown' in seen

/** Full jitter: anywhere between the poll interval and the exponential limit. */
export function backoffMs(setbacks: number, { policy, caps, random }: AbsorbContext, maxMs = policy.backoffMaxMs): number {
  const limit = Math.min(maxMs, policy.backoffBaseMs * 2 ** Math.min(20, setbacks))
  return Math.max(Math.min(caps.pollMs, maxMs), Math.round(limit * random()))
}

export function absorb(session: GpuSession, outcome: Outcome, context: AbsorbContext): Absorbed {
  switch (outcome.of) {
    case 'end':
      return absorbEnd(session, outcome, context)
    case 'settle':
      return { patch: session.holdPhase === 'closing' ? { holdPhase: 'closed', finalCost: outcome.charged } : {}, round: {} }
    case 'withdraw':
      return { patch: { phase: 'stopping', dueAt: session.destroyAfter ?? context.now, absences: 0, setbacks: 0 }, round: {} }
    case 'choose':
      return absorbChoice(session, outcome, context)
    case 'create':
      return 'instanceId' in outcome ? created(session, outcome.instanceId, context) : notCreated(session, outcome.fault, context)
    case 'adopt':
      return isUnknown(outcome.found) ? setback(session, outcome.found, context) : adopted(session, outcome.found, context)
    case 'observe':
      return isUnknown(outcome.seen) ? unseen(session, outcome.seen, context) : observed(session, outcome.seen, outcome, context)
    case 'bill':
      return absorbBill(session, outcome, context)
    case 'remove':
      return isUnknown(outcome.seen) ? setback(session, outcome.seen, context) : removed(session, outcome, context)
    case 'finish':
      return { patch: { phase: 'terminated' }, round: {} }
  }
}

function absorbEnd(session: GpuSession, outcome: Extract<Outcome, { of: 'end' }>, { now, policy }: AbsorbContext): Absorbed {
  if (session.wanted === 'terminated') return { patch: {}, round: { end: null } }
  // Somebody asked for the model after the idle rule had decided.
  if (outcome.reason === 'idle' && now - session.lastActiveAt < policy.idleMs) return { patch: {}, round: { end: null } }
  const drainMs = outcome.drain ? policy.drainMs : 0
  return {
    patch: termination(session, outcome.reason, now, { tokenRevenue: outcome.tokenRevenue, drainMs }),
    round: { end: null },
  }
}

const ending = (reason: TerminationReason, drain = false): Partial<Round> => ({ end: { reason, drain } })

function absorbChoice(session: GpuSession, outcome: Extract<Outcome, { of: 'choose' }>, context: AbsorbContext): Absorbed {
  if (session.wanted === 'terminated') return { patch: {}, round: {} }
  if (outcome.offer === null) return failedCreate(session, {}, outcome.reason, context)
  const attempt = session.attempt + 1
  const { now, installId } = context
  return {
    patch: {
      ...offerFields(outcome.offer),
      phase: 'creating',
      attempt,
      attemptAt: now,
      label: instanceLabel(installId, session.id, attempt),
      absences: 0,
    },
    round: { intent: { attempt, offer: outcome.offer } },
  }
}

function failedCreate(session: GpuSession, patch: SessionPatch, reason: TerminationReason, context: AbsorbContext): Absorbed {
  const createFailures = session.createFailures + 1
  const phase = session.phase === 'creating' ? 'requested' : session.phase
  const dueAt = context.now + backoffMs(createFailures - 1, context)
  const full: SessionPatch = { ...patch, phase, createFailures, attemptAt: null, absences: 0, dueAt }
  return { patch: full, round: createFailures >= context.policy.maxCreateFailures ? ending(reason) : {} }
}

function created(session: GpuSession, instanceId: string, { now, caps }: AbsorbContext): Absorbed {
  const phase = session.phase === 'creating' ? 'booting' : session.phase
  return {
    patch: { instanceId, instanceAt: now, phase, attemptAt: null, absences: 0, setbacks: 0, dueAt: now + caps.pollMs },
    round: {},
  }
}

function notCreated(session: GpuSession, fault: DriverFault, context: AbsorbContext): Absorbed {
  const { now, caps } = context
  switch (fault.kind) {
    case 'capacity':
      return failedCreate(session, {}, 'no_capacity', context)
    case 'price_moved':
      return failedCreate(session, {}, 'offer_unavailable', context)
    case 'auth':
      return failedCreate(session, {}, 'failed', context)
    case 'invalid':
      return {
        patch: { attemptAt: null, phase: session.phase === 'creating' ? 'requested' : session.phase },
        round: ending('failed'),
      }
    case 'rate_limited':
      return {
        patch: {
          attemptAt: null,
          phase: session.phase === 'creating' ? 'requested' : session.phase,
          setbacks: session.setbacks + 1,
          dueAt: now + Math.min(MAX_REST_MS, Math.max(fault.retryAfterMs, backoffMs(session.setbacks, context))),
        },
        round: provisionTimedOut(session, context) ? ending('timeout') : {},
      }
    case 'failed':
      return withStray(failedCreate(session, {}, 'failed', context), session, fault.createdId, now)
    case 'in_doubt':
      return { patch: { dueAt: now + caps.pollMs }, round: { intent: null } }
  }
}

/** What exists although its create failed is destroyed at once, and nothing else is created before it is seen to be gone. */
const withStray = ({ patch, round }: Absorbed, session: GpuSession, createdId: string, now: number): Absorbed => ({
  patch: { ...patch, strays: [...session.strays, createdId], instanceAt: now, dueAt: now },
  round,
})

/** The answer is unknown: change nothing, ask later. Ending sessions are asked at least once a minute, however long it takes. */
function setback(session: GpuSession, { untilMs }: Unknown, context: AbsorbContext): Absorbed {
  const max = session.wanted === 'terminated' || session.phase === 'running' ? 60_000 : context.policy.backoffMaxMs
  const dueAt = Math.max(context.now + backoffMs(session.setbacks, context, max), Math.min(untilMs ?? 0, context.now + max))
  return { patch: { setbacks: session.setbacks + 1, dueAt }, round: {} }
}

function unseen(session: GpuSession, unknown: Unknown, context: AbsorbContext): Absorbed {
  const absorbed = setback(session, unknown, context)
  return provisionTimedOut(session, context) ? { ...absorbed, round: ending('timeout') } : absorbed
}

/** Providers answer from copies: a new instance may be unknown to them for a while. */
const mayBeUnlisted = (session: GpuSession, { now, caps }: AbsorbContext): boolean =>
  session.instanceAt !== null && now <= session.instanceAt + caps.listLagMs

const provisionTimedOut = (session: GpuSession, { now, caps }: AbsorbContext): boolean =>
  session.runningAt === null && now - session.createdAt > caps.provisionTimeoutMs

function adopted(session: GpuSession, found: readonly ObservedInstance[], context: AbsorbContext): Absorbed {
  const { now, caps } = context
  const [first, ...others] = found
  if (session.attemptAt === null) return { patch: {}, round: {} }
  if (first) {
    const { patch } = created(session, first.instanceId, context)
    return {
      patch: { ...patch, dueAt: now, strays: [...session.strays, ...others.map(({ instanceId }) => instanceId)] },
      round: {},
    }
  }
  const doubtEnds = doubtEndsAt(session.attemptAt, caps)
  if (now <= doubtEnds) {
    // A customer waits: nobody sleeps past the moment from which another attempt is safe.
    const dueAt = Math.min(now + backoffMs(session.setbacks, context, 30_000), doubtEnds + 1)
    return { patch: { setbacks: session.setbacks + 1, dueAt }, round: {} }
  }
  const absences = session.absences + 1
  if (absences < 2) return { patch: { absences, dueAt: now + caps.pollMs }, round: {} }
  if (session.wanted === 'terminated') return { patch: { attemptAt: null, absences: 0, dueAt: now }, round: {} }
  return failedCreate(session, {}, 'failed', context)
}

function observed(
  session: GpuSession,
  seen: ObservedInstance | null,
  { look, probe }: Observation,
  context: AbsorbContext,
): Absorbed {
  const { now, caps, policy } = context
  if (seen === null) {
    if (mayBeUnlisted(session, context)) return { patch: { dueAt: now + caps.pollMs }, round: {} }
    const absences = session.absences + 1
    return { patch: { absences, dueAt: now + caps.pollMs }, round: absences >= 2 ? ending('interrupted') : {} }
  }
  if (seen.status === 'ended') return { patch: { absences: 0, dueAt: now + caps.pollMs }, round: ending('interrupted') }
  const seenFields: SessionPatch = {
    absences: 0,
    setbacks: 0,
    endpointUrl: seen.endpointUrl ?? session.endpointUrl,
    sshHost: seen.sshHost ?? session.sshHost,
    sshPort: seen.sshPort ?? session.sshPort,
  }
  if (session.phase === 'running')
    return stillRunning(session, { ...seenFields, dueAt: now + policy.observeMs }, seen, { look, probe }, context)
  if (seen.status === 'running' && probe !== 'failed') {
    if (session.wanted === 'terminated') return { patch: seenFields, round: {} }
    const times = { runningAt: now, lastAliveAt: now, aliveMs: 0, lastActiveAt: Math.max(now, session.lastActiveAt) }
    const patch: SessionPatch = { ...seenFields, ...times, phase: 'running', probeFailures: 0, dueAt: now + policy.observeMs }
    return { patch, round: {}, look: { at: now, monotonic: context.monotonic } }
  }
  const isLoading = seen.status === 'running' && (session.phase === 'booting' || session.phase === 'loading')
  const patch: SessionPatch = { ...seenFields, ...(isLoading && { phase: 'loading' }), dueAt: now + caps.pollMs }
  return { patch, round: provisionTimedOut(session, context) ? ending('timeout') : {} }
}

/** Only an instance that runs and, when it serves a model, answers is worth money. */
function stillRunning(
  session: GpuSession,
  patch: SessionPatch,
  seen: ObservedInstance,
  { look, probe }: Observation,
  { now, caps, policy, aliveSince }: AbsorbContext,
): Absorbed {
  if (probe === 'failed') {
    const probeFailures = session.probeFailures + 1
    const round = probeFailures >= policy.maxProbeFailures ? ending('unhealthy') : {}
    return { patch: { ...patch, probeFailures, dueAt: now + caps.pollMs }, round }
  }
  if (seen.status !== 'running') return { patch, round: {} }
  const alive = { lastAliveAt: look.at, aliveMs: session.aliveMs + aliveSince(session, look) }
  return { patch: { ...patch, probeFailures: 0, ...alive }, round: session.wanted === 'running' ? { mustBill: true } : {}, look }
}

function absorbBill(session: GpuSession, outcome: Extract<Outcome, { of: 'bill' }>, { now, policy }: AbsorbContext): Absorbed {
  if (session.wanted === 'terminated') return { patch: {}, round: { mustBill: false } }
  const { extension } = outcome
  const holdAmount = extension !== null && extension.toAmount > session.holdAmount ? extension.toAmount : session.holdAmount
  const extended = { ...session, holdAmount }
  const left = holdAmount - costSoFar(extended, outcome.tokenRevenue)
  const covered = secondsCovered(sessionHourlyPrice(session), left)
  const patch: SessionPatch = {
    ...(extension !== null && { holdAmount, holdUntil: extension.expiresAt }),
    // Look again before the hold runs out.
    dueAt: Math.min(session.dueAt, now + Math.max(1_000, (covered - policy.exhaustedBelowSeconds) * 1000)),
  }
  if (outcome.isRefused && covered <= policy.exhaustedBelowSeconds) {
    return { patch, round: { mustBill: false, ...ending('credits_exhausted', true) } }
  }
  const isIdle = session.purpose === 'model' && now - Math.max(session.lastActiveAt, session.runningAt ?? now) >= policy.idleMs
  return { patch, round: { mustBill: false, ...(isIdle && ending('idle', true)) } }
}

/** Gone is what was absent twice: one answer may come from a copy that is behind. */
function removed(session: GpuSession, outcome: Extract<Outcome, { of: 'remove' }>, context: AbsorbContext): Absorbed {
  const { now, caps } = context
  if (outcome.seen !== null) {
    const { patch, round } = setback(session, { unknown: true, untilMs: null }, context)
    return { patch: { ...patch, absences: 0 }, round }
  }
  const mayAppear = mayBeUnlisted(session, context)
  const absences = mayAppear ? session.absences : session.absences + 1
  if (absences < 2) return { patch: { absences, dueAt: now + caps.pollMs }, round: {} }
  const gone = outcome.isStray ? { strays: session.strays.filter((id) => id !== outcome.instanceId) } : { instanceId: null }
  return { patch: { ...gone, absences: 0, setbacks: 0, dueAt: now }, round: {} }
}
