/**
 * The text of an answer: which parts of a message or delta count as output, in the order in which a model writes them, and
 * how an answer is cut short.
 *
 * Tool calls are cut as OpenAI cuts them: the arguments end where the limit is, and `finish_reason: length` says that they are
 * not whole. A call whose name does not fit is left out. What we cannot count, such as log probabilities or sound, does not
 * go out with an answer that was cut, because it would carry the rest of it.
 */
import { isObject, type JsonObject } from '../tokens/usage.js'

/** Plain texts of a message. Two spellings of one reasoning text are one text. */
export const TEXT_FIELDS = ['reasoning_content', 'reasoning', 'content', 'refusal'] as const

/** One text inside of a message. */
interface Piece {
  readonly owner: JsonObject
  readonly field: string
  readonly text: string
}

/** The delivered text of a message or delta that counts as output. */
export function textOf(message: JsonObject): string {
  let text = ''
  for (const piece of piecesOf(message)) text += piece.text
  return text
}

function piecesOf(message: JsonObject): Piece[] {
  const pieces: Piece[] = []
  const add = (owner: unknown, field: string) => {
    if (!isObject(owner)) return
    const text = owner[field]
    if (typeof text === 'string' && text !== '') pieces.push({ owner, field, text })
  }
  for (const field of TEXT_FIELDS) {
    if (field === 'reasoning' && message['reasoning_content'] === message['reasoning']) continue
    const value = message[field]
    if (Array.isArray(value)) for (const part of value) add(part, 'text')
    else add(message, field)
  }
  for (const definition of functionsOf(message)) {
    add(definition, 'name')
    add(definition, 'arguments')
  }
  return pieces
}

function functionsOf(message: JsonObject): unknown[] {
  const calls = message['tool_calls']
  const functions: unknown[] = Array.isArray(calls) ? calls.map((call) => (isObject(call) ? call['function'] : null)) : []
  if (message['function_call'] !== undefined) functions.push(message['function_call'])
  return functions
}

const KEPT_FIELDS = new Set<string>(['role', 'tool_calls', 'function_call', ...TEXT_FIELDS])

/** Cuts the text of a message, in place, to its first UTF-16 units. */
export function keepText(message: JsonObject, characters: number): void {
  const isOneReasoning = message['reasoning_content'] !== undefined && message['reasoning_content'] === message['reasoning']
  let left = characters
  const nameless = new Set<unknown>()
  for (const { owner, field, text } of piecesOf(message)) {
    const kept = text.slice(0, left)
    left -= kept.length
    owner[field] = kept
    if (field === 'name' && kept !== text) nameless.add(owner)
    // A delta that only goes on with the arguments has nothing to say without them.
    if (field === 'arguments' && kept === '' && !owner['name']) nameless.add(owner)
  }
  if (isOneReasoning) message['reasoning'] = message['reasoning_content']
  const calls = message['tool_calls']
  if (Array.isArray(calls)) {
    const whole = calls.filter((call) => !(isObject(call) && nameless.has(call['function'])))
    if (whole.length > 0) message['tool_calls'] = whole
    else delete message['tool_calls']
  }
  if (nameless.has(message['function_call'])) delete message['function_call']
  for (const field of Object.keys(message)) if (!KEPT_FIELDS.has(field)) delete message[field]
}

/** Marks a choice as one that ended at its limit. */
export function endAtLimit(choice: JsonObject): void {
  choice['finish_reason'] = 'length'
  choice['logprobs'] = null
}
