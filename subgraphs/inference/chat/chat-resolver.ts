/** The graph's operations of chat completions. Thin: the service authorises, checks and does the work. */
import { Arg, Ctx, Int, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql'
import type { RequestContext } from '#platform/requests/context.js'
import { JsonObjectScalar } from '#platform/scalars.js'
import { ChatApi } from '#platform/vocabulary/graph-enums.js'
import { fromSources, type SubscriptionSource } from '#platform/subgraph.js'
import type { CallOrigin } from './begin.js'
import type { ChatService } from './chat.js'
import { ChatCompletionInput, inInputWords, requestBody } from './chat-input.js'
import {
  ChatCodeFindings,
  ChatCompletion,
  ChatCompletionEvent,
  ChatCompletionText,
  ChatCompletionTextEvent,
  ChatStreamFault,
  CreateChatCompletionResult,
  ModelDeploying,
} from './chat-type.js'
import type { LargeRequests } from './large-requests.js'
import type { ChatCompletionChunk } from './chat-type.js'
import type { ChatStreamEvent, StreamForm } from './chat-stream.js'
import type { JsonObject } from '../tokens/usage.js'

const SCAN = 'Standards by which the code in the answer is scanned, all enabled ones when empty; not at all when left out.'
const API = 'The API that the caller was asked by, for the usage record. It changes nothing else.'

@Resolver()
export class ChatResolver {
  constructor(
    private readonly chat: ChatService,
    private readonly large: Pick<LargeRequests, 'take'>,
  ) {}

  @Mutation(() => CreateChatCompletionResult, {
    description: 'Answers a conversation as a whole. Charged by the real token counts of the answer.',
  })
  async createChatCompletion(
    @Arg('input', () => ChatCompletionInput, { description: 'The conversation and how to answer it.' })
    input: ChatCompletionInput,
    @Ctx() context: RequestContext,
  ): Promise<ChatCompletion | ModelDeploying> {
    const chatId = chatIdOf(context)
    const body = requestBody(input)
    try {
      return named(await this.chat.complete(await this.large.take(body), context, { chatId }), chatId)
    } catch (error) {
      throw inInputWords(error)
    }
  }

  @Mutation(() => CreateChatCompletionResult, {
    description: 'The same for who has the request in the OpenAI shape. Faults name the fields of that shape.',
  })
  async createChatCompletionRaw(
    @Arg('body', () => JsonObjectScalar, { description: 'The body of a request for a chat completion; `stream` is not heeded.' })
    body: JsonObject,
    @Arg('api', () => ChatApi, { defaultValue: ChatApi.GRAPHQL, description: API })
    api: ChatApi,
    @Arg('scan', () => [String], { nullable: true, description: `${SCAN} What was found is \`sluice.scan\` of \`raw\`.` })
    scan: string[] | null,
    @Ctx() context: RequestContext,
  ): Promise<ChatCompletion | ModelDeploying> {
    const chatId = chatIdOf(context)
    return named(await this.chat.complete(await this.large.take(body), context, { chatId, api, scan: scan ?? null }), chatId)
  }

  @Query(() => Int, {
    description:
      "The tokens of a prompt by the model's tokenizer, as billing counts them where a provider reports none. Costs nothing.",
  })
  async chatPromptTokens(
    @Arg('body', () => JsonObjectScalar, { description: 'The body of a request for a chat completion.' })
    body: JsonObject,
    @Ctx() context: RequestContext,
  ): Promise<number> {
    return this.chat.countPrompt(await this.large.take(body), context)
  }

  @Subscription(() => ChatCompletionEvent, {
    subscribe: fromSources,
    description: 'Answers a conversation piece by piece. Ending the subscription ends the answer and its cost.',
  })
  chatCompletion(
    @Arg('input', () => ChatCompletionInput, { description: 'The conversation and how to answer it.' })
    _input: ChatCompletionInput,
    @Arg('scan', () => [String], {
      nullable: true,
      description: `${SCAN} A \`ChatCodeFindings\` follows each block, as soon as it has been looked at.`,
    })
    _scan: string[] | null,
    @Root() event: ChatStreamEvent | ModelDeploying,
  ): ChatCompletionChunk | ChatCodeFindings | ModelDeploying {
    try {
      return answerOf(event)
    } catch (error) {
      throw inInputWords(error)
    }
  }

  @Subscription(() => ChatCompletionEvent, {
    subscribe: fromSources,
    description: 'The same for who has the request in the OpenAI shape. Faults name the fields of that shape.',
  })
  chatCompletionRaw(
    @Arg('body', () => JsonObjectScalar, { description: 'The body of a request for a chat completion; `stream` is not heeded.' })
    _body: JsonObject,
    @Arg('api', () => ChatApi, { defaultValue: ChatApi.GRAPHQL, description: API })
    _api: ChatApi,
    @Arg('scan', () => [String], { nullable: true, description: `${SCAN} What was found is \`sluice.scan\` of the last chunk.` })
    _scan: string[] | null,
    @Root() event: ChatStreamEvent | ModelDeploying,
  ): ChatCompletionChunk | ChatCodeFindings | ModelDeploying {
    return answerOf(event)
  }

  @Subscription(() => ChatCompletionTextEvent, {
    subscribe: fromSources,
    description: 'The same as text, one event for all the chunks that arrive together: for who passes an answer on unread.',
  })
  chatCompletionText(
    @Arg('body', () => JsonObjectScalar, { description: 'The body of a request for a chat completion; `stream` is not heeded.' })
    _body: JsonObject,
    @Arg('api', () => ChatApi, { defaultValue: ChatApi.GRAPHQL, description: API })
    _api: ChatApi,
    @Arg('scan', () => [String], { nullable: true, description: `${SCAN} What was found is \`sluice.scan\` of the last chunk.` })
    _scan: string[] | null,
    @Root() event: ChatStreamEvent | ModelDeploying,
  ): ChatCompletionText | ModelDeploying {
    const answer = answerOf(event)
    if (answer instanceof ChatCodeFindings) throw new Error('A text has no events of its own for code.')
    return answer instanceof ModelDeploying ? answer : new ChatCompletionText(answer)
  }
}

function named<T extends ChatCompletion | ModelDeploying>(answer: T, chatId: string): T {
  if (answer instanceof ChatCompletion) answer.chatId = chatId
  return answer
}

function answerOf(event: ChatStreamEvent | ModelDeploying): ChatCompletionChunk | ChatCodeFindings | ModelDeploying {
  if (event instanceof ChatStreamFault) throw event.error
  return event
}

/** Chat calls within one operation share its request id. */
function chatIdOf({ requestId, chats }: RequestContext): string {
  chats.count++
  return chats.count === 1 ? requestId : `${requestId}.${chats.count}`
}

/** Where the events of the subscriptions come from: everything is checked and the first token is there before the stream is. */
export const chatSources = (chat: ChatService, large: Pick<LargeRequests, 'take'>): Record<string, SubscriptionSource> => ({
  async chatCompletion(args, context) {
    const body = requestBody(args['input'] as ChatCompletionInput)
    try {
      const scan = (args['scan'] as string[] | undefined) ?? null
      return await eventsOf(chat, await large.take(body), context, scan ? 'events' : 'chunks', { scan })
    } catch (error) {
      throw inInputWords(error)
    }
  },
  chatCompletionRaw: async (args, context) =>
    eventsOf(chat, await large.take(args['body'] as JsonObject), context, 'chunks', originIn(args)),
  chatCompletionText: async (args, context) =>
    eventsOf(chat, await large.take(args['body'] as JsonObject), context, 'text', originIn(args)),
})

const originIn = (args: Readonly<Record<string, unknown>>) => ({
  api: args['api'] as ChatApi,
  scan: (args['scan'] as string[] | undefined) ?? null,
})

async function eventsOf(
  chat: ChatService,
  body: unknown,
  context: RequestContext,
  form: StreamForm,
  origin: Partial<CallOrigin>,
) {
  const stream = await chat.stream(body, context, form, origin)
  return stream instanceof ModelDeploying ? once(stream) : stream
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value
}
