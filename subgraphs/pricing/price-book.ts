/**
 * The prices in force, in memory for the hot path and as versions in the database.
 *
 * Writes go one after another through `exclusive`; the unique number per price id settles a race between processes: who comes
 * second reads the winner's version and decides again.
 */
import { UniqueConstraintViolationException } from '@mikro-orm/core'
import type { Clock } from '#platform/clock.js'
import type { Database } from '#platform/database/database.js'
import { AppError } from '#platform/errors.js'
import type { EventBus } from '#platform/events.js'
import { newId } from '#platform/ids.js'
import type { TokenPrice } from '#platform/money.js'
import type { CatalogSource, ListPrice, PricePoint } from './ports.js'
import { configuredVersion, decideDeclared, decideListed, type ProposedVersion } from './price-decision.js'
import { PriceVersion } from './price-version.js'
import { costOf, declaredText, ratesOf } from './sale-price.js'

/** Carries `priceId`, `modelId` and `versionId`: read the price again. */
export const PRICE_CHANGED = 'price.changed'

export interface CurrentPrice {
  readonly versionId: string
  readonly tokenPrice: TokenPrice
  readonly costPrice: TokenPrice | null
  readonly version: PriceVersion
}

interface AdministratorPrice {
  readonly rates: TokenPrice
  /** null keeps what is known. */
  readonly cost: TokenPrice | null
  readonly keyId: string
}

interface HistoryFilter {
  readonly modelId: string
  readonly providerId?: string
  /** Epoch milliseconds. */
  readonly since?: number
  readonly withPending: boolean
}

export interface PriceBook {
  /** From memory; null is unpriced. */
  priceOf(priceId: string): CurrentPrice | null
  /** The version in force, which may say that the price was withdrawn. */
  versionOf(priceId: string): PriceVersion | null
  /** A feed's proposal that waits for an administrator. */
  pendingOf(priceId: string): PriceVersion | null
  /** Changes with every price in force. */
  revision(): number
  /** Reads the stored versions: before anything is served, and now and then because events from other processes can be lost. */
  load(): Promise<void>
  /** Writes versions for what the configuration changed; answers how many. */
  syncDeclared(): Promise<number>
  /** Applies a feed's list prices by price id. */
  applyListed(feed: { name: string; jumpFactor: number }, listed: ReadonlyMap<string, ListPrice>): Promise<AppliedFeed>
  /** Throws AppError 404 for a price id that is not in the catalogue. */
  setPrice(priceId: string, price: AdministratorPrice): Promise<PriceVersion>
  /** Gives the price back to configuration and feeds; null when it had no administrator's price. */
  clearPrice(priceId: string, keyId: string): Promise<PriceVersion | null>
  /** Ends a proposal; accepted it becomes the price in force. null when nothing waits. */
  resolvePending(priceId: string, isAccepted: boolean, keyId: string): Promise<PriceVersion | null>
  /** Newest first, at most 1000. */
  history(filter: HistoryFilter): Promise<PriceVersion[]>
  /** By version id, for working out charges again. */
  versions(ids: readonly string[]): Promise<ReadonlyMap<string, PriceVersion>>
  /** Calls back with the version that came into force; the result ends it. */
  onChange(listener: (version: PriceVersion) => void): () => void
  close(): void
}

interface AppliedFeed {
  readonly changed: number
  readonly pending: number
}

interface Entry {
  current: PriceVersion | null
  pending: PriceVersion | null
  price: CurrentPrice | null
}

interface Change {
  readonly point: PricePoint
  readonly proposal: ProposedVersion
}

export interface PriceBookDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly events: EventBus
  readonly catalog: CatalogSource
}

const HISTORY_ROWS = 1000
/** How often a decision is made anew after another process wrote the same version number. */
const CONFLICT_RETRIES = 5

export function createPriceBook({ database, clock, events, catalog }: PriceBookDependencies): PriceBook {
  const entries = new Map<string, Entry>()
  const listeners = new Set<(version: PriceVersion) => void>()
  let revision = 0
  let tail: Promise<unknown> = Promise.resolve()

  const exclusive = <T>(work: () => Promise<T>): Promise<T> => {
    const next = tail.then(work, work)
    tail = next.catch(() => undefined)
    return next
  }
  const entryOf = (priceId: string): Entry => {
    let entry = entries.get(priceId)
    if (!entry) entries.set(priceId, (entry = { current: null, pending: null, price: null }))
    return entry
  }
  const remember = (version: PriceVersion) => {
    const entry = entryOf(version.priceId)
    if (version.state === 'pending') entry.pending = version
    if (version.state !== 'current') return
    entry.current = version
    const tokenPrice = ratesOf(version)
    entry.price = tokenPrice && { versionId: version.id, tokenPrice, costPrice: costOf(version), version }
    revision++
  }
  const reload = async (priceIds: readonly string[] | null) => {
    const where = { state: { $in: ['current' as const, 'pending' as const] } }
    const rows = await database.fork().find(PriceVersion, priceIds ? { ...where, priceId: { $in: [...priceIds] } } : where)
    const hasPending = new Set(rows.filter(({ state }) => state === 'pending').map(({ priceId }) => priceId))
    for (const priceId of priceIds ?? entries.keys()) if (!hasPending.has(priceId)) entryOf(priceId).pending = null
    const fresh = rows.filter((row) => row.state === 'pending' || entries.get(row.priceId)?.current?.id !== row.id)
    for (const row of fresh) remember(row)
    return fresh.filter(({ state }) => state === 'current')
  }
  const notify = (versions: readonly PriceVersion[]) => {
    for (const version of versions) for (const listener of listeners) listener(version)
  }
  const stopListening = events.listen(PRICE_CHANGED, ({ priceId, versionId }) => {
    const id = String(priceId)
    if (entries.get(id)?.current?.id === versionId) return
    // A failed reading is made up for by the next `load`.
    exclusive(async () => notify(await reload([id]))).catch(() => undefined)
  })

  /** Writes in one transaction; `decide` is asked again when another process was faster. */
  const write = async (decide: () => readonly Change[]): Promise<PriceVersion[]> => {
    for (let attempt = 0; ; attempt++) {
      const changes = decide()
      if (changes.length === 0) return []
      try {
        const written = await store(database, changes, clock.now())
        for (const version of written) {
          const entry = entryOf(version.priceId)
          if (version.state === 'current') entry.pending = null
          remember(version)
        }
        const inForce = written.filter(({ state }) => state === 'current')
        notify(inForce)
        for (const { id, priceId, modelId } of inForce) events.publish(PRICE_CHANGED, { priceId, modelId, versionId: id })
        return written
      } catch (error) {
        if (!(error instanceof UniqueConstraintViolationException) || attempt >= CONFLICT_RETRIES) throw error
        await reload(changes.map(({ point }) => point.priceId))
      }
    }
  }
  const pointOf = (priceId: string): PricePoint => {
    const point = catalog.pricePoints().find((candidate) => candidate.priceId === priceId)
    if (!point) throw new AppError('not_found', `There is no deployment "${priceId}".`, { param: 'deploymentId' })
    return point
  }

  return {
    priceOf: (priceId) => entries.get(priceId)?.price ?? null,
    versionOf: (priceId) => entries.get(priceId)?.current ?? null,
    pendingOf: (priceId) => entries.get(priceId)?.pending ?? null,
    revision: () => revision,
    load: () => exclusive(async () => notify(await reload(null))),
    syncDeclared: () =>
      exclusive(async () => {
        const written = await write(() =>
          catalog.pricePoints().flatMap((point) => {
            const proposal = decideDeclared(entries.get(point.priceId)?.current ?? null, point)
            return proposal ? [{ point, proposal }] : []
          }),
        )
        return written.length
      }),
    applyListed: (feed, listed) =>
      exclusive(async () => {
        const written = await write(() => listedChanges(entries, catalog.pricePoints(), feed, listed))
        const pending = written.filter(({ state }) => state === 'pending').length
        return { changed: written.length - pending, pending }
      }),
    setPrice: (priceId, price) =>
      exclusive(async () => {
        const point = pointOf(priceId)
        const [version] = await write(() => [{ point, proposal: administratorVersion(point, price, entries.get(priceId)) }])
        return version!
      }),
    clearPrice: (priceId, keyId) =>
      exclusive(async () => {
        const point = pointOf(priceId)
        const written = await write(() =>
          entries.get(priceId)?.current?.origin === 'administrator'
            ? [{ point, proposal: { ...configuredVersion(point), source: keyId } }]
            : [],
        )
        return written[0] ?? null
      }),
    resolvePending: (priceId, isAccepted, keyId) =>
      exclusive(async () => {
        const point = pointOf(priceId)
        const waiting = entries.get(priceId)?.pending
        if (!waiting) return null
        if (!isAccepted) {
          await database.fork().nativeUpdate(PriceVersion, { id: waiting.id }, { state: 'dismissed' })
          entryOf(priceId).pending = null
          return waiting
        }
        const written = await write(() => {
          const pending = entries.get(priceId)?.pending
          return pending ? [{ point, proposal: acceptedVersion(point, pending, keyId) }] : []
        })
        return written[0] ?? null
      }),
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
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      stopListening()
      listeners.clear()
    },
  }
}

function listedChanges(
  entries: ReadonlyMap<string, Entry>,
  points: readonly PricePoint[],
  feed: { name: string; jumpFactor: number },
  listed: ReadonlyMap<string, ListPrice>,
): Change[] {
  return points.flatMap((point) => {
    const list = listed.get(point.priceId)
    const entry = entries.get(point.priceId)
    const proposal = list ? decideListed(entry?.current ?? null, point, list, feed) : null
    if (!proposal) return []
    const waiting = entry?.pending
    const isKnown = proposal.isPending && waiting && sameCost(waiting, proposal)
    return isKnown ? [] : [{ point, proposal }]
  })
}

const sameCost = (version: PriceVersion, proposal: ProposedVersion): boolean =>
  version.costInput === proposal.cost?.input &&
  version.costOutput === proposal.cost?.output &&
  (version.costCachedInput ?? null) === proposal.cost?.cachedInput

function administratorVersion(point: PricePoint, price: AdministratorPrice, entry: Entry | undefined): ProposedVersion {
  const known = (entry?.current && costOf(entry.current)) ?? point.listPrice
  return {
    origin: 'administrator',
    isPending: false,
    rates: price.rates,
    cost: price.cost ?? known,
    declared: declaredText(point),
    source: price.keyId,
    reason: null,
  }
}

const acceptedVersion = (point: PricePoint, pending: PriceVersion, keyId: string): ProposedVersion => ({
  origin: pending.origin,
  isPending: false,
  rates: ratesOf(pending),
  cost: costOf(pending),
  declared: declaredText(point),
  source: pending.source ?? null,
  reason: `accepted by ${keyId}`,
})

/** Inserts the versions and retires those that they replace, all or nothing. */
async function store(database: Database, changes: readonly Change[], now: number): Promise<PriceVersion[]> {
  return database.fork().transactional(async (em) => {
    const priceIds = changes.map(({ point }) => point.priceId)
    const newest = new Map<string, number>()
    const stored = await em.find(PriceVersion, { priceId: { $in: priceIds } }, { fields: ['priceId', 'number'] })
    for (const { priceId, number } of stored) newest.set(priceId, Math.max(number, newest.get(priceId) ?? 0))
    const inForce = changes.filter(({ proposal }) => !proposal.isPending).map(({ point }) => point.priceId)
    await em.nativeUpdate(PriceVersion, { priceId: { $in: inForce }, state: 'current' }, { state: 'past' })
    await em.nativeUpdate(PriceVersion, { priceId: { $in: priceIds }, state: 'pending' }, { state: 'dismissed' })
    em.clear()
    const versions = changes.map((change) =>
      em.create(PriceVersion, {
        id: newId('price', now),
        priceId: change.point.priceId,
        number: (newest.get(change.point.priceId) ?? 0) + 1,
        modelId: change.point.modelId,
        providerId: change.point.providerId,
        state: change.proposal.isPending ? 'pending' : 'current',
        origin: change.proposal.origin,
        input: change.proposal.rates?.input ?? null,
        output: change.proposal.rates?.output ?? null,
        cachedInput: change.proposal.rates?.cachedInput ?? null,
        costInput: change.proposal.cost?.input ?? null,
        costOutput: change.proposal.cost?.output ?? null,
        costCachedInput: change.proposal.cost?.cachedInput ?? null,
        declared: change.proposal.declared,
        source: change.proposal.source,
        reason: change.proposal.reason,
        validFrom: now,
      }),
    )
    await em.persist(versions).flush()
    return versions
  })
}
