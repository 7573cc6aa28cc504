/** POST /v1/messages and /v1/messages/count_tokens: Anthropic's Messages API as an edge over chat completions. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import { AppError } from '#platform/errors.js'
import type { RequestContext } from '#platform/requests/context.js'
import { RestChatPromptTokensDocument, type RestChatCompletionSubscriptionVariables } from '../../generated/operations.js'
import { whole } from '../../edge/execute.js'
import { readInput } from '../../edge/input.js'
import { requestId } from '../../edge/openapi/shapes.js'
import { anthropicError, sendJson, THREAD_UNSUPPORTED } from '../../edge/responses.js'
import { route, type PlainHandler } from '../../edge/route.js'
import type { Framing } from '../../edge/sse.js'
import { scanAsked } from '../answer-scan/asked-scan.js'
import type { ChatEdge } from '../chat-completions/route.js'
import type { RestEndpoint } from '../rest-endpoint.js'
import { readLargeBody, streamTranslated, wholeChat } from '../translated-chat.js'
import { messageOf } from './from-chat.js'
import { countTokensBody, messagesBody, messagesHeaders } from './input.js'
import { messageAnswer, messageStreamText, tokenCount } from './output.js'
import { createMessageStream, type MessageStream } from './stream.js'
import { chatBody, promptBody } from './to-chat.js'

const createMessage =
  (edge: ChatEdge): PlainHandler =>
  async (request, response, context) => {
    const sent = await readSent(edge, request, response, context)
    refuseThread(sent)
    const asked = readInput(messagesBody, sent)
    const body = chatBody(asked)
    const chat = { body, api: 'MESSAGES' as const, scan: scanAsked(context) }
    if (asked.stream === true) return streamAnswer(edge, response, context, chat, createMessageStream(asked.stop_sequences))
    const completion = await wholeChat(edge, context, chat)
    sendJson(response, 200, messageOf(completion, asked.stop_sequences))
  }

const countTokens =
  (edge: ChatEdge): PlainHandler =>
  async (request, response, context) => {
    const body = promptBody(readInput(countTokensBody, await readSent(edge, request, response, context)))
    const { chatPromptTokens } = whole(await edge.graph.execute(RestChatPromptTokensDocument, { body }, context))
    sendJson(response, 200, { input_tokens: chatPromptTokens })
  }

function readSent(edge: ChatEdge, request: IncomingMessage, response: ServerResponse, context: RequestContext) {
  response.setHeader('request-id', context.requestId)
  return readLargeBody(edge, request, response, context)
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

/** The type, which stands first in each event, is the name of the event too. */
const framing: Framing = {
  frames: (lines) => lines.replaceAll(/^\{"type":"(\w+)".*$/gm, 'event: $1\ndata: $&\n').concat('\n'),
  ping: 'event: ping\ndata: {"type":"ping"}\n\n',
  done: '',
}

const streamAnswer = (
  edge: ChatEdge,
  response: ServerResponse,
  context: RequestContext,
  chat: RestChatCompletionSubscriptionVariables,
  stream: MessageStream,
) =>
  streamTranslated(edge, response, context, {
    chat,
    framing,
    stream,
    failed: (fault) => [anthropicError(fault, String(response.getHeader('request-id')))],
  })

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
  input: { headers: messagesHeaders.omit({ Prefer: true, 'Sluice-Scan': true }), body: countTokensBody },
  answers: { 200: { description: 'The count.', headers: named, body: tokenCount } },
  faults: [402, 403, 404, 429],
  listen: (edge) => withApiKey(route(edge, anthropicError, countTokens(edge))),
}

export const messagesEndpoints: readonly RestEndpoint<ChatEdge>[] = [messages, counted]
