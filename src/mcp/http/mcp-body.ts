/** The message of a POST to /mcp. The SDK would read it on the event loop, whatever its size. */
import type { Request, Response } from 'express'
import { AppError } from '#platform/errors.js'
import type { RequestContext } from '#platform/requests/context.js'
import { largeReader, readJson } from '../../edge/json-body.js'
import type { RestEdge } from '../../edge/route.js'

export type McpBodyEdge = Pick<RestEdge, 'limits' | 'large'>

/**
 * The parsed message, or several; undefined where the SDK has its own answer to what was sent.
 *
 * @throws McpBodyFault for what JSON-RPC has a code for; AppError for what every edge refuses in the same way
 */
export async function readMcpBody(
  request: Request,
  response: Response,
  { limits, large }: McpBodyEdge,
  context: RequestContext,
): Promise<unknown> {
  if (request.method !== 'POST' || !request.is('application/json')) return undefined
  const reader = largeReader(large, context.principal, response, limits.maxJsonDepth)
  try {
    return await readJson(request, { maxBytes: limits.maxBodyBytes, maxDepth: limits.maxJsonDepth }, reader)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'payload_too_large') throw new McpBodyFault(413, -32_000, error.message)
    if (error.code === 'invalid_request_error') throw new McpBodyFault(400, -32_700, `Parse error: ${error.message}`)
    throw error
  }
}

/** A body that is no message, in the words of JSON-RPC. */
export class McpBodyFault extends Error {
  constructor(
    readonly status: number,
    readonly rpcCode: number,
    message: string,
  ) {
    super(message)
  }
}
