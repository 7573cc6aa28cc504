/** A Responses request as the OpenAI-shaped body of the same chat completion. */
import type { AssistantPart, Item, ResponsesRequest, SpokenPart } from './input.js'

type JsonObject = Record<string, unknown>
type ImagePart = { type: 'image_url'; image_url: { url: string; detail?: string } }
type Part = { type: 'text'; text: string } | ImagePart

interface AssistantMessage {
  readonly role: 'assistant'
  content: string | readonly Part[] | null
  tool_calls?: JsonObject[]
}

/** The whole request, `stream`, `store` and `metadata` aside. `items`: the conversation with all that it goes on from. */
export function chatBody(request: ResponsesRequest, items: readonly Item[]): JsonObject {
  const { model, instructions, tools, text, tool_choice: choice } = request
  const isSet = ([, value]: readonly [string, unknown]) => value !== null && value !== undefined
  const { parallel_tool_calls, temperature, top_p, user, safety_identifier, prompt_cache_key } = request
  const fields: JsonObject = {
    tools: tools && tools.length > 0 ? tools.map(toolOf) : null,
    tool_choice: typeof choice === 'object' && choice ? { type: 'function', function: { name: choice.name } } : choice,
    response_format: formatOf(text?.format),
    verbosity: text?.verbosity,
    max_completion_tokens: request.max_output_tokens,
    reasoning_effort: request.reasoning?.effort,
    parallel_tool_calls,
    temperature,
    top_p,
    user,
    safety_identifier,
    prompt_cache_key,
  }
  const said = typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : []
  return { model, messages: [...said, ...messagesOf(items)], ...Object.fromEntries(Object.entries(fields).filter(isSet)) }
}

type Tool = NonNullable<ResponsesRequest['tools']>[number]
const toolOf = ({ name, description, parameters, strict }: Tool): JsonObject => ({
  type: 'function',
  function: {
    name,
    ...(typeof description === 'string' && { description }),
    ...(parameters && { parameters }),
    ...(typeof strict === 'boolean' && { strict }),
  },
})

function formatOf(format: NonNullable<ResponsesRequest['text']>['format']): JsonObject | null {
  if (!format || format.type === 'text') return null
  if (format.type === 'json_object') return { type: 'json_object' }
  const { name, description, schema, strict } = format
  const named = { name, ...(typeof description === 'string' && { description }), schema }
  return { type: 'json_schema', json_schema: { ...named, ...(typeof strict === 'boolean' && { strict }) } }
}

/**
 * What the assistant said and called in one turn is several items here and one message there. Images in the results of calls
 * follow them in a message of the user: a tool's message holds text alone.
 */
function messagesOf(items: readonly Item[]): object[] {
  const messages: object[] = []
  let turn: AssistantMessage | null = null
  let images: Part[] = []
  const endResults = () => {
    if (images.length > 0) messages.push({ role: 'user', content: images })
    images = []
  }
  const assistant = (): AssistantMessage => {
    endResults()
    if (!turn) messages.push((turn = { role: 'assistant', content: null }))
    return turn
  }
  for (const item of items) {
    if (item.type === 'function_call') {
      const call = { id: item.call_id, type: 'function', function: { name: item.name, arguments: item.arguments } }
      ;(assistant().tool_calls ??= []).push(call)
    } else if (item.type === 'function_call_output') {
      turn = null
      const parts = item.output.map(partOf)
      messages.push({
        role: 'tool',
        tool_call_id: item.call_id,
        content: contentOf(parts.filter((part) => part.type === 'text')),
      })
      images.push(...parts.filter((part) => part.type !== 'text'))
    } else if (item.role === 'assistant') {
      if (assistant().content !== null) turn = null
      assistant().content = contentOf(item.content.map((part) => ({ type: 'text', text: textOf(part) })))
    } else {
      endResults()
      turn = null
      messages.push({ role: item.role, content: contentOf(item.content.map(partOf)) })
    }
  }
  endResults()
  return messages
}

const textOf = (part: AssistantPart): string => (part.type === 'refusal' ? part.refusal : part.text)

function partOf(part: SpokenPart): Part {
  if (part.type === 'input_text') return { type: 'text', text: part.text }
  const { image_url: url, detail } = part
  return { type: 'image_url', image_url: { url, ...(typeof detail === 'string' && { detail }) } }
}

/** One text is a string, which every provider takes. */
function contentOf(parts: readonly Part[]): string | readonly Part[] {
  const [first] = parts
  if (first === undefined) return ''
  return parts.length === 1 && first.type === 'text' ? first.text : parts
}
