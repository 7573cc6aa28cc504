/** POST /v1/responses: OpenAI's Responses API as an edge over chat completions. */
import { AppError } from '#platform/errors.js'
import { RestDeleteStoredResponseDocument, RestStoredResponseDocument } from '../../generated/operations.js'
import { whole } from '../../edge/execute.js'
import { readInput } from '../../edge/input.js'
import { openAiError, sendJson } from '../../edge/responses.js'
import { route, type PlainHandler } from '../../edge/route.js'
import type { Framing } from '../../edge/sse.js'
import { scanAsked } from '../answer-scan/asked-scan.js'
import type { ChatEdge } from '../chat-completions/route.js'
import { chatHeaders } from '../chat-headers.js'
import { restEndpoint, type RestEndpoint } from '../rest-endpoint.js'
import { readLargeBody, streamTranslated, wholeChat } from '../translated-chat.js'
import { responseOf } from './from-chat.js'
import { inputItemsQuery, responsePath, responsesBody } from './input.js'
import { deletedResponse, inputItems, responseAnswer, responseStreamText } from './output.js'
import { conversationOf, itemsBefore, keep } from './stored.js'
import { createResponseStream } from './stream.js'
import { chatBody } from './to-chat.js'

/** The type, which stands first in each event, is the name of the event too. */
const framing: Framing = {
  frames: (lines) => lines.replaceAll(/^\{"type":"([\w.]+)".*$/gm, 'event: $1\ndata: $&\n').concat('\n'),
  ping: ': ping\n\n',
  done: '',
}

const createResponse =
  (edge: ChatEdge): PlainHandler =>
  async (request, response, context) => {
    const sent = readInput(responsesBody, await readLargeBody(edge, request, response, context))
    const asked = { ...sent, store: sent.store ?? edge.limits.storesResponses }
    const items = await conversationOf(edge.graph, context, asked)
    const chat = { body: chatBody(asked, items), api: 'RESPONSES' as const, scan: scanAsked(context) }
    const kept = async <Answered extends { readonly id: string }>(answered: Answered): Promise<Answered> =>
      asked.store && !(await keep(edge, context, asked, answered)) ? { ...answered, store: false } : answered
    if (asked.stream === true) {
      const stream = createResponseStream(asked, { id: context.requestId, model: asked.model }, kept)
      const failed = ({ code, message }: { code: string; message: string }) => stream.fail({ code, message })
      return streamTranslated(edge, response, context, { chat, framing, stream, failed })
    }
    sendJson(response, 200, await kept(responseOf(await wholeChat(edge, context, chat), asked)))
  }

const createEndpoint: RestEndpoint<ChatEdge> = {
  method: 'post',
  path: '/v1/responses',
  access: 'key',
  faultShape: 'openai',
  operationId: 'createResponse',
  tag: 'chat',
  summary: "Answers in the shape of OpenAI's Responses API.",
  description: `The same call as a chat completion: any model, the same routing, limits and bill. With \`store: true\` the response is kept, and
\`previous_response_id\` goes on from it. A field, item or tool that cannot be honoured is refused by its name; see docs/responses.md. A model that is being deployed answers 503 with
\`Retry-After\`; \`Prefer: wait=N\` holds the connection as for chat completions.
`,
  input: { headers: chatHeaders, body: responsesBody },
  answers: {
    200: {
      description: 'The answer.',
      content: { 'application/json': { schema: responseAnswer }, 'text/event-stream': responseStreamText },
    },
  },
  faults: [402, 403, 404, 429, 502, 503, 504],
  listen: (edge) => route(edge, openAiError, createResponse(edge)),
}

const noSuchResponse = (): AppError => new AppError('not_found', 'There is no such stored response.', { param: 'response_id' })

const readResponse = restEndpoint<{ path: typeof responsePath }, ChatEdge>({
  method: 'get',
  path: '/v1/responses/{response_id}',
  operationId: 'readResponse',
  tag: 'chat',
  summary: 'Reads a stored response.',
  input: { path: responsePath },
  answers: { 200: { description: 'The response as it was answered.', body: responseAnswer } },
  faults: [403, 404],
  handle:
    ({ graph }) =>
    async ({ path: { response_id: id } }, response, context) => {
      const { storedResponse: found } = await graph.execute(RestStoredResponseDocument, { id }, context)
      if (!found) throw noSuchResponse()
      sendJson(response, 200, found.response)
    },
})

const deleteResponse = restEndpoint<{ path: typeof responsePath }, ChatEdge>({
  method: 'delete',
  path: '/v1/responses/{response_id}',
  operationId: 'deleteResponse',
  tag: 'chat',
  summary: 'Deletes a stored response.',
  input: { path: responsePath },
  answers: { 200: { description: 'It is gone.', body: deletedResponse } },
  faults: [403, 404],
  handle:
    ({ graph }) =>
    async ({ path: { response_id: id } }, response, context) => {
      const gone = graph.execute(RestDeleteStoredResponseDocument, { input: { id } }, context)
      whole(
        await gone.catch((thrown: unknown) => {
          throw thrown instanceof AppError && thrown.code === 'not_found' ? noSuchResponse() : thrown
        }),
      )
      sendJson(response, 200, { id, object: 'response', deleted: true })
    },
})

const listInputItems = restEndpoint<{ path: typeof responsePath; query: typeof inputItemsQuery }, ChatEdge>({
  method: 'get',
  path: '/v1/responses/{response_id}/input_items',
  operationId: 'listInputItems',
  tag: 'chat',
  summary: 'Lists what a stored response was made of, with the conversation that it goes on from.',
  input: { path: responsePath, query: inputItemsQuery },
  answers: { 200: { description: 'The items of this page.', body: inputItems } },
  faults: [403, 404],
  handle:
    ({ graph }) =>
    async ({ path: { response_id: id }, query: { limit = 20, order = 'desc', after } }, response, context) => {
      const found = await itemsBefore(graph, context, id)
      if (!found) throw noSuchResponse()
      const all = order === 'asc' ? found : found.toReversed()
      const from = after === undefined ? 0 : all.findIndex((item) => item['id'] === after) + 1
      const data = all.slice(from, from + limit)
      const ends = { first_id: data[0]?.['id'] ?? null, last_id: data.at(-1)?.['id'] ?? null }
      sendJson(response, 200, { object: 'list', data, ...ends, has_more: from + data.length < all.length })
    },
})

export const responsesEndpoints = [createEndpoint, readResponse, listInputItems, deleteResponse]
