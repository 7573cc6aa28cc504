/** A model that does as it is asked, for agents of every SDK: it calls for the weather of two cities, writes the JSON of a schema, or says hello. */
import type { FakeCall } from '../../kit/fake-provider.js'
import { answers, deltaJson, fakeUsage, playsEvents, wholeJson, type Scene } from '../../kit/fake-provider-scenes.js'

interface ChatMessage {
  readonly role: string
  readonly content: unknown
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}
export const messagesOf = ({ body }: FakeCall) => body['messages'] as readonly ChatMessage[]

/** A text that is a string or parts. */
export const textOf = (content: unknown): unknown =>
  Array.isArray(content) ? content.map(({ text }: { readonly text: string }) => text).join('') : content

/** What it says where nothing else is wanted, as it comes in a stream. */
export const HELLO = ['Hel', 'lo ', 'you']
/** What it says as JSON. */
export const PLACE = { city: 'Bern', lakes: 0 }

/** A call in the shape of a provider. */
const callOf = (id: string, name: string, args: object) => ({
  index: 0,
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
})

export const weatherAgent: Scene = (response, call) => {
  const { pieces = [], toolCall } = saidTo(call)
  const finish = toolCall ? 'tool_calls' : 'stop'
  const usage = fakeUsage(20 + messagesOf(call).length, 5, { prompt_tokens_details: { cached_tokens: 4 } })
  if (call.body['stream'] === true) {
    const deltas = toolCall ? [{ tool_calls: [toolCall] }] : pieces.map((content) => ({ content }))
    const events = [{ role: 'assistant', content: '' }, ...deltas].map((delta) => deltaJson(delta))
    return playsEvents([...events, deltaJson({}, finish, { usage })])(response, call)
  }
  const message = { role: 'assistant', content: toolCall ? null : pieces.join(''), ...(toolCall && { tool_calls: [toolCall] }) }
  return answers(wholeJson('', usage, { choices: [{ index: 0, message, finish_reason: finish }] }))(response, call)
}

function saidTo(call: FakeCall): { pieces?: readonly string[]; toolCall?: object } {
  const { tools = [], response_format: format } = call.body as { tools?: readonly Tool[]; response_format?: object }
  const names = tools.map((tool) => tool.function.name)
  // Some SDKs ask for JSON by a tool of this name.
  if (names.includes('json')) return { toolCall: callOf('call_json', 'json', PLACE) }
  if (format) return { pieces: [JSON.stringify(PLACE)] }
  if (!names.includes('weather')) return { pieces: HELLO }
  const results = messagesOf(call).filter(({ role }) => role === 'tool')
  const city = ['Bern', 'Ulm'][results.length]
  if (city === undefined) return { pieces: [results.map(({ content }) => content).join(', ')] }
  return { toolCall: callOf(`call_${results.length}`, 'weather', { city }) }
}

interface Tool {
  readonly function: { readonly name: string }
}

/** What a stream of an SDK tells, to its end. */
export async function piecesOf(stream: AsyncIterable<string>): Promise<string[]> {
  const pieces: string[] = []
  for await (const piece of stream) pieces.push(piece)
  return pieces
}
