/** POST /v1/responses: OpenAI's Responses API as an edge over chat completions. */
import { readInput } from '../../edge/input.js'
import { openAiError, sendJson } from '../../edge/responses.js'
import { route, type PlainHandler } from '../../edge/route.js'
import type { Framing } from '../../edge/sse.js'
import { scanAsked } from '../answer-scan/asked-scan.js'
import type { ChatEdge } from '../chat-completions/route.js'
import { chatHeaders } from '../chat-headers.js'
import type { RestEndpoint } from '../rest-endpoint.js'
import { readLargeBody, streamTranslated, wholeChat } from '../translated-chat.js'
import { responseOf } from './from-chat.js'
import { responsesBody } from './input.js'
import { responseAnswer, responseStreamText } from './output.js'
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
    const asked = readInput(responsesBody, await readLargeBody(edge, request, response, context))
    const chat = { body: chatBody(asked), api: 'RESPONSES' as const, scan: scanAsked(context) }
    if (asked.stream === true) {
      const stream = createResponseStream(asked, { id: context.requestId, model: asked.model })
      const failed = ({ code, message }: { code: string; message: string }) => stream.fail({ code, message })
      return streamTranslated(edge, response, context, { chat, framing, stream, failed })
    }
    sendJson(response, 200, responseOf(await wholeChat(edge, context, chat), asked))
  }

export const responsesEndpoint: RestEndpoint<ChatEdge> = {
  method: 'post',
  path: '/v1/responses',
  access: 'key',
  faultShape: 'openai',
  operationId: 'createResponse',
  tag: 'chat',
  summary: "Answers in the shape of OpenAI's Responses API.",
  description: `The same call as a chat completion: any model, the same routing, limits and bill. Responses are not stored. A field, item or tool
that cannot be honoured is refused by its name; see docs/responses.md. A model that is being deployed answers 503 with
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
