/**
 * How many tokens a prompt has: at most (for the hold), about (for the router) and counted (for the bill when the provider
 * sends no usage).
 *
 * A token has at least one byte, so the bytes of a prompt are a bound that needs no tokenizer. It is about four times too
 * high, which does no harm while credits suffice; admission counts exactly before it refuses anyone because of it.
 */
import type { Tokenizer } from '#platform/vocabulary/words.js'
import { countText } from './token-count.js'
import { isObject, type JsonObject } from './usage.js'

export interface PromptSize {
  readonly atMost: number
  readonly about: number
  readonly atLeast: number
}

/** Role, separators and the start of the answer, in the usual chat formats. */
const TOKENS_PER_MESSAGE = 4
const TOKENS_PER_REQUEST = 3
/** An image, a sound or a file is not text: its encoding's length says nothing about tokens. A flat figure stands for it. */
const TOKENS_PER_ATTACHMENT = 2_048

/** The parts of a request that make its prompt. */
export interface Prompt {
  readonly messages: readonly JsonObject[]
  readonly body: JsonObject
  /** Set when a thread has read the request, and counts it. */
  readonly large: Counted | null
}

export interface Counted {
  readonly size: PromptSize
  /** The tokens of the prompt. */
  count(tokenizer: Tokenizer): Promise<number>
}

interface PromptParts {
  readonly texts: string[]
  attachments: number
}

function partsOf(request: Prompt): PromptParts {
  const parts: PromptParts = { texts: [], attachments: 0 }
  for (const { content, role, ...rest } of request.messages) {
    if (typeof content === 'string') parts.texts.push(content)
    else if (Array.isArray(content)) content.forEach((part) => addPart(parts, part))
    if (typeof role === 'string') parts.texts.push(role)
    if (Object.keys(rest).length > 0) parts.texts.push(JSON.stringify(rest))
  }
  for (const field of ['tools', 'functions', 'response_format'] as const) {
    if (request.body[field] !== undefined) parts.texts.push(JSON.stringify(request.body[field]))
  }
  return parts
}

function addPart(parts: PromptParts, part: unknown): void {
  if (!isObject(part)) return
  if (typeof part['text'] === 'string') parts.texts.push(part['text'])
  else if (typeof part['refusal'] === 'string') parts.texts.push(part['refusal'])
  else parts.attachments++
}

/** Bounds without a tokenizer, in tokens. */
export function promptSize(request: Prompt): PromptSize {
  if (request.large) return request.large.size
  const { texts, attachments } = partsOf(request)
  let bytes = 0
  for (const text of texts) bytes += Buffer.byteLength(text)
  const fixed = request.messages.length * TOKENS_PER_MESSAGE + TOKENS_PER_REQUEST
  const attached = attachments * TOKENS_PER_ATTACHMENT
  return {
    atMost: bytes + fixed * 2 + attached,
    about: Math.ceil(bytes / 4) + fixed + attached,
    atLeast: Math.floor(bytes / 8),
  }
}

/** The prompt's tokens, counted with the model's tokenizer family. */
export async function countPrompt(request: Prompt, tokenizer: Tokenizer): Promise<number> {
  if (request.large) return request.large.count(tokenizer)
  const { texts, attachments } = partsOf(request)
  let tokens = request.messages.length * TOKENS_PER_MESSAGE - request.messages.length + TOKENS_PER_REQUEST
  for (const text of texts) tokens += await countText(tokenizer, text)
  return tokens + attachments * TOKENS_PER_ATTACHMENT
}
