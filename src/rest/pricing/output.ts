/** Prices by deployment and by tier, and the benchmark. */
import { z } from 'zod'
import { HealthStatus, Tier } from '../../generated/operations.js'
import { wordsOf } from '../../edge/names.js'
import { count, countedList, decimal, positive, text, time } from '../../edge/openapi/shapes.js'

const qualityTier = z.int().min(1).max(3)

const priceRow = z
  .object({
    canonical_model_id: z.string(),
    provider_id: text('The routing identifier of the host.'),
    model_id: text('What the provider calls the model; opaque.'),
    region: z.string().nullable(),
    pricing: z.object({
      type: z.literal('token'),
      input_price_per_million: decimal,
      output_price_per_million: decimal,
      cached_input_price: decimal.nullable().meta({ description: 'Per million cached input tokens; null: as much as input.' }),
    }),
    capabilities: z.object({
      context_window: positive,
      max_output_tokens: positive,
      supports_function_calling: z.boolean(),
      supports_json_mode: z.boolean(),
      quality_tier: qualityTier.meta({ description: '1 light, 2 medium, 3 high.' }),
    }),
    health: z
      .object({
        status: z.enum(wordsOf(HealthStatus)),
        latency_p50_ms: count,
        latency_p95_ms: count,
        tokens_per_second: z.number().min(0),
      })
      .meta({ description: 'Of recent real traffic; zeros before any.' }),
    last_price_update: time,
  })
  .meta({ id: 'PriceRow', description: 'One deployment and what it costs.' })

export const priceList = countedList('PriceList', priceRow)

const tierPrice = z
  .object({
    canonical_model_id: z.string(),
    provider_id: z.string(),
    input_price_per_million: decimal,
    output_price_per_million: decimal,
  })
  .meta({ id: 'TierPrice', description: 'The cheapest deployment of one model.' })

const tierRollUp = z
  .object({
    tier: z.enum(wordsOf(Tier)),
    quality_tier: qualityTier,
    // Each rate's own minimum, which may belong to two deployments; `cheapest` is one deployment.
    lowest_input_price_per_million: decimal,
    lowest_output_price_per_million: decimal,
    cheapest: tierPrice,
    models: z.array(tierPrice).min(1),
  })
  .meta({ id: 'TierRollUp' })

export const tierList = z
  .object({ object: z.literal('list'), count: count.max(3), data: z.array(tierRollUp).max(3) })
  .meta({ id: 'TierList' })

const rates = { input_per_million: decimal, output_per_million: decimal }

const benchmark = z
  .object({
    canonical_model_id: z.string(),
    model_meta: z.object({
      display_name: z.string(),
      context_window: positive,
      params_b: z.number().min(0).meta({ description: 'Billions of parameters; 0 when not published.' }),
      open_weight: z.boolean(),
    }),
    our_price: z.object(rates),
    competitors: z.array(z.object({ vendor: z.string(), label: z.string(), ...rates })),
  })
  .meta({ id: 'Benchmark' })

export const benchmarkList = z
  .object({ object: z.literal('benchmark_list'), benchmarks: z.array(benchmark), updated_at: time })
  .meta({ id: 'BenchmarkList' })
