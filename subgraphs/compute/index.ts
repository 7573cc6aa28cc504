/**
 * Compute: GPUs that can be had, GPUs that are rented, and models that are put on one when somebody asks for them.
 *
 * Owns GPU offers, rentals, sessions, the drivers to GPU providers and deploy recipes.
 *
 * States of a session: requested -> creating -> booting -> loading -> running -> stopping -> terminated. Callers see the first
 * four as provisioning and everything after the decision to end as terminated. `wanted` and money say what is owed; `phase`
 * follows the machine, and cleaning it up goes on until its absence was seen twice, however long that takes.
 *
 * Invariants: no machine is asked for before its hold is placed; one hold per session; what is charged never exceeds the hold
 * nor the time that the machine was seen alive; a session that never ran costs nothing; at most one live session serves a
 * model for everyone, and at most one machine exists per session; an ended session stays ended; a machine whose creation was
 * in doubt is found again or known not to exist; machines that are not of this installation are never touched.
 */
import 'reflect-metadata'
import { randomBytes } from 'node:crypto'
import type { Registry } from 'prom-client'
import type { Clock } from '#platform/clock.js'
import type { Database } from '#platform/database/database.js'
import { AppError } from '#platform/errors.js'
import type { EventBus } from '#platform/events/events.js'
import type { Logger } from '#platform/log.js'
import type { Outbox } from '#platform/events/outbox.js'
import type { Subgraph } from '#platform/subgraph.js'
import { createActivity, type Activity } from './deployments/activity.js'
import { createComputeMetrics } from './compute-metrics.js'
import { createDeployments, type Deployments } from './deployments/deployments.js'
import type { GpuDriver } from './drivers/driver.js'
import { AccountStub, ModelStub } from './entity-stubs.js'
import { createLiveView, type LiveView, SESSION_CHANGED } from './sessions/live-view.js'
import { createOffers, type Offers } from './offers/offers.js'
import { GpuOfferType } from './offers/offer-type.js'
import { defaultPolicy, type ComputePolicy } from './policy.js'
import type { AccountsPort, CatalogPort, LedgerPort, TokenRevenuePort } from './ports.js'
import { probeEndpoint } from './deployments/probe.js'
import { createRecipes } from './deployments/recipe.js'
import { createCircuits } from './reconciler/circuit.js'
import type { Probe } from './reconciler/perform.js'
import { createReconciler, type Reconciler } from './reconciler/reconciler.js'
import { AccountRentalsResolver, ModelSessionResolver, RentalResolver } from './rentals/rental-resolver.js'
import { rentalSource, rentalsSource } from './rentals/rental-source.js'
import { GpuSessionType, RentalType, rentalType } from './rentals/rental-type.js'
import { createRentals, type Rentals } from './rentals/rentals.js'
import type { GpuSession } from './sessions/session.js'
import { createAliveTime } from './sessions/alive-time.js'
import { createSessionTables } from './sessions/session-tables.js'
import { createSessions } from './sessions/sessions.js'
import { createWaiters } from './deployments/waiters.js'

export type { Activity } from './deployments/activity.js'
export type { DeployingStatus, Deployments, DeploymentState, EnsureDeploymentResult } from './deployments/deployments.js'
export type { DriverCaps, GpuDriver, InstanceSpec, ObservedInstance } from './drivers/driver.js'
export type { ModelSessionState } from './sessions/live-view.js'
export type { Offer, OfferFilter } from './offers/offer.js'
export type { ComputePolicy } from './policy.js'
export type { WaitResult } from './deployments/waiters.js'
export type {
  AccountLimits,
  AccountsPort,
  CatalogPort,
  Credits,
  DeployRecipe,
  HoldState,
  LedgerPort,
  ReserveResult,
  SessionEndpoint,
  TokenRevenuePort,
} from './ports.js'
export { computeConfig, createDrivers, DriverConfig } from './compute-config.js'
export { shippedRecipes } from './deployments/recipe.js'
export { computeEntities } from './sessions/market-entities.js'

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
  /** A model's availability may have changed, whichever process changed it. */
  readonly onModelChange: (modelId: string) => void
  /** How a served endpoint is proven to work; a one-token chat when left out. */
  readonly probe?: Probe
}

export interface ComputeSubgraph extends Subgraph {
  readonly deployments: Deployments
  /** `touch(modelId)` when a chat request for the model begins, its answer when it ends. */
  readonly activity: Activity
  /** What a model's session is doing, from memory. */
  readonly live: Pick<LiveView, 'stateOf'>
  readonly offers: Offers
  readonly rentals: Rentals
}

export function createComputeSubgraph(deps: ComputeDependencies): ComputeSubgraph {
  const { database, outbox, events, clock, log, ledger, accounts, catalog, revenue, options } = deps
  const policy: ComputePolicy = { ...defaultPolicy, ...options.policy }
  const drivers = new Map(deps.drivers.map((driver) => [driver.id, driver]))
  const metrics = createComputeMetrics(deps.registry)
  const store = createSessionTables(database, outbox)
  let reconciler: Reconciler | null = null
  let stopListening: (() => void) | null = null

  const onFault = (where: string) => (error: unknown, subject?: string | null) => {
    // A database in trouble is counted where it is noticed.
    if (!(error instanceof AppError && error.code === 'service_unavailable')) metrics.fault(where)
    log.warn({ err: error, where, subject }, 'background work of compute failed')
  }
  const onChange = (session: GpuSession): void => {
    metrics.changed(session)
    events.publish(SESSION_CHANGED, { sessionId: session.id, modelId: session.modelId })
  }
  const offers = createOffers({ drivers, store, clock, policy, onError: onFault('offers') })
  const aliveTime = createAliveTime(clock, policy.maxSilenceMs)
  const recipes = createRecipes(catalog, options.includeShippedRecipes)
  const sessions = createSessions({
    store,
    ledger,
    accounts,
    revenue,
    drivers,
    clock,
    aliveTime,
    policy,
    kick: () => reconciler?.kick(),
    onChange,
  })
  const rentals = createRentals({ store, sessions, offers, recipes, clock, policy })
  const activity = createActivity(store, clock, onFault('activity'))
  const waiters = createWaiters((modelId) => modelState(modelId), clock, policy)
  const deployments = createDeployments({ store, sessions, offers, recipes, waiters, clock, policy })
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
  async function modelState(modelId: string): Promise<'ready' | 'deploying' | 'cold'> {
    const session = await store.liveForModel(modelId)
    if (!session) return 'cold'
    if (session.phase !== 'running') return 'deploying'
    await live.refresh()
    return 'ready'
  }

  async function restart(session: GpuSession): Promise<void> {
    if (session.modelId === null || clock.now() - session.lastActiveAt > policy.restartIfAskedWithinMs) return
    const { id, modelId, accountId } = session
    // What the key of the first one may not spend, the next one may not either.
    const budgetId = (await ledger.read([id])).get(id)?.budgetId
    await deployments.ensure({ modelId, accountId, budgetId })
  }

  const newReconciler = (installId: string, homes: ReadonlyMap<string, string>): Reconciler =>
    createReconciler({
      homes,
      store,
      ledger,
      catalog,
      revenue,
      drivers,
      clock,
      aliveTime,
      policy,
      installId,
      freshOffers: (driver, session, signal) => offers.fresh(driver, { gpuModel: session.gpuModel }, signal),
      circuits: createCircuits(store, clock, policy),
      probe: deps.probe ?? probeEndpoint,
      random: Math.random,
      onChange,
      onInterrupted: restart,
      onError: onFault('reconciler'),
      onOrphan: (driverId) => metrics.orphan(driverId),
      onAdopted: (session) => metrics.adopted(session),
      onSlowDestroy: (session) => metrics.slowDestroy(session),
    })

  return {
    name: 'compute',
    deployments,
    activity,
    live,
    offers,
    rentals,
    resolvers: [
      new RentalResolver(rentals, offers, clock),
      new ModelSessionResolver(live, clock),
      new AccountRentalsResolver(rentals, clock),
    ],
    orphanedTypes: [GpuOfferType, RentalType, GpuSessionType, ModelStub, AccountStub],
    entities: {
      Rental: {
        kind: 'owner',
        async load(references, { principal }) {
          const ids = references.map(({ id }) => id)
          const found = await rentals.findMany(ids, principal?.accountId ?? '')
          return found.map((session) => session && rentalType(session, clock.now()))
        },
      },
      Model: { kind: 'contributor' },
      Account: { kind: 'contributor' },
    },
    sources: { rentalStatus: rentalSource(rentals, outbox, clock), rentalsChanged: rentalsSource(rentals, outbox) },
    start: () => live.start(),
    async startWork() {
      const installId = await store.installId(options.installId ?? newInstallId())
      // An embedded database has one process: whatever lease is left is of a process that died.
      if (database.dialect === 'sqlite') await store.breakLeases()
      reconciler = newReconciler(installId, await homesOf(drivers.values()))
      // Whoever asked may be another process, which drives nothing.
      stopListening = events.listen(SESSION_CHANGED, () => reconciler?.kick())
      await reconciler.start()
    },
    drain: () => waiters.stop(),
    async stop() {
      stopListening?.()
      waiters.stop()
      activity.stop()
      live.stop()
      await reconciler?.stop()
      for (const driver of drivers.values()) await driver.close?.()
    },
  }
}

async function homesOf(drivers: Iterable<GpuDriver>): Promise<ReadonlyMap<string, string>> {
  const homes = new Map<string, string>()
  for (const driver of drivers) if (driver.home) homes.set(driver.id, await driver.home())
  return homes
}

/** Six letters and digits: enough that two installations in one cloud account do not meet. */
const newInstallId = (): string => randomBytes(8).readBigUInt64BE().toString(36).slice(0, 6)
