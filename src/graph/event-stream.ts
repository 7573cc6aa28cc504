/**
 * Operations whose results come as events, in the form that the client reads. One write an event, and the next one is taken only
 * when the reader has room.
 */
import type { ServerResponse } from 'node:http'
import { OperationTypeNode, type ExecutionResult, type GraphQLFormattedError } from 'graphql'
import type { RequestContext } from '#platform/requests/context.js'
import { faultIn } from '#platform/requests/end-reasons.js'
import type { AppError } from '#platform/errors.js'
import type { ContextSource } from '#platform/requests/request-context.js'
import type { Engine } from './execution/engine.js'
import { roomToWrite, type ReaderPace } from '../edge/reader-pace.js'
import { EVENT_FRAMINGS, type EventForm, type EventFraming } from './event-framing.js'
import { publicResult } from './graph-errors.js'
import { requestOf, rootField, type PreparedOperation } from './prepared-operation.js'
import { faultResult, toldWhyEnded } from './subscription-end.js'

/** What the stream tells: the events of an operation, or why there are none. */
export type EventSource =
  | { readonly kind: 'operation'; readonly operation: PreparedOperation }
  | { readonly kind: 'refusal'; readonly errors: readonly GraphQLFormattedError[] }

export type SendEvents = (
  response: ServerResponse,
  source: EventSource,
  context: RequestContext,
  form: EventForm,
) => Promise<void>

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

export function createEventStreams(options: EventStreamOptions): SendEvents {
  const openers = { sse: eventsIn(EVENT_FRAMINGS.sse, options), multipart: eventsIn(EVENT_FRAMINGS.multipart, options) }
  return async (response, source, context, form) =>
    write(response, await openers[form](source, context), EVENT_FRAMINGS[form], options.pace)
}

type OpenFrames = (source: EventSource, context: RequestContext) => Promise<Frames>

function eventsIn(framing: EventFraming, { engine, contexts, answers, onUnexpected }: EventStreamOptions): OpenFrames {
  const frame = (result: ExecutionResult, context: RequestContext): string =>
    framing.next(publicResult(result, (hidden) => onUnexpected(hidden, context)))

  async function open(operation: PreparedOperation, context: RequestContext): Promise<Frames> {
    const request = requestOf(operation, context)
    if (operation.type !== OperationTypeNode.SUBSCRIPTION) return framed([await engine.execute(request)], context)
    const watch = () => isAnswer(operation, answers) || contexts.requests.watch(context.signal)
    const relay = framing.isOfSubgraphs ? engine.relay?.(request) : null
    const relayed = await relay?.events()
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
    yield framing.complete
  }

  /** Another process has said that it is complete; what breaks it off is told here. */
  async function* passedOn(events: AsyncIterable<Uint8Array>, context: RequestContext): AsyncGenerator<string | Uint8Array> {
    try {
      yield* events
    } catch (error) {
      yield frame(faultResult(faultIn(context, error)), context) + framing.complete
    }
  }

  /** The protocols want errors of the document as an event: a browser's EventSource cannot read the body of a 400. */
  async function* refused(errors: readonly GraphQLFormattedError[]): AsyncGenerator<string> {
    yield framing.next({ data: null, errors }) + framing.complete
  }

  return async (source, context) => (source.kind === 'refusal' ? refused(source.errors) : open(source.operation, context))
}

const isAnswer = (operation: PreparedOperation, answers: ReadonlySet<string>): boolean => answers.has(rootField(operation) ?? '')

const HEADERS = {
  connection: 'keep-alive',
  'cache-control': 'no-cache',
  'content-encoding': 'none',
} as const

/** A client that leaves, at whatever moment, ends the operation and is nobody's fault. */
async function write(response: ServerResponse, frames: Frames, framing: EventFraming, pace: ReaderPace): Promise<void> {
  const iterator = frames[Symbol.asyncIterator]()
  const leave = () => void iterator.return?.()
  response.once('close', leave)
  response.writeHead(200, { ...HEADERS, 'content-type': framing.contentType })
  response.write(framing.opening)
  const ping = setInterval(() => response.writableNeedDrain || response.write(framing.ping), framing.pingMs)
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
