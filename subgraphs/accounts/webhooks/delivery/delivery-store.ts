/** What was sent to webhooks and what waits, as people look at it. */
import type { Database } from '#platform/database/database.js'
import { inSmallSteps, STEP_ROWS } from '#platform/database/small-steps.js'
import { tablesOf } from '#platform/database/tables.js'
import { countOf, onPage, text, wholeNumber, type ListOrder } from '#platform/paging/keyset.js'
import { pageOf, type Page, type PageRequest } from '#platform/paging/page.js'
import { DeliveryState, type WebhookDelivery, type WebhookDeliveryEntity, type WebhookEntity } from '../webhook.js'
import type { Undelivered } from '../webhook-metrics.js'

export interface DeliveryFilter {
  readonly webhookId: string
  readonly state: DeliveryState | null
}

export interface DeliveryStore {
  /** Newest first. */
  page(filter: DeliveryFilter, page: PageRequest): Promise<Page<WebhookDelivery>>
  count(filter: DeliveryFilter): Promise<number>
  /** Puts deliveries that have ended in the queue again: these, or every dead letter when given null. Answers how many. */
  requeue(webhookId: string, ids: readonly string[] | null, nowMs: number): Promise<number>
  /** What is not delivered, of every webhook. */
  undelivered(): Promise<Undelivered>
  /** Forgets what ended before. */
  prune(beforeMs: number): Promise<number>
}

const ORDER: ListOrder = { columns: [wholeNumber('sequence'), text('id')], isDescending: true }

export function createDeliveryStore(database: Database): DeliveryStore {
  const db = tablesOf<typeof WebhookDeliveryEntity | typeof WebhookEntity>(database)
  const deliveries = ({ webhookId, state }: DeliveryFilter) =>
    db
      .selectFrom('webhook_delivery')
      .selectAll()
      .where('webhookId', '=', webhookId)
      .$if(state !== null, (query) => query.where('state', '=', state!))
  return {
    page: async (filter, page) =>
      pageOf(
        await onPage(deliveries(filter), ORDER, page).execute(),
        page,
        ({ sequence, id }) => [sequence, id],
        (delivery) => delivery,
      ),
    count: (filter) => countOf(deliveries(filter)),
    async requeue(webhookId, ids, nowMs) {
      const ended = db
        .selectFrom('webhook_delivery')
        .select('id')
        .where('webhookId', '=', webhookId)
        .where('state', 'in', ids === null ? [DeliveryState.DEAD] : [DeliveryState.DEAD, DeliveryState.DELIVERED])
        .$if(ids !== null, (query) => query.where('id', 'in', [...ids!]))
        .limit(STEP_ROWS)
      return inSmallSteps(async () => {
        const { numUpdatedRows } = await db
          .updateTable('webhook_delivery')
          .set({ state: DeliveryState.PENDING, attempts: 0, queuedAt: nowMs, dueAt: nowMs, endedAt: null })
          .where('id', 'in', ended)
          .executeTakeFirstOrThrow()
        return { numDeletedRows: numUpdatedRows }
      })
    },
    async undelivered() {
      const rows = await db
        .selectFrom('webhook_delivery')
        .select(({ fn }) => [
          'state',
          fn.countAll<number | string>().as('messages'),
          fn.min<number | string | null>('queuedAt').as('oldestAt'),
        ])
        // By webhook, as the index is: those that were delivered are many.
        .where('webhookId', 'in', db.selectFrom('webhook').select('id'))
        .where('state', 'in', [DeliveryState.PENDING, DeliveryState.DEAD])
        .groupBy('state')
        .execute()
      const of = (state: DeliveryState) => rows.find((row) => row.state === state)
      const [pending, dead] = [of(DeliveryState.PENDING), of(DeliveryState.DEAD)]
      const oldestAt = pending?.oldestAt ?? null
      return {
        pending: Number(pending?.messages ?? 0),
        dead: Number(dead?.messages ?? 0),
        oldestAt: oldestAt === null ? null : Number(oldestAt),
      }
    },
    prune(beforeMs) {
      const old = db.selectFrom('webhook_delivery').select('id').where('endedAt', '<', beforeMs).limit(STEP_ROWS)
      return inSmallSteps(() => db.deleteFrom('webhook_delivery').where('id', 'in', old).executeTakeFirstOrThrow())
    },
  }
}
