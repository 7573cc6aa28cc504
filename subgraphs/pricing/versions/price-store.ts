/** Price versions in the database. */
import type { SelectQueryBuilder } from 'kysely'
import type { Database } from '#platform/database/database.js'
import { tablesOf, type TablesOf } from '#platform/database/tables.js'
import type { Outbox } from '#platform/events/outbox.js'
import { newId } from '#platform/ids.js'
import { countOf, onPage, text, wholeNumber, type ListOrder } from '#platform/paging/keyset.js'
import { pageOf, type Page, type PageRequest } from '#platform/paging/page.js'
import type { PricePoint } from '../ports.js'
import type { ProposedVersion } from './price-decision.js'
import { priceNotice } from './price-notice.js'
import { PriceVersionEntity, type PriceVersion } from './price-version.js'

const ORDER: ListOrder = { columns: [wholeNumber('validFrom'), wholeNumber('number'), text('priceId')], isDescending: true }

type Query = SelectQueryBuilder<TablesOf<typeof PriceVersionEntity>, 'price_version', PriceVersion>

export interface PriceChangeRequest {
  readonly point: PricePoint
  readonly proposal: ProposedVersion
}

export interface HistoryFilter {
  readonly modelId: string
  readonly providerId?: string
  /** Epoch milliseconds. */
  readonly from?: number
  readonly withPending: boolean
}

export type PriceOutbox = Pick<Outbox, 'append' | 'published'>

/** Databases limit the parameters of one statement. */
const NOTICES_AT_ONCE = 1_000

export interface PriceStore {
  /** Current and pending versions; of every price id when given null. */
  live(priceIds: readonly string[] | null): Promise<PriceVersion[]>
  /**
   * Inserts versions and retires those that they replace, all or nothing.
   *
   * @throws UniqueConstraintViolationException when another process wrote the same number first.
   */
  insert(changes: readonly PriceChangeRequest[], nowMs: number): Promise<PriceVersion[]>
  dismiss(id: string): Promise<void>
  /** Newest first. */
  history(filter: HistoryFilter, page: PageRequest): Promise<Page<PriceVersion>>
  countHistory(filter: HistoryFilter): Promise<number>
  versions(ids: readonly string[]): Promise<ReadonlyMap<string, PriceVersion>>
}

export function createPriceStore(database: Database, outbox: PriceOutbox): PriceStore {
  const db = tablesOf<typeof PriceVersionEntity>(database)
  const versions = () => db.selectFrom('price_version').selectAll()
  return {
    live: (priceIds) =>
      versions()
        .where('state', 'in', ['current', 'pending'])
        .$if(priceIds !== null, (query) => query.where('priceId', 'in', [...priceIds!]))
        .execute(),
    insert: (changes, nowMs) => insert(database, outbox, changes, nowMs),
    async dismiss(id) {
      await db.updateTable('price_version').set({ state: 'dismissed' }).where('id', '=', id).execute()
    },
    history: async (filter, page) =>
      pageOf(
        await onPage(ofModel(versions(), filter), ORDER, page).execute(),
        page,
        ({ validFrom, number, priceId }) => [validFrom, number, priceId],
        (version) => version,
      ),
    countHistory: (filter) => countOf(ofModel(versions(), filter)),
    async versions(ids) {
      if (ids.length === 0) return new Map()
      const rows = await versions()
        .where('id', 'in', [...ids])
        .execute()
      return new Map(rows.map((row) => [row.id, row]))
    },
  }
}

function ofModel(query: Query, { modelId, providerId, from, withPending }: HistoryFilter): Query {
  const states = withPending ? (['current', 'past', 'pending', 'dismissed'] as const) : (['current', 'past'] as const)
  let narrowed = query.where('modelId', '=', modelId).where('state', 'in', [...states])
  if (providerId !== undefined) narrowed = narrowed.where('providerId', '=', providerId)
  return from === undefined ? narrowed : narrowed.where('validFrom', '>=', from)
}

/** Through the ORM, which knows a unique number that is taken from other failures. Operators are told in the same transaction. */
async function insert(
  database: Database,
  outbox: PriceOutbox,
  changes: readonly PriceChangeRequest[],
  nowMs: number,
): Promise<PriceVersion[]> {
  const written = await database.fork().transactional(async (em) => {
    const priceIds = changes.map(({ point }) => point.priceId)
    const newest = new Map<string, number>()
    const stored = await em.find(PriceVersionEntity, { priceId: { $in: priceIds } }, { fields: ['priceId', 'number'] })
    for (const { priceId, number } of stored) newest.set(priceId, Math.max(number, newest.get(priceId) ?? 0))
    const inForce = changes.filter(({ proposal }) => !proposal.isPending).map(({ point }) => point.priceId)
    await em.nativeUpdate(PriceVersionEntity, { priceId: { $in: inForce }, state: 'current' }, { state: 'past' })
    await em.nativeUpdate(PriceVersionEntity, { priceId: { $in: priceIds }, state: 'pending' }, { state: 'dismissed' })
    em.clear()
    const versions = changes.map((change) => newVersion(change, (newest.get(change.point.priceId) ?? 0) + 1, nowMs))
    for (const version of versions) em.create(PriceVersionEntity, version, { persist: true })
    await em.flush()
    const notices = versions.flatMap((version) => priceNotice(version) ?? [])
    for (let at = 0; at < notices.length; at += NOTICES_AT_ONCE) {
      await outbox.append(em.getKysely(), notices.slice(at, at + NOTICES_AT_ONCE))
    }
    return { versions, notices }
  })
  outbox.published(written.notices)
  return written.versions
}

const newVersion = ({ point, proposal }: PriceChangeRequest, number: number, nowMs: number): PriceVersion => ({
  id: newId('price', nowMs),
  priceId: point.priceId,
  number,
  modelId: point.modelId,
  providerId: point.providerId,
  state: proposal.isPending ? 'pending' : 'current',
  origin: proposal.origin,
  input: proposal.rates?.input ?? null,
  output: proposal.rates?.output ?? null,
  cachedInput: proposal.rates?.cachedInput ?? null,
  costInput: proposal.cost?.input ?? null,
  costOutput: proposal.cost?.output ?? null,
  costCachedInput: proposal.cost?.cachedInput ?? null,
  declared: proposal.declared,
  source: proposal.source,
  reason: proposal.reason,
  validFrom: nowMs,
})
