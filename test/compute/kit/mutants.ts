/** Tests of the tests: ways to get sessions wrong that the stories must find out. Each changes one part of a gateway. */
import type { GpuDriver } from '../../../subgraphs/compute/drivers/driver.js'
import type { LedgerPort } from '../../../subgraphs/compute/ports.js'
import type { GpuSession, SessionPatch } from '../../../subgraphs/compute/sessions/session.js'
import type { SessionStore } from '../../../subgraphs/compute/store/session-store.js'
import type { Parts } from './world.js'

export interface Mutant {
  readonly name: string
  readonly mutate: (parts: Parts) => Partial<Parts>
  readonly sweeper?: boolean
}

/** A copy of an object (or class instance) with some of its functions replaced. */
function altered<T extends object>(target: T, changes: Partial<T>): T {
  return new Proxy(target, {
    get(object, key) {
      const value: unknown = Reflect.get(Object.hasOwn(changes, key) ? changes : object, key)
      return typeof value === 'function' && !Object.hasOwn(changes, key) ? value.bind(object) : value
    },
  })
}

const driver = (change: (real: GpuDriver) => Partial<GpuDriver>) => (parts: Parts) => ({
  driver: altered(parts.driver, change(parts.driver)),
})
const ledger = (change: (real: LedgerPort) => Partial<LedgerPort>) => (parts: Parts) => ({
  ledger: altered(parts.ledger, change(parts.ledger)),
})
const store = (change: (real: SessionStore) => Partial<SessionStore>) => (parts: Parts) => ({
  store: altered(parts.store, change(parts.store)),
})

/** Rewrites every patch before it is written. */
const patches = (rewrite: (patch: SessionPatch, session: GpuSession) => SessionPatch) =>
  store((real) => ({
    save: (session, token, patch, events) => real.save(session, token, rewrite(patch, session), events),
    decide: (session, patch, events) => real.decide(session, rewrite(patch, session), events),
  }))

const without = (field: keyof SessionPatch) =>
  patches((patch) => Object.fromEntries(Object.entries(patch).filter(([key]) => key !== field)) as SessionPatch)

export const mutants: readonly Mutant[] = [
  { name: 'never looks for an instance whose create is in doubt', mutate: driver(() => ({ list: async () => [] })) },
  { name: 'forgets its intent to create', mutate: patches((patch) => (patch.attemptAt ? { ...patch, attemptAt: null } : patch)) },
  { name: 'forgets instances that came with an error', mutate: without('strays') },
  {
    name: 'forgets the id of what it created',
    mutate: patches((patch) => (patch.instanceId ? { ...patch, instanceId: null } : patch)),
  },
  {
    name: 'believes the first answer that an instance does not exist',
    mutate: driver((real) => {
      const absent = new Set<string>()
      return {
        async get(id, signal) {
          const seen = absent.has(id) ? null : await real.get(id, signal)
          if (seen === null) absent.add(id)
          return seen
        },
      }
    }),
  },
  {
    name: 'takes an unreachable provider for a vanished instance',
    mutate: driver((real) => ({ get: (id, signal) => real.get(id, signal).catch(() => null) })),
  },
  {
    name: 'believes a provider that says gone',
    mutate: driver((real) => {
      const gone = new Set<string>()
      return {
        async destroy(id, signal) {
          const result = await real.destroy(id, signal)
          if (result === 'gone') gone.add(id)
          return result
        },
        get: async (id, signal) => (gone.has(id) ? null : real.get(id, signal)),
      }
    }),
  },
  {
    name: 'takes a stopped instance for a running one',
    mutate: driver((real) => ({
      async get(id, signal) {
        const seen = await real.get(id, signal)
        return seen?.status === 'ended' ? { ...seen, status: 'running' } : seen
      },
    })),
  },
  {
    name: 'bills from the request instead of from running',
    mutate: patches((patch, session) => (patch.runningAt ? { ...patch, aliveMs: patch.runningAt - session.createdAt } : patch)),
  },
  {
    name: 'ignores who holds the lease and what was written meanwhile',
    mutate: store((real) => ({
      save: async (session, _token, patch, events) => {
        const current = await real.find(session.id)
        if (current) await real.decide(current, patch, events)
        return 'saved'
      },
    })),
  },
  {
    name: 'starts a model for everyone who asks',
    mutate: store((real) => ({
      insert: (session, guard, events) =>
        real.insert({ ...session, purpose: 'rental' }, guard, events).then(async (result) => {
          const inserted = await real.find(session.id)
          if (inserted) await real.decide(inserted, { purpose: session.purpose } as SessionPatch, [])
          const after = await real.find(session.id)
          if (after && inserted) await real.save(after, 'none', {}, [])
          return result
        }),
    })),
  },
  { name: 'does not wait for the hold', mutate: ledger(() => ({ reserve: async () => ({ outcome: 'reserved' }) })) },
  { name: 'raises holds without asking the ledger', mutate: ledger(() => ({ extend: async () => 'extended' })) },
  { name: 'keeps the hold of a session that never ran', mutate: ledger(() => ({ release: async () => 0n })) },
  {
    name: 'leaves dead endpoints in routing',
    mutate: (parts) => ({ catalog: altered(parts.catalog, { withdraw: async () => {} }) }),
  },
  {
    name: 'sweeps nothing',
    mutate: driver((real) => ({ list: async (prefix, signal) => (prefix.endsWith('-1') ? real.list(prefix, signal) : []) })),
    sweeper: true,
  },
]
