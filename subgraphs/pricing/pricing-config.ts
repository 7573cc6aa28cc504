/** The part of the configuration file that pricing owns. */
import { z } from 'zod'
import { parseUsd } from '#platform/money.js'
import { CompetitorConfig } from './benchmark/competitors.js'

const isMarkup = (text: string): boolean => {
  try {
    const markup = parseUsd(text)
    return markup >= 0n && markup <= 100n * 1_000_000_000n
  } catch {
    return false
  }
}

const feed = {
  /** Names the feed in price histories and logs. */
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,49}$/, 'lower-case letters, digits, ".", "_" and "-"'),
  url: z.string().regex(/^https?:\/\/\S+$/, 'an http(s) URL'),
  interval_seconds: z.number().min(60).max(604_800).default(21_600),
  /** For the whole document, and how long it may be. */
  answer_seconds: z.number().positive().max(3_600).default(30),
  answer_bytes: z
    .int()
    .positive()
    .default(32 * 1024 * 1024),
  /** A rate that would change by more than this factor waits for an administrator. */
  jump_factor: z.number().gt(1).max(1000).default(2),
}

/** Where a generic price list has what; every path is dotted, such as `pricing.input`. */
const Mapping = z.strictObject({
  /** Path of the list in the document; left out: the document is the list. */
  rows: z.string().optional(),
  model_id: z.string(),
  input: z.string(),
  output: z.string(),
  cached_input: z.string().optional(),
  context_window: z.string().optional(),
  max_output_tokens: z.string().optional(),
  /** What one stated price pays for. */
  unit: z.enum(['per_token', 'per_thousand', 'per_million']),
})

/**
 * A public price list that is read on a schedule. `models.dev` (https://models.dev/api.json) fits every provider that has a
 * `feed_id`, as the shipped presets do; `openrouter` (https://openrouter.ai/api/v1/models) and `json` fit the deployments of
 * the one `provider` that they name. All match by the provider's own model id.
 */
export const FeedConfig = z.discriminatedUnion('type', [
  z.strictObject({ ...feed, type: z.literal('models.dev') }),
  z.strictObject({ ...feed, type: z.literal('openrouter'), provider: z.string() }),
  z.strictObject({ ...feed, type: z.literal('json'), provider: z.string(), mapping: Mapping }),
])
export type FeedConfig = z.infer<typeof FeedConfig>
export type FeedMapping = z.infer<typeof Mapping>

export const pricingConfig = z.object({
  pricing: z
    .strictObject({
      /** Added to every list price where neither model nor provider says otherwise: "0.10" sells for 10 % more. */
      markup: z.union([z.string(), z.number()]).transform(String).refine(isMarkup, 'a decimal from "0" to "100"').default('0'),
      feeds: z.array(FeedConfig).max(100).default([]),
      health_interval_seconds: z.number().min(1).max(3600).default(30),
    })
    .prefault({}),
  benchmark: z
    .strictObject({
      include_shipped: z.boolean().default(true),
      competitors: z.array(CompetitorConfig).max(10_000).default([]),
    })
    .prefault({}),
})
