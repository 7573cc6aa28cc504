/**
 * The beginning of a chat call: the request is checked, its model found, a route made and the hold placed. What does not come
 * that far is reported here, because no call will.
 */
import type { Clock } from '#platform/clock.js'
import { budgetsFor, requireScope, type Principal, type RequestContext } from '#platform/requests/context.js'
import { AppError, modelNotFound, toAppError } from '#platform/errors.js'
import type { Eventually } from '#platform/eventually.js'
import { newId } from '#platform/ids.js'
import { ChatApi, ProviderApi } from '#platform/vocabulary/words.js'
import { chatFacts, endCallSpan, failedCall } from '../call/call-span.js'
import { admit, type Hold } from '../call/admission.js'
import { ChatCall, type ChatCallFacts } from '../call/chat-call.js'
import { faultReport, refusedReport, refusedRequest } from '../call/refused-report.js'
import { takeRates } from '../call/rates.js'
import { RequestEnd } from '../call/request-end.js'
import { CallContent } from '../content/call-content.js'
import type { ChatLimits } from '../limits.js'
import type {
  AnswerCode,
  AnswerScanPlan,
  CandidateModel,
  ChatReport,
  CandidateSource,
  CreditLedger,
  DeploymentUse,
  EnsureDeployment,
  KeyRates,
  OnReport,
  RateGrant,
  RefusedRequest,
  Resolution,
} from '../ports.js'
import type { HealthTracker } from '../routing/health.js'
import { chatOnlyField } from '../providers/messages/chat-only.js'
import { rankCandidates, type RankedRoute } from '../routing/router.js'
import { promptSize, type PromptSize } from '../tokens/prompt-size.js'
import { ModelDeploying } from './chat-type.js'
import { withinReach } from './output-reach.js'
import { parseChatRequest, type ChatRequest } from './request.js'

export interface BeginDeps {
  readonly ledger: CreditLedger
  readonly rates: KeyRates
  readonly answerCode: AnswerCode
  readonly candidates: CandidateSource
  readonly ensureDeployment: EnsureDeployment
  readonly deploymentUse: DeploymentUse
  readonly health: HealthTracker
  readonly clock: Clock
  readonly limits: ChatLimits
  /** Prompts and answers are written on the spans of their calls. */
  readonly tellsContent: boolean
  /** Hears how every request went. */
  readonly onReport: OnReport
  readonly onRefused: (refusal: RefusedRequest) => void
}

/** What an edge says of a call besides its request. */
export interface CallOrigin {
  /** Names the hold and the usage record. */
  readonly chatId: string
  readonly api: ChatApi
  /** The standards by which the request wants the code of the answer scanned, all of them when empty; null for not at all. */
  readonly scan: readonly string[] | null
}

function begin(
  deps: BeginDeps,
  input: unknown,
  context: RequestContext,
  origin: CallOrigin,
): Eventually<ChatCall | ModelDeploying> {
  const principal = requireScope(context, 'chat')
  const request = parseChatRequest(input, deps.limits)
  // Before anything is paid: are these standards?
  if (origin.scan !== null) deps.answerCode.checkStandards(origin.scan)
  const resolution = deps.candidates.resolve(request.model, principal.accountId, principal.models)
  const asked: Asked = { request, principal, context, origin }
  if (resolution.kind === 'cold') return beginCold(deps, asked, resolution.modelId)
  return beginCall(deps, asked, modelsOf(asked.request, resolution))
}

/** `begin`, and a report of what does not come to a call. */
export function beginReported(
  deps: BeginDeps,
  input: unknown,
  context: RequestContext,
  origin: CallOrigin,
): Eventually<ChatCall | ModelDeploying> {
  const refused = (error: unknown): never => {
    deps.onReport(faultReport(deps.candidates, input, context, error), context)
    const refusal = refusedRequest(origin, deps.clock.now(), input, context, error)
    if (refusal) deps.onRefused(refusal)
    throw error
  }
  const begun = (call: ChatCall | ModelDeploying) => {
    if (call instanceof ModelDeploying) deps.onReport(refusedReport(call.model, 'model_deploying'), context)
    return call
  }
  try {
    const result = begin(deps, input, context, origin)
    return result instanceof Promise ? result.then(begun, refused) : begun(result)
  } catch (error) {
    return refused(error)
  }
}

/** A checked request and who sent it. */
interface Asked {
  readonly request: ChatRequest
  readonly principal: Principal
  readonly context: RequestContext
  readonly origin: CallOrigin
}

async function beginCold(deps: BeginDeps, asked: Asked, modelId: string): Promise<ChatCall | ModelDeploying> {
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

function beginCall(deps: BeginDeps, asked: Asked, models: readonly CandidateModel[]): Eventually<ChatCall> {
  const { limits, clock, ledger } = deps
  const { principal, context, origin } = asked
  const size = promptSize(asked.request)
  // Messages demands a limit, so one that is out of reach is no wish.
  const request = origin.api === ChatApi.MESSAGES ? withinReach(asked.request, size, models) : asked.request
  const span = context.span?.child(`chat ${request.model}`, chatFacts(request, principal), 'client') ?? null
  const content = deps.tellsContent && span?.isRecorded ? new CallContent(span, request) : null
  const routing = span?.child('route')
  const route = rankCandidates(routingFacts(request, size, models), models, (id) => deps.health.candidate(id))
  routing?.set({ 'sluice.route.candidates': route.explanation.length, 'sluice.route.kept': route.kept.length })
  routing?.end()
  if (route.kept.length === 0) throw failedCall(span, notRoutable(request, route))
  const startedAt = clock.now()
  const end = new RequestEnd(context.signal, clock, context.startedAt + limits.requestTimeMs - limits.settleMarginMs)
  let rate: RateGrant | null = null
  const facts: ChatCallFacts = {
    chatId: origin.chatId,
    api: origin.api,
    scan: scanPlan(principal, origin.scan),
    principal,
    request,
    completionId: newId('chatcmpl', startedAt).replace('_', '-'),
    created: Math.floor(startedAt / 1_000),
    kept: route.kept.slice(0, limits.attempts),
    explanation: route.explanation.slice(0, EXPLAINED_CANDIDATES),
    startedAt,
    begunAt: clock.monotonic(),
    traceparent: traceparentOf(context),
    signal: context.signal,
    span,
    content,
    onReport(report) {
      content?.end(report.outcome)
      if (span) endCallSpan(span, report)
      if (rate) rate.settle(tokensOf(report))
      deps.onReport(report, context)
      context.trail?.ended()
    },
  }
  const withHold = (hold: Hold): ChatCall => {
    // A refused hold ends the provider's call that was begun beside it. This also marks the rejection as handled.
    context.trail?.begin()
    admission?.end()
    hold.placing?.catch((error: unknown) => end.now(toAppError(error)))
    return new ChatCall(facts, hold, end, ledger, clock, deps.deploymentUse)
  }
  const { kept } = facts
  const admission = span?.child('admission')
  const expiresAt = startedAt + limits.requestTimeMs + 60_000
  const { accountId, keyId } = principal
  const budgetIds = budgetsFor(principal, () => kept.map(({ model }) => model.modelId))
  const place = () =>
    admit({ holdId: origin.chatId, accountId, keyId, budgetIds, expiresAt, request, size, kept }, ledger, limits)
  const hold = principal.rateLimits
    ? takeRates(deps.rates, principal.rateLimits, tokensAsked(request, size), context.answerHead).then((grant) => {
        rate = grant
        return place()
      })
    : place()
  if (!(hold instanceof Promise)) return withHold(hold)
  return hold.then(withHold, (error: unknown) => {
    end.close()
    rate?.settle(0)
    admission?.end()
    throw failedCall(span, error)
  })
}

/** What the key demands goes before what the request asks for. */
function scanPlan({ answerScan }: Principal, asked: readonly string[] | null): AnswerScanPlan | null {
  if (answerScan) return { ...answerScan, isDemanded: true }
  return asked && { mode: 'report', standards: asked, minSeverity: 'low', isDemanded: false }
}

/** What a request is known to need: its prompt, and the answer where the caller says how long it may be. */
const tokensAsked = ({ maxOutputTokens, choices }: ChatRequest, { about }: PromptSize): number =>
  about + (maxOutputTokens ?? 0) * choices

const tokensOf = ({ tokens: { input, cachedInput, output } }: ChatReport): number => input + cachedInput + output

const TRACEPARENT = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/

/** The one header of the caller that goes to a provider, and only in the form that the standard gives it. */
function traceparentOf(context: RequestContext): string | undefined {
  const header = context.headers.get('traceparent')
  return header !== undefined && TRACEPARENT.test(header) ? header : undefined
}

/** A tier may hold dozens of deployments; the stored explanation stays small. */
const EXPLAINED_CANDIDATES = 32

const routingFacts = (request: ChatRequest, size: PromptSize, models: readonly CandidateModel[]) => ({
  needsFunctionCalling: request.needsFunctionCalling,
  needsJsonMode: request.needsJsonMode,
  inputTokens: size.about,
  inputTokensAtLeast: size.atLeast,
  maxOutputTokens: request.maxOutputTokens,
  choices: request.choices,
  chatOnlyField: models.some(speaksOther) ? chatOnlyFieldOf(request) : null,
})

/** Whether any of its providers speaks something else than chat completions. */
const speaksOther = ({ deployments }: CandidateModel): boolean =>
  deployments.some(({ provider }) => provider.api === ProviderApi.MESSAGES)

const chatOnlyFieldOf = ({ body, large }: ChatRequest): string | null => (large ? large.chatOnlyField : chatOnlyField(body))

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
  if (reasons.has('unsupported_field')) {
    const param = chatOnlyFieldOf(request) ?? undefined
    return new AppError(
      'invalid_request_error',
      `The field "${param}" asks for something that no provider of this model offers.`,
      { param },
    )
  }
  if (reasons.has('no_json_mode')) {
    return new AppError('invalid_request_error', 'This model does not support this response format.', {
      param: 'response_format',
    })
  }
  return pricingPending()
}
