/** Adding a session: within the limits of its account, and one a model. */
import { sql, type Transaction } from 'kysely'
import type { TablesOf } from '#platform/database/tables.js'
import type { GpuSession, GpuSessionEntity } from '../sessions/session.js'
import { liveModel } from './session-reads.js'
import type { AccountGuard, InsertResult, SessionEvent } from './session-store.js'

type Tables = TablesOf<typeof GpuSessionEntity>

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

export async function insertSession({ session, guard, events, commit, isPostgres }: Insertion): Promise<InsertResult> {
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
