/**
 * What the router may choose from, precomputed: one array per model and one per tier, cheapest first.
 *
 * A table belongs to one snapshot and one revision of the prices and is thrown away with either, so a lookup on the hot path
 * is one Map read and returns the same object for the same state.
 */
import type { TokenPrice } from '#platform/money.js'
import type { Tier, Tokenizer } from '#platform/vocabulary/words.js'
import type { PriceSource } from '../ports.js'
import { type Capabilities, type DeploymentRecord, isTier, type ModelRecord, type ProviderRecord } from '../records.js'
import type { Snapshot } from '../snapshot.js'

export interface Candidate {
  readonly deploymentId: string
  readonly modelId: string
  readonly providerId: string
  readonly providerModelId: string
  readonly region: string | null
  /** null is pricing_pending: shown in the explanation of the route, never chosen. */
  readonly price: { readonly versionId: string; readonly tokenPrice: TokenPrice } | null
  readonly costPrice: TokenPrice | null
  readonly capabilities: Capabilities
  readonly provider: ProviderRecord
}

export interface CandidateModel {
  readonly modelId: string
  readonly tier: Tier
  readonly contextWindow: number | null
  readonly maxOutputTokens: number | null
  readonly tokenizer: Tokenizer
  /** Cheapest first, unpriced last. */
  readonly deployments: readonly Candidate[]
}

export type Resolution =
  | { readonly kind: 'candidates'; readonly models: readonly CandidateModel[] }
  | { readonly kind: 'cold'; readonly modelId: string }
  | { readonly kind: 'pricing_pending'; readonly modelId: string }
  | { readonly kind: 'unknown' }

export interface RoutingTable {
  /** What a model's id, a tier or an alias of either leads to. `only`: the models that exist for who asks; else every model. */
  resolve(name: string, only?: ReadonlySet<string>): Resolution
}

const UNKNOWN: Resolution = { kind: 'unknown' }

/** The table for the deployments that one account may use; `deployments` holds them by model id. */
export function buildRoutingTable(
  snapshot: Snapshot,
  deployments: ReadonlyMap<string, readonly DeploymentRecord[]>,
  prices: Pick<PriceSource, 'priceOf'>,
): RoutingTable {
  const byModel = new Map<string, Resolution>()
  const byTier = new Map<Tier, Resolution[]>()
  for (const model of snapshot.models.values()) {
    const resolution = resolveModel(model, deployments.get(model.id) ?? [], prices)
    byModel.set(model.id, resolution)
    const tier = byTier.get(model.tier) ?? []
    byTier.set(model.tier, tier)
    tier.push(resolution)
  }
  const tiers = new Map([...byTier].map(([tier, resolutions]) => [tier, resolveTier(resolutions, snapshot)]))
  return {
    resolve(asked, only) {
      const name = snapshot.aliases.get(asked)?.target ?? asked
      if (!isTier(name)) return (!only || only.has(name) ? byModel.get(name) : null) ?? UNKNOWN
      if (!only) return tiers.get(name) ?? UNKNOWN
      const allowed = [...snapshot.models.values()].filter(({ id, tier }) => tier === name && only.has(id))
      return resolveTier(
        allowed.map(({ id }) => byModel.get(id)!),
        snapshot,
      )
    },
  }
}

function resolveModel(
  model: ModelRecord,
  deployments: readonly DeploymentRecord[],
  prices: Pick<PriceSource, 'priceOf'>,
): Resolution {
  const candidates = deployments.map((deployment) => candidate(deployment, prices)).toSorted(cheapestFirst)
  if (candidates[0]?.price) {
    const { id: modelId, tier, contextWindow, maxOutputTokens, tokenizer } = model
    return { kind: 'candidates', models: [{ modelId, tier, contextWindow, maxOutputTokens, tokenizer, deployments: candidates }] }
  }
  if (model.recipe) return { kind: 'cold', modelId: model.id }
  return candidates.length > 0 ? { kind: 'pricing_pending', modelId: model.id } : UNKNOWN
}

/** All servable models of the tier, cheapest first; without any, the cold model with the cheapest recipe. */
function resolveTier(resolutions: readonly Resolution[], snapshot: Snapshot): Resolution {
  const models = resolutions
    .flatMap((resolution) => (resolution.kind === 'candidates' ? resolution.models : []))
    .toSorted((a, b) => cheapestFirst(a.deployments[0]!, b.deployments[0]!))
  if (models.length > 0) return { kind: 'candidates', models }
  const hourly = (resolution: Resolution) =>
    (resolution.kind === 'cold' ? snapshot.models.get(resolution.modelId)?.recipe?.priceHint : null) ?? 2n ** 63n
  const cold = resolutions
    .filter((resolution) => resolution.kind === 'cold')
    .toSorted((a, b) => compareBigints(hourly(a), hourly(b)) || a.modelId.localeCompare(b.modelId))
  return cold[0] ?? resolutions.find((resolution) => resolution.kind === 'pricing_pending') ?? UNKNOWN
}

function candidate(deployment: DeploymentRecord, prices: Pick<PriceSource, 'priceOf'>): Candidate {
  const { contextWindow, maxOutputTokens, supportsFunctionCalling, supportsJsonMode } = deployment
  const price = prices.priceOf(deployment.priceId)
  return {
    deploymentId: deployment.id,
    modelId: deployment.modelId,
    providerId: deployment.providerId,
    providerModelId: deployment.providerModelId,
    region: deployment.region,
    price: price && { versionId: price.versionId, tokenPrice: price.tokenPrice },
    costPrice: price?.costPrice ?? null,
    capabilities: { contextWindow, maxOutputTokens, supportsFunctionCalling, supportsJsonMode },
    provider: deployment.provider,
  }
}

/** By input plus output price, then input price, then id; what has no price comes last, never first. */
function cheapestFirst(a: Pick<Candidate, 'price' | 'deploymentId'>, b: Pick<Candidate, 'price' | 'deploymentId'>): number {
  const [left, right] = [a.price?.tokenPrice, b.price?.tokenPrice]
  if (!left || !right) return left ? -1 : right ? 1 : compareText(a.deploymentId, b.deploymentId)
  return (
    compareBigints(left.input + left.output, right.input + right.output) ||
    compareBigints(left.input, right.input) ||
    compareText(a.deploymentId, b.deploymentId)
  )
}

const compareBigints = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
