/**
 * The graph's input of a chat completion, and the one mapping from it to the OpenAI-shaped body that `request.ts` checks.
 *
 * Typed fields serve GraphQL clients. `extra` holds everything else in the OpenAI shape; an edge that already has such a body
 * passes it whole as `extra` and nothing is converted or copied on the way. Nothing is checked here: nullable fields let a
 * missing one become the contract's 400 with `param`, where a schema violation would not.
 */
import { Field, Float, InputType, Int } from 'type-graphql'
import { JsonObjectScalar, JsonScalar } from '#platform/scalars.js'
import type { JsonObject } from '../tokens/usage.js'

@InputType({ description: 'One message of the conversation.' })
export class ChatMessageInput {
  @Field(() => String, { nullable: true, description: 'system, developer, user, assistant, tool or function. Required.' })
  role?: string | null

  @Field(() => JsonScalar, { nullable: true, description: 'A string, an array of parts in the OpenAI shape, or null.' })
  content?: unknown

  @Field(() => String, { nullable: true, description: 'The name of the participant or function.' })
  name?: string | null

  @Field(() => String, { nullable: true, description: 'In a message of a tool: the call that it answers.' })
  toolCallId?: string | null

  @Field(() => JsonScalar, { nullable: true, description: 'In a message of the assistant: its calls, in the OpenAI shape.' })
  toolCalls?: unknown

  @Field(() => JsonObjectScalar, { nullable: true, description: 'More fields of the message; the provider gets them unchanged.' })
  extra?: JsonObject | null
}

@InputType({ description: 'A request for a chat completion.' })
export class ChatCompletionInput {
  @Field(() => String, {
    nullable: true,
    description: 'A model id, or a tier: light, medium or high. Required, here or in `extra`.',
  })
  model?: string | null

  @Field(() => [ChatMessageInput], { nullable: true, description: 'The conversation. Required, here or in `extra`.' })
  messages?: ChatMessageInput[] | null

  @Field(() => Float, { nullable: true, description: 'How freely the model chooses, 0 to 2.' })
  temperature?: number | null

  @Field(() => Float, { nullable: true, description: 'The share of likely tokens that it chooses from, 0 to 1.' })
  topP?: number | null

  @Field(() => Int, { nullable: true, description: 'The most tokens of one answer.' })
  maxTokens?: number | null

  @Field(() => JsonScalar, { nullable: true, description: 'A text or an array of texts at which the model stops.' })
  stop?: unknown

  @Field(() => Int, { nullable: true, description: 'The same seed gives the same answer, where the provider can.' })
  seed?: number | null

  @Field(() => JsonScalar, { nullable: true, description: 'Functions that the model may call, in the OpenAI shape.' })
  tools?: unknown

  @Field(() => JsonScalar, { nullable: true, description: 'Whether and which function must be called.' })
  toolChoice?: unknown

  @Field(() => JsonObjectScalar, { nullable: true, description: 'The form of the answer, such as {"type": "json_object"}.' })
  responseFormat?: JsonObject | null

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description:
      'More fields in the OpenAI shape, or the whole request. What we do not know goes to the provider unchanged; fields given above win.',
  })
  extra?: JsonObject | null
}

const OPENAI_NAMES = [
  ['model', 'model'],
  ['temperature', 'temperature'],
  ['topP', 'top_p'],
  ['maxTokens', 'max_tokens'],
  ['stop', 'stop'],
  ['seed', 'seed'],
  ['tools', 'tools'],
  ['toolChoice', 'tool_choice'],
  ['responseFormat', 'response_format'],
] as const

/** The OpenAI-shaped body of an input. The same object as `extra` when nothing else is given. */
export function requestBody(input: ChatCompletionInput): JsonObject {
  const { extra, messages } = input
  const given = OPENAI_NAMES.filter(([field]) => input[field] !== undefined)
  if (extra && given.length === 0 && !messages) return extra
  const body: JsonObject = { ...extra }
  for (const [field, name] of given) body[name] = input[field]
  if (messages) body['messages'] = messages.map(messageBody)
  return body
}

function messageBody(message: ChatMessageInput): JsonObject {
  const body: JsonObject = { ...message.extra }
  if (message.role !== undefined) body['role'] = message.role
  if (message.content !== undefined) body['content'] = message.content
  if (message.name !== undefined) body['name'] = message.name
  if (message.toolCallId !== undefined) body['tool_call_id'] = message.toolCallId
  if (message.toolCalls !== undefined) body['tool_calls'] = message.toolCalls
  return body
}
