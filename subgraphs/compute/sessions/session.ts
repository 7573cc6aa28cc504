/**
 * One GPU session: the durable record of a machine that somebody wants, and of what it costs.
 *
 * Two things move independently. `wanted` and the money fields change when somebody decides (the renter, the idle rule, an
 * interruption); they say what the caller sees. `phase` and the instance fields follow the physical machine and belong to the
 * holder of the lease. So a DELETE never waits for a provider, and a machine is cleaned up however long that takes.
 */
import type { NanoUsd } from '#platform/money.js'
import type { InterruptionOrigin, Offer } from '../offers/offer.js'
import { costOf, hourlyPrice } from './session-cost.js'

const phases = ['requested', 'creating', 'booting', 'loading', 'running', 'stopping', 'terminated'] as const
export type Phase = (typeof phases)[number]

/** The contract's three words. */
export type SessionStatus = 'provisioning' | 'running' | 'terminated'

export type TerminationReason =
  | 'user'
  | 'idle'
  | 'credits_exhausted'
  | 'interrupted'
  | 'unhealthy'
  | 'no_capacity'
  | 'offer_unavailable'
  | 'timeout'
  | 'failed'
  /** The request that started it was not covered or never finished; nobody was told about this session. */
  | 'not_started'

/**
 * `reserving`: the hold is being placed; no machine may be asked for. `open`: covered. `closing`: what to charge is decided.
 * `closed`: the ledger confirmed it.
 */
export type HoldPhase = 'reserving' | 'open' | 'closing' | 'closed'

export interface GpuSession {
  readonly id: string
  readonly purpose: 'rental' | 'model'
  /** Who pays: the renter, or the account whose request started the model. */
  readonly accountId: string
  readonly modelId: string | null
  readonly wanted: 'running' | 'terminated'
  readonly phase: Phase

  readonly driverId: string
  readonly providerId: string
  readonly region: string
  readonly gpuModel: string
  readonly vramGb: number
  readonly gpuCount: number
  readonly spot: boolean
  readonly interruptionProbability: number
  readonly interruptionOrigin: InterruptionOrigin
  /** The agreed price: what is billed, whatever the provider asks later. Nano-USD. */
  readonly pricePerGpuHour: NanoUsd
  /** What the caller left open, to choose another offer when the first has no capacity. */
  readonly anyProvider: boolean
  readonly anyRegion: boolean
  readonly sshKey: string | null
  readonly dockerImage: string | null
  readonly fineTuned: boolean

  /** Number of the current create; part of the label. */
  readonly attempt: number
  /** When the intent of the current create was written; null when no create can be on its way. */
  readonly attemptAt: number | null
  readonly label: string | null
  readonly instanceId: string | null
  /** When we last learned the id of an instance, stray or not. */
  readonly instanceAt: number | null
  /** Instances that must be destroyed beside the current one. */
  readonly strays: readonly string[]
  /** Observations in a row that the instance does not exist. */
  readonly absences: number
  readonly endpointUrl: string | null
  readonly endpointKey: string
  readonly sshHost: string | null
  readonly sshPort: number | null

  readonly holdPhase: HoldPhase
  readonly holdAmount: NanoUsd
  /** When the ledger would close the hold by itself; renewed long before. */
  readonly holdUntil: number
  /** Charged at the end; null until that is decided. */
  readonly finalCost: NanoUsd | null

  /** Epoch milliseconds, all of them. */
  readonly createdAt: number
  readonly runningAt: number | null
  /** The last time that we know the instance was alive, by the wall clock of who looked. */
  readonly lastAliveAt: number | null
  /** Milliseconds that it is known to have run until then: what is billed. */
  readonly aliveMs: number
  /** The last chat request for this model that any process saw. */
  readonly lastActiveAt: number
  readonly terminatedAt: number | null
  /** The machine stays until then so that requests in flight can finish. */
  readonly destroyAfter: number | null
  readonly terminationReason: TerminationReason | null
  readonly estimatedReadySeconds: number

  /** Failed creates so far. */
  readonly createFailures: number
  readonly probeFailures: number
  /** Unknown outcomes in a row; decides the backoff. */
  readonly setbacks: number
  /** When the reconciler looks at it next. */
  readonly dueAt: number
  readonly leaseToken: string | null
  readonly leaseUntil: number
  /** Raised by every write: a write based on an older version is refused. */
  readonly version: number
}

/** What a write may change. */
export type SessionPatch = Partial<Omit<GpuSession, 'id' | 'purpose' | 'accountId' | 'version' | 'createdAt'>>

export const statusOf = (session: Pick<GpuSession, 'wanted' | 'phase'>): SessionStatus => {
  if (session.wanted === 'terminated') return 'terminated'
  return session.phase === 'running' ? 'running' : 'provisioning'
}

export const sessionHourlyPrice = (session: Pick<GpuSession, 'pricePerGpuHour' | 'gpuCount'>): NanoUsd =>
  hourlyPrice(session.pricePerGpuHour, session.gpuCount)

/** Further away than any wait: what is due then was written before the wall clock was set back, and is due now. */
export const MAX_REST_MS = 10 * 60_000

export const isDue = ({ dueAt }: Pick<GpuSession, 'dueAt'>, now: number): boolean => dueAt <= now || dueAt > now + MAX_REST_MS

/** What the payer owes up to the last observation: time cost less what callers paid for tokens, at most the hold. */
export function costSoFar(session: GpuSession, tokenRevenue: NanoUsd): NanoUsd {
  if (session.finalCost !== null) return session.finalCost
  const owed = costOf(sessionHourlyPrice(session), session.aliveMs) - tokenRevenue
  return owed <= 0n ? 0n : owed < session.holdAmount ? owed : session.holdAmount
}

/** The patch that ends a session as callers see it: billed through the last observation that it was alive, and no further. */
export function termination(
  session: GpuSession,
  reason: TerminationReason,
  now: number,
  options: { tokenRevenue: NanoUsd; drainMs: number },
): SessionPatch {
  return {
    wanted: 'terminated',
    terminationReason: reason,
    terminatedAt: now,
    finalCost: costSoFar(session, options.tokenRevenue),
    holdPhase: session.holdPhase === 'closed' ? 'closed' : 'closing',
    destroyAfter: now + options.drainMs,
    setbacks: 0,
    dueAt: now,
  }
}

/** The fields that come from the offer that a session was promised. */
export const offerFields = (offer: Offer): Partial<GpuSession> & Pick<GpuSession, 'driverId' | 'providerId' | 'region'> => ({
  driverId: offer.driverId,
  providerId: offer.providerId,
  region: offer.region,
  gpuModel: offer.gpuModel,
  vramGb: offer.vramGb,
  spot: offer.spot,
  interruptionProbability: offer.interruptionProbability,
  interruptionOrigin: offer.interruptionOrigin,
})
