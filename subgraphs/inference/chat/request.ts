/**
 * The chat request: what we must understand is checked, and everything else travels to the provider as it came.
 *
 * The input is the OpenAI-shaped object of the contract (snake_case). Errors are 400s that name the field as a path. The
 * caller's text is never repeated in a message.
 */
import { invalidRequest } from '#platform/errors.js'
import { nearestNumber } from '#platform/json/exact-json.js'
import { isDeeperThan } from '#platform/json/json-depth.js'
import type { SharedBytes } from '#platform/shared-bytes.js'
import type { ChatLimits } from '../limits.js'
import type { Counted, Prompt } from '../tokens/prompt-size.js'
import { isObject, type JsonObject } from '../tokens/usage.js'

export interface ChatRequest extends Prompt {
  /** A model id or a tier keyword. */
  readonly model: string
  readonly stream: boolean
  /** The caller's limit of output tokens for each choice; null when not given. */
  readonly maxOutputTokens: number | null
  readonly choices: number
  readonly needsFunctionCalling: boolean
  readonly needsJsonMode: boolean
  /** The caller asked for the separate usage chunk of OpenAI (`stream_options.include_usage`). */
  readonly wantsUsageChunk: boolean
  /** The body for the provider, without `model`, `stream`, `stream_options` and the null values that mean "not given". */
  readonly body: JsonObject
  /** Set when a thread has read the request: then `messages` is empty, and `body` holds only what the server may change. */
  readonly large: LargePrompt | null
}

/** The part of a large request that stays as it is. */
export interface LargePrompt extends Counted {
  /** The JSON text of the body without what `body` holds: an object with at least one member. */
  readonly rest: SharedBytes
  /** What of it only a chat completion can ask for: see `chatOnlyField`. */
  readonly chatOnlyField: string | null
  /** `rest` as the JSON text of a Messages request, for providers that speak that API. */
  asMessages(): Promise<Uint8Array>
}

/** A request that was checked before, in the place of a body. */
export class CheckedRequest {
  readonly stream: boolean

  constructor(readonly request: ChatRequest) {
    this.stream = request.stream
  }
}

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])
/** OpenAI takes 4; other providers take more, and refuse by themselves what is too much. */
const MAX_STOP_SEQUENCES = 16
const MAX_CHOICES = 128
const MAX_TOOLS = 1_024
const MAX_MODEL_NAME = 256

/** Fields where null means the same as absent; some providers refuse the null. */
const NULL_IS_ABSENT = [
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'n',
  'stop',
  'seed',
  'tools',
  'tool_choice',
  'response_format',
] as const

/** Checks a request body. @throws AppError 400 with `param` */
export function parseChatRequest(input: unknown, limits: ChatLimits): ChatRequest {
  if (input instanceof CheckedRequest) return input.request
  if (!isObject(input)) throw invalidRequest('The request body must be a JSON object.')
  if (isDeeperThan(input, limits.jsonDepth)) throw invalidRequest(`The request is nested deeper than ${limits.jsonDepth} levels.`)
  const model = readModel(input['model'])
  const messages = readMessages(input['messages'], limits.messages)
  readNumber(input['temperature'], 'temperature', 0, 2)
  readNumber(input['top_p'], 'top_p', 0, 1)
  readNumber(input['frequency_penalty'], 'frequency_penalty', -2, 2)
  readNumber(input['presence_penalty'], 'presence_penalty', -2, 2)
  const maxTokens = readInteger(input['max_tokens'], 'max_tokens', 1, Number.MAX_SAFE_INTEGER)
  const maxCompletionTokens = readInteger(input['max_completion_tokens'], 'max_completion_tokens', 1, Number.MAX_SAFE_INTEGER)
  const choices = readInteger(input['n'], 'n', 1, MAX_CHOICES) ?? 1
  readInteger(input['seed'], 'seed', -(2 ** 63), 2 ** 63)
  readStop(input['stop'])
  const tools = readTools(input['tools'])
  readToolChoice(input['tool_choice'])
  const needsJsonMode = readResponseFormat(input['response_format'])
  const stream = readBoolean(input['stream'], 'stream')
  const wantsUsageChunk = readStreamOptions(input['stream_options'])
  const functions = Array.isArray(input['functions']) && input['functions'].length > 0
  return {
    model,
    messages,
    stream,
    maxOutputTokens: maxCompletionTokens ?? maxTokens,
    choices,
    needsFunctionCalling: (tools > 0 && input['tool_choice'] !== 'none') || functions,
    needsJsonMode,
    wantsUsageChunk,
    body: providerBody(input),
    large: null,
  }
}

function readModel(value: unknown): string {
  if (value === undefined || value === null) throw invalidRequest('The field "model" is required.', 'model')
  if (typeof value !== 'string') throw invalidRequest('The field "model" must be a string.', 'model')
  if (value === '' || value.length > MAX_MODEL_NAME) {
    throw invalidRequest(`The field "model" must have 1 to ${MAX_MODEL_NAME} characters.`, 'model')
  }
  return value
}

function readMessages(value: unknown, maxMessages: number): readonly JsonObject[] {
  if (value === undefined || value === null) throw invalidRequest('The field "messages" is required.', 'messages')
  if (!Array.isArray(value)) throw invalidRequest('The field "messages" must be an array.', 'messages')
  if (value.length === 0) throw invalidRequest('The field "messages" must hold at least one message.', 'messages')
  if (value.length > maxMessages) throw invalidRequest(`At most ${maxMessages} messages are accepted.`, 'messages')
  value.forEach(checkMessage)
  return value as readonly JsonObject[]
}

function checkMessage(message: unknown, index: number): void {
  const path = `messages[${index}]`
  if (!isObject(message)) throw invalidRequest('A message must be an object.', path)
  const role = message['role']
  if (typeof role !== 'string' || !ROLES.has(role)) {
    throw invalidRequest(`The role of a message must be one of ${[...ROLES].join(', ')}.`, `${path}.role`)
  }
  const content = message['content']
  // An assistant's message may hold tool calls instead; elsewhere an absent field is a mistake, while null was meant.
  if (content === undefined && role !== 'assistant') throw invalidRequest('This message needs content.', `${path}.content`)
  if (content === undefined || content === null || typeof content === 'string') return
  if (!Array.isArray(content))
    throw invalidRequest('The content of a message is a string, an array of parts or null.', `${path}.content`)
  content.forEach((part: unknown, position) => checkPart(part, `${path}.content[${position}]`))
}

function checkPart(part: unknown, path: string): void {
  if (!isObject(part)) throw invalidRequest('A part of the content must be an object.', path)
  if (typeof part['type'] !== 'string') throw invalidRequest('A part of the content must have a type.', `${path}.type`)
  if (part['type'] === 'text' && typeof part['text'] !== 'string') {
    throw invalidRequest('A text part must have a string as text.', `${path}.text`)
  }
}

function readNumber(given: unknown, name: string, minimum: number, maximum: number): number | null {
  const value = nearestNumber(given)
  if (value === undefined || value === null) return null
  if (typeof value !== 'number' || !Number.isFinite(value)) throw invalidRequest(`The field "${name}" must be a number.`, name)
  if (value < minimum || value > maximum) {
    throw invalidRequest(`The field "${name}" must be between ${minimum} and ${maximum}.`, name)
  }
  return value
}

function readInteger(given: unknown, name: string, minimum: number, maximum: number): number | null {
  const value = nearestNumber(given)
  if (value === undefined || value === null) return null
  if (typeof value !== 'number' || !Number.isInteger(value)) throw invalidRequest(`The field "${name}" must be an integer.`, name)
  if (value < minimum) throw invalidRequest(`The field "${name}" must be at least ${minimum}.`, name)
  if (value > maximum) throw invalidRequest(`The field "${name}" must be at most ${maximum}.`, name)
  return value
}

function readBoolean(value: unknown, name: string): boolean {
  if (value === undefined || value === null) return false
  if (typeof value !== 'boolean') throw invalidRequest(`The field "${name}" must be true or false.`, name)
  return value
}

function readStop(value: unknown): void {
  if (value === undefined || value === null || typeof value === 'string') return
  if (!Array.isArray(value)) throw invalidRequest('The field "stop" must be a string, an array of strings or null.', 'stop')
  if (value.length > MAX_STOP_SEQUENCES)
    throw invalidRequest(`At most ${MAX_STOP_SEQUENCES} stop sequences are accepted.`, 'stop')
  const wrong = value.findIndex((item) => typeof item !== 'string')
  if (wrong !== -1) throw invalidRequest('A stop sequence must be a string.', `stop[${wrong}]`)
}

function readTools(value: unknown): number {
  if (value === undefined || value === null) return 0
  if (!Array.isArray(value)) throw invalidRequest('The field "tools" must be an array or null.', 'tools')
  if (value.length > MAX_TOOLS) throw invalidRequest(`At most ${MAX_TOOLS} tools are accepted.`, 'tools')
  value.forEach((tool: unknown, index) => {
    if (!isObject(tool)) throw invalidRequest('A tool must be an object.', `tools[${index}]`)
    if (typeof tool['type'] !== 'string') throw invalidRequest('A tool must have a type.', `tools[${index}].type`)
    const definition = tool['function']
    if (tool['type'] === 'function' && !(isObject(definition) && typeof definition['name'] === 'string')) {
      throw invalidRequest('A function tool must have a name.', `tools[${index}].function.name`)
    }
  })
  return value.length
}

function readToolChoice(value: unknown): void {
  if (value === undefined || value === null || typeof value === 'string' || isObject(value)) return
  throw invalidRequest('The field "tool_choice" must be a string, an object or null.', 'tool_choice')
}

function readResponseFormat(value: unknown): boolean {
  if (value === undefined || value === null) return false
  if (!isObject(value)) throw invalidRequest('The field "response_format" must be an object or null.', 'response_format')
  const type = value['type']
  if (typeof type !== 'string') throw invalidRequest('The response format must have a type.', 'response_format.type')
  return type !== 'text'
}

function readStreamOptions(value: unknown): boolean {
  if (value === undefined || value === null) return false
  if (!isObject(value)) throw invalidRequest('The field "stream_options" must be an object or null.', 'stream_options')
  return readBoolean(value['include_usage'], 'stream_options.include_usage')
}

function providerBody(input: JsonObject): JsonObject {
  // Left out while copying: deleting would make it an object that every later step is slow with.
  const { model: _model, stream: _stream, stream_options: _options, ...body } = input
  if (Object.values(body).includes(null)) for (const name of NULL_IS_ABSENT) if (body[name] === null) delete body[name]
  return body
}
