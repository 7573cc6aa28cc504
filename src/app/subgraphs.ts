/** The subgraphs of one process, each with its ports: who needs what from whom is written here and nowhere else. */
import { AppError } from '#platform/errors.js'
import { packageVersion } from '#platform/package-root.js'
import type { Tracer } from '#platform/requests/tracing.js'
import { createAccountsSubgraph, webhookOptions, type AccountsSubgraph } from '../../subgraphs/accounts/index.js'
import { createCatalogSubgraph, parseMarkup, type SandboxProvider } from '../../subgraphs/catalog/index.js'
import { complianceOptions, createComplianceSubgraph, type ComplianceSubgraph } from '../../subgraphs/compliance/index.js'
import { createComputeSubgraph, shippedRecipes, type ComputeSubgraph, type GpuDriver } from '../../subgraphs/compute/index.js'
import {
  createInferenceSubgraph,
  createStoredResponses,
  type InferenceSubgraph,
  type StoredResponses,
} from '../../subgraphs/inference/index.js'
import { createPricingSubgraph, type PricingSubgraph } from '../../subgraphs/pricing/index.js'
import type { Config } from '../config/config.js'
import { settingsInForce } from '../config/settings.js'
import type { Foundation } from './foundation.js'
import type { SettingsInForce } from './settings-in-force.js'
import { chatLimits, storedResponseLimits } from './limits.js'
import { nodesOf } from './ports/accounts.js'
import { answerCode } from './ports/answer-code.js'
import { chatFigures, chatLedger, creditCheck, routesOf } from './ports/chat-ledger.js'
import { deploymentUse, ensureDeployment } from './ports/chat-sessions.js'
import { scanTiers } from './ports/compliance.js'
import { accountLimits, sessionCatalog, sessionLedger } from './ports/compute.js'

/** What the catalogue is made from. */
export const catalogOptions = (config: Config) => ({
  providers: config.providers,
  models: config.models,
  aliases: config.aliases,
  includeShipped: config.catalog.include_shipped,
  presetKeys: config.environment,
})

interface Ground extends Foundation {
  readonly sandbox: SandboxProvider | null
  readonly drivers: readonly GpuDriver[]
  readonly inForce: SettingsInForce
  readonly tracer: Tracer | null
  /** Where callers reach this process, once it listens. */
  readonly serverUrl: () => string
}

/** The subgraphs as each sees the others. Some need each other: what is built later is only looked up when it is used. */
interface Peers {
  readonly accounts: AccountsSubgraph
  readonly catalog: ReturnType<typeof createCatalogSubgraph>
  readonly pricing: PricingSubgraph
  readonly inference: InferenceSubgraph
  readonly compute: ComputeSubgraph
  readonly compliance: ComplianceSubgraph
}

/** Builds the subgraphs and hands each its ports; nothing runs yet. */
export function buildSubgraphs(config: Config, ground: Ground) {
  const peers: Peers = {
    get accounts() {
      return accounts
    },
    get catalog() {
      return catalog
    },
    get pricing() {
      return pricing
    },
    get inference() {
      return inference
    },
    get compute() {
      return compute
    },
    get compliance() {
      return compliance
    },
  }
  const accounts = accountsOf(config, ground, peers)
  const storedResponses = createStoredResponses(ground.database, ground.clock, storedResponseLimits(config))
  const inference = inferenceOf(config, ground, peers, storedResponses)
  const catalog = catalogOf(config, ground, peers)
  const pricing = pricingOf(config, ground, peers)
  const compute = computeOf(config, ground, peers)
  const compliance = complianceOf(config, ground, peers)
  ground.inForce.onChange(async (next) => {
    catalog.declare({ ...catalogOptions(next), markup: parseMarkup(next.pricing.markup) })
    await pricing.book.syncDeclared()
  })
  ground.metrics.watchOpenStreams(() => inference.openStreams())
  ground.metrics.watchDeployments(() =>
    inference.health.snapshot().map(({ deploymentId, status }) => {
      const openUntil = inference.health.openUntil(deploymentId)
      return { deploymentId, status, isOpen: openUntil !== null && openUntil > ground.clock.now() }
    }),
  )
  return {
    subgraphs: [accounts, catalog, pricing, inference, compute, compliance],
    accounts: accounts.accounts,
    keys: accounts.keys,
    consolePasses: accounts.consolePasses,
    webhooks: accounts.webhooks,
    refusals: accounts.refusals,
    tellLedger: accounts.tellLedger,
    storedResponses,
    scans: compliance,
    largeChats: { admit: creditCheck(ground.ledger), read: inference.readLarge },
  }
}

const accountsOf = (config: Config, { database, ledger, outbox, clock, events, log, metrics, inForce }: Ground, peers: Peers) =>
  createAccountsSubgraph({
    registry: metrics.registry,
    database,
    ledger,
    outbox,
    clock,
    events,
    log,
    coldStartMode: config.compute.cold_start_mode,
    keyLimits: { models: config.limits.key_models, graceSeconds: config.limits.key_grace_seconds },
    webhooks: webhookOptions(config.webhooks),
    lowBalance: config.webhooks.low_balance,
    refusedDays: () => inForce.config.usage.refused_days,
    passLifetimes: { sessionMs: config.console.session_seconds * 1000, codeMs: config.console.code_seconds * 1000 },
    standardsNamed: (names) => peers.compliance.checks.standardsNamed(names),
    modelNamed: (name) => peers.catalog.catalog.modelNamed(name)?.id ?? null,
    nodes: nodesOf(() => [peers.catalog, peers.compute, peers.compliance]),
    installation: {
      version: packageVersion(),
      configFile: config.path,
      get settings() {
        return settingsInForce(inForce.config)
      },
      reload: () => inForce.reloadEverywhere(),
    },
  })

const inferenceOf = (config: Config, { ledger, metrics, clock, log }: Ground, peers: Peers, storedResponses: StoredResponses) =>
  createInferenceSubgraph({
    ledger: chatLedger(ledger, metrics),
    rates: peers.accounts.rates,
    answerCode: answerCode(() => peers.compliance.checks),
    storedResponses,
    answerTools: config.scanner.answer_tools.map(({ patch, language, ...tool }) => ({
      ...tool,
      language: language ?? null,
      isPatch: patch,
    })),
    candidates: { resolve: (model, accountId, only) => peers.catalog.catalog.resolve(model, accountId, only) },
    ensureDeployment: ensureDeployment(() => peers.compute.deployments, peers.accounts.accounts, {
      waitSeconds: config.limits.prefer_wait_seconds,
    }),
    deploymentUse: deploymentUse(
      () => peers.catalog.catalog,
      () => peers.compute.activity,
    ),
    routesOf: routesOf(peers.accounts.books),
    limits: chatLimits(config),
    tellsContent: config.telemetry.content,
    clock,
    onFault(error) {
      // An outage is told once, where it begins, and the ledger settles when it is over.
      if (error instanceof AppError && error.code === 'service_unavailable') return
      log.error({ err: error }, 'a chat completion failed after its caller had left')
    },
    onReport(report, { trail }) {
      metrics.chat(chatFigures(report))
      trail?.add(report)
    },
    onRefused: (refusal) => peers.accounts.refusals.note(refusal),
    onProviderFault: ({ providerId, status, message }) =>
      log.warn({ providerId, status, said: message }, 'a provider refuses us; "sluice doctor --probe" asks each of them'),
    onProviderFailure: ({ providerId, kind, status, said, untold }) =>
      log.warn({ providerId, failure: kind, status, said, untold }, 'a provider failed'),
  })

const catalogOf = (config: Config, { sandbox, drivers }: Ground, peers: Peers) =>
  createCatalogSubgraph({
    options: {
      ...catalogOptions(config),
      sandbox,
      recipes: config.compute.include_shipped_recipes ? shippedRecipes() : new Map(),
      canDeploy: drivers.length > 0,
      markup: parseMarkup(config.pricing.markup),
    },
    // The two need each other: the catalogue's prices come from the book, the book's price points from the catalogue.
    prices: {
      revision: () => peers.pricing.book.revision(),
      priceOf: (priceId) => peers.pricing.book.priceOf(priceId),
      onChange: (listener) => peers.pricing.book.onChange(({ modelId }) => listener(modelId)),
    },
    sessions: { stateOf: (modelId, accountId) => peers.compute.live.stateOf(modelId, accountId) },
    health: {
      statusOf: (id) => peers.inference.health.of(id).status,
      openUntil: (id) => peers.inference.health.openUntil(id),
      faultOf: (providerId) => peers.inference.providerFault(providerId),
    },
  })

const pricingOf = (config: Config, { database, outbox, events, clock, log }: Ground, { catalog, inference }: Peers) =>
  createPricingSubgraph({
    options: {
      feeds: config.pricing.feeds,
      competitors: config.benchmark.competitors,
      includeShippedCompetitors: config.benchmark.include_shipped,
      healthIntervalMs: config.pricing.health_interval_seconds * 1000,
    },
    database,
    outbox,
    events,
    clock,
    log,
    catalog: catalog.catalog,
    health: inference.health,
  })

function computeOf({ compute: options }: Config, ground: Ground, { accounts, catalog }: Peers): ComputeSubgraph {
  const { database, outbox, events, clock, log, metrics, ledger, drivers } = ground
  return createComputeSubgraph({
    options: {
      includeShippedRecipes: options.include_shipped_recipes,
      installId: options.install_id,
      policy: {
        idleMs: options.idle_seconds * 1000,
        holdSeconds: options.hold_seconds,
        homeLeaseMs: options.machine_lease_seconds * 1000,
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
    onSessionChange({ id, purpose, phase, driverId, terminationReason, modelId }) {
      ground.tracer?.moment(`gpu_session ${phase}`, {
        'sluice.gpu.session.id': id,
        'sluice.gpu.purpose': purpose,
        'sluice.gpu.phase': phase,
        'sluice.gpu.driver': driverId,
        ...(terminationReason !== null && { 'sluice.gpu.termination_reason': terminationReason }),
        ...(modelId !== null && { 'gen_ai.request.model': modelId }),
      })
    },
    onModelChange: (modelId) => catalog.catalog.announce(modelId),
  })
}

const complianceOf = (
  config: Config,
  { database, outbox, events, clock, log, metrics, serverUrl }: Ground,
  { accounts }: Peers,
) =>
  createComplianceSubgraph({
    database,
    outbox,
    events,
    clock,
    log,
    registry: metrics.registry,
    accounts: scanTiers(accounts.accounts),
    options: complianceOptions(config.scanner),
    version: packageVersion(),
    serverUrl,
  })
