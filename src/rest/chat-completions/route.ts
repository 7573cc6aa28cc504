/** POST /v1/chat/completions, streamed and not. The body goes to the graph whole; what is in it is the domain's to check. */
import type { RequestListener, ServerResponse } from 'node:http'
import type { RequestContext } from '#platform/requests/context.js'
import { endReason, faultIn } from '#platform/requests/end-reasons.js'
import { AppError } from '#platform/errors.js'
import type { SharedBytes } from '#platform/shared-bytes.js'
import {
  RestChatCompletionDocument,
  RestCreateChatCompletionDocument,
  type RestChatCompletionSubscription,
  type RestChatCompletionSubscriptionVariables,
  type RestModelDeployingFragment,
} from '../../generated/operations.js'
import type { z } from 'zod'
import { whole } from '../../edge/execute.js'
import { retryAfter } from '../../edge/openapi/shapes.js'
import { largeReaderOf, plainRoute, route, type PlainHandler, type RestEdge } from '../../edge/route.js'
import { readJsonObject, type LargeReader } from '../../edge/json-body.js'
import { openAiError, sendJson } from '../../edge/responses.js'
import { endWithError, startHeartbeat, writePieces, type ErrorPayload, type StreamPiece } from '../../edge/sse.js'
import { inHeaderWords, scanAsked } from '../answer-scan/asked-scan.js'
import type { RestEndpoint } from '../rest-endpoint.js'
import { chatHeaders } from '../chat-headers.js'
import { chatCompletionBody } from './input.js'
import { chatCompletion, chatStreamText, modelDeploying } from './output.js'

export interface LargeChats {
  /** Whether the caller may send a large request at all. @throws AppError 402, 403 */
  admit(context: RequestContext): Promise<void>
  /** Reads its body off the event loop, into what stands in for the body; null where the domain is in other processes. */
  readonly read: ((bytes: SharedBytes) => Promise<unknown>) | null
}

export interface ChatEdge extends RestEdge {
  readonly largeChats: LargeChats
}

export const createChatCompletion =
  (edge: ChatEdge): PlainHandler =>
  async (request, response, context) => {
    const body = await readJsonObject(request, { maxBytes: edge.limits.maxBodyBytes }, largeChatReader(edge, context, response))
    const chat = { body, api: 'CHAT_COMPLETIONS' as const, scan: scanAsked(context) }
    try {
      if (body['stream'] === true) return await streamAnswer(edge, response, context, chat)
      const { createChatCompletionRaw: answer } = whole(await edge.graph.execute(RestCreateChatCompletionDocument, chat, context))
      if (answer.__typename === 'ModelDeploying') return sendDeploying(response, answer)
      sendJson(response, 200, answer.raw)
    } catch (error) {
      throw inHeaderWords(error)
    }
  }

/** Its body is declared but not read by the declaration: that is the domain's, see input.ts. */
export const chatCompletions: RestEndpoint<ChatEdge> = {
  method: 'post',
  path: '/v1/chat/completions',
  access: 'key',
  faultShape: 'openai',
  operationId: 'createChatCompletion',
  tag: 'chat',
  summary: 'Answers a conversation, whole or as a stream.',
  description: `With \`stream: true\` the answer is an event stream: \`data:\` lines that hold one chunk each and end with \`data: [DONE]\`; comment
lines (\`: ping\`) keep an idle connection open. The last chunk carries \`finish_reason\` and \`usage\`; with
\`stream_options.include_usage\` usage comes in a chunk of its own with empty \`choices\`. A fault after the first chunk is a
\`data:\` line with an error object before \`data: [DONE]\`, and only what was delivered before it is charged.

A model that is being deployed answers 202. \`Prefer: wait=N\` holds the connection for up to N seconds (at most 100 unless configured) until it
serves; an account in the cold start mode \`retry\` gets 503 with \`Retry-After\` instead, which SDKs retry by themselves.

With \`Sluice-Scan\`, and where the key demands it, the code in the answer is scanned while it is written: \`sluice.scan\` of the
answer, or of the last chunk of a stream, says what was found. A key may also withhold code that breaks rules: then an answer ends
with \`content_filter\`.
`,
  input: { headers: chatHeaders, body: chatCompletionBody },
  answers: {
    200: {
      description: 'The answer.',
      content: { 'application/json': { schema: chatCompletion }, 'text/event-stream': chatStreamText },
    },
    202: {
      description: 'The model is being deployed on a GPU. Ask again after `Retry-After` seconds.',
      headers: { 'retry-after': retryAfter },
      body: modelDeploying,
    },
  },
  faults: [402, 403, 404, 429, 502, 504],
  listen: (edge) => route(edge, openAiError, createChatCompletion(edge)),
}

/** The hot route by method and path, for a server that can call it without a router in between. */
export const directRoutes = (edge: ChatEdge): ReadonlyMap<string, RequestListener> =>
  new Map([['POST /v1/chat/completions', plainRoute(edge, openAiError, createChatCompletion(edge))]])

/** A large request is admitted before it is read, and read by the domain where that is in this process. */
function largeChatReader(edge: ChatEdge, context: RequestContext, response: ServerResponse): LargeReader {
  const { enter, parse, ...reader } = largeReaderOf(edge, context, response)
  return {
    ...reader,
    enter: (bytes) => edge.largeChats.admit(context).then(() => enter(bytes)),
    parse: edge.largeChats.read ?? parse,
  }
}

async function streamAnswer(
  edge: RestEdge,
  response: ServerResponse,
  context: RequestContext,
  chat: RestChatCompletionSubscriptionVariables,
): Promise<void> {
  // Who asked to wait for a cold model may wait for minutes: proxies in between must see that the connection lives.
  const isWaiting = /\bwait\s*=/i.test(context.headers.get('prefer') ?? '')
  const stopHeartbeat = isWaiting ? startHeartbeat(response) : () => undefined
  const errorPayload = errorPayloadOf(edge, context)
  try {
    const opened = await openStream(edge, response, context, chat, stopHeartbeat)
    if (opened) await writePieces(response, opened, errorPayload)
  } catch (error) {
    if (!response.headersSent) throw error
    endWithError(response, error, errorPayload)
  } finally {
    stopHeartbeat()
  }
}

const errorPayloadOf =
  (edge: RestEdge, context: RequestContext): ErrorPayload =>
  (thrown) => {
    const fault = thrown === null ? cutReason(context) : faultIn(context, thrown)
    if (fault.code === 'server_error') edge.onUnexpected(fault, context.requestId)
    return JSON.stringify(openAiError(fault))
  }

const cutReason = ({ signal }: RequestContext): AppError =>
  signal.aborted ? endReason(signal) : new AppError('upstream_error', 'The answer broke off before its end.')

/** The pieces of the answer; null when the model is being deployed and that has been said. */
async function openStream(
  edge: RestEdge,
  response: ServerResponse,
  context: RequestContext,
  chat: RestChatCompletionSubscriptionVariables,
  onAnswer: () => void,
): Promise<AsyncIterator<StreamPiece> | null> {
  const events = await edge.graph.subscribe(RestChatCompletionDocument, chat, context)
  // The first event decides the status: after it only a frame can tell of a fault.
  const first = await events.next()
  onAnswer()
  const event = first.done ? null : first.value.chatCompletionText
  if (event?.__typename === 'ModelDeploying') {
    await events.return?.()
    if (response.headersSent) throw new AppError('model_deploying', event.message, { param: 'model' })
    sendDeploying(response, event)
    return null
  }
  return piecesOf(first, events)
}

type Event = RestChatCompletionSubscription

/** The stream with its first event, which was looked at before. */
function piecesOf(first: IteratorResult<Event>, events: AsyncIterator<Event>): AsyncIterator<StreamPiece> {
  let pending: IteratorResult<Event> | null = first
  return {
    async next() {
      const event = pending ?? (await events.next())
      pending = null
      return event.done ? { done: true, value: undefined } : { done: false, value: pieceOf(event.value) }
    },
    async return() {
      await events.return?.()
      return { done: true, value: undefined }
    },
  }
}

function pieceOf({ chatCompletionText: event }: Event): StreamPiece {
  if (event.__typename === 'ModelDeploying') throw new Error('Only the first event can say that the model is being deployed.')
  return event
}

function sendDeploying(response: ServerResponse, deploying: RestModelDeployingFragment): void {
  response.setHeader('retry-after', String(deploying.retryAfterSeconds))
  const body: z.output<typeof modelDeploying> = {
    status: 'deploying',
    message: deploying.message,
    model: deploying.model,
    type: 'model_deploying',
    estimated_ready_seconds: deploying.estimatedReadySeconds,
    already_queued: deploying.alreadyQueued,
    // The contract knows no earlier state than this one.
    deployment_status: deploying.deploymentStatus === 'LOADING' ? 'loading' : 'provisioning',
    deployment_provider: deploying.deploymentProvider,
  }
  sendJson(response, 202, body)
}
