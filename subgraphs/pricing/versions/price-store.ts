/** Price versions in the database. */
import type { Database } from '#platform/database/database.js'
import { newId } from '#platform/ids.js'
import type { PricePoint } from '../ports.js'
import type { ProposedVersion } from './price-decision.js'
import { PriceVersion } from './price-version.js'

const HISTORY_ROWS = 1000

export interface PriceChangeRequest {
  readonly point: PricePoint
  readonly proposal: ProposedVersion
}

export interface HistoryFilter {
  readonly modelId: string
  readonly providerId?: string
  /** Epoch milliseconds. */
  readonly since?: number
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
  /** Newest first, at most 1000. */
  history(filter: HistoryFilter): Promise<PriceVersion[]>
  versions(ids: readonly string[]): Promise<ReadonlyMap<string, PriceVersion>>
}

export function createPriceStore(database: Database): PriceStore {
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
    history: ({ modelId, providerId, since, withPending }) =>
      database.fork().find(
        PriceVersion,
        {
          modelId,
          ...(providerId === undefined ? {} : { providerId }),
          ...(since === undefined ? {} : { validFrom: { $gte: since } }),
          state: { $in: withPending ? ['current', 'past', 'pending', 'dismissed'] : ['current', 'past'] },
        },
        { orderBy: { validFrom: 'desc', number: 'desc', priceId: 'asc' }, limit: HISTORY_ROWS },
      ),
    async versions(ids) {
      const rows = await database.fork().find(PriceVersion, { id: { $in: [...ids] } })
      return new Map(rows.map((row) => [row.id, row]))
    },
  }
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
