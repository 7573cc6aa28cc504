/**
 * The explanation of one route: every deployment that was looked at, what it would have cost, how healthy it was, why it was
 * kept or skipped, and what happened when it was called. Stored with the usage record as JSON.
 */

export type KeptReason = 'cheapest' | 'fallback' | 'trial' | 'degraded' | 'slow' | 'rate_limited' | 'last_resort'

export type SkippedReason =
  | 'pricing_pending'
  | 'no_function_calling'
  | 'no_json_mode'
  | 'context_window'
  | 'max_output_tokens'
  | 'down'
  | 'trial_in_flight'
  | 'over_limit'

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

export type HealthStatus = 'healthy' | 'degraded' | 'down'

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
