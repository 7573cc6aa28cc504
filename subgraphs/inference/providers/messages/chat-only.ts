/**
 * What a chat completion may ask for that Anthropic's Messages API has no words for. A request with such a field goes to other
 * providers, or is refused by the field's name: nobody should believe that it took effect.
 */
import { nearestNumber } from '#platform/json/exact-json.js'
import { isObject, type JsonObject } from '../../tokens/usage.js'
import { DATA_URL } from './request.js'

/** Said in that API, whatever their value. */
const TRANSLATED = ['max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'top_k', 'parallel_tool_calls', 'user']
/** About the effort, the cost or the books of who answers; the answer is an answer to the request without them too. */
const HINTS = [
  'seed',
  'store',
  'metadata',
  'service_tier',
  'prediction',
  'reasoning_effort',
  'verbosity',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
]
const TAKEN = new Set([...TRANSLATED, ...HINTS])

/** Fields of which only some values can be said: each answers the path of what cannot, or null. */
const JUDGED: Readonly<Record<string, (value: unknown) => string | null>> = {
  messages: (messages) => firstOf(messages, (message, at) => inMessage(message, `messages[${at}]`)),
  tools: (tools) => firstOf(tools, ({ type }, at) => (type === 'function' ? null : `tools[${at}].type`)),
  tool_choice: (choice) => (isChoice(choice) ? null : 'tool_choice'),
  response_format: (format) => (isFormat(format) ? null : 'response_format'),
  stop: (stop) => ([stop].flat().some((text) => typeof text === 'string' && text !== '' && text.trim() === '') ? 'stop' : null),
  n: (n) => (nearestNumber(n) === 1 ? null : 'n'),
  logprobs: (value) => (value === false ? null : 'logprobs'),
  top_logprobs: (count) => (nearestNumber(count) === 0 ? null : 'top_logprobs'),
  frequency_penalty: (penalty) => (nearestNumber(penalty) === 0 ? null : 'frequency_penalty'),
  presence_penalty: (penalty) => (nearestNumber(penalty) === 0 ? null : 'presence_penalty'),
  logit_bias: (bias) => (isObject(bias) && Object.keys(bias).length === 0 ? null : 'logit_bias'),
  modalities: (modalities) => ([modalities].flat().every((modality) => modality === 'text') ? null : 'modalities'),
}

/** The path of the first thing that only a chat completion can ask for; null when there is none. */
export function chatOnlyField(chat: JsonObject): string | null {
  for (const [name, value] of Object.entries(chat)) {
    if (value === null || value === undefined || TAKEN.has(name)) continue
    const judge = Object.hasOwn(JUDGED, name) ? JUDGED[name] : undefined
    const found = judge ? judge(value) : name
    if (found !== null) return found
  }
  return null
}

function inMessage(message: JsonObject, path: string): string | null {
  const { role, content, tool_calls: calls } = message
  if (role === 'function') return `${path}.role`
  for (const name of ['function_call', 'audio'])
    if (message[name] !== undefined && message[name] !== null) return `${path}.${name}`
  const holdsImages = role === 'user' || role === 'tool'
  return (
    firstOf(content, (part, at) => (isPart(part, holdsImages) ? null : `${path}.content[${at}].type`)) ??
    firstOf(calls, (call, at) => (isObject(call['function']) ? null : `${path}.tool_calls[${at}].type`))
  )
}

function isPart({ type, image_url: image }: JsonObject, holdsImages: boolean): boolean {
  if (type === 'text' || type === 'refusal') return true
  if (type !== 'image_url' || !holdsImages) return false
  const url = isObject(image) ? image['url'] : image
  return typeof url === 'string' && (!/^data:/i.test(url) || DATA_URL.test(url))
}

const isChoice = (choice: unknown): boolean =>
  typeof choice === 'string'
    ? ['auto', 'none', 'required'].includes(choice)
    : isObject(choice) && isObject(choice['function']) && typeof choice['function']['name'] === 'string'

const isFormat = (format: unknown): boolean =>
  isObject(format) &&
  (format['type'] === 'text' ||
    (format['type'] === 'json_schema' && isObject(format['json_schema']) && isObject(format['json_schema']['schema'])))

function firstOf(list: unknown, judge: (item: JsonObject, at: number) => string | null): string | null {
  if (!Array.isArray(list)) return null
  for (const [at, item] of list.entries()) {
    const found = isObject(item) ? judge(item, at) : null
    if (found !== null) return found
  }
  return null
}
