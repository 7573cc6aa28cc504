/** MCP over Streamable HTTP at /mcp: the name it is asked by, the key, the page that asks, then the session. */
import { setImmediate as turn } from 'node:timers/promises'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type * as Sdk from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { Router, type Request, type Response } from 'express'
import {
  authenticationError,
  bearerToken,
  requirePrincipal,
  type Principal,
  type RequestContext,
} from '#platform/requests/context.js'
import { AppError } from '#platform/errors.js'
import { route, type Doorway, type RouteHandler } from '../../edge/route.js'
import { scannerError } from '../../edge/responses.js'
import { methodsOf } from '../../edge/endpoint.js'
import { mcpEndpoints } from './mcp-endpoints.js'
import { hostCheck, isAllowedPage, type AllowedHosts } from './mcp-origin.js'
import { McpBodyFault, readMcpBody, type McpBodyEdge } from './mcp-body.js'
import { createMcpSessions, type McpSessions, type SessionMemory, type SessionsOptions } from './mcp-sessions.js'
import { isSessionOf, newSessionName } from './session-name.js'

export interface McpRouterOptions extends SessionsOptions {
  readonly edge: Doorway & McpBodyEdge
  readonly hosts: AllowedHosts
  /** The server of a session, or of one request of a session that another server began. */
  readonly createServer: (memory: SessionMemory) => Promise<Server> | Server
}

export interface McpEdge {
  /** Mount at /mcp. */
  readonly router: Router
  stop(): Promise<void>
}

let isLoaded = false

/** Most servers are never asked by MCP, and its SDK is large: a tenth of a second, in steps between which others are served. */
async function sdk(): Promise<typeof Sdk> {
  const loaded = await import('@modelcontextprotocol/sdk/server/streamableHttp.js')
  if (isLoaded) return loaded
  await turn()
  // The SDK answers with one, and Node loads its own fetch when somebody first looks at it.
  Reflect.get(globalThis, 'Response')
  await turn()
  isLoaded = true
  return loaded
}

const METHODS = methodsOf(mcpEndpoints, '/mcp')

export function createMcpRouter(options: McpRouterOptions): McpEdge {
  const sessions = createMcpSessions(options)
  const router = Router()
  const visit: RouteHandler = async (request, response, context) => {
    try {
      await answer(request, response, { context, principal: requirePrincipal(context), sessions, options })
    } catch (error) {
      if (!(error instanceof McpBodyFault)) throw error
      sendRpcError(response, error.status, error.message, error.rpcCode)
      // What is left of a refused upload is not kept.
      request.unpipe().resume()
    }
  }
  const checkHost = hostCheck(options.hosts)
  if (checkHost) router.use(checkHost)
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
  const { context, options, sessions } = visit
  if (!isAllowedPage(request, options.hosts)) {
    return sendRpcError(response, 403, 'This server does not answer requests from there.')
  }
  if (!METHODS.includes(request.method)) {
    response.setHeader('allow', METHODS.join(', '))
    throw new AppError('method_not_allowed', `/mcp takes ${METHODS.join(', ')}.`)
  }
  const token = bearerToken(context.authorization)
  if (token === null) throw authenticationError()
  const name = request.headers['mcp-session-id']
  if (request.method === 'GET') endEarly(response, context, options)
  const auth = { token: '', clientId: visit.principal.keyId, scopes: [...visit.principal.scopes], extra: { context } }
  const authorized = Object.assign(request, { auth })
  if (typeof name !== 'string') return begin(authorized, response, token, visit)
  // Spec: a session that ended is a 404, on which clients begin a new one; another key's session does not exist.
  if (!isSessionOf(name, token) || sessions.hasEnded(name)) {
    return sendRpcError(response, 404, 'The session has ended. Begin a new one.')
  }
  if (request.method === 'DELETE') {
    sessions.end(name)
    return void response.status(200).end()
  }
  const transport = sessions.transportOf(name)
  if (!transport) return visitSession(name, authorized, response, visit)
  await transport.handleRequest(authorized, response, await readMcpBody(request, response, options.edge, context))
}

async function begin(request: Request, response: Response, token: string, visit: Visit): Promise<void> {
  const { context, sessions, options } = visit
  const body = await readMcpBody(request, response, options.edge, context)
  const { StreamableHTTPServerTransport } = await sdk()
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => newSessionName(token),
    maxRequestBodySize: options.edge.limits.maxBodyBytes,
    onsessioninitialized: (name) => sessions.add(name, transport),
  })
  const server = await options.createServer(sessions.memoryOf(() => transport.sessionId))
  await server.connect(transport)
  await transport.handleRequest(request, response, body)
  // A first request that was no `initialize` leaves nothing behind.
  if (transport.sessionId === undefined) await transport.close()
}

/** One request of a session that another server began, or this one before it was idle for long or started again. */
async function visitSession(name: string, request: Request, response: Response, visit: Visit): Promise<void> {
  const { context, sessions, options } = visit
  const body = await readMcpBody(request, response, options.edge, context)
  const { StreamableHTTPServerTransport } = await sdk()
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    maxRequestBodySize: options.edge.limits.maxBodyBytes,
  })
  const server = await options.createServer(sessions.memoryOf(() => name))
  await server.connect(transport)
  const leave = sessions.follow(name, transport)
  response.once('close', () => {
    leave()
    void transport.close()
  })
  await transport.handleRequest(request, response, body)
}

/** A stream that waits for events does not end by itself, and the protocol has no word for why it does. */
function endEarly(response: Response, { signal }: RequestContext, { edge }: McpRouterOptions): void {
  signal.addEventListener('abort', () => void response.end(), { once: true })
  edge.contexts.requests.watch(signal)
}

function sendRpcError(response: Response, status: number, message: string, code = status === 404 ? -32_001 : -32_000): void {
  response.status(status).json({ jsonrpc: '2.0', error: { code, message }, id: null })
}
