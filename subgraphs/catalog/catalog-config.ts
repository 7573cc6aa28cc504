/**
 * The shape of providers and models in YAML: the operator's `sluice.config.yaml` and the shipped files share it. Unknown keys
 * are errors, so that a misspelt price cannot silently leave a model unpriced.
 */
import { z } from 'zod'
import { NANO_PER_USD, parseUsd } from '#platform/money.js'
import { ProviderApi, StreamUsage, Tier, Tokenizer } from '#platform/vocabulary/words.js'
import { InputModality } from './models/input-modality.js'
import { isTier } from './records.js'

/** Ids travel in URLs, headers and price ids, so they are plain; `@` and `:` separate the parts of a deployment id. */
const Id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/, 'letters, digits, ".", "_", "-" and "/", at most 100')

const exactDecimal = (text: string): boolean => {
  try {
    return parseUsd(text) >= 0n
  } catch {
    return false
  }
}

/** A decimal with at most 9 decimals. An unquoted YAML number is read as its shortest decimal, which is what was written. */
const Decimal = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine(exactDecimal, 'a decimal such as "0.15", not negative, with at most 9 decimals')

const TokenPrices = {
  input_price_per_million: Decimal.nullish(),
  output_price_per_million: Decimal.nullish(),
  cached_input_price_per_million: Decimal.nullish(),
}

const CapabilityFields = {
  context_window: z.int().positive().nullish(),
  max_output_tokens: z.int().positive().nullish(),
  supports_function_calling: z.boolean().nullish(),
  supports_json_mode: z.boolean().nullish(),
}

/** A price is whole or absent: one direction alone would make the other free. */
const wholePrice = (value: { input_price_per_million?: string | null; output_price_per_million?: string | null }) =>
  (value.input_price_per_million == null) === (value.output_price_per_million == null)
const WHOLE_PRICE = 'input_price_per_million and output_price_per_million belong together'

const HttpUrl = z.string().regex(/^https?:\/\/[^\s]+$/, 'an http(s) URL')

/** An entry of `providers:`. With the id of a shipped preset it changes that preset, and may leave `base_url` out. */
export const ProviderConfig = z.strictObject({
  id: Id,
  name: z.string().min(1).max(200).optional(),
  base_url: HttpUrl.optional(),
  /** Already resolved: `${ENV_NAME}` references are replaced by whoever reads the file. */
  api_key: z.string().min(1).nullish(),
  /** What it speaks: chat completions, or Anthropic's Messages API. */
  api: z.enum(ProviderApi).optional(),
  stream_usage: z.enum(StreamUsage).optional(),
  max_tokens_field: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
  connections: z.int().positive().max(10_000).optional(),
  /** Added to the provider's price: "0.10" sells for 10 % more. */
  markup: Decimal.optional(),
  feed_id: z.string().min(1).optional(),
})
export type ProviderConfig = z.infer<typeof ProviderConfig>

export const DeploymentConfig = z
  .strictObject({
    provider: Id,
    model_id: z.string().min(1).max(300),
    region: z.string().min(1).max(100).nullish(),
    ...TokenPrices,
    ...CapabilityFields,
    /** Where a shipped row comes from, and the day on which the source last touched it. */
    source: z.string().optional(),
    date: z.string().optional(),
  })
  .refine(wholePrice, WHOLE_PRICE)
export type DeploymentConfig = z.infer<typeof DeploymentConfig>

/** How to serve the model on a rented GPU when nobody hosts it. */
const DeployConfig = z
  .strictObject({
    /** Left out: the cheapest GPU with enough memory. */
    gpu_model: z.string().min(1).nullish(),
    gpu_count: z.int().positive().max(64).optional(),
    /** Over all GPUs together. */
    vram_gb: z.int().positive(),
    /** Expected USD per hour for all GPUs together. */
    price_hint: Decimal.nullish(),
    estimated_seconds: z.int().positive().max(7200).optional(),
    docker_image: z.string().min(1).nullish(),
    ...TokenPrices,
  })
  .refine(wholePrice, WHOLE_PRICE)

const TIER_NAMES = 'light, medium and high are tier keywords'

const AliasName = Id.refine((name) => !isTier(name), TIER_NAMES)

/** What `aliases:` says of one name; a text is the model alone. */
const AliasConfig = z
  .union([
    Id,
    z.strictObject({
      /** A model's id or a tier. */
      model: Id,
      /** Whether `GET /v1/models` lists the name too. */
      show: z.boolean().default(false),
    }),
  ])
  .transform((value) => (typeof value === 'string' ? { model: value, show: false } : value))
export type AliasConfig = z.infer<typeof AliasConfig>

/** An entry of `models:`. With the id of a shipped model it changes what it names and adds its deployments. */
export const ModelConfig = z.strictObject({
  id: Id.refine((id) => !isTier(id), TIER_NAMES),
  display_name: z.string().min(1).max(200).optional(),
  owned_by: z.string().min(1).max(100).optional(),
  tier: z.enum(Tier).optional(),
  /** A day such as 2025-03-13. */
  created: z.iso.date().optional(),
  open_weight: z.boolean().optional(),
  params_b: z.number().positive().nullish(),
  active_params_b: z.number().positive().nullish(),
  params_source: z.string().nullish(),
  tokenizer: z.enum(Tokenizer).optional(),
  ...CapabilityFields,
  /** What its messages may hold; left out, nobody has said. */
  input_modalities: z.array(z.enum(InputModality)).min(1).optional(),
  /** Wins over the provider's markup. */
  markup: Decimal.optional(),
  /** Other names of the same model, such as the dated ones of its publisher. */
  aliases: z.array(AliasName).max(100).optional(),
  /** Also answered by the sandbox while that is on. */
  sandbox: z.boolean().optional(),
  deploy: DeployConfig.nullish(),
  deployments: z.array(DeploymentConfig).max(1000).optional(),
})
export type ModelConfig = z.infer<typeof ModelConfig>

/** The part of the configuration file that the catalogue owns. */
export const catalogConfig = z.object({
  catalog: z
    .strictObject({
      /** false: only the operator's own providers and models. */
      include_shipped: z.boolean().default(true),
    })
    .prefault({}),
  providers: z.array(ProviderConfig).max(1000).default([]),
  models: z.array(ModelConfig).max(10_000).default([]),
  /** Names that callers use for a model or a tier. */
  aliases: z.record(AliasName, AliasConfig).default({}),
})

/** The decimal "0.10" as billionths, the unit of `DeploymentRecord.markup`. */
export function parseMarkup(text: string): bigint {
  const billionths = parseUsd(text, 'markup')
  if (billionths > 100n * NANO_PER_USD) throw new RangeError('A markup of more than 100 (10,000 %) is surely a mistake.')
  return billionths
}
