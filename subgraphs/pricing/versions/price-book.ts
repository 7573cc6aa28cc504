/** The verbs of prices: what configuration, feeds and administrators may do to them. */
import type { Clock } from '#platform/clock.js'
import type { Database } from '#platform/database/database.js'
import type { Page, PageRequest } from '#platform/paging/page.js'
import { AppError } from '#platform/errors.js'
import type { EventBus } from '#platform/events/events.js'
import type { TokenPrice } from '#platform/money.js'
import type { CatalogSource, ListPrice, PricePoint } from '../ports.js'
import { configuredVersion, decideDeclared, decideListed, type ProposedVersion } from './price-decision.js'
import { createPriceMemory, type CurrentPrice, type PriceMemory } from './price-memory.js'
import { createPriceStore, type HistoryFilter, type PriceChangeRequest, type PriceOutbox } from './price-store.js'
import type { PriceVersion } from './price-version.js'
import { createPriceWriter } from './price-writer.js'
import { costOf, declaredText, ratesOf } from './sale-price.js'

interface AdministratorPrice {
  readonly rates: TokenPrice
  /** null keeps what is known. */
  readonly cost: TokenPrice | null
  readonly keyId: string
}

interface AppliedFeed {
  readonly changed: number
  readonly pending: number
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
  /** Newest first. */
  history(filter: HistoryFilter, page: PageRequest): Promise<Page<PriceVersion>>
  countHistory(filter: HistoryFilter): Promise<number>
  /** By version id, for working out charges again. */
  versions(ids: readonly string[]): Promise<ReadonlyMap<string, PriceVersion>>
  /** Calls back with the version that came into force; the result ends it. */
  onChange(listener: (version: PriceVersion) => void): () => void
  close(): void
}

export interface PriceBookDependencies {
  readonly database: Database
  readonly outbox: PriceOutbox
  readonly clock: Clock
  readonly events: EventBus
  readonly catalog: CatalogSource
}

export function createPriceBook({ database, outbox, clock, events, catalog }: PriceBookDependencies): PriceBook {
  const memory = createPriceMemory()
  const store = createPriceStore(database, outbox)
  const writer = createPriceWriter(store, memory, clock, events)
  const { priceOf, versionOf, pendingOf, revision } = memory
  /** Writes what `propose` makes of the price point as it is when its turn has come; null proposes nothing. */
  const writeOne = async (priceId: string, propose: (point: PricePoint) => ProposedVersion | null) => {
    const point = pointOf(catalog, priceId)
    const written = await writer.write(() => {
      const proposal = propose(point)
      return proposal ? [{ point, proposal }] : []
    })
    return written[0] ?? null
  }
  return {
    priceOf,
    versionOf,
    pendingOf,
    revision,
    load: () => writer.refresh(null),
    async syncDeclared() {
      const written = await writer.write(() =>
        catalog.pricePoints().flatMap((point) => {
          const proposal = decideDeclared(versionOf(point.priceId), point)
          return proposal ? [{ point, proposal }] : []
        }),
      )
      return written.length
    },
    async applyListed(feed, listed) {
      const written = await writer.write(() => listedChanges(memory, catalog.pricePoints(), feed, listed))
      const pending = written.filter(({ state }) => state === 'pending').length
      return { changed: written.length - pending, pending }
    },
    async setPrice(priceId, price) {
      const version = await writeOne(priceId, (point) => administratorVersion(point, price, versionOf(priceId)))
      return version!
    },
    clearPrice: (priceId, keyId) =>
      writeOne(priceId, (point) =>
        versionOf(priceId)?.origin === 'administrator' ? { ...configuredVersion(point), source: keyId } : null,
      ),
    async resolvePending(priceId, isAccepted, keyId) {
      if (isAccepted) {
        return writeOne(priceId, (point) => {
          const pending = pendingOf(priceId)
          return pending && acceptedVersion(point, pending, keyId)
        })
      }
      return writer.alone(async () => {
        const pending = pendingOf(priceId)
        if (pending) await store.dismiss(pending.id)
        memory.dropPending(priceId)
        return pending
      })
    },
    history: store.history,
    countHistory: store.countHistory,
    versions: store.versions,
    onChange: writer.onChange,
    close: writer.close,
  }
}

function pointOf(catalog: CatalogSource, priceId: string): PricePoint {
  const point = catalog.pricePoints().find((candidate) => candidate.priceId === priceId)
  if (!point) throw new AppError('not_found', `There is no deployment "${priceId}".`, { param: 'deploymentId' })
  return point
}

function listedChanges(
  memory: PriceMemory,
  points: readonly PricePoint[],
  feed: { name: string; jumpFactor: number },
  listed: ReadonlyMap<string, ListPrice>,
): PriceChangeRequest[] {
  return points.flatMap((point) => {
    const list = listed.get(point.priceId)
    const proposal = list ? decideListed(memory.versionOf(point.priceId), point, list, feed) : null
    if (!proposal) return []
    const waiting = memory.pendingOf(point.priceId)
    const isKnown = proposal.isPending && waiting && sameCost(waiting, proposal)
    return isKnown ? [] : [{ point, proposal }]
  })
}

const sameCost = (version: PriceVersion, proposal: ProposedVersion): boolean =>
  version.costInput === proposal.cost?.input &&
  version.costOutput === proposal.cost?.output &&
  version.costCachedInput === proposal.cost?.cachedInput

function administratorVersion(point: PricePoint, price: AdministratorPrice, current: PriceVersion | null): ProposedVersion {
  return {
    origin: 'administrator',
    isPending: false,
    rates: price.rates,
    cost: price.cost ?? (current && costOf(current)) ?? point.listPrice,
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
  source: pending.source,
  reason: `accepted by ${keyId}`,
})
