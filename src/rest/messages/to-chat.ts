/** A Messages request as the OpenAI-shaped body of the same chat completion. */
import type { AssistantBlock, MessagesRequest, PromptRequest, UserBlock } from './input.js'

type JsonObject = Record<string, unknown>
type Part = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

/** The whole request, `stream` aside. */
export function chatBody(request: MessagesRequest): JsonObject {
  const { max_tokens, stop_sequences: stop, temperature, top_p, metadata } = request
  return {
    ...promptBody(request),
    max_tokens,
    ...(stop && stop.length > 0 && { stop }),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
    ...(typeof metadata?.user_id === 'string' && { user: metadata.user_id }),
  }
}

/** The part of it that is read by the model. */
export function promptBody(request: PromptRequest): JsonObject {
  const { model, system, messages, tools, tool_choice: choice, output_config: output } = request
  return {
    model,
    messages: [
      ...(system && system.length > 0
        ? [{ role: 'system', content: contentOf(system.map(({ text }) => ({ type: 'text', text }))) }]
        : []),
      ...messages.flatMap((message) =>
        message.role === 'user' ? userMessages(message.content) : [assistantMessage(message.content)],
      ),
    ],
    ...(tools &&
      tools.length > 0 && {
        tools: tools.map(({ name, description, input_schema: parameters, strict }) => ({
          type: 'function',
          function: {
            name,
            ...(description !== undefined && { description }),
            parameters,
            ...(strict !== undefined && { strict }),
          },
        })),
      }),
    ...(choice && { tool_choice: choiceOf(choice) }),
    ...(output?.format && { response_format: formatOf(output.format.schema) }),
    ...(choice && choice.type !== 'none' && choice.disable_parallel_tool_use === true && { parallel_tool_calls: false }),
  }
}

function choiceOf(choice: NonNullable<PromptRequest['tool_choice']>): unknown {
  if (choice.type === 'tool') return { type: 'function', function: { name: choice.name } }
  return choice.type === 'any' ? 'required' : choice.type
}

/** The name is there because a chat completion demands one. */
const formatOf = (schema: JsonObject): JsonObject => ({
  type: 'json_schema',
  json_schema: { name: 'answer', schema, strict: true },
})

/** Results of tools come first, as they answer the message before. Their images follow: a tool's message holds text alone. */
function userMessages(blocks: readonly UserBlock[]): JsonObject[] {
  const results: JsonObject[] = []
  const parts: Part[] = []
  for (const block of blocks) {
    if (block.type !== 'tool_result') {
      parts.push(partOf(block))
      continue
    }
    const content = typeof block.content === 'string' ? [{ type: 'text', text: block.content } as const] : (block.content ?? [])
    const inner = content.map(partOf)
    const texts = inner.filter((part) => part.type === 'text')
    results.push({ role: 'tool', tool_call_id: block.tool_use_id, content: contentOf(texts) })
    parts.push(...inner.filter((part) => part.type !== 'text'))
  }
  const spoken = parts.length > 0 || results.length === 0 ? [{ role: 'user', content: contentOf(parts) }] : []
  return [...results, ...spoken]
}

type Spoken = Exclude<UserBlock, { type: 'tool_result' }>

function partOf(block: Spoken): Part {
  if (block.type === 'text') return { type: 'text', text: block.text }
  const { source } = block
  const url = source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`
  return { type: 'image_url', image_url: { url } }
}

function assistantMessage(blocks: readonly AssistantBlock[]): JsonObject {
  const texts = blocks.flatMap((block): Part[] => (block.type === 'text' ? [{ type: 'text', text: block.text }] : []))
  const calls = blocks.flatMap((block) => (block.type === 'tool_use' ? [callOf(block)] : []))
  return {
    role: 'assistant',
    content: texts.length === 0 && calls.length > 0 ? null : contentOf(texts),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

const callOf = ({ id, name, input }: Extract<AssistantBlock, { type: 'tool_use' }>): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
})

/** One text is a string, which every provider takes. */
function contentOf(parts: readonly Part[]): string | readonly Part[] {
  const [first] = parts
  if (first === undefined) return ''
  return parts.length === 1 && first.type === 'text' ? first.text : parts
}
