/**
 * The HTTP side of one process: one express application over what the composition root built, and its limits against slow and
 * oversized clients. How it ends is in http-drain.ts.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type Express } from 'express'
import type { Logger } from '#platform/log.js'
import type { Metrics } from '#platform/metrics.js'
import { AppError } from '#platform/errors.js'
import type { OpenRequests } from '#platform/open-requests.js'
import { createDrain, type Drain, type DrainLimits } from './http-drain.js'
import { openAiError, sendError } from './rest/responses.js'

export interface HttpServerOptions {
  readonly host: string
  readonly port: number
  readonly limits: { readonly headerBytes: number; readonly keepAliveMs: number } & DrainLimits
  readonly log: Logger
  readonly metrics: Metrics
  /** Mounts the edges: /v1, /api, /mcp, /graphql. */
  readonly mount: (app: Express) => void
  /** Listeners of hot routes by method and path, such as "POST /v1/x": they are called without express in between. */
  readonly direct?: ReadonlyMap<string, RequestListener>
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
  options.mount(app)
  app.use((req, _res) => {
    throw new AppError('unsupported_endpoint', `There is no ${req.method} ${req.path}.`)
  })
  app.use(lastResort(options.log, options.metrics))

  const server = createServer(
    {
      maxHeaderSize: options.limits.headerBytes,
      keepAliveTimeout: options.limits.keepAliveMs,
      headersTimeout: 20_000,
      requestTimeout: 60_000,
    },
    (request, response) => {
      observe(options.metrics, request, response, drain)
      const direct = options.direct?.get(`${request.method} ${request.url}`)
      if (direct) direct(request, response)
      else if (!drain.answersProbe(request, response)) app(request, response)
    },
  )
  const drain = createDrain(server, options)
  await listen(server, options.port, options.host)
  const { address, port, family } = server.address() as AddressInfo
  const host = family === 'IPv6' ? `[${address}]` : address
  return { url: `http://${host}:${port}`, stop: () => drain.run() }
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

/** Counts and times every response under its route, never under its raw path: paths are the callers' and without bound. */
function observe(metrics: Metrics, request: IncomingMessage, response: ServerResponse, drain: Drain): void {
  drain.onRequest(response)
  const started = performance.now()
  // express rewrites the url while it routes.
  const url = request.url ?? ''
  response.on('close', () => {
    drain.onClose()
    const route = ROUTES.find((known) => url.startsWith(known)) ?? 'other'
    const seconds = (performance.now() - started) / 1000
    // A client that left before there was an answer has seen no status; 499 is the word for that.
    const status = response.headersSent ? response.statusCode : 499
    metrics.response({ route, method: request.method ?? '', status, seconds })
  })
}

const ROUTES = ['/v1/chat/completions', '/v1/models', '/v1/pricing', '/v1/gpu', '/v1/credits', '/api', '/graphql', '/mcp']

/** What no edge has answered: still JSON, still without our inside. */
function lastResort(log: Logger, metrics: Metrics): express.ErrorRequestHandler {
  return (error, req, res, _next) => {
    sendError(req, res, asAppError(error), openAiError, (hidden) => {
      metrics.unexpectedErrors.inc()
      log.error({ err: hidden.cause ?? hidden }, 'a request failed')
    })
  }
}

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
