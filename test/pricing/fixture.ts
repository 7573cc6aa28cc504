/** Catalogue and prices wired to each other as the program does it, on a throw-away database. */
import { graphql } from 'graphql'
import { eventEntities } from '#platform/events/notice-marks.js'
import { createOutbox } from '#platform/events/outbox.js'
import { createInProcessEvents } from '#platform/events/events.js'
import type { RequestContext, Scope } from '#platform/requests/context.js'
import type { Database, Dialect } from '#platform/database/database.js'
import { createLog } from '#platform/log.js'
import { buildSubgraphSchema } from '../../src/graph/composition/subgraph-schema.js'
import { type CatalogOptions, createCatalogSubgraph, type SessionSource } from '../../subgraphs/catalog/index.js'
import {
  createPricingSubgraph,
  type DeploymentHealth,
  pricingEntities,
  type PricingOptions,
} from '../../subgraphs/pricing/index.js'
import type { PriceBook } from '../../subgraphs/pricing/versions/price-book.js'
import type { PriceVersion } from '../../subgraphs/pricing/versions/price-version.js'
import { providers } from '../catalog/fixture.js'
import { testDatabase } from '../kit/database.js'
import { ManualClock } from '../kit/manual-clock.js'

export const requestContext = (
  scopes: Scope[] = ['chat'],
  accountId = 'acc_1',
  signal = new AbortController().signal,
): RequestContext => ({
  requestId: 'req_test',
  principal: { accountId, keyId: 'key_1', scopes: new Set(scopes) },
  signal,
  startedAt: 0,
  headers: new Map(),
  chats: { count: 0 },
})

/** Remembers what it is given, as the program's tracker of real traffic does. */
export class FakeTraffic {
  readonly figures = new Map<string, DeploymentHealth>()
  readonly openCircuits = new Map<string, number>()

  of(deploymentId: string): DeploymentHealth {
    return this.figures.get(deploymentId) ?? { ...NO_TRAFFIC, deploymentId }
  }

  openUntil(deploymentId: string): number | null {
    return this.openCircuits.get(deploymentId) ?? null
  }

  snapshot(): DeploymentHealth[] {
    return [...this.figures.values()]
  }

  load(stored: readonly DeploymentHealth[]): void {
    for (const health of stored) this.figures.set(health.deploymentId, health)
  }
}

export const NO_TRAFFIC: Omit<DeploymentHealth, 'deploymentId'> = {
  status: 'healthy',
  latencyP50Ms: null,
  latencyP95Ms: null,
  timeToFirstTokenMs: null,
  tokensPerSecond: null,
  errorRate: 0,
  samples: 0,
}

export interface PricingTestOptions {
  readonly catalog?: Partial<CatalogOptions>
  readonly pricing?: Partial<PricingOptions>
  readonly dialect?: Dialect
  /** A database that outlives this program, to restart on. */
  readonly database?: Database
  readonly clock?: ManualClock
}

export async function startPricing({
  catalog,
  pricing,
  dialect = 'sqlite',
  database: shared,
  clock = new ManualClock(),
}: PricingTestOptions = {}) {
  const owned = shared ? null : await testDatabase(dialect, [...pricingEntities, ...eventEntities])
  const database = shared ?? owned!
  const events = createInProcessEvents()
  const traffic = new FakeTraffic()
  const sessions = new Map<string, ReturnType<SessionSource['stateOf']>>()
  const catalogSubgraph = createCatalogSubgraph({
    options: {
      providers,
      models: [],
      includeShipped: false,
      presetKeys: new Map(),
      sandbox: null,
      canDeploy: true,
      ...catalog,
    },
    prices: {
      revision: () => prices.book.revision(),
      priceOf: (priceId) => prices.book.priceOf(priceId),
      onChange: (listener) => prices.book.onChange(({ modelId }) => listener(modelId)),
    },
    sessions: {
      stateOf: (modelId) => sessions.get(modelId) ?? { state: 'none', estimatedDeploySeconds: null, estimatedCostPerHour: null },
    },
    health: {
      statusOf: (deploymentId) => traffic.of(deploymentId).status,
      openUntil: (id) => traffic.openUntil(id),
      faultOf: () => null,
    },
  })
  const prices = createPricingSubgraph({
    options: { feeds: [], competitors: [], includeShippedCompetitors: true, healthIntervalMs: 30_000, ...pricing },
    database,
    outbox: createOutbox({ database, events, clock }),
    clock,
    events,
    log: createLog({ level: 'silent' }),
    catalog: catalogSubgraph.catalog,
    health: traffic,
  })
  await prices.start()
  await prices.startWork()
  await catalogSubgraph.start?.()
  const schemas = { pricing: buildSubgraphSchema(prices), catalog: buildSubgraphSchema(catalogSubgraph) }
  return {
    catalog: catalogSubgraph.catalog,
    prices,
    book: prices.book,
    traffic,
    /** What GPU sessions of models are doing. */
    sessions,
    clock,
    database,
    events,
    schemas,
    /** Runs an operation on one subgraph and answers plain data; errors are thrown. */
    async ask<T = Record<string, unknown[]>>(
      subgraph: 'pricing' | 'catalog',
      source: string,
      variableValues: Record<string, unknown> = {},
      contextValue = requestContext(),
    ): Promise<T> {
      const result = await graphql({ schema: schemas[subgraph].schema, source, variableValues, contextValue })
      if (result.errors) throw result.errors[0]!.originalError ?? result.errors[0]!
      return JSON.parse(JSON.stringify(result.data)) as T
    },
    async [Symbol.asyncDispose]() {
      await prices.stop()
      await catalogSubgraph.stop?.()
      await owned?.[Symbol.asyncDispose]()
    },
  }
}

/** Every version of the model "small", newest first. */
export async function versions(
  { book }: { readonly book: PriceBook },
  { providerId }: { providerId?: string } = {},
): Promise<PriceVersion[]> {
  const filter = { modelId: 'small', providerId, withPending: true }
  const { edges } = await book.history(filter, { size: 100, isBackward: false, cursor: null })
  return edges.map(({ node }) => node)
}
