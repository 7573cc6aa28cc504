/** Sessions as they are read. */
import type { SelectQueryBuilder } from 'kysely'
import type { Database } from '#platform/database/database.js'
import { tablesOf, type TablesOf } from '#platform/database/tables.js'
import { countOf, onPage, text, wholeNumber, type ListOrder } from '#platform/paging/keyset.js'
import { pageOf } from '#platform/paging/page.js'
import { sessionHourlyPrice, type GpuSession, type GpuSessionEntity, type SessionStatus } from '../sessions/session.js'
import type { SessionStore } from './session-store.js'

/** How many recently closed sessions one audit compares with the ledger. */
const AUDIT_LIMIT = 1_000

const RENTAL_ORDER: ListOrder = { columns: [wholeNumber('createdAt'), text('id')], isDescending: true }

type Query = SelectQueryBuilder<TablesOf<typeof GpuSessionEntity>, 'gpu_session', GpuSession>

type SessionReads = Pick<
  SessionStore,
  | 'find'
  | 'findMany'
  | 'rentalsOf'
  | 'countRentals'
  | 'liveForModel'
  | 'liveWithModel'
  | 'terminatedSince'
  | 'byLabelKeys'
  | 'machines'
>

export function createSessionReads(database: Database): SessionReads {
  const db = tablesOf<typeof GpuSessionEntity>(database)
  const sessions = () => db.selectFrom('gpu_session').selectAll()
  return {
    find: async (id) => (await sessions().where('id', '=', id).executeTakeFirst()) ?? null,
    findMany: async (ids) =>
      ids.length === 0
        ? []
        : sessions()
            .where('id', 'in', [...ids])
            .execute(),
    async rentalsOf(accountId, status, page) {
      const rows = await onPage(rentalsOf(sessions(), accountId, status), RENTAL_ORDER, page).execute()
      return pageOf(
        rows,
        page,
        ({ createdAt, id }) => [createdAt, id],
        (session) => session,
      )
    },
    countRentals: (accountId, status) => countOf(rentalsOf(sessions(), accountId, status)),
    liveForModel: async (modelId) => (await liveModel(sessions()).where('modelId', '=', modelId).executeTakeFirst()) ?? null,
    liveWithModel: () =>
      sessions().where('wanted', '=', 'running').where('modelId', 'is not', null).where('holdPhase', '<>', 'reserving').execute(),
    terminatedSince: (sinceMs) =>
      sessions().where('holdPhase', '=', 'closed').where('terminatedAt', '>', sinceMs).limit(AUDIT_LIMIT).execute(),
    async machines() {
      const rows = await db
        .selectFrom('gpu_session')
        .select(['purpose', 'phase', 'driverId', 'pricePerGpuHour', 'gpuCount', ({ fn }) => fn.countAll().as('sessions')])
        .where('phase', '<>', 'terminated')
        .groupBy(['purpose', 'phase', 'driverId', 'pricePerGpuHour', 'gpuCount'])
        .execute()
      return rows.map(({ purpose, phase, driverId, sessions, ...price }) => {
        const count = Number(sessions)
        return { purpose, phase, driverId, count, usdPerHour: (Number(sessionHourlyPrice(price)) / 1e9) * count }
      })
    },
    async byLabelKeys(keys) {
      const found =
        keys.length === 0
          ? []
          : await sessions()
              .where('labelKey', 'in', [...keys])
              .execute()
      return new Map(found.map((session) => [session.labelKey, session]))
    },
  }
}

export const liveModel = (query: Query): Query => query.where('purpose', '=', 'model').where('wanted', '=', 'running')

/** Those that began; a request that came to nothing is none. */
function rentalsOf(query: Query, accountId: string, status: SessionStatus | null): Query {
  const mine = query.where('purpose', '=', 'rental').where('accountId', '=', accountId)
  return withStatus(mine, status).where('terminationReason', 'is distinct from', 'not_started')
}

function withStatus(query: Query, status: SessionStatus | null): Query {
  if (status === null) return query
  if (status === 'terminated') return query.where('wanted', '=', 'terminated')
  return query.where('wanted', '=', 'running').where('phase', status === 'running' ? '=' : '<>', 'running')
}
