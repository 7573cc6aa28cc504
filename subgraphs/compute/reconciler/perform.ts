/**
 * Does one step: calls the provider, the ledger or the catalogue, and says what came of it. Never inside a transaction, and
 * every verb may be done again: after a crash the same step is planned from the same record.
 */
import type { Clock } from '#platform/clock.js'
import type { NanoUsd } from '#platform/money.js'
import { announceEndpoint } from '../sessions/endpoint.js'
import { DriverError, faultOf, type GpuDriver, type ObservedInstance } from '../drivers/driver.js'
import { gpusToTake, offerKey, offersFor, type Offer } from '../offers/offer.js'
import type { ComputePolicy } from '../policy.js'
import type { CatalogPort, LedgerPort, TokenRevenuePort } from '../ports.js'
import { holdFor, secondsCovered } from '../sessions/session-cost.js'
import { costSoFar, type GpuSession, sessionHourlyPrice } from '../sessions/session.js'
import type { AliveTime } from '../sessions/alive-time.js'
import type { SessionStore } from '../store/session-store.js'
import type { Outcome, Unknown } from './absorb.js'
import type { Circuits } from './circuit.js'
import type { Step } from './plan.js'

/** Asks a served endpoint for one token with the session's own key; true when it answers. */
export type Probe = (target: { url: string; key: string; modelId: string }, signal: AbortSignal) => Promise<boolean>

export interface PerformDeps {
  readonly store: SessionStore
  readonly ledger: LedgerPort
  readonly catalog: CatalogPort
  readonly revenue: TokenRevenuePort
  readonly drivers: ReadonlyMap<string, GpuDriver>
  /** Fresh offers of one driver: the price is checked again right before a create. */
  readonly freshOffers: (driver: GpuDriver, session: GpuSession, signal: AbortSignal) => Promise<readonly Offer[]>
  readonly circuits: Circuits
  readonly probe: Probe
  readonly clock: Clock
  readonly aliveTime: AliveTime
  readonly policy: ComputePolicy
}

/** An intent older than this is not acted on: the process was paused, and another may have taken over. */
const MAX_INTENT_AGE_MS = 5_000
const WHOLE_PERCENT = 100n

export async function perform(step: Exclude<Step, { do: 'rest' }>, session: GpuSession, deps: PerformDeps): Promise<Outcome> {
  switch (step.do) {
    case 'end': {
      await barAfter(step.reason, session, deps)
      return { of: 'end', reason: step.reason, drain: step.drain, tokenRevenue: await revenueOf(session, deps) }
    }
    case 'settle':
      return { of: 'settle', charged: await settle(session, deps.ledger) }
    case 'withdraw':
      if (session.modelId !== null) await deps.catalog.withdraw(session.id)
      return { of: 'withdraw' }
    case 'choose':
      return choose(session, deps)
    case 'create':
      return create(step.offer, session, deps)
    case 'adopt': {
      const label = session.label ?? ''
      const found = await ask(session, deps, deps.policy.callTimeoutMs, (driver, signal) => driver.list(label, signal))
      if ('unknown' in found) return { of: 'adopt', found }
      return { of: 'adopt', found: found.answer.filter((instance) => instance.label === label) }
    }
    case 'observe':
      return observe(session, deps)
    case 'bill':
      return bill(session, deps)
    case 'remove':
      return remove(step, session, deps)
    case 'finish':
      return { of: 'finish' }
  }
}

/** Charges the decided amount; answers what was charged. A session that never ran is released whole. */
export function settle(session: GpuSession, ledger: LedgerPort): Promise<NanoUsd> {
  const amount = session.finalCost ?? 0n
  return amount === 0n ? ledger.release(session.id) : ledger.settle(session.id, amount)
}

/** Calls a driver with a deadline and its circuit; whatever goes wrong is `unknown`. */
async function ask<T>(
  session: GpuSession,
  deps: PerformDeps,
  timeoutMs: number,
  call: (driver: GpuDriver, signal: AbortSignal) => Promise<T>,
): Promise<{ answer: T } | Unknown> {
  const driver = deps.drivers.get(session.driverId)
  const openUntil = driver ? deps.circuits.openUntil(driver.id) : deps.clock.now() + deps.policy.backoffMaxMs
  if (!driver || openUntil !== null) return { unknown: true, untilMs: openUntil }
  try {
    const answer = await withDeadline(deps.clock, timeoutMs, (signal) => call(driver, signal))
    deps.circuits.succeeded(driver.id)
    return { answer }
  } catch (error) {
    const fault = faultOf(error)
    if (fault.kind === 'rate_limited') return { unknown: true, untilMs: deps.clock.now() + fault.retryAfterMs }
    await deps.circuits.failed(driver.id)
    return { unknown: true, untilMs: null }
  }
}

/** Rejects as `in_doubt` after the deadline, whether or not the driver heeds the signal. */
export async function withDeadline<T>(clock: Clock, timeoutMs: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController()
  const { promise: deadline, reject } = Promise.withResolvers<never>()
  const callOff = clock.setTimeout(() => {
    late.abort()
    reject(new DriverError({ kind: 'in_doubt' }, `no answer after ${timeoutMs} ms`))
  }, timeoutMs)
  try {
    return await Promise.race([call(late.signal), deadline])
  } finally {
    callOff()
  }
}

/** What failed before it ever ran is left alone for a while, so that the next try goes elsewhere. */
async function barAfter(reason: string, session: GpuSession, { store, clock, policy }: PerformDeps): Promise<void> {
  const failedToStart = session.runningAt === null && ['timeout', 'interrupted', 'no_capacity', 'failed'].includes(reason)
  if (failedToStart) await store.bar(offerKey(session), clock.now() + policy.barMs)
}

async function revenueOf(session: GpuSession, deps: PerformDeps): Promise<NanoUsd> {
  return session.purpose === 'model' && session.runningAt !== null ? deps.revenue.billedTokens(session.id) : 0n
}

async function choose(session: GpuSession, deps: PerformDeps): Promise<Outcome> {
  const { store, clock, policy } = deps
  const offers = await ask(session, deps, policy.callTimeoutMs, (driver, signal) => deps.freshOffers(driver, session, signal))
  if ('unknown' in offers) return { of: 'choose', offer: null, reason: 'no_capacity' }
  const barred = await store.barredAt(clock.now())
  const need = {
    filter: {
      gpuModel: session.gpuModel,
      ...(session.anyProvider ? {} : { providerId: session.providerId }),
      ...(session.anyRegion ? {} : { region: session.region }),
      // Whoever rented what is not taken away does not get what is.
      ...(session.purpose === 'rental' && !session.spot && { spot: false }),
    },
    gpuCount: session.gpuCount,
  }
  const possible = offersFor(offers.answer, need, (key) => barred.has(key)).filter(
    (offer) => gpusToTake(offer, session.gpuCount) === session.gpuCount,
  )
  const ceiling = (session.pricePerGpuHour * (WHOLE_PERCENT + BigInt(policy.priceTolerancePercent))) / WHOLE_PERCENT
  const offer = possible.find(({ pricePerGpuHour }) => pricePerGpuHour <= ceiling) ?? null
  return { of: 'choose', offer, reason: possible.length > 0 ? 'offer_unavailable' : 'no_capacity' }
}

async function create(offer: Offer, session: GpuSession, deps: PerformDeps): Promise<Outcome> {
  const driver = deps.drivers.get(session.driverId)
  if (!driver || deps.circuits.openUntil(driver.id) !== null) return { of: 'create', fault: { kind: 'capacity' } }
  // The last moment to notice that this process was paused: another one may have given up on this attempt by now.
  if (deps.clock.now() - (session.attemptAt ?? 0) > MAX_INTENT_AGE_MS) return { of: 'create', fault: { kind: 'in_doubt' } }
  try {
    const { label, gpuCount, pricePerGpuHour, modelId, endpointKey, dockerImage, sshKey, fineTuned } = session
    const spec = { label: label ?? '', offer, gpuCount, pricePerGpuHour, modelId, endpointKey, dockerImage, sshKey, fineTuned }
    const { instanceId } = await withDeadline(deps.clock, driver.caps.createTimeoutMs, (signal) => driver.create(spec, signal))
    deps.circuits.succeeded(driver.id)
    return { of: 'create', instanceId }
  } catch (error) {
    const fault = faultOf(error)
    if (fault.kind === 'auth' || fault.kind === 'in_doubt') await deps.circuits.failed(driver.id)
    if (fault.kind === 'capacity' || fault.kind === 'price_moved' || fault.kind === 'failed') {
      await deps.store.bar(offerKey(offer), deps.clock.now() + deps.policy.barMs)
    }
    return { of: 'create', fault }
  }
}

async function observe(session: GpuSession, deps: PerformDeps): Promise<Outcome> {
  // The time before the question: the instance was alive then for certain, if the answer says that it is.
  const look = deps.aliveTime.look()
  const id = session.instanceId ?? ''
  const got = await ask(session, deps, deps.policy.callTimeoutMs, (driver, signal) => driver.get(id, signal))
  if ('unknown' in got) return { of: 'observe', look, seen: got, probe: 'none' }
  // Another instance at the same address or under a reused id is not ours.
  const seen = got.answer?.label === session.label ? got.answer : null
  const probe = seen?.status === 'running' ? await probeEndpoint(session, seen, deps) : 'none'
  return { of: 'observe', look, seen, probe }
}

async function probeEndpoint(session: GpuSession, seen: ObservedInstance, deps: PerformDeps): Promise<'ok' | 'failed' | 'none'> {
  const { modelId } = session
  if (modelId === null) return 'none'
  const url = seen.endpointUrl ?? session.endpointUrl
  if (url === null) return 'failed'
  try {
    const target = { url, key: session.endpointKey, modelId }
    if (!(await withDeadline(deps.clock, deps.policy.callTimeoutMs, (signal) => deps.probe(target, signal)))) return 'failed'
  } catch {
    return 'failed'
  }
  // Routable before the record says running, so that whoever reads `running` finds it routable.
  if (session.phase !== 'running' && session.wanted === 'running') await announceEndpoint(session, url, deps.catalog)
  return 'ok'
}

/** Moves the watermark and, when little of the hold is left, raises the hold. */
async function bill(session: GpuSession, deps: PerformDeps): Promise<Outcome> {
  const { ledger, policy, clock } = deps
  const tokenRevenue = await revenueOf(session, deps)
  const cost = costSoFar(session, tokenRevenue)
  // What tokens pay for later cannot be given back once captured, so a model session is charged at its end only.
  if (session.purpose === 'model') await ledger.meter(session.id, cost)
  else await ledger.capture(session.id, cost)
  const price = sessionHourlyPrice(session)
  const outcome = { of: 'bill', tokenRevenue } as const
  const isLow = secondsCovered(price, session.holdAmount - cost) < policy.topUpBelowSeconds
  const isAging = session.holdUntil - clock.now() < policy.holdRenewBeforeMs
  if (!isLow && !isAging) return { ...outcome, extension: null, isRefused: false }
  const toAmount = isLow ? owed(session, tokenRevenue) + holdFor(price, policy.holdSeconds) : session.holdAmount
  const extension = { toAmount, expiresAt: clock.now() + policy.holdExpiresAfterMs }
  const isRefused = (await ledger.extend({ holdId: session.id, ...extension })) !== 'extended'
  return { ...outcome, extension: isRefused ? null : extension, isRefused }
}

/** What the hold must cover by now, also when a long silence let the cost outgrow it. */
const owed = (session: GpuSession, tokenRevenue: NanoUsd): NanoUsd => {
  const uncapped = costSoFar({ ...session, holdAmount: 2n ** 62n }, tokenRevenue)
  return uncapped > session.holdAmount ? uncapped : session.holdAmount
}

/** Asks for the end and then looks: a provider's word that it is gone is not believed alone. */
async function remove(step: Extract<Step, { do: 'remove' }>, session: GpuSession, deps: PerformDeps): Promise<Outcome> {
  const { instanceId, isStray } = step
  const { callTimeoutMs } = deps.policy
  await ask(session, deps, callTimeoutMs, (driver, signal) => driver.destroy(instanceId, signal))
  const got = await ask(session, deps, callTimeoutMs, (driver, signal) => driver.get(instanceId, signal))
  return { of: 'remove', instanceId, isStray, seen: 'unknown' in got ? got : got.answer }
}
