/**
 * One GPU session: the durable record of a machine that somebody wants, and of what it costs.
 *
 * Two things move independently. `wanted` and the money fields change when somebody decides (the renter, the idle rule, an
 * interruption); they say what the caller sees. `phase` and the instance fields follow the physical machine and belong to the
 * holder of the lease. So a DELETE never waits for a provider, and a machine is cleaned up however long that takes.
 */
import { defineEntity, p } from '@mikro-orm/core'
import { flag, json, money, time } from '#platform/database/columns.js'
import type { Row } from '#platform/database/tables.js'
import { newId } from '#platform/ids.js'
import type { NanoUsd } from '#platform/money.js'
import type { InterruptionOrigin, Offer } from '../offers/offer.js'
import { costOf, hourlyPrice } from './session-cost.js'

/** What the machine does. */
export const Phase = {
  REQUESTED: 'requested',
  CREATING: 'creating',
  BOOTING: 'booting',
  LOADING: 'loading',
  RUNNING: 'running',
  STOPPING: 'stopping',
  TERMINATED: 'terminated',
} as const
export type Phase = (typeof Phase)[keyof typeof Phase]

/** The contract's three words. */
export const SessionStatus = { PROVISIONING: 'provisioning', RUNNING: 'running', TERMINATED: 'terminated' } as const
export type SessionStatus = (typeof SessionStatus)[keyof typeof SessionStatus]

export const TerminationReason = {
  USER: 'user',
  IDLE: 'idle',
  CREDITS_EXHAUSTED: 'credits_exhausted',
  INTERRUPTED: 'interrupted',
  UNHEALTHY: 'unhealthy',
  NO_CAPACITY: 'no_capacity',
  OFFER_UNAVAILABLE: 'offer_unavailable',
  TIMEOUT: 'timeout',
  FAILED: 'failed',
  /** The request that started it was not covered or never finished; nobody was told about this session. */
  NOT_STARTED: 'not_started',
} as const
export type TerminationReason = (typeof TerminationReason)[keyof typeof TerminationReason]

/**
 * `reserving`: the hold is being placed; no machine may be asked for. `open`: covered. `closing`: what to charge is decided.
 * `closed`: the ledger confirmed it.
 */
export type HoldPhase = 'reserving' | 'open' | 'closing' | 'closed'

/** Characters of a renter's own name for a rental. */
export const MAX_LABEL = 100

export const GpuSessionEntity = defineEntity({
  name: 'GpuSession',
  tableName: 'gpu_session',
  indexes: [
    {
      name: 'gpu_session_due',
      expression: 'create index "gpu_session_due" on "gpu_session" ("due_at") where "phase" <> \'terminated\'',
    },
    { name: 'gpu_session_account', properties: ['accountId', 'createdAt'] },
    { name: 'gpu_session_model', properties: ['modelId', 'runningAt'] },
  ],
  uniques: [
    {
      name: 'gpu_session_one_live_per_model',
      expression:
        'create unique index "gpu_session_one_live_per_model" on "gpu_session" ("model_id") where "purpose" = \'model\' and "wanted" = \'running\'',
    },
    { name: 'gpu_session_label_key', properties: ['labelKey'] },
  ],
  properties: {
    id: p.string().length(40).primary(),
    /** The part of the id that is in labels. */
    labelKey: p.string().length(40),
    purpose: p.string().$type<'rental' | 'model'>().length(10),
    /** Who pays: the renter, or the account whose request started the model. */
    accountId: p.string().length(40),
    modelId: p.string().length(200).nullable(),
    wanted: p.string().$type<'running' | 'terminated'>().length(12),
    phase: p.string().$type<Phase>().length(12),

    driverId: p.string().length(64),
    providerId: p.string().length(64),
    region: p.string().length(100),
    gpuModel: p.string().length(64),
    vramGb: p.integer(),
    gpuCount: p.integer(),
    spot: flag(),
    /** How likely within 30 days; per mille, because columns hold no fractions. */
    interruptionPermille: p.integer(),
    interruptionOrigin: p.string().$type<InterruptionOrigin>().length(12),
    /** The agreed price: what is billed, whatever the provider asks later. */
    pricePerGpuHour: money(),
    /** What the caller left open, to choose another offer when the first has no capacity. */
    anyProvider: flag(),
    anyRegion: flag(),
    sshKey: p.text().nullable(),
    dockerImage: p.text().nullable(),
    fineTuned: flag(),

    /** The renter's own name for it. */
    renterLabel: p.string().length(MAX_LABEL).nullable(),

    /** Number of the current create; part of the instance's label. */
    attempt: p.integer(),
    /** When the intent of the current create was written; null when no create can be on its way. */
    attemptAt: time().nullable(),
    /** What its instance is called at the provider: whose it is can be told from that. */
    label: p.string().length(64).nullable(),
    instanceId: p.string().length(200).nullable(),
    /** When we last learned the id of an instance, stray or not. */
    instanceAt: time().nullable(),
    /** Instances that must be destroyed beside the current one. */
    strays: json<readonly string[]>(),
    /** Observations in a row that the instance does not exist. */
    absences: p.integer(),
    endpointUrl: p.text().nullable(),
    endpointKey: p.string().length(80),
    sshHost: p.string().length(255).nullable(),
    sshPort: p.integer().nullable(),

    holdPhase: p.string().$type<HoldPhase>().length(10),
    holdAmount: money(),
    /** When the ledger would close the hold by itself; renewed long before. */
    holdUntil: time(),
    /** Charged at the end; null until that is decided. */
    finalCost: money().nullable(),

    createdAt: time(),
    runningAt: time().nullable(),
    /** The last time that we know the instance was alive, by the wall clock of who looked. */
    lastAliveAt: time().nullable(),
    /** Milliseconds that it is known to have run until then: what is billed. */
    aliveMs: time().default(0),
    /** The last chat request for this model that any process saw. */
    lastActiveAt: time(),
    terminatedAt: time().nullable(),
    /** The machine stays until then so that requests in flight can finish. */
    destroyAfter: time().nullable(),
    terminationReason: p.string().$type<TerminationReason>().length(20).nullable(),
    estimatedReadySeconds: p.integer(),

    /** Failed creates so far. */
    createFailures: p.integer(),
    probeFailures: p.integer(),
    /** Unknown outcomes in a row; decides the backoff. */
    setbacks: p.integer(),
    /** When the reconciler looks at it next. */
    dueAt: time(),
    leaseToken: p.string().length(64).nullable(),
    leaseUntil: time(),
    /** Raised by every write: a write based on an older version is refused. */
    version: p.integer(),
  },
})

export type GpuSession = Row<typeof GpuSessionEntity>

export const newSessionId = (purpose: 'rental' | 'model', now: number): string =>
  newId(purpose === 'rental' ? 'rent' : 'gses', now)

/** The part of an id that is in labels. */
export const labelKeyOf = (id: string): string => id.slice(id.indexOf('_') + 1)

/** What a write may change. */
export type SessionPatch = Partial<Omit<GpuSession, 'id' | 'labelKey' | 'purpose' | 'accountId' | 'version' | 'createdAt'>>

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
  interruptionPermille: Math.round(offer.interruptionProbability * 1000),
  interruptionOrigin: offer.interruptionOrigin,
})
