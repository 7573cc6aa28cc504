/** Idempotency keys of rent requests: which session the first request with a key was to start. */
import type { Database } from '#platform/database/database.js'
import { tablesOf } from '#platform/database/tables.js'
import type { RentKeyEntity } from './market-entities.js'
import type { SessionStore } from './session-store.js'

export function createRentKeys(database: Database): Pick<SessionStore, 'remember' | 'forget'> {
  const db = tablesOf<typeof RentKeyEntity>(database)
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
