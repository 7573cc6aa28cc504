/**
 * One chat completion under way: who asked, what for, which route, which hold, and how it is settled exactly once.
 */
import type { Clock } from '#platform/clock.js'
import { AppError, toAppError, type ErrorCode } from '#platform/errors.js'
import { tokenCost, type NanoUsd, type TokenBuckets } from '#platform/money.js'
import type { Principal } from '#platform/requests/context.js'
import type { TraceSpan } from '#platform/requests/tracing.js'
import type { ChatApi, EndedAs, UsageSource } from '#platform/vocabulary/words.js'
import type { Hold } from './admission.js'
import type { StreamIdentity } from '../chat/frames.js'
import type { CallContent } from '../content/call-content.js'
import type { AnswerScanPlan, CallMeasures, ChatReport, CreditLedger, DeploymentUse } from '../ports.js'
import type { ChatRequest } from '../chat/request.js'
import type { RequestEnd } from './request-end.js'
import type { RouteAttempt, RouteCandidate } from '../routing/route.js'
import type { KeptCandidate } from '../routing/router.js'
import type { JsonObject } from '../tokens/usage.js'

/** What was delivered, and how it ended. */
export interface Outcome {
  readonly endedAs: EndedAs
  readonly tokens: TokenBuckets
  readonly usageSource: UsageSource
  /** What a provider's report says besides the counts. */
  readonly details?: JsonObject
  /** Violations in the code of the answer; left out where it was not scanned. */
  readonly codeFindings?: number
  /** Nothing was handed over yet: the answer waits for its settlement. */
  readonly isUndelivered?: boolean
}

/** How an answer ended whose call was ended for this reason. */
export const endedBy = ({ code }: AppError): EndedAs => ENDED_BY[code] ?? 'failed'

const ENDED_BY: Partial<Record<ErrorCode, EndedAs>> = {
  client_closed_request: 'client_closed',
  timeout: 'time_limit',
  authentication_error: 'key_ended',
  shutting_down: 'server_stopped',
}

export const NO_TOKENS: TokenBuckets = { input: 0, cachedInput: 0, output: 0 }

export interface ChatCallFacts {
  /** The id of the hold and of the usage record. */
  readonly chatId: string
  readonly api: ChatApi
  /** How the code of the answer is looked at; null for not at all. */
  readonly scan: AnswerScanPlan | null
  readonly principal: Principal
  readonly request: ChatRequest
  /** The `id` of the answer, and its `created` in epoch seconds. */
  readonly completionId: string
  readonly created: number
  readonly kept: readonly KeptCandidate[]
  readonly explanation: readonly RouteCandidate[]
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** The same moment of the monotonic clock, from which durations are measured. */
  readonly begunAt: number
  readonly traceparent: string | undefined
  /** Of the request. */
  readonly signal: AbortSignal
  /** Null where nobody traces. */
  readonly span: TraceSpan | null
  /** Null unless the operator wants prompts and answers in traces. */
  readonly content: CallContent | null
  /** Hears how it went. */
  readonly onReport: (report: ChatReport) => void
}

export class ChatCall {
  readonly attempts: RouteAttempt[] = []
  #current: KeptCandidate | null = null
  #endUse: (() => void) | null = null
  servedBy: string | null = null
  firstTokenMs: number | null = null
  #settlement: Promise<void> | null = null

  constructor(
    readonly facts: ChatCallFacts,
    readonly hold: Hold,
    readonly end: RequestEnd,
    private readonly ledger: CreditLedger,
    private readonly clock: Clock,
    private readonly deploymentUse: DeploymentUse,
  ) {}

  /** The candidate that is being called, or that answered. */
  get current(): KeptCandidate | null {
    return this.#current
  }

  /** Whoever keeps a deployment running only while it is used is told from the first call to the settlement. */
  callNow(kept: KeptCandidate): void {
    this.#endUse?.()
    this.#endUse = this.deploymentUse.begin(kept.candidate)
    this.#current = kept
  }

  /** What the answer of one candidate says of itself: our ids, and the model that really answers. */
  identity(kept: KeptCandidate): StreamIdentity {
    return { id: this.facts.completionId, created: this.facts.created, model: kept.model.modelId }
  }

  /** Notes what is delivered so far, for the case that this process dies. Output tokens may be a few behind. */
  meter(tokens: TokenBuckets): void {
    this.ledger.meter(this.facts.chatId, this.#capture(this.#cost(tokens)))
  }

  /** Charges the outcome once; whoever comes second gets the first settlement. */
  settle(outcome: Outcome): Promise<void> {
    this.#settlement ??= this.#settle(outcome)
    return this.#settlement
  }

  get isSettled(): boolean {
    return this.#settlement !== null
  }

  async #settle(outcome: Outcome): Promise<void> {
    this.end.close()
    const span = this.facts.span?.child('settlement')
    let endedAs: ChatReport['outcome'] = outcome.endedAs
    try {
      if (this.hold.placing === null || (await isPlaced(this.hold.placing))) await this.#charge(outcome)
      else endedAs = 'insufficient_credits'
    } catch (error) {
      span?.fail(toAppError(error).code)
      if (outcome.isUndelivered) endedAs = toAppError(error).code
      throw error
    } finally {
      span?.end()
      this.#endUse?.()
      this.facts.onReport(this.#report(endedAs, outcome))
    }
  }

  #report(endedAs: ChatReport['outcome'], outcome: Outcome): ChatReport {
    return {
      ...this.#measured(outcome, endedAs === outcome.endedAs ? outcome.tokens : NO_TOKENS),
      modelId: (this.current ?? this.facts.kept[0])?.model.modelId ?? null,
      providerId: this.current?.candidate.providerId ?? null,
      outcome: endedAs,
      attempts: this.attempts,
    }
  }

  #measured({ codeFindings }: Outcome, tokens: TokenBuckets): CallMeasures {
    return {
      tokens,
      cost: this.#capture(this.#cost(tokens)),
      firstTokenMs: this.firstTokenMs,
      durationMs: this.clock.monotonic() - this.facts.begunAt,
      codeFindings: codeFindings ?? null,
    }
  }

  #charge(outcome: Outcome): Promise<void> {
    const { facts } = this
    if (this.attempts.length === 0 && this.servedBy === null) return this.ledger.release(facts.chatId)
    const measured = this.#measured(outcome, outcome.tokens)
    const candidate = this.current
    return this.ledger.settle({
      holdId: facts.chatId,
      amount: measured.cost,
      isUndelivered: outcome.isUndelivered ?? false,
      usage: {
        ...measured,
        requestId: facts.chatId,
        accountId: facts.principal.accountId,
        keyId: facts.principal.keyId,
        modelId: candidate?.model.modelId ?? facts.request.model,
        deploymentId: candidate?.candidate.deploymentId ?? null,
        priceVersionId: candidate?.price.versionId ?? null,
        usageSource: outcome.usageSource,
        providerCost: candidate?.candidate.costPrice ? tokenCost(outcome.tokens, candidate.candidate.costPrice) : null,
        endedAs: outcome.endedAs,
        route: {
          requested: facts.request.model,
          candidates: facts.explanation,
          attempts: this.attempts,
          servedBy: this.servedBy,
        },
        startedAt: facts.startedAt,
        attempts: this.attempts.filter(({ outcome }) => outcome !== 'over_hold').length,
        api: facts.api,
      },
    })
  }

  #cost(tokens: TokenBuckets): NanoUsd {
    return this.current ? tokenCost(tokens, this.current.price.tokenPrice) : 0n
  }

  #capture(cost: NanoUsd): NanoUsd {
    return cost < this.hold.amount ? cost : this.hold.amount
  }

  /** The caller's error after every candidate failed. Routing ids and statuses only: no text of a provider. */
  allFailed(retryAfterSeconds: number | undefined): AppError {
    const list = this.attempts.map(({ providerId, status, outcome }) => `${providerId} (${status ?? outcome})`)
    const message = `Every eligible provider failed: ${list.join(', ') || 'none could be called'}.`
    return new AppError('upstream_error', message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
  }
}

const isPlaced = (placing: Promise<void>): Promise<boolean> =>
  placing.then(
    () => true,
    () => false,
  )
