/**
 * Chunks of a chat completion as the events of a streamed response. Items are told apart by their index, so calls that a provider
 * writes in turns are told as they come; `end` closes them all, and `fail` says what was there when the answer broke off.
 */
import type { Chunk, ToolCall } from '../messages/from-chat.js'
import { callItem, endOf, headOf, messageItem, partOf, type MessagePart } from './from-chat.js'
import type { ResponsesRequest } from './input.js'

export type ResponseEvent = { readonly type: string; readonly sequence_number: number } & Record<string, unknown>

export interface ResponseStream {
  /** What a chunk adds. */
  push(chunk: Chunk): readonly ResponseEvent[]
  /** The end of a complete answer, after it has been kept. */
  end(): Promise<readonly ResponseEvent[]>
  /** The end of one that broke off; its items stay open, so that nobody acts on half a call. */
  fail(error: { readonly code: string; readonly message: string }): readonly ResponseEvent[]
}

type Status = 'in_progress' | 'completed' | 'incomplete'
type Say = (type: string, fields: object) => ResponseEvent

/** An item of the output while it is written. */
interface OpenItem {
  item(status: Status): object
  /** What is said when it is complete, its own end aside. */
  close(): ResponseEvent[]
}

/** Nothing is kept, and the response says so already. */
const notKept: Kept = (response) => Promise.resolve(response)

type Kept = <Response extends { readonly id: string }>(response: Response) => Promise<Response>

/** `fallback` is the head of a response that fails before its first chunk; `kept` gets the whole one before it is told. */
export function createResponseStream(
  asked: ResponsesRequest,
  fallback: Pick<Chunk, 'id' | 'model'>,
  kept: Kept = notKept,
): ResponseStream {
  const items: OpenItem[] = []
  const calls = new Map<number, CallItem>()
  let sequence = 0
  let head: ReturnType<typeof headOf> | null = null
  let message: MessageItem | null = null
  let finish: string | null = null
  let usage: Chunk['usage'] = null
  let ours: Pick<Chunk, 'sluice'> = {}
  const say: Say = (type, fields) => ({ type, sequence_number: sequence++, ...fields })

  function start(chunk: Pick<Chunk, 'id' | 'model' | 'created'>): ResponseEvent[] {
    if (head) return []
    head = headOf(chunk, asked)
    return [say('response.created', { response: head }), say('response.in_progress', { response: head })]
  }

  function open<Opened extends OpenItem>(create: (at: number) => Opened): [Opened, ResponseEvent] {
    const at = items.length
    const opened = create(at)
    items.push(opened)
    return [opened, say('response.output_item.added', { output_index: at, item: opened.item('in_progress') })]
  }

  function addText(id: string, type: MessagePart['type'], text: string): ResponseEvent[] {
    if (message) return message.add(type, text)
    const [opened, added] = open((at) => createMessageItem(say, id, at))
    message = opened
    return [added, ...opened.add(type, text)]
  }

  function addCall(id: string, call: ToolCall, at: number): ResponseEvent[] {
    const place = call.index ?? at
    const json = call.function?.arguments ?? ''
    const known = calls.get(place)
    if (known) return known.add(json)
    const [opened, added] = open((index) => createCallItem(say, id, call, place, index))
    calls.set(place, opened)
    return [added, ...opened.add(json)]
  }

  const output = (status: Status) => items.map((each) => each.item(status))

  return {
    push(chunk) {
      const events = start(chunk)
      usage = chunk.usage ?? usage
      if (chunk.sluice) ours = { sluice: chunk.sluice }
      const choice = chunk.choices.find(({ index }) => (index ?? 0) === 0)
      const said = choice?.delta ?? {}
      if (said.content) events.push(...addText(chunk.id, 'output_text', said.content))
      if (said.refusal) events.push(...addText(chunk.id, 'refusal', said.refusal))
      said.tool_calls?.forEach((call, at) => events.push(...addCall(chunk.id, call, at)))
      finish = choice?.finish_reason ?? finish
      return events
    },
    async end() {
      const begun = start(fallback)
      const end = endOf(finish, usage)
      const closed = items.flatMap((each, at) => [
        ...each.close(),
        say('response.output_item.done', { output_index: at, item: each.item(end.status) }),
      ])
      const response = { ...(head ?? headOf(fallback, asked)), ...end, output: output(end.status), ...ours }
      return [...begun, ...closed, say(`response.${end.status}`, { response: await kept(response) })]
    },
    fail(error) {
      const begun = start(fallback)
      return [...begun, say('response.failed', { response: { ...head, status: 'failed', error, output: output('incomplete') } })]
    },
  }
}

type MessageItem = OpenItem & { add(type: MessagePart['type'], text: string): ResponseEvent[] }
type CallItem = OpenItem & { add(json: string): ResponseEvent[] }

function createMessageItem(say: Say, id: string, at: number): MessageItem {
  const parts: { readonly type: MessagePart['type']; text: string }[] = []
  const item = (status: Status) => messageItem(id, status === 'in_progress' ? [] : parts, status)
  const place = (index: number) => ({ item_id: item('in_progress').id, output_index: at, content_index: index })
  return {
    item,
    add(type, text) {
      const events: ResponseEvent[] = []
      let index = parts.findIndex((part) => part.type === type)
      if (index < 0) {
        index = parts.push({ type, text: '' }) - 1
        events.push(say('response.content_part.added', { ...place(index), part: partOf(parts[index]!) }))
      }
      parts[index]!.text += text
      const logprobs = type === 'output_text' && { logprobs: [] }
      return [...events, say(`response.${type}.delta`, { ...place(index), delta: text, ...logprobs })]
    },
    close: () =>
      parts.flatMap((part, index) => {
        const whole = part.type === 'refusal' ? { refusal: part.text } : { text: part.text, logprobs: [] }
        return [
          say(`response.${part.type}.done`, { ...place(index), ...whole }),
          say('response.content_part.done', { ...place(index), part: partOf(part) }),
        ]
      }),
  }
}

function createCallItem(say: Say, id: string, call: ToolCall, place: number, at: number): CallItem {
  let json = ''
  const item = (status: Status) => callItem(id, call, place, json, status)
  const where = () => ({ item_id: item('in_progress').id, output_index: at })
  return {
    item,
    add(more) {
      json += more
      return more === '' ? [] : [say('response.function_call_arguments.delta', { ...where(), delta: more })]
    },
    close: () => [say('response.function_call_arguments.done', { ...where(), name: call.function?.name ?? '', arguments: json })],
  }
}
