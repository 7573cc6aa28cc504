/**
 * Which deployments may answer a request, and in which order. Pure: the same request, candidates, prices and health give the
 * same route, each candidate with the reason why it was kept or skipped.
 *
 * Capabilities filter before price, an unpriced deployment is never kept, and within a model the cheapest for this request
 * comes first among those that work well. A tier is its cheapest model, then the next.
 */
import { formatUsd, tokenCost, type NanoUsd } from '#platform/money.js'
import { ProviderApi, type HealthStatus } from '#platform/vocabulary/words.js'
import type { Candidate, CandidateModel } from '../ports.js'
import type { KeptReason, RouteCandidate, SkippedReason } from './route.js'

/** What the router needs to know of a request. */
export interface RoutingRequest {
  readonly needsFunctionCalling: boolean
  readonly needsJsonMode: boolean
  /** An estimate of the prompt, for the price. */
  readonly inputTokens: number
  /** What the prompt has at least: only a prompt that cannot fit is kept from a context window. */
  readonly inputTokensAtLeast: number
  /** The caller's limit for one choice; null when not given. */
  readonly maxOutputTokens: number | null
  readonly choices: number
  /** What of it only a chat completion can ask for; null where nothing is, or no candidate speaks anything else. */
  readonly chatOnlyField: string | null
}

/** What the router needs to know of a deployment's health at this moment. */
export interface CandidateHealth {
  readonly status: HealthStatus
  /** The breaker is open: no call now. */
  readonly isDown: boolean
  /** The breaker is half open, or the deployment stands aside: it waits for the request that tries it again. */
  readonly wantsTrial: boolean
  /** The breaker is half open and its one trial is under way. */
  readonly hasTrialInFlight: boolean
  /** The provider asked us to wait. */
  readonly isRateLimited: boolean
  /** Below the speed floor. */
  readonly isSlow: boolean
  readonly latencyP50Ms: number | null
}

export interface KeptCandidate {
  readonly candidate: Candidate
  readonly model: CandidateModel
  readonly price: NonNullable<Candidate['price']>
  /** Estimated cost of this request. */
  readonly effectivePrice: NanoUsd
  /** It stands here to be tried, which one request at a time may do. */
  readonly isTrial: boolean
}

export interface RankedRoute {
  /** In the order in which they are to be tried. */
  readonly kept: readonly KeptCandidate[]
  /** Kept ones in order, then the skipped ones. */
  readonly explanation: readonly RouteCandidate[]
}

/** What a completion is assumed to be long when the caller sets no limit, or a very high one. */
const TYPICAL_OUTPUT_TOKENS = 512

interface Judged extends KeptCandidate {
  readonly group: number
  readonly reason: KeptReason | SkippedReason
  readonly health: CandidateHealth
}

/** Groups of preference: what works well, what works, what asked us to wait, what is down. */
const GROUP = { well: 0, works: 1, rateLimited: 2, down: 3 } as const

export function rankCandidates(
  request: RoutingRequest,
  models: readonly CandidateModel[],
  healthOf: (deploymentId: string) => CandidateHealth,
): RankedRoute {
  const skipped: RouteCandidate[] = []
  const ranked: Judged[][] = []
  for (const model of models) {
    const judged: Judged[] = []
    for (const candidate of model.deployments) {
      const health = healthOf(candidate.deploymentId)
      const reason = unfit(request, model, candidate)
      if (reason !== null || !candidate.price) {
        skipped.push(explain(candidate, false, reason ?? 'pricing_pending', priceFor(request, candidate), health))
        continue
      }
      judged.push(judge(request, model, candidate, candidate.price, health))
    }
    if (judged.length > 0) ranked.push(judged.sort(byPreference))
  }
  ranked.sort(byCheapestModel)
  return assemble(ranked.length === 1 ? ranked[0]! : ranked.flat(), skipped)
}

/** Why a candidate cannot answer at all; null when it can. */
function unfit(request: RoutingRequest, model: CandidateModel, candidate: Candidate): SkippedReason | null {
  if (!candidate.price) return 'pricing_pending'
  if (request.chatOnlyField !== null && candidate.provider.api === ProviderApi.MESSAGES) return 'unsupported_field'
  const { capabilities } = candidate
  if (request.needsFunctionCalling && capabilities.supportsFunctionCalling === false) return 'no_function_calling'
  if (request.needsJsonMode && capabilities.supportsJsonMode === false) return 'no_json_mode'
  const contextWindow = capabilities.contextWindow ?? model.contextWindow
  const maxOutput = capabilities.maxOutputTokens ?? model.maxOutputTokens
  if (request.maxOutputTokens !== null && maxOutput !== null && request.maxOutputTokens > maxOutput) return 'max_output_tokens'
  if (contextWindow !== null && request.inputTokensAtLeast + (request.maxOutputTokens ?? 1) > contextWindow)
    return 'context_window'
  return null
}

function judge(
  request: RoutingRequest,
  model: CandidateModel,
  candidate: Candidate,
  price: NonNullable<Candidate['price']>,
  health: CandidateHealth,
): Judged {
  const effectivePrice = priceFor(request, candidate) ?? 0n
  const base = { candidate, model, price, effectivePrice, health, isTrial: false }
  if (health.isDown) return { ...base, group: GROUP.down, reason: 'down' }
  if (health.hasTrialInFlight) return { ...base, group: GROUP.down, reason: 'trial_in_flight' }
  if (health.isRateLimited) return { ...base, group: GROUP.rateLimited, reason: 'rate_limited' }
  // A trial happens in its price order: behind healthy ones the deployment would never be tried again.
  if (health.wantsTrial) return { ...base, isTrial: true, group: GROUP.well, reason: 'trial' }
  if (health.isSlow) return { ...base, group: GROUP.works, reason: 'slow' }
  if (health.status === 'degraded') return { ...base, group: GROUP.works, reason: 'degraded' }
  return { ...base, group: GROUP.well, reason: 'fallback' }
}

function byPreference(a: Judged, b: Judged): number {
  if (a.group !== b.group) return a.group - b.group
  if (a.effectivePrice !== b.effectivePrice) return a.effectivePrice < b.effectivePrice ? -1 : 1
  const latency = (a.health.latencyP50Ms ?? Infinity) - (b.health.latencyP50Ms ?? Infinity)
  if (latency !== 0 && !Number.isNaN(latency)) return latency
  return a.candidate.deploymentId < b.candidate.deploymentId ? -1 : 1
}

/** Models by their cheapest deployment that is worth calling; those that only have limited or broken ones come later. */
function byCheapestModel(a: readonly Judged[], b: readonly Judged[]): number {
  const first = cheapest(a)
  const second = cheapest(b)
  if (first.reach !== second.reach) return first.reach - second.reach
  if (first.price !== second.price) return first.price < second.price ? -1 : 1
  return a[0]!.model.modelId < b[0]!.model.modelId ? -1 : 1
}

function cheapest(judged: readonly Judged[]): { reach: number; price: NanoUsd } {
  const reach = Math.max(GROUP.works, judged[0]!.group)
  let price: NanoUsd | null = null
  for (const { group, effectivePrice } of judged) {
    if (group <= reach && (price === null || effectivePrice < price)) price = effectivePrice
  }
  return { reach, price: price ?? 0n }
}

/** What is down is skipped, unless nothing else is left: the last deployment is never cooled to nothing. */
function assemble(judged: readonly Judged[], skipped: readonly RouteCandidate[]): RankedRoute {
  const alive = judged.filter(({ group }) => group !== GROUP.down)
  const kept = alive.length > 0 ? alive : judged
  const down = alive.length > 0 ? judged.filter(({ group }) => group === GROUP.down) : []
  return {
    kept,
    explanation: [
      ...kept.map((item, index) => explain(item.candidate, true, keptReason(item, index), item.effectivePrice, item.health)),
      ...down.map((item) => explain(item.candidate, false, item.reason, item.effectivePrice, item.health)),
      ...skipped,
    ],
  }
}

function keptReason(item: Judged, index: number): KeptReason {
  if (item.group === GROUP.down) return 'last_resort'
  return index === 0 && item.reason === 'fallback' ? 'cheapest' : (item.reason as KeptReason)
}

function priceFor(request: RoutingRequest, candidate: Candidate): NanoUsd | null {
  if (!candidate.price) return null
  const output = Math.min(request.maxOutputTokens ?? TYPICAL_OUTPUT_TOKENS, TYPICAL_OUTPUT_TOKENS) * request.choices
  return tokenCost({ input: request.inputTokens, cachedInput: 0, output }, candidate.price.tokenPrice)
}

function explain(
  candidate: Candidate,
  kept: boolean,
  reason: RouteCandidate['reason'],
  effectivePrice: NanoUsd | null,
  health: CandidateHealth,
): RouteCandidate {
  return {
    deploymentId: candidate.deploymentId,
    modelId: candidate.modelId,
    providerId: candidate.providerId,
    kept,
    reason,
    effectivePrice: effectivePrice === null ? null : formatUsd(effectivePrice),
    priceVersionId: candidate.price?.versionId ?? null,
    health: health.status,
  }
}
