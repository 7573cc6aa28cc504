/**
 * Live sessions in this process's memory: for the model list, which must not wait, and for routing.
 *
 * Every process keeps its own catalogue in memory, so every process must be told of endpoints, whichever of them brought the
 * session up. The view re-reads the store when something changed anywhere (a hint) and every two seconds (a lost hint), and
 * announces or withdraws the difference.
 */
import type { Clock } from '#platform/clock.js'
import type { EventBus } from '#platform/events/events.js'
import type { NanoUsd } from '#platform/money.js'
import { announceEndpoint } from './endpoint.js'
import type { CatalogPort } from '../ports.js'
import { remainingSeconds } from '../deployments/deploying-status.js'
import { type GpuSession, sessionHourlyPrice } from './session.js'
import type { SessionStore } from '../store/session-store.js'

/** What a model's session is doing, as one account sees it; from memory. */
export interface ModelSessionState {
  readonly state: 'none' | 'deploying' | 'running'
  readonly estimatedDeploySeconds: number | null
  /** Nano-USD. */
  readonly estimatedCostPerHour: NanoUsd | null
  /** Of the session that serves it for everyone. */
  readonly phase?: GpuSession['phase']
}

export interface LiveView {
  /** The session that serves a model for everyone. */
  sessionOf(modelId: string): GpuSession | null
  /** Own rentals that serve the model count for their account. */
  stateOf(modelId: string, accountId?: string): ModelSessionState
  /** Reads again now. */
  refresh(): Promise<void>
  start(): Promise<void>
  stop(): void
}

export interface LiveViewDeps {
  readonly store: SessionStore
  readonly catalog: CatalogPort
  readonly clock: Clock
  readonly events: EventBus
  /** A model's session changed, whichever process changed it. */
  readonly onChange: (modelId: string) => void
  readonly onError: (error: unknown) => void
}

/** Published with `sessionId` and `modelId` after a session changed, for other processes. */
export const SESSION_CHANGED = 'compute.session'

const REFRESH_MS = 2_000
const NOTHING: ModelSessionState = { state: 'none', estimatedDeploySeconds: null, estimatedCostPerHour: null }

export function createLiveView({ store, catalog, clock, events, onChange, onError }: LiveViewDeps): LiveView {
  let sessions: readonly GpuSession[] = []
  const announced = new Map<string, string>()
  let reading: Promise<void> | null = null
  let isDirty = false
  let isStopped = false
  let stopListening: (() => void) | null = null
  let cancelTimer: (() => void) | null = null

  async function read(): Promise<void> {
    const before = new Map(sessions.map((session) => [session.id, session]))
    sessions = await store.liveWithModel()
    const now = new Set(sessions.map(({ id }) => id))
    for (const session of sessions) await sync(session, before.get(session.id))
    for (const [id, session] of before) if (!now.has(id)) await drop(session)
  }

  async function sync(session: GpuSession, before: GpuSession | undefined): Promise<void> {
    if (session.phase === 'running' && session.endpointUrl !== null && announced.get(session.id) !== session.endpointUrl) {
      await announceEndpoint(session, session.endpointUrl, catalog)
      announced.set(session.id, session.endpointUrl)
    }
    if (before?.phase !== session.phase) onChange(session.modelId ?? '')
  }

  async function drop(session: GpuSession): Promise<void> {
    if (announced.delete(session.id)) await catalog.withdraw(session.id)
    onChange(session.modelId ?? '')
  }

  /** One read at a time; a change during a read causes another. */
  function refresh(): Promise<void> {
    isDirty = true
    reading ??= (async () => {
      while (isDirty && !isStopped) {
        isDirty = false
        await read().catch(onError)
      }
      reading = null
    })()
    return reading
  }

  function schedule(): void {
    cancelTimer = clock.setTimeout(() => {
      void refresh()
      if (!isStopped) schedule()
    }, REFRESH_MS)
  }

  return {
    sessionOf: (modelId) => servingIn(sessions, modelId),
    stateOf: (modelId, accountId) => stateIn(sessions, modelId, accountId, clock.now()),
    refresh,
    async start() {
      stopListening = events.listen(SESSION_CHANGED, () => void refresh())
      await refresh()
      schedule()
    },
    stop() {
      isStopped = true
      stopListening?.()
      cancelTimer?.()
    },
  }
}

const servingIn = (sessions: readonly GpuSession[], modelId: string): GpuSession | null =>
  sessions.find((session) => session.purpose === 'model' && session.modelId === modelId) ?? null

function stateIn(
  sessions: readonly GpuSession[],
  modelId: string,
  accountId: string | undefined,
  now: number,
): ModelSessionState {
  const common = servingIn(sessions, modelId)
  const session =
    sessions.find(
      (one) => one.purpose === 'rental' && one.accountId === accountId && one.modelId === modelId && one.phase === 'running',
    ) ?? common
  if (!session) return NOTHING
  const isRunning = session.phase === 'running'
  return {
    state: isRunning ? 'running' : 'deploying',
    estimatedDeploySeconds: isRunning ? null : remainingSeconds(session, now),
    estimatedCostPerHour: sessionHourlyPrice(session),
    ...(common && { phase: common.phase }),
  }
}
