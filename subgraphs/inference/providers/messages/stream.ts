/**
 * The events of a streamed message as chunks of a chat completion. Each chunk of text has the same shape, so that the translator
 * behind learns it. Events and blocks that are not known are passed over, as that API asks of its clients.
 */
import { isObject, type JsonObject } from '../../tokens/usage.js'
import type { ProviderStreamHandler } from '../provider-answer.js'
import { completionOf, finishOf, usageOf } from './answer.js'

/** Hears a message's events and tells `handler` the chunks. */
export function chunksInto(handler: ProviderStreamHandler): ProviderStreamHandler {
  const reader = createMessageReader()
  return {
    onEvent(data) {
      const event = eventOf(data)
      // An error, or nothing that could be read: whoever reads chunks says what it is.
      if (event === null || event['type'] === 'error') return handler.onEvent(data)
      for (const chunk of reader.chunksOf(event)) handler.onEvent(JSON.stringify(chunk))
      if (event['type'] === 'message_stop') handler.onEnd(true)
    },
    onWhole: (body) => handler.onWhole(completionOf(body)),
    onEnd: (isDone) => handler.onEnd(isDone),
    onFailure: (failure) => handler.onFailure(failure),
  }
}

function eventOf(data: string): JsonObject | null {
  try {
    const event: unknown = JSON.parse(data)
    return isObject(event) && typeof event['type'] === 'string' ? event : null
  } catch {
    return null
  }
}

const chunk = (delta: JsonObject, end: JsonObject = { finish_reason: null }): JsonObject => ({
  choices: [{ index: 0, delta, ...end }],
})

/** What is known of a message from one event to the next. */
function createMessageReader() {
  let counts: JsonObject = {}
  let calls = 0
  /** The call that is being written, and whether it has any arguments yet. */
  let open: { readonly index: number; hasArguments: boolean } | null = null

  function addArguments(text: unknown): JsonObject[] {
    if (open === null || typeof text !== 'string' || text === '') return []
    open.hasArguments = true
    return [chunk({ tool_calls: [{ index: open.index, function: { arguments: text } }] })]
  }

  function beginBlock({ content_block: block }: JsonObject): JsonObject[] {
    if (!isObject(block)) return []
    if (block['type'] !== 'tool_use') return textChunks(block)
    open = { index: calls++, hasArguments: false }
    const { id, name, input } = block
    const begun = chunk({ tool_calls: [{ index: open.index, id, type: 'function', function: { name, arguments: '' } }] })
    const isFilled = isObject(input) && Object.keys(input).length > 0
    return [begun, ...(isFilled ? addArguments(JSON.stringify(input)) : [])]
  }

  /** A call without arguments is an empty object in a chat completion. */
  function endBlock(): JsonObject[] {
    const last = open !== null && !open.hasArguments ? addArguments('{}') : []
    open = null
    return last
  }

  function endMessage({ delta, usage }: JsonObject): JsonObject[] {
    const ended = isObject(delta) && typeof delta['stop_reason'] === 'string' ? [chunk({}, finishOf(delta))] : []
    if (!isObject(usage) || typeof usage['output_tokens'] !== 'number') return ended
    counts = { ...counts, ...Object.fromEntries(Object.entries(usage).filter(([, count]) => count !== null)) }
    const reported = usageOf(counts)
    return reported ? [...ended, { choices: [], usage: reported }] : ended
  }

  return {
    chunksOf(event: JsonObject): JsonObject[] {
      switch (event['type']) {
        case 'message_start': {
          const { message } = event
          if (isObject(message) && isObject(message['usage'])) counts = message['usage']
          return [chunk({ role: 'assistant', content: '' })]
        }
        case 'content_block_start':
          return beginBlock(event)
        case 'content_block_delta': {
          const delta = isObject(event['delta']) ? event['delta'] : {}
          return delta['type'] === 'input_json_delta' ? addArguments(delta['partial_json']) : textChunks(delta)
        }
        case 'content_block_stop':
          return endBlock()
        case 'message_delta':
          return endMessage(event)
        default:
          return []
      }
    },
  }
}

/** The text or the thought that a block begins with or a delta adds. */
function textChunks({ text, thinking }: JsonObject): JsonObject[] {
  if (typeof text === 'string' && text !== '') return [chunk({ content: text })]
  if (typeof thinking === 'string' && thinking !== '') return [chunk({ reasoning_content: thinking })]
  return []
}
