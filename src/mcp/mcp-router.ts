/** MCP over Streamable HTTP at /mcp: the key first, then where the request comes from, then the session. */
import { randomUUID } from 'node:crypto'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { Router, type Request, type Response } from 'express'
import type { Clock } from '#platform/clock.js'
import { requirePrincipal, type Principal, type RequestContext } from '#platform/context.js'
import { AppError } from '#platform/errors.js'
import { route, type Doorway, type RestEdge, type RouteHandler } from '../rest/edge.js'
import { scannerError } from '../rest/responses.js'
import { isAllowedHost, type AllowedHosts } from './mcp-origin.js'
import { createMcpSessions, type McpSession, type McpSessions } from './mcp-sessions.js'

export interface McpRouterOptions {
  readonly edge: Doorway & Pick<RestEdge, 'limits'>
  readonly clock: Clock
  readonly hosts: AllowedHosts
  /** The server of a new session. */
  readonly createServer: () => Server
}

export interface McpEdge {
  /** Mount at /mcp. */
  readonly router: Router
  stop(): Promise<void>
}

const METHODS: readonly string[] = ['GET', 'POST', 'DELETE']

export function createMcpRouter(options: McpRouterOptions): McpEdge {
  const sessions = createMcpSessions(options.clock)
  const router = Router()
  const visit: RouteHandler = async (request, response, context) => {
    await answer(request, response, { context, principal: requirePrincipal(context), sessions, options })
  }
  router.all('/', route(options.edge, scannerError, visit))
  return { router, stop: () => sessions.closeAll() }
}

interface Visit {
  readonly context: RequestContext
  readonly principal: Principal
  readonly sessions: McpSessions
  readonly options: McpRouterOptions
}

async function answer(request: Request, response: Response, visit: Visit): Promise<void> {
  const { context, options } = visit
  if (!isAllowedHost(request, options.hosts)) {
    return sendRpcError(response, 403, 'This server does not answer requests from there.')
  }
  if (!METHODS.includes(request.method)) {
    response.setHeader('allow', METHODS.join(', '))
    throw new AppError('method_not_allowed', `/mcp takes ${METHODS.join(', ')}.`)
  }
  const session = await sessionFor(request, visit)
  // Spec: a session that ended is a 404, on which clients begin a new one.
  if (!session) return sendRpcError(response, 404, 'The session has ended. Begin a new one.')
  if (request.method === 'GET') endEarly(response, context, options)
  const auth = { token: '', clientId: visit.principal.keyId, scopes: [...visit.principal.scopes], extra: { context } }
  await session.transport.handleRequest(Object.assign(request, { auth }), response)
  // A first request that was no `initialize` leaves nothing behind.
  if (session.transport.sessionId === undefined) await session.transport.close()
}

/** A stream that waits for events does not end by itself, and the protocol has no word for why it does. */
function endEarly(response: Response, { signal }: RequestContext, { edge }: McpRouterOptions): void {
  signal.addEventListener('abort', () => void response.end(), { once: true })
  edge.contexts.requests.watch(signal)
}

async function sessionFor(request: Request, { principal, sessions, options }: Visit): Promise<McpSession | null> {
  const id = request.headers['mcp-session-id']
  if (typeof id === 'string') return sessions.find(id, principal.keyId)
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    maxRequestBodySize: options.edge.limits.maxBodyBytes,
    onsessioninitialized: (newId) => sessions.add(newId, session),
    onsessionclosed: (oldId) => sessions.remove(oldId),
  })
  const session: McpSession = { transport, keyId: principal.keyId }
  await options.createServer().connect(transport)
  return session
}

function sendRpcError(response: Response, status: number, message: string): void {
  response.status(status).json({ jsonrpc: '2.0', error: { code: status === 404 ? -32_001 : -32_000, message }, id: null })
}
