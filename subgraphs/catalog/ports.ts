/** What the catalogue needs from the rest of the program. The composition root supplies it. */
import type { TokenPrice } from '#platform/money.js'
import type { HealthStatus } from '#platform/vocabulary/words.js'

/** Prices in force, from memory. */
export interface PriceSource {
  /** Changes whenever any price in force changes. */
  revision(): number
  /** The version in force; null is pricing_pending. */
  priceOf(priceId: string): {
    readonly versionId: string
    readonly tokenPrice: TokenPrice
    /** What the provider charges us, when known. */
    readonly costPrice: TokenPrice | null
  } | null
  /** Calls back with the model's id after a price in force changed, whichever process changed it; the result ends it. */
  onChange(listener: (modelId: string) => void): () => void
}

/** Why a provider does not answer, when only the operator can change that. */
interface ProviderFault {
  /** The provider's HTTP status. */
  readonly status: number
  /** What it said, cleaned. */
  readonly message: string
  /** Epoch milliseconds. */
  readonly at: number
}

export interface HealthSource {
  statusOf(deploymentId: string): HealthStatus
  /** Until when it is asked nothing because it kept failing, in epoch milliseconds; null while it may be asked. */
  openUntil(deploymentId: string): number | null
  /** The fault that stands between a provider and its next answer; null when none is known. */
  faultOf(providerId: string): ProviderFault | null
}

/** What a model's GPU session is doing, as one account sees it. */
export interface SessionState {
  readonly state: 'none' | 'deploying' | 'running'
  readonly estimatedDeploySeconds: number | null
  /** Nano-USD. */
  readonly estimatedCostPerHour: bigint | null
  /** What the machine is doing that is set up to serve the model for everyone; left out while there is none. */
  readonly phase?: string
}

export interface SessionSource {
  stateOf(modelId: string, accountId?: string): SessionState
}
