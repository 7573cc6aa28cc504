/**
 * Reads the configured price lists at start and then on their schedule. Off unless the configuration names feeds.
 *
 * A list that cannot be read, or in which no row fits, changes nothing; what happened is kept in its status and logged.
 */
import type { Clock } from '#platform/clock.js'
import type { Logger } from '#platform/log.js'
import type { CatalogSource } from '../ports.js'
import type { PriceBook } from '../versions/price-book.js'
import type { FeedConfig } from '../pricing-config.js'
import { fetchDocument } from './fetch-document.js'
import { BrokenFeed } from './listed-price.js'
import { matchFeed, parseFeed } from './matched-feed.js'

const SHOWN_REFUSALS = 20

interface FeedStatus {
  readonly name: string
  readonly intervalSeconds: number
  /** Epoch milliseconds. */
  readonly lastRunAt: number | null
  readonly lastSuccessAt: number | null
  readonly problem: string | null
  readonly matched: number
  readonly changed: number
  readonly pending: number
  readonly refused: readonly string[]
}

export interface FeedSchedule {
  statuses(): readonly FeedStatus[]
  /** Begins the schedule; the first readings run in the background. */
  start(): void
  /** Reads every list once, now. */
  runAll(): Promise<void>
  stop(): Promise<void>
}

export interface FeedDependencies {
  readonly feeds: readonly FeedConfig[]
  readonly book: PriceBook
  readonly catalog: CatalogSource
  readonly clock: Clock
  readonly log: Logger
}

export function createFeedSchedule({ feeds, book, catalog, clock, log }: FeedDependencies): FeedSchedule {
  const stopping = new AbortController()
  const statuses = new Map<string, FeedStatus>(feeds.map((feed) => [feed.name, initialStatus(feed)]))
  const running = new Map<string, Promise<void>>()
  const timers = new Map<string, () => void>()

  const read = async (feed: FeedConfig): Promise<void> => {
    const before = statuses.get(feed.name)!
    const lastRunAt = clock.now()
    try {
      const deployments = catalog.deployments()
      const limits = { maxBytes: feed.answer_bytes, timeoutMs: feed.answer_seconds * 1000 }
      const document = await fetchDocument(feed.url, limits, stopping.signal)
      const matched = matchFeed(feed, parseFeed(feed, document, deployments), deployments)
      if (matched.prices.size === 0) throw new BrokenFeed('No row of the list fits a deployment.')
      const applied = await book.applyListed({ name: feed.name, jumpFactor: feed.jump_factor }, matched.prices)
      catalog.applyListedCapabilities(feed.name, matched.capabilities)
      const counts = { matched: matched.prices.size, ...applied, refused: matched.refused.slice(0, SHOWN_REFUSALS) }
      statuses.set(feed.name, { ...before, ...counts, lastRunAt, lastSuccessAt: clock.now(), problem: null })
      log.info({ feed: feed.name, ...applied, matched: counts.matched, refused: matched.refused.length }, 'price list read')
    } catch (error) {
      if (stopping.signal.aborted) return
      const problem = error instanceof BrokenFeed ? error.message : 'Applying the list failed.'
      statuses.set(feed.name, { ...before, lastRunAt, problem })
      log.warn({ feed: feed.name, problem, err: error }, 'price list not used')
    }
  }
  const run = (feed: FeedConfig): Promise<void> => {
    const present = running.get(feed.name)
    if (present) return present
    const work = read(feed).finally(() => running.delete(feed.name))
    running.set(feed.name, work)
    return work
  }
  const schedule = (feed: FeedConfig, delayMs: number) => {
    timers.set(
      feed.name,
      clock.setTimeout(() => {
        void run(feed).finally(() => {
          if (!stopping.signal.aborted) schedule(feed, feed.interval_seconds * 1000)
        })
      }, delayMs),
    )
  }
  return {
    statuses: () => [...statuses.values()],
    start: () => feeds.forEach((feed) => schedule(feed, 0)),
    async runAll() {
      await Promise.all(feeds.map(run))
    },
    async stop() {
      stopping.abort()
      for (const cancel of timers.values()) cancel()
      await Promise.all(running.values())
    },
  }
}

const initialStatus = (feed: FeedConfig): FeedStatus => ({
  name: feed.name,
  intervalSeconds: feed.interval_seconds,
  lastRunAt: null,
  lastSuccessAt: null,
  problem: null,
  matched: 0,
  changed: 0,
  pending: 0,
  refused: [],
})
