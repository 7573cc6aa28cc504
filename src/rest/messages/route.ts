/** POST /v1/messages and /v1/messages/count_tokens: Anthropic's Messages API as an edge over chat completions. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import { AppError } from '#platform/errors.js'
import type { RequestContext } from '#platform/requests/context.js'
import { endReason, faultIn } from '#platform/requests/end-reasons.js'
import {
  RestChatCompletionDocument,
  RestChatPromptTokensDocument,
  RestCreateChatCompletionDocument,
  type RestChatCompletionSubscription,
  type RestModelDeployingFragment,
} from '../../generated/operations.js'
import { whole } from '../../edge/execute.js'
import { readInput } from '../../edge/input.js'
import { readJsonObject } from '../../edge/json-body.js'
import { requestId } from '../../edge/openapi/shapes.js'
import { anthropicError, sendJson, THREAD_UNSUPPORTED } from '../../edge/responses.js'
import { largeReaderOf, route, type PlainHandler, type RestEdge } from '../../edge/route.js'
import { endWithError, startHeartbeat, writePieces, type ErrorPayload, type Framing, type StreamPiece } from '../../edge/sse.js'
import type { ChatEdge } from '../chat-completions/route.js'
import type { RestEndpoint } from '../rest-endpoint.js'
import { messageOf, type Chunk, type Completion } from './from-chat.js'
import { countTokensBody, messagesBody, messagesHeaders } from './input.js'
import { messageAnswer, messageStreamText, tokenCount } from './output.js'
import { createMessageStream, type MessageEvent, type MessageStream } from './stream.js'
import { chatBody, promptBody } from './to-chat.js'

const createMessage =
  (edge: ChatEdge): PlainHandler =>
  async (request, response, context) => {
    const sent = await readBody(edge, request, response, context)
    refuseThread(sent)
    const asked = readInput(messagesBody, sent)
    const body = chatBody(asked)
    if (asked.stream === true) return streamAnswer(edge, response, context, body, createMessageStream(asked.stop_sequences))
    const { createChatCompletionRaw: answer } = whole(
      await edge.graph.execute(RestCreateChatCompletionDocument, { body, api: 'MESSAGES' }, context),
    )
    if (answer.__typename === 'ModelDeploying') throw deploying(answer)
    sendJson(response, 200, messageOf(answer.raw as unknown as Completion, asked.stop_sequences))
  }

const countTokens =
  (edge: ChatEdge): PlainHandler =>
  async (request, response, context) => {
    const body = promptBody(readInput(countTokensBody, await readBody(edge, request, response, context)))
    const { chatPromptTokens } = whole(await edge.graph.execute(RestChatPromptTokensDocument, { body }, context))
    sendJson(response, 200, { input_tokens: chatPromptTokens })
  }

/** A large request is admitted before it is read, as a chat completion is. */
function readBody(edge: ChatEdge, request: IncomingMessage, response: ServerResponse, context: RequestContext) {
  response.setHeader('request-id', context.requestId)
  const { maxBodyBytes: maxBytes, maxJsonDepth: maxDepth } = edge.limits
  const { enter, ...reader } = largeReaderOf(edge, context, response)
  const admitted = (bytes: number) => edge.largeChats.admit(context).then(() => enter(bytes))
  return readJsonObject(request, { maxBytes, maxDepth }, { ...reader, enter: admitted })
}

/** The tool runner of Anthropic's SDK asks for a kept conversation first, and goes on without one only after this very refusal. */
function refuseThread({ thread }: Readonly<Record<string, unknown>>): void {
  if (thread === undefined || thread === null) return
  const message = 'The field "thread" is not supported by this gateway: send the whole conversation.'
  throw new AppError('invalid_request_error', message, { param: 'thread', publicCode: THREAD_UNSUPPORTED })
}

/** Anthropic's SDKs send the key in a header of its own, which is taken on these paths only. */
function withApiKey(listen: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const key = request.headers['x-api-key']
    if (typeof key === 'string') request.headers.authorization ??= `Bearer ${key}`
    return listen(request, response, next)
  }
}

const deploying = ({ message, retryAfterSeconds }: RestModelDeployingFragment): AppError =>
  new AppError('model_deploying', message, { param: 'model', retryAfterSeconds })

/** The type, which stands first in each event, is the name of the event too. */
const framing: Framing = {
  frames: (lines) => lines.replaceAll(/^\{"type":"(\w+)".*$/gm, 'event: $1\ndata: $&\n').concat('\n'),
  ping: 'event: ping\ndata: {"type":"ping"}\n\n',
  done: '',
}

async function streamAnswer(
  edge: RestEdge,
  response: ServerResponse,
  context: RequestContext,
  body: Record<string, unknown>,
  stream: MessageStream,
): Promise<void> {
  const isWaiting = /\bwait\s*=/i.test(context.headers.get('prefer') ?? '')
  const stopHeartbeat = isWaiting ? startHeartbeat(response) : () => undefined
  const errorPayload = errorPayloadOf(edge, context)
  try {
    const events = await edge.graph.subscribe(RestChatCompletionDocument, { body, api: 'MESSAGES' }, context)
    // The first event decides the status: after it only a frame can tell of a fault.
    const first = await events.next()
    stopHeartbeat()
    const event = first.done ? null : first.value.chatCompletionText
    if (event?.__typename === 'ModelDeploying') {
      await events.return?.()
      throw deploying(event)
    }
    await writePieces(response, piecesOf(first, events, stream), errorPayload, framing)
  } catch (error) {
    if (!response.headersSent) throw error
    endWithError(response, error, errorPayload, framing)
  } finally {
    stopHeartbeat()
  }
}

const errorPayloadOf =
  (edge: RestEdge, context: RequestContext): ErrorPayload =>
  (thrown) => {
    const { signal, requestId: id } = context
    const cut = signal.aborted ? endReason(signal) : new AppError('upstream_error', 'The answer broke off before its end.')
    const fault = thrown === null ? cut : faultIn(context, thrown)
    if (fault.code === 'server_error') edge.onUnexpected(fault, id)
    return JSON.stringify(anthropicError(fault, id))
  }

type Event = RestChatCompletionSubscription

/** The translated stream, from its first event, which was looked at before. */
function piecesOf(first: IteratorResult<Event>, events: AsyncIterator<Event>, stream: MessageStream): AsyncIterator<StreamPiece> {
  let pending: IteratorResult<Event> | null = first
  return {
    async next() {
      const event = pending ?? (await events.next())
      pending = null
      return event.done ? { done: true, value: undefined } : { done: false, value: pieceOf(event.value, stream) }
    },
    async return() {
      await events.return?.()
      return { done: true, value: undefined }
    },
  }
}

function pieceOf({ chatCompletionText: event }: Event, stream: MessageStream): StreamPiece {
  if (event.__typename === 'ModelDeploying') throw new Error('Only the first event can say that the model is being deployed.')
  const events: MessageEvent[] = event.lines.split('\n').flatMap((line) => stream.push(JSON.parse(line) as Chunk))
  if (event.endsAnswer) events.push(...stream.end())
  return { lines: events.map((each) => JSON.stringify(each)).join('\n'), endsAnswer: event.endsAnswer }
}

const shared = { method: 'post', access: 'key', faultShape: 'anthropic', tag: 'chat' } as const
const named = { 'request-id': requestId }

const messages: RestEndpoint<ChatEdge> = {
  ...shared,
  path: '/v1/messages',
  operationId: 'createMessage',
  summary: "Answers a conversation in the shape of Anthropic's Messages API.",
  description: `The same call as a chat completion: any model, the same routing, limits and bill. A field or block that cannot be honoured is
refused by its name; see docs/messages.md. A model that is being deployed answers 529 \`overloaded_error\` with \`Retry-After\`;
\`Prefer: wait=N\` holds the connection as for chat completions.
`,
  input: { headers: messagesHeaders, body: messagesBody },
  answers: {
    200: {
      description: 'The answer.',
      headers: named,
      content: { 'application/json': { schema: messageAnswer }, 'text/event-stream': messageStreamText },
    },
  },
  faults: [402, 403, 404, 429, 502, 504, 529],
  listen: (edge) => withApiKey(route(edge, anthropicError, createMessage(edge))),
}

const counted: RestEndpoint<ChatEdge> = {
  ...shared,
  path: '/v1/messages/count_tokens',
  operationId: 'countMessageTokens',
  summary: "Counts the tokens of a prompt with the model's tokenizer. Costs nothing.",
  input: { headers: messagesHeaders.omit({ Prefer: true }), body: countTokensBody },
  answers: { 200: { description: 'The count.', headers: named, body: tokenCount } },
  faults: [402, 403, 404, 429],
  listen: (edge) => withApiKey(route(edge, anthropicError, countTokens(edge))),
}

export const messagesEndpoints: readonly RestEndpoint<ChatEdge>[] = [messages, counted]
