/**
 * /console/session: a browser signs in with a key or with a one-time code, and out again. Not part of the API that is described
 * to programs: they have keys.
 */
import { Router } from 'express'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { z } from 'zod'
import { MAX_TOKEN_LENGTH, type Principal } from '#platform/requests/context.js'
import { AppError, invalidRequest } from '#platform/errors.js'
import { CONSOLE_HEADER, sessionCookie, sessionToken, type ConsoleRequests } from '../../edge/console-requests.js'
import { readInput } from '../../edge/input.js'
import { readJsonObject } from '../../edge/json-body.js'
import { openAiError, sendJson } from '../../edge/responses.js'
import { largeReaderOf, route, type RestEdge, type RouteHandler } from '../../edge/route.js'

interface Session {
  readonly token: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** What signing in needs of the domain. */
export interface SignIns {
  /** From one address, right or wrong. */
  readonly attemptsPerMinute: number
  authenticateKey(key: string): Principal | null | Promise<Principal | null>
  openSession(keyId: string): Promise<Session>
  redeemCode(code: string): Promise<Session | null>
  endSession(token: string): Promise<void>
}

const credential = z.string().min(1).max(MAX_TOKEN_LENGTH)
const SessionInput = z.union([z.strictObject({ key: credential }), z.strictObject({ code: credential })], {
  error: 'is {"key": "..."} or {"code": "..."}.',
})

/** Mount at the root: its paths are whole. */
export function consoleSessionRouter(edge: RestEdge, requests: ConsoleRequests, signIns: SignIns): Router {
  const attempts = new RateLimiterMemory({ points: signIns.attemptsPerMinute, duration: 60 })
  const ours =
    (handle: RouteHandler): RouteHandler =>
    (request, response, context) => {
      if (!requests.isOurs(request)) throw invalidRequest(`Only pages of this server ask here, with "${CONSOLE_HEADER}: 1".`)
      response.setHeader('cache-control', 'no-store')
      return handle(request, response, context)
    }
  const isSecure = (origin: string | undefined) => origin?.startsWith('https:') === true

  const signIn = ours(async (request, response, context) => {
    await countAttempt(attempts, request.socket.remoteAddress ?? '')
    const { expiresAt, token } = await openSession(signIns, await readCredential(edge, request, response, context))
    const maxAgeSeconds = Math.floor((expiresAt - Date.now()) / 1000)
    response.setHeader('set-cookie', sessionCookie(token, maxAgeSeconds, isSecure(request.headers.origin)))
    sendJson(response, 201, { expiresAt: new Date(expiresAt).toISOString() })
  })
  const signOut = ours(async (request, response) => {
    const token = sessionToken(request)
    if (token !== null) await signIns.endSession(token)
    response.setHeader('set-cookie', sessionCookie('', 0, isSecure(request.headers.origin)))
    response.status(204).end()
  })
  const router = Router()
  router.post('/console/session', route(edge, openAiError, signIn, 'open'))
  router.delete('/console/session', route(edge, openAiError, signOut, 'open'))
  return router
}

async function readCredential(edge: RestEdge, ...[request, response, context]: Parameters<RouteHandler>) {
  const limits = { maxBytes: edge.limits.maxSmallBodyBytes, maxDepth: edge.limits.maxJsonDepth }
  return readInput(SessionInput, await readJsonObject(request, limits, largeReaderOf(edge, context, response)))
}

async function openSession(signIns: SignIns, given: z.infer<typeof SessionInput>): Promise<Session> {
  if ('key' in given) {
    const principal = await signIns.authenticateKey(given.key)
    if (principal) return signIns.openSession(principal.keyId)
    throw new AppError('authentication_error', 'This is no valid API key.')
  }
  const session = await signIns.redeemCode(given.code)
  if (session) return session
  throw new AppError('authentication_error', 'This code was used or is too old. "sluice console" prints a new one.')
}

async function countAttempt(attempts: RateLimiterMemory, address: string): Promise<void> {
  try {
    await attempts.consume(address)
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    throw new AppError('rate_limit', 'Too many attempts to sign in. Wait a minute.', {
      retryAfterSeconds: Math.ceil(refused.msBeforeNext / 1000),
    })
  }
}
