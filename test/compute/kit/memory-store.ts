/** The session store in memory: the same promises as the tables, a hundred times faster, for life stories by the thousand. */
import type { Observation } from '../../../subgraphs/compute/offers/interruption.js'
import { pageOf } from '#platform/paging/page.js'
import { offerKey } from '../../../subgraphs/compute/offers/offer.js'
import {
  isDue,
  labelKeyOf,
  sessionHourlyPrice,
  statusOf,
  type GpuSession,
  type SessionPatch,
  type SessionStatus,
} from '../../../subgraphs/compute/sessions/session.js'
import type { SessionEvent, SessionStore } from '../../../subgraphs/compute/store/session-store.js'

export interface MemoryStore extends SessionStore {
  readonly sessions: Map<string, GpuSession>
  readonly events: SessionEvent[]
}

export function createMemoryStore(): MemoryStore {
  const sessions = new Map<string, GpuSession>()
  const events: SessionEvent[] = []
  const all = () => [...sessions.values()]
  const live = (session: GpuSession) => session.wanted === 'running'
  const rentals = (accountId: string, status: SessionStatus | null) =>
    all().filter(
      (session) =>
        session.purpose === 'rental' &&
        session.accountId === accountId &&
        session.terminationReason !== 'not_started' &&
        (status === null || statusOf(session) === status),
    )
  const patch = (session: GpuSession, changes: SessionPatch, added: readonly SessionEvent[]) => {
    sessions.set(session.id, { ...session, ...changes, version: session.version + 1 })
    events.push(...added)
  }
  return {
    sessions,
    events,
    ...memoryMarket(all),
    async insert(session, guard, added) {
      const mine = all().filter((other) => other.accountId === session.accountId && live(other))
      if (guard.maxConcurrentSessions !== null && mine.length >= guard.maxConcurrentSessions) return { outcome: 'too_many' }
      const hourlySpend = [...mine, session].reduce((sum, other) => sum + sessionHourlyPrice(other), 0n)
      if (guard.maxHourlySpend !== null && hourlySpend > guard.maxHourlySpend) return { outcome: 'too_expensive', hourlySpend }
      const other = all().find((known) => known.purpose === 'model' && live(known) && known.modelId === session.modelId)
      if (session.purpose === 'model' && other) return { outcome: 'exists', session: other }
      sessions.set(session.id, session)
      events.push(...added)
      return { outcome: 'inserted' }
    },
    find: async (id) => sessions.get(id) ?? null,
    findMany: async (ids) => ids.flatMap((id) => sessions.get(id) ?? []),
    async rentalsOf(accountId, status, page) {
      const shown = rentals(accountId, status).sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
      return pageOf(
        shown,
        page,
        ({ createdAt, id }) => [createdAt, id],
        (session) => session,
      )
    },
    countRentals: async (accountId, status) => rentals(accountId, status).length,
    liveForModel: async (modelId) => all().find((s) => s.purpose === 'model' && live(s) && s.modelId === modelId) ?? null,
    liveWithModel: async () =>
      all().filter((session) => live(session) && session.modelId !== null && session.holdPhase !== 'reserving'),
    async claim(token, now, leaseMs, limit, own = []) {
      const isFree = ({ leaseUntil, leaseToken }: GpuSession) => leaseUntil <= now || own.includes(leaseToken ?? '')
      return all()
        .filter((session) => session.phase !== 'terminated' && isDue(session, now) && isFree(session))
        .sort((a, b) => a.dueAt - b.dueAt)
        .slice(0, limit)
        .map((session) => {
          patch(session, { leaseToken: token, leaseUntil: now + leaseMs }, [])
          return sessions.get(session.id)!
        })
    },
    async keep(tokens, untilMs) {
      for (const session of all())
        if (tokens.includes(session.leaseToken ?? '')) sessions.set(session.id, { ...session, leaseUntil: untilMs })
    },
    async renew(id, token, untilMs) {
      const session = sessions.get(id)
      if (session?.leaseToken !== token) return false
      sessions.set(id, { ...session, leaseUntil: untilMs })
      return true
    },
    async save(session, token, changes, added) {
      const current = sessions.get(session.id)
      if (current?.leaseToken !== token) return 'lost'
      if (current.version !== session.version) return 'stale'
      patch(current, changes, added)
      return 'saved'
    },
    async decide(session, changes, added) {
      const current = sessions.get(session.id)
      if (current?.version !== session.version) return false
      patch(current, changes, added)
      return true
    },
    async noteActivity(modelId, at) {
      for (const session of all()) {
        if (session.modelId === modelId && live(session) && session.lastActiveAt < at) patch(session, { lastActiveAt: at }, [])
      }
    },
    async breakLeases() {
      for (const session of all()) sessions.set(session.id, { ...session, leaseToken: null, leaseUntil: 0 })
    },
    async nextDue(own = []) {
      const due = all().filter(({ phase }) => phase !== 'terminated')
      const dueFor = ({ dueAt, leaseUntil, leaseToken }: GpuSession) =>
        own.includes(leaseToken ?? '') ? dueAt : Math.max(dueAt, leaseUntil)
      return due.length === 0 ? null : Math.min(...due.map(dueFor))
    },
    terminatedSince: async (sinceMs) => all().filter((s) => s.holdPhase === 'closed' && (s.terminatedAt ?? 0) > sinceMs),
    async machines() {
      const open = all().filter(({ phase }) => phase !== 'terminated')
      const alike = Map.groupBy(open, ({ purpose, phase, driverId }) => `${purpose} ${phase} ${driverId}`)
      return [...alike.values()].map((group) => {
        const { purpose, phase, driverId } = group[0]!
        const usdPerHour = group.reduce((sum, session) => sum + Number(sessionHourlyPrice(session)) / 1e9, 0)
        return { purpose, phase, driverId, count: group.length, usdPerHour }
      })
    },
    byLabelKeys: async (keys) =>
      new Map(all().flatMap((s) => (keys.includes(labelKeyOf(s.id)) ? [[labelKeyOf(s.id), s] as const] : []))),
  }
}

type Market = Pick<
  SessionStore,
  | 'bar'
  | 'barredAt'
  | 'experience'
  | 'startDurations'
  | 'openCircuit'
  | 'circuitsOpenAt'
  | 'takeTask'
  | 'installId'
  | 'remember'
  | 'forget'
  | 'prune'
>

function memoryMarket(all: () => GpuSession[]): Market {
  const bars = new Map<string, number>()
  const circuits = new Map<string, number>()
  const tasks = new Map<string, number>()
  const keys = new Map<string, { requestHash: string; sessionId: string; expiresAt: number }>()
  const after = (map: Map<string, number>, now: number) => [...map].filter(([, until]) => until > now)
  return {
    bar: async (key, until) => void bars.set(key, until),
    barredAt: async (now) => new Set(after(bars, now).map(([key]) => key)),
    async experience(sinceMs) {
      const seen = new Map<string, Observation>()
      for (const session of all()) {
        if (!session.spot || session.runningAt === null || session.runningAt <= sinceMs) continue
        const known = seen.get(offerKey(session)) ?? { runningDays: 0, interruptions: 0 }
        seen.set(offerKey(session), {
          runningDays: known.runningDays + session.aliveMs / 86_400_000,
          interruptions: known.interruptions + (session.terminationReason === 'interrupted' ? 1 : 0),
        })
      }
      return seen
    },
    startDurations: async (kind, limit) =>
      all()
        .filter(
          (s) =>
            s.runningAt !== null && s.driverId === kind.driverId && s.gpuModel === kind.gpuModel && s.modelId === kind.modelId,
        )
        .sort((a, b) => (b.runningAt ?? 0) - (a.runningAt ?? 0))
        .slice(0, limit)
        .map((session) => ((session.runningAt ?? 0) - session.createdAt) / 1000),
    openCircuit: async (driverId, until) => void circuits.set(driverId, until),
    circuitsOpenAt: async (now) => new Map(after(circuits, now)),
    installId: async (candidate) => candidate,
    async takeTask(name, _token, now, until) {
      if ((tasks.get(name) ?? 0) > now) return false
      tasks.set(name, until)
      return true
    },
    async remember({ accountId, key, requestHash, sessionId, now, expiresAt }) {
      const known = keys.get(`${accountId}/${key}`)
      if (known && known.expiresAt > now) {
        return known.requestHash === requestHash ? { sessionId: known.sessionId, expiresAt: known.expiresAt } : 'conflict'
      }
      keys.set(`${accountId}/${key}`, { requestHash, sessionId, expiresAt })
      return 'new'
    },
    async forget(accountId, key, sessionId) {
      if (keys.get(`${accountId}/${key}`)?.sessionId === sessionId) keys.delete(`${accountId}/${key}`)
    },
    async prune(now) {
      for (const map of [bars, circuits]) for (const [key, until] of map) if (until <= now) map.delete(key)
      for (const [key, { expiresAt }] of keys) if (expiresAt <= now) keys.delete(key)
    },
  }
}
