/**
 * A chat completion's request in the words of Anthropic's Messages API, without model, length and `stream`. Pure. What has no
 * counterpart there (`chatOnlyField`) does not come here; hints that change no answer are left out.
 *
 * The system's texts go before the conversation, and messages of one role in a row are one message, as that API has it: the
 * results of all calls of a turn stand together in the next message of the user.
 */
import { nearestNumber, parseExactJson } from '#platform/json/exact-json.js'
import { isObject, type JsonObject } from '../../tokens/usage.js'

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: JsonObject[]
}

/** @param chat an OpenAI-shaped body that was checked; `model`, `stream` and limits of length in it are not read */
export function messagesBody(chat: JsonObject): JsonObject {
  const { top_k: topK, user } = chat
  const system: JsonObject[] = []
  const turns: Turn[] = []
  for (const message of objectsOf(chat['messages'])) {
    const { role } = message
    if (role === 'system' || role === 'developer') system.push(...blocksOf(message['content']))
    else if (role === 'assistant') addTurn(turns, 'assistant', assistantBlocks(message))
    else addTurn(turns, 'user', role === 'tool' ? [resultBlock(message)] : blocksOf(message['content']))
  }
  return {
    ...(system.length > 0 && { system }),
    messages: turns,
    ...toolFields(chat),
    ...samplingFields(chat),
    ...(topK !== undefined && topK !== null && { top_k: topK }),
    ...stopField(chat['stop']),
    ...formatField(chat['response_format']),
    ...(typeof user === 'string' && user !== '' && { metadata: { user_id: user } }),
  }
}

function addTurn(turns: Turn[], role: Turn['role'], blocks: readonly JsonObject[]): void {
  if (blocks.length === 0) return
  const last = turns.at(-1)
  if (last?.role !== role) turns.push({ role, content: [...blocks] })
  else for (const block of blocks) last.content.push(block)
}

/** The parts of a message. That API refuses texts of nothing but white space, which others write beside their calls. */
function blocksOf(content: unknown): JsonObject[] {
  if (typeof content === 'string') return textBlocks(content)
  return objectsOf(content).flatMap((part) => {
    const text = part['text'] ?? part['refusal']
    if (typeof text === 'string') return textBlocks(text)
    const image = part['image_url']
    const url = isObject(image) ? image['url'] : image
    return typeof url === 'string' ? [{ type: 'image', source: imageSource(url) }] : []
  })
}

const textBlocks = (text: string): JsonObject[] => (text.trim() === '' ? [] : [{ type: 'text', text }])

/** An image within the request, as `chatOnlyField` has seen it: the base64 text is all that follows. */
export const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);base64,/i

function imageSource(url: string): JsonObject {
  const [head, mediaType] = DATA_URL.exec(url) ?? []
  if (head === undefined) return { type: 'url', url }
  return { type: 'base64', media_type: mediaType?.toLowerCase(), data: url.slice(head.length) }
}

function assistantBlocks({ content, refusal, tool_calls: calls }: JsonObject): JsonObject[] {
  const refused = typeof refusal === 'string' ? textBlocks(refusal) : []
  const uses = objectsOf(calls).map((call) => {
    const definition = isObject(call['function']) ? call['function'] : {}
    return { type: 'tool_use', id: toolId(call['id']), name: definition['name'], input: inputOf(definition['arguments']) }
  })
  return [...blocksOf(content), ...refused, ...uses]
}

/** Arguments are an object there. What a model wrote that is none, such as a call that was cut at its limit, goes as its text. */
function inputOf(text: unknown): unknown {
  if (typeof text !== 'string' || text.trim() === '') return {}
  try {
    const value = text.trimStart().startsWith('{') ? parseExactJson(Buffer.from(text)) : null
    if (isObject(value)) return value
  } catch {
    // Told below.
  }
  return { INVALID_JSON: text }
}

function resultBlock({ tool_call_id: id, content }: JsonObject): JsonObject {
  const blocks = blocksOf(content)
  return { type: 'tool_result', tool_use_id: toolId(id), ...(blocks.length > 0 && { content: blocks }) }
}

/**
 * Ids of calls are letters, digits, `_` and `-` there. Those of other providers, such as `functions.f:0`, stay apart as they are
 * changed; what is no text is the provider's to refuse.
 */
const toolId = (id: unknown): unknown =>
  typeof id === 'string' ? id.replaceAll(/[^\w-]/g, (character) => `_${character.charCodeAt(0).toString(16)}_`) : id

function toolFields({ tools, tool_choice: choice, parallel_tool_calls: parallel }: JsonObject): JsonObject {
  const definitions = objectsOf(tools).flatMap(({ function: definition }) => (isObject(definition) ? [toolOf(definition)] : []))
  if (definitions.length === 0) return {}
  const chosen = choiceOf(choice)
  const isSingle = parallel === false && chosen?.['type'] !== 'none'
  const toolChoice = isSingle ? { ...(chosen ?? { type: 'auto' }), disable_parallel_tool_use: true } : chosen
  return { tools: definitions, ...(toolChoice && { tool_choice: toolChoice }) }
}

function toolOf({ name, description, parameters, strict }: JsonObject): JsonObject {
  return {
    name,
    ...(typeof description === 'string' && description !== '' && { description }),
    input_schema: { type: 'object', ...(isObject(parameters) && parameters) },
    ...(strict === true && { strict }),
  }
}

function choiceOf(choice: unknown): JsonObject | null {
  if (choice === 'required') return { type: 'any' }
  if (choice === 'auto' || choice === 'none') return { type: choice }
  if (!isObject(choice) || !isObject(choice['function'])) return null
  return { type: 'tool', name: choice['function']['name'] }
}

/** The temperature ends at 1 there, and many models take it or `top_p` but not both: one that means nothing gives way. */
function samplingFields({ temperature: asked, top_p: topP }: JsonObject): JsonObject {
  const given = nearestNumber(asked)
  const temperature = typeof given === 'number' ? Math.min(given, 1) : null
  const hasTopP = topP !== undefined && topP !== null && nearestNumber(topP) !== 1
  const isUsual = temperature === null || (temperature === 1 && hasTopP)
  return { ...(!isUsual && { temperature }), ...(hasTopP && { top_p: topP }) }
}

function stopField(stop: unknown): JsonObject {
  const texts = (Array.isArray(stop) ? stop : [stop]).filter((text) => typeof text === 'string' && text !== '')
  return texts.length === 0 ? {} : { stop_sequences: texts }
}

function formatField(format: unknown): JsonObject {
  const described = isObject(format) ? format['json_schema'] : null
  if (!isObject(described)) return {}
  return { output_config: { format: { type: 'json_schema', schema: described['schema'] } } }
}

const objectsOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
