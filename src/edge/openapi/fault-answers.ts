/** The answers to faults as the OpenAPI description shows them, by the contract and the status. */
import { z } from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import type { ErrorCode } from '#platform/errors.js'
import type { FaultShape } from '../endpoint.js'
import { anthropicFault, faultRows, openAiFault, scannerFault } from './fault-shapes.js'
import { requestId, retryAfter, someText } from './shapes.js'

/** The only word, or one of them. */
const oneOf = (words: readonly string[]) => {
  const [first = '', ...more] = new Set(words)
  return more.length === 0 ? z.literal(first) : z.enum([first, ...more])
}

/** Codes that only the scanner says. */
const SCANNER_ONLY: readonly ErrorCode[] = ['unsupported_language']

/** The shape of /v1 with what a status can say. */
function openAiFaultOf(id: string, status: number): z.ZodType {
  const possible = faultRows.filter(({ httpStatus, code }) => httpStatus === status && !SCANNER_ONLY.includes(code))
  const said = {
    type: oneOf(possible.map(({ type }) => type)),
    code: oneOf(possible.map(({ code }) => code)),
    ...(status === 401 && { param: z.null() }),
  }
  return z.intersection(openAiFault, z.looseObject({ error: z.looseObject(said) })).meta({ id })
}

const scannerFaultOf = (id: string, codes: readonly string[], more: z.ZodRawShape = {}): z.ZodType =>
  z.intersection(scannerFault, z.looseObject({ code: oneOf(codes), ...more })).meta({ id })

const jsonRpcFault = z
  .object({
    jsonrpc: z.literal('2.0'),
    error: z.looseObject({ code: z.int(), message: someText }),
    id: z.null(),
  })
  .meta({ id: 'JsonRpcError' })

interface Said {
  readonly description: string
  readonly schema: z.ZodType
  readonly headers?: z.ZodRawShape
}

const response = (id: string, { description, schema, headers = {} }: Said): ZodOpenApiResponseObject => ({
  id,
  description,
  headers: z.object({ 'x-request-id': requestId, ...headers }),
  content: { 'application/json': { schema } },
})

const LATER = { 'retry-after': retryAfter }
const NO_KEY = 'The key is missing, malformed, unknown, expired or revoked.'
const NO_SCOPE = 'The key is valid and lacks the scope.'
const FAILED = 'The server failed; the request id finds the reason in its log.'

const openAi = (id: string, status: number, schemaId: string, description: string, headers?: z.ZodRawShape) =>
  response(id, { description, schema: openAiFaultOf(schemaId, status), ...(headers && { headers }) })

const SHOULD_RETRY = z
  .literal('false')
  .meta({ description: '`false`: the failover has tried every provider, so a retry would only multiply calls.' })

const ofOpenAi: Readonly<Record<number, ZodOpenApiResponseObject>> = {
  400: openAi(
    'BadRequest',
    400,
    'BadRequestError',
    'The request is wrong; `param` names the field at fault when it can be told. `pricing_pending` is a model whose price nobody has confirmed.',
  ),
  401: openAi('Unauthenticated', 401, 'AuthenticationError', NO_KEY),
  402: openAi(
    'InsufficientCredits',
    402,
    'InsufficientCreditsError',
    "The balance, the account's monthly cap or the key's own does not cover it; the message states the live balance, or what the key's cap is and has left.",
  ),
  403: openAi('Forbidden', 403, 'PermissionError', NO_SCOPE),
  404: openAi('NotFound', 404, 'NotFoundError', "There is no such thing for this caller; other accounts' objects do not exist."),
  409: openAi(
    'Conflict',
    409,
    'ConflictError',
    'The offer is gone (`offer_unavailable`), or the idempotency key was used for another request (`idempotency_conflict`).',
  ),
  413: openAi('TooLarge', 413, 'TooLargeError', 'The body is over the limit.'),
  415: openAi('NotJson', 415, 'NotJsonError', 'The body is not JSON, or compressed.'),
  429: openAi('RateLimit', 429, 'RateLimitError', 'The account has too many large requests under way.', LATER),
  500: openAi('ServerError', 500, 'ServerError', FAILED),
  502: openAi(
    'UpstreamError',
    502,
    'UpstreamError',
    'Every eligible provider failed. The message lists routing identifiers and statuses.',
    { 'x-should-retry': SHOULD_RETRY },
  ),
  503: openAi(
    'Unavailable',
    503,
    'UnavailableError',
    'Worth a retry after `Retry-After` seconds: the database is in trouble (`service_unavailable`), the server is stopping (`shutting_down`), or the model is being deployed and the account wants SDKs to retry (`model_deploying`).',
    LATER,
  ),
  504: openAi('Timeout', 504, 'TimeoutError', 'The time limit ran out before the first byte of an answer.'),
}

/** The types of Anthropic's API by status; the rest is as in the other shape of /v1. */
const anthropic = (status: number, type: string, description: string, headers: z.ZodRawShape = {}) =>
  response(`Messages${status}`, {
    description,
    schema: z
      .intersection(anthropicFault, z.looseObject({ error: z.looseObject({ type: z.literal(type) }) }))
      .meta({ id: `MessagesError${status}` }),
    headers: { 'request-id': requestId, ...headers },
  })

const ofAnthropic: Readonly<Record<number, ZodOpenApiResponseObject>> = {
  400: anthropic(400, 'invalid_request_error', 'The request is wrong; the message names the field.'),
  401: anthropic(401, 'authentication_error', NO_KEY),
  402: anthropic(402, 'billing_error', 'The credits or a cap do not cover it.'),
  403: anthropic(403, 'permission_error', NO_SCOPE),
  404: anthropic(404, 'not_found_error', 'There is no such model for this caller.'),
  413: anthropic(413, 'request_too_large', 'The body is over the limit.'),
  415: anthropic(415, 'invalid_request_error', 'The body is not JSON, or compressed.'),
  429: anthropic(429, 'rate_limit_error', 'The account has too many large requests under way.', LATER),
  500: anthropic(500, 'api_error', FAILED),
  502: anthropic(502, 'api_error', 'Every eligible provider failed.', { 'x-should-retry': SHOULD_RETRY }),
  503: anthropic(503, 'overloaded_error', 'Worth a retry after `Retry-After` seconds.', LATER),
  504: anthropic(504, 'timeout_error', 'The time limit ran out before the first byte of an answer.'),
  529: anthropic(529, 'overloaded_error', 'The model is being deployed on a GPU. Ask again after `Retry-After` seconds.', LATER),
}

const scanner = (id: string, schema: z.ZodType, description: string, headers?: z.ZodRawShape) =>
  response(id, { description, schema, ...(headers && { headers }) })

const authFault = scannerFaultOf('ScanAuthError', ['AUTH_ERROR'])
const failed = scannerFaultOf('ScanServerError', ['SERVER_ERROR'])
const invalidBody = scanner(
  'ScanInvalidBody',
  scannerFaultOf('ScanInvalidRequestError', ['INVALID_REQUEST']),
  'The body is over the limit (413), not JSON or compressed (415).',
)

const ofScanner: Readonly<Record<number, ZodOpenApiResponseObject>> = {
  400: scanner(
    'ScanBadRequest',
    scannerFaultOf('ScanBadRequestError', ['INVALID_REQUEST', 'UNSUPPORTED_LANGUAGE']),
    'The request is wrong (`INVALID_REQUEST`), or the language is none of the sixteen (`UNSUPPORTED_LANGUAGE`); `details` names the field.',
  ),
  401: scanner('ScanUnauthenticated', authFault, NO_KEY),
  403: scanner('ScanForbidden', authFault, NO_SCOPE),
  413: invalidBody,
  415: invalidBody,
  429: scanner(
    'ScanRateLimit',
    scannerFaultOf('ScanRateLimitError', ['RATE_LIMIT'], { retry_after_seconds: z.unknown() }),
    'Too many requests of this account, or the server is busy.',
    LATER,
  ),
  500: scanner('ScanServerError', failed, FAILED),
  503: scanner(
    'ScanUnavailable',
    failed,
    'The database is in trouble, or the server is stopping; worth a retry after `Retry-After` seconds.',
    LATER,
  ),
  504: scanner('ScanTimeout', scannerFaultOf('ScanTimeoutError', ['TIMEOUT']), 'The scan took too long.'),
}

const ofProtocol = response('JsonRpcFault', {
  description:
    'A message that cannot be taken (400, 406, 413, 415), a page or a host name that may not (403), a session that has ended (404), or a second stream of one session (409).',
  schema: jsonRpcFault,
})

const ofMcp: Readonly<Record<number, ZodOpenApiResponseObject>> = {
  ...Object.fromEntries([400, 403, 404, 406, 409, 413, 415].map((status) => [status, ofProtocol])),
  401: response('McpUnauthenticated', {
    description: NO_KEY,
    schema: authFault,
    headers: { 'www-authenticate': z.literal('Bearer').meta({ description: 'The scheme that is wanted.' }) },
  }),
  500: ofScanner[500]!,
  503: ofScanner[503]!,
}

/** The answer to a fault, by the shape of the route's contract and the status. */
export const faultAnswers: Readonly<Record<FaultShape, Readonly<Record<number, ZodOpenApiResponseObject>>>> = {
  openai: ofOpenAi,
  anthropic: ofAnthropic,
  scanner: ofScanner,
  mcp: ofMcp,
}
