/** Content negotiation on /graphql: what of that which a caller accepts, with its q-values, is what we can answer. */
import Negotiator from 'negotiator'
import type { EventForm } from './event-framing.js'

const JSON_TYPE = 'application/json; charset=utf-8'
const GRAPHQL_TYPE = 'application/graphql-response+json; charset=utf-8'
const HTML_TYPE = 'text/html; charset=utf-8'
const EVENTS_TYPE = 'text/event-stream; charset=utf-8'

export interface Accepted {
  /** GraphiQL, for whoever prefers a page to data. */
  readonly prefersPage: boolean
  /** How one result is sent; null when the caller takes none of our forms. */
  readonly result: 'json' | 'events' | null
  /** In which form events are accepted by name: a client that says no more than that it takes anything cannot read a stream. */
  readonly events: EventForm | null
  /** Of a JSON answer. */
  readonly jsonType: string
  /**
   * Whether the caller named application/json. A client of that age takes every status but 200 for an answer of something in
   * between, so the specification wants a 200 for all that is wrong with a GraphQL document.
   */
  readonly isLegacyJson: boolean
}

/** Without the parameter it is another protocol, that of answers in pieces. */
const MULTIPART_EVENTS = /(?:^|,)\s*multipart\/mixed\s*;[^,]*\bsubscriptionSpec\s*=\s*"?1\.0\b/i

/** A request without the header accepts everything, and gets application/json with the statuses of today. */
export function negotiate(accept: string | undefined): Accepted {
  const negotiator = new Negotiator({ headers: { accept: accept ?? '*/*' } })
  const named = negotiator.mediaTypes()
  const isSse = named.some((type) => type === 'text/event-stream' || type === 'text/*')
  const data = [JSON_TYPE, GRAPHQL_TYPE, ...(isSse ? [EVENTS_TYPE] : [])]
  const best = negotiator.mediaType(data)
  const jsonType = best === GRAPHQL_TYPE ? GRAPHQL_TYPE : JSON_TYPE
  return {
    prefersPage: negotiator.mediaType([...data, HTML_TYPE]) === HTML_TYPE,
    result: best === undefined ? null : best === EVENTS_TYPE ? 'events' : 'json',
    events: isSse ? 'sse' : MULTIPART_EVENTS.test(accept ?? '') ? 'multipart' : null,
    jsonType,
    isLegacyJson: best === JSON_TYPE && named.includes('application/json'),
  }
}
