/**
 * Pricing: what every deployment costs, since when, and who said so; how that compares with others; how deployments do.
 *
 * Owns price versions and the stored health of deployments. Prices in force are kept in memory for the hot path; every change
 * is a new row, so that a charge that names its version can be worked out again.
 *
 * Who decides: an administrator's price stays until it is cleared. Between the configuration (or the shipped catalogue) and a
 * feed the newer statement wins. What a feed proposes for an unpriced deployment, or further than its factor from the price in
 * force, waits as pending. On start the configuration is compared with the newest versions and only differences are written.
 *
 * Invariants: a deployment without a confirmed price has no row and is never routable; unpriced never sorts before priced; a
 * feed never makes anything free; the sale price is the list price with the operator's markup, rounded up to a whole nano-USD;
 * callers without the administrator's scope never see costs.
 */
import 'reflect-metadata'
import type { Clock } from '#platform/clock.js'
import type { Database } from '#platform/database/database.js'
import type { EventBus } from '#platform/events/events.js'
import { createNoticeMarks } from '#platform/events/notice-marks.js'
import type { Outbox } from '#platform/events/outbox.js'
import type { Logger } from '#platform/log.js'
import type { Subgraph } from '#platform/subgraph.js'
import { type CompetitorConfig, loadCompetitors } from './benchmark/competitors.js'
import { createFeedSchedule } from './feeds/feed-schedule.js'
import { DeploymentStub, ModelStub, ProviderStub } from './entity-stubs.js'
import { HealthEntity } from './health/health-row.js'
import { createHealthStore } from './health/health-store.js'
import { createProviderNotices } from './health/provider-notices.js'
import type { CatalogSource, HealthTracker } from './ports.js'
import { createPriceBook, type PriceBook } from './versions/price-book.js'
import { PriceChangeType } from './versions/price-change-type.js'
import { priceChangeSource } from './versions/price-change-source.js'
import { DeploymentPriceResolver, ModelPricesResolver } from './list/price-joins.js'
import { createPriceList, type PriceList } from './list/price-list.js'
import { PriceMutationResolver } from './versions/price-mutations.js'
import { PriceResolver } from './list/price-resolver.js'
import { priceChangeLoader } from './versions/price-changes.js'
import { PriceVersionEntity } from './versions/price-version.js'
import type { FeedConfig } from './pricing-config.js'

export { FeedConfig, pricingConfig } from './pricing-config.js'
export { CompetitorConfig } from './benchmark/competitors.js'
export type { PriceBook } from './versions/price-book.js'
export { PRICE_CHANGED } from './versions/price-writer.js'
export type { CatalogSource, DeploymentHealth, HealthTracker } from './ports.js'

/** For the list of the database's entities. */
export const pricingEntities = [PriceVersionEntity, HealthEntity]

export interface PricingOptions {
  readonly feeds: readonly FeedConfig[]
  readonly competitors: readonly CompetitorConfig[]
  readonly includeShippedCompetitors: boolean
  /** How often the health of deployments is written and what other processes wrote is read. */
  readonly healthIntervalMs: number
}

export interface PricingDependencies {
  readonly options: PricingOptions
  readonly database: Database
  readonly outbox: Outbox
  readonly clock: Clock
  readonly events: EventBus
  readonly log: Logger
  readonly catalog: CatalogSource
  readonly health: HealthTracker
}

export interface PricingSubgraph extends Subgraph {
  /** Also the catalogue's source of prices. */
  readonly book: PriceBook
  readonly list: PriceList
  /** Reads every configured price list once, now. */
  readFeeds(): Promise<void>
  start(): Promise<void>
  startWork(): Promise<void>
  stop(): Promise<void>
}

/** Call `start` before anything is served: until then nothing has a price. */
export function createPricingSubgraph(dependencies: PricingDependencies): PricingSubgraph {
  const { options, database, clock, log, catalog, health } = dependencies
  const book = createPriceBook(dependencies)
  const list = createPriceList(book, catalog, health, loadCompetitors(options.competitors, options.includeShippedCompetitors))
  const feeds = createFeedSchedule({ feeds: options.feeds, book, catalog, clock, log })
  const store = createHealthStore(database, health, clock)
  const tellProviders = createProviderNotices(createNoticeMarks(dependencies), catalog, health)
  const ends: (() => void)[] = []
  let isStopped = false

  const exchangeHealth = async () => {
    await tellProviders().catch((error: unknown) => log.warn({ err: error }, 'the state of providers was not told'))
    await store.exchange().catch((error: unknown) => log.warn({ err: error }, 'the health of deployments was not stored'))
  }
  const refresh = async () => {
    await exchangeHealth()
    // On SQLite nobody else writes prices.
    if (database.dialect === 'sqlite') return
    await book.load().catch((error: unknown) => log.warn({ err: error }, 'prices were not read again'))
  }
  const schedule = () => {
    ends[0] = clock.setTimeout(() => {
      void refresh().then(() => {
        if (!isStopped) schedule()
      })
    }, options.healthIntervalMs)
  }
  return {
    name: 'pricing',
    book,
    list,
    readFeeds: () => feeds.runAll(),
    resolvers: [
      new PriceResolver(list, book, catalog, feeds),
      new PriceMutationResolver(list, book, catalog),
      new ModelPricesResolver(list),
      new DeploymentPriceResolver(list),
    ],
    orphanedTypes: [PriceChangeType, ModelStub, DeploymentStub, ProviderStub],
    sources: { priceChanged: priceChangeSource(book, catalog) },
    entities: {
      Model: { kind: 'contributor' },
      Deployment: { kind: 'contributor' },
      Provider: { kind: 'pointer' },
      PriceChange: { kind: 'owner', load: priceChangeLoader(book, catalog) },
    },
    async start() {
      await book.load()
      await book.syncDeclared()
      await store.load()
      schedule()
      ends.push(
        catalog.onChange(() => {
          book.syncDeclared().catch((error: unknown) => log.error({ err: error }, 'declared prices were not stored'))
        }),
      )
    },
    async startWork() {
      await store.prune()
      feeds.start()
    },
    async stop() {
      isStopped = true
      for (const end of ends) end()
      await feeds.stop()
      await exchangeHealth()
      book.close()
    },
  }
}
