/** The thread behind large-requests.ts: all work that grows with the size of a request. */
import { AppError, invalidRequest } from '#platform/errors.js'
import { nearestNumber, parseExactJson } from '#platform/json/exact-json.js'
import { holdsMoreValuesThan } from '#platform/json/json-values.js'
import { asBuffer, sharedText, type SharedBytes } from '#platform/shared-bytes.js'
import { answerQuestions } from '#platform/thread.js'
import type { ChatLimits } from '../limits.js'
import type { Tokenizer } from '#platform/vocabulary/words.js'
import { countPrompt, promptSize, type PromptSize } from '../tokens/prompt-size.js'
import { parseChatRequest, type ChatRequest } from './request.js'
import { chatOnlyField } from '../providers/messages/chat-only.js'
import { messagesBody } from '../providers/messages/request.js'
import { isObject, type JsonObject } from '../tokens/usage.js'

export type LargeQuestion =
  | { readonly kind: 'take'; readonly body: JsonObject; readonly limits: ChatLimits }
  | { readonly kind: 'read'; readonly bytes: SharedBytes; readonly limits: ChatLimits }
  | { readonly kind: 'count'; readonly rest: SharedBytes; readonly tokenizer: Tokenizer }
  | { readonly kind: 'messages'; readonly rest: SharedBytes }

export type LargeAnswer =
  | {
      readonly kind: 'read'
      /** `body` holds only what the server may change. */
      readonly request: Omit<ChatRequest, 'messages' | 'large'>
      readonly size: PromptSize
      readonly chatOnlyField: string | null
      /** The JSON text of the rest of the body, an object with at least one member. */
      readonly rest: SharedBytes
    }
  | { readonly kind: 'count'; readonly tokens: number }
  | { readonly kind: 'messages'; readonly body: SharedBytes }

/** What the server may set or read after the request was checked. */
const CHANGEABLE = ['max_tokens', 'max_completion_tokens'] as const

answerQuestions<{ question: LargeQuestion; answer: LargeAnswer }>((question) => {
  switch (question.kind) {
    case 'read':
      return read(question)
    case 'take':
      return check(question.body, question.limits)
    case 'count':
      return count(question.rest, question.tokenizer)
    case 'messages':
      return asMessages(question.rest)
  }
})

function read({ bytes: shared, limits }: LargeQuestion & { kind: 'read' }): LargeAnswer {
  const bytes = asBuffer(shared)
  const most = limits.jsonValues
  if (holdsMoreValuesThan(bytes, most)) throw invalidRequest(`The body holds more than ${most} values.`)
  return check(parsed(bytes), limits)
}

function check(input: unknown, limits: ChatLimits): LargeAnswer {
  const request = parseChatRequest(input, limits)
  const size = promptSize(request)
  const { messages: _messages, large: _large, body, ...facts } = request
  const changeable: JsonObject = {}
  const rest: JsonObject = { ...body }
  for (const name of CHANGEABLE) {
    if (rest[name] === undefined) continue
    changeable[name] = nearestNumber(rest[name])
    delete rest[name]
  }
  return {
    kind: 'read',
    request: { ...facts, body: changeable },
    size,
    chatOnlyField: chatOnlyField(body),
    rest: sharedText(JSON.stringify(rest)),
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return parseExactJson(bytes)
  } catch (cause) {
    throw new AppError('invalid_request_error', 'The body is not valid JSON in UTF-8.', { cause })
  }
}

async function count(rest: SharedBytes, tokenizer: Tokenizer): Promise<LargeAnswer> {
  const body = JSON.parse(asBuffer(rest).toString()) as JsonObject
  const tokens = await countPrompt({ messages: body['messages'] as JsonObject[], body, large: null }, tokenizer)
  return { kind: 'count', tokens }
}

function asMessages(rest: SharedBytes): LargeAnswer {
  const chat = parseExactJson(asBuffer(rest))
  if (!isObject(chat)) throw new Error('The rest of a request is an object.')
  return { kind: 'messages', body: sharedText(JSON.stringify(messagesBody(chat))) }
}
