/**
 * The graph's types of a chat completion. The objects are the ones that the service makes: `raw` is the OpenAI-shaped answer
 * with whatever else the provider sent, the typed fields are read from it when someone selects them. A chunk also has its JSON
 * text as `payload`; chunks that arrived together are one text for the REST edge, which sends them on without looking inside.
 */
import { createUnionType, Ctx, Directive, Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
import type { AppError } from '#platform/errors.js'
import { JsonObjectScalar, JsonScalar } from '#platform/scalars.js'
import type { RequestContext } from '#platform/requests/context.js'
import { DeploymentStatus } from '#platform/vocabulary/words.js'
import type { ScannedBlock } from '../answers/answer-scan.js'
import type { DeployingStatus } from '../ports.js'
import { isObject, type JsonObject } from '../tokens/usage.js'
import { ChatRole } from './chat-role.js'

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})
const choicesOf = (raw: JsonObject): JsonObject[] => (Array.isArray(raw['choices']) ? raw['choices'].map(objectOf) : [])

@ObjectType({ description: 'Token counts of one chat completion: real counts, the basis of billing.' })
export class ChatUsage {
  @Field(() => Int, { description: 'Tokens of the prompt, cached ones included.' })
  promptTokens!: number

  @Field(() => Int, { description: 'Tokens of the answer.' })
  completionTokens!: number

  @Field(() => Int, { description: 'Both together.' })
  totalTokens!: number
}

function usageOf(raw: JsonObject): ChatUsage | null {
  if (!isObject(raw['usage'])) return null
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = raw['usage']
  return Object.assign(new ChatUsage(), { promptTokens: prompt, completionTokens: completion, totalTokens: total })
}

@ObjectType({ description: 'The function that the model calls, and with what.' })
class ChatFunctionCall {
  constructor(private readonly call: JsonObject) {}

  @Field(() => String, {
    nullable: true,
    description: 'The name of the function; in a stream only in the first piece of a call.',
  })
  get name(): string | null {
    return textOf(this.call['name'])
  }

  @Field(() => String, { nullable: true, description: 'The arguments as JSON text, or a piece of that text.' })
  get arguments(): string | null {
    return textOf(this.call['arguments'])
  }
}

@ObjectType({ description: 'A call of a function that the model asks for, or a piece of one.' })
class ChatToolCall {
  constructor(
    private readonly call: JsonObject,
    private readonly place: number,
  ) {}

  @Field(() => Int, { description: 'Its place among the calls of the message, from 0: pieces with the same belong together.' })
  get index(): number {
    const { index } = this.call
    return typeof index === 'number' ? index : this.place
  }

  @Field(() => ID, { nullable: true, description: 'What the answer to it names; in a stream only in its first piece.' })
  get id(): string | null {
    return textOf(this.call['id'])
  }

  @Field(() => ChatFunctionCall, { nullable: true, description: 'The call; null for a tool that is no function, see `raw`.' })
  get function(): ChatFunctionCall | null {
    return isObject(this.call['function']) ? new ChatFunctionCall(this.call['function']) : null
  }
}

const ROLES: ReadonlySet<unknown> = new Set(Object.values(ChatRole))

@ObjectType({ description: 'A message of the model, or the part of one that a chunk adds.' })
export class ChatAnswerMessage {
  constructor(private readonly message: JsonObject) {}

  @Field(() => ChatRole, { nullable: true, description: 'Who speaks; in a stream only in the first delta of a choice.' })
  get role(): string | null {
    const role = textOf(this.message['role'])
    return ROLES.has(role) ? role : null
  }

  @Field(() => String, { nullable: true, description: 'The text.' })
  get content(): string | null {
    return textOf(this.message['content'])
  }

  @Field(() => String, { nullable: true, description: 'Why the model refuses to answer.' })
  get refusal(): string | null {
    return textOf(this.message['refusal'])
  }

  @Field(() => String, { nullable: true, description: 'Reasoning that the provider shows apart from the answer.' })
  get reasoning(): string | null {
    return textOf(this.message['reasoning_content']) ?? textOf(this.message['reasoning'])
  }

  @Field(() => [ChatToolCall], { nullable: true, description: 'Calls of functions that the model asks for; null without any.' })
  get toolCalls(): ChatToolCall[] | null {
    const calls = this.message['tool_calls']
    return Array.isArray(calls) ? calls.map((call, place) => new ChatToolCall(objectOf(call), place)) : null
  }
}

@ObjectType({ description: 'One of the answers to a request.' })
export class ChatChoice {
  constructor(private readonly choice: JsonObject) {}

  @Field(() => Int, { description: 'Its place among the answers, from 0.' })
  get index(): number {
    return this.choice['index'] as number
  }

  @Field(() => ChatAnswerMessage, { description: 'The answer.' })
  get message(): ChatAnswerMessage {
    return new ChatAnswerMessage(objectOf(this.choice['message']))
  }

  @Field(() => String, {
    nullable: true,
    description: 'Why the model stopped: stop, length, tool_calls or another word of the provider.',
  })
  get finishReason(): string | null {
    return textOf(this.choice['finish_reason'])
  }

  @Field(() => JsonScalar, { nullable: true, description: 'Probabilities of tokens, when asked for.' })
  get logprobs(): unknown {
    return this.choice['logprobs'] ?? null
  }
}

@ObjectType({ description: 'What a chunk adds to one of the answers.' })
export class ChatChunkChoice {
  constructor(private readonly choice: JsonObject) {}

  @Field(() => Int, { description: 'Its place among the answers, from 0.' })
  get index(): number {
    return this.choice['index'] as number
  }

  @Field(() => ChatAnswerMessage, { description: 'The part that this chunk adds.' })
  get delta(): ChatAnswerMessage {
    return new ChatAnswerMessage(objectOf(this.choice['delta']))
  }

  @Field(() => String, { nullable: true, description: 'Why the model stopped; null while it goes on.' })
  get finishReason(): string | null {
    return textOf(this.choice['finish_reason'])
  }
}

/** Others add to it what they say of its texts. It is not stored: who asks for it by its key alone gets nothing. */
@Directive('@key(fields: "id")')
@ObjectType({ description: 'A complete answer.' })
export class ChatCompletion {
  constructor(rawAnswer: JsonObject) {
    this.raw = rawAnswer
  }

  /** Where an operation asks several times, each has an id of its own. */
  chatId: string | null = null

  @Field(() => ID, { description: 'What `usageRecord` finds its cost, price version and route by.' })
  requestId(@Ctx() context: RequestContext): string {
    return this.chatId ?? context.requestId
  }

  @Field(() => JsonObjectScalar, { description: 'The answer in the OpenAI shape, with all that the provider sent.' })
  readonly raw: JsonObject

  @Field(() => String, { description: 'The id of this completion.' })
  get id(): string {
    return this.raw['id'] as string
  }

  @Field(() => Int, { description: 'When it was made, in Unix seconds.' })
  get created(): number {
    return this.raw['created'] as number
  }

  @Field(() => String, { description: 'The canonical id of the model that answered.' })
  get model(): string {
    return this.raw['model'] as string
  }

  @Field(() => [ChatChoice], { description: 'The answers.' })
  get choices(): ChatChoice[] {
    return choicesOf(this.raw).map((choice) => new ChatChoice(choice))
  }

  @Field(() => [String], { description: 'The text of each answer, in the order of `choices`; empty for one without text.' })
  get texts(): string[] {
    return this.choices.map(({ message }) => message.content ?? '')
  }

  @Field(() => ChatUsage, { description: 'Real token counts, the basis of billing.' })
  get usage(): ChatUsage | null {
    return usageOf(this.raw)
  }
}

@ObjectType({ description: 'A piece of a streamed answer.' })
export class ChatCompletionChunk {
  @Field(() => String, { simple: true, description: '`raw` as JSON text, for who passes it on unread.' })
  readonly payload: string

  @Field(() => Boolean, {
    simple: true,
    description:
      'Whether the answer is complete with this chunk: every choice has its finish_reason, and the usage has been told.',
  })
  readonly endsAnswer: boolean

  #raw: JsonObject | null

  constructor(payload: string, rawChunk: JsonObject | null = null, endsAnswer = false) {
    this.payload = payload
    this.endsAnswer = endsAnswer
    this.#raw = rawChunk
  }

  @Field(() => ID, { description: 'What `usageRecord` finds its cost, price version and route by, after the last chunk.' })
  requestId(@Ctx() context: RequestContext): string {
    return context.requestId
  }

  @Field(() => JsonObjectScalar, { description: 'The chunk in the OpenAI shape, with all that the provider sent.' })
  get raw(): JsonObject {
    return (this.#raw ??= JSON.parse(this.payload) as JsonObject)
  }

  @Field(() => String, { description: 'The id of the completion, the same in every chunk.' })
  get id(): string {
    return this.raw['id'] as string
  }

  @Field(() => Int, { description: 'When the completion began, in Unix seconds.' })
  get created(): number {
    return this.raw['created'] as number
  }

  @Field(() => String, { description: 'The canonical id of the model that answers.' })
  get model(): string {
    return this.raw['model'] as string
  }

  @Field(() => [ChatChunkChoice], { description: 'What is added to each answer; empty in a chunk that only carries usage.' })
  get choices(): ChatChunkChoice[] {
    return choicesOf(this.raw).map((choice) => new ChatChunkChoice(choice))
  }

  @Field(() => ChatUsage, { nullable: true, description: 'Real token counts; in the last chunk only.' })
  get usage(): ChatUsage | null {
    return usageOf(this.raw)
  }
}

@ObjectType({ description: 'Pieces of a streamed answer that arrived together, as text for who passes them on unread.' })
export class ChatCompletionText {
  @Field(() => String, { simple: true, description: 'Chunks in the OpenAI shape as JSON texts, a line each.' })
  readonly lines: string

  @Field(() => Boolean, { simple: true, description: 'Whether the answer is complete with the last of them.' })
  readonly endsAnswer: boolean

  constructor({ payload, endsAnswer }: ChatCompletionChunk) {
    this.lines = payload
    this.endsAnswer = endsAnswer
  }
}

@ObjectType({ description: 'What the scanner says about a block of code of a streamed answer.' })
export class ChatCodeFindings {
  @Field(() => Int, { description: 'Which of several answers has the block, from 0.' })
  readonly choice: number

  @Field(() => Int, { description: 'Its place among the code of that answer, from 0.' })
  readonly block: number

  @Field(() => Int, { description: 'The line of the answer in which it begins, from 1; 1 for code in a call of a function.' })
  readonly line: number

  @Field(() => Int, { nullable: true, description: 'The place of the call that holds it; null for a block of the text.' })
  readonly toolCall: number | null

  @Field(() => Boolean, { description: 'Whether the key withholds it: then the answer ends here.' })
  readonly isBlocked: boolean

  @Field(() => [JsonObjectScalar], {
    description: 'What is wrong, as `findings` of `sluice.scan`; lines of a violation are counted within the block.',
  })
  readonly findings: readonly object[]

  @Field(() => String, { nullable: true, description: 'Why findings may be missing; null when none are.' })
  readonly message: string | null

  constructor({ block: { choice, block, line, toolCall }, findings, isRefused, fault }: ScannedBlock) {
    this.choice = choice
    this.block = block
    this.line = line
    this.toolCall = toolCall
    this.isBlocked = isRefused
    this.findings = findings
    this.message = fault
  }
}

/** The last event of a stream that broke after its first token: every edge tells it as an error. */
export class ChatStreamFault {
  constructor(readonly error: AppError) {}
}

registerEnumType(DeploymentStatus, {
  name: 'DeploymentStatus',
  description: 'How far the deployment of a model is.',
  valuesConfig: {
    REQUESTED: { description: 'No machine has been asked for yet.' },
    PROVISIONING: { description: 'The machine is being set up.' },
    LOADING: { description: 'The machine runs and loads the model.' },
  },
})

@ObjectType({ description: 'No answer yet: the model is being deployed on a GPU. Ask again after `retryAfterSeconds`.' })
export class ModelDeploying implements DeployingStatus {
  @Field(() => String, { description: 'What happens, in a sentence.' })
  readonly message!: string

  @Field(() => String, { description: 'The canonical id of the model.' })
  readonly model!: string

  @Field(() => Int, { description: 'When the model is expected to answer, in seconds from now.' })
  readonly estimatedReadySeconds!: number

  @Field(() => Boolean, { description: 'True when an earlier request has started the deployment.' })
  readonly alreadyQueued!: boolean

  @Field(() => DeploymentStatus, { description: 'How far the deployment is.' })
  readonly deploymentStatus!: DeployingStatus['deploymentStatus']

  @Field(() => String, { description: 'The routing identifier of the GPU provider.' })
  readonly deploymentProvider!: string

  @Field(() => Int, { description: 'When to ask again, in seconds from now.' })
  readonly retryAfterSeconds!: number

  static of(status: DeployingStatus): ModelDeploying {
    return Object.assign(new ModelDeploying(), status)
  }
}

export const CreateChatCompletionResult = createUnionType({
  name: 'CreateChatCompletionResult',
  description: 'A complete answer, or the news that the model is being deployed.',
  types: () => [ChatCompletion, ModelDeploying] as const,
})

export const ChatCompletionEvent = createUnionType({
  name: 'ChatCompletionEvent',
  description:
    'A piece of a streamed answer; what is said about its code, for who asked for that; or the news that the model is being deployed, after which the stream ends.',
  types: () => [ChatCompletionChunk, ChatCodeFindings, ModelDeploying] as const,
})

export const ChatCompletionTextEvent = createUnionType({
  name: 'ChatCompletionTextEvent',
  description: 'A part of a streamed answer, or the news that the model is being deployed, after which the stream ends.',
  types: () => [ChatCompletionText, ModelDeploying] as const,
})
