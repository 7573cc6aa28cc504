/**
 * The way to a subgraph in another process: HTTP, and server-sent events for subscriptions.
 *
 * Whatever goes wrong on the way is one fault, `service_unavailable` with the subgraph's name: the rest of an answer comes from
 * the others, and a client knows that a retry is worth it. What the subgraph itself answers passes as it is, and a request that
 * was ended here is no fault of the subgraph: it has the reason of its own signal.
 */
import { createGraphQLError, type ExecutionRequest, type ExecutionResult, type Executor } from '@graphql-tools/utils'
import { getOperationAST, OperationTypeNode, print, type GraphQLFormattedError } from 'graphql'
import { Agent, fetch, type Response } from 'undici'
import type { Clock } from '#platform/clock.js'
import type { RequestContext } from '#platform/requests/context.js'
import { endReason } from '#platform/requests/end-reasons.js'
import { AppError } from '#platform/errors.js'
import { eventResults } from './event-results.js'
import { createPulse } from './subgraph-pulse.js'

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
}

export interface RemoteSubgraph {
  readonly name: string
  readonly executor: Executor<RequestContext>
  /** Asks it now; false when it has not answered within `timeoutMs`. */
  isAnswering(timeoutMs: number): Promise<boolean>
  close(): Promise<void>
}

type Request = ExecutionRequest<Record<string, unknown>, RequestContext>
type Answer = ExecutionResult | AsyncIterable<ExecutionResult>

export function connectSubgraph({ name, endpoint, limits, clock }: RemoteSubgraphOptions): RemoteSubgraph {
  const dispatcher = new Agent({
    connect: { timeout: limits.connectMs },
    headersTimeout: limits.answerMs,
    bodyTimeout: limits.idleMs,
  })
  const post = (body: string, headers: Record<string, string>, signal: AbortSignal) =>
    fetch(endpoint, { method: 'POST', body, headers: { ...JSON_BODY, ...headers }, dispatcher, signal })
  const isAnswering = async (timeoutMs: number): Promise<boolean> => {
    try {
      const response = await post('{"query":"{__typename}"}', {}, AbortSignal.timeout(timeoutMs))
      await response.body?.cancel()
      return response.ok
    } catch {
      return false
    }
  }
  const pulse = createPulse({ silenceMs: limits.silenceMs, clock, isAnswering: () => isAnswering(limits.silenceMs) })
  const failed = (cause: unknown, caller: AbortSignal | undefined): ExecutionResult =>
    caller?.aborted ? faultResult(endReason(caller)) : unavailableResult(name, cause)

  async function call(request: Request): Promise<Answer> {
    const hop = pulse.begin()
    const caller = request.context?.signal
    const signal = caller ? AbortSignal.any([caller, hop.signal]) : hop.signal
    let isStream = false
    try {
      // Also subscriptions are POSTed: a prompt does not fit into a URL, and does not belong into an access log.
      const response = await post(bodyOf(request), headersOf(request), signal)
      pulse.heard()
      isStream = response.headers.get('content-type')?.includes('text/event-stream') === true
      return isStream ? followed(response, caller, hop.end) : resultOf(await response.json(), name)
    } catch (cause) {
      return failed(cause, caller)
    } finally {
      if (!isStream) hop.end()
    }
  }

  /** A stream that breaks says so in a last event. */
  async function* followed(
    response: Response,
    caller: AbortSignal | undefined,
    onEnd: () => void,
  ): AsyncGenerator<ExecutionResult> {
    try {
      for await (const result of eventResults(response, () => pulse.heard())) yield withErrors(result)
    } catch (cause) {
      yield failed(cause, caller)
    } finally {
      onEnd()
    }
  }

  return {
    name,
    executor: call as Executor<RequestContext>,
    isAnswering,
    async close() {
      pulse.close()
      await dispatcher.destroy()
    },
  }
}

const JSON_BODY = { 'content-type': 'application/json', accept: 'application/json' }

const bodyOf = ({ document, variables, operationName }: Request): string =>
  JSON.stringify({ query: print(document), variables, ...(operationName !== undefined && { operationName }) })

/** The caller's own key and readable headers, for our own subgraph and nobody else. */
function headersOf({ document, operationName, context }: Request): Record<string, string> {
  const isSubscription = getOperationAST(document, operationName)?.operation === OperationTypeNode.SUBSCRIPTION
  return {
    ...(isSubscription && { accept: 'text/event-stream' }),
    ...Object.fromEntries(context?.headers ?? []),
    ...(context?.authorization !== undefined && { authorization: context.authorization }),
  }
}

interface JsonResult {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly GraphQLFormattedError[]
}

/** The answer of a server that stops, or of a proxy in front of none, has neither data nor errors. */
function resultOf(body: unknown, name: string): ExecutionResult {
  const result = body as JsonResult | null
  if (!result?.data && !Array.isArray(result?.errors)) return unavailableResult(name, new Error('The answer is not of GraphQL.'))
  return withErrors(result)
}

const withErrors = ({ data, errors }: JsonResult): ExecutionResult => ({
  ...(data !== undefined && { data }),
  ...(errors && { errors: errors.map(({ message, ...rest }) => createGraphQLError(message, rest)) }),
})

/** As long as a load balancer takes to notice. */
const RETRY_AFTER_SECONDS = 2

function unavailableResult(name: string, cause: unknown): ExecutionResult {
  const message = `The subgraph "${name}" does not answer. Try again in a moment.`
  return faultResult(new AppError('service_unavailable', message, { cause, retryAfterSeconds: RETRY_AFTER_SECONDS }))
}

const faultResult = (fault: AppError): ExecutionResult => ({
  data: null,
  errors: [createGraphQLError(fault.message, { originalError: fault })],
})
