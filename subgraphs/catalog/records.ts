/** The catalogue in memory: plain records that the snapshot is made of. All of them are frozen facts, never mutated. */
import type { PricePerMillion } from '#platform/money.js'
import { QUALITY_TIERS, type ProviderApi, type StreamUsage, type Tier, type Tokenizer } from '#platform/vocabulary/words.js'
import type { InputModality } from './models/input-modality.js'

export const isTier = (text: string): text is Tier => Object.hasOwn(QUALITY_TIERS, text)

/** Where a provider comes from: the operator's file, a shipped preset with its key set, the sandbox, or a GPU session. */
type ProviderKind = 'config' | 'preset' | 'sandbox' | 'session'

export interface ProviderRecord {
  /** The opaque routing identifier of the contract. */
  readonly id: string
  /** For operators only. */
  readonly name: string
  readonly kind: ProviderKind
  readonly baseUrl: string
  /** Chat completions when left out. */
  readonly api?: ProviderApi
  readonly apiKey: string | null
  readonly streamUsage: StreamUsage
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens'
  readonly connections?: number
  /** The provider's name in public price lists; null when it is in none. */
  readonly feedId: string | null
}

/** What the provider charges, in nano-USD per million tokens, before the operator's markup. */
export interface ListPrice {
  readonly input: PricePerMillion
  readonly output: PricePerMillion
  readonly cachedInput: PricePerMillion | null
}

/** How to bring a model up on a rented GPU. */
export interface BaseRecipe {
  readonly modelId: string
  /** null takes the cheapest GPU with enough memory. */
  readonly gpuModel: string | null
  readonly gpuCount: number
  /** Over all GPUs together, gigabytes. */
  readonly minVramGb: number
  readonly estimatedDeploySeconds: number
  /** Serving image; null takes the driver's default. */
  readonly image: string | null
}

export interface DeployRecipe extends BaseRecipe {
  /** Whether the operator wrote it; a shipped recipe is known to compute already. */
  readonly isOwn: boolean
  /** Nano-USD per hour for all GPUs together: an expectation, not an offer. */
  readonly priceHint: bigint | null
  /** What tokens of the running session cost; null is pricing_pending. */
  readonly listPrice: ListPrice | null
}

/** null in a capability means that nobody has said. */
export interface Capabilities {
  readonly contextWindow: number | null
  readonly maxOutputTokens: number | null
  readonly supportsFunctionCalling: boolean | null
  readonly supportsJsonMode: boolean | null
}

export interface ModelRecord extends Capabilities {
  readonly id: string
  readonly displayName: string
  readonly ownedBy: string
  /** Unix seconds. */
  readonly created: number
  readonly tier: Tier
  readonly openWeight: boolean
  /** Billions of parameters, null when unknown. */
  readonly paramsB: number | null
  readonly activeParamsB: number | null
  readonly tokenizer: Tokenizer
  /** null when nobody has said. */
  readonly inputModalities: readonly InputModality[] | null
  readonly recipe: DeployRecipe | null
}

export interface DeploymentRecord extends Capabilities {
  /** `<model>@<provider>`, with `:<region>` when there is one. */
  readonly id: string
  readonly modelId: string
  readonly providerId: string
  /** What the provider calls the model. */
  readonly providerModelId: string
  readonly region: string | null
  /** The account that alone may use it; null for everyone. */
  readonly accountId: string | null
  /** Under which id its price versions are kept: its own, or the recipe's for every session of a model. */
  readonly priceId: string
  readonly listPrice: ListPrice | null
  /** Whether the operator's configuration states it, rather than a shipped file. */
  readonly isOwn: boolean
  /** The operator's markup in billionths: 100_000_000n is +10 %. */
  readonly markup: bigint
  readonly model: ModelRecord
  readonly provider: ProviderRecord
}

/** Something that has a price: a deployment, or what a model's sessions will charge. */
export interface PricePoint {
  readonly priceId: string
  readonly modelId: string
  readonly providerId: string
  readonly listPrice: ListPrice | null
  readonly markup: bigint
}

/** The price id that all sessions of a model share, so that a charge stays pinned after the session ended. */
export const sessionPriceId = (modelId: string): string => `${modelId}@session`

export const deploymentId = (modelId: string, providerId: string, region: string | null): string =>
  region === null ? `${modelId}@${providerId}` : `${modelId}@${providerId}:${region}`
