/**
 * The graph's typed input of a chat completion, and the one mapping from it to the OpenAI-shaped body that `request.ts` checks.
 * What is wrong with the body is told in the words of the input. Callers who have such a body send it as it is, to the raw
 * twins of the operations.
 */
import { Field, Float, ID, InputType, Int, registerEnumType } from 'type-graphql'
import { AppError, invalidRequest, reworded } from '#platform/errors.js'
import { JsonObjectScalar } from '#platform/scalars.js'
import type { JsonObject } from '../tokens/usage.js'
import { ChatRole } from './chat-role.js'

@InputType({ description: 'An image for the model to look at.' })
class ChatImageInput {
  @Field(() => String, { description: 'Where it is, or the image itself as a data: URL.' })
  url!: string

  @Field(() => String, { nullable: true, description: 'How closely to look: auto, low, high or another word of the provider.' })
  detail?: string | null
}

@InputType({ description: 'A part of a message. Exactly one of its fields is given.' })
class ChatContentPartInput {
  @Field(() => String, { nullable: true, description: 'Text.' })
  text?: string | null

  @Field(() => ChatImageInput, { nullable: true, description: 'An image.' })
  image?: ChatImageInput | null

  @Field(() => JsonObjectScalar, { nullable: true, description: 'Any other part, in the OpenAI shape.' })
  raw?: JsonObject | null
}

@InputType({ description: 'The function that is called, and with what.' })
class ChatFunctionCallInput {
  @Field(() => String, { description: 'The name of the function.' })
  name!: string

  @Field(() => String, { description: 'The arguments as JSON text.' })
  arguments!: string
}

@InputType({ description: 'A call of a function that the model asked for.' })
class ChatToolCallInput {
  @Field(() => ID, { description: 'What the answer to the call names.' })
  id!: string

  @Field(() => ChatFunctionCallInput, { description: 'The call.' })
  function!: ChatFunctionCallInput
}

@InputType({ description: 'One message of the conversation.' })
export class ChatMessageInput {
  @Field(() => ChatRole, { description: 'Who speaks.' })
  role!: string

  @Field(() => String, { nullable: true, description: 'The text. Not together with `parts`.' })
  content?: string | null

  @Field(() => [ChatContentPartInput], { nullable: true, description: 'Text and images in turn.' })
  parts?: ChatContentPartInput[] | null

  @Field(() => String, { nullable: true, description: 'The name of the participant or function.' })
  name?: string | null

  @Field(() => ID, { nullable: true, description: 'In a message of a tool: the call that it answers.' })
  toolCallId?: string | null

  @Field(() => [ChatToolCallInput], { nullable: true, description: 'In a message of the assistant: its calls.' })
  toolCalls?: ChatToolCallInput[] | null

  @Field(() => JsonObjectScalar, { nullable: true, description: 'More fields of the message; the provider gets them unchanged.' })
  extra?: JsonObject | null
}

@InputType({ description: 'A function that the model may call.' })
class ChatFunctionInput {
  @Field(() => String, { description: 'Its name.' })
  name!: string

  @Field(() => String, { nullable: true, description: 'What it does, for the model.' })
  description?: string | null

  @Field(() => JsonObjectScalar, { nullable: true, description: 'Its parameters as a JSON Schema.' })
  parameters?: JsonObject | null

  @Field(() => Boolean, { nullable: true, description: 'Whether arguments must fit the schema exactly.' })
  strict?: boolean | null
}

@InputType({ description: 'A tool that the model may use.' })
class ChatToolInput {
  @Field(() => ChatFunctionInput, { description: 'The function.' })
  function!: ChatFunctionInput
}

const ChatToolChoiceMode = { AUTO: 'auto', NONE: 'none', REQUIRED: 'required' } as const
registerEnumType(ChatToolChoiceMode, {
  name: 'ChatToolChoiceMode',
  description: 'Whether the model calls a function.',
  valuesConfig: {
    AUTO: { description: 'As it thinks fit.' },
    NONE: { description: 'Never.' },
    REQUIRED: { description: 'It must call at least one.' },
  },
})

@InputType({ description: 'Whether and which function is called. Exactly one of its fields is given.' })
class ChatToolChoiceInput {
  @Field(() => ChatToolChoiceMode, { nullable: true, description: 'Whether any is called.' })
  mode?: string | null

  @Field(() => String, { nullable: true, description: 'The name of the function that must be called.' })
  function?: string | null
}

const ChatResponseFormatType = { TEXT: 'text', JSON_OBJECT: 'json_object', JSON_SCHEMA: 'json_schema' } as const
registerEnumType(ChatResponseFormatType, {
  name: 'ChatResponseFormatType',
  description: 'The form of an answer.',
  valuesConfig: {
    TEXT: { description: 'Any text.' },
    JSON_OBJECT: { description: 'A JSON object.' },
    JSON_SCHEMA: { description: 'JSON that fits a schema.' },
  },
})

@InputType({ description: 'The schema that an answer fits.' })
class ChatJsonSchemaInput {
  @Field(() => String, { description: 'A name for the schema.' })
  name!: string

  @Field(() => String, { nullable: true, description: 'What it is for, for the model.' })
  description?: string | null

  @Field(() => JsonObjectScalar, { nullable: true, description: 'The JSON Schema.' })
  schema?: JsonObject | null

  @Field(() => Boolean, { nullable: true, description: 'Whether the answer must fit it exactly.' })
  strict?: boolean | null
}

@InputType({ description: 'The form of the answer.' })
class ChatResponseFormatInput {
  @Field(() => ChatResponseFormatType, { description: 'The form.' })
  type!: string

  @Field(() => ChatJsonSchemaInput, { nullable: true, description: 'The schema, for JSON_SCHEMA.' })
  jsonSchema?: ChatJsonSchemaInput | null
}

@InputType({ description: 'A request for a chat completion.' })
export class ChatCompletionInput {
  @Field(() => String, { description: 'A model id, a tier (light, medium or high), or an alias of either.' })
  model!: string

  @Field(() => [ChatMessageInput], { description: 'The conversation.' })
  messages!: ChatMessageInput[]

  @Field(() => Float, { nullable: true, description: 'How freely the model chooses, 0 to 2.' })
  temperature?: number | null

  @Field(() => Float, { nullable: true, description: 'The share of likely tokens that it chooses from, 0 to 1.' })
  topP?: number | null

  @Field(() => Int, { nullable: true, description: 'The most tokens of one answer.' })
  maxTokens?: number | null

  @Field(() => [String], { nullable: true, description: 'Texts at which the model stops.' })
  stop?: string[] | null

  @Field(() => Int, { nullable: true, description: 'The same seed gives the same answer, where the provider can.' })
  seed?: number | null

  @Field(() => [ChatToolInput], { nullable: true, description: 'Functions that the model may call.' })
  tools?: ChatToolInput[] | null

  @Field(() => ChatToolChoiceInput, { nullable: true, description: 'Whether and which function must be called.' })
  toolChoice?: ChatToolChoiceInput | null

  @Field(() => ChatResponseFormatInput, { nullable: true, description: 'The form of the answer.' })
  responseFormat?: ChatResponseFormatInput | null

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description:
      'More fields in the OpenAI shape, such as reasoning_effort. What we do not know goes to the provider unchanged; fields given above win.',
  })
  extra?: JsonObject | null
}

/** By their names in the body. */
const INPUT_NAMES: ReadonlyMap<string, string> = new Map([
  ['model', 'model'],
  ['messages', 'messages'],
  ['temperature', 'temperature'],
  ['top_p', 'topP'],
  ['max_tokens', 'maxTokens'],
  ['stop', 'stop'],
  ['seed', 'seed'],
  ['tools', 'tools'],
  ['tool_choice', 'toolChoice'],
  ['response_format', 'responseFormat'],
])

/** The OpenAI-shaped body of an input. @throws AppError 400 for a choice of several that are given, or of none */
export function requestBody(input: ChatCompletionInput): JsonObject {
  const { messages, tools, toolChoice, responseFormat } = input
  return {
    ...input.extra,
    ...given({ model: input.model, temperature: input.temperature, top_p: input.topP, max_tokens: input.maxTokens }),
    ...given({ stop: input.stop, seed: input.seed }),
    messages: messages.map((message, at) => messageBody(message, `messages[${at}]`)),
    ...given({
      tools: tools?.map(({ function: offered }) => ({ type: 'function', function: given(offered) })),
      tool_choice: toolChoice && choiceBody(toolChoice),
      response_format: responseFormat && formatBody(responseFormat),
    }),
  }
}

/** What was left out stays so; null was meant. */
const given = (fields: object): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

function messageBody({ role, content, parts, name, toolCallId, toolCalls, extra }: ChatMessageInput, path: string): JsonObject {
  if (parts && content != null) throw invalidRequest(`Give "${path}.content" or "${path}.parts", not both.`, `${path}.parts`)
  return {
    ...extra,
    ...given({
      role,
      content: parts ? parts.map((part, at) => partBody(part, `${path}.parts[${at}]`)) : content,
      name,
      tool_call_id: toolCallId,
      tool_calls: toolCalls?.map((call) => ({ id: call.id, type: 'function', function: given(call.function) })),
    }),
  }
}

function partBody({ text, image, raw }: ChatContentPartInput, path: string): JsonObject {
  requireOne([text, image, raw], 'text, image and raw', path)
  if (image) return { type: 'image_url', image_url: given(image) }
  return raw ?? { type: 'text', text }
}

function choiceBody({ mode, function: name }: ChatToolChoiceInput): unknown {
  requireOne([mode, name], 'mode and function', 'toolChoice')
  return mode ?? { type: 'function', function: { name } }
}

const formatBody = ({ type, jsonSchema }: ChatResponseFormatInput): JsonObject =>
  given({ type, json_schema: jsonSchema ? given(jsonSchema) : undefined })

function requireOne(values: readonly unknown[], names: string, path: string): void {
  const count = values.filter((value) => value !== null && value !== undefined).length
  if (count !== 1) throw invalidRequest(`Give exactly one of ${names} of "${path}".`, path)
}

/** A fault that names a field of the body, as one that names the field of the input. */
export function inInputWords(error: unknown): unknown {
  if (!(error instanceof AppError) || error.param === null) return error
  const { param } = error
  return reworded(error, (text) => text.replaceAll(param, () => inputName(param)))
}

function inputName(param: string): string {
  const [, field = '', rest = ''] = /^(\w+)(.*)$/s.exec(param) ?? []
  const name = INPUT_NAMES.get(field)
  if (name === undefined) return `extra.${param}`
  const inner = rest.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  // An array of parts is the only content with places.
  return `${name}${name === 'messages' ? inner.replace(/\.content\[/, '.parts[') : inner}`
}
