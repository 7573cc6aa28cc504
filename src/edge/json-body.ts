/** Reads a JSON request body under limits. Our own few lines instead of a parser stack, because the chat route is the hot path. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { authenticationError, type Principal } from '#platform/requests/context.js'
import { AppError, invalidRequest } from '#platform/errors.js'
import { parseExactJson } from '#platform/json/exact-json.js'
import { isDeeperThan } from '#platform/json/json-depth.js'
import { sharedBytes, type SharedBytes } from '#platform/shared-bytes.js'
import type { BodyTurns } from './body-turns.js'
import type { LargeBodies } from './large-bodies.js'

export interface BodyLimits {
  readonly maxBytes: number
  /** Left out where the domain looks at the depth itself. */
  readonly maxDepth?: number
}

/** How the body of one request is read when it is large. */
export interface LargeReader {
  /** Bodies above this many bytes are. */
  readonly fromBytes: number
  /** Called before so much is read; what it throws refuses the request. */
  enter(bytes: number): Promise<void>
  /** In which it is read. */
  readonly turns: BodyTurns
  /** What the body says, without holding the event loop. */
  parse(bytes: SharedBytes): Promise<unknown>
}

/** The usual reader: room by account, none without a key, and parsed in a thread. */
export const largeReader = (
  bodies: LargeBodies,
  principal: Principal | null,
  response: ServerResponse,
  maxDepth: number,
): LargeReader => ({
  fromBytes: bodies.limits.fromBytes,
  turns: bodies.turns,
  async enter(bytes) {
    if (!principal) throw authenticationError()
    await bodies.enter(principal.accountId, bytes, response)
  },
  parse: (bytes) => bodies.parse(bytes, maxDepth),
})

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i

/** The parsed body, which is an object. @throws AppError as `readJson`, and 400 for another value */
export async function readJsonObject(
  request: IncomingMessage,
  limits: BodyLimits,
  large: LargeReader,
): Promise<Record<string, unknown>> {
  const body = await readJson(request, limits, large)
  if (body === null || typeof body !== 'object' || Array.isArray(body)) throw invalidRequest('The body must be a JSON object.')
  return body as Record<string, unknown>
}

/**
 * The parsed body.
 *
 * @throws AppError 415 when it is declared as something else than JSON, 413 over the limit, 400 for bad JSON or nesting, and
 *   what the reader of large bodies refuses with
 */
export async function readJson(request: IncomingMessage, limits: BodyLimits, large: LargeReader): Promise<unknown> {
  const type = request.headers['content-type']
  if (type !== undefined && !JSON_TYPE.test(type)) {
    throw new AppError('unsupported_media_type', 'Send the body as "Content-Type: application/json".')
  }
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new AppError('unsupported_media_type', 'Compressed request bodies are not accepted.')
  }
  const bytes = await readBytes(request, limits.maxBytes, large)
  if (isShared(bytes)) return large.parse(bytes)
  const body = parseJson(bytes)
  if (limits.maxDepth !== undefined && isDeeperThan(body, limits.maxDepth))
    throw invalidRequest(`The body is nested deeper than ${limits.maxDepth} levels.`)
  return body
}

const isShared = (bytes: Buffer): bytes is Buffer<SharedArrayBuffer> => bytes.buffer instanceof SharedArrayBuffer

function parseJson(bytes: Buffer): unknown {
  try {
    return parseExactJson(bytes)
  } catch (cause) {
    throw new AppError('invalid_request_error', 'The body is not valid JSON in UTF-8.', { cause })
  }
}

/** Large bodies are shared bytes, for the threads that read them. */
function readBytes(request: IncomingMessage, maxBytes: number, large: LargeReader): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > maxBytes) return Promise.reject(tooLarge(maxBytes))
  if (declared > large.fromBytes) return large.enter(declared).then(() => readDeclared(request, declared, large.turns))
  return readChunks(request, maxBytes, large)
}

const tooLarge = (maxBytes: number) => new AppError('payload_too_large', `The body is larger than ${maxBytes} bytes.`)

const clientLeft = (cause: unknown) =>
  new AppError('client_closed_request', 'The client left before the body was complete.', { cause })

/** A body of unknown length is small until it is not; then the sender waits until there is room for the largest. */
function readChunks(request: IncomingMessage, maxBytes: number, large: LargeReader): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      const before = size
      size += chunk.length
      if (size > maxBytes) return reject(tooLarge(maxBytes))
      chunks.push(chunk)
      if (size <= large.fromBytes) return
      if (before > large.fromBytes) return large.turns.wait(request)
      request.pause()
      large.enter(maxBytes).then(() => large.turns.wait(request), reject)
    })
    request.on('end', () => {
      if (size > large.fromBytes) resolve(gathered(chunks, size))
      else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))
    })
    request.on('error', (cause) => reject(clientLeft(cause)))
  })
}

function gathered(chunks: readonly Buffer[], size: number): Buffer<SharedArrayBuffer> {
  const bytes = sharedBytes(size)
  let length = 0
  for (const chunk of chunks) length += chunk.copy(bytes, length)
  return bytes
}

/** Copies every chunk to its place when it arrives, so that no one copy of everything holds the event loop. */
function readDeclared(request: IncomingMessage, length: number, turns: BodyTurns): Promise<Buffer<SharedArrayBuffer>> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(clientLeft(undefined))
    const bytes = sharedBytes(length)
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.copy(bytes, size)
      turns.wait(request)
    })
    request.on('end', () => resolve(bytes))
    request.on('error', (cause) => reject(clientLeft(cause)))
    turns.wait(request)
  })
}
