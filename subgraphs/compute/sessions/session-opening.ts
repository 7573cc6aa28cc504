/** Beginning a session: the record, then the hold, then the record again. */
import { randomBytes, randomUUID } from 'node:crypto'
import { nothingYet } from '#platform/database/tables.js'
import { AppError } from '#platform/errors.js'
import { budgetInWords, resetInWords } from '#platform/requests/refused-budget.js'
import { formatUsd, type NanoUsd } from '#platform/money.js'
import { gpusToTake } from '../offers/offer.js'
import type { ComputePolicy } from '../policy.js'
import type { Credits, ReserveResult } from '../ports.js'
import { eventsOf } from '../reconciler/reconciler.js'
import { holdFor } from './session-cost.js'
import {
  type GpuSession,
  GpuSessionEntity,
  labelKeyOf,
  newSessionId,
  offerFields,
  sessionHourlyPrice,
  termination,
} from './session.js'
import type { NewSession, Sessions, SessionsDeps } from './sessions.js'

export function sessionOpening({ store, ledger, accounts, clock, policy, kick, onChange }: SessionsDeps): Sessions['open'] {
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

  return async function open(request: NewSession): Promise<{ session: GpuSession; isNew: boolean }> {
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
    onChange(opened)
    kick()
    return { session: opened, isNew: true }
  }
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
  if (reason === 'budget')
    return new AppError('insufficient_credits', `${budgetInWords(refusal.budget)}. ${needed}. ${resetInWords(refusal.budget)}`)
  const left = reason === 'monthly_cap' ? 'the monthly cap leaves' : 'available are'
  const available = credits.available < 0n ? 0n : credits.available
  const message = `${needed}; ${left} $${formatUsd(available)}. The balance is $${formatUsd(credits.balance)}.`
  return new AppError('insufficient_credits', message)
}
