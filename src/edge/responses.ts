/** How answers leave /v1 and /api: JSON with the request id, and faults in the shape of the contract that the path belongs to. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError, toAppError } from '#platform/errors.js'
import { newId } from '#platform/ids.js'
import type { FaultShape } from './endpoint.js'

export type ErrorShape = (error: AppError) => object

/** `/v1`: the OpenAI-shaped body. */
export const openAiError: ErrorShape = (error) => ({
  error: { message: error.message, type: error.type, code: error.publicCode, param: error.param },
})

/** `/api`: the scanner's body. */
export const scannerError: ErrorShape = (error) => ({
  error: error.message,
  code: error.scannerCode,
  ...(error.param === null ? {} : { details: `field: ${error.param}` }),
  ...(error.retryAfterSeconds === undefined ? {} : { retry_after_seconds: error.retryAfterSeconds }),
})

/** The shapes by the name that a declared route gives. */
export const faultShapes: Readonly<Record<FaultShape, ErrorShape>> = {
  openai: openAiError,
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
  if (error.code === 'server_error') onUnexpected(error, response.getHeader('x-request-id') as string | undefined)
  if (response.headersSent) {
    if (!response.writableEnded) response.destroy()
    return
  }
  if (error.code === 'authentication_error') response.setHeader('www-authenticate', 'Bearer')
  if (error.retryAfterSeconds !== undefined) response.setHeader('retry-after', String(error.retryAfterSeconds))
  // The failover has tried every provider; an SDK's retry would multiply the calls.
  if (error.code === 'upstream_error') response.setHeader('x-should-retry', 'false')
  if (error.code === 'payload_too_large') response.setHeader('connection', 'close')
  sendJson(response, error.httpStatus, shape(error))
  // What is left of a refused upload is not read: 401 and 413 come before the body.
  if (!request.complete && !request.readableEnded) request.unpipe().resume()
}
