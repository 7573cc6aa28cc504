/** The report of a request that got no call: what was wrong with it, or that its model is being deployed. */
import { toAppError, type ErrorCode } from '#platform/errors.js'
import type { RequestContext } from '#platform/requests/context.js'
import type { ChatApi } from '#platform/vocabulary/words.js'
import type { CandidateSource, ChatReport, RefusedRequest } from '../ports.js'
import { NO_TOKENS } from './chat-call.js'

export const refusedReport = (modelId: string | null, outcome: ErrorCode): ChatReport => ({
  modelId,
  providerId: null,
  outcome,
  tokens: NO_TOKENS,
  cost: 0n,
  attempts: [],
  firstTokenMs: null,
  durationMs: null,
  codeFindings: null,
})

export const faultReport = (source: CandidateSource, input: unknown, context: RequestContext, thrown: unknown): ChatReport =>
  refusedReport(modelAsked(source, input, context), toAppError(thrown).code)

/** Null for nobody's, and for one whose caller has left. */
export function refusedRequest(
  { chatId: id, api }: { readonly chatId: string; readonly api: ChatApi },
  createdAt: number,
  input: unknown,
  { principal }: RequestContext,
  thrown: unknown,
): RefusedRequest | null {
  const { code, message } = toAppError(thrown)
  if (principal === null || code === 'client_closed_request') return null
  const { accountId, keyId } = principal
  return { id, accountId, keyId, createdAt, model: nameAsked(input), api, code, message }
}

function nameAsked(input: unknown): string | null {
  const name = typeof input === 'object' && input !== null && 'model' in input ? input.model : null
  return typeof name === 'string' ? name : null
}

/** The model that a request names, when it is one of ours: anything else is the caller's text. */
function modelAsked(source: CandidateSource, input: unknown, { principal }: RequestContext): string | null {
  const name = nameAsked(input)
  if (name === null || principal === null) return null
  const found = source.resolve(name, principal.accountId, principal.models)
  if (found.kind === 'unknown') return null
  if (found.kind !== 'candidates') return found.modelId
  return found.models.length === 1 ? found.models[0]!.modelId : null
}
