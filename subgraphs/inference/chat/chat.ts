/**
 * Chat completions, the verbs: `complete` and `stream`.
 *
 * parse -> resolve -> route -> admit (hold) -> call providers in order -> deliver -> settle. A provider may be called while
 * the hold is still being committed when credits are plentiful, but nothing reaches the caller before it is.
 */
import type { Clock } from '#platform/clock.js'
import { requireScope, type Principal, type RequestContext } from '#platform/requests/context.js'
import { AppError, modelNotFound, toAppError } from '#platform/errors.js'
import { newId } from '#platform/ids.js'
import type { OpenCount } from '#platform/requests/open-count.js'
import { admit, coverOf, outputLimitFor, type Hold } from '../call/admission.js'
import { AnswerLimit } from './answer-limit.js'
import { billedCount, billedReport, isOverLimit, isSuspicious, isWithin, type Cover } from '../call/billing.js'
import { ChatCall, endedBy, NO_TOKENS, type ChatCallFacts, type Outcome } from '../call/chat-call.js'
import { ChatStream, type ChatStreamEvent } from './chat-stream.js'
import { ChatCompletion, ModelDeploying } from './chat-type.js'
import { cutToLimit, readCompletion, withUsage, type ReadCompletion } from './completion.js'
import { failover, type Attempt } from '../call/failover.js'
import type { HealthTracker } from '../routing/health.js'
import type { ChatLimits } from '../limits.js'
import type {
  CandidateSource,
  CreditLedger,
  DeploymentUse,
  EnsureDeployment,
  CandidateModel,
  Resolution,
  Tokenizer,
} from '../ports.js'
import { countPrompt, promptSize, type PromptSize } from '../tokens/prompt-size.js'
import type { ProviderFaults } from '../providers/provider-faults.js'
import { ProviderStream } from '../providers/provider-stream.js'
import type { ProviderPools } from '../providers/provider-pools.js'
import { ProviderFailure } from '../providers/provider-failure.js'
import { providerBody, requestCompletion } from '../providers/openai-compatible.js'
import { parseChatRequest, type ChatRequest } from './request.js'
import { RequestEnd } from '../call/request-end.js'
import { rankCandidates, type RankedRoute } from '../routing/router.js'
import { lessUsage, type StreamUsageMemory } from '../providers/stream-usage.js'
import type { StreamTicker } from '../call/stream-ticker.js'
import { countText, loadTokenizer } from '../tokens/token-count.js'

export interface ChatServiceDeps {
  readonly ledger: CreditLedger
  readonly candidates: CandidateSource
  readonly ensureDeployment: EnsureDeployment
  readonly deploymentUse: DeploymentUse
  readonly health: HealthTracker
  readonly faults: ProviderFaults
  readonly streamUsage: StreamUsageMemory
  readonly pools: ProviderPools
  readonly ticker: StreamTicker
  /** Calls from their first check to their settlement. */
  readonly calls: OpenCount
  readonly clock: Clock
  readonly limits: ChatLimits
  /** For faults that no caller is there to hear of, such as a settlement that failed after the reader had left. */
  readonly onFault: (error: unknown) => void
}

export interface ChatService {
  /**
   * Answers a request as a whole. `input` is the OpenAI-shaped body; `chatId` names the hold and the usage record, and is
   * given where a request may hold several chat calls.
   * @throws AppError
   */
  complete(input: unknown, context: RequestContext, chatId?: string): Promise<ChatCompletion | ModelDeploying>
  /**
   * Answers a request as a stream. Resolves when the first token has arrived and the hold is durable; what goes wrong before
   * is thrown. The reader calls `next()` only when it can take more, and `return()` when it leaves early.
   * @throws AppError
   */
  stream(input: unknown, context: RequestContext): Promise<AsyncIterableIterator<ChatStreamEvent> | ModelDeploying>
}

export function createChatService(deps: ChatServiceDeps): ChatService {
  return {
    async complete(input, context, chatId = context.requestId) {
      deps.calls.add()
      try {
        const begun = begin(deps, input, context, chatId)
        const call = begun instanceof Promise ? await begun : begun
        return call instanceof ModelDeploying ? call : await completeAndSettle(deps, call)
      } finally {
        deps.calls.remove()
      }
    },

    async stream(input, context) {
      deps.calls.add()
      let opened: ChatStream | null = null
      try {
        const call = await begin(deps, input, context, context.requestId)
        if (call instanceof ModelDeploying) return call
        return (opened = await openOrSettle(deps, call))
      } finally {
        // An open stream ends with its own settlement.
        if (!opened) deps.calls.remove()
      }
    },
  }
}

/** What happens now or later: the usual call waits for nothing until its provider is asked. */
type Eventually<T> = T | Promise<T>

function begin(
  deps: ChatServiceDeps,
  input: unknown,
  context: RequestContext,
  chatId: string,
): Eventually<ChatCall | ModelDeploying> {
  const principal = requireScope(context, 'chat')
  const request = parseChatRequest(input, deps.limits)
  const resolution = deps.candidates.resolve(request.model, principal.accountId, principal.models)
  const asked: Asked = { request, principal, context, chatId }
  if (resolution.kind === 'cold') return beginCold(deps, asked, resolution.modelId)
  return beginCall(deps, asked, modelsOf(asked.request, resolution))
}

/** A checked request and who sent it. */
interface Asked {
  readonly request: ChatRequest
  readonly principal: Principal
  readonly context: RequestContext
  readonly chatId: string
}

async function beginCold(deps: ChatServiceDeps, asked: Asked, modelId: string): Promise<ChatCall | ModelDeploying> {
  const { request, principal, context } = asked
  const { accountId } = principal
  const result = await deps.ensureDeployment({ modelId, accountId, context })
  if (result.kind === 'deploying') return ModelDeploying.of(result)
  if (result.kind === 'not_deployable') throw modelNotFound(request.model)
  const models = modelsOf(request, deps.candidates.resolve(request.model, accountId, principal.models))
  return beginCall(deps, asked, models)
}

function modelsOf({ model }: ChatRequest, resolution: Resolution): readonly CandidateModel[] {
  if (resolution.kind === 'pricing_pending') throw pricingPending()
  if (resolution.kind !== 'candidates' || resolution.models.length === 0) throw modelNotFound(model)
  return resolution.models
}

const pricingPending = (): AppError =>
  new AppError('pricing_pending', 'The price of this model is not confirmed yet, so it cannot be called.', { param: 'model' })

function beginCall(deps: ChatServiceDeps, asked: Asked, models: readonly CandidateModel[]): Eventually<ChatCall> {
  const { limits, clock, ledger } = deps
  const { request, principal, context, chatId } = asked
  const size = promptSize(request)
  const route = rankCandidates(routingFacts(request, size), models, (id) => deps.health.candidate(id))
  if (route.kept.length === 0) throw notRoutable(request, route)
  const startedAt = clock.now()
  const end = new RequestEnd(context.signal, clock, context.startedAt + limits.requestTimeMs - limits.settleMarginMs)
  const facts: ChatCallFacts = {
    chatId,
    principal,
    request,
    completionId: newId('chatcmpl', startedAt).replace('_', '-'),
    created: Math.floor(startedAt / 1_000),
    kept: route.kept.slice(0, limits.attempts),
    explanation: route.explanation.slice(0, EXPLAINED_CANDIDATES),
    startedAt,
    begunAt: clock.monotonic(),
    traceparent: traceparentOf(context),
  }
  const withHold = (hold: Hold): ChatCall => {
    // A refused hold ends the provider's call that was begun beside it. This also marks the rejection as handled.
    if (!hold.mustAwait) hold.committed.catch((error: unknown) => end.now(toAppError(error)))
    return new ChatCall(facts, hold, end, ledger, clock, deps.deploymentUse)
  }
  const { kept } = facts
  const expiresAt = startedAt + limits.requestTimeMs + 60_000
  const { accountId, keyId, budgetId } = principal
  const hold = admit({ holdId: chatId, accountId, keyId, budgetId, expiresAt, request, size, kept }, ledger, limits)
  if (!(hold instanceof Promise)) return withHold(hold)
  return hold.then(withHold, (error: unknown) => {
    end.close()
    throw error
  })
}

const TRACEPARENT = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/

/** The one header of the caller that goes to a provider, and only in the form that the standard gives it. */
function traceparentOf(context: RequestContext): string | undefined {
  const header = context.headers.get('traceparent')
  return header !== undefined && TRACEPARENT.test(header) ? header : undefined
}

/** A tier may hold dozens of deployments; the stored explanation stays small. */
const EXPLAINED_CANDIDATES = 32

const routingFacts = (request: ChatRequest, size: PromptSize) => ({
  needsFunctionCalling: request.needsFunctionCalling,
  needsJsonMode: request.needsJsonMode,
  inputTokens: size.about,
  inputTokensAtLeast: size.atLeast,
  maxOutputTokens: request.maxOutputTokens,
  choices: request.choices,
})

/** The 400 of a request that no deployment can answer, naming what stands against the most capable ones. */
function notRoutable(request: ChatRequest, route: RankedRoute): AppError {
  const reasons = new Set(route.explanation.map(({ reason }) => reason))
  if (reasons.size === 0) return modelNotFound(request.model)
  if (reasons.has('max_output_tokens')) {
    const param = request.body['max_completion_tokens'] === undefined ? 'max_tokens' : 'max_completion_tokens'
    return new AppError('invalid_request_error', `The field "${param}" is larger than what the model can write.`, { param })
  }
  if (reasons.has('context_window')) {
    return new AppError(
      'context_length_exceeded',
      'The prompt and the requested output do not fit the context window of the model.',
      {
        param: 'messages',
      },
    )
  }
  if (reasons.has('no_function_calling')) {
    return new AppError('invalid_request_error', 'This model does not support function calling.', { param: 'tools' })
  }
  if (reasons.has('no_json_mode')) {
    return new AppError('invalid_request_error', 'This model does not support this response format.', {
      param: 'response_format',
    })
  }
  return pricingPending()
}

async function completeAndSettle(deps: ChatServiceDeps, call: ChatCall): Promise<ChatCompletion> {
  try {
    return await completeCall(deps, call)
  } finally {
    // Only what failed is still open here: the answer's own settlement came first.
    if (!call.isSettled) await settleFailure(deps, call)
  }
}

async function openOrSettle(deps: ChatServiceDeps, call: ChatCall): Promise<ChatStream> {
  try {
    return await openChatStream(deps, call)
  } catch (error) {
    await settleFailure(deps, call)
    throw error
  }
}

async function completeCall(deps: ChatServiceDeps, call: ChatCall): Promise<ChatCompletion> {
  const { facts, hold } = call
  const completion = await failover(call, deps, async ({ kept, isLast, trial, startedAt }) => {
    const body = providerBody(facts.request, kept.candidate, outputLimitFor(hold, facts.request, kept), null)
    const pool = deps.pools.of(kept.candidate.provider)
    // A whole answer's first byte comes after its last token: the last provider may take all of the request's time.
    const firstByteTimeMs = isLast ? deps.limits.requestTimeMs : deps.limits.firstByteTimeMs
    const providerRequest = { body, traceparent: facts.traceparent, firstByteTimeMs }
    const answer = await requestCompletion(pool, providerRequest, deps.limits, call.end)
    const read = readCompletion(answer, call.identity(kept))
    const durationMs = deps.clock.monotonic() - startedAt
    trial.answered({ latencyMs: durationMs, firstTokenMs: null, outputTokens: read.usage?.tokens.output ?? 0, durationMs })
    return read
  })
  const outcome = await wholeOutcome(call, completion)
  // A provider that answers at once is charged in the commit of its own hold. Nothing leaves before both are durable.
  await Promise.all([hold.committed, call.settle({ ...outcome, isUndelivered: true })])
  return new ChatCompletion(withUsage(completion.object, outcome.tokens, outcome.details))
}

/** The report of the provider when it can be believed, else a count of the answer, which is then cut to its limit. */
async function wholeOutcome(call: ChatCall, completion: ReadCompletion): Promise<Outcome> {
  const kept = call.current!
  const { tokenizer } = kept.model
  const cover = coverOf(call.hold, call.facts.request, kept)
  const { usage } = completion
  if (usage && isWithin(usage, cover) && !(await ignoresLimit(completion, tokenizer, cover))) {
    return { endedAs: 'completed', ...billedReport(usage, cover), usageSource: 'reported' }
  }
  const output = await cutToLimit(completion, tokenizer, cover)
  const input = await countPrompt(call.facts.request, tokenizer)
  return { endedAs: 'completed', tokens: billedCount(input, output, cover), usageSource: 'counted' }
}

/** Whether the answer has more choices than were asked for, or is far longer than its report says that it may be. */
async function ignoresLimit({ choices }: ReadCompletion, tokenizer: Tokenizer, cover: Cover): Promise<boolean> {
  if (choices.length > cover.choices) return true
  const text = choices.length === 1 ? choices[0]!.text : choices.map((choice) => choice.text).join('')
  return isSuspicious(Buffer.byteLength(text), cover) && isOverLimit(await countText(tokenizer, text), cover)
}

async function openChatStream(deps: ChatServiceDeps, call: ChatCall): Promise<ChatStream> {
  const { facts, hold } = call
  const { clock, limits, ticker } = deps
  const opened = await failover(call, deps, async (attempt) => {
    const provider = await startStream(deps, call, attempt)
    attempt.trial.alive()
    return { attempt, provider }
  })
  call.firstTokenMs = clock.monotonic() - facts.begunAt
  const { attempt, provider } = opened
  try {
    const [count] = await Promise.all([loadTokenizer(attempt.kept.model.tokenizer), hold.committed])
    if (call.end.reason !== null) throw call.end.reason
    const cover = coverOf(hold, facts.request, attempt.kept)
    const stream = new ChatStream({
      call,
      provider,
      attempt,
      delivered: new AnswerLimit(count, cover),
      cover,
      promptTokensAbout: promptSize(facts.request).about,
      clock,
      limits,
      onFault: deps.onFault,
      onSettled(settled) {
        ticker.remove(settled)
        deps.calls.remove()
      },
    })
    ticker.add(stream)
    return stream
  } catch (error) {
    provider.cancel()
    attempt.trial.abandoned()
    throw error
  }
}

/** The provider's stream when it has begun; asks for less when it refuses to count for us. */
async function startStream(deps: ChatServiceDeps, call: ChatCall, { kept }: Attempt): Promise<ProviderStream> {
  const { facts, hold } = call
  const { clock, limits, streamUsage } = deps
  const { provider: config } = kept.candidate
  let usage = streamUsage.of(config)
  for (let isRepeated = false; ; isRepeated = true) {
    const provider = new ProviderStream({
      pool: deps.pools.of(config),
      request: {
        body: providerBody(facts.request, kept.candidate, outputLimitFor(hold, facts.request, kept), usage),
        traceparent: facts.traceparent,
        firstByteTimeMs: limits.firstByteTimeMs,
      },
      identity: call.identity(kept),
      choices: facts.request.choices,
      limits,
      clock,
    })
    call.end.onEnd = () => provider.cancel()
    if (call.end.reason !== null) provider.cancel()
    try {
      await provider.started
      // Only what has worked is remembered: the refused words may have been the prompt's.
      if (isRepeated) streamUsage.remember(config, usage)
      return provider
    } catch (error) {
      const less = error instanceof ProviderFailure && call.end.reason === null ? lessUsage(usage, error) : null
      if (less === null) throw error
      usage = less
    }
  }
}

/** Nothing was delivered: nothing is charged, and the route stays on record. Never hides the error that led here. */
async function settleFailure({ onFault }: ChatServiceDeps, call: ChatCall): Promise<void> {
  const { reason } = call.end
  await call.settle({ endedAs: reason ? endedBy(reason) : 'failed', tokens: NO_TOKENS, usageSource: 'counted' }).catch(onFault)
}
