/** GET /v1/pricing, flat and by tier, and GET /v1/pricing/benchmark. */
import {
  RestBenchmarksDocument,
  RestPricesDocument,
  RestPriceTiersDocument,
  type RestTierPriceFragment,
} from '../../generated/operations.js'
import type { RestEdge, RouteHandler } from '../../edge/route.js'
import { choiceParameter, textParameter } from '../query-parameters.js'
import { whole } from '../../edge/execute.js'
import { sendJson } from '../../edge/responses.js'

export const listPrices = (edge: RestEdge): RouteHandler => {
  const flat = flatPrices(edge)
  const tiers = tierPrices(edge)
  return (request, response, context) => {
    const format = choiceParameter(request, 'format', ['flat', 'tiers'] as const)
    return (format === 'tiers' ? tiers : flat)(request, response, context)
  }
}

const flatPrices =
  ({ graph }: RestEdge): RouteHandler =>
  async (request, response, context) => {
    const filters = { model: textParameter(request, 'model'), provider: textParameter(request, 'provider') }
    const { prices } = whole(await graph.execute(RestPricesDocument, filters, context))
    const data = prices.map((price) => ({
      canonical_model_id: price.canonicalModelId,
      provider_id: price.providerId,
      model_id: price.providerModelId,
      region: price.region,
      pricing: {
        type: price.pricing.type.toLowerCase(),
        input_price_per_million: price.pricing.inputPerMillion,
        output_price_per_million: price.pricing.outputPerMillion,
        cached_input_price: price.pricing.cachedInputPerMillion,
      },
      capabilities: {
        context_window: price.capabilities.contextWindow,
        max_output_tokens: price.capabilities.maxOutputTokens,
        supports_function_calling: price.capabilities.supportsFunctionCalling,
        supports_json_mode: price.capabilities.supportsJsonMode,
        quality_tier: price.capabilities.qualityTier,
      },
      health: {
        status: price.health.status.toLowerCase(),
        latency_p50_ms: price.health.latencyP50Ms,
        latency_p95_ms: price.health.latencyP95Ms,
        tokens_per_second: price.health.tokensPerSecond,
      },
      last_price_update: price.lastPriceUpdate,
    }))
    sendJson(response, 200, { object: 'list', count: data.length, data })
  }

const tierPrice = (price: RestTierPriceFragment) => ({
  canonical_model_id: price.canonicalModelId,
  provider_id: price.providerId,
  input_price_per_million: price.inputPerMillion,
  output_price_per_million: price.outputPerMillion,
})

const tierPrices =
  ({ graph }: RestEdge): RouteHandler =>
  async (request, response, context) => {
    const filters = { model: textParameter(request, 'model'), provider: textParameter(request, 'provider') }
    const { priceTiers } = whole(await graph.execute(RestPriceTiersDocument, filters, context))
    const data = priceTiers.map((tier) => ({
      tier: tier.tier.toLowerCase(),
      quality_tier: tier.qualityTier,
      // Each rate's own minimum, which may belong to two deployments; `cheapest` is one deployment.
      lowest_input_price_per_million: tier.lowestInputPerMillion,
      lowest_output_price_per_million: tier.lowestOutputPerMillion,
      cheapest: tierPrice(tier.cheapest),
      models: tier.models.map(tierPrice),
    }))
    sendJson(response, 200, { object: 'list', count: data.length, data })
  }

export const listBenchmarks =
  ({ graph }: RestEdge): RouteHandler =>
  async (_request, response, context) => {
    const { benchmarks: list } = whole(await graph.execute(RestBenchmarksDocument, {}, context))
    const benchmarks = list.benchmarks.map((entry) => ({
      canonical_model_id: entry.canonicalModelId,
      model_meta: {
        display_name: entry.modelMeta.displayName,
        context_window: entry.modelMeta.contextWindow,
        params_b: entry.modelMeta.paramsB,
        open_weight: entry.modelMeta.openWeight,
      },
      our_price: { input_per_million: entry.ourPrice.inputPerMillion, output_per_million: entry.ourPrice.outputPerMillion },
      competitors: entry.competitors.map((competitor) => ({
        vendor: competitor.vendor,
        label: competitor.label,
        input_per_million: competitor.inputPerMillion,
        output_per_million: competitor.outputPerMillion,
      })),
    }))
    sendJson(response, 200, { object: 'benchmark_list', benchmarks, updated_at: list.updatedAt })
  }
