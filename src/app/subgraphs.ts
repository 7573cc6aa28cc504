/** The subgraphs of one process, each with its ports: who needs what from whom is written here and nowhere else. */
import type { Clock } from '#platform/clock.js'
import type { Database } from '#platform/database/database.js'
import { AppError } from '#platform/errors.js'
import type { EventBus } from '#platform/events/events.js'
import type { Logger } from '#platform/log.js'
import type { Metrics } from '#platform/metrics.js'
import type { Outbox } from '#platform/events/outbox.js'
import { createAccountsSubgraph, type Ledger } from '../../subgraphs/accounts/index.js'
import { createCatalogSubgraph, parseMarkup, type SandboxProvider } from '../../subgraphs/catalog/index.js'
import { complianceOptions, createComplianceSubgraph } from '../../subgraphs/compliance/index.js'
import { createComputeSubgraph, shippedRecipes, type GpuDriver } from '../../subgraphs/compute/index.js'
import { createInferenceSubgraph, type ChatLimits } from '../../subgraphs/inference/index.js'
import { createPricingSubgraph } from '../../subgraphs/pricing/index.js'
import {
  accountLimits,
  chatLedger,
  creditCheck,
  deploymentUse,
  ensureDeployment,
  nodesOf,
  routesOf,
  scanTiers,
  sessionCatalog,
  sessionLedger,
} from './ports.js'
import type { Config } from '../config/config.js'
import { packageVersion } from '#platform/package-root.js'

/** What the catalogue is made from. */
export const catalogOptions = (config: Config) => ({
  providers: config.providers,
  models: config.models,
  includeShipped: config.catalog.include_shipped,
  presetKeys: config.environment,
})

/** What every subgraph stands on in one process. */
export interface Foundation {
  readonly database: Database
  readonly events: EventBus
  readonly outbox: Outbox
  readonly ledger: Ledger
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  readonly sandbox: SandboxProvider | null
  readonly drivers: readonly GpuDriver[]
  /** Where callers reach this process, once it listens. */
  readonly serverUrl: () => string
}

/** Builds the subgraphs and hands each its ports; nothing runs yet. */
export function buildSubgraphs(config: Config, foundation: Foundation) {
  const { database, events, outbox, ledger, clock, log, metrics, sandbox, drivers } = foundation
  const accounts = createAccountsSubgraph({
    database,
    ledger,
    clock,
    events,
    coldStartMode: config.compute.cold_start_mode,
    keyLimits: { models: config.limits.key_models, graceSeconds: config.limits.key_grace_seconds },
    nodes: nodesOf(() => [catalog, compute, compliance]),
  })
  const inference = createInferenceSubgraph({
    ledger: chatLedger(ledger, metrics),
    candidates: { resolve: (model, accountId, only) => catalog.catalog.resolve(model, accountId, only) },
    ensureDeployment: ensureDeployment(() => compute.deployments, accounts.accounts, {
      waitSeconds: config.limits.prefer_wait_seconds,
    }),
    deploymentUse: deploymentUse(
      () => catalog.catalog,
      () => compute.activity,
    ),
    routesOf: routesOf(accounts.books),
    limits: chatLimits(config),
    clock,
    onFault(error) {
      // An outage is told once, where it begins, and the ledger settles when it is over.
      if (error instanceof AppError && error.code === 'service_unavailable') return
      log.error({ err: error }, 'a chat completion failed after its caller had left')
    },
    onProviderFault: ({ providerId, status, message }) =>
      log.warn({ providerId, status, said: message }, 'a provider refuses us; "sluice doctor --probe" asks each of them'),
  })
  metrics.watchOpenStreams(() => inference.openStreams())
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
    health: {
      statusOf: (id) => inference.health.of(id).status,
      faultOf: (providerId) => inference.providerFault(providerId),
    },
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
      policy: {
        idleMs: config.compute.idle_seconds * 1000,
        holdSeconds: config.compute.hold_seconds,
        homeLeaseMs: config.compute.machine_lease_seconds * 1000,
      },
    },
    database,
    outbox,
    events,
    clock,
    log,
    registry: metrics.registry,
    ledger: sessionLedger(ledger),
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
    largeChats: { admit: creditCheck(ledger), read: inference.readLarge },
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
    jsonValues: limits.json_values,
  }
}
