/** GET /v1/pricing, flat and by tier, and GET /v1/pricing/benchmark. */
import { z } from 'zod'
import type { RequestContext } from '#platform/requests/context.js'
import {
  RestBenchmarksDocument,
  RestPricesDocument,
  RestPriceTiersDocument,
  type RestPricesQuery,
  type RestTierPriceFragment,
} from '../../generated/operations.js'
import { lowerCase, snakeNamed } from '../../edge/names.js'
import { whole } from '../../edge/execute.js'
import { sendJson } from '../../edge/responses.js'
import type { RestEdge } from '../../edge/route.js'
import { restEndpoint } from '../rest-endpoint.js'
import { pricesQuery } from './input.js'
import { benchmarkList, priceList, tierList } from './output.js'

interface Filters {
  readonly model: string | undefined
  readonly provider: string | undefined
}

type PriceRow = NonNullable<RestPricesQuery['prices']>[number]

const priceRow = (price: PriceRow): z.output<typeof priceList>['data'][number] => ({
  canonical_model_id: price.canonicalModelId,
  provider_id: price.providerId,
  model_id: price.providerModelId,
  region: price.region,
  pricing: {
    type: lowerCase(price.pricing.type),
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
    status: lowerCase(price.health.status),
    latency_p50_ms: price.health.latencyP50Ms,
    latency_p95_ms: price.health.latencyP95Ms,
    tokens_per_second: price.health.tokensPerSecond,
  },
  last_price_update: price.lastPriceUpdate,
})

async function flatPrices({ graph }: RestEdge, filters: Filters, context: RequestContext) {
  const { prices } = whole(await graph.execute(RestPricesDocument, filters, context))
  const body: z.output<typeof priceList> = { object: 'list', count: prices.length, data: prices.map(priceRow) }
  return body
}

const tierPrice = (price: RestTierPriceFragment) => ({
  canonical_model_id: price.canonicalModelId,
  provider_id: price.providerId,
  input_price_per_million: price.inputPerMillion,
  output_price_per_million: price.outputPerMillion,
})

async function tierPrices({ graph }: RestEdge, filters: Filters, context: RequestContext) {
  const { priceTiers } = whole(await graph.execute(RestPriceTiersDocument, filters, context))
  const data = priceTiers.map((tier) => ({
    tier: lowerCase(tier.tier),
    quality_tier: tier.qualityTier,
    lowest_input_price_per_million: tier.lowestInputPerMillion,
    lowest_output_price_per_million: tier.lowestOutputPerMillion,
    cheapest: tierPrice(tier.cheapest),
    models: tier.models.map(tierPrice),
  }))
  const body: z.output<typeof tierList> = { object: 'list', count: data.length, data }
  return body
}

const listPrices = restEndpoint({
  method: 'get',
  path: '/v1/pricing',
  operationId: 'listPrices',
  tag: 'pricing',
  summary: 'Lists the prices of everything routable, by deployment or rolled up by tier.',
  description: 'All parameters stack.',
  input: { query: pricesQuery },
  answers: { 200: { description: 'The prices.', body: z.union([priceList, tierList]) } },
  handle:
    (edge) =>
    async ({ query: { format, model, provider } }, response, context) => {
      const prices = format === 'tiers' ? tierPrices : flatPrices
      sendJson(response, 200, await prices(edge, { model, provider }, context))
    },
})

const listBenchmarks = restEndpoint({
  method: 'get',
  path: '/v1/pricing/benchmark',
  operationId: 'listBenchmarks',
  tag: 'pricing',
  summary: 'Compares our cheapest routable prices with what others charge.',
  input: {},
  answers: { 200: { description: 'One entry per model that we can route to at a price.', body: benchmarkList } },
  handle:
    ({ graph }) =>
    async (_input, response, context) => {
      const { benchmarks: list } = whole(await graph.execute(RestBenchmarksDocument, {}, context))
      const benchmarks = list.benchmarks.map((entry) => ({
        canonical_model_id: entry.canonicalModelId,
        model_meta: snakeNamed(entry.modelMeta),
        our_price: snakeNamed(entry.ourPrice),
        competitors: entry.competitors.map(snakeNamed),
      }))
      const body: z.output<typeof benchmarkList> = { object: 'benchmark_list', benchmarks, updated_at: list.updatedAt }
      sendJson(response, 200, body)
    },
})

export const pricingEndpoints = [listPrices, listBenchmarks]
