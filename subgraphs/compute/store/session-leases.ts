/** Leases: which process drives a session, until when, and what is due next. */
import { sql } from 'kysely'
import type { Database } from '#platform/database/database.js'
import { tablesOf } from '#platform/database/tables.js'
import { MAX_REST_MS, type GpuSessionEntity } from '../sessions/session.js'
import type { SessionStore } from './session-store.js'

type SessionLeases = Pick<SessionStore, 'claim' | 'keep' | 'renew' | 'breakLeases' | 'nextDue'>

export function createSessionLeases(database: Database): SessionLeases {
  const db = tablesOf<typeof GpuSessionEntity>(database)
  const isPostgres = database.dialect === 'postgres'
  return {
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
  }
}
