/**
 * Large requests: read, checked, measured and counted in threads, so that others' streams do not wait for them. What stays here
 * are the few facts that routing and admission need, and the rest of the body as bytes for the provider.
 */
import { entryPoint } from '#platform/entry-point.js'
import { holdsRawNumber } from '#platform/json/exact-json.js'
import { isLongerThan } from '#platform/json/json-length.js'
import { sharedText, type SharedBytes } from '#platform/shared-bytes.js'
import { createThread } from '#platform/thread.js'
import type { LargeAnswer, LargeQuestion } from './large-request-thread.js'
import type { ChatLimits } from '../limits.js'
import type { JsonObject } from '../tokens/usage.js'
import { CheckedRequest } from './request.js'

export interface LargeRequests {
  /**
   * Stands in for the body of a chat completion.
   *
   * @throws AppError 400
   */
  read(bytes: SharedBytes): Promise<CheckedRequest>
  /**
   * A body that was parsed elsewhere: itself when it is small, else what stands in for it.
   *
   * @throws AppError 400
   */
  take(body: JsonObject): Promise<unknown>
  stop(): Promise<void>
}

export function createLargeRequests(limits: ChatLimits): LargeRequests {
  const thread = () => createThread<LargeQuestion, LargeAnswer>(entryPoint('./large-request-thread.js', import.meta.url))
  const reader = thread()
  // Counting takes seconds, which must not keep other large requests from being read.
  const counter = thread()
  async function ask(question: LargeQuestion): Promise<CheckedRequest> {
    const answer = await reader.ask(question)
    if (answer.kind !== 'read') throw new Error('The thread answered another question.')
    const { request, size, chatOnlyField, rest } = answer
    return new CheckedRequest({
      ...request,
      messages: [],
      large: {
        size,
        chatOnlyField,
        rest,
        async count(tokenizer) {
          const counted = await counter.ask({ kind: 'count', rest, tokenizer })
          if (counted.kind !== 'count') throw new Error('The thread answered another question.')
          return counted.tokens
        },
        async asMessages() {
          const said = await reader.ask({ kind: 'messages', rest })
          if (said.kind !== 'messages') throw new Error('The thread answered another question.')
          return said.body
        },
      },
    })
  }
  const read = (bytes: SharedBytes) => ask({ kind: 'read', bytes, limits })

  return {
    read,
    async take(body) {
      if (body instanceof CheckedRequest || !isLongerThan(body, limits.inlineChars)) return body
      // A number that no double holds cannot be handed over; as text it can.
      return holdsRawNumber(body) ? read(sharedText(JSON.stringify(body))) : ask({ kind: 'take', body, limits })
    },
    async stop() {
      await Promise.all([reader.stop(), counter.stop()])
    },
  }
}
