/** A whole (not streamed) answer: checked, made ours, and turned into chunks when the caller asked for a stream. */
import type { TokenBuckets } from '#platform/money.js'
import { MalformedEvent, ProviderErrorEvent, type StreamIdentity } from './frames.js'
import { isObject, takeUsage, usageObject, type JsonObject, type ReportedUsage } from './usage.js'

export interface ReadCompletion {
  /** The provider's object with our id and model, without usage. */
  readonly object: JsonObject
  readonly choices: readonly JsonObject[]
  readonly usage: ReportedUsage | null
  /** The delivered text that counts as output. */
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
  let text = ''
  choices.forEach((choice, index) => {
    text += normaliseChoice(choice, index)
  })
  object['id'] = identity.id
  object['object'] = 'chat.completion'
  object['created'] = identity.created
  object['model'] = identity.model
  return { object, choices, usage, text }
}

function normaliseChoice(choice: JsonObject, index: number): string {
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
  let text = ''
  for (const field of ['content', 'refusal', 'reasoning_content', 'reasoning']) {
    const value = message[field]
    if (field === 'reasoning' && message['reasoning_content'] === value) continue
    if (typeof value === 'string') text += value
  }
  for (const call of hasCalls ? [...calls, { function: message['function_call'] }] : [{ function: message['function_call'] }]) {
    const definition = isObject(call) ? call['function'] : null
    if (!isObject(definition)) continue
    if (typeof definition['name'] === 'string') text += definition['name']
    if (typeof definition['arguments'] === 'string') text += definition['arguments']
  }
  return text
}

/** Puts the billed usage into the answer. */
export function withUsage(object: JsonObject, tokens: TokenBuckets, reported: ReportedUsage | null): JsonObject {
  object['usage'] = usageObject(tokens, reported?.details)
  return object
}

/** The stream events that say the same as a whole answer, for providers that ignore `stream`. */
export function completionEvents(body: string, identity: StreamIdentity): string[] {
  const { object, choices, usage } = readCompletion(body, identity)
  const events = choices.flatMap((choice) => {
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
