/** What pricing needs from the rest of the program. The composition root supplies it. */
import type { PricePerMillion } from '#platform/money.js'
import type { HealthStatus, Tier } from '#platform/vocabulary/words.js'

/** What a provider charges, in nano-USD per million tokens, before the operator's markup. */
export interface ListPrice {
  readonly input: PricePerMillion
  readonly output: PricePerMillion
  readonly cachedInput: PricePerMillion | null
}

/** Something that has a price: a deployment, or what the GPU sessions of a model will charge. */
export interface PricePoint {
  readonly priceId: string
  readonly modelId: string
  readonly providerId: string
  /** As the configuration or the shipped catalogue states it; null is unpriced. */
  readonly listPrice: ListPrice | null
  /** The operator's markup in billionths: 100_000_000n is +10 %. */
  readonly markup: bigint
}

/** null in a capability means that nobody has said. */
export interface Capabilities {
  readonly contextWindow: number | null
  readonly maxOutputTokens: number | null
  readonly supportsFunctionCalling: boolean | null
  readonly supportsJsonMode: boolean | null
}

interface PricedModel extends Capabilities {
  readonly id: string
  readonly displayName: string
  readonly tier: Tier
  readonly openWeight: boolean
  readonly paramsB: number | null
}

export interface PricedDeployment extends Capabilities {
  readonly id: string
  readonly modelId: string
  readonly providerId: string
  readonly providerModelId: string
  readonly region: string | null
  /** Under which id its price versions are kept. */
  readonly priceId: string
  readonly model: PricedModel
  /** The provider's name in public price lists; null when it is in none. */
  readonly provider: { readonly feedId: string | null }
}

export interface CatalogSource {
  pricePoints(): readonly PricePoint[]
  /** Current deployments that the account may see, ordered by id; the public ones without an account. */
  deployments(accountId?: string): readonly PricedDeployment[]
  model(id: string): PricedModel | undefined
  /** What a price list says about deployments, by deployment id; replaces what the same list said before. */
  applyListedCapabilities(list: string, capabilities: ReadonlyMap<string, Partial<Capabilities>>): void
  /** Calls back after price points were added or removed; the result ends it. */
  onChange(listener: () => void): () => void
}

/** What real traffic to one deployment showed in the rolling window. */
export interface DeploymentHealth {
  readonly deploymentId: string
  readonly status: HealthStatus
  readonly latencyP50Ms: number | null
  readonly latencyP95Ms: number | null
  readonly timeToFirstTokenMs: number | null
  readonly tokensPerSecond: number | null
  /** 0 to 1. */
  readonly errorRate: number
  readonly samples: number
}

export interface HealthTracker {
  of(deploymentId: string): DeploymentHealth
  /** Until when a deployment that kept failing is asked nothing, in epoch milliseconds; null while it is asked. */
  openUntil(deploymentId: string): number | null
  snapshot(): readonly DeploymentHealth[]
  /** What is shown for a deployment until this process has seen traffic to it. */
  load(stored: readonly DeploymentHealth[]): void
}
