/**
 * From a Node HTTP request to a RequestContext: the request id, the caller behind the key, and the signal of its early end. REST, GraphQL and MCP all start here, so a rule about callers holds on every edge.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bearerToken, type Principal, type RequestContext } from './context.js'
import { newId } from '../ids.js'
import type { Clock } from '../clock.js'
import { OpenRequests, type Refuse } from './open-requests.js'

/** Answers who holds a token; null for every kind of invalid key. Synchronous while the key is in the cache. */
export type Authenticate = (token: string) => Principal | null | Promise<Principal | null>

/** Request headers that resolvers may read. */
const READABLE_HEADERS = ['prefer', 'idempotency-key', 'traceparent', 'last-event-id'] as const

export interface ContextSource {
  /** The context of one request. `refuse` answers it when its handler does not come back before the server ends. */
  open(request: IncomingMessage, response: ServerResponse, refuse: Refuse): RequestContext | Promise<RequestContext>
  /** What has been opened and not yet answered. */
  readonly requests: OpenRequests
}

export function createContextSource(authenticate: Authenticate, clock: Clock): ContextSource {
  const requests = new OpenRequests()
  return {
    requests,
    open(request, response, refuse) {
      // Before the key is looked up: a caller's time runs while our database thinks.
      const startedAt = clock.monotonic()
      const opened = requests.add(request, response, refuse)
      const token = bearerToken(request.headers.authorization)
      const looked = token === null ? null : authenticate(token)
      const contextOf = (principal: Principal | null) => {
        opened.keyId = principal?.keyId ?? null
        return contextFor(request, principal, opened.signal, clock.now(), startedAt)
      }
      return looked instanceof Promise ? looked.then(contextOf) : contextOf(looked)
    },
  }
}

function contextFor(
  request: IncomingMessage,
  principal: Principal | null,
  signal: AbortSignal,
  now: number,
  startedAt: number,
): RequestContext {
  const { authorization } = request.headers
  return {
    // Always our own: it also names the hold, and a caller's id could be another request's.
    requestId: newId('req', now),
    principal,
    signal,
    startedAt,
    headers: readableHeaders(request),
    ...(authorization !== undefined && { authorization }),
  }
}

const NO_HEADERS: ReadonlyMap<string, string> = new Map()

function readableHeaders(request: IncomingMessage): ReadonlyMap<string, string> {
  let headers: Map<string, string> | null = null
  for (const name of READABLE_HEADERS) {
    const value = request.headers[name]
    if (typeof value === 'string') (headers ??= new Map()).set(name, value)
  }
  return headers ?? NO_HEADERS
}
