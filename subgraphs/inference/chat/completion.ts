/** A whole (not streamed) answer: checked, made ours, and turned into chunks when the caller asked for a stream. */
import type { TokenBuckets } from '#platform/money.js'
import { endAtLimit, keepText, textOf } from './answer-text.js'
import type { Cover } from '../call/billing.js'
import { MalformedEvent, ProviderErrorEvent, type StreamIdentity } from './frames.js'
import type { Tokenizer } from '#platform/vocabulary/words.js'
import { fitText } from '../tokens/token-count.js'
import { isObject, takeUsage, usageObject, type JsonObject, type ReportedUsage } from '../tokens/usage.js'

export interface ReadCompletion {
  /** The provider's object with our id and model, without usage. */
  readonly object: JsonObject
  readonly choices: readonly ReadChoice[]
  readonly usage: ReportedUsage | null
}

interface ReadChoice {
  /** Part of the completion's object. */
  readonly choice: JsonObject
  readonly message: JsonObject
  /** What of it counts as output. */
  readonly text: string
}

/** Reads a provider's JSON body. @throws MalformedEvent, ProviderErrorEvent */
export function readCompletion(body: string, identity: StreamIdentity): ReadCompletion {
  let object: unknown
  try {
    object = JSON.parse(body)
  } catch {
    throw new MalformedEvent('json')
  }
  if (!isObject(object)) throw new MalformedEvent('object')
  if (object['error'] !== undefined && object['error'] !== null) throw new ProviderErrorEvent('error')
  const choices = object['choices']
  if (!Array.isArray(choices) || choices.length === 0 || !choices.every(isObject)) throw new MalformedEvent('choices')
  const usage = takeUsage(object)
  const read = choices.map(normaliseChoice)
  object['id'] = identity.id
  object['object'] = 'chat.completion'
  object['created'] = identity.created
  object['model'] = identity.model
  return { object, choices: read, usage }
}

function normaliseChoice(choice: JsonObject, index: number): ReadChoice {
  const message = choice['message']
  if (!isObject(message)) throw new MalformedEvent('message')
  if (!Number.isInteger(choice['index'])) choice['index'] = index
  message['role'] ??= 'assistant'
  // OpenAI's schema requires these three, and its typed clients read them; other providers leave them out.
  message['content'] ??= null
  message['refusal'] ??= null
  choice['logprobs'] ??= null
  const calls = message['tool_calls']
  const hasCalls = Array.isArray(calls) && calls.length > 0
  if (typeof choice['finish_reason'] !== 'string' || choice['finish_reason'] === '') {
    choice['finish_reason'] = hasCalls ? 'tool_calls' : 'stop'
  }
  return { choice, message, text: textOf(message) }
}

/** Puts the billed usage into the answer. */
export function withUsage(object: JsonObject, tokens: TokenBuckets, details: JsonObject | undefined): JsonObject {
  object['usage'] = usageObject(tokens, details)
  return object
}

/**
 * Cuts every choice to the limit by our own count, and leaves out choices that nobody asked for.
 *
 * @returns the output tokens of what is left
 */
export async function cutToLimit({ object, choices }: ReadCompletion, tokenizer: Tokenizer, cover: Cover): Promise<number> {
  const asked = choices.slice(0, cover.choices)
  if (asked.length < choices.length) object['choices'] = asked.map(({ choice }) => choice)
  let output = 0
  for (const { choice, message, text } of asked) {
    const { characters, tokens } = await fitText(tokenizer, text, cover.answerTokens)
    output += tokens
    if (characters === text.length) continue
    keepText(message, characters)
    message['content'] ??= null
    message['refusal'] ??= null
    endAtLimit(choice)
  }
  return output
}

/** The stream events that say the same as a whole answer, for providers that ignore `stream`. */
export function completionEvents(body: string, identity: StreamIdentity): string[] {
  const { object, choices, usage } = readCompletion(body, identity)
  const events = choices.flatMap(({ choice }) => {
    const { message, finish_reason: finishReason, ...rest } = choice
    const delta = { ...(message as JsonObject) }
    if (Array.isArray(delta['tool_calls'])) {
      delta['tool_calls'] = delta['tool_calls'].map((call: JsonObject, index) => ({ ...call, index }))
    }
    return [
      { ...object, choices: [{ ...rest, delta, finish_reason: null }] },
      { ...object, choices: [{ index: rest['index'], delta: {}, finish_reason: finishReason }] },
    ]
  })
  if (usage) events.push({ ...object, choices: [], usage: usage.details } as never)
  return events.map((event) => JSON.stringify(event))
}
