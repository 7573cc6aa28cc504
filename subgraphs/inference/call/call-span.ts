/** The span of a chat call, in the words of the GenAI semantic conventions. Prompts and answers: `content`. */
import { toAppError } from '#platform/errors.js'
import { formatUsd } from '#platform/money.js'
import type { Principal } from '#platform/requests/context.js'
import type { TraceSpan } from '#platform/requests/tracing.js'
import type { ChatRequest } from '../chat/request.js'
import type { ChatReport } from '../ports.js'

export const chatFacts = ({ model, maxOutputTokens }: ChatRequest, { accountId, keyId }: Principal) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': model,
  'sluice.account.id': accountId,
  'sluice.key.id': keyId,
  ...(maxOutputTokens !== null && { 'gen_ai.request.max_tokens': maxOutputTokens }),
})

/** Ends the span of a request that comes to no call. */
export function failedCall<Fault>(span: TraceSpan | null, error: Fault): Fault {
  span?.fail(toAppError(error).code)
  span?.end()
  return error
}

export function endCallSpan(span: TraceSpan, report: ChatReport): void {
  const { modelId, providerId, outcome, tokens, cost, firstTokenMs } = report
  span.set({
    ...(modelId !== null && { 'gen_ai.response.model': modelId }),
    ...(providerId !== null && { 'gen_ai.provider.name': providerId }),
    // The prompt whole, cached or not, as the conventions count it.
    'gen_ai.usage.input_tokens': tokens.input + tokens.cachedInput,
    'gen_ai.usage.cache_read.input_tokens': tokens.cachedInput,
    'gen_ai.usage.output_tokens': tokens.output,
    'sluice.cost.usd': formatUsd(cost),
    'sluice.ended_as': outcome,
    ...(firstTokenMs !== null && { 'sluice.first_token_ms': Math.round(firstTokenMs * 10) / 10 }),
  })
  if (outcome !== 'completed' && outcome !== 'client_closed') span.fail(outcome)
  span.end()
}
