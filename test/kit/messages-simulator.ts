/**
 * A simulator of a provider with Anthropic's Messages API, written from its public documentation
 * (https://platform.claude.com/docs/en/api/messages, .../errors, .../build-with-claude/streaming): scenes for the fake provider.
 *
 * It refuses what that API refuses of the requests that we could send: a wrong path, key or version, a missing `max_tokens`,
 * fields that it does not know, blank texts, and results of tools that do not follow their calls.
 */
import type { ServerResponse } from 'node:http'
import type { FakeCall } from './fake-provider.js'
import type { Scene } from './fake-provider-scenes.js'

type Json = Record<string, unknown>

export type SimulatedBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: Json }

export interface SimulatedMessage {
  readonly content: readonly SimulatedBlock[]
  readonly stop_reason: string
  readonly stop_sequence: string | null
  readonly usage: Json
}

export const simulatedUsage = (input: number, output: number, cacheRead = 0, cacheCreation = 0): Json => ({
  input_tokens: input,
  cache_creation_input_tokens: cacheCreation,
  cache_read_input_tokens: cacheRead,
  output_tokens: output,
  service_tier: 'standard',
})

export const says = (...texts: readonly string[]): SimulatedMessage => simulated(texts.map((text) => ({ type: 'text', text })))

export function simulated(content: readonly SimulatedBlock[], more: Partial<SimulatedMessage> = {}): SimulatedMessage {
  const stop_reason = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'
  return { content, stop_reason, stop_sequence: null, usage: simulatedUsage(11, 3), ...more }
}

const HEAD = { id: 'msg_01XFDUDYJgAACzvnptvVoYEL', type: 'message', role: 'assistant', model: 'claude-simulated' }

/** A whole answer as JSON text. */
export const messageJson = ({ content, stop_reason, stop_sequence, usage }: SimulatedMessage): string =>
  JSON.stringify({ ...HEAD, content, stop_reason, stop_sequence, usage })

/** The events of a streamed answer, texts and arguments in pieces of so many characters. */
export function messageEvents(message: SimulatedMessage, pieceCharacters = 3): Json[] {
  const { content, stop_reason, stop_sequence, usage } = message
  const started = { ...HEAD, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } }
  const { output_tokens } = usage
  return [
    { type: 'message_start', message: started },
    ...content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: beginningOf(block) },
      ...(index === 0 ? [{ type: 'ping' }] : []),
      ...deltasOf(block, pieceCharacters).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage: { output_tokens } },
    { type: 'message_stop' },
  ]
}

function beginningOf(block: SimulatedBlock): Json {
  if (block.type === 'text') return { type: 'text', text: '' }
  return block.type === 'thinking' ? { type: 'thinking', thinking: '', signature: '' } : { ...block, input: {} }
}

function deltasOf(block: SimulatedBlock, size: number): Json[] {
  if (block.type === 'text') return inPieces(block.text, size).map((text) => ({ type: 'text_delta', text }))
  if (block.type === 'tool_use') {
    const json = Object.keys(block.input).length === 0 ? '' : JSON.stringify(block.input)
    // It begins with an empty piece, as the real one does.
    return ['', ...inPieces(json, size)].map((partial_json) => ({ type: 'input_json_delta', partial_json }))
  }
  return [
    ...inPieces(block.thinking, size).map((thinking) => ({ type: 'thinking_delta', thinking })),
    { type: 'signature_delta', signature: block.signature },
  ]
}

function inPieces(text: string, size: number): string[] {
  const characters = Array.from(text)
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, at) =>
    characters.slice(at * size, (at + 1) * size).join(''),
  )
}

const frame = (event: Json): string => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`

export interface SimulatedEnding {
  /** So many events of a stream are sent. */
  readonly events: number
  /** And then: the connection ends in order, breaks, stays open, or an error event comes. */
  readonly ending: 'early' | 'reset' | 'hang' | 'error'
}

/** Answers whole or streamed, as asked, once the request has passed what the API checks. */
export const plays =
  (script: SimulatedMessage | ((request: Json) => SimulatedMessage), cut?: SimulatedEnding): Scene =>
  async (response, call) => {
    const refusal = refusalOf(call)
    if (refusal) return refusal(response, call)
    const message = typeof script === 'function' ? script(call.body) : script
    if (call.body['stream'] !== true) {
      response.writeHead(200, { 'content-type': 'application/json', 'request-id': 'req_simulated' })
      response.end(messageJson(message))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.write(messageEvents(message).slice(0, cut?.events).map(frame).join(''))
    await endStream(response, cut?.ending)
  }

async function endStream(response: ServerResponse, ending: SimulatedEnding['ending'] | undefined): Promise<void> {
  if (ending === 'hang') return
  if (ending === 'error') response.write(frame(errorBody('overloaded_error', 'Overloaded')))
  if (ending !== 'reset') return void response.end()
  // What was written must arrive before the connection breaks.
  await new Promise<void>((resolve) => response.write(': \n', () => resolve()))
  await new Promise((resolve) => setTimeout(resolve, 30))
  response.socket?.resetAndDestroy()
}

const errorBody = (type: string, message: string): Json => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_simulated',
})

/** Refuses every request so. */
export const refuses =
  (status: number, type: string, message: string, headers: Record<string, string> = {}): Scene =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(errorBody(type, message)))
  }

export const overloaded = refuses(529, 'overloaded_error', 'Overloaded')

const FIELDS = new Set(
  (
    'model max_tokens messages system stream stop_sequences temperature top_p top_k ' +
    'tools tool_choice metadata output_config service_tier thinking'
  ).split(' '),
)

const invalid = (message: string): Scene => refuses(400, 'invalid_request_error', message)

function refusalOf({ path, headers, body }: FakeCall): Scene | null {
  if (!path.endsWith('/messages')) return refuses(404, 'not_found_error', 'Not found')
  if (headers['x-api-key'] === undefined) return refuses(401, 'authentication_error', 'x-api-key header is required')
  if (headers['anthropic-version'] !== '2023-06-01') return invalid('anthropic-version: header is required')
  const unknown = Object.keys(body).find((name) => !FIELDS.has(name))
  if (unknown !== undefined) return invalid(`${unknown}: Extra inputs are not permitted`)
  const { max_tokens: maxTokens, temperature } = body
  if (!Number.isInteger(maxTokens) || Number(maxTokens) < 1) return invalid('max_tokens: Field required')
  if (Number(maxTokens) > 64_000) return invalid(`max_tokens: ${String(maxTokens)} > 64000`)
  if (temperature !== undefined && Number(temperature) > 1) return invalid('temperature: range: 0..1')
  const wrong = wrongMessage((body['messages'] ?? []) as readonly SimulatedTurn[])
  return wrong === null ? null : invalid(wrong)
}

interface SimulatedTurn {
  readonly role: string
  readonly content: readonly Json[]
}

function wrongMessage(messages: readonly SimulatedTurn[]): string | null {
  if (messages.length === 0) return 'messages: at least one message is required'
  let open: unknown[] = []
  for (const [at, { role, content }] of messages.entries()) {
    if (content.some(({ type, text }) => type === 'text' && String(text).trim() === '')) {
      return `messages.${at}: text content blocks must contain non-whitespace text`
    }
    const answered = content.filter(({ type }) => type === 'tool_result').map(({ tool_use_id: id }) => id)
    if (open.some((id) => !answered.includes(id))) return `messages.${at}: tool_use ids were found without tool_result blocks`
    if (answered.some((id) => !open.includes(id))) return `messages.${at}: unexpected tool_use_id`
    const ids = content.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
    if (ids.some((id) => !/^[a-zA-Z0-9_-]+$/.test(String(id)))) return `messages.${at}: tool_use.id: String should match pattern`
    open = role === 'assistant' ? ids : []
  }
  return null
}
