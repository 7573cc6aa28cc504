/** What the processes of an installation have taken of a key's rates in a minute: a row for each rate, and never one a request. */
import { defineEntity, p } from '@mikro-orm/core'
import { sql } from 'kysely'
import { time } from '#platform/database/columns.js'
import type { Database } from '#platform/database/database.js'
import { tablesOf } from '#platform/database/tables.js'
import type { Lease } from './rate-window.js'

export const KeyRateEntity = defineEntity({
  name: 'KeyRate',
  tableName: 'key_rate',
  properties: {
    /** `requests` or `tokens`, and the group of keys. */
    id: p.string().length(60).primary(),
    /** Since the epoch. */
    minute: time(),
    taken: time(),
  },
})

/** Null where one process writes: it counts by itself. */
export function leaseFrom(database: Database): Lease | null {
  if (database.dialect === 'sqlite') return null
  const db = tablesOf<typeof KeyRateEntity>(database)
  return async (id, minute, amount) => {
    const { taken } = await db
      .insertInto('key_rate')
      .values({ id, minute, taken: amount })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({
          // A server whose clock is behind takes of the minute that has begun elsewhere.
          minute: sql`greatest(key_rate.minute, excluded.minute)`,
          taken: sql`case when key_rate.minute < excluded.minute then excluded.taken else key_rate.taken + excluded.taken end`,
        }),
      )
      .returning('taken')
      .executeTakeFirstOrThrow()
    return taken
  }
}
