/**
 * Chunks of a chat completion as the events of a streamed message. Blocks follow one another: a block is closed before the next
 * is opened, so that a stream is well-formed up to any event, and `end` closes what is open.
 */
import { messageId, messageUsageOf, stopOf, toolUse, UNSAID, usageOf, type Chunk, type ToolCall } from './from-chat.js'

export type MessageEvent = { readonly type: string } & Record<string, unknown>

interface OpenBlock {
  readonly kind: 'text' | 'tool_use'
  /** The place of the call among the calls of the completion. */
  readonly call: number | null
}

export interface MessageStream {
  /** What a chunk adds. */
  push(chunk: Chunk): readonly MessageEvent[]
  /** The end of a complete answer. */
  end(): readonly MessageEvent[]
}

export function createMessageStream(stopSequences: readonly string[] = []): MessageStream {
  const blocks = createBlocks()
  let isStarted = false
  let isRefused = false
  let finish: { finish_reason?: string | null; stop_reason?: unknown } = {}
  let usage: Chunk['usage'] = null
  let ours: Pick<Chunk, 'sluice'> = {}

  function start({ id, model }: Pick<Chunk, 'id' | 'model'>): MessageEvent[] {
    if (isStarted) return []
    isStarted = true
    const head = { id: messageId(id), type: 'message', role: 'assistant', model, content: [] }
    const message = { ...head, stop_reason: null, stop_sequence: null, ...UNSAID, diagnostics: null, usage: messageUsageOf(null) }
    return [{ type: 'message_start', message }, { type: 'ping' }]
  }

  return {
    push(chunk) {
      const events = start(chunk)
      usage = chunk.usage ?? usage
      if (chunk.sluice) ours = { sluice: chunk.sluice }
      const choice = chunk.choices.find(({ index }) => (index ?? 0) === 0)
      const said = choice?.delta ?? {}
      if (said.content) events.push(...blocks.addText(said.content))
      if (said.refusal) {
        isRefused = true
        events.push(...blocks.addText(said.refusal))
      }
      said.tool_calls?.forEach((call, at) => events.push(...blocks.addCall(chunk.id, call, at)))
      if (choice?.finish_reason) finish = choice
      return events
    },
    end() {
      const stop = stopOf(finish, { hasCalls: blocks.hasCalls(), isRefused }, stopSequences)
      return [
        ...blocks.end(),
        { type: 'message_delta', delta: { ...stop, ...UNSAID }, usage: usageOf(usage), ...ours },
        { type: 'message_stop' },
      ]
    },
  }
}

/** The blocks of one message in their turn. The first call is told as it comes; what is said after its beginning waits for the end. */
function createBlocks() {
  let open: OpenBlock | null = null
  let count = 0
  let hasCalls = false
  let heldText = ''
  const held = new Map<number, { readonly id: string; readonly call: ToolCall; json: string }>()

  function close(): MessageEvent[] {
    if (!open) return []
    open = null
    return [{ type: 'content_block_stop', index: count - 1 }]
  }

  function begin(block: OpenBlock, content: object): MessageEvent[] {
    const closed = close()
    open = block
    return [...closed, { type: 'content_block_start', index: count++, content_block: content }]
  }

  const delta = (said: object): MessageEvent => ({ type: 'content_block_delta', index: count - 1, delta: said })

  function addText(text: string): MessageEvent[] {
    if (open?.kind === 'tool_use') {
      heldText += text
      return []
    }
    const begun = open?.kind === 'text' ? [] : begin({ kind: 'text', call: null }, { type: 'text', text: '', citations: null })
    return [...begun, delta({ type: 'text_delta', text })]
  }

  function beginCall(id: string, place: number, call: ToolCall): MessageEvent[] {
    const content = toolUse(call.id ?? `toolu_${messageId(id)}_${place}`, call.function?.name ?? '', {})
    return begin({ kind: 'tool_use', call: place }, content)
  }

  const addArguments = (json: string): MessageEvent[] =>
    json === '' ? [] : [delta({ type: 'input_json_delta', partial_json: json })]

  /** Providers may write several calls in turns, which blocks cannot. */
  function addCall(id: string, call: ToolCall, at: number): MessageEvent[] {
    const place = call.index ?? at
    const json = call.function?.arguments ?? ''
    if (!hasCalls) {
      hasCalls = true
      return [...beginCall(id, place, call), ...addArguments(json)]
    }
    if (open?.call === place) return addArguments(json)
    const waiting = held.get(place)
    if (waiting) waiting.json += json
    else held.set(place, { id, call, json })
    return []
  }

  const end = (): MessageEvent[] => [
    ...[...held].flatMap(([place, { id, call, json }]) => [...beginCall(id, place, call), ...addArguments(json)]),
    ...close(),
    ...(heldText === '' ? [] : addText(heldText)),
    ...close(),
  ]
  return { addText, addCall, end, hasCalls: () => hasCalls }
}
