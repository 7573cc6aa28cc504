/**
 * Operations over server-sent events, in the distinct connections mode of the graphql-sse protocol: `next` with each result,
 * `complete` behind the last, a comment while nothing comes. One write an event, and the next one is taken only when the reader
 * has room.
 */
import type { ServerResponse } from 'node:http'
import { OperationTypeNode, type ExecutionResult, type GraphQLFormattedError } from 'graphql'
import type { RequestContext } from '#platform/requests/context.js'
import { faultIn } from '#platform/requests/end-reasons.js'
import type { AppError } from '#platform/errors.js'
import type { ContextSource } from '#platform/requests/request-context.js'
import type { Engine } from './execution/engine.js'
import { roomToWrite, type ReaderPace } from '../edge/reader-pace.js'
import { publicResult } from './graph-errors.js'
import { requestOf, rootField, type PreparedOperation } from './prepared-operation.js'
import { faultResult, toldWhyEnded } from './subscription-end.js'

/** What the stream tells: the events of an operation, or why there are none. */
export type EventSource =
  | { readonly kind: 'operation'; readonly operation: PreparedOperation }
  | { readonly kind: 'refusal'; readonly errors: readonly GraphQLFormattedError[] }

export type SendEvents = (response: ServerResponse, source: EventSource, context: RequestContext) => Promise<void>

export interface EventStreamOptions {
  readonly engine: Engine
  readonly contexts: ContextSource
  /** Subscription fields whose events are an answer that is made for the caller; the others only look on. */
  readonly answers: ReadonlySet<string>
  readonly onUnexpected: (error: AppError, context: RequestContext) => void
  readonly pace: ReaderPace
}

/** Whole events, as text or as the bytes of somebody else. */
type Frames = AsyncIterable<string | Uint8Array>

export function createEventStreams({ engine, contexts, answers, onUnexpected, pace }: EventStreamOptions): SendEvents {
  const frame = (result: ExecutionResult, context: RequestContext): string =>
    frameOf(publicResult(result, (hidden) => onUnexpected(hidden, context)))

  async function open(operation: PreparedOperation, context: RequestContext): Promise<Frames> {
    const request = requestOf(operation, context)
    if (operation.type !== OperationTypeNode.SUBSCRIPTION) return framed([await engine.execute(request)], context)
    const watch = () => isAnswer(operation, answers) || contexts.requests.watch(context.signal)
    const relayed = await engine.relay?.(request)?.events()
    if (relayed && Symbol.asyncIterator in relayed) {
      watch()
      return passedOn(relayed, context)
    }
    const results = relayed ?? (await engine.subscribe(request))
    if (!(Symbol.asyncIterator in results)) return framed([results], context)
    watch()
    return framed(toldWhyEnded(results, context.signal), context)
  }

  async function* framed(
    results: AsyncIterable<ExecutionResult> | Iterable<ExecutionResult>,
    context: RequestContext,
  ): AsyncGenerator<string> {
    for await (const result of results) yield frame(result, context)
    yield COMPLETE
  }

  /** Another process has said that it is complete; what breaks it off is told here. */
  async function* passedOn(events: AsyncIterable<Uint8Array>, context: RequestContext): AsyncGenerator<string | Uint8Array> {
    try {
      yield* events
    } catch (error) {
      yield frame(faultResult(faultIn(context, error)), context) + COMPLETE
    }
  }

  return async (response, source, context) => {
    const frames = source.kind === 'refusal' ? refused(source.errors) : await open(source.operation, context)
    await write(response, frames, pace)
  }
}

/** The protocol wants errors of the document as an event: a browser's EventSource cannot read the body of a 400. */
async function* refused(errors: readonly GraphQLFormattedError[]): AsyncGenerator<string> {
  yield frameOf({ data: null, errors }) + COMPLETE
}

const isAnswer = (operation: PreparedOperation, answers: ReadonlySet<string>): boolean => answers.has(rootField(operation) ?? '')

/** JSON has no line breaks. */
const frameOf = (result: unknown): string => `event: next\ndata: ${JSON.stringify(result)}\n\n`
const COMPLETE = 'event: complete\ndata:\n\n'

/** Some browsers take a stream for open only when they have a byte of it. */
const PING = ':\n\n'
const PING_MS = 12_000

const HEADERS = {
  connection: 'keep-alive',
  'cache-control': 'no-cache',
  'content-encoding': 'none',
  'content-type': 'text/event-stream; charset=utf-8',
} as const

/** A client that leaves, at whatever moment, ends the operation and is nobody's fault. */
async function write(response: ServerResponse, frames: Frames, pace: ReaderPace): Promise<void> {
  const iterator = frames[Symbol.asyncIterator]()
  const leave = () => void iterator.return?.()
  response.once('close', leave)
  response.writeHead(200, HEADERS)
  response.write(PING)
  const ping = setInterval(() => response.writableNeedDrain || response.write(PING), PING_MS)
  try {
    for (let next = await iterator.next(); !next.done && response.writable; next = await iterator.next()) {
      if (!response.write(next.value)) await roomToWrite(response, pace)
    }
  } finally {
    clearInterval(ping)
    response.off('close', leave)
    await iterator.return?.()
  }
  response.end()
}
