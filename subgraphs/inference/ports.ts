/**
 * What chat completions need from the rest of the program. The composition root supplies all of it; nothing here knows who
 * keeps the ledger, the catalogue or the GPUs.
 */
import type { RefusedBudget } from '#platform/requests/refused-budget.js'
import type { ErrorCode } from '#platform/errors.js'
import type { Eventually } from '#platform/eventually.js'
import type { NanoUsd, TokenPrice } from '#platform/money.js'
import type { AnswerScanPolicy, RateLimits, RequestContext } from '#platform/requests/context.js'
import type { ChatTrace } from '#platform/requests/trail.js'
import type { ChatApi, EndedAs, ProviderApi, StreamUsage, Tokenizer, UsageSource } from '#platform/vocabulary/words.js'
import type { RouteAttempt, RouteExplanation } from './routing/route.js'

export type { StreamUsage }

/** What is measured of a call: its report tells it, and its usage record keeps it. */
export interface CallMeasures extends Pick<ChatTrace, 'tokens' | 'cost' | 'firstTokenMs'> {
  readonly durationMs: number
  /** Violations in the code of the answer; null where it was not scanned. */
  readonly codeFindings: number | null
}

/** One row per chat completion: what was delivered, by whom, at which price, and why there. Never a prompt. */
export interface UsageEntry extends CallMeasures {
  readonly requestId: string
  readonly accountId: string
  readonly keyId: string
  readonly modelId: string
  /** The deployment that answered, or the last one tried; null when none was called. */
  readonly deploymentId: string | null
  readonly priceVersionId: string | null
  readonly usageSource: UsageSource
  /** What the provider charges for the same tokens, when the operator told. */
  readonly providerCost: NanoUsd | null
  readonly endedAs: EndedAs
  readonly route: RouteExplanation
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** How many deployments were asked, with the one that answered. */
  readonly attempts: number
  readonly api: ChatApi
}

/** How one chat request went, told once when nothing of it is left to do. */
export interface ChatReport extends ChatTrace, Pick<CallMeasures, 'codeFindings'> {
  /** How the answer ended, or the code of the error in its place. */
  readonly outcome: EndedAs | ErrorCode
  readonly attempts: readonly RouteAttempt[]
  /** Null for a request that was refused before a route was found. */
  readonly durationMs: number | null
}

/** A chat request that was refused before a provider was asked, told once. Never its prompt. */
export interface RefusedRequest {
  readonly id: string
  readonly accountId: string
  readonly keyId: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** As it was asked for; null where nothing was. */
  readonly model: string | null
  readonly api: ChatApi
  readonly code: ErrorCode
  readonly message: string
}

export type OnReport = (report: ChatReport, context: RequestContext) => void

export type ReserveResult =
  | { readonly ok: true }
  | ({
      readonly ok: false
      /** What a new hold may take: the least of balance - held and what the monthly caps of the account and the key leave. */
      readonly available: NanoUsd
      readonly balance: NanoUsd
    } & ({ readonly reason: 'balance' | 'monthly_cap' } | { readonly reason: 'budget'; readonly budget: RefusedBudget }))

export interface CreditLedger {
  /**
   * Sets the amount aside, so that nothing else can spend it: durably, or at once in the memory of a process that may. Repeating it
   * with the same `holdId` changes nothing and answers the same.
   */
  reserve(hold: {
    readonly holdId: string
    readonly accountId: string
    readonly amount: NanoUsd
    /** For the usage record that a sweeper writes when this process dies. */
    readonly keyId: string
    readonly modelId: string
    /** What the key spends comes out of this budget too. */
    readonly budgetIds: readonly string[] | undefined
    /** Epoch milliseconds after which a sweeper may settle the hold at its metered cost. */
    readonly expiresAt: number
  }): Eventually<ReserveResult>
  /** What the account could reserve, from memory and without waiting; null when not known yet. */
  available(accountId: string): NanoUsd | null
  /** Notes the cost delivered so far, for the case that this process dies. The latest value wins; never waits. */
  meter(holdId: string, cost: NanoUsd): void
  /**
   * Closes the hold, charges `amount` (at most the hold) and stores the usage; resolves once it is durable. Follows a `reserve`
   * that was answered.
   */
  settle(charge: {
    readonly holdId: string
    readonly amount: NanoUsd
    readonly usage: UsageEntry
    /** The answer waits for this: when it cannot be charged now it is not given, and not charged later. */
    readonly isUndelivered: boolean
  }): Promise<void>
  /** Closes the hold without a charge and without a usage record. */
  release(holdId: string): Promise<void>
}

/** One rate of a key as callers are told of it. */
export interface RateState {
  readonly limit: number
  readonly remaining: number
}

export interface RateGrant {
  /** What kept the request out; null when it may go on. */
  readonly refusedBy: 'requests' | 'tokens' | null
  readonly requests: RateState | null
  readonly tokens: RateState | null
  /** Until there is more. */
  readonly resetSeconds: number
  /** The request is over: what its tokens were in fact. */
  settle(tokens: number): void
}

/** Counts what keys ask in a minute. */
export interface KeyRates {
  /** Counts one request and sets tokens aside, as many as it is known to need. */
  take(limits: RateLimits, tokens: number): Promise<RateGrant>
}

/** How the code in an answer is looked at. */
export interface AnswerScanPlan extends AnswerScanPolicy {
  /** By the key, and not by the request: then it is no part of what the account may ask of the scanner. */
  readonly isDemanded: boolean
}

/** A violation as REST shows it: nothing here looks inside. */
export type CodeViolation = Readonly<Record<string, unknown>>

interface ScannedCode {
  /** `failed`: it could not be looked at, or not in whole. */
  readonly status: 'complete' | 'failed'
  readonly message: string | null
  /** False for what is in no language of the scanner. */
  readonly isRead: boolean
  /** What it was read as; empty where nothing was found. */
  readonly language: string
  readonly violations: readonly CodeViolation[]
}

/** Who looks at code in answers. */
export interface AnswerCode {
  /** @throws AppError 400 for a standard that does not exist */
  checkStandards(names: readonly string[]): void
  /** `label`: a language or a path. Never fails for what is in the code. */
  scan(
    code: { readonly code: string; readonly label: string },
    plan: AnswerScanPlan,
    caller: { readonly accountId: string; readonly signal: AbortSignal },
  ): Promise<ScannedCode>
}

/** One provider as the operator configured it. */
export interface ProviderConfig {
  /** The opaque routing identifier of the contract, never a brand. */
  readonly id: string
  /** Ends before `/chat/completions`, such as `https://api.example.com/v1`. From the operator only. */
  readonly baseUrl: string
  /** Chat completions when left out. */
  readonly api?: ProviderApi
  readonly apiKey: string | null
  readonly streamUsage: StreamUsage
  /** What the provider calls the output limit that we add when a hold was clipped. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens'
  /** Connections kept to this provider at most; more requests than that wait. */
  readonly connections?: number
}

/** null means that nobody has said; the router does not exclude on unknown. */
interface Capabilities {
  readonly contextWindow: number | null
  readonly maxOutputTokens: number | null
  readonly supportsFunctionCalling: boolean | null
  readonly supportsJsonMode: boolean | null
}

/** One deployment of a model that could answer. */
export interface Candidate {
  readonly deploymentId: string
  readonly modelId: string
  readonly providerId: string
  /** What the provider calls the model. */
  readonly providerModelId: string
  readonly region: string | null
  /** The price version in force; null is pricing_pending and never routable. */
  readonly price: { readonly versionId: string; readonly tokenPrice: TokenPrice } | null
  readonly costPrice: TokenPrice | null
  readonly capabilities: Capabilities
  readonly provider: ProviderConfig
}

export interface CandidateModel {
  readonly modelId: string
  readonly tier: string | null
  readonly contextWindow: number | null
  readonly maxOutputTokens: number | null
  readonly tokenizer: Tokenizer
  readonly deployments: readonly Candidate[]
}

export type Resolution =
  /** The models that `model` names: one for an id, all of the tier for a keyword. */
  | { readonly kind: 'candidates'; readonly models: readonly CandidateModel[] }
  /** A recipe exists, but nothing runs. */
  | { readonly kind: 'cold'; readonly modelId: string }
  /** Known at a provider, without any confirmed price. */
  | { readonly kind: 'pricing_pending'; readonly modelId: string }
  | { readonly kind: 'unknown' }

export interface CandidateSource {
  /** From a snapshot in memory: synchronous, and the same object for the same state. */
  resolve(modelIdOrTier: string, accountId: string, only?: ReadonlySet<string>): Resolution
}

/** The contract's 202 body. */
export interface DeployingStatus {
  readonly message: string
  readonly model: string
  readonly estimatedReadySeconds: number
  readonly alreadyQueued: boolean
  readonly deploymentStatus: 'requested' | 'provisioning' | 'loading'
  readonly deploymentProvider: string
  /** Seconds for the Retry-After header. */
  readonly retryAfterSeconds: number
}

type EnsureDeploymentResult =
  | ({ readonly kind: 'deploying' } & DeployingStatus)
  /** It became live meanwhile: resolve again. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'not_deployable' }

/** Who keeps deployments running only while they are used. */
export interface DeploymentUse {
  /** A call to this deployment begins; the answer is called once when it has been settled. */
  begin(candidate: Candidate): () => void
}

/** Starts or joins the deployment of a cold model. Throws AppError 402 when the minimum session is not covered. */
export type EnsureDeployment = (request: {
  readonly modelId: string
  readonly accountId: string
  readonly context: RequestContext
}) => Promise<EnsureDeploymentResult>

/** The stored route of each usage record, in order; null for what does not exist or belongs to someone else. */
export type RoutesOf = (usageIds: readonly string[], context: RequestContext) => Promise<readonly (RouteExplanation | null)[]>
