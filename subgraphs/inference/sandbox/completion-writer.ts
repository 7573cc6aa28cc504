/** What the sandbox answers to one request body: text or a tool call as tokens, a finish reason and real token counts. */
import { encode, decode } from 'gpt-tokenizer/encoding/o200k_base'
import { isObject, type JsonObject } from '../tokens/usage.js'
import { answerTo, randomFrom, type Random } from './text-model.js'

export interface WrittenChoice {
  /** The text, one token each; empty when a tool is called. */
  readonly tokens: readonly string[]
  readonly toolCall: { readonly id: string; readonly name: string; readonly arguments: readonly string[] } | null
  readonly finishReason: 'stop' | 'length' | 'tool_calls'
  readonly tokenCount: number
}

export interface WrittenCompletion {
  readonly id: string
  readonly choices: readonly WrittenChoice[]
  readonly promptTokens: number
  readonly completionTokens: number
}

const MAX_OUTPUT_TOKENS = 4_096
const MAX_CHOICES = 16
/** The tokenizer's time grows with the square of an unbroken run of characters. */
const LONG_RUN = /\S{256}(?=\S)/g

/** Tokens of a text; special tokens in it are ordinary text. */
const encodeText = (text: string): number[] => {
  const pieces = text.replace(LONG_RUN, '$&\u0000').split('\u0000')
  return pieces.flatMap((piece) => encode(piece, { disallowedSpecial: new Set<string>() }))
}

export function writeCompletion(body: JsonObject): WrittenCompletion {
  const messages = Array.isArray(body['messages']) ? body['messages'].filter(isObject) : []
  const seed = JSON.stringify([body['seed'] ?? 0, messages])
  const promptTokens = messages.reduce((sum, message) => sum + 4 + encodeText(contentOf(message)).length, 3)
  const wanted = typeof body['n'] === 'number' ? Math.min(MAX_CHOICES, body['n']) : 1
  const choices = Array.from({ length: wanted }, (_, index) => writeChoice(body, messages, randomFrom(`${index}\n${seed}`)))
  return {
    id: `chatcmpl-${Math.floor(randomFrom(`id\n${seed}`)() * 1e15).toString(36)}`,
    choices,
    promptTokens,
    completionTokens: choices.reduce((sum, { tokenCount }) => sum + tokenCount, 0),
  }
}

function contentOf(message: JsonObject): string {
  const { content } = message
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('\n')
}

function writeChoice(body: JsonObject, messages: readonly JsonObject[], random: Random): WrittenChoice {
  const prompt = contentOf(messages.findLast(({ role }) => role === 'user') ?? messages.at(-1) ?? {})
  const tool = calledTool(body, messages, prompt)
  if (tool) return toolChoice(tool, prompt, random)
  const limit = outputLimit(body)
  const format = body['response_format']
  const isJson = isObject(format) && format['type'] !== 'text'
  const longWords = /\b(?:long|detailed|essay|story|in depth)\b/i.test(prompt) ? 600 : 0
  const answer = isJson ? jsonAnswer(format, prompt, random) : answerTo(prompt, random, longWords)
  const ids = encodeText(cutAtStop(answer, body['stop']))
  const kept = ids.slice(0, limit)
  return {
    tokens: splitTokens(kept),
    toolCall: null,
    finishReason: kept.length < ids.length ? 'length' : 'stop',
    tokenCount: kept.length,
  }
}

function outputLimit(body: JsonObject): number {
  const limit = body['max_completion_tokens'] ?? body['max_tokens']
  return typeof limit === 'number' ? Math.min(limit, MAX_OUTPUT_TOKENS) : MAX_OUTPUT_TOKENS
}

function cutAtStop(text: string, stop: unknown): string {
  const sequences = (Array.isArray(stop) ? stop : [stop]).filter((item) => typeof item === 'string' && item !== '') as string[]
  const places = sequences.map((sequence) => text.indexOf(sequence)).filter((place) => place !== -1)
  return places.length > 0 ? text.slice(0, Math.min(...places)) : text
}

/** One string for each token, joined where a character is spread over several tokens, so that every string is whole. */
function splitTokens(ids: readonly number[]): string[] {
  const tokens: string[] = []
  let waiting: number[] = []
  for (const id of ids) {
    waiting.push(id)
    const text = decode(waiting)
    if (text.endsWith('\ufffd') && waiting.length < 8) continue
    tokens.push(text)
    waiting = []
  }
  if (waiting.length > 0) tokens.push(decode(waiting))
  return tokens
}

function jsonAnswer(format: JsonObject, prompt: string, random: Random): string {
  const schema = isObject(format['json_schema']) ? format['json_schema']['schema'] : null
  if (isObject(schema)) return JSON.stringify(exampleOf(schema, prompt, random, 0))
  return JSON.stringify({ answer: answerTo(prompt, random), sandbox: true })
}

/** A value that fits the common parts of a JSON schema. */
function exampleOf(schema: unknown, prompt: string, random: Random, depth: number): unknown {
  if (!isObject(schema) || depth > 8) return null
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum']) && schema['enum'].length > 0)
    return schema['enum'][Math.floor(random() * schema['enum'].length)]
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type']
  if (type === 'string') return prompt.trim().split(/\s+/).slice(0, 6).join(' ') || 'text'
  if (type === 'integer') return Number(/-?\d{1,9}/.exec(prompt)?.[0] ?? 1)
  if (type === 'number') return Number(/-?\d{1,9}(\.\d+)?/.exec(prompt)?.[0] ?? 1)
  if (type === 'boolean') return random() < 0.5
  if (type === 'array') return [exampleOf(schema['items'], prompt, random, depth + 1)]
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, exampleOf(value, prompt, random, depth + 1)]),
  )
}

/** The function to call: the one that is demanded, or one that the prompt names. */
function calledTool(body: JsonObject, messages: readonly JsonObject[], prompt: string): JsonObject | null {
  const tools = Array.isArray(body['tools']) ? body['tools'].filter(isObject) : []
  const functions = tools.map((tool) => tool['function']).filter(isObject)
  const choice = body['tool_choice']
  if (functions.length === 0 || choice === 'none') return null
  const isDemanded = choice === 'required' || isObject(choice)
  // After a tool has answered, an answer in words ends the loop of a client that always demands a tool by name.
  if (messages.at(-1)?.['role'] === 'tool') return null
  const named = isObject(choice) && isObject(choice['function']) ? choice['function']['name'] : null
  const demanded = functions.find(({ name }) => name === named) ?? functions[0]!
  if (isDemanded) return demanded
  const lower = prompt.toLowerCase()
  const isMentioned = ({ name }: JsonObject) =>
    typeof name === 'string' && name.split(/[_-]|(?=[A-Z])/).some((word) => word.length > 3 && lower.includes(word.toLowerCase()))
  return functions.find(isMentioned) ?? null
}

function toolChoice(tool: JsonObject, prompt: string, random: Random): WrittenChoice {
  const name = String(tool['name'])
  const text = JSON.stringify(exampleOf(tool['parameters'] ?? {}, prompt, random, 0) ?? {})
  const ids = encodeText(text)
  return {
    tokens: [],
    toolCall: { id: `call_${Math.floor(random() * 1e15).toString(36)}`, name, arguments: splitTokens(ids) },
    finishReason: 'tool_calls',
    tokenCount: ids.length + encodeText(name).length,
  }
}
