/**
 * Chat completions, the verbs: `complete` and `stream`.
 *
 * parse -> resolve -> route -> admit (hold) -> call providers in order -> deliver -> settle. A provider may be called while
 * the hold is still on its way when credits are plentiful, but nothing reaches the caller before it is placed.
 */
import { requireScope, type RequestContext } from '#platform/requests/context.js'
import { modelNotFound } from '#platform/errors.js'
import { ChatApi, EndedAs, USUAL_TOKENIZER } from '#platform/vocabulary/words.js'
import type { OpenCount } from '#platform/requests/open-count.js'
import { coverOf, outputLimitFor } from '../call/admission.js'
import { AnswerScan } from '../answers/answer-scan.js'
import type { ToolCodeRule } from '../answers/tool-code.js'
import { withhold } from '../answers/withheld.js'
import { AnswerLimit } from './answer-limit.js'
import { beginReported, type BeginDeps, type CallOrigin } from './begin.js'
import { billedCount, billedReport, isOverLimit, isSuspicious, isWithin, type Cover } from '../call/billing.js'
import { endedBy, NO_TOKENS, type ChatCall, type Outcome } from '../call/chat-call.js'
import { ChatStream, type ChatStreamEvent, type StreamForm } from './chat-stream.js'
import { ChatCompletion, ModelDeploying } from './chat-type.js'
import { cutToLimit, readCompletion, withUsage, type ReadCompletion } from './completion.js'
import { failover, type Attempt } from '../call/failover.js'
import { countPrompt, promptSize } from '../tokens/prompt-size.js'
import type { ProviderFaults } from '../providers/provider-faults.js'
import { ProviderStream } from '../providers/provider-stream.js'
import type { ProviderPools } from '../providers/provider-pools.js'
import { ProviderFailure } from '../providers/provider-failure.js'
import { requestCompletion } from '../providers/provider-answer.js'
import { dialectOf } from '../providers/provider-dialects.js'
import { parseChatRequest } from './request.js'
import type { ReportedUsage } from '../tokens/usage.js'
import { lessUsage, type StreamUsageMemory } from '../providers/stream-usage.js'
import type { StreamTicker } from '../call/stream-ticker.js'
import { countText, loadTokenizer } from '../tokens/token-count.js'

export interface ChatServiceDeps extends BeginDeps {
  readonly faults: ProviderFaults
  readonly streamUsage: StreamUsageMemory
  readonly pools: ProviderPools
  readonly ticker: StreamTicker
  /** Functions whose arguments hold code. */
  readonly tools: readonly ToolCodeRule[]
  /** Calls from their first check to their settlement. */
  readonly calls: OpenCount
  /** For faults that no caller is there to hear of, such as a settlement that failed after the reader had left. */
  readonly onFault: (error: unknown) => void
}

export interface ChatService {
  /**
   * Answers a request as a whole. `input` is the OpenAI-shaped body; `chatId` is the request's id unless said otherwise, which is
   * said where a request may hold several chat calls.
   * @throws AppError
   */
  complete(input: unknown, context: RequestContext, origin?: Partial<CallOrigin>): Promise<ChatCompletion | ModelDeploying>
  /**
   * Answers a request as a stream, of single chunks unless said otherwise. Resolves when the first token has arrived and the hold is placed; what goes wrong before
   * is thrown. The reader calls `next()` only when it can take more, and `return()` when it leaves early.
   * @throws AppError
   */
  stream(
    input: unknown,
    context: RequestContext,
    form?: StreamForm,
    origin?: Partial<CallOrigin>,
  ): Promise<AsyncIterableIterator<ChatStreamEvent> | ModelDeploying>
  /**
   * The tokens of a request's prompt, counted as for the bill of an answer whose provider reports none. Asks no provider, deploys nothing
   * and costs nothing.
   * @throws AppError
   */
  countPrompt(input: unknown, context: RequestContext): Promise<number>
}

export function createChatService(deps: ChatServiceDeps): ChatService {
  return {
    async complete(input, context, origin = {}) {
      deps.calls.add()
      try {
        const begun = beginReported(deps, input, context, originOf(context, origin))
        const call = begun instanceof Promise ? await begun : begun
        return call instanceof ModelDeploying ? call : await completeAndSettle(deps, call)
      } finally {
        deps.calls.remove()
      }
    },

    async stream(input, context, form = 'chunks', origin = {}) {
      deps.calls.add()
      let opened: ChatStream | null = null
      try {
        const call = await beginReported(deps, input, context, originOf(context, origin))
        if (call instanceof ModelDeploying) return call
        return (opened = await openOrSettle(deps, call, form))
      } finally {
        // An open stream ends with its own settlement.
        if (!opened) deps.calls.remove()
      }
    },

    async countPrompt(input, context) {
      const { accountId, models } = requireScope(context, 'chat')
      const request = parseChatRequest(input, deps.limits)
      const resolution = deps.candidates.resolve(request.model, accountId, models)
      if (resolution.kind === 'unknown') throw modelNotFound(request.model)
      const tokenizer = resolution.kind === 'candidates' ? resolution.models[0]?.tokenizer : undefined
      return countPrompt(request, tokenizer ?? USUAL_TOKENIZER)
    },
  }
}

const originOf = (context: RequestContext, said: Partial<CallOrigin>): CallOrigin => ({
  chatId: context.requestId,
  api: ChatApi.GRAPHQL,
  scan: null,
  ...said,
})

/** The scan of the answer, when there is to be one. */
function scanOf({ answerCode: scanner, tools }: ChatServiceDeps, { facts }: ChatCall): AnswerScan | null {
  const { scan: plan, principal, signal } = facts
  return plan && new AnswerScan({ scanner, plan, accountId: principal.accountId, signal, tools })
}

async function completeAndSettle(deps: ChatServiceDeps, call: ChatCall): Promise<ChatCompletion> {
  try {
    return await completeCall(deps, call)
  } finally {
    // Only what failed is still open here: the answer's own settlement came first.
    if (!call.isSettled) await settleFailure(deps, call)
  }
}

async function openOrSettle(deps: ChatServiceDeps, call: ChatCall, form: StreamForm): Promise<ChatStream> {
  try {
    return await openChatStream(deps, call, form)
  } catch (error) {
    await settleFailure(deps, call)
    throw error
  }
}

async function completeCall(deps: ChatServiceDeps, call: ChatCall): Promise<ChatCompletion> {
  const { facts, hold } = call
  const completion = await failover(call, deps, async ({ kept, isLast, trial, startedAt, traceparent }) => {
    const pool = deps.pools.of(kept.candidate.provider)
    const dialect = dialectOf(pool.provider)
    const body = await dialect.body(facts.request, kept.candidate, outputLimitFor(hold, facts.request, kept), null)
    // A whole answer's first byte comes after its last token: the last provider may take all of the request's time.
    const firstByteTimeMs = isLast ? deps.limits.requestTimeMs : deps.limits.firstByteTimeMs
    const providerRequest = { body, traceparent, firstByteTimeMs }
    const answer = await requestCompletion(pool, providerRequest, deps.limits, call.end)
    const read = readCompletion(dialect.completion(answer), call.identity(kept))
    const durationMs = deps.clock.monotonic() - startedAt
    trial.answered({ latencyMs: durationMs, firstTokenMs: null, outputTokens: read.usage?.tokens.output ?? 0, durationMs })
    return read
  })
  const outcome = reportedOutcome(call, completion) ?? (await countedOutcome(call, completion))
  const scan = scanOf(deps, call)
  if (scan) await scanWhole(scan, completion)
  facts.content?.read(completion.object, 'message')
  if (hold.placing) await hold.placing
  const scanned = scan && { codeFindings: scan.findings, ...(scan.refused.length > 0 && { endedAs: EndedAs.BLOCKED }) }
  await call.settle({ ...outcome, ...scanned, isUndelivered: true })
  return new ChatCompletion(withUsage(completion.object, outcome.tokens, outcome.details))
}

async function scanWhole(scan: AnswerScan, completion: ReadCompletion): Promise<void> {
  scan.read(completion.object, 'message')
  const report = await scan.end()
  withhold(completion, scan)
  completion.object['sluice'] = { scan: report }
}

/** What the provider reports, when that keeps the limits. */
const reportWithin = ({ usage, choices }: ReadCompletion, cover: Cover): ReportedUsage | null =>
  usage && isWithin(usage, cover) && choices.length <= cover.choices ? usage : null

const billedAs = (report: ReportedUsage, cover: Cover): Outcome => {
  const { tokens, details } = billedReport(report, cover)
  return { endedAs: 'completed', tokens, details, usageSource: 'reported' }
}

/** By the report of the provider; null when the answer looks longer than that says. */
function reportedOutcome(call: ChatCall, completion: ReadCompletion): Outcome | null {
  const cover = coverOf(call.hold, call.facts.request, call.current!)
  const report = reportWithin(completion, cover)
  return report && !isSuspicious(bytesOf(completion), cover) ? billedAs(report, cover) : null
}

/** By a look at the answer: by the report after all, or else by a count of the answer, which is then cut to its limit. */
async function countedOutcome(call: ChatCall, completion: ReadCompletion): Promise<Outcome> {
  const kept = call.current!
  const { tokenizer } = kept.model
  const cover = coverOf(call.hold, call.facts.request, kept)
  const report = reportWithin(completion, cover)
  const text = completion.choices.map((choice) => choice.text).join('')
  if (report && !isOverLimit(await countText(tokenizer, text), cover)) return billedAs(report, cover)
  const output = await cutToLimit(completion, tokenizer, cover)
  const input = await countPrompt(call.facts.request, tokenizer)
  return { endedAs: 'completed', tokens: billedCount(input, output, cover), usageSource: 'counted' }
}

const bytesOf = ({ choices }: ReadCompletion): number => choices.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)

async function openChatStream(deps: ChatServiceDeps, call: ChatCall, form: StreamForm): Promise<ChatStream> {
  const { facts, hold } = call
  const { clock, limits, ticker } = deps
  // Who reads the answer on its way reads it chunk by chunk.
  const joinsChunks = form === 'text' && facts.scan === null && facts.content === null
  const opened = await failover(call, deps, async (attempt) => {
    const provider = await startStream(deps, call, attempt, joinsChunks)
    attempt.trial.alive()
    return { attempt, provider }
  })
  call.firstTokenMs = clock.monotonic() - facts.begunAt
  const { attempt, provider } = opened
  const span = facts.span?.child('stream')
  span?.event('first_token')
  try {
    const [count] = await Promise.all([loadTokenizer(attempt.kept.model.tokenizer), hold.placing])
    if (call.end.reason !== null) throw call.end.reason
    const cover = coverOf(hold, facts.request, attempt.kept)
    const stream = new ChatStream({
      call,
      form,
      provider,
      attempt,
      delivered: new AnswerLimit(count, cover),
      cover,
      scan: scanOf(deps, call),
      promptTokensAbout: promptSize(facts.request).about,
      clock,
      limits,
      span,
      onFault: deps.onFault,
      onBroken: (failure) => deps.faults.failed(attempt.kept.candidate.providerId, failure),
      onSettled() {
        ticker.remove(facts.chatId)
        deps.calls.remove()
      },
    })
    ticker.add(facts.chatId, stream)
    return stream
  } catch (error) {
    span?.end()
    provider.cancel()
    attempt.trial.abandoned()
    throw error
  }
}

/** The provider's stream when it has begun; asks for less when it refuses to count for us. */
async function startStream(
  deps: ChatServiceDeps,
  call: ChatCall,
  { kept, traceparent }: Attempt,
  joinsChunks: boolean,
): Promise<ProviderStream> {
  const { facts, hold } = call
  const { clock, limits, streamUsage } = deps
  const { provider: config } = kept.candidate
  let usage = streamUsage.of(config)
  for (let isRepeated = false; ; isRepeated = true) {
    const outputLimit = outputLimitFor(hold, facts.request, kept)
    const body = await dialectOf(config).body(facts.request, kept.candidate, outputLimit, usage)
    const provider = new ProviderStream({
      pool: deps.pools.of(config),
      request: { body, traceparent, firstByteTimeMs: limits.firstByteTimeMs },
      identity: call.identity(kept),
      choices: facts.request.choices,
      joinsChunks,
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
