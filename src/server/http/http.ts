/**
 * The HTTP side of one process: one express application over what the composition root built, and its limits against slow and
 * oversized clients. How it ends is in http-drain.ts.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import compression from 'compression'
import express, { type Express } from 'express'
import type { Logger } from '#platform/log.js'
import type { Metrics } from '#platform/metrics.js'
import { inCohort } from '#platform/cohort.js'
import { AppError, invalidRequest } from '#platform/errors.js'
import { newId } from '#platform/ids.js'
import { keepTrail, RequestTrail } from '#platform/requests/trail.js'
import type { Tracer } from '#platform/requests/tracing.js'
import type { OpenRequests } from '#platform/requests/open-requests.js'
import type { Cors } from '../../edge/cors.js'
import { graphError } from '../../graph/graph-errors.js'
import type { AccessLog, AnsweredRequest } from './access-log.js'
import { createDrain, type Drain, type DrainLimits } from './http-drain.js'
import type { PathHint } from '../../rest/path-hints.js'
import type { RouteName } from '../../rest/route-name.js'
import { openAiError, scannerError, sendError, type ErrorShape } from '../../edge/responses.js'

export interface HttpLimits extends DrainLimits {
  readonly headerBytes: number
  /** From the first byte of a request to the last byte of its headers. */
  readonly headerMs: number
  /** From the first byte of a request to the last byte of its body. */
  readonly bodyMs: number
  readonly keepAliveMs: number
}

export interface HttpServerOptions {
  readonly host: string
  readonly port: number
  readonly limits: HttpLimits
  readonly log: Logger
  readonly metrics: Metrics
  /** Null when it is off. */
  readonly accessLog: AccessLog | null
  readonly tracer: Tracer | null
  /** Asked first of every request, before keys and routes. */
  readonly cors: Cors
  /** Mounts the edges: /v1, /api, /mcp, /graphql. */
  readonly mount: (app: Express) => void
  /**
   * Listeners of hot routes by method and path, such as "POST /v1/x": they are called without express in between, for all
   * requests that one turn of the event loop brings in a row. One whose client has left by then is not begun.
   */
  readonly direct?: ReadonlyMap<string, RequestListener>
  /** What to ask for instead of a path that does not exist. */
  readonly hint: PathHint
  /** What figures call the route of a request. */
  readonly routeName: RouteName
  readonly requests: OpenRequests
  /** Called when no more connections are taken: whoever only waits or looks on is let go. */
  readonly onDrain: () => void
}

export interface HttpServer {
  /** Such as http://127.0.0.1:8787. */
  readonly url: string
  stop(): Promise<void>
}

export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.use(compressed())
  options.mount(app)
  app.use((req, _res) => {
    throw new AppError('unsupported_endpoint', `There is no ${req.method} ${req.path}.${options.hint(req.method, req.path)}`)
  })
  const answerFault = faultAnswer(options.log, options.metrics)
  app.use(((error, req, res, _next) => answerFault(req, res, error)) satisfies express.ErrorRequestHandler)

  const handle: RequestListener = (request, response) => {
    observe(options, request, response, drain)
    if (options.cors(request, response)) return
    const repeated = repeatedHeader(request)
    if (repeated !== null) return answerFault(request, response, invalidRequest(`Send the header "${repeated}" once.`))
    const direct = options.direct?.get(`${request.method} ${request.url}`)
    if (direct) inCohort(() => response.destroyed || direct(request, response))
    else if (!drain.answersProbe(request, response)) app(request, response)
  }
  const server = createServer(timeLimits(options.limits), handle)
  server.on('checkContinue', (request, response) => {
    continueWhenRead(request, response)
    handle(request, response)
  })
  const drain = createDrain(server, options)
  await listen(server, options.port, options.host)
  const { address, port, family } = server.address() as AddressInfo
  const host = family === 'IPv6' ? `[${address}]` : address
  return { url: `http://${host}:${port}`, stop: () => drain.run() }
}

/**
 * Compresses what is large enough to be worth it, for callers who ask for it. Streams are sent as they come, and answers of chat
 * completions as they are: every SDK asks for compression, and an answer is too small to pay for it.
 */
const compressed = () =>
  compression({
    threshold: COMPRESSED_FROM_BYTES,
    filter: (request, response) =>
      !request.originalUrl.startsWith('/v1/chat/') &&
      !String(response.getHeader('content-type')).startsWith('text/event-stream') &&
      compression.filter(request, response),
  })

const COMPRESSED_FROM_BYTES = 1_024

/** How much later than its time limit a slow request may be ended. */
const LATE_MS = 1_000

const timeLimits = ({ headerBytes, headerMs, bodyMs, keepAliveMs }: HttpLimits): ServerOptions => ({
  maxHeaderSize: headerBytes,
  keepAliveTimeout: keepAliveMs,
  requestTimeout: bodyMs,
  headersTimeout: Math.min(headerMs, bodyMs),
  connectionsCheckingInterval: Math.min(LATE_MS, bodyMs / 4),
})

/** Node silently takes the first of two, and a proxy in front may have looked at the other. */
function repeatedHeader({ rawHeaders }: IncomingMessage): string | null {
  let hosts = 0
  let keys = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
    else if (name.length === 13 && name.toLowerCase() === 'authorization') keys++
  }
  if (keys > 1) return 'Authorization'
  return hosts > 1 ? 'Host' : null
}

/** Whoever waits with its body for a "100 Continue" gets it when a route begins to read: not before a 401, 402 or 413. */
function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const read = request._read.bind(request)
  request._read = (size) => {
    request._read = read
    if (!response.headersSent) response.writeContinue()
    read(size)
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: 2048 }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Counts and times every response under its route. */
function observe(
  { metrics, accessLog, tracer, routeName }: HttpServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
  drain: Drain,
): void {
  drain.onRequest(response)
  const started = performance.now()
  let answered: AnsweredRequest | null = null
  // express rewrites the url while it routes.
  const url = request.url ?? ''
  const trail =
    accessLog || tracer
      ? new RequestTrail((ended) => {
          if (answered) accessLog?.(answered, ended)
          if (answered) endSpan(ended, answered)
        })
      : null
  if (trail) keepTrail(response, trail)
  if (trail && tracer)
    trail.span = tracer.request(`${request.method} ${routeName(url)}`, headerText(request.headers['traceparent']))
  response.on('close', () => {
    drain.onClose()
    const route = routeName(url)
    const totalMs = performance.now() - started
    // A client that left before there was an answer has seen no status; 499 is the word for that.
    const status = response.headersSent ? response.statusCode : 499
    const method = request.method ?? ''
    metrics.response({ route, method, status, seconds: totalMs / 1000 })
    if (trail) answered = { route, method, status, totalMs }
    trail?.ended()
  })
}

function endSpan({ span, requestId, accountId, keyId }: RequestTrail, { route, method, status }: AnsweredRequest): void {
  if (!span) return
  span.set({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    ...(requestId !== null && { 'sluice.request.id': requestId }),
    ...(accountId !== null && { 'sluice.account.id': accountId }),
    ...(keyId !== null && { 'sluice.key.id': keyId }),
  })
  if (status >= 500) span.fail(String(status))
  span.end()
}

const headerText = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

/** Answers what no edge has answered: in the form of the path's edge, and without our inside. */
function faultAnswer(log: Logger, metrics: Metrics) {
  return (request: IncomingMessage, response: ServerResponse, error: unknown): void => {
    if (!response.hasHeader('x-request-id')) response.setHeader('x-request-id', newId('req'))
    sendError(request, response, asAppError(error), shapeOf(request.url ?? ''), (hidden) => {
      metrics.unexpectedErrors.inc()
      log.error({ err: hidden.cause ?? hidden }, 'a request failed')
    })
  }
}

const SHAPES: readonly (readonly [prefix: string, shape: ErrorShape])[] = [
  ['/api', scannerError],
  ['/mcp', scannerError],
  ['/graphql', graphError],
]

const shapeOf = (url: string): ErrorShape => SHAPES.find(([prefix]) => url.startsWith(prefix))?.[1] ?? openAiError

/** express and its body parser put a status on what is the caller's fault. */
function asAppError(error: unknown): unknown {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  if (status === 413) return new AppError('payload_too_large', 'The body is too large.')
  if (status === 415) return new AppError('unsupported_media_type', 'The body has an encoding that is not accepted.')
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new AppError('invalid_request_error', 'The request is malformed.', { cause: error })
  }
  return error
}
