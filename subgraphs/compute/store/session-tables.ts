/**
 * The session store on tables. Every change of a session raises its version; writes name the version they are based on, so
 * two writers never overwrite each other unseen, with or without a lease.
 */
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '#platform/database/database.js'
import { tablesOf, type TablesOf } from '#platform/database/tables.js'
import type { Outbox } from '#platform/events/outbox.js'
import type { GpuSession, GpuSessionEntity, SessionPatch } from '../sessions/session.js'
import { createMarketTables } from './market-tables.js'
import { createOwnExperience } from './own-experience.js'
import { createRentKeys } from './rent-keys.js'
import { insertSession } from './session-insert.js'
import { createSessionLeases } from './session-leases.js'
import { createSessionReads } from './session-reads.js'
import type { SaveResult, SessionEvent, SessionStore } from './session-store.js'

type Tables = TablesOf<typeof GpuSessionEntity>

export function createSessionTables(database: Database, outbox: Outbox): SessionStore {
  const db = tablesOf<typeof GpuSessionEntity>(database)
  const isPostgres = database.dialect === 'postgres'

  /** Runs `write` and stores the events in one transaction; followers hear of them after the commit. */
  async function commit<T>(
    events: readonly SessionEvent[],
    write: (tx: Transaction<Tables>) => Promise<T | false>,
  ): Promise<T | false> {
    const result = await db.transaction().execute(async (tx) => {
      const written = await write(tx)
      if (written !== false) await outbox.append(tx, events)
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
    ...createSessionReads(database),
    ...createSessionLeases(database),
    ...createOwnExperience(database),
    ...createMarketTables(database),
    ...createRentKeys(database),
    insert: (session, guard, events) => insertSession({ session, guard, events, commit, isPostgres }),
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
  }
}
