/** From catalogue records to the objects that GraphQL shows. */
import { isAdministrator, type RequestContext } from '#platform/requests/context.js'
import { HealthStatus, QUALITY_TIERS } from '#platform/vocabulary/words.js'
import type { AliasRecord } from './aliases.js'
import type { ModelAvailability } from './availability.js'
import type { Catalog } from '../catalog.js'
import type { DeploymentType } from '../deployments/deployment-type.js'
import type { ModelType } from './model-type.js'
import type { HealthSource, PriceSource } from '../ports.js'
import type { ProviderType } from '../deployments/provider-type.js'
import { type DeploymentRecord, type ModelRecord, type ProviderRecord } from '../records.js'

export interface CatalogTypes {
  model(model: ModelRecord, availability: ModelAvailability): ModelType
  /** null when the account cannot reach the model in any way. */
  modelById(id: string, accountId: string | undefined): ModelType | null
  /** The model that an alias leads to now, among those of `only`; null when it leads to none. */
  modelOf(alias: AliasRecord, accountId: string, only?: ReadonlySet<string>): ModelType | null
  deployment(record: DeploymentRecord): DeploymentType
  provider(record: ProviderRecord, context: RequestContext): ProviderType
}

export function createCatalogTypes(catalog: Catalog, health: HealthSource, prices: PriceSource): CatalogTypes {
  const model = (record: ModelRecord, availability: ModelAvailability): ModelType => ({
    id: record.id,
    displayName: record.displayName,
    ownedBy: record.ownedBy,
    created: record.created,
    tier: record.tier,
    qualityTier: QUALITY_TIERS[record.tier],
    openWeight: record.openWeight,
    paramsB: record.paramsB,
    activeParamsB: record.activeParamsB,
    contextWindow: record.contextWindow,
    maxOutputTokens: record.maxOutputTokens,
    supportsFunctionCalling: record.supportsFunctionCalling,
    supportsJsonMode: record.supportsJsonMode,
    inputModalities: record.inputModalities,
    availability: availability.state,
    providers: availability.providers,
    providerCount: availability.providers?.length ?? null,
    estimatedDeploySeconds: availability.estimatedDeploySeconds,
    estimatedCostPerHour: availability.estimatedCostPerHour,
  })
  const openCircuits = (deployments: readonly DeploymentRecord[]) =>
    deployments.flatMap(({ id }) => {
      const openUntil = health.openUntil(id)
      return openUntil === null ? [] : [{ deploymentId: id, openUntil }]
    })
  const modelById = (id: string, accountId: string | undefined): ModelType | null => {
    const record = catalog.model(id)
    const availability = record && catalog.availabilityOf(id, accountId)
    return record && availability ? model(record, availability) : null
  }
  return {
    model,
    modelById,
    modelOf({ target }, accountId, only) {
      const reached = catalog.resolve(target, accountId, only)
      if (reached.kind === 'unknown') return null
      return modelById(reached.kind === 'candidates' ? reached.models[0]!.modelId : reached.modelId, accountId)
    },
    deployment: (record) => ({
      id: record.id,
      providerModelId: record.providerModelId,
      region: record.region,
      isRoutable: prices.priceOf(record.priceId) !== null,
      health: health.statusOf(record.id),
      contextWindow: record.contextWindow,
      maxOutputTokens: record.maxOutputTokens,
      supportsFunctionCalling: record.supportsFunctionCalling,
      supportsJsonMode: record.supportsJsonMode,
      record,
    }),
    provider(record, context) {
      const deployments = catalog.deployments(context.principal?.accountId).filter(({ providerId }) => providerId === record.id)
      const statuses = deployments.map(({ id }) => health.statusOf(id))
      const isPrivileged = isAdministrator(context.principal)
      return {
        id: record.id,
        health: Object.values(HealthStatus).find((status) => statuses.includes(status)) ?? 'healthy',
        name: isPrivileged ? record.name : null,
        lastError: isPrivileged ? health.faultOf(record.id) : null,
        openCircuits: isPrivileged ? openCircuits(deployments) : null,
      }
    },
  }
}
