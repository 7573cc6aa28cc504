/**
 * The composition root: builds the subgraphs over one database and hands each its ports. Every process of an installation
 * builds all of them, so money never crosses a network call of ours; modes differ in what they serve and in which background
 * work they do.
 */
import 'reflect-metadata'
import { resolve } from 'node:path'
import { openDatabase, type Database } from '#platform/database/database.js'
import type { DatabaseLimits } from '#platform/database/database-limits.js'
import { parseDatabaseUrl } from '#platform/database/database-url.js'
import { assertMigrated, migrate } from '#platform/database/migrations.js'
import { oneAtATime } from '#platform/database/one-at-a-time.js'
import { createOutageWatch } from '#platform/database/outage-watch.js'
import { type FileOwner, ownSqliteFile } from '#platform/database/sqlite/sqlite-owner.js'
import { systemClock, type Clock } from '#platform/clock.js'
import { createInProcessEvents, type EventBus } from '#platform/events/events.js'
import type { Logger } from '#platform/log.js'
import type { Metrics } from '#platform/metrics.js'
import { createOutbox, OutboxEventEntity } from '#platform/events/outbox.js'
import { createPostgresEvents } from '#platform/events/postgres-events.js'
import type { Subgraph } from '#platform/subgraph.js'
import {
  accountsEntities,
  announced,
  creditNews,
  openLedger,
  type Accounts,
  type Keys,
  type Ledger,
} from '../../subgraphs/accounts/index.js'
import { liveProviderCount, type SandboxProvider } from '../../subgraphs/catalog/index.js'
import { complianceEntities, type ComplianceSubgraph } from '../../subgraphs/compliance/index.js'
import { computeEntities, createDrivers, DriverConfig, type GpuDriver } from '../../subgraphs/compute/index.js'
import { sandboxServerPath, startSandbox, type Sandbox } from '../../subgraphs/inference/index.js'
import { pricingEntities } from '../../subgraphs/pricing/index.js'
import { chargeCounter } from './ports.js'
import { buildSubgraphs, catalogOptions } from './subgraphs.js'
import type { Config } from '../config/config.js'
import { startHousekeeping } from './housekeeping.js'
import { createReadiness, type Readiness } from './readiness.js'
import type { SubgraphName } from './subgraph-names.js'

/**
 * The subgraphs whose background work this process does: those that it answers for. Several processes may do the work of one;
 * what only one may do at a time is decided in the database.
 */
export type BackgroundWork = ReadonlySet<SubgraphName>

/** Every table of the program; migrations are written from these. */
export const entities = [...accountsEntities, ...pricingEntities, ...computeEntities, ...complianceEntities, OutboxEventEntity]

export interface AppOptions {
  readonly log: Logger
  readonly metrics: Metrics
  readonly work: BackgroundWork
  readonly clock?: Clock
}

export interface App {
  readonly subgraphs: readonly Subgraph[]
  readonly accounts: Accounts
  readonly keys: Keys
  readonly ledger: Ledger
  /** What the tools for assistants need besides the graph: the languages, and the progress of a request's batch. */
  readonly scans: Pick<ComplianceSubgraph, 'languages' | 'filenameFor' | 'onProgress'>
  /** What a chat request goes through when its body is too large for the event loop. */
  readonly largeChats: ReturnType<typeof buildSubgraphs>['largeChats']
  /** What the processes of an installation tell each other. */
  readonly events: Pick<EventBus, 'publish' | 'listen'>
  /** Runs what only one process of the installation may do at a time. */
  oneAtATime<Result>(work: () => Promise<Result>): Promise<Result>
  /** Tells the app where it is reached, once its server listens. */
  servedAt(url: string): void
  /** Whether the embedded sandbox answers chat requests. */
  readonly isSandboxed: boolean
  /** Whether requests can be served and their charges written, in less than a second. */
  readiness(): Promise<Readiness>
  start(): Promise<void>
  /** The server takes no more requests and is about to stop. */
  drain(): void
  stop(): Promise<void>
}

/** Connects, migrates or refuses, and builds everything; nothing runs in the background before `start`. */
export async function createApp(config: Config, options: AppOptions): Promise<App> {
  const { log, metrics, work, clock = systemClock } = options
  const opened: (() => Promise<void> | void)[] = []
  const closeAll = async () => {
    const giveUpAt = performance.now() + CLOSE_MS
    for (const close of opened.splice(0).toReversed()) await within(Math.max(LEAST_MS, giveUpAt - performance.now()), close())
  }
  try {
    const owner = claimFile(config, clock, log)
    if (owner) opened.push(() => owner.release())
    const database = await openDatabase({
      url: config.database.url,
      entities,
      maxConnections: config.database.max_connections,
      limits: databaseLimits(config),
      watch: createOutageWatch({ part: 'database', clock, log, metrics }),
    })
    opened.push(() => database.close())
    await oneAtATime(database, () => prepareTables(database, config))
    const events = await openEvents(database, databaseLimits(config), clock, log)
    opened.push(() => events.close())
    const tellChange = creditNews(events, clock)
    const countCharge = chargeCounter(metrics)
    const opening = openLedger({
      url: config.database.url,
      clock,
      limits: ledgerLimits(config),
      connectionLimits: databaseLimits(config),
      watch: createOutageWatch({ part: 'ledger', clock, log, metrics }),
      onLateCharge(charge) {
        countCharge(charge)
        tellChange(charge.accountId)
      },
      onLostOutcome: (holdId, error) =>
        log.error({ err: error, holdId }, 'a settlement was given up: the sweep will charge what was metered'),
    })
    const ledger = announced(await opening, tellChange)
    opened.push(() => ledger.close())
    metrics.watchUnsettledOutcomes(() => ledger.unsettledOutcomes())
    const sandbox = await openSandbox(config, work, clock, log)
    if (sandbox?.process) opened.push(() => sandbox.process!.stop())
    const address = { url: config.server.public_url ?? `http://${config.server.host}:${config.server.port}` }
    const outbox = createOutbox({ dialect: database.dialect, kysely: database.kysely, events, clock })
    const parts = buildSubgraphs(config, {
      database,
      events,
      outbox,
      ledger,
      clock,
      log,
      metrics,
      sandbox: sandbox?.provider ?? null,
      drivers: openDrivers(config, clock, sandbox !== null),
      serverUrl: () => address.url,
    })
    return {
      ...parts,
      ledger,
      events,
      oneAtATime: (work) => oneAtATime(database, work),
      servedAt(url) {
        address.url = url
      },
      isSandboxed: sandbox !== null,
      readiness: createReadiness({ database, ledger, accounts: parts.accounts }),
      async start() {
        for (const subgraph of parts.subgraphs) {
          if (subgraph.stop) opened.push(() => subgraph.stop!())
          await subgraph.start?.()
        }
        owner?.touch()
        for (const subgraph of parts.subgraphs) if (work.has(subgraph.name as SubgraphName)) await subgraph.startWork?.()
        if (work.has('accounts'))
          opened.push(startHousekeeping({ ledger, outbox, clock, log, metrics, keepDays: config.ledger.keep_days }))
      },
      drain() {
        for (const subgraph of parts.subgraphs) subgraph.drain?.()
      },
      stop: closeAll,
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

const ledgerLimits = ({ ledger }: Config) => ({
  retryMs: ledger.retry_seconds * 1000,
  waiting: ledger.waiting_operations,
  unsettled: ledger.unsettled_outcomes,
  closeMs: ledger.close_seconds * 1000,
})

/** How long an end may take after the last request. What still waits then waits for a database that stands still. */
const CLOSE_MS = 4_000
/** Each part's share, however long the others took. */
const LEAST_MS = 250

/** Waits for `closed`, but no longer than `ms`. */
async function within(ms: number, closed: Promise<void> | void): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([closed, new Promise((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
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

const databaseLimits = ({ database }: Config): DatabaseLimits => ({
  connectMs: database.connect_seconds * 1000,
  statementMs: database.statement_seconds * 1000,
  lockMs: database.lock_seconds * 1000,
  idleTransactionMs: database.idle_transaction_seconds * 1000,
})

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

interface OpenedSandbox {
  readonly provider: SandboxProvider
  /** Null where another process of the installation runs it. */
  readonly process: Sandbox | null
}

const SANDBOX_PROVIDER_ID = 'sandbox'

async function openSandbox(config: Config, work: BackgroundWork, clock: Clock, log: Logger): Promise<OpenedSandbox | null> {
  const isWanted = config.sandbox === 'auto' ? liveProviderCount(catalogOptions(config)) === 0 : config.sandbox
  if (!isWanted) return null
  if (!work.has('inference')) {
    return { provider: { providerId: SANDBOX_PROVIDER_ID, baseUrl: 'http://127.0.0.1:9/v1', apiKey: null }, process: null }
  }
  const sandbox = await startSandbox({
    providerId: SANDBOX_PROVIDER_ID,
    models: [],
    tokensPerSecond: config.sandbox_tokens_per_second,
    clock,
    onExit: (exit) => log.warn(exit, 'the sandbox provider ended and is started again'),
  })
  const { baseUrl, apiKey } = sandbox.provider
  return { provider: { providerId: SANDBOX_PROVIDER_ID, baseUrl, apiKey }, process: sandbox }
}

/** The GPU drivers that the configuration names; the sandbox's while the sandbox answers and nothing is named. */
function openDrivers(config: Config, clock: Clock, isSandboxed: boolean): GpuDriver[] {
  const configs = config.compute.drivers ?? (isSandboxed ? [DriverConfig.parse({ type: 'sandbox' })] : [])
  return createDrivers(configs, {
    clock,
    stateFolder: resolve(config.workingDirectory, 'data', 'instances'),
    variables: config.environment,
    sandboxServerPath: sandboxServerPath(),
  })
}
