/** The tables beside the sessions: bars, circuits, own experience of markets, single tasks and idempotency keys. */
import { sql } from 'kysely'
import type { Database } from '#platform/database/database.js'
import { tablesOf } from '#platform/database/tables.js'
import type {
  ComputeInstallEntity,
  ComputeTaskEntity,
  OfferBarEntity,
  ProviderCircuitEntity,
  RentKeyEntity,
} from './market-entities.js'
import type { GpuSessionEntity } from './session.js'
import type { SessionStore } from './session-store.js'

type Tables =
  | typeof GpuSessionEntity
  | typeof OfferBarEntity
  | typeof ProviderCircuitEntity
  | typeof ComputeInstallEntity
  | typeof ComputeTaskEntity
  | typeof RentKeyEntity

/** As the dialects have it. */
type Sum = bigint | number | string

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
  const db = tablesOf<Tables>(database)
  return {
    async bar(offerKey, untilMs) {
      await db
        .insertInto('gpu_offer_bar')
        .values({ offerKey, untilMs })
        .onConflict((conflict) => conflict.column('offerKey').doUpdateSet({ untilMs }))
        .execute()
    },
    async barredAt(now) {
      const rows = await db.selectFrom('gpu_offer_bar').select('offerKey').where('untilMs', '>', now).execute()
      return new Set(rows.map((row) => row.offerKey))
    },
    async experience(sinceMs) {
      const rows = await db
        .selectFrom('gpu_session')
        .select(['driverId', 'providerId', 'region', 'gpuModel'])
        .select([
          sql<Sum | null>`sum(alive_ms)`.as('running_ms'),
          sql<Sum>`sum(case when termination_reason = 'interrupted' then 1 else 0 end)`.as('interruptions'),
        ])
        .where('spot', '=', true)
        .where('runningAt', '>', sinceMs)
        .groupBy(['driverId', 'providerId', 'region', 'gpuModel'])
        .execute()
      return new Map(
        rows.map((row) => [
          [row.driverId, row.providerId, row.region, row.gpuModel, 'spot'].join('/'),
          { runningDays: Number(row.running_ms ?? 0) / DAY_MS, interruptions: Number(row.interruptions) },
        ]),
      )
    },
    async startDurations({ driverId, gpuModel, modelId }, limit) {
      const rows = await db
        .selectFrom('gpu_session')
        .select(['createdAt', 'runningAt'])
        .where('driverId', '=', driverId)
        .where('gpuModel', '=', gpuModel)
        .where('modelId', '=', modelId)
        .where('runningAt', 'is not', null)
        .orderBy('runningAt', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => (row.runningAt! - row.createdAt) / 1000)
    },
    async openCircuit(driverId, untilMs) {
      await db
        .insertInto('gpu_provider_circuit')
        .values({ driverId, untilMs })
        .onConflict((conflict) => conflict.column('driverId').doUpdateSet({ untilMs }))
        .execute()
    },
    async circuitsOpenAt(now) {
      const rows = await db.selectFrom('gpu_provider_circuit').selectAll().where('untilMs', '>', now).execute()
      return new Map(rows.map((row) => [row.driverId, row.untilMs]))
    },
    async takeTask(name, token, now, untilMs) {
      const result = await db
        .insertInto('compute_task')
        .values({ name, token, untilMs })
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet({ token, untilMs }).where('compute_task.untilMs', '<=', now),
        )
        .executeTakeFirst()
      return Number(result.numInsertedOrUpdatedRows ?? 0) === 1
    },
    async installId(candidate) {
      await db
        .insertInto('compute_install')
        .values({ slot: 'this', installId: candidate })
        .onConflict((conflict) => conflict.column('slot').doNothing())
        .execute()
      return (await db.selectFrom('compute_install').select('installId').executeTakeFirstOrThrow()).installId
    },
    ...createRentKeys(database),
    async prune(now) {
      await db.deleteFrom('gpu_offer_bar').where('untilMs', '<=', now).execute()
      await db.deleteFrom('gpu_provider_circuit').where('untilMs', '<=', now).execute()
      await db.deleteFrom('rent_idempotency_key').where('expiresAt', '<=', now).execute()
    },
  }
}

function createRentKeys(database: Database): Pick<SessionStore, 'remember' | 'forget'> {
  const db = tablesOf<Tables>(database)
  return {
    async remember(entry) {
      const { accountId, key, requestHash, sessionId, now, expiresAt } = entry
      const fresh = { requestHash, sessionId, expiresAt }
      const result = await db
        .insertInto('rent_idempotency_key')
        .values({ accountId, key, ...fresh })
        .onConflict((conflict) =>
          conflict.columns(['accountId', 'key']).doUpdateSet(fresh).where('rent_idempotency_key.expiresAt', '<=', now),
        )
        .executeTakeFirst()
      if (Number(result.numInsertedOrUpdatedRows ?? 0) === 1) return 'new'
      const row = await db
        .selectFrom('rent_idempotency_key')
        .selectAll()
        .where('accountId', '=', accountId)
        .where('key', '=', key)
        .executeTakeFirst()
      // Forgotten since: whoever stores it first now is the one.
      if (!row) return this.remember(entry)
      return row.requestHash === requestHash ? { sessionId: row.sessionId, expiresAt: row.expiresAt } : 'conflict'
    },
    async forget(accountId, key, sessionId) {
      await db
        .deleteFrom('rent_idempotency_key')
        .where('accountId', '=', accountId)
        .where('key', '=', key)
        .where('sessionId', '=', sessionId)
        .execute()
    },
  }
}
