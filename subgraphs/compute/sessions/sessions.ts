/**
 * Beginning and ending sessions: the two moments at which money is decided.
 *
 * The ledger commits on its own connection, so a session and its hold cannot share a transaction. Instead the record comes first,
 * as `reserving`; then the hold under the session's id; then the record becomes `open`. No machine is asked for before that.
 * A process that dies in between leaves a `reserving` record, which the reconciler ends and whose hold it frees.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock } from '#platform/clock.js'
import { nothingYet } from '#platform/database/tables.js'
import { AppError } from '#platform/errors.js'
import { newId } from '#platform/ids.js'
import { keyCapInWords } from '#platform/requests/key-cap.js'
import { formatUsd, type NanoUsd } from '#platform/money.js'
import type { GpuDriver } from '../drivers/driver.js'
import { gpusToTake, type Offer } from '../offers/offer.js'
import type { ComputePolicy } from '../policy.js'
import type { AccountsPort, Credits, LedgerPort, Payer, ReserveResult, TokenRevenuePort } from '../ports.js'
import { settle, withDeadline } from '../reconciler/perform.js'
import { eventsOf } from '../reconciler/reconciler.js'
import type { AliveTime, Look } from './alive-time.js'
import { holdFor } from './session-cost.js'
import {
  type GpuSession,
  GpuSessionEntity,
  labelKeyOf,
  offerFields,
  sessionHourlyPrice,
  termination,
  type TerminationReason,
} from './session.js'
import type { SessionStore } from './session-store.js'

export interface SessionsDeps {
  readonly store: SessionStore
  readonly ledger: LedgerPort
  readonly accounts: AccountsPort
  readonly revenue: TokenRevenuePort
  readonly drivers: ReadonlyMap<string, GpuDriver>
  readonly clock: Clock
  readonly aliveTime: AliveTime
  readonly policy: ComputePolicy
  /** Something is due now. */
  readonly kick: () => void
  readonly onChange: (session: GpuSession) => void
}

/** What is kept of a request as it is; what is left out of the rest is null. */
type Asked = 'purpose' | 'modelId' | 'dockerImage' | 'fineTuned' | 'anyProvider' | 'anyRegion' | 'estimatedReadySeconds'

export interface NewSession extends Pick<GpuSession, Asked>, Partial<Pick<GpuSession, 'id' | 'sshKey' | 'renterLabel'>> {
  readonly payer: Payer
  readonly offer: Offer
  readonly gpuCount: number
}

export interface Sessions {
  /**
   * Places the hold and starts the session.
   *
   * @throws AppError 402 `insufficient_credits` (balance, cap of the account or the key, or hourly limit), 409 `conflict` (too many sessions)
   */
  open(request: NewSession): Promise<{ session: GpuSession; isNew: boolean }>
  /** Ends a session now: billed through the last sign of life, hold closed. Again: the same answer. */
  end(session: GpuSession, reason: TerminationReason): Promise<GpuSession>
}

/** How long a DELETE waits for the provider to say whether the instance is still alive. */
const LAST_LOOK_MS = 3_000

export const newSessionId = (purpose: 'rental' | 'model', now: number): string =>
  newId(purpose === 'rental' ? 'rent' : 'gses', now)

export function createSessions(deps: SessionsDeps): Sessions {
  const { store, ledger, accounts, clock, policy } = deps

  async function open(request: NewSession): Promise<{ session: GpuSession; isNew: boolean }> {
    // 1. The record. From here on a crash leaves something to find.
    const token = randomUUID()
    const session = newSession(request, token, clock.now(), policy)
    const limits = await accounts.limits(request.payer.accountId)
    const inserted = await store.insert(session, limits, [])
    if (inserted.outcome === 'exists') return { session: inserted.session, isNew: false }
    if (inserted.outcome === 'too_many') throw tooMany(limits.maxConcurrentSessions ?? 0)
    if (inserted.outcome === 'too_expensive') {
      throw tooExpensive(limits.maxHourlySpend ?? 0n, inserted.hourlySpend, await ledger.credits(request.payer.accountId))
    }
    // 2. The hold, under the session's id.
    const { id: holdId, holdAmount: amount, holdUntil: expiresAt } = session
    const reserved = await ledger.reserve({ ...request.payer, holdId, amount, expiresAt })
    // 3. The record says what came of it. If another process gave up on us meanwhile, the hold is freed again.
    if (reserved.outcome === 'insufficient') {
      const ended = termination(session, 'not_started', clock.now(), { tokenRevenue: 0n, drainMs: 0 })
      const patch = { ...ended, phase: 'terminated', holdPhase: 'closed', leaseToken: null, leaseUntil: 0 } as const
      await confirm(session, token, patch)
      throw insufficient(session, reserved)
    }
    const patch = { holdPhase: 'open', leaseToken: null, leaseUntil: 0 } as const
    const opened = reserved.outcome === 'reserved' ? await confirm(session, token, patch) : null
    if (opened === null) {
      await ledger.release(session.id)
      throw new AppError('server_error', 'The session could not be started in time; nothing was charged.')
    }
    deps.onChange(opened)
    deps.kick()
    return { session: opened, isNew: true }
  }

  /**
   * Writes under our lease; others who join the session meanwhile note their interest in the same record, which is no reason to
   * give up. Null: the lease is lost, or somebody ended the session.
   */
  async function confirm(session: GpuSession, token: string, patch: Partial<GpuSession>): Promise<GpuSession | null> {
    for (let current = session; ;) {
      const opened = { ...current, ...patch, version: current.version + 1 }
      const saved = await store.save(current, token, patch, eventsOf(null, opened))
      if (saved === 'saved') return opened
      const found = saved === 'stale' ? await store.find(session.id) : null
      if (found?.wanted !== 'running' || found.holdPhase !== 'reserving') return null
      current = found
    }
  }

  async function end(session: GpuSession, reason: TerminationReason): Promise<GpuSession> {
    let current = session
    const look = await lastLook(session)
    for (;;) {
      if (current.wanted === 'terminated') return close(current)
      const tokenRevenue = current.purpose === 'model' ? await deps.revenue.billedTokens(current.id) : 0n
      const sinceMs = look === null ? 0 : deps.aliveTime.since(current, look)
      const seen = look === null || sinceMs === 0 ? {} : { lastAliveAt: look.at, aliveMs: current.aliveMs + sinceMs }
      const patch = { ...termination({ ...current, ...seen }, reason, clock.now(), { tokenRevenue, drainMs: 0 }), ...seen }
      const ended = { ...current, ...patch, version: current.version + 1 }
      if (await store.decide(current, patch, eventsOf(current, ended))) return close(ended)
      current = (await store.find(current.id)) ?? ended
    }
  }

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
    deps.onChange(current)
    deps.kick()
    return current
  }

  /** When the instance of a running session is known to be alive right now: a rental ended by its renter is billed until then. */
  async function lastLook(session: GpuSession): Promise<Look | null> {
    const driver = deps.drivers.get(session.driverId)
    const { instanceId } = session
    if (!driver || instanceId === null || session.phase !== 'running' || session.probeFailures > 0) return null
    const look = deps.aliveTime.look()
    try {
      const seen = await withDeadline(clock, LAST_LOOK_MS, (signal) => driver.get(instanceId, signal))
      return seen?.status === 'running' && seen.label === session.label ? look : null
    } catch {
      return null
    }
  }

  return { open, end }
}

function newSession(request: NewSession, token: string, now: number, policy: ComputePolicy): GpuSession {
  const id = request.id ?? newSessionId(request.purpose, now)
  const { payer, offer, gpuCount: wantedGpus, ...asked } = request
  const gpuCount = gpusToTake(offer, wantedGpus)
  const price = offer.pricePerGpuHour
  const base = offerFields(offer) as ReturnType<typeof offerFields> & Pick<GpuSession, OfferField>
  return {
    ...nothingYet(GpuSessionEntity),
    ...base,
    ...asked,
    id,
    labelKey: labelKeyOf(id),
    accountId: payer.accountId,
    wanted: 'running',
    phase: 'requested',
    gpuCount,
    pricePerGpuHour: price,
    attempt: 0,
    strays: [],
    absences: 0,
    endpointKey: `sks_${randomBytes(24).toString('hex')}`,
    holdPhase: 'reserving',
    holdAmount: holdFor(sessionHourlyPrice({ pricePerGpuHour: price, gpuCount }), policy.holdSeconds),
    holdUntil: now + policy.holdExpiresAfterMs,
    createdAt: now,
    aliveMs: 0,
    lastActiveAt: now,
    createFailures: 0,
    probeFailures: 0,
    setbacks: 0,
    dueAt: now,
    leaseToken: token,
    leaseUntil: now + policy.leaseMs,
    version: 1,
  }
}

type OfferField = 'gpuModel' | 'vramGb' | 'spot' | 'interruptionPermille' | 'interruptionOrigin'

const tooMany = (limit: number): AppError =>
  new AppError('conflict', `This account already runs its limit of ${limit} GPU sessions. Terminate one first.`)

const tooExpensive = (limit: NanoUsd, wanted: NanoUsd, credits: Credits): AppError =>
  new AppError(
    'insufficient_credits',
    `All GPU sessions together would cost $${formatUsd(wanted)} an hour; this account's limit is $${formatUsd(limit)}. ` +
      `The balance is $${formatUsd(credits.balance)}.`,
  )

function insufficient(session: GpuSession, refusal: Extract<ReserveResult, { outcome: 'insufficient' }>): AppError {
  const { credits, reason } = refusal
  const needed = `A GPU session needs a hold of $${formatUsd(session.holdAmount)}`
  if (reason === 'key_cap') return new AppError('insufficient_credits', `${keyCapInWords(refusal.keyCap)}. ${needed}.`)
  const left = reason === 'monthly_cap' ? 'the monthly cap leaves' : 'available are'
  const available = credits.available < 0n ? 0n : credits.available
  const message = `${needed}; ${left} $${formatUsd(available)}. The balance is $${formatUsd(credits.balance)}.`
  return new AppError('insufficient_credits', message)
}
