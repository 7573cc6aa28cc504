/** Price rows as the objects that GraphQL shows. */
import { QUALITY_TIERS } from '#platform/vocabulary/words.js'
import type { Benchmark } from '../benchmark/benchmark.js'
import type { BenchmarkEntryType } from '../benchmark/benchmark-type.js'
import type { HealthTracker } from '../ports.js'
import { type PricedRow, shownCapabilities, shownHealth, shownRates, type TierRollUp } from './price-rows.js'
import type { PriceTierType, TierPriceType } from './price-tier-type.js'
import type { PriceType } from './price-type.js'

/** What does not change with traffic is worked out once per version; a deployment record belongs to one catalogue snapshot. */
export function createPriceObjects(health: HealthTracker): (row: PricedRow) => PriceType {
  const cache = new WeakMap<object, { versionId: string; fixed: Omit<PriceType, 'health'> }>()
  return (row) => {
    const { deployment, price } = row
    let cached = cache.get(deployment)
    if (cached?.versionId !== price.versionId) {
      cached = { versionId: price.versionId, fixed: fixedPart(row) }
      cache.set(deployment, cached)
    }
    return { ...cached.fixed, health: shownHealth(health.of(deployment.id)) }
  }
}

export const tierObject = (rollUp: TierRollUp): PriceTierType => ({
  tier: rollUp.tier,
  qualityTier: QUALITY_TIERS[rollUp.tier],
  cheapest: tierPrice(rollUp.cheapest),
  lowestInputPerMillion: rollUp.lowestInput,
  lowestOutputPerMillion: rollUp.lowestOutput,
  models: rollUp.models.map(tierPrice),
})

function fixedPart({ deployment, price }: PricedRow): Omit<PriceType, 'health'> {
  return {
    deploymentId: deployment.id,
    canonicalModelId: deployment.modelId,
    providerId: deployment.providerId,
    providerModelId: deployment.providerModelId,
    region: deployment.region,
    pricing: { type: 'token', ...shownRates(price.tokenPrice) },
    capabilities: shownCapabilities(deployment),
    lastPriceUpdate: new Date(price.version.validFrom),
    versionId: price.versionId,
    origin: price.version.origin,
    model: { id: deployment.modelId },
    deployment: { id: deployment.id },
    provider: { id: deployment.providerId },
  }
}

const tierPrice = ({ deployment, price }: PricedRow): TierPriceType => ({
  canonicalModelId: deployment.modelId,
  providerId: deployment.providerId,
  inputPerMillion: price.tokenPrice.input,
  outputPerMillion: price.tokenPrice.output,
  model: { id: deployment.modelId },
})

export function shownBenchmark({ row, compared }: Benchmark): BenchmarkEntryType {
  const { deployment, price } = row
  return {
    canonicalModelId: deployment.modelId,
    model: { id: deployment.modelId },
    modelMeta: {
      displayName: deployment.model.displayName,
      contextWindow: shownCapabilities(deployment).contextWindow,
      paramsB: deployment.model.paramsB ?? 0,
      openWeight: deployment.model.openWeight,
    },
    ourPrice: {
      inputPerMillion: price.tokenPrice.input,
      outputPerMillion: price.tokenPrice.output,
      providerId: deployment.providerId,
    },
    competitors: compared.map(({ competitor, isSameModel, savingPercent }) => ({
      vendor: competitor.vendor,
      label: competitor.label,
      inputPerMillion: competitor.input,
      outputPerMillion: competitor.output,
      isSameModel,
      savingPercent,
      source: competitor.source,
      date: new Date(competitor.date),
    })),
  }
}
