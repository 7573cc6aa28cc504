/**
 * Drives every session towards what is wanted.
 *
 * Level-triggered: each round starts from the record and the world, never from an event, so a lost wake-up, a restart in the
 * middle of any step or a second gateway change nothing. A session is driven by one process at a time (a lease with a token
 * that guards every write); what the process learned and could not save, the next one learns again.
 */
import { randomUUID } from 'node:crypto'
import { HOUR_MS, delay } from '#platform/clock.js'
import type { GpuDriver } from '../drivers/driver.js'
import { type GpuSession, type SessionPatch, statusOf } from '../sessions/session.js'
import { momentOf } from '../sessions/session-moment.js'
import { rentalNotices } from '../sessions/session-notice.js'
import type { SessionEvent } from '../store/session-store.js'
import { absorb, backoffMs, type AbsorbContext, type Outcome } from './absorb.js'
import { perform, type PerformDeps } from './perform.js'
import { newRound, planStep, type Round, type Step } from './plan.js'
import { auditHolds, sweep, type SweepDeps } from './sweep.js'

export interface ReconcilerDeps extends PerformDeps, Omit<SweepDeps, 'onFault'> {
  /** By driver: where this process finds its instances, for drivers whose instances are processes of a machine. */
  readonly homes: ReadonlyMap<string, string>
  readonly random: () => number
  /** A model session was interrupted while it ran; the record is the one before the end. */
  readonly onInterrupted: (session: GpuSession) => Promise<void>
  readonly onChange: (session: GpuSession) => void
  readonly onError: (error: unknown, sessionId: string | null) => void
  /** An instance whose create was in doubt was found again. */
  readonly onAdopted: (session: GpuSession) => void
  readonly onSlowDestroy: (session: GpuSession) => void
}

export interface Reconciler {
  /** Drives what is due now; answers when something is due again, null when nothing is. */
  tick(): Promise<number | null>
  /** The sweep, when it is due and no other process does it. */
  sweepIfDue(): Promise<void>
  /** Compares closed sessions with the ledger, when that is due and no other process does it. */
  auditIfDue(): Promise<void>
  /** Begins the loop: claims, drives, sleeps until something is due or `kick` is called. */
  start(): Promise<void>
  kick(): void
  /** Waits for the step that is under way, up to the policy's time. */
  stop(): Promise<void>
}

/** No path through the states is longer; a session that reaches it is looked at again later. */
const MAX_STEPS = 32
/** The loop looks at least this often, for what other processes wrote. */
const MAX_SLEEP_MS = 1_000

export function createReconciler(deps: ReconcilerDeps): Reconciler {
  const token = randomUUID()
  const ownLeases = [...new Set(deps.homes.values())].map(homeLease)
  const stopping = new AbortController()
  let keptAt = Number.NEGATIVE_INFINITY
  let wake = new AbortController()
  let running: Promise<void> | null = null

  async function tick(): Promise<number | null> {
    deps.aliveTime.look()
    await deps.circuits.refresh()
    const { store, clock, policy } = deps
    await keepHome()
    const claimed = await store.claim(token, clock.now(), policy.leaseMs, policy.driveConcurrency, ownLeases)
    await Promise.all(claimed.map((session) => drive(session, token, deps)))
    return store.nextDue(ownLeases)
  }

  /** Tells the other servers that this machine is still looked after. */
  async function keepHome(): Promise<void> {
    const since = deps.clock.monotonic()
    if (ownLeases.length === 0 || since - keptAt < deps.policy.homeLeaseMs / 3) return
    keptAt = since
    await deps.store.keep(ownLeases, deps.clock.now() + deps.policy.homeLeaseMs)
  }

  async function mayDo(task: string): Promise<boolean> {
    const now = deps.clock.now()
    return deps.store.takeTask(task, token, now, now + deps.policy.sweepMs)
  }

  async function sweepIfDue(): Promise<void> {
    const onFault = (error: unknown) => deps.onError(error, null)
    // What is on a machine can be swept from there only; everything else by any one server.
    const places = Map.groupBy(deps.drivers, ([id]) => deps.homes.get(id))
    for (const [home, drivers] of places) {
      const isMine = await mayDo(home === undefined ? 'sweep' : `sweep ${home}`)
      if (isMine) await sweep({ ...deps, drivers: new Map(drivers), onFault })
    }
    if (await mayDo('prune')) await deps.store.prune(deps.clock.now())
  }

  async function auditIfDue(): Promise<void> {
    if (await mayDo('audit')) await auditHolds(deps)
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = new AbortController()
      let dueAt: number | null = null
      try {
        dueAt = await tick()
        await sweepIfDue()
        await auditIfDue()
      } catch (error) {
        deps.onError(error, null)
      }
      const pauseMs = dueAt === null ? MAX_SLEEP_MS : Math.max(10, Math.min(MAX_SLEEP_MS, dueAt - deps.clock.now()))
      await sleep(deps.clock, pauseMs, wake.signal)
    }
  }

  return {
    tick,
    sweepIfDue,
    auditIfDue,
    async start() {
      running ??= loop()
    },
    kick: () => wake.abort(),
    async stop() {
      stopping.abort()
      wake.abort()
      await Promise.race([running, delay(deps.clock, deps.policy.stopMs)])
    },
  }
}

function sleep(clock: ReconcilerDeps['clock'], ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const cancel = clock.setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (cancel(), resolve()), { once: true })
  })
}

/** Takes one leased session as far as it can go now, then gives the lease back. */
async function drive(claimed: GpuSession, token: string, deps: ReconcilerDeps): Promise<void> {
  let session = claimed
  let round = newRound
  try {
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      const step = planStep(session, deps.clock.now(), round)
      if (step.do === 'rest') break
      if (!(await keepLease(step, session, token, deps))) return
      const before = session
      const outcome = await perform(step, session, deps)
      const saved = await save(session, outcome, round, token, deps)
      if (!saved) return await undoAnnouncement(session.id, outcome, deps)
      session = saved.session
      round = saved.round
      await announceChanges(before, session, outcome, deps)
    }
    await rest(session, token, deps, null)
  } catch (error) {
    deps.onError(error, session.id)
    await rest(session, token, deps, deps.clock.now() + backoffMs(session.setbacks, contextOf(session, deps)))
  }
}

/** We made an endpoint routable, but lost the session meanwhile: if it is over, nobody else would take the endpoint out again. */
async function undoAnnouncement(id: string, outcome: Outcome, { store, catalog }: ReconcilerDeps): Promise<void> {
  if (outcome.of !== 'observe' || outcome.probe !== 'ok') return
  if ((await store.find(id))?.wanted !== 'running') await catalog.withdraw(id)
}

/** A create may take longer than the lease: without a lease that outlives it, it is not begun. */
async function keepLease(
  step: Step,
  session: GpuSession,
  token: string,
  { store, clock, drivers, policy }: ReconcilerDeps,
): Promise<boolean> {
  const callMs = step.do === 'create' ? (drivers.get(session.driverId)?.caps.createTimeoutMs ?? 0) : policy.callTimeoutMs * 3
  if (session.leaseUntil - clock.now() >= callMs && step.do !== 'create') return true
  return store.renew(session.id, token, clock.now() + callMs + policy.leaseMs)
}

const contextOf = (session: GpuSession, { aliveTime, installId, policy, drivers, random }: ReconcilerDeps): AbsorbContext => {
  const { at: now, monotonic } = aliveTime.look()
  const caps = drivers.get(session.driverId)?.caps ?? absentDriverCaps
  return { now, monotonic, aliveSince: aliveTime.since, installId, policy, caps, random }
}

/** For a session whose driver was taken out of the configuration: it waits until the driver is back. */
const absentDriverCaps: GpuDriver['caps'] = {
  spot: false,
  bid: false,
  image: false,
  ssh: false,
  createKey: 'label',
  createTimeoutMs: 60_000,
  listLagMs: 60_000,
  provisionTimeoutMs: HOUR_MS,
  pollMs: 30_000,
  billsBoot: false,
}

/** Absorbs an outcome and saves it; when somebody wrote meanwhile, absorbs it again into what they wrote. */
async function save(
  session: GpuSession,
  outcome: Outcome,
  round: Round,
  token: string,
  deps: ReconcilerDeps,
): Promise<{ session: GpuSession; round: Round } | null> {
  let current = session
  for (;;) {
    const absorbed = absorb(current, outcome, contextOf(current, deps))
    const nextRound = { ...round, ...absorbed.round }
    if (Object.keys(absorbed.patch).length === 0) return { session: current, round: nextRound }
    const next = { ...current, ...absorbed.patch, version: current.version + 1 }
    const result = await deps.store.save(current, token, absorbed.patch, eventsOf(current, next))
    if (result === 'saved') {
      if (absorbed.look) deps.aliveTime.recorded(current.id, absorbed.look)
      return { session: next, round: nextRound }
    }
    const fresh = result === 'stale' ? await deps.store.find(current.id) : null
    if (!fresh || fresh.leaseToken !== token) return null
    current = fresh
  }
}

/** What the lease of a session says while nobody drives it and its machine is at this home. */
const homeLease = (home: string): string => `home ${home}`

/**
 * Gives the lease back, and looks again at `retryAt` when a step failed in a way that the record does not show. A session whose
 * machine is here stays this home's: nobody else could tell whether it lives.
 */
async function rest(session: GpuSession, token: string, deps: ReconcilerDeps, retryAt: number | null): Promise<void> {
  const { store, homes, clock, policy } = deps
  const home = homes.get(session.driverId)
  let current: GpuSession | null = session
  for (; current; current = await store.find(session.id)) {
    const lease: SessionPatch =
      home !== undefined && mayHaveMachine(current)
        ? { leaseToken: homeLease(home), leaseUntil: clock.now() + policy.homeLeaseMs }
        : { leaseToken: null, leaseUntil: 0 }
    const saved = await store.save(current, token, { ...lease, ...(retryAt !== null && { dueAt: retryAt }) }, [])
    if (saved !== 'stale') return
  }
}

const mayHaveMachine = ({ phase, instanceId, attemptAt, strays }: GpuSession): boolean =>
  phase !== 'terminated' && (instanceId !== null || attemptAt !== null || strays.length > 0)

async function announceChanges(before: GpuSession, after: GpuSession, outcome: Outcome, deps: ReconcilerDeps): Promise<void> {
  const isVisible = before.phase !== after.phase || before.wanted !== after.wanted || before.holdPhase !== after.holdPhase
  if (isVisible) deps.onChange(after)
  if (
    outcome.of === 'end' &&
    after.terminationReason === 'interrupted' &&
    after.purpose === 'model' &&
    before.runningAt !== null
  ) {
    await deps.onInterrupted(after).catch((error: unknown) => deps.onError(error, after.id))
  }
  if (outcome.of === 'adopt' && before.instanceId === null && after.instanceId !== null) deps.onAdopted(after)
  const isSlow = after.phase === 'stopping' && deps.clock.now() - (after.terminatedAt ?? 0) > deps.policy.destroyAlarmMs
  if (isSlow && outcome.of === 'remove') deps.onSlowDestroy(after)
}

/** What subscribers and operators hear of a change, with the state that it led to. */
export function eventsOf(before: GpuSession | null, after: GpuSession): SessionEvent[] {
  const status = statusOf(after)
  const isSame =
    before !== null && before.phase === after.phase && statusOf(before) === status && before.holdPhase === after.holdPhase
  const isUntold = after.purpose === 'rental' && (after.holdPhase === 'reserving' || after.terminationReason === 'not_started')
  if (isSame || isUntold) return []
  const payload = { session: after.id, status, phase: after.phase }
  const events: SessionEvent[] = []
  if (after.purpose === 'rental') events.push({ topic: 'rental', subject: after.id, payload: { ...payload, ...momentOf(after) } })
  if (after.purpose === 'model' && after.modelId !== null) events.push({ topic: 'model', subject: after.modelId, payload })
  return [...events, ...rentalNotices(before, after)]
}
