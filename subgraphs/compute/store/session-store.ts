/**
 * What is kept of sessions, bars and circuits, as the reconciler and the services use it.
 *
 * Two stores hold to this: tables on SQLite or Postgres (session-tables.ts), and one in memory in the tests that runs thousands of
 * life stories a second. Both pass the same suite.
 */
import type { Notice } from '#platform/events/notices.js'
import type { NewOutboxEvent } from '#platform/events/outbox.js'
import type { Page, PageRequest } from '#platform/paging/page.js'
import type { Machines } from '../compute-metrics.js'
import type { Observation } from '../offers/interruption.js'
import type { GpuSession, SessionPatch, SessionStatus } from '../sessions/session.js'

/** Something subscribers of a rental or a model, by its id, or operators want to hear; written in the same transaction as the change. */
export type SessionEvent = (NewOutboxEvent & { readonly topic: 'rental' | 'model' }) | Notice

/** What must hold for an account when one more session is added. */
export interface AccountGuard {
  readonly maxConcurrentSessions: number | null
  readonly maxHourlySpend: bigint | null
}

export type InsertResult =
  | { readonly outcome: 'inserted' }
  /** Another live session already serves this model for everyone. */
  | { readonly outcome: 'exists'; readonly session: GpuSession }
  | { readonly outcome: 'too_many' }
  | { readonly outcome: 'too_expensive'; readonly hourlySpend: bigint }

/** `stale`: somebody wrote meanwhile, read again. `lost`: the lease is not ours any more, stop. */
export type SaveResult = 'saved' | 'stale' | 'lost'

export interface SessionStore {
  /** Adds a session unless the account's limits or the one-live-session-per-model rule forbid it; all in one transaction. */
  insert(session: GpuSession, guard: AccountGuard, events: readonly SessionEvent[]): Promise<InsertResult>
  find(id: string): Promise<GpuSession | null>
  findMany(ids: readonly string[]): Promise<readonly GpuSession[]>
  /** Newest first. */
  rentalsOf(accountId: string, status: SessionStatus | null, page: PageRequest): Promise<Page<GpuSession>>
  countRentals(accountId: string, status: SessionStatus | null): Promise<number>
  /** The one live session that serves this model for everyone. */
  liveForModel(modelId: string): Promise<GpuSession | null>
  /** Live sessions and rentals that serve a model and whose hold is placed: a request that is not covered changes nothing. */
  liveWithModel(): Promise<readonly GpuSession[]>
  /** Takes the lease of up to `limit` due sessions whose lease is free, has run out or is one of `own`. */
  claim(token: string, now: number, leaseMs: number, limit: number, own?: readonly string[]): Promise<readonly GpuSession[]>
  /** Prolongs the leases with these tokens: sessions whose machines are here and that are not being driven. */
  keep(tokens: readonly string[], untilMs: number): Promise<void>
  /** Prolongs a lease; false when it is not ours any more. */
  renew(id: string, token: string, untilMs: number): Promise<boolean>
  /** Writes under a lease. Releasing the lease is part of the patch (`leaseToken: null`). */
  save(session: GpuSession, token: string, patch: SessionPatch, events: readonly SessionEvent[]): Promise<SaveResult>
  /** Writes without a lease, only if nobody wrote since `session` was read. For decisions, not for instance fields. */
  decide(session: GpuSession, patch: SessionPatch, events: readonly SessionEvent[]): Promise<boolean>
  /** Notes activity; never lowers it. Raises the version, so that no idle decision is based on an older reading. */
  noteActivity(modelId: string, at: number): Promise<void>
  /** Every lease is free: for a start on an embedded database, whose only process we are. */
  breakLeases(): Promise<void>
  /** When a session that still needs work is due for whoever may claim it with `own`, or null. */
  nextDue(own?: readonly string[]): Promise<number | null>
  /** How many sessions that are not over are alike, and what they cost. */
  machines(): Promise<readonly Machines[]>
  /** Sessions that ended after `sinceMs` and whose hold is closed: to compare with the ledger. */
  terminatedSince(sinceMs: number): Promise<readonly GpuSession[]>
  /** Sessions by the part of their id that is in labels. */
  byLabelKeys(keys: readonly string[]): Promise<ReadonlyMap<string, GpuSession>>

  bar(offerKey: string, untilMs: number): Promise<void>
  barredAt(now: number): Promise<ReadonlySet<string>>
  /** Own experience by offer key since `sinceMs`. */
  experience(sinceMs: number): Promise<ReadonlyMap<string, Observation>>
  /** Seconds from request to running of the last sessions of this kind, newest first. */
  startDurations(kind: { driverId: string; gpuModel: string; modelId: string }, limit: number): Promise<readonly number[]>

  openCircuit(driverId: string, untilMs: number): Promise<void>
  circuitsOpenAt(now: number): Promise<ReadonlyMap<string, number>>

  /** The name of this installation: what was stored first stays. */
  installId(candidate: string): Promise<string>
  /** One process at a time gets a named task until `untilMs`. */
  takeTask(name: string, token: string, now: number, untilMs: number): Promise<boolean>

  /** Remembers the answer of a keyed request. `conflict`: the key was used for another request. */
  remember(entry: IdempotencyEntry): Promise<'new' | 'conflict' | RememberedRequest>
  /** Unless the key stands for another session by now. */
  forget(accountId: string, key: string, sessionId: string): Promise<void>
  /** Drops expired bars, circuits and idempotency keys. */
  prune(now: number): Promise<void>
}

/** Which session the first request with a key was to start. */
export interface RememberedRequest {
  readonly sessionId: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

export interface IdempotencyEntry {
  readonly accountId: string
  readonly key: string
  readonly requestHash: string
  readonly sessionId: string
  readonly now: number
  readonly expiresAt: number
}
