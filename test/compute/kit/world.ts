/**
 * A small world for life stories: a cloud, a ledger, a store and two gateways that may die between any two effects.
 *
 * Every effect of a gateway (a store write, a ledger call, a provider call) is a crash point before and after. A dead gateway
 * never has another effect, whatever its code still tries, exactly as after kill -9.
 */
import { createRecipes } from '../../../subgraphs/compute/deployments/recipe.js'
import { createDeployments, type Deployments } from '../../../subgraphs/compute/deployments/deployments.js'
import type { GpuDriver } from '../../../subgraphs/compute/drivers/driver.js'
import type { Offer } from '../../../subgraphs/compute/offers/offer.js'
import { createOffers } from '../../../subgraphs/compute/offers/offers.js'
import { defaultPolicy, type ComputePolicy } from '../../../subgraphs/compute/policy.js'
import type { CatalogPort, LedgerPort, SessionEndpoint } from '../../../subgraphs/compute/ports.js'
import { createCircuits } from '../../../subgraphs/compute/reconciler/circuit.js'
import { createReconciler, type Reconciler } from '../../../subgraphs/compute/reconciler/reconciler.js'
import { createRentals, type Rentals } from '../../../subgraphs/compute/rentals/rentals.js'
import { createAliveTime } from '../../../subgraphs/compute/sessions/alive-time.js'
import type { GpuSession } from '../../../subgraphs/compute/sessions/session.js'
import type { SessionStore } from '../../../subgraphs/compute/store/session-store.js'
import { createSessions } from '../../../subgraphs/compute/sessions/create-sessions.js'
import { createWaiters } from '../../../subgraphs/compute/deployments/waiters.js'
import { FakeCloud } from '../../kit/clouds/fake-cloud.js'
import { createFakeLedger, type FakeLedger } from './fake-ledger.js'
import { createMemoryStore, type MemoryStore } from './memory-store.js'

class VirtualClock {
  time = Date.UTC(2026, 10, 21)
  /** How far the wall clock is from the true time. */
  wallStepMs = 0
  now = () => this.time + this.wallStepMs
  monotonic = () => this.time
  /** Calls in this world answer at once, so no deadline ever fires. */
  setTimeout = () => () => {}
}

export class Crash extends Error {}

export const testOffer = (fields: Partial<Offer> = {}): Offer => ({
  driverId: 'fake',
  providerId: 'gp90',
  region: 'eu-1',
  gpuModel: 'L4',
  vramGb: 24,
  gpuCount: 1,
  pricePerGpuHour: 720_000_000n,
  spot: true,
  interruptionProbability: 0.15,
  interruptionOrigin: 'prior',
  fetchedAt: 0,
  reference: null,
  ...fields,
})

/** Effects by the object that has them; reads are no crash points. */
const EFFECTS = {
  store: ['insert', 'claim', 'renew', 'save', 'decide', 'noteActivity', 'bar', 'remember', 'forget', 'takeTask', 'openCircuit'],
  ledger: ['reserve', 'extend', 'capture', 'settle', 'release'],
  driver: ['create', 'destroy', 'get', 'list'],
  catalog: ['announce', 'withdraw'],
} as const

/** One gateway process. */
export interface Gateway {
  readonly reconciler: Reconciler
  readonly rentals: Rentals
  readonly deployments: Deployments
  /** Dies at the n-th crash point from now; null: lives. */
  crashIn: number | null
  isDead: boolean
  /** Stops at the n-th crash point until `resume`, as a process that gets no time; null: does not. */
  pauseIn: number | null
  /** Resolves when it pauses. */
  paused: Promise<void>
  resume: (() => void) | null
}

export interface WorldOptions {
  readonly balance: bigint
  readonly monthlyCap?: bigint | null
  readonly policy?: Partial<ComputePolicy>
  readonly mutate?: (parts: Parts) => Partial<Parts>
}

export interface Parts {
  readonly store: SessionStore
  readonly ledger: LedgerPort
  readonly driver: GpuDriver
  readonly catalog: CatalogPort
}

export interface World {
  readonly clock: VirtualClock
  readonly cloud: FakeCloud
  readonly store: MemoryStore
  readonly ledger: FakeLedger
  readonly endpoints: Map<string, SessionEndpoint>
  readonly counts: Map<string, number>
  readonly revenue: Map<string, bigint>
  readonly gateway: () => Gateway
}

export const ACCOUNTS = ['acc_a', 'acc_b'] as const

export function createWorld(options: WorldOptions): World {
  const clock = new VirtualClock()
  const cloud = new FakeCloud({
    // The cloud's own log tells the true time, whatever is done to the clocks of gateways.
    clock: { now: clock.monotonic, monotonic: clock.monotonic, setTimeout: clock.setTimeout },
    offers: [
      testOffer(),
      testOffer({ providerId: 'gp91', pricePerGpuHour: 750_000_000n }),
      testOffer({ providerId: 'gp92', pricePerGpuHour: 7_200_000_000n }),
    ],
  })
  const store = createMemoryStore()
  const ledger = createFakeLedger(Object.fromEntries(ACCOUNTS.map((id) => [id, options.balance])), options.monthlyCap ?? null)
  const endpoints = new Map<string, SessionEndpoint>()
  const counts = new Map<string, number>()
  const revenue = new Map<string, bigint>()
  const base = { clock, cloud, store, ledger, endpoints, counts, revenue }
  return { ...base, gateway: () => createGateway(base, options) }
}

const recipe = { modelId: 'cold-model', gpuModel: 'L4', gpuCount: 1, minVramGb: 20, estimatedDeploySeconds: 120, image: null }

function createGateway(world: Omit<World, 'gateway'>, options: WorldOptions): Gateway {
  const { clock, counts } = world
  const policy = { ...defaultPolicy, ...options.policy }
  let pausing = Promise.withResolvers<void>()
  const state: Pick<Gateway, 'crashIn' | 'isDead' | 'pauseIn' | 'paused' | 'resume'> = {
    crashIn: null,
    isDead: false,
    pauseIn: null,
    paused: pausing.promise,
    resume: null,
  }
  const point = async (where: string) => {
    if (state.isDead) throw new Crash(where)
    // Between the last look at the clock and the call to a provider nobody can help: the call is what cannot be guarded.
    if (state.pauseIn !== null && where !== 'before driver.create' && state.pauseIn-- <= 0) {
      count(counts, `paused ${where}`)
      state.pauseIn = null
      pausing.resolve()
      await new Promise<void>((resolve) => {
        state.resume = () => {
          state.resume = null
          pausing = Promise.withResolvers()
          state.paused = pausing.promise
          resolve()
        }
      })
      return
    }
    if (state.crashIn === null || state.crashIn-- > 0) return
    state.isDead = true
    count(counts, `died ${where}`)
    throw new Crash(where)
  }
  const parts = { store: world.store, ledger: world.ledger, driver: world.cloud, catalog: catalogOf(world.endpoints) }
  const mutated = { ...parts, ...options.mutate?.(parts) }
  const store = mortal('store', mutated.store, point, counts)
  const ledger = mortal('ledger', mutated.ledger, point, counts)
  const driver = mortal('driver', mutated.driver, point, counts)
  const catalog = mortal('catalog', mutated.catalog, point, counts)
  const drivers = new Map([[driver.id, driver]])
  const revenue = { billedTokens: async (id: string) => world.revenue.get(id) ?? 0n }
  const accounts = { limits: async () => ({ maxConcurrentSessions: 6, maxHourlySpend: null }) as const }
  const offers = createOffers({ drivers, store, clock, policy, onError: () => {} })
  const onChange = (session: GpuSession) =>
    count(counts, `${session.purpose} ${session.phase}${session.terminationReason ? ` ${session.terminationReason}` : ''}`)
  const aliveTime = createAliveTime(clock, policy.maxSilenceMs)
  const sessions = createSessions({
    store,
    ledger,
    accounts,
    revenue,
    drivers,
    clock,
    aliveTime,
    policy,
    kick: () => {},
    onChange,
  })
  const recipes = createRecipes(catalog, false)
  const waiters = createWaiters(async () => 'deploying', clock, policy)
  const deployments = createDeployments({ store, sessions, offers, recipes, waiters, clock, policy, routable: async () => {} })
  const reconciler = createReconciler({
    homes: new Map(),
    store,
    ledger,
    catalog,
    revenue,
    drivers,
    clock,
    aliveTime,
    policy,
    freshOffers: (driver, _session, signal) => driver.listOffers({}, signal),
    circuits: createCircuits(store, clock, policy),
    probe: world.cloud.probe,
    installId: 'test',
    random: () => 0.5,
    onOrphan: () => count(counts, 'orphan swept'),
    onInterrupted: async (session) => {
      if (clock.now() - session.lastActiveAt > policy.restartIfAskedWithinMs) return
      count(counts, 'restarted after interruption')
      await deployments.ensure({ modelId: session.modelId ?? '', accountId: session.accountId })
    },
    onChange,
    onError: (error) => {
      if (!(error instanceof Crash) && !state.isDead) count(counts, `error ${String(error).slice(0, 80)}`)
    },
    onAdopted: () => count(counts, 'adopted'),
    onSlowDestroy: () => count(counts, 'slow destroy'),
  })
  const rentals = createRentals({ store, sessions, offers, recipes, catalog, clock, policy })
  return Object.assign(state, { reconciler, rentals, deployments })
}

const catalogOf = (endpoints: Map<string, SessionEndpoint>): CatalogPort => ({
  has: async (modelId) => modelId === recipe.modelId,
  recipe: async (modelId) => (modelId === recipe.modelId ? recipe : null),
  recipes: async () => [recipe],
  announce: async (endpoint) => void endpoints.set(endpoint.sessionId, endpoint),
  withdraw: async (sessionId) => void endpoints.delete(sessionId),
})

/** The same object with a crash point before and after each of its effects. */
function mortal<T extends object>(
  name: keyof typeof EFFECTS,
  target: T,
  point: (where: string) => Promise<void>,
  counts: Map<string, number>,
): T {
  const effects: ReadonlySet<string | symbol> = new Set(EFFECTS[name])
  const wrapped = new Map<string | symbol, unknown>()
  return new Proxy(target, {
    get(object, key) {
      const value: unknown = Reflect.get(object, key, object)
      if (typeof value !== 'function') return value
      if (!wrapped.has(key)) {
        const call = (...args: unknown[]): unknown => Reflect.apply(value, object, args)
        const mortalCall = async (...args: unknown[]) => {
          await point(`before ${name}.${String(key)}`)
          const result = await call(...args)
          count(counts, `did ${name}.${String(key)}${typeof result === 'string' ? ` ${result}` : ''}`)
          await point(`after ${name}.${String(key)}`)
          return result
        }
        wrapped.set(key, effects.has(key) ? mortalCall : call)
      }
      return wrapped.get(key)
    },
  })
}

export function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}
