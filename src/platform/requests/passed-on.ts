/** What the answer of a gateway takes over from that of the subgraph which it asked. */
import type { RequestContext } from './context.js'
import { RATE_HEADERS } from './rate-headers.js'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * Where the key's rates stand and, with `isKnownByIt`, the id of the request: the subgraph keeps holds, usage records and lines of
 * its log under an id of its own, because one that comes from outside could be another request's. Nothing once the answer has begun.
 */
export function passOn(headers: Headers, { answerHead, trail }: RequestContext, isKnownByIt: boolean): void {
  if (!answerHead || answerHead.headersSent) return
  for (const name of isKnownByIt ? PASSED_ON : RATE_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string') answerHead.setHeader(name, value)
  }
  const id = headers[ID_HEADER]
  if (isKnownByIt && trail && typeof id === 'string') trail.requestId = id
}

const ID_HEADER = 'x-request-id'
const PASSED_ON = [...RATE_HEADERS, ID_HEADER]
