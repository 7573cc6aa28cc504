/** The messages of a request in the words of the GenAI semantic conventions. */
import type { SpanAttributes } from '#platform/requests/tracing.js'
import type { ChatRequest } from '../chat/request.js'
import { isObject, type JsonObject } from '../tokens/usage.js'
import { leftOut, Room } from './room.js'

type Part = Readonly<Record<string, unknown>>

/** What the caller says before the conversation is `gen_ai.system_instructions`, the rest `gen_ai.input.messages`. */
export function promptContent({ messages, large }: ChatRequest): SpanAttributes {
  // It was read in a thread, so that nothing here has to.
  if (large) return inputMessages([{ role: 'user', parts: [noticeOf(large.rest.byteLength, 'bytes')] }])
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  const instructions = first === -1 ? messages : messages.slice(0, first)
  return {
    ...(instructions.length > 0 && { 'gen_ai.system_instructions': JSON.stringify(instructionParts(instructions)) }),
    ...inputMessages(newestOf(messages.slice(instructions.length))),
  }
}

const inputMessages = (messages: readonly object[]): SpanAttributes => ({ 'gen_ai.input.messages': JSON.stringify(messages) })

const noticeOf = (count: number, what: string): Part => ({ type: 'text', content: leftOut(count, what) })

function instructionParts(messages: readonly JsonObject[]): Part[] {
  const room = new Room()
  return messages.flatMap((message) => partsOf(message, room))
}

/** As many as there is room for, from the last one back: a conversation sends its beginning again and again. */
function newestOf(messages: readonly JsonObject[]): object[] {
  const room = new Room()
  const told: object[] = []
  let index = messages.length
  while (index > 0 && !room.isFull) {
    const message = messages[--index]!
    told.unshift({ role: message['role'], parts: partsOf(message, room) })
  }
  return index === 0 ? told : [{ role: messages[0]!['role'], parts: [noticeOf(index, 'messages')] }, ...told]
}

function partsOf(message: JsonObject, room: Room): Part[] {
  const { role, content, reasoning_content: reasoning, tool_calls: calls, tool_call_id: callId } = message
  const said = contentParts(content, room)
  if (role === 'tool') {
    const response = said.length === 1 && said[0]!['type'] === 'text' ? said[0]!['content'] : said
    return [{ type: 'tool_call_response', id: textIn(callId, room), response }]
  }
  return [
    ...(typeof reasoning === 'string' ? [{ type: 'reasoning', content: room.text(reasoning) }] : []),
    ...said,
    ...within(calls, room, callPart),
  ]
}

function contentParts(content: unknown, room: Room): Part[] {
  if (typeof content === 'string') return [{ type: 'text', content: room.text(content) }]
  return within(content, room, contentPart)
}

/** A list of a caller's, as far as there is room. */
function within(list: unknown, room: Room, tell: (item: JsonObject, room: Room) => Part): Part[] {
  if (!Array.isArray(list)) return []
  const told: Part[] = []
  for (const item of list) {
    if (room.isFull) return [...told, noticeOf(list.length - told.length, 'parts')]
    told.push(tell(isObject(item) ? item : {}, room))
  }
  return told
}

function contentPart(part: JsonObject, room: Room): Part {
  const text = part['text'] ?? part['refusal']
  if (typeof text === 'string') return { type: 'text', content: room.text(text) }
  const image = part['image_url']
  const url = isObject(image) ? image['url'] : undefined
  if (typeof url !== 'string') return { type: textIn(part['type'], room), content: leftOut(1, 'attachment') }
  const modality = { modality: 'image' }
  if (!url.startsWith('data:')) return { type: 'uri', ...modality, uri: room.text(url) }
  return { type: 'blob', ...modality, content: leftOut(url.length, 'characters') }
}

function callPart(call: JsonObject, room: Room): Part {
  const called = isObject(call['function']) ? call['function'] : {}
  return {
    type: 'tool_call',
    id: textIn(call['id'], room),
    name: textIn(called['name'], room),
    arguments: textIn(called['arguments'], room),
  }
}

const textIn = (value: unknown, room: Room) => room.text(typeof value === 'string' ? value : '')
