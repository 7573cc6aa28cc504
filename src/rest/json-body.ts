/** Reads a JSON request body under limits. Our own few lines instead of a parser stack, because the chat route is the hot path. */
import type { IncomingMessage } from 'node:http'
import { AppError, invalidRequest } from '#platform/errors.js'
import { parseExactJson } from '#platform/exact-json.js'
import { isDeeperThan } from '#platform/json-depth.js'

export interface BodyLimits {
  readonly maxBytes: number
  /** Left out where the domain looks at the depth itself. */
  readonly maxDepth?: number
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i

/**
 * The parsed body, which is an object.
 *
 * @throws AppError 415 when it is declared as something else than JSON, 413 over the limit, 400 for bad JSON or nesting.
 */
export async function readJsonObject(request: IncomingMessage, limits: BodyLimits): Promise<Record<string, unknown>> {
  const type = request.headers['content-type']
  if (type !== undefined && !JSON_TYPE.test(type)) {
    throw new AppError('unsupported_media_type', 'Send the body as "Content-Type: application/json".')
  }
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new AppError('unsupported_media_type', 'Compressed request bodies are not accepted.')
  }
  const body = parseJson(await readBytes(request, limits.maxBytes))
  if (body === null || typeof body !== 'object' || Array.isArray(body)) throw invalidRequest('The body must be a JSON object.')
  if (limits.maxDepth !== undefined && isDeeperThan(body, limits.maxDepth))
    throw invalidRequest(`The body is nested deeper than ${limits.maxDepth} levels.`)
  return body as Record<string, unknown>
}

function parseJson(bytes: Buffer): unknown {
  try {
    return parseExactJson(bytes)
  } catch (cause) {
    throw new AppError('invalid_request_error', 'The body is not valid JSON in UTF-8.', { cause })
  }
}

function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => new AppError('payload_too_large', `The body is larger than ${maxBytes} bytes.`)
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(tooLarge())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) return reject(tooLarge())
      chunks.push(chunk)
    })
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    request.on('error', (cause) => {
      reject(new AppError('client_closed_request', 'The client left before the body was complete.', { cause }))
    })
  })
}
