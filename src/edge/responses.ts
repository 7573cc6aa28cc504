/** How answers leave /v1 and /api: JSON with the request id, and faults in the shape of the contract that the path belongs to. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError, toAppError } from '#platform/errors.js'
import { newId } from '#platform/ids.js'
import type { FaultShape } from './endpoint.js'

export interface ErrorShape {
  (error: AppError, requestId: string): object
  /** The status, where the contract has another than the table. */
  readonly statusOf?: (error: AppError) => number
  /** What the contract calls `x-request-id`, which is sent besides. */
  readonly requestIdHeader?: string
}

/** `/v1`: the OpenAI-shaped body. */
export const openAiError = (error: AppError): object => ({
  error: { message: error.message, type: error.type, code: error.publicCode, param: error.param },
})

/** `/api`: the scanner's body. */
export const scannerError = (error: AppError): object => ({
  error: error.message,
  code: error.scannerCode,
  ...(error.param === null ? {} : { details: `field: ${error.param}` }),
  ...(error.retryAfterSeconds === undefined ? {} : { retry_after_seconds: error.retryAfterSeconds }),
})

/** By status, as Anthropic's API names them. */
const ANTHROPIC_TYPES: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [503, 'overloaded_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
])

/** A model that is being deployed is what Anthropic's SDKs know as overloaded: they ask again after `Retry-After`. */
const anthropicStatus = (error: AppError): number => (error.code === 'model_deploying' ? 529 : error.httpStatus)

const anthropicType = (status: number): string =>
  ANTHROPIC_TYPES.get(status) ?? (status < 500 ? 'invalid_request_error' : 'api_error')

/** The finer code of a request for a conversation that is kept here. */
export const THREAD_UNSUPPORTED = 'thread_unsupported_request'

/** Anthropic's SDKs read in it that they must send the whole conversation, and ask again. */
const threadDetails = ({ publicCode, param }: AppError) =>
  publicCode === THREAD_UNSUPPORTED ? { details: { error_code: publicCode, unsupported: [param] } } : {}

/** `/v1/messages`: the body of Anthropic's API. */
export const anthropicError: ErrorShape = Object.assign(
  (error: AppError, requestId: string) => ({
    type: 'error',
    error: { type: anthropicType(anthropicStatus(error)), message: error.message, ...threadDetails(error) },
    request_id: requestId,
  }),
  { statusOf: anthropicStatus, requestIdHeader: 'request-id' },
)

/** The shapes by the name that a declared route gives. */
export const faultShapes: Readonly<Record<FaultShape, ErrorShape>> = {
  openai: openAiError,
  anthropic: anthropicError,
  scanner: scannerError,
  mcp: scannerError,
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const bytes = Buffer.byteLength(text)
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes })
  // As many bytes as characters is ASCII, which needs no conversion.
  response.end(text, bytes === text.length ? 'latin1' : 'utf8')
}

export type OnUnexpected = (error: AppError, requestId: string | undefined) => void

/**
 * Answers a fault, or breaks the connection when the answer has begun: a response that was cut must not look complete.
 */
export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  thrown: unknown,
  shape: ErrorShape,
  onUnexpected: OnUnexpected,
): void {
  // Nobody is there to be answered: a client that leaves, at whatever moment, is no fault of ours.
  if (response.destroyed) return
  const error = toAppError(thrown)
  // A fault before there was a context, such as a key that could not be looked up.
  if (!response.headersSent && !response.hasHeader('x-request-id')) response.setHeader('x-request-id', newId('req'))
  const requestId = response.getHeader('x-request-id') as string
  if (error.code === 'server_error') onUnexpected(error, requestId)
  if (response.headersSent) {
    if (!response.writableEnded) response.destroy()
    return
  }
  if (shape.requestIdHeader !== undefined) response.setHeader(shape.requestIdHeader, requestId)
  if (error.code === 'authentication_error') response.setHeader('www-authenticate', 'Bearer')
  if (error.retryAfterSeconds !== undefined) response.setHeader('retry-after', String(error.retryAfterSeconds))
  // The failover has tried every provider; an SDK's retry would multiply the calls.
  if (error.code === 'upstream_error') response.setHeader('x-should-retry', 'false')
  // Whoever waits for a "100 Continue" sends no body now, and the connection cannot tell a next request from it.
  if (error.code === 'payload_too_large' && request.headers.expect) response.setHeader('connection', 'close')
  sendJson(response, shape.statusOf?.(error) ?? error.httpStatus, shape(error, requestId))
  // What is left of a refused upload is thrown away as it comes: 401 and 413 come before the body, and a sender whose
  // connection ends while it still sends, such as fetch of Node, never sees them. `limits.body_seconds` ends it.
  if (!request.complete && !request.readableEnded) request.unpipe().resume()
}
