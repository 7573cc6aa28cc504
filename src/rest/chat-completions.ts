/** POST /v1/chat/completions, streamed and not. The body goes to the graph whole; what is in it is the domain's to check. */
import type { ServerResponse } from 'node:http'
import type { RequestContext } from '#platform/context.js'
import { AppError, toAppError } from '#platform/errors.js'
import {
  RestChatCompletionDocument,
  RestCreateChatCompletionDocument,
  type RestModelDeployingFragment,
} from '../generated/operations.js'
import type { PlainHandler, RestEdge } from './edge.js'
import { readJsonObject } from './json-body.js'
import type { EventSource } from './operations.js'
import { openAiError, sendJson } from './responses.js'
import { dataFrame, endWithFrame, startHeartbeat, writeFrames } from './sse.js'

type JsonObject = Record<string, unknown>

export const createChatCompletion =
  (edge: RestEdge): PlainHandler =>
  async (request, response, context) => {
    const body = await readJsonObject(request, { maxBytes: edge.limits.maxBodyBytes })
    if (body['stream'] === true) return streamAnswer(edge, response, context, body)
    const answer = await edge.operations.source(RestCreateChatCompletionDocument, { input: { extra: body } }, context)
    if (isDeploying(answer)) return sendDeploying(response, answer)
    sendJson(response, 200, (answer as { readonly raw: JsonObject }).raw)
  }

async function streamAnswer(edge: RestEdge, response: ServerResponse, context: RequestContext, body: JsonObject): Promise<void> {
  // Who asked to wait for a cold model may wait for minutes: proxies in between must see that the connection lives.
  const isWaiting = /\bwait\s*=/i.test(context.headers.get('prefer') ?? '')
  const stopHeartbeat = isWaiting ? startHeartbeat(response) : () => undefined
  try {
    await sendStream(edge, response, context, body, stopHeartbeat)
  } catch (error) {
    if (!response.headersSent) throw error
    endWithFrame(response, dataFrame(openAiError(toAppError(error))))
  } finally {
    stopHeartbeat()
  }
}

async function sendStream(
  edge: RestEdge,
  response: ServerResponse,
  context: RequestContext,
  body: JsonObject,
  onAnswer: () => void,
): Promise<void> {
  const opened = await edge.operations.stream(RestChatCompletionDocument, { input: { extra: body } }, context)
  const events: AsyncIterator<unknown> = eventsOf(opened)[Symbol.asyncIterator]()
  // The first event decides the status: after it only a frame can tell of a fault.
  const first = await events.next()
  onAnswer()
  if (!first.done && isDeploying(first.value)) {
    await events.return?.()
    if (!response.headersSent) return sendDeploying(response, first.value)
    throw new AppError('model_deploying', first.value.message, { param: 'model' })
  }
  await writeFrames(response, framesOf(first, events))
}

/** A chunk of this process carries its frame; one that crossed a gateway carries its object. */
interface StreamEvent {
  readonly frame?: Buffer
  readonly raw?: unknown
  /** The last event of a stream that broke. */
  readonly error?: unknown
}

function eventsOf(opened: EventSource<{ chatCompletion: unknown }>): AsyncIterable<unknown> {
  return opened.kind === 'source' ? opened.events : mapped(opened.events)
}

async function* mapped(events: AsyncIterable<{ chatCompletion: unknown }>): AsyncGenerator {
  for await (const event of events) yield event.chatCompletion
}

function isDeploying(event: unknown): event is RestModelDeployingFragment {
  return event !== null && typeof event === 'object' && 'estimatedReadySeconds' in event
}

function framesOf(first: IteratorResult<unknown>, events: AsyncIterator<unknown>): AsyncIterator<Buffer> {
  let pending: IteratorResult<unknown> | null = first
  let isBroken = false
  return {
    async next() {
      if (isBroken) return { done: true, value: undefined }
      try {
        const event = pending ?? (await events.next())
        pending = null
        if (event.done) return { done: true, value: undefined }
        const { frame, raw } = event.value as StreamEvent
        return { done: false, value: frame ?? dataFrame(raw) }
      } catch (error) {
        // A gateway hears of a broken stream as an error of its subscription.
        isBroken = true
        return { done: false, value: dataFrame(openAiError(toAppError(error))) }
      }
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
