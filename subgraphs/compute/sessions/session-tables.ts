/**
 * The session store on tables. Every change of a session raises its version; writes name the version they are based on, so
 * two writers never overwrite each other unseen, with or without a lease.
 */
import { sql, type Kysely, type SelectQueryBuilder, type Transaction } from 'kysely'
import type { Database } from '#platform/database/database.js'
import { tablesOf, type TablesOf } from '#platform/database/tables.js'
import { onPage, text, wholeNumber, type ListOrder } from '#platform/paging/keyset.js'
import { pageOf } from '#platform/paging/page.js'
import type { Outbox } from '#platform/events/outbox.js'
import { createMarketTables } from './market-tables.js'
import { MAX_REST_MS, type GpuSession, type GpuSessionEntity, type SessionPatch, type SessionStatus } from './session.js'
import type { AccountGuard, InsertResult, SaveResult, SessionEvent, SessionStore } from './session-store.js'

type Tables = TablesOf<typeof GpuSessionEntity>

/** How many recently closed sessions one audit compares with the ledger. */
const AUDIT_LIMIT = 1_000

const RENTAL_ORDER: ListOrder = { columns: [wholeNumber('createdAt'), text('id')], isDescending: true }

type Query = SelectQueryBuilder<Tables, 'gpu_session', GpuSession>

export function createSessionTables(database: Database, outbox: Outbox): SessionStore {
  const db = tablesOf<typeof GpuSessionEntity>(database)
  const isPostgres = database.dialect === 'postgres'
  const sessions = () => db.selectFrom('gpu_session').selectAll()

  /** Runs `write` and stores the events in one transaction; followers hear of them after the commit. */
  async function commit<T>(
    events: readonly SessionEvent[],
    write: (tx: Transaction<Tables>) => Promise<T | false>,
  ): Promise<T | false> {
    const result = await db.transaction().execute(async (tx) => {
      const written = await write(tx)
      if (written !== false) await outbox.append(tx as unknown as Transaction<object>, events)
      return written
    })
    if (result !== false) outbox.published(events)
    return result
  }

  /** The guarded write; without events it is one statement and needs no transaction. */
  async function update(
    session: GpuSession,
    token: string | null,
    patch: SessionPatch,
    events: readonly SessionEvent[],
  ): Promise<boolean> {
    const write = async (handle: Kysely<Tables>) => {
      const query = handle
        .updateTable('gpu_session')
        .set({ ...patch, version: session.version + 1 })
        .where('id', '=', session.id)
        .where('version', '=', session.version)
      const result = await (token === null ? query : query.where('leaseToken', '=', token)).executeTakeFirst()
      return Number(result.numUpdatedRows) === 1
    }
    return events.length === 0 ? write(db) : commit(events, write)
  }

  return {
    ...createMarketTables(database),
    insert: (session, guard, events) => insert({ session, guard, events, commit, isPostgres }),
    find: async (id) => (await sessions().where('id', '=', id).executeTakeFirst()) ?? null,
    findMany: async (ids) =>
      ids.length === 0
        ? []
        : sessions()
            .where('id', 'in', [...ids])
            .execute(),
    async rentalsOf(accountId, status, page) {
      const rows = await onPage(rentalsOf(sessions(), accountId, status), RENTAL_ORDER, page).execute()
      return pageOf(
        rows,
        page,
        ({ createdAt, id }) => [createdAt, id],
        (session) => session,
      )
    },
    async countRentals(accountId, status) {
      const { count } = await rentalsOf(sessions(), accountId, status)
        .clearSelect()
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    liveForModel: async (modelId) => (await liveModel(sessions()).where('modelId', '=', modelId).executeTakeFirst()) ?? null,
    liveWithModel: () => sessions().where('wanted', '=', 'running').where('modelId', 'is not', null).execute(),
    async claim(token, now, leaseMs, limit, own = []) {
      const due = db
        .selectFrom('gpu_session')
        .select('id')
        .where('phase', '<>', 'terminated')
        .where(({ eb, or }) => or([eb('dueAt', '<=', now), eb('dueAt', '>', now + MAX_REST_MS)]))
        .where(({ eb, or }) => or([eb('leaseUntil', '<=', now), ...own.map((lease) => eb('leaseToken', '=', lease))]))
        .orderBy('dueAt')
        .limit(limit)
      return db
        .updateTable('gpu_session')
        .set(({ eb }) => ({ leaseToken: token, leaseUntil: now + leaseMs, version: eb('version', '+', 1) }))
        .where('id', 'in', isPostgres ? due.forUpdate().skipLocked() : due)
        .returningAll()
        .execute()
    },
    async keep(tokens, untilMs) {
      if (tokens.length === 0) return
      await db
        .updateTable('gpu_session')
        .set({ leaseUntil: untilMs })
        .where('leaseToken', 'in', [...tokens])
        .where('phase', '<>', 'terminated')
        .execute()
    },
    async renew(id, token, untilMs) {
      const result = await db
        .updateTable('gpu_session')
        .set({ leaseUntil: untilMs })
        .where('id', '=', id)
        .where('leaseToken', '=', token)
        .executeTakeFirst()
      return Number(result.numUpdatedRows) === 1
    },
    async save(session, token, patch, events): Promise<SaveResult> {
      if (await update(session, token, patch, events)) return 'saved'
      const current = await db.selectFrom('gpu_session').select('leaseToken').where('id', '=', session.id).executeTakeFirst()
      return current?.leaseToken === token ? 'stale' : 'lost'
    },
    decide: (session, patch, events) => update(session, null, patch, events),
    async noteActivity(modelId, at) {
      await db
        .updateTable('gpu_session')
        .set(({ eb }) => ({ lastActiveAt: at, version: eb('version', '+', 1) }))
        .where('modelId', '=', modelId)
        .where('wanted', '=', 'running')
        .where('lastActiveAt', '<', at)
        .execute()
    },
    async breakLeases() {
      await db.updateTable('gpu_session').set({ leaseToken: null, leaseUntil: 0 }).where('leaseUntil', '>', 0).execute()
    },
    async nextDue(own = []) {
      const isOwn = own.length === 0 ? sql`1 = 0` : sql`lease_token in (${sql.join(own)})`
      const soonest = sql<
        bigint | number | string | null
      >`min(case when due_at > lease_until or ${isOwn} then due_at else lease_until end)`
      const row = await db
        .selectFrom('gpu_session')
        .select(soonest.as('due'))
        .where('phase', '<>', 'terminated')
        .executeTakeFirst()
      return row?.due == null ? null : Number(row.due)
    },
    terminatedSince: (sinceMs) =>
      sessions().where('holdPhase', '=', 'closed').where('terminatedAt', '>', sinceMs).limit(AUDIT_LIMIT).execute(),
    async byLabelKeys(keys) {
      const found =
        keys.length === 0
          ? []
          : await sessions()
              .where('labelKey', 'in', [...keys])
              .execute()
      return new Map(found.map((session) => [session.labelKey, session]))
    },
  }
}

const liveModel = (query: Query): Query => query.where('purpose', '=', 'model').where('wanted', '=', 'running')

/** Those that began; a request that came to nothing is none. */
function rentalsOf(query: Query, accountId: string, status: SessionStatus | null): Query {
  const mine = query.where('purpose', '=', 'rental').where('accountId', '=', accountId)
  return withStatus(mine, status).where('terminationReason', 'is distinct from', 'not_started')
}

function withStatus(query: Query, status: SessionStatus | null): Query {
  if (status === null) return query
  if (status === 'terminated') return query.where('wanted', '=', 'terminated')
  return query.where('wanted', '=', 'running').where('phase', status === 'running' ? '=' : '<>', 'running')
}

interface Insertion {
  readonly session: GpuSession
  readonly guard: AccountGuard
  readonly events: readonly SessionEvent[]
  readonly commit: (
    events: readonly SessionEvent[],
    write: (tx: Transaction<Tables>) => Promise<InsertResult | false>,
  ) => Promise<InsertResult | false>
  readonly isPostgres: boolean
}

/** Thrown inside the transaction to roll it back with an answer. */
class Refused extends Error {
  constructor(readonly result: InsertResult) {
    super('refused')
  }
}

async function insert({ session, guard, events, commit, isPostgres }: Insertion): Promise<InsertResult> {
  try {
    const result = await commit(events, async (tx) => {
      // One insert of an account at a time, so that two at once cannot both fit under its limits. SQLite has one writer anyway.
      if (isPostgres) await sql`select pg_advisory_xact_lock(hashtextextended(${session.accountId}, 730194))`.execute(tx)
      await checkLimits(tx, session, guard)
      if (session.purpose === 'model') {
        const { inserted } = await insertModelSession(tx, session)
        if (!inserted) throw new Refused({ outcome: 'exists', session: await liveSession(tx, session.modelId ?? '') })
      } else {
        await tx.insertInto('gpu_session').values(session).execute()
      }
      return { outcome: 'inserted' } as const
    })
    return result === false ? { outcome: 'inserted' } : result
  } catch (error) {
    if (error instanceof Refused) return error.result
    throw error
  }
}

async function insertModelSession(tx: Transaction<Tables>, session: GpuSession): Promise<{ inserted: boolean }> {
  const result = await tx
    .insertInto('gpu_session')
    .values(session)
    .onConflict((conflict) =>
      conflict
        .columns(['modelId'])
        .where(sql<boolean>`purpose = 'model' and wanted = 'running'`)
        .doNothing(),
    )
    .executeTakeFirst()
  return { inserted: Number(result.numInsertedOrUpdatedRows ?? 0) === 1 }
}

async function liveSession(tx: Transaction<Tables>, modelId: string): Promise<GpuSession> {
  return liveModel(tx.selectFrom('gpu_session').selectAll()).where('modelId', '=', modelId).executeTakeFirstOrThrow()
}

async function checkLimits(tx: Transaction<Tables>, session: GpuSession, guard: AccountGuard): Promise<void> {
  if (guard.maxConcurrentSessions === null && guard.maxHourlySpend === null) return
  const live = await tx
    .selectFrom('gpu_session')
    .select([
      sql<bigint | number | string>`count(*)`.as('sessions'),
      sql<string>`coalesce(sum(price_per_gpu_hour * gpu_count), 0)`.as('spend'),
    ])
    .where('accountId', '=', session.accountId)
    .where('wanted', '=', 'running')
    .executeTakeFirstOrThrow()
  if (guard.maxConcurrentSessions !== null && Number(live.sessions) >= guard.maxConcurrentSessions) {
    throw new Refused({ outcome: 'too_many' })
  }
  const hourlySpend = BigInt(live.spend) + session.pricePerGpuHour * BigInt(session.gpuCount)
  if (guard.maxHourlySpend !== null && hourlySpend > guard.maxHourlySpend)
    throw new Refused({ outcome: 'too_expensive', hourlySpend })
}
