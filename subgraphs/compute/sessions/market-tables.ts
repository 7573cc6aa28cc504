/** The tables beside the sessions: bars, circuits, own experience of markets, single tasks and idempotency keys. */
import { sql } from 'kysely'
import type { Database } from '#platform/database/database.js'
import type { SessionStore } from './session-store.js'

type Int64 = bigint | number | string
type Tables = {
  gpu_session: {
    driver_id: string
    provider_id: string
    region: string
    gpu_model: string
    model_id: string | null
    spot: number
    created_at: Int64
    running_at: Int64 | null
    alive_ms: Int64
    termination_reason: string | null
  }
  gpu_offer_bar: { offer_key: string; until_ms: Int64 }
  gpu_provider_circuit: { driver_id: string; until_ms: Int64 }
  compute_install: { slot: string; install_id: string }
  compute_task: { name: string; token: string; until_ms: Int64 }
  rent_idempotency_key: { account_id: string; key: string; request_hash: string; session_id: string; expires_at: Int64 }
}

const DAY_MS = 86_400_000

type MarketTables = Pick<
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

export function createMarketTables(database: Database): MarketTables {
  const db = database.kysely.withTables<Tables>()
  return {
    async bar(offerKey, untilMs) {
      await db
        .insertInto('gpu_offer_bar')
        .values({ offer_key: offerKey, until_ms: BigInt(untilMs) })
        .onConflict((conflict) => conflict.column('offer_key').doUpdateSet({ until_ms: BigInt(untilMs) }))
        .execute()
    },
    async barredAt(now) {
      const rows = await db.selectFrom('gpu_offer_bar').select('offer_key').where('until_ms', '>', BigInt(now)).execute()
      return new Set(rows.map((row) => row.offer_key))
    },
    async experience(sinceMs) {
      const rows = await db
        .selectFrom('gpu_session')
        .select(['driver_id', 'provider_id', 'region', 'gpu_model'])
        .select([
          sql<Int64>`sum(alive_ms)`.as('running_ms'),
          sql<Int64>`sum(case when termination_reason = 'interrupted' then 1 else 0 end)`.as('interruptions'),
        ])
        .where('spot', '=', 1)
        .where('running_at', '>', BigInt(sinceMs))
        .groupBy(['driver_id', 'provider_id', 'region', 'gpu_model'])
        .execute()
      return new Map(
        rows.map((row) => [
          [row.driver_id, row.provider_id, row.region, row.gpu_model, 'spot'].join('/'),
          { runningDays: Number(row.running_ms ?? 0) / DAY_MS, interruptions: Number(row.interruptions) },
        ]),
      )
    },
    async startDurations({ driverId, gpuModel, modelId }, limit) {
      const rows = await db
        .selectFrom('gpu_session')
        .select(['created_at', 'running_at'])
        .where('driver_id', '=', driverId)
        .where('gpu_model', '=', gpuModel)
        .where('model_id', '=', modelId)
        .where('running_at', 'is not', null)
        .orderBy('running_at', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => (Number(row.running_at) - Number(row.created_at)) / 1000)
    },
    async openCircuit(driverId, untilMs) {
      await db
        .insertInto('gpu_provider_circuit')
        .values({ driver_id: driverId, until_ms: BigInt(untilMs) })
        .onConflict((conflict) => conflict.column('driver_id').doUpdateSet({ until_ms: BigInt(untilMs) }))
        .execute()
    },
    async circuitsOpenAt(now) {
      const rows = await db.selectFrom('gpu_provider_circuit').selectAll().where('until_ms', '>', BigInt(now)).execute()
      return new Map(rows.map((row) => [row.driver_id, Number(row.until_ms)]))
    },
    async takeTask(name, token, now, untilMs) {
      const result = await db
        .insertInto('compute_task')
        .values({ name, token, until_ms: BigInt(untilMs) })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ token, until_ms: BigInt(untilMs) })
            .where('compute_task.until_ms', '<=', BigInt(now)),
        )
        .executeTakeFirst()
      return Number(result.numInsertedOrUpdatedRows ?? 0) === 1
    },
    async installId(candidate) {
      await db
        .insertInto('compute_install')
        .values({ slot: 'this', install_id: candidate })
        .onConflict((conflict) => conflict.column('slot').doNothing())
        .execute()
      return (await db.selectFrom('compute_install').select('install_id').executeTakeFirstOrThrow()).install_id
    },
    ...createRentKeys(database),
    async prune(now) {
      const before = BigInt(now)
      await db.deleteFrom('gpu_offer_bar').where('until_ms', '<=', before).execute()
      await db.deleteFrom('gpu_provider_circuit').where('until_ms', '<=', before).execute()
      await db.deleteFrom('rent_idempotency_key').where('expires_at', '<=', before).execute()
    },
  }
}

function createRentKeys(database: Database): Pick<SessionStore, 'remember' | 'forget'> {
  const db = database.kysely.withTables<Tables>()
  return {
    async remember(entry) {
      const { accountId, key, requestHash, sessionId, now, expiresAt } = entry
      const fresh = { request_hash: requestHash, session_id: sessionId, expires_at: BigInt(expiresAt) }
      const result = await db
        .insertInto('rent_idempotency_key')
        .values({ account_id: accountId, key, ...fresh })
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'key']).doUpdateSet(fresh).where('rent_idempotency_key.expires_at', '<=', BigInt(now)),
        )
        .executeTakeFirst()
      if (Number(result.numInsertedOrUpdatedRows ?? 0) === 1) return 'new'
      const row = await db
        .selectFrom('rent_idempotency_key')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('key', '=', key)
        .executeTakeFirst()
      // Forgotten since: whoever stores it first now is the one.
      if (!row) return this.remember(entry)
      return row.request_hash === requestHash ? { sessionId: row.session_id, expiresAt: Number(row.expires_at) } : 'conflict'
    },
    async forget(accountId, key, sessionId) {
      await db
        .deleteFrom('rent_idempotency_key')
        .where('account_id', '=', accountId)
        .where('key', '=', key)
        .where('session_id', '=', sessionId)
        .execute()
    },
  }
}
