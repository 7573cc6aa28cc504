/**
 * Server-sent events of a chat stream: frames as they come, at the reader's pace, a comment while nothing comes.
 *
 * `[DONE]` is written in one place, and only behind the frame that ends the answer: the last chunk of a complete one, or an
 * error. A stream that stops without such a frame gets an error frame first, so a cut answer never looks complete.
 */
import type { ServerResponse } from 'node:http'

const DONE_FRAME = Buffer.from('data: [DONE]\n\n')
const PING_FRAME = Buffer.from(': ping\n\n')
const PING_MS = 15_000

/** A piece of an answer. */
export interface StreamPiece {
  /** JSON text. */
  readonly payload: string
  /** Whether the answer is complete with it. */
  readonly endsAnswer: boolean
}

/** The JSON text that tells a reader what was thrown; null is a source that ended in the middle of the answer without a word. */
export type ErrorPayload = (thrown: unknown) => string

/** The server-sent event of a payload, which has no line breaks because it is JSON. */
const frameOf = (payload: string): Buffer => Buffer.from(`data: ${payload}\n\n`)

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const

/** How long a caller who is willing to wait goes without a byte. */
const HEARTBEAT_MS = 10_000

/**
 * Keeps the connection of a caller who waits alive with comments, until the returned function is called. From the first one on
 * the answer is a 200: whatever goes wrong afterwards can only be a frame.
 */
export function startHeartbeat(response: ServerResponse): () => void {
  const timer = setInterval(() => {
    if (!response.headersSent) response.writeHead(200, STREAM_HEADERS)
    response.write(PING_FRAME)
  }, HEARTBEAT_MS)
  return () => clearInterval(timer)
}

/**
 * Writes the pieces as frames until the source ends, then `[DONE]`. The next one is taken only when the reader has room, so a
 * stalled reader holds the source back. When the reader leaves, the source is returned to its owner and nothing more is written.
 */
export async function writePieces(
  response: ServerResponse,
  pieces: AsyncIterator<StreamPiece>,
  errorPayload: ErrorPayload,
): Promise<void> {
  if (!response.headersSent) response.writeHead(200, STREAM_HEADERS)
  let idleTicks = 0
  const ping = setInterval(() => {
    if (idleTicks++ > 0 && !response.writableNeedDrain) response.write(PING_FRAME)
  }, PING_MS / 2)
  let isEnded = false
  try {
    for (let next = await pieces.next(); !next.done && !response.destroyed; next = await pieces.next()) {
      idleTicks = 0
      isEnded = next.value.endsAnswer
      if (!response.write(frameOf(next.value.payload))) await drained(response)
    }
    if (isEnded) endWithDone(response)
    else endWithError(response, null, errorPayload)
  } catch (error) {
    endWithError(response, error, errorPayload)
  } finally {
    clearInterval(ping)
    await pieces.return?.()
  }
}

/** Ends a stream that has begun with a fault. */
export function endWithError(response: ServerResponse, thrown: unknown, errorPayload: ErrorPayload): void {
  if (response.destroyed) return
  response.write(frameOf(errorPayload(thrown)))
  endWithDone(response)
}

function endWithDone(response: ServerResponse): void {
  if (!response.destroyed) response.end(DONE_FRAME)
}

function drained(response: ServerResponse): Promise<void> {
  if (!response.writableNeedDrain || response.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}
