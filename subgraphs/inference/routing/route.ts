/**
 * The explanation of one route: every deployment that was looked at, what it would have cost, how healthy it was, why it was
 * kept or skipped, and what happened when it was called. Stored with the usage record as JSON.
 */
import type { HealthStatus } from '#platform/vocabulary/words.js'

/** Why a deployment was kept among those to be tried. */
export const KeptReason = {
  CHEAPEST: 'cheapest',
  FALLBACK: 'fallback',
  TRIAL: 'trial',
  DEGRADED: 'degraded',
  SLOW: 'slow',
  RATE_LIMITED: 'rate_limited',
  LAST_RESORT: 'last_resort',
} as const
export type KeptReason = (typeof KeptReason)[keyof typeof KeptReason]

/** Why it was not. */
export const SkippedReason = {
  PRICING_PENDING: 'pricing_pending',
  NO_FUNCTION_CALLING: 'no_function_calling',
  NO_JSON_MODE: 'no_json_mode',
  CONTEXT_WINDOW: 'context_window',
  MAX_OUTPUT_TOKENS: 'max_output_tokens',
  UNSUPPORTED_FIELD: 'unsupported_field',
  DOWN: 'down',
  TRIAL_IN_FLIGHT: 'trial_in_flight',
  OVER_LIMIT: 'over_limit',
} as const
export type SkippedReason = (typeof SkippedReason)[keyof typeof SkippedReason]

export const RouteReason = { ...KeptReason, ...SkippedReason } as const

export interface RouteCandidate {
  readonly deploymentId: string
  readonly modelId: string
  readonly providerId: string
  readonly kept: boolean
  readonly reason: KeptReason | SkippedReason
  /** Estimated cost of this request there, as a decimal string of US dollars; null without a price. */
  readonly effectivePrice: string | null
  readonly priceVersionId: string | null
  readonly health: HealthStatus
}

/** What became of one call to a provider. */
export interface RouteAttempt {
  readonly deploymentId: string
  readonly providerId: string
  /** `answered`, or why the next one was tried. */
  readonly outcome: string
  /** The provider's HTTP status; null when there was none. */
  readonly status: number | null
  readonly durationMs: number
}

export interface RouteExplanation {
  /** What the caller asked for: a model id or a tier. */
  readonly requested: string
  readonly candidates: readonly RouteCandidate[]
  readonly attempts: readonly RouteAttempt[]
  /** The deployment whose answer was delivered. */
  readonly servedBy: string | null
}
