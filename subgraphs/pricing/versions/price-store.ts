/** Price versions in the database. */
import type { SelectQueryBuilder } from 'kysely'
import type { Database } from '#platform/database/database.js'
import { newId } from '#platform/ids.js'
import { onPage, text, wholeNumber, type ListOrder } from '#platform/paging/keyset.js'
import { pageOf, type Page, type PageRequest } from '#platform/paging/page.js'
import type { PricePoint } from '../ports.js'
import type { ProposedVersion } from './price-decision.js'
import { PriceVersion } from './price-version.js'

const KEY = ['id', 'price_id', 'number', 'valid_from'] as const
const ORDER: ListOrder = { columns: [wholeNumber('valid_from'), wholeNumber('number'), text('price_id')], isDescending: true }

type Tables = {
  price_version: {
    id: string
    price_id: string
    number: number
    model_id: string
    provider_id: string
    state: PriceVersion['state']
    valid_from: bigint
  }
}

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

export function createPriceStore(database: Database): PriceStore {
  const tables = database.kysely.withTables<Tables>()
  return {
    live: (priceIds) =>
      database.fork().find(PriceVersion, {
        state: { $in: ['current', 'pending'] },
        ...(priceIds && { priceId: { $in: [...priceIds] } }),
      }),
    insert: (changes, nowMs) => insert(database, changes, nowMs),
    async dismiss(id) {
      await database.fork().nativeUpdate(PriceVersion, { id }, { state: 'dismissed' })
    },
    async history(filter, page) {
      const rows = await onPage(ofModel(tables.selectFrom('price_version').select(KEY), filter), ORDER, page).execute()
      const found = await database.fork().find(PriceVersion, { id: { $in: rows.map(({ id }) => id) } })
      const byId = new Map(found.map((version) => [version.id, version]))
      // Versions are never deleted.
      return pageOf(
        rows,
        page,
        (row) => [row.valid_from, row.number, row.price_id],
        ({ id }) => byId.get(id)!,
      )
    },
    async countHistory(filter) {
      const all = ofModel(tables.selectFrom('price_version'), filter)
      const { count } = await all.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()
      return Number(count)
    },
    async versions(ids) {
      const rows = await database.fork().find(PriceVersion, { id: { $in: [...ids] } })
      return new Map(rows.map((row) => [row.id, row]))
    },
  }
}

function ofModel<O>(
  query: SelectQueryBuilder<Tables, 'price_version', O>,
  { modelId, providerId, from, withPending }: HistoryFilter,
): SelectQueryBuilder<Tables, 'price_version', O> {
  const states = withPending ? (['current', 'past', 'pending', 'dismissed'] as const) : (['current', 'past'] as const)
  let narrowed = query.where('model_id', '=', modelId).where('state', 'in', [...states])
  if (providerId !== undefined) narrowed = narrowed.where('provider_id', '=', providerId)
  return from === undefined ? narrowed : narrowed.where('valid_from', '>=', BigInt(from))
}

async function insert(database: Database, changes: readonly PriceChangeRequest[], nowMs: number): Promise<PriceVersion[]> {
  return database.fork().transactional(async (em) => {
    const priceIds = changes.map(({ point }) => point.priceId)
    const newest = new Map<string, number>()
    const stored = await em.find(PriceVersion, { priceId: { $in: priceIds } }, { fields: ['priceId', 'number'] })
    for (const { priceId, number } of stored) newest.set(priceId, Math.max(number, newest.get(priceId) ?? 0))
    const inForce = changes.filter(({ proposal }) => !proposal.isPending).map(({ point }) => point.priceId)
    await em.nativeUpdate(PriceVersion, { priceId: { $in: inForce }, state: 'current' }, { state: 'past' })
    await em.nativeUpdate(PriceVersion, { priceId: { $in: priceIds }, state: 'pending' }, { state: 'dismissed' })
    em.clear()
    const versions = changes.map(({ point, proposal }) =>
      em.create(PriceVersion, {
        id: newId('price', nowMs),
        priceId: point.priceId,
        number: (newest.get(point.priceId) ?? 0) + 1,
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
      }),
    )
    await em.persist(versions).flush()
    return versions
  })
}
