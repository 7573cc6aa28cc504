/** POST /v1/chat/completions, streamed and not. The body goes to the graph whole; what is in it is the domain's to check. */
import type { ServerResponse } from 'node:http'
import type { RequestContext } from '#platform/requests/context.js'
import { endReason, faultIn } from '#platform/requests/end-reasons.js'
import { AppError } from '#platform/errors.js'
import {
  RestChatCompletionDocument,
  RestCreateChatCompletionDocument,
  type RestModelDeployingFragment,
} from '../../generated/operations.js'
import { largeReaderOf, type PlainHandler, type RestEdge } from '../../edge/route.js'
import { readJsonObject, type LargeReader } from '../../edge/json-body.js'
import type { EventSource } from '../../edge/operations.js'
import { openAiError, sendJson } from '../../edge/responses.js'
import { dataFrame, endWithError, startHeartbeat, writeFrames, type ErrorFrame, type StreamFrame } from '../../edge/sse.js'

type JsonObject = Record<string, unknown>

export interface LargeChats {
  /** Whether the caller may send a large request at all. @throws AppError 402, 403 */
  admit(context: RequestContext): Promise<void>
  /** Reads its body off the event loop, into what stands in for the body; null where the domain is in other processes. */
  readonly read: ((bytes: Buffer<ArrayBuffer>) => Promise<unknown>) | null
}

export interface ChatEdge extends RestEdge {
  readonly largeChats: LargeChats
}

export const createChatCompletion =
  (edge: ChatEdge): PlainHandler =>
  async (request, response, context) => {
    const body = await readJsonObject(request, { maxBytes: edge.limits.maxBodyBytes }, largeChatReader(edge, context, response))
    if (body['stream'] === true) return streamAnswer(edge, response, context, body)
    const answer = await edge.operations.source(RestCreateChatCompletionDocument, { input: { extra: body } }, context)
    if (isDeploying(answer)) return sendDeploying(response, answer)
    sendJson(response, 200, (answer as { readonly raw: JsonObject }).raw)
  }

/** A large request is admitted before it is read, and read by the domain where that is in this process. */
function largeChatReader(edge: ChatEdge, context: RequestContext, response: ServerResponse): LargeReader {
  const { fromBytes, enter, parse } = largeReaderOf(edge, context, response)
  return {
    fromBytes,
    enter: (bytes) => edge.largeChats.admit(context).then(() => enter(bytes)),
    parse: edge.largeChats.read ?? parse,
  }
}

async function streamAnswer(edge: RestEdge, response: ServerResponse, context: RequestContext, body: JsonObject): Promise<void> {
  // Who asked to wait for a cold model may wait for minutes: proxies in between must see that the connection lives.
  const isWaiting = /\bwait\s*=/i.test(context.headers.get('prefer') ?? '')
  const stopHeartbeat = isWaiting ? startHeartbeat(response) : () => undefined
  const errorFrame = errorFrameOf(edge, context)
  try {
    const opened = await openStream(edge, response, context, body, stopHeartbeat)
    if (opened) await writeFrames(response, opened, errorFrame)
  } catch (error) {
    if (!response.headersSent) throw error
    endWithError(response, error, errorFrame)
  } finally {
    stopHeartbeat()
  }
}

const errorFrameOf =
  (edge: RestEdge, context: RequestContext): ErrorFrame =>
  (thrown) => {
    const fault = thrown === null ? cutReason(context) : faultIn(context, thrown)
    if (fault.code === 'server_error') edge.onUnexpected(fault, context.requestId)
    return dataFrame(openAiError(fault))
  }

const cutReason = ({ signal }: RequestContext): AppError =>
  signal.aborted ? endReason(signal) : new AppError('upstream_error', 'The answer broke off before its end.')

/** The frames of the answer; null when the model is being deployed and that has been said. */
async function openStream(
  edge: RestEdge,
  response: ServerResponse,
  context: RequestContext,
  body: JsonObject,
  onAnswer: () => void,
): Promise<AsyncIterator<StreamFrame> | null> {
  const opened = await edge.operations.stream(RestChatCompletionDocument, { input: { extra: body } }, context)
  const events: AsyncIterator<unknown> = eventsOf(opened)[Symbol.asyncIterator]()
  // The first event decides the status: after it only a frame can tell of a fault.
  const first = await events.next()
  onAnswer()
  if (!first.done && isDeploying(first.value)) {
    await events.return?.()
    if (response.headersSent) throw new AppError('model_deploying', first.value.message, { param: 'model' })
    sendDeploying(response, first.value)
    return null
  }
  if (!first.done && isFault(first.value)) throw first.value.error
  return framesOf(first, events)
}

const isFault = (event: unknown): event is { readonly error: unknown } =>
  event !== null && typeof event === 'object' && 'error' in event

/** An event of this process is a frame; one that crossed a gateway carries the chunk's object. */
type StreamEvent = StreamFrame | { readonly raw: JsonObject }

/** The usage of an answer comes with its last chunk. */
const frameOf = (event: StreamEvent): StreamFrame =>
  'endsAnswer' in event ? event : { frame: dataFrame(event.raw), endsAnswer: (event.raw['usage'] ?? null) !== null }

function eventsOf(opened: EventSource<{ chatCompletion: unknown }>): AsyncIterable<unknown> {
  return opened.kind === 'source' ? opened.events : mapped(opened.events)
}

async function* mapped(events: AsyncIterable<{ chatCompletion: unknown }>): AsyncGenerator {
  for await (const event of events) yield event.chatCompletion
}

function isDeploying(event: unknown): event is RestModelDeployingFragment {
  return event !== null && typeof event === 'object' && 'estimatedReadySeconds' in event
}

/** The stream with its first event, which was looked at before. */
function framesOf(first: IteratorResult<unknown>, events: AsyncIterator<unknown>): AsyncIterator<StreamFrame> {
  let pending: IteratorResult<unknown> | null = first
  return {
    async next() {
      const event = pending ?? (await events.next())
      pending = null
      return event.done ? { done: true, value: undefined } : { done: false, value: frameOf(event.value as StreamEvent) }
    },
    async return() {
      await events.return?.()
      return { done: true, value: undefined }
    },
  }
}

function sendDeploying(response: ServerResponse, deploying: RestModelDeployingFragment): void {
  response.setHeader('retry-after', String(deploying.retryAfterSeconds))
  sendJson(response, 202, {
    status: deploying.status,
    message: deploying.message,
    model: deploying.model,
    type: deploying.type,
    estimated_ready_seconds: deploying.estimatedReadySeconds,
    already_queued: deploying.alreadyQueued,
    // The contract knows no earlier state than this one.
    deployment_status: deploying.deploymentStatus === 'requested' ? 'provisioning' : deploying.deploymentStatus,
    deployment_provider: deploying.deploymentProvider,
  })
}
