/**
 * From a Node HTTP request to a RequestContext: the request id, the caller behind the key, and the signal of its early end. REST, GraphQL and MCP all start here, so a rule about callers holds on every edge.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bearerToken, type Principal, type RequestContext } from './context.js'
import { newId } from '../ids.js'
import type { Clock } from '../clock.js'
import { OpenRequests, type Refuse } from './open-requests.js'
import { trailOf, type RequestTrail } from './trail.js'

/** Answers who holds a token; null for every kind of invalid key. Synchronous while the key is in the cache. */
export type Authenticate = (token: string) => Principal | null | Promise<Principal | null>

/** Request headers that resolvers may read. */
const READABLE_HEADERS = ['prefer', 'idempotency-key', 'traceparent', 'last-event-id', 'sluice-scan'] as const

export interface ContextSource {
  /** The context of one request. `refuse` answers it when its handler does not come back before the server ends. */
  open(request: IncomingMessage, response: ServerResponse, refuse: Refuse): RequestContext | Promise<RequestContext>
  /** What has been opened and not yet answered. */
  readonly requests: OpenRequests
}

export interface ContextOptions {
  readonly authenticate: Authenticate
  readonly clock: Clock
  /** The credential of a request: its bearer token when left out. */
  readonly tokenOf?: (request: IncomingMessage) => string | null
  /** Where open requests are known; a source that is beside another shares its. */
  readonly requests?: OpenRequests
}

export function createContextSource({
  authenticate,
  clock,
  tokenOf = ownToken,
  requests = new OpenRequests(),
}: ContextOptions): ContextSource {
  return {
    requests,
    open(request, response, refuse) {
      // Before the key is looked up: a caller's time runs while our database thinks.
      const startedAt = clock.monotonic()
      const opened = requests.add(request, response, refuse)
      const token = tokenOf(request)
      const looked = token === null ? null : authenticate(token)
      const contextOf = (principal: Principal | null) => {
        opened.keyId = principal?.keyId ?? null
        // Always our own: it also names the hold, and a caller's id could be another request's.
        const requestId = newId('req', clock.now())
        const trail = trailOf(response)
        if (trail) noteCaller(trail, requestId, principal)
        const common = {
          requestId,
          principal,
          signal: opened.signal,
          startedAt,
          headers: readableHeaders(request),
          chats: { count: 0 },
          answerHead: response,
        }
        return contextFor(common, token, trail)
      }
      return looked instanceof Promise ? looked.then(contextOf) : contextOf(looked)
    },
  }
}

const ownToken = ({ headers }: IncomingMessage) => bearerToken(headers.authorization)

function noteCaller(trail: RequestTrail, requestId: string, principal: Principal | null): void {
  trail.requestId = requestId
  trail.accountId = principal?.accountId ?? null
  trail.keyId = principal?.keyId ?? null
}

const contextFor = (
  common: Omit<RequestContext, 'authorization' | 'trail' | 'span'>,
  token: string | null,
  trail: RequestTrail | undefined,
): RequestContext => ({
  ...common,
  ...(token !== null && { authorization: `Bearer ${token}` }),
  ...(trail && { trail }),
  ...(trail?.span && { span: trail.span }),
})

const NO_HEADERS: ReadonlyMap<string, string> = new Map()

function readableHeaders(request: IncomingMessage): ReadonlyMap<string, string> {
  let headers: Map<string, string> | null = null
  for (const name of READABLE_HEADERS) {
    const value = request.headers[name]
    if (typeof value === 'string') (headers ??= new Map()).set(name, value)
  }
  return headers ?? NO_HEADERS
}
