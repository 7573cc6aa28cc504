/**
 * What is known of one request at its end: filled in by whoever learns something, read once, when the answer has left and every
 * chat call that it made is settled. A client that leaves is gone before its call is settled.
 */
import type { ServerResponse } from 'node:http'
import type { NanoUsd, TokenBuckets } from '../money.js'
import type { TraceSpan } from './tracing.js'

/** What a chat call adds. */
export interface ChatTrace {
  /** Null for a model that nobody knows, and for a tier that came to no model. */
  readonly modelId: string | null
  /** Who answered, or was asked last; null when nobody was. */
  readonly providerId: string | null
  readonly outcome: string
  readonly tokens: TokenBuckets
  /** What the tokens cost: the amount that is captured, and so never more than the hold. */
  readonly cost: NanoUsd
  /** From the arrival of the request to the first token of a stream; null when none was streamed. */
  readonly firstTokenMs: number | null
}

export class RequestTrail {
  requestId: string | null = null
  accountId: string | null = null
  keyId: string | null = null
  /** The name of a GraphQL operation. */
  operation: string | null = null
  /** Of the whole request; null where nobody traces. */
  span: TraceSpan | null = null
  /** Of the chat call that ended last. */
  chat: ChatTrace | null = null
  inputTokens = 0
  cachedInputTokens = 0
  outputTokens = 0
  cost = 0n
  /** The response, and the chat calls that are not settled. */
  #open = 1

  constructor(private readonly onEnd: (trail: RequestTrail) => void) {}

  /** A chat call begins; `ended` is to follow. */
  begin(): void {
    this.#open++
  }

  add(chat: ChatTrace): void {
    const { tokens, cost } = chat
    this.chat = chat
    this.inputTokens += tokens.input
    this.cachedInputTokens += tokens.cachedInput
    this.outputTokens += tokens.output
    this.cost += cost
  }

  ended(): void {
    if (--this.#open === 0) this.onEnd(this)
  }
}

const TRAIL = Symbol('trail')

declare module 'node:http' {
  interface ServerResponse {
    [TRAIL]?: RequestTrail
  }
}

/** A field of the response is a tenth of what a WeakMap costs. */
export function keepTrail(response: ServerResponse, trail: RequestTrail): void {
  response[TRAIL] = trail
}

export const trailOf = (response: ServerResponse): RequestTrail | undefined => response[TRAIL]
