/**
 * Server-sent events of a chat stream: frames as they come, at the reader's pace, a sign of life while nothing comes.
 *
 * The end (`[DONE]`, where the contract has one) is written in one place, and only behind the frame that ends the answer: the
 * last chunk of a complete one, or an error. A stream that stops without such a frame gets an error frame first, so a cut answer
 * never looks complete.
 */
import type { ServerResponse } from 'node:http'

/** How a contract writes a stream. */
export interface Framing {
  /** The frames of JSON texts, a line each. */
  readonly frames: (lines: string) => string
  readonly ping: string
  /** What follows the last frame. */
  readonly done: string
}

/** A server-sent event for each line; JSON has no line breaks of its own. */
const openAiFraming: Framing = {
  frames: (lines) => `data: ${lines.replaceAll('\n', '\n\ndata: ')}\n\n`,
  ping: ': ping\n\n',
  done: 'data: [DONE]\n\n',
}

const PING_MS = 15_000

/** A piece of an answer. */
export interface StreamPiece {
  /** JSON texts, a line each. */
  readonly lines: string
  /** Whether the answer is complete with it. */
  readonly endsAnswer: boolean
}

/** The JSON text that tells a reader what was thrown; null is a source that ended in the middle of the answer without a word. */
export type ErrorPayload = (thrown: unknown) => string

/** Characters that are written without waiting for the end of a tick: a source that is always ready does not let one end. */
const WRITE_AT = 16_384

/** Gathers the frames of one tick, such as those of one read of a provider: one write costs as much as the next, however long. */
class FrameWriter {
  #frames = ''

  constructor(private readonly response: ServerResponse) {}

  add(frame: string): void {
    if (this.#frames === '') process.nextTick(() => this.flush())
    this.#frames += frame
    if (this.#frames.length >= WRITE_AT) this.flush()
  }

  flush(): void {
    const frames = this.#frames
    this.#frames = ''
    if (frames !== '' && !this.response.destroyed) this.response.write(frames)
  }
}

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
    response.write(openAiFraming.ping)
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
  framing: Framing = openAiFraming,
): Promise<void> {
  if (!response.headersSent) response.writeHead(200, STREAM_HEADERS)
  let idleTicks = 0
  const ping = setInterval(() => {
    if (idleTicks++ > 0 && !response.writableNeedDrain) response.write(framing.ping)
  }, PING_MS / 2)
  const frames = new FrameWriter(response)
  let isEnded = false
  try {
    for (let next = await pieces.next(); !next.done && !response.destroyed; next = await pieces.next()) {
      idleTicks = 0
      isEnded = next.value.endsAnswer
      if (next.value.lines !== '') frames.add(framing.frames(next.value.lines))
      if (response.writableNeedDrain) await drained(response)
    }
    frames.flush()
    if (isEnded) endWithDone(response, framing)
    else endWithError(response, null, errorPayload, framing)
  } catch (error) {
    frames.flush()
    endWithError(response, error, errorPayload, framing)
  } finally {
    clearInterval(ping)
    await pieces.return?.()
  }
}

/** Ends a stream that has begun with a fault. */
export function endWithError(
  response: ServerResponse,
  thrown: unknown,
  errorPayload: ErrorPayload,
  framing: Framing = openAiFraming,
): void {
  if (response.destroyed) return
  response.write(framing.frames(errorPayload(thrown)))
  endWithDone(response, framing)
}

function endWithDone(response: ServerResponse, framing: Framing): void {
  if (!response.destroyed) response.end(framing.done)
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
