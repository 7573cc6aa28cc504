/** How much of stored responses an account may hold: above it the oldest give way. */
import { LRUCache } from 'lru-cache'
import type { Database } from '#platform/database/database.js'
import { tablesOf } from '#platform/database/tables.js'
import type { StoredResponseEntity } from './stored-response.js'

/** An account may be above its limit by this part of it before that is seen, in each process. */
const LOOKS = 100
const MOST_ACCOUNTS = 10_000
const IDS_A_STATEMENT = 500

/** @returns what is called after something was stored, with its size in characters. */
export function createRoom(database: Database, accountSize: number): (accountId: string, added: number) => Promise<void> {
  const db = tablesOf<typeof StoredResponseEntity>(database)
  /** What was stored since all of an account was last looked at, which is not done for every response. */
  const unlooked = new LRUCache<string, number>({ max: MOST_ACCOUNTS })

  return async (accountId, added) => {
    const since = unlooked.get(accountId)
    if (since !== undefined && since + added < accountSize / LOOKS) return void unlooked.set(accountId, since + added)
    unlooked.set(accountId, 0)
    const kept = db.selectFrom('stored_response').select(['id', 'size']).where('accountId', '=', accountId)
    const newestFirst = await kept.orderBy('createdAt', 'desc').orderBy('id', 'desc').execute()
    let left = accountSize
    const excess = newestFirst.filter(({ size }) => (left -= size) < 0).map(({ id }) => id)
    for (let at = 0; at < excess.length; at += IDS_A_STATEMENT) {
      const ids = excess.slice(at, at + IDS_A_STATEMENT)
      await db.deleteFrom('stored_response').where('id', 'in', ids).execute()
    }
  }
}
