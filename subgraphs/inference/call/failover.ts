/**
 * Trying the candidates in order until one begins to answer. Nothing has been sent to the caller yet, so a failure may be
 * followed by another provider; after the first byte there is no second answer.
 */
import type { Clock } from '#platform/clock.js'
import { AppError } from '#platform/errors.js'
import { coversCandidate } from './admission.js'
import type { ChatCall } from './chat-call.js'
import { MalformedEvent, ProviderErrorEvent } from '../chat/frames.js'
import type { HealthTracker, HealthTrial } from '../routing/health.js'
import type { ProviderFaults } from '../providers/provider-faults.js'
import { ProviderFailure } from '../providers/provider-failure.js'
import type { KeptCandidate } from '../routing/router.js'

export interface Attempt {
  readonly kept: KeptCandidate
  readonly trial: HealthTrial
  /** Nobody is left to try after this one. */
  readonly isLast: boolean
  /** When it was called, of the monotonic clock. */
  readonly startedAt: number
  /** The trace that the provider's work belongs to. */
  readonly traceparent: string | undefined
}

interface FailoverDeps {
  readonly health: HealthTracker
  readonly faults: ProviderFaults
  readonly clock: Clock
}

/** Calls `answer` for one candidate after the other. @throws AppError 400, 402, 502, 504, or why the request was ended */
export async function failover<T>(
  call: ChatCall,
  { health, faults, clock }: FailoverDeps,
  answer: (attempt: Attempt) => Promise<T>,
): Promise<T> {
  const failures: ProviderFailure[] = []
  const waiting = [...call.facts.kept]
  const postponed = new Set<KeptCandidate>()
  for (let kept = waiting.shift(); kept; kept = waiting.shift()) {
    const { deploymentId, providerId } = kept.candidate
    if (!coversCandidate(call.hold, call.facts.request, kept)) {
      call.attempts.push({ deploymentId, providerId, outcome: 'over_hold', status: null, durationMs: 0 })
      continue
    }
    const isTrial = kept.isTrial && !postponed.has(kept)
    const trial = isTrial ? health.beginTrial(deploymentId) : health.begin(deploymentId)
    if (trial === null) {
      // Another request is trying this one out. It stays the last resort.
      postponed.add(kept)
      waiting.push(kept)
      continue
    }
    const span = call.facts.span?.child(`attempt ${providerId}`, attemptFacts(kept), 'client')
    const traceparent = span?.traceparent ?? call.facts.traceparent
    const attempt = { kept, isLast: waiting.length === 0, trial, startedAt: clock.monotonic(), traceparent }
    call.callNow(kept)
    try {
      const result = await answer(attempt)
      faults.answered(providerId)
      call.servedBy = deploymentId
      call.attempts.push({
        deploymentId,
        providerId,
        outcome: 'answered',
        status: 200,
        durationMs: clock.monotonic() - attempt.startedAt,
      })
      return result
    } catch (error) {
      const failure = asFailure(error)
      const durationMs = clock.monotonic() - attempt.startedAt
      call.attempts.push({ deploymentId, providerId, outcome: failure.kind, status: failure.status, durationMs })
      span?.fail(failure.status === null ? failure.kind : String(failure.status))
      reportFailure(attempt.trial, failure)
      faults.failed(providerId, failure)
      failures.push(failure)
      throwIfFinal(call, failure)
    } finally {
      span?.end()
    }
  }
  throw call.allFailed(retryAfterSeconds(failures))
}

const attemptFacts = ({ candidate, model }: KeptCandidate) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': candidate.providerId,
  'gen_ai.request.model': model.modelId,
  'sluice.deployment.id': candidate.deploymentId,
})

/** The longest pause that the providers asked for, when all of them said that they are busy and nothing else went wrong. */
function retryAfterSeconds(failures: readonly ProviderFailure[]): number | undefined {
  if (!failures.every(({ status }) => status === 429)) return undefined
  const longestMs = Math.max(...failures.map(({ retryAfterMs }) => retryAfterMs ?? 0))
  return longestMs > 0 ? Math.ceil(longestMs / 1_000) : undefined
}

function throwIfFinal(call: ChatCall, failure: ProviderFailure): void {
  if (call.end.reason !== null) throw call.end.reason
  if (!failure.isRefusal) return
  throw refusalOf(failure)
}

/** The provider's refusal as the caller's 400, in the words of the provider. */
function refusalOf({ refusal, status, words }: ProviderFailure): AppError {
  const message = words?.message || null
  if (refusal === 'context_length_exceeded') {
    const ours = 'The prompt and the requested output do not fit the context window of the model.'
    return new AppError('context_length_exceeded', message ?? ours, { param: words?.param ?? 'messages' })
  }
  return new AppError('invalid_request_error', message ?? `The provider refused the request (status ${status}).`, {
    ...(words?.param && { param: words.param }),
    ...(words?.code && { publicCode: words.code }),
  })
}

/** What a thrown value says about the provider. Bugs of ours are not its failures and are thrown on. */
export function asFailure(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error
  if (error instanceof MalformedEvent) return new ProviderFailure('malformed')
  if (error instanceof ProviderErrorEvent) return new ProviderFailure('error_frame')
  throw error
}

export function reportFailure(trial: HealthTrial, failure: ProviderFailure): void {
  if (failure.kind === 'cancelled' || failure.isRefusal) trial.abandoned()
  else if (failure.status === 429) trial.rateLimited(failure.retryAfterMs)
  else trial.failed()
}
