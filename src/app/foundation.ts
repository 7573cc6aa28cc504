/** What every subgraph of one process stands on: the database with its tables, events between processes, and the ledger. */
import { resolve } from 'node:path'
import type { Clock } from '#platform/clock.js'
import { openDatabase, type Database } from '#platform/database/database.js'
import type { DatabaseLimits } from '#platform/database/database-limits.js'
import { parseDatabaseUrl } from '#platform/database/database-url.js'
import { assertMigrated, migrate } from '#platform/database/migrations.js'
import { oneAtATime } from '#platform/database/one-at-a-time.js'
import { createOutageWatch } from '#platform/database/outage-watch.js'
import { type FileOwner, ownSqliteFile } from '#platform/database/sqlite/sqlite-owner.js'
import { createInProcessEvents, type EventBus } from '#platform/events/events.js'
import { createOutbox, type Outbox } from '#platform/events/outbox.js'
import { createPostgresEvents } from '#platform/events/postgres-events.js'
import type { Logger } from '#platform/log.js'
import type { Metrics } from '#platform/metrics.js'
import { formatUsd } from '#platform/money.js'
import { announced, creditNews, leaseNews, openLedger, type Ledger } from '../../subgraphs/accounts/index.js'
import type { Config } from '../config/config.js'
import type { Closing } from './closing.js'
import { entities } from './entities.js'
import { databaseLimits, ledgerLimits } from './limits.js'
import { lateChargeCounter } from './ports/chat-ledger.js'

export interface Foundation {
  readonly database: Database
  readonly events: EventBus
  readonly outbox: Outbox
  readonly ledger: Ledger
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  /** The mark of this process on its SQLite file; null on PostgreSQL. */
  readonly fileOwner: FileOwner | null
}

type Tools = Pick<Foundation, 'clock' | 'log' | 'metrics'>

/** Connects, and migrates or refuses. What it has opened is added to `closing`, also when a later step fails. */
export async function openFoundation(config: Config, tools: Tools, closing: Closing): Promise<Foundation> {
  const { clock, log, metrics } = tools
  const fileOwner = claimFile(config, clock, log)
  if (fileOwner) closing.add(() => fileOwner.release())
  const database = await openDatabase({
    url: config.database.url,
    entities,
    maxConnections: config.database.max_connections,
    limits: databaseLimits(config),
    watch: createOutageWatch({ part: 'database', clock, log, metrics }),
  })
  closing.add(() => database.close())
  await oneAtATime(database, () => prepareTables(database, config))
  const events = await openEvents(database, databaseLimits(config), clock, log)
  closing.add(() => events.close())
  const ledger = await openAnnouncedLedger(config, events, tools)
  closing.add(() => ledger.close())
  metrics.watchLedger({
    unsettled: ledger.unsettledOutcomes,
    waiting: ledger.waitingOperations,
    openHolds: ledger.openHolds,
    pool: database.pool,
  })
  return { ...tools, database, events, outbox: createOutbox({ database, events, clock }), ledger, fileOwner }
}

/** A SQLite file belongs to one process. */
function claimFile({ database }: Config, clock: Clock, log: Logger): FileOwner | null {
  const location = parseDatabaseUrl(database.url)
  if (location.dialect === 'postgres') return null
  const owner = ownSqliteFile(resolve(location.file), clock)
  if (owner.warning !== null) log.warn(owner.warning)
  return owner
}

async function prepareTables(database: Database, { database: { migrate: policy } }: Config): Promise<void> {
  // A SQLite file belongs to one server; on a shared Postgres a person decides when the tables change.
  if (policy === true || (policy === 'auto' && database.dialect === 'sqlite')) await migrate(database)
  else await assertMigrated(database, 'sluice migrate')
}

async function openEvents(database: Database, limits: DatabaseLimits, clock: Clock, log: Logger): Promise<EventBus> {
  if (database.dialect === 'sqlite') return createInProcessEvents()
  return createPostgresEvents({
    connectionString: database.url,
    channel: `sluice_${database.schema ?? 'events'}`,
    limits,
    clock,
    onError: (error) => log.warn({ err: error }, 'events from other processes are interrupted'),
  })
}

/** The ledger, which tells subscribers of every change, and counts charges that became durable late. */
async function openAnnouncedLedger(config: Config, events: EventBus, { clock, log, metrics }: Tools): Promise<Ledger> {
  const tellChange = creditNews(events, clock)
  const countCharge = lateChargeCounter(metrics)
  const ledger = await openLedger({
    url: config.database.url,
    clock,
    limits: ledgerLimits(config),
    connectionLimits: databaseLimits(config),
    watch: createOutageWatch({ part: 'ledger', clock, log, metrics }),
    onBatch: metrics.batch,
    onLateCharge(charge) {
      tellChange(charge.accountId, charge.holdId)
      countCharge(charge)
    },
    onLostOutcome: (holdId, error) =>
      log.error({ err: error, holdId }, 'a settlement was given up: the sweep will charge what was metered'),
    onLoss(loss) {
      metrics.ledgerLoss(Number(loss.amount) / 1e9)
      log.error({ ...loss, amount: formatUsd(loss.amount) }, 'an answer was delivered and not charged in full')
    },
    ...(config.ledger.leases && { leases: leaseNews(events) }),
  })
  return announced(ledger, tellChange)
}
