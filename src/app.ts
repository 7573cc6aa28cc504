/**
 * The composition root: builds the subgraphs over one database and hands each its ports. Every process of an installation
 * builds all of them, so money never crosses a network call of ours; modes differ in what they serve and in which background
 * work they do.
 */
import 'reflect-metadata'
import { resolve } from 'node:path'
import { openDatabase, type Database } from '#platform/database/database.js'
import { assertMigrated, migrate } from '#platform/database/migrations.js'
import { systemClock, type Clock } from '#platform/clock.js'
import { createInProcessEvents, type EventBus } from '#platform/events.js'
import type { Logger } from '#platform/log.js'
import type { Metrics } from '#platform/metrics.js'
import { createOutbox, OutboxEventEntity } from '#platform/outbox.js'
import { createPostgresEvents } from '#platform/postgres-events.js'
import type { Subgraph } from '#platform/subgraph.js'
import {
  accountsEntities,
  createAccountsSubgraph,
  openLedger,
  type Accounts,
  type Keys,
  type Ledger,
} from '../subgraphs/accounts/index.js'
import { createCatalogSubgraph, liveProviderCount, parseMarkup, type SandboxProvider } from '../subgraphs/catalog/index.js'
import {
  complianceEntities,
  complianceOptions,
  createComplianceSubgraph,
  type ComplianceSubgraph,
} from '../subgraphs/compliance/index.js'
import {
  computeEntities,
  createComputeSubgraph,
  createDrivers,
  DriverConfig,
  shippedRecipes,
  type GpuDriver,
} from '../subgraphs/compute/index.js'
import {
  createInferenceSubgraph,
  sandboxServerPath,
  startSandbox,
  type ChatLimits,
  type Sandbox,
} from '../subgraphs/inference/index.js'
import { createPricingSubgraph, pricingEntities } from '../subgraphs/pricing/index.js'
import {
  accountLimits,
  chatLedger,
  deploymentUse,
  ensureDeployment,
  routesOf,
  scanTiers,
  sessionCatalog,
  sessionLedger,
} from './app-ports.js'
import type { Config } from './config.js'
import { startLedgerKeeper } from './ledger-keeper.js'
import { packageVersion } from './package-root.js'
import type { SubgraphName } from './subgraph-names.js'

/** What this process does besides answering: everything, one subgraph's share, or nothing. */
export type BackgroundWork = 'all' | 'none' | SubgraphName

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
  readonly scans: Pick<ComplianceSubgraph, 'languages' | 'onProgress'>
  /** Tells the app where it is reached, once its server listens. */
  servedAt(url: string): void
  /** Whether the embedded sandbox answers chat requests. */
  readonly isSandboxed: boolean
  isReady(): Promise<boolean>
  start(): Promise<void>
  stop(): Promise<void>
}

/** Connects, migrates or refuses, and builds everything; nothing runs in the background before `start`. */
export async function createApp(config: Config, options: AppOptions): Promise<App> {
  const { log, metrics, work, clock = systemClock } = options
  const opened: (() => Promise<void>)[] = []
  const closeAll = async () => {
    for (const close of opened.splice(0).toReversed()) await close()
  }
  try {
    const database = await openDatabase({ url: config.database.url, entities, maxConnections: config.database.max_connections })
    opened.push(() => database.close())
    await prepareTables(database, config)
    const events = await openEvents(database, clock, log)
    opened.push(() => events.close())
    const ledger = await openLedger({ url: config.database.url, clock })
    opened.push(() => ledger.close())
    const sandbox = await openSandbox(config, work, clock, log)
    if (sandbox?.process) opened.push(() => sandbox.process!.stop())
    const address = { url: config.server.public_url ?? `http://${config.server.host}:${config.server.port}` }
    const parts = buildSubgraphs(config, {
      database,
      events,
      ledger,
      clock,
      log,
      metrics,
      sandbox: sandbox?.provider ?? null,
      drivers: openDrivers(config, clock, sandbox !== null),
      serverUrl: () => address.url,
    })
    const runs = (name: string) => work === 'all' || work === name
    return {
      ...parts,
      ledger,
      servedAt(url) {
        address.url = url
      },
      isSandboxed: sandbox !== null,
      isReady: async () => (await database.orm.isConnected()) && (await parts.accounts.administrator()) !== null,
      async start() {
        for (const subgraph of parts.subgraphs) {
          if (subgraph.stop) opened.push(() => subgraph.stop!())
          await subgraph.start?.()
        }
        if (runs('accounts')) opened.push(startLedgerKeeper({ ledger, clock, log, metrics }))
      },
      stop: closeAll,
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

async function prepareTables(database: Database, { database: { migrate: policy } }: Config): Promise<void> {
  // A SQLite file belongs to one server; on a shared Postgres a person decides when the tables change.
  if (policy === true || (policy === 'auto' && database.dialect === 'sqlite')) await migrate(database)
  else await assertMigrated(database, 'sluice migrate')
}

async function openEvents(database: Database, clock: Clock, log: Logger): Promise<EventBus> {
  if (database.dialect === 'sqlite') return createInProcessEvents()
  return createPostgresEvents({
    connectionString: database.url,
    channel: `sluice_${database.schema ?? 'events'}`,
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
  if (work !== 'all' && work !== 'inference') {
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

const catalogOptions = (config: Config) => ({
  providers: config.providers,
  models: config.models,
  includeShipped: config.catalog.include_shipped,
  presetKeys: config.environment,
})

interface Foundation {
  readonly database: Database
  readonly events: EventBus
  readonly ledger: Ledger
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  readonly sandbox: SandboxProvider | null
  readonly drivers: readonly GpuDriver[]
  readonly serverUrl: () => string
}

function buildSubgraphs(config: Config, foundation: Foundation) {
  const { database, events, ledger, clock, log, metrics, sandbox, drivers } = foundation
  const accounts = createAccountsSubgraph({ database, ledger, clock, events })
  const outbox = createOutbox({ dialect: database.dialect, kysely: database.kysely, events, clock })
  const inference = createInferenceSubgraph({
    ledger: chatLedger(ledger, events, metrics),
    candidates: { resolve: (model, accountId) => catalog.catalog.resolve(model, accountId) },
    ensureDeployment: ensureDeployment(() => compute.deployments, accounts.accounts),
    deploymentUse: deploymentUse(
      () => catalog.catalog,
      () => compute.activity,
    ),
    routesOf: routesOf(accounts.books),
    limits: chatLimits(config),
    clock,
    tokenizers: ['o200k_base'],
    onFault: (error) => log.error({ err: error }, 'a chat completion failed after its caller had left'),
  })
  const catalog = createCatalogSubgraph({
    options: {
      ...catalogOptions(config),
      sandbox,
      recipes: config.compute.include_shipped_recipes ? shippedRecipes() : new Map(),
      canDeploy: drivers.length > 0,
      markup: parseMarkup(config.pricing.markup),
    },
    // The two need each other: the catalogue's prices come from the book, the book's price points from the catalogue.
    prices: {
      revision: () => pricing.book.revision(),
      priceOf: (priceId) => pricing.book.priceOf(priceId),
      onChange: (listener) => pricing.book.onChange(({ modelId }) => listener(modelId)),
    },
    sessions: { stateOf: (modelId, accountId) => compute.live.stateOf(modelId, accountId) },
    health: { statusOf: (id) => inference.health.of(id).status },
  })
  const pricing = createPricingSubgraph({
    options: {
      feeds: config.pricing.feeds,
      competitors: config.benchmark.competitors,
      includeShippedCompetitors: config.benchmark.include_shipped,
      healthIntervalMs: config.pricing.health_interval_seconds * 1000,
    },
    database,
    events,
    clock,
    log,
    catalog: catalog.catalog,
    health: inference.health,
  })
  const compute = createComputeSubgraph({
    options: {
      includeShippedRecipes: config.compute.include_shipped_recipes,
      installId: config.compute.install_id,
      policy: { idleMs: config.compute.idle_seconds * 1000, holdSeconds: config.compute.hold_seconds },
    },
    database,
    outbox,
    events,
    clock,
    log,
    registry: metrics.registry,
    ledger: sessionLedger(ledger, events),
    accounts: accountLimits(accounts.accounts),
    catalog: sessionCatalog(catalog.catalog),
    revenue: { billedTokens: (sessionId) => accounts.books.revenueOf(sessionId) },
    drivers,
    onModelChange: (modelId) => catalog.catalog.announce(modelId),
  })
  const compliance = createComplianceSubgraph({
    database,
    outbox,
    events,
    clock,
    log,
    accounts: scanTiers(accounts.accounts),
    options: complianceOptions(config.scanner),
    version: packageVersion(),
    serverUrl: foundation.serverUrl,
  })
  return {
    subgraphs: [accounts, catalog, pricing, inference, compute, compliance],
    accounts: accounts.accounts,
    keys: accounts.keys,
    scans: compliance,
  }
}

function chatLimits({ limits }: Config): Partial<ChatLimits> {
  return {
    requestTimeMs: limits.request_seconds * 1000,
    connectTimeMs: limits.connect_seconds * 1000,
    firstByteTimeMs: limits.first_byte_seconds * 1000,
    idleTimeMs: limits.idle_seconds * 1000,
    stalledReaderTimeMs: limits.stalled_reader_seconds * 1000,
    connectionsPerProvider: limits.provider_connections,
    messages: limits.messages,
    jsonDepth: limits.json_depth,
  }
}
