/** The tables beside the sessions: bars, circuits, single tasks and the name of the installation. */
import type { Database } from '#platform/database/database.js'
import { tablesOf } from '#platform/database/tables.js'
import type {
  ComputeInstallEntity,
  ComputeTaskEntity,
  OfferBarEntity,
  ProviderCircuitEntity,
  RentKeyEntity,
} from './market-entities.js'
import type { SessionStore } from './session-store.js'

type Tables =
  | typeof OfferBarEntity
  | typeof ProviderCircuitEntity
  | typeof ComputeInstallEntity
  | typeof ComputeTaskEntity
  | typeof RentKeyEntity

type MarketTables = Pick<SessionStore, 'bar' | 'barredAt' | 'openCircuit' | 'circuitsOpenAt' | 'takeTask' | 'installId' | 'prune'>

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
    async prune(now) {
      await db.deleteFrom('gpu_offer_bar').where('untilMs', '<=', now).execute()
      await db.deleteFrom('gpu_provider_circuit').where('untilMs', '<=', now).execute()
      await db.deleteFrom('rent_idempotency_key').where('expiresAt', '<=', now).execute()
    },
  }
}
