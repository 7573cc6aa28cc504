/** A message of Anthropic's API as a chat completion: the parts that a whole answer and a stream share, and the whole answer. */
import { parseExactJson } from '#platform/json/exact-json.js'
import { isObject, type JsonObject } from '../../tokens/usage.js'

const FINISH_REASONS: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
}

/** How a choice ended. Which text ended it is told as other providers do, in `stop_reason`. */
export function finishOf(message: JsonObject): JsonObject {
  const { stop_reason: reason, stop_sequence: at } = message
  const known = typeof reason === 'string' && Object.hasOwn(FINISH_REASONS, reason) ? FINISH_REASONS[reason] : 'stop'
  return { finish_reason: known, ...(typeof at === 'string' && { stop_reason: at }) }
}

/** The counts of a message; null when it does not hold both. Tokens read from a cache or written to it are of the prompt too. */
export function usageOf(usage: unknown): JsonObject | null {
  if (!isObject(usage) || typeof usage['input_tokens'] !== 'number' || typeof usage['output_tokens'] !== 'number') return null
  const cached = countOf(usage['cache_read_input_tokens'])
  const prompt = usage['input_tokens'] + cached + countOf(usage['cache_creation_input_tokens'])
  const details = usage['output_tokens_details']
  const reasoning = isObject(details) ? countOf(details['thinking_tokens']) : 0
  return {
    prompt_tokens: prompt,
    completion_tokens: usage['output_tokens'],
    total_tokens: prompt + usage['output_tokens'],
    prompt_tokens_details: { cached_tokens: cached },
    ...(reasoning > 0 && { completion_tokens_details: { reasoning_tokens: reasoning } }),
  }
}

const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** A whole answer as the JSON of a chat completion; what is no message is returned as it came. */
export function completionOf(body: string): string {
  const message = messageOf(body)
  if (!message) return body
  const blocks = message['content'].filter(isObject)
  const textOf = (field: string) =>
    blocks
      .map((block) => block[field])
      .filter((text) => typeof text === 'string')
      .join('')
  const calls = blocks.filter(({ type }) => type === 'tool_use').map(callOf)
  const reasoning = textOf('thinking')
  const text = textOf('text')
  return JSON.stringify({
    id: message['id'],
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' && calls.length > 0 ? null : text,
          ...(reasoning !== '' && { reasoning_content: reasoning }),
          ...(calls.length > 0 && { tool_calls: calls }),
        },
        ...finishOf(message),
      },
    ],
    usage: usageOf(message['usage']) ?? undefined,
  })
}

function messageOf(body: string): (JsonObject & { readonly content: readonly unknown[] }) | null {
  try {
    // The input of a call becomes a text, in which a long number must stay what it is.
    const message = parseExactJson(Buffer.from(body))
    if (isObject(message) && Array.isArray(message['content'])) return { ...message, content: message['content'] }
  } catch {
    // Whoever reads completions says what is wrong.
  }
  return null
}

const callOf = ({ id, name, input }: JsonObject): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input ?? {}) },
})
