/** Deliveries in the database: made once from the outbox, leased by whoever sends them, ended once. */
import { type Kysely, sql } from 'kysely'
import type { Database } from '#platform/database/database.js'
import { tablesOf, type TablesOf } from '#platform/database/tables.js'
import { DeliveryState, type WebhookDelivery, type WebhookDeliveryEntity, type WebhookReaderEntity } from '../webhook.js'

type DeliveryEnd = Pick<WebhookDelivery, 'state' | 'attempts' | 'dueAt' | 'attemptedAt' | 'answered' | 'failure' | 'endedAt'>

export interface DeliveryQueue {
  /** The last notice of the outbox that was made into deliveries. */
  readUpTo(): Promise<number>
  /** Stores deliveries of the notices from one number up to another; false when somebody else has read on from there. */
  advance(from: number, to: number, deliveries: readonly WebhookDelivery[]): Promise<boolean>
  /** By webhook, when the next of its deliveries is due whose turn it is. */
  nextDue(): Promise<ReadonlyMap<string, number>>
  /** Leases up to `limit` deliveries of a webhook that are due; of each subject none but the first that has not ended. */
  claim(webhookId: string, token: string, nowMs: number, limit: number): Promise<WebhookDelivery[]>
  /** Writes what came of an attempt and gives the lease back; false when it was lost. */
  finish(id: string, token: string, end: DeliveryEnd): Promise<boolean>
  /** Gives the lease back as if nothing had been tried. */
  giveBack(id: string, token: string): Promise<void>
  /** For the start of the only process of a database: whatever lease is left is of a process that died. */
  breakLeases(): Promise<void>
}

/** Longer than any attempt may take. */
const LEASE_MS = 120_000
/** What lies further ahead was written before the wall clock was set back: it is due now. */
export const LONGEST_WAIT_MS = 12 * 3_600_000

const READER = 'notices'
const ROWS_AN_INSERT = 500

const IS_FIRST = sql<boolean>`not exists (
  select 1 from webhook_delivery earlier
  where earlier.webhook_id = webhook_delivery.webhook_id and earlier.subject = webhook_delivery.subject
    and earlier.state = 'pending' and earlier.sequence < webhook_delivery.sequence)`

type Tables = TablesOf<typeof WebhookDeliveryEntity | typeof WebhookReaderEntity>

export const createDeliveryQueue = (database: Database): DeliveryQueue => {
  const db = tablesOf<typeof WebhookDeliveryEntity | typeof WebhookReaderEntity>(database)
  return { ...reading(db), ...sending(db, database.dialect === 'postgres') }
}

function reading(db: Kysely<Tables>): Pick<DeliveryQueue, 'readUpTo' | 'advance'> {
  return {
    async readUpTo() {
      const reader = () => db.selectFrom('webhook_reader').select('sequence').where('id', '=', READER)
      const found = await reader().executeTakeFirst()
      if (found) return found.sequence
      await db
        .insertInto('webhook_reader')
        .values({ id: READER, sequence: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return (await reader().executeTakeFirstOrThrow()).sequence
    },
    advance: (from, to, added) =>
      db.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('webhook_reader')
          .set({ sequence: to })
          .where('id', '=', READER)
          .where('sequence', '=', from)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) return false
        for (let at = 0; at < added.length; at += ROWS_AN_INSERT) {
          await tx
            .insertInto('webhook_delivery')
            .values(added.slice(at, at + ROWS_AN_INSERT))
            .onConflict((conflict) => conflict.columns(['webhookId', 'sequence']).doNothing())
            .execute()
        }
        return true
      }),
  }
}

function sending(db: Kysely<Tables>, isPostgres: boolean): Omit<DeliveryQueue, 'readUpTo' | 'advance'> {
  return {
    async nextDue() {
      const soonest = sql<bigint | number | string>`min(case when due_at > lease_until then due_at else lease_until end)`
      const rows = await db
        .selectFrom('webhook_delivery')
        .select(['webhookId', soonest.as('due')])
        .where('state', '=', DeliveryState.PENDING)
        .where(IS_FIRST)
        .groupBy('webhookId')
        .execute()
      return new Map(rows.map(({ webhookId, due }) => [webhookId, Number(due)]))
    },
    async claim(webhookId, token, nowMs, limit) {
      const due = db
        .selectFrom('webhook_delivery')
        .select('id')
        .where('webhookId', '=', webhookId)
        .where('state', '=', DeliveryState.PENDING)
        .where(({ eb, or }) => or([eb('dueAt', '<=', nowMs), eb('dueAt', '>', nowMs + LONGEST_WAIT_MS)]))
        .where(({ eb, or }) => or([eb('leaseUntil', '<=', nowMs), eb('leaseUntil', '>', nowMs + LONGEST_WAIT_MS)]))
        .where(IS_FIRST)
        .orderBy('sequence')
        .limit(limit)
      return db
        .updateTable('webhook_delivery')
        .set({ leaseToken: token, leaseUntil: nowMs + LEASE_MS })
        .where('id', 'in', isPostgres ? due.forUpdate().skipLocked() : due)
        .returningAll()
        .execute()
    },
    async finish(id, token, end) {
      const { numUpdatedRows } = await db
        .updateTable('webhook_delivery')
        .set({ ...end, leaseToken: null, leaseUntil: 0 })
        .where('id', '=', id)
        .where('leaseToken', '=', token)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },
    async giveBack(id, token) {
      await db
        .updateTable('webhook_delivery')
        .set({ leaseToken: null, leaseUntil: 0 })
        .where('id', '=', id)
        .where('leaseToken', '=', token)
        .execute()
    },
    async breakLeases() {
      await db.updateTable('webhook_delivery').set({ leaseToken: null, leaseUntil: 0 }).where('leaseUntil', '>', 0).execute()
    },
  }
}
