/** The services of compute, made of what the rest of the program supplies. */
import type { Registry } from 'prom-client'
import type { Clock } from '#platform/clock.js'
import type { Database } from '#platform/database/database.js'
import { AppError } from '#platform/errors.js'
import type { EventBus } from '#platform/events/events.js'
import type { Outbox } from '#platform/events/outbox.js'
import type { Logger } from '#platform/log.js'
import { createComputeMetrics, type ComputeMetrics } from './compute-metrics.js'
import { createActivity, type Activity } from './deployments/activity.js'
import { createDeployments, type Deployments } from './deployments/deployments.js'
import { createRecipes } from './deployments/recipe.js'
import { createWaiters, type ModelState, type Waiters } from './deployments/waiters.js'
import type { GpuDriver } from './drivers/driver.js'
import { createOffers, type Offers } from './offers/offers.js'
import { defaultPolicy, type ComputePolicy } from './policy.js'
import type { AccountsPort, CatalogPort, LedgerPort, TokenRevenuePort } from './ports.js'
import type { Probe } from './reconciler/perform.js'
import { createRentals, type Rentals } from './rentals/rentals.js'
import { createAliveTime, type AliveTime } from './sessions/alive-time.js'
import { createLiveView, type LiveView, SESSION_CHANGED } from './sessions/live-view.js'
import type { GpuSession } from './sessions/session.js'
import { createSessions } from './sessions/create-sessions.js'
import type { SessionStore } from './store/session-store.js'
import { createSessionTables } from './store/session-tables.js'

export interface ComputeOptions {
  /** Whether shipped recipes make models deployable; the operator's own always do. */
  readonly includeShippedRecipes: boolean
  /** Part of every instance's name; made up and kept in the database when left out. Lower-case letters and digits, at most 6. */
  readonly installId?: string
  readonly policy?: Partial<ComputePolicy>
}

export interface ComputeDependencies {
  readonly database: Database
  readonly outbox: Outbox
  readonly events: EventBus
  readonly clock: Clock
  readonly log: Logger
  readonly registry: Registry
  readonly ledger: LedgerPort
  readonly accounts: AccountsPort
  readonly catalog: CatalogPort
  readonly revenue: TokenRevenuePort
  readonly drivers: readonly GpuDriver[]
  readonly options: ComputeOptions
  /** Hears of every change of a session that this process makes. */
  readonly onSessionChange?: (session: GpuSession) => void
  /** A model's availability may have changed, whichever process changed it. */
  readonly onModelChange: (modelId: string) => void
  /** How a served endpoint is proven to work; a one-token chat when left out. */
  readonly probe?: Probe
}

/** What the services and the work in the background share. */
export interface ComputeParts {
  readonly policy: ComputePolicy
  readonly drivers: ReadonlyMap<string, GpuDriver>
  readonly metrics: ComputeMetrics
  readonly store: SessionStore
  readonly aliveTime: AliveTime
  /** A failure of work that nobody waits for: counted and logged. */
  readonly onFault: (where: string) => (error: unknown, subject?: string | null) => void
  /** A session has changed: counted, and told to every process. */
  readonly onChange: (session: GpuSession) => void
}

export function createComputeParts({
  database,
  outbox,
  events,
  clock,
  log,
  options,
  ...deps
}: ComputeDependencies): ComputeParts {
  const policy: ComputePolicy = { ...defaultPolicy, ...options.policy }
  const metrics = createComputeMetrics(
    deps.registry,
    deps.drivers.map(({ id }) => id),
  )
  const store = createSessionTables(database, outbox)
  metrics.watchMachines(store.machines)
  return {
    policy,
    drivers: new Map(deps.drivers.map((driver) => [driver.id, driver])),
    metrics,
    store,
    aliveTime: createAliveTime(clock, policy.maxSilenceMs),
    onFault: (where) => (error, subject) => {
      // A database in trouble is counted where it is noticed.
      if (!(error instanceof AppError && error.code === 'service_unavailable')) metrics.fault(where)
      log.warn({ err: error, where, subject }, 'background work of compute failed')
    },
    onChange(session) {
      metrics.changed(session)
      deps.onSessionChange?.(session)
      events.publish(SESSION_CHANGED, { sessionId: session.id, modelId: session.modelId })
    },
  }
}

export interface ComputeServices {
  readonly offers: Offers
  readonly rentals: Rentals
  readonly activity: Activity
  readonly waiters: Waiters
  readonly deployments: Deployments
  readonly live: LiveView
}

/** `kick`: something is due now. */
export function createComputeServices(deps: ComputeDependencies, parts: ComputeParts, kick: () => void): ComputeServices {
  const { events, clock, ledger, accounts, catalog, revenue } = deps
  const { policy, drivers, store, aliveTime, onFault, onChange } = parts
  const offers = createOffers({ drivers, store, clock, policy, onError: onFault('offers') })
  const recipes = createRecipes(catalog, deps.options.includeShippedRecipes)
  const sessions = createSessions({ store, ledger, accounts, revenue, drivers, clock, aliveTime, policy, kick, onChange })
  const waiters = createWaiters((modelId) => modelState(modelId), clock, policy)
  const live = createLiveView({
    store,
    catalog,
    clock,
    events,
    onError: onFault('live view'),
    onChange(modelId) {
      waiters.wake(modelId)
      deps.onModelChange(modelId)
    },
  })

  /** `ready` only once this process can route to it. */
  async function modelState(modelId: string): Promise<ModelState> {
    const session = await store.liveForModel(modelId)
    if (!session) return 'cold'
    if (session.phase !== 'running') return 'deploying'
    await live.refresh()
    return 'ready'
  }

  return {
    offers,
    rentals: createRentals({ store, sessions, offers, recipes, catalog, clock, policy }),
    activity: createActivity(store, clock, onFault('activity')),
    waiters,
    deployments: createDeployments({ store, sessions, offers, recipes, waiters, clock, policy, routable: () => live.refresh() }),
    live,
  }
}
