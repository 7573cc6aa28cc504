/**
 * Catalog: which models exist, where they are deployed, and whether they answer now.
 *
 * Owns models, deployments and providers as an immutable snapshot in memory, built from the operator's configuration, the
 * shipped files in `shipped/`, the sandbox, and deployments that running GPU sessions add. Nothing here is stored.
 *
 * States of a model: instant (a priced deployment), deploying (a GPU is being set up), cold (only a recipe), pricing_pending
 * (only deployments without a price). They are derived at the moment of asking. A model with none of these is not listed and
 * cannot be asked for.
 *
 * Invariants: a deployment without a confirmed price is never routable and never sorts before a priced one; a deployment that
 * is private to an account is invisible to every other; callers see routing identifiers, never a provider's name or key;
 * lookups by caller text are Map reads.
 */
import 'reflect-metadata'
import { createInProcessEvents } from '#platform/events/events.js'
import type { Subgraph } from '#platform/subgraph.js'
import { availabilitySource } from './models/availability-source.js'
import { type Catalog, createCatalog } from './catalog.js'
import { createCatalogTypes } from './models/catalog-types.js'
import { DeploymentType } from './deployments/deployment-type.js'
import { DeploymentResolver, ModelResolver, ProviderResolver } from './models/model-resolver.js'
import type { HealthSource, PriceSource, SessionSource } from './ports.js'
import { ProviderType } from './deployments/provider-type.js'
import { type CatalogReport, reportCatalog } from './deployments/provider-report.js'
import type { BaseRecipe } from './records.js'
import { shippedCatalogue } from './shipped/shipped-catalogue.js'
import { countLiveProviders, type SandboxProvider } from './snapshot.js'
import type { AliasConfig, ModelConfig, ProviderConfig } from './catalog-config.js'

export { catalogConfig, ModelConfig, parseMarkup, ProviderConfig } from './catalog-config.js'
export type { Catalog } from './catalog.js'
export type { ProviderProbe } from './deployments/provider-probe.js'
export type { CatalogReport, ProviderReport } from './deployments/provider-report.js'
export type { HealthSource, PriceSource, SessionSource, SessionState } from './ports.js'
export type { BaseRecipe } from './records.js'
export type { SandboxProvider } from './snapshot.js'

export interface CatalogOptions {
  readonly providers: readonly ProviderConfig[]
  readonly models: readonly ModelConfig[]
  /** The operator's names for models and tiers. */
  readonly aliases?: Readonly<Record<string, AliasConfig>>
  readonly includeShipped: boolean
  /** Environment values by name; only what shipped presets name is read. */
  readonly presetKeys: ReadonlyMap<string, string>
  /** The embedded provider, null while it is off. */
  readonly sandbox: SandboxProvider | null
  /** Shipped recipes by model id; a model's own `deploy` wins. */
  readonly recipes?: ReadonlyMap<string, BaseRecipe>
  /** Whether a GPU driver exists; without one no model is cold. */
  readonly canDeploy: boolean
  /** Markup of providers and models that name none, in billionths. */
  readonly markup?: bigint
}

export interface CatalogDependencies {
  readonly options: CatalogOptions
  readonly prices: PriceSource
  readonly sessions: SessionSource
  readonly health: HealthSource
}

/** How many providers would be live with these options: `sandbox: auto` turns the sandbox on when it is none. */
export function liveProviderCount(
  options: Pick<CatalogOptions, 'providers' | 'models' | 'includeShipped' | 'presetKeys'>,
): number {
  return countLiveProviders({ ...options, shipped: options.includeShipped ? shippedCatalogue() : null })
}

/** Which providers these options make live and what the others lack. Throws AppError 400 when the options contradict themselves. */
export const catalogReport = (
  options: Pick<CatalogOptions, 'providers' | 'models' | 'aliases' | 'includeShipped' | 'presetKeys'>,
): CatalogReport => reportCatalog({ ...options, shipped: options.includeShipped ? shippedCatalogue() : null })

export interface CatalogSubgraph extends Subgraph {
  readonly catalog: Catalog
  /** Takes over what the configuration says now. Throws AppError 400 like `createCatalogSubgraph`; nothing is changed then. */
  declare(
    options: Pick<CatalogOptions, 'providers' | 'models' | 'aliases' | 'includeShipped' | 'presetKeys'> & { markup: bigint },
  ): void
}

/** Throws AppError 400 when the configuration contradicts itself, naming the entry. */
export function createCatalogSubgraph(dependencies: CatalogDependencies): CatalogSubgraph {
  const { options, prices, health } = dependencies
  // Every process keeps its own catalogue, so what changes in it concerns only this process's subscribers.
  const events = createInProcessEvents()
  let stopListening: (() => void) | undefined
  const shipped = options.includeShipped ? shippedCatalogue() : null
  const catalog = createCatalog(
    { ...options, shipped, recipes: options.recipes ?? new Map(), markup: options.markup ?? 0n },
    { ...dependencies, events },
  )
  const types = createCatalogTypes(catalog, health, prices)
  return {
    name: 'catalog',
    catalog,
    declare({ includeShipped, ...declared }) {
      catalog.declare({ ...declared, shipped: includeShipped ? shippedCatalogue() : null })
    },
    resolvers: [new ModelResolver(catalog, types), new ProviderResolver(catalog, types), new DeploymentResolver(types)],
    orphanedTypes: [DeploymentType, ProviderType],
    sources: { modelAvailability: availabilitySource(catalog, types, events) },
    entities: {
      Model: {
        kind: 'owner',
        load: async (references, { principal }) => references.map(({ id }) => types.modelById(id, principal?.accountId)),
      },
      Deployment: {
        kind: 'owner',
        load: async (references, { principal }) =>
          references.map(({ id }) => {
            const record = catalog.deployment(id)
            const isVisible = record && (record.accountId === null || record.accountId === principal?.accountId)
            return isVisible ? types.deployment(record) : null
          }),
      },
      Provider: {
        kind: 'owner',
        load: async (references, context) =>
          references.map(({ id }) => {
            const record = catalog.provider(id)
            return record ? types.provider(record, context) : null
          }),
      },
    },
    async start() {
      stopListening = prices.onChange((modelId) => catalog.announce(modelId))
    },
    async stop() {
      stopListening?.()
      await events.close()
    },
  }
}
