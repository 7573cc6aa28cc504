/** Webhooks in the database. */
import type { Database } from '#platform/database/database.js'
import { inSmallSteps, STEP_ROWS } from '#platform/database/small-steps.js'
import { tablesOf } from '#platform/database/tables.js'
import { countOf, onPage, text, wholeNumber, type ListOrder } from '#platform/paging/keyset.js'
import { pageOf, type Page, type PageRequest } from '#platform/paging/page.js'
import { DeliveryState, type Webhook, type WebhookDeliveryEntity, type WebhookEntity, type WebhookOff } from './webhook.js'

export interface SecretChange {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly untilMs: number
}

export interface WebhookStore {
  insert(webhook: Webhook): Promise<void>
  find(id: string): Promise<Webhook | null>
  /** Those that are sent something. */
  active(): Promise<Webhook[]>
  /** Oldest first. */
  page(page: PageRequest): Promise<Page<Webhook>>
  count(): Promise<number>
  /** With all that was sent to it. */
  remove(id: string): Promise<void>
  /** What waits for it becomes dead letters. False when it was off or is not there. */
  turnOff(id: string, because: WebhookOff, nowMs: number): Promise<boolean>
  turnOn(id: string, afterSequence: number): Promise<void>
  /** Puts a secret in the place of the one that it has, which goes on signing until then; false when another came first. */
  changeSecret(change: SecretChange): Promise<boolean>
}

const ORDER: ListOrder = { columns: [wholeNumber('createdAt'), text('id')], isDescending: false }

export function createWebhookStore(database: Database): WebhookStore {
  const db = tablesOf<typeof WebhookEntity | typeof WebhookDeliveryEntity>(database)
  const webhooks = () => db.selectFrom('webhook').selectAll()
  return {
    async insert(webhook) {
      await db.insertInto('webhook').values(webhook).execute()
    },
    find: async (id) => (await webhooks().where('id', '=', id).executeTakeFirst()) ?? null,
    active: () => webhooks().where('offSince', 'is', null).orderBy('id').execute(),
    page: async (page) =>
      pageOf(
        await onPage(webhooks(), ORDER, page).execute(),
        page,
        ({ createdAt, id }) => [createdAt, id],
        (webhook) => webhook,
      ),
    count: () => countOf(webhooks()),
    async remove(id) {
      await db.deleteFrom('webhook').where('id', '=', id).execute()
      const its = db.selectFrom('webhook_delivery').select('id').where('webhookId', '=', id).limit(STEP_ROWS)
      await inSmallSteps(() => db.deleteFrom('webhook_delivery').where('id', 'in', its).executeTakeFirstOrThrow())
    },
    turnOff: (id, because, nowMs) =>
      db.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('webhook')
          .set({ offSince: nowMs, offBecause: because })
          .where('id', '=', id)
          .where('offSince', 'is', null)
          .executeTakeFirstOrThrow()
        await tx
          .updateTable('webhook_delivery')
          .set({ state: DeliveryState.DEAD, endedAt: nowMs, leaseToken: null, leaseUntil: 0 })
          .where('webhookId', '=', id)
          .where('state', '=', DeliveryState.PENDING)
          .execute()
        return numUpdatedRows > 0n
      }),
    async turnOn(id, afterSequence) {
      await db
        .updateTable('webhook')
        .set({ offSince: null, offBecause: null, afterSequence })
        .where('id', '=', id)
        .where('offSince', 'is not', null)
        .execute()
    },
    async changeSecret({ id, from, to, untilMs }) {
      const { numUpdatedRows } = await db
        .updateTable('webhook')
        .set({ secret: to, earlierSecret: from, earlierSecretUntil: untilMs })
        .where('id', '=', id)
        .where('secret', '=', from)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },
  }
}
