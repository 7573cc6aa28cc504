/** The graph's operations of chat completions. Thin: the service authorises, checks and does the work. */
import { Arg, Ctx, Mutation, Resolver, Root, Subscription } from 'type-graphql'
import type { RequestContext } from '#platform/requests/context.js'
import { fromSources, type SubscriptionSource } from '#platform/subgraph.js'
import type { ChatService } from './chat.js'
import { ChatCompletionInput, requestBody } from './chat-input.js'
import { ChatCompletion, ChatCompletionEvent, ChatStreamFault, CreateChatCompletionResult, ModelDeploying } from './chat-type.js'
import type { LargeRequests } from './large-requests.js'
import type { ChatCompletionChunk } from './chat-type.js'

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
    return this.chat.complete(await this.large.take(requestBody(input)), context, chatId)
  }

  @Subscription(() => ChatCompletionEvent, {
    subscribe: fromSources,
    description: 'Answers a conversation piece by piece. Ending the subscription ends the answer and its cost.',
  })
  chatCompletion(
    @Arg('input', () => ChatCompletionInput, { description: 'The conversation and how to answer it.' })
    _input: ChatCompletionInput,
    @Root() event: ChatCompletionChunk | ChatStreamFault | ModelDeploying,
  ): ChatCompletionChunk | ModelDeploying {
    if (event instanceof ChatStreamFault) throw event.error
    return event
  }
}

/** Chat calls within one operation share its request id; each needs a hold of its own. */
const callsOfContext = new WeakMap<RequestContext, number>()

function chatIdOf(context: RequestContext): string {
  const calls = (callsOfContext.get(context) ?? 0) + 1
  callsOfContext.set(context, calls)
  return calls === 1 ? context.requestId : `${context.requestId}.${calls}`
}

/** The source of `chatCompletion`: everything is checked and the first token is there before the stream is. */
export function chatCompletionSource(chat: ChatService, large: Pick<LargeRequests, 'take'>): SubscriptionSource {
  return async (args, context) => {
    const body = await large.take(requestBody(args['input'] as ChatCompletionInput))
    const stream = await chat.stream(body, context)
    return stream instanceof ModelDeploying ? once(stream) : stream
  }
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value
}
