/**
 * The API that a provider speaks. Within the program everything is a chat completion; a dialect says it in the provider's words
 * and its answer in ours. Pure but for large requests, which a thread translates.
 */
import type { ChatRequest } from '../chat/request.js'
import type { Candidate, StreamUsage } from '../ports.js'
import type { ProviderStreamHandler } from './provider-answer.js'
import type { ProviderRequest } from './exchange.js'

export interface ProviderDialect {
  /** Where chats are asked, below the base URL. */
  readonly path: string
  /**
   * The body for a provider.
   *
   * @param outputLimit how long each choice may be, when the provider has to be told (`outputLimitFor`)
   * @param usage what to ask for in a stream; null when the answer is not streamed
   */
  body(
    request: ChatRequest,
    candidate: Candidate,
    outputLimit: number | null,
    usage: StreamUsage | null,
  ): ProviderRequest['body'] | Promise<ProviderRequest['body']>
  /** A whole answer as the JSON of a chat completion. What cannot be read is returned as it came, for its reader to refuse. */
  completion(body: string): string
  /** Hears the provider's stream and tells the same as chunks of a chat completion. */
  stream(handler: ProviderStreamHandler): ProviderStreamHandler
}
