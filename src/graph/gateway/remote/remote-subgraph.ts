/**
 * The way to a subgraph in another process: HTTP, and server-sent events for subscriptions.
 *
 * Whatever goes wrong on the way is one fault, `service_unavailable` with the subgraph's name: the rest of an answer comes from
 * the others, and a client knows that a retry is worth it. What the subgraph itself answers passes as it is, and a request that
 * was ended here is no fault of the subgraph: it has the reason of its own signal.
 */
import { createGraphQLError, type ExecutionResult } from '@graphql-tools/utils'
import type { GraphQLFormattedError } from 'graphql'
import { Pool, type Dispatcher } from 'undici'
import type { Clock } from '#platform/clock.js'
import type { RequestContext } from '#platform/requests/context.js'
import { passOn } from '#platform/requests/passed-on.js'
import { endReason } from '#platform/requests/end-reasons.js'
import { RETRY_SECONDS, AppError } from '#platform/errors.js'
import { eventResults, wholeEvents } from './event-results.js'
import type { SubgraphRequest } from '../planned/plan-runner.js'
import type { RequestBodies } from './request-bodies.js'
import { createPulse, type Pulse } from './subgraph-pulse.js'
import type { SubgraphWatch } from './subgraph-watch.js'

/** Milliseconds. */
export interface HopLimits {
  readonly connectMs: number
  /** Until the first byte of an answer; longer than anything that a subgraph may take. */
  readonly answerMs: number
  /** Between two bytes of an answer; subscriptions are kept alive by pings. */
  readonly idleMs: number
  /** A subgraph that is silent for this long is asked whether it lives, and has as long again to say so. */
  readonly silenceMs: number
}

export interface RemoteSubgraphOptions {
  readonly name: string
  /** Such as http://10.0.0.7:8787/graphql. */
  readonly endpoint: string
  readonly limits: HopLimits
  readonly clock: Clock
  readonly bodies: RequestBodies
  readonly watch: SubgraphWatch
}

export interface RemoteSubgraph {
  readonly name: string
  /** The result of a query or mutation. */
  ask(request: SubgraphRequest): Promise<ExecutionResult>
  /** The results of a subscription; a stream that breaks says so in a last one. */
  follow(request: SubgraphRequest): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult>
  /** The JSON text of an answer that has data, unread; else its result. */
  askUnread(request: SubgraphRequest): Promise<Uint8Array | ExecutionResult>
  /** The events of a subscription, unread and each of them whole. @throws AppError when the stream breaks */
  followUnread(request: SubgraphRequest): Promise<AsyncIterable<Uint8Array> | ExecutionResult>
  /** Asks it now; false when it has not answered within `timeoutMs`. */
  isAnswering(timeoutMs: number): Promise<boolean>
  close(): Promise<void>
}

/** More wait for one that is done: a subgraph answers no sooner when it is asked by more. */
const MAX_CONNECTIONS = 1_024

type Post = (body: string | Uint8Array, headers: Record<string, string>, signal: AbortSignal) => Promise<Dispatcher.ResponseData>

/** An answer that has begun. */
interface Hop {
  readonly response: Dispatcher.ResponseData
  readonly isStream: boolean
  heard(): void
  /** What broke it, as callers hear of it. */
  faultOf(cause: unknown): AppError
  /** Of a stream, which is its reader's to end. */
  end(): void
}

export function connectSubgraph({ name, endpoint, limits, clock, bodies, watch }: RemoteSubgraphOptions): RemoteSubgraph {
  const { origin, pathname, search } = new URL(endpoint)
  const pool = new Pool(origin, {
    connections: MAX_CONNECTIONS,
    connect: { timeout: limits.connectMs },
    headersTimeout: limits.answerMs,
    bodyTimeout: limits.idleMs,
  })
  // Also subscriptions are POSTed: a prompt does not fit into a URL, and does not belong into an access log.
  const post: Post = (body, headers, signal) =>
    pool.request({ path: `${pathname}${search}`, method: 'POST', headers, body, signal })

  const isAnswering = async (timeoutMs: number): Promise<boolean> => {
    try {
      const { statusCode, body } = await post('{"query":"{__typename}"}', headersOf(JSON_TYPE), AbortSignal.timeout(timeoutMs))
      await body.dump()
      if (statusCode !== 200) throw new Error(`The answer has the status ${statusCode}.`)
      watch.answered()
      return true
    } catch (cause) {
      watch.failed(cause)
      return false
    }
  }
  const pulse = createPulse({ silenceMs: limits.silenceMs, clock, isAnswering: () => isAnswering(limits.silenceMs) })
  const call = callsTo(name, post, pulse, bodies, watch)
  const result = async ({ response, faultOf }: Hop): Promise<ExecutionResult> => {
    const answer = resultOf(await response.body.json())
    if (!answer) return faultResult(faultOf(new Error('The answer is not of GraphQL.')))
    watch.answered()
    return answer
  }
  return {
    name,
    ask: (request) => call(request, JSON_TYPE, result),
    // One that refuses a subscription may answer without a stream.
    follow: (request) => call(request, EVENTS_TYPE, async (hop) => (hop.isStream ? followed(hop) : result(hop))),
    askUnread: (request) =>
      // With this type a 200 always has data.
      call(request, RESPONSE_TYPE, async (hop) => (hop.response.statusCode === 200 ? hop.response.body.bytes() : result(hop))),
    followUnread: (request) => call(request, EVENTS_TYPE, async (hop) => (hop.isStream ? passed(hop) : result(hop))),
    isAnswering,
    async close() {
      pulse.close()
      await pool.destroy()
    },
  }
}

/** Calls a subgraph and reads the answer; what goes wrong is a result. */
function callsTo(name: string, post: Post, pulse: Pulse, bodies: RequestBodies, watch: SubgraphWatch) {
  return async <T>(request: SubgraphRequest, accept: string, read: (hop: Hop) => Promise<T>): Promise<T | ExecutionResult> => {
    const waiting = pulse.begin()
    const { signal: caller } = request.context
    caller.addEventListener('abort', waiting.abort, { once: true })
    if (caller.aborted) waiting.abort()
    const end = () => {
      waiting.end()
      caller.removeEventListener('abort', waiting.abort)
    }
    const faultOf = (cause: unknown) => {
      if (caller.aborted) return endReason(caller)
      watch.failed(cause)
      return unavailable(name, cause)
    }
    let isStream = false
    try {
      const { query, variables, operationName } = request
      const body = await bodies.write({ query, variables, operationName: operationName ?? undefined })
      const response = await post(body, headersOf(accept, request.context), waiting.signal)
      pulse.heard()
      passOn(response.headers, request.context, request.isChange === true)
      const type = String(response.headers['content-type'] ?? '')
      isStream = type.includes(EVENTS_TYPE)
      if (isStream || type.includes(RESPONSE_TYPE)) watch.answered()
      return await read({ response, isStream, heard: pulse.heard, faultOf, end })
    } catch (cause) {
      isStream = false
      return faultResult(faultOf(cause))
    } finally {
      if (!isStream) end()
    }
  }
}

async function* followed({ response, heard, faultOf, end }: Hop): AsyncGenerator<ExecutionResult> {
  try {
    for await (const event of eventResults(response.body, heard)) yield withErrors(event)
  } catch (cause) {
    yield faultResult(faultOf(cause))
  } finally {
    end()
  }
}

async function* passed({ response, heard, faultOf, end }: Hop): AsyncGenerator<Uint8Array> {
  try {
    yield* wholeEvents(response.body, heard)
  } catch (cause) {
    throw faultOf(cause)
  } finally {
    end()
  }
}

const JSON_TYPE = 'application/json'
const RESPONSE_TYPE = 'application/graphql-response+json'
const EVENTS_TYPE = 'text/event-stream'

/** The caller's own key and readable headers, for our own subgraph and nobody else. */
const headersOf = (accept: string, context?: RequestContext): Record<string, string> => ({
  'content-type': JSON_TYPE,
  ...Object.fromEntries(context?.headers ?? []),
  accept,
  ...(context?.span && { traceparent: context.span.traceparent }),
  ...(context?.authorization !== undefined && { authorization: context.authorization }),
})

interface JsonResult {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly GraphQLFormattedError[]
}

/** Null for the answer of a server that stops, or of a proxy in front of none: it has neither data nor errors. */
function resultOf(body: unknown): ExecutionResult | null {
  const result = body as JsonResult | null
  return result?.data || Array.isArray(result?.errors) ? withErrors(result) : null
}

const withErrors = ({ data, errors }: JsonResult): ExecutionResult => ({
  ...(data !== undefined && { data }),
  ...(errors && { errors: errors.map(({ message, ...rest }) => createGraphQLError(message, rest)) }),
})

const unavailable = (name: string, cause: unknown): AppError =>
  new AppError('service_unavailable', `The subgraph "${name}" does not answer. Try again in a moment.`, {
    cause,
    retryAfterSeconds: RETRY_SECONDS.outage,
  })

const faultResult = (fault: AppError): ExecutionResult => ({
  data: null,
  errors: [createGraphQLError(fault.message, { originalError: fault })],
})
