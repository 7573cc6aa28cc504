/**
 * Which pages in a browser may talk to this server, and how their browsers learn of it: before a key is looked at, on every
 * edge, also beside errors. Answers never allow credentials: a page must hold a key, no cookie speaks for it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { RATE_HEADERS } from '#platform/requests/rate-headers.js'

/** Whether a page of this origin, such as `https://app.example`, may read answers. */
export type AllowsOrigin = (origin: string) => boolean

export interface OriginOptions {
  /** `server.cors_origins`; undefined means pages of this machine, as long as the server listens to this machine only. */
  readonly origins: '*' | readonly string[] | undefined
  /** The address that the server listens on. */
  readonly host: string
}

const LOOPBACK_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/

export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)

export function allowedOrigins({ origins, host }: OriginOptions): AllowsOrigin {
  if (origins === '*') return () => true
  if (origins !== undefined) return (origin) => origins.includes(origin)
  return isLoopback(host) ? (origin) => LOOPBACK_ORIGIN.test(origin) : () => false
}

/** Puts the headers on an answer to a page; true when the request was a preflight, which is then answered. */
export type Cors = (request: IncomingMessage, response: ServerResponse) => boolean

const EDGES = /^\/(?:v1|api|graphql|mcp|openapi\.json)(?=[/?]|$)/

/** Of our answers, what a page may read besides the headers that every page may. */
const EXPOSED = [
  'x-request-id',
  'retry-after',
  'x-should-retry',
  'location',
  'allow',
  'www-authenticate',
  'mcp-session-id',
  ...RATE_HEADERS,
].join(', ')

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** Names of headers: SDKs send many of their own, and none means anything to us without the key. */
const HEADER_NAMES = /^[\w, -]{1,2000}$/
/** Browsers ask again after two hours at most. */
const PREFLIGHT_SECONDS = '7200'

export function createCors(allows: AllowsOrigin): Cors {
  return (request, response) => {
    const { origin } = request.headers
    if (origin === undefined) {
      // An answer that a cache keeps must not be given to a page; only answers to GET are kept.
      if (request.method === 'GET') response.appendHeader('vary', 'Origin')
      return false
    }
    if (!EDGES.test(request.url ?? '')) return false
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    response.appendHeader('vary', 'Origin')
    if (allows(origin)) {
      response.setHeader('access-control-allow-origin', origin)
      response.setHeader('access-control-expose-headers', EXPOSED)
      if (isPreflight) allowRequest(request, response)
    }
    if (isPreflight) endPreflight(request, response, allows(origin))
    return isPreflight
  }
}

function allowRequest({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-methods', METHODS)
  response.setHeader('access-control-max-age', PREFLIGHT_SECONDS)
  const asked = headers['access-control-request-headers']
  if (asked !== undefined && HEADER_NAMES.test(asked)) response.setHeader('access-control-allow-headers', asked)
  // A page of the internet that the operator has named may reach a server on the caller's own machine or network.
  if (headers['access-control-request-private-network'] === 'true') {
    response.setHeader('access-control-allow-private-network', 'true')
  }
}

/** Whoever looks into the browser's network panel reads why a page is not let in. */
function endPreflight({ headers }: IncomingMessage, response: ServerResponse, isAllowed: boolean): void {
  if (isAllowed) return void response.writeHead(204).end()
  response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' })
  response.end(`${JSON.stringify(headers.origin)} is not one of server.cors_origins of this server.\n`)
}
