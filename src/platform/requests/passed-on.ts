/** What the answer of a gateway takes over from that of the subgraph which it asked. */
import type { RequestContext } from './context.js'
import { RATE_HEADERS } from './rate-headers.js'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * Where the key's rates stand and, with `isKnownByIt`, the id of the request: the subgraph keeps holds, usage records and lines of
 * its log under an id of its own, because one that comes from outside could be another request's. Of several ids the first counts,
 * and nothing once the answer has begun.
 */
export function passOn(headers: Headers, { requestId, answerHead, trail }: RequestContext, isKnownByIt: boolean): void {
  if (!answerHead || answerHead.headersSent) return
  for (const name of RATE_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string') answerHead.setHeader(name, value)
  }
  const id = headers['x-request-id']
  if (!isKnownByIt || typeof id !== 'string') return
  if (trail?.requestId === requestId) trail.requestId = id
  // The second is Anthropic's name for it.
  for (const name of ['x-request-id', 'request-id']) {
    if (answerHead.getHeader(name) === requestId) answerHead.setHeader(name, id)
  }
}
