/** What every REST route stands on: the graph, the caller's context, and the error shape of its contract. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Request, RequestHandler, Response } from 'express'
import { authenticationError, type RequestContext } from '#platform/requests/context.js'
import { faultIn } from '#platform/requests/end-reasons.js'
import { toAppError } from '#platform/errors.js'
import type { Refuse } from '#platform/requests/open-requests.js'
import type { ContextSource } from '#platform/requests/request-context.js'
import type { Access } from './endpoint.js'
import { largeReader, type LargeReader } from './json-body.js'
import type { LargeBodies } from './large-bodies.js'
import type { Graph } from './execute.js'
import { sendError, type ErrorShape, type OnUnexpected } from './responses.js'

export interface EdgeLimits {
  readonly maxBodyBytes: number
  /** Of bodies that hold names and little else. */
  readonly maxSmallBodyBytes: number
  readonly maxJsonDepth: number
  /** Whether a response of the Responses API is stored whose request does not say. */
  readonly storesResponses: boolean
}

export interface RestEdge {
  readonly graph: Graph
  readonly contexts: ContextSource
  readonly limits: EdgeLimits
  readonly onUnexpected: OnUnexpected
  readonly large: LargeBodies
}

/** How a route of this edge reads a large body of this caller. */
export const largeReaderOf = (edge: RestEdge, context: RequestContext, response: ServerResponse): LargeReader =>
  largeReader(edge.large, context.principal, response, edge.limits.maxJsonDepth)

/** What a route needs of an edge before it asks anything of the graph. */
export type Doorway = Pick<RestEdge, 'contexts' | 'onUnexpected'>

export type RouteHandler = (request: Request, response: Response, context: RequestContext) => Promise<void> | void

/** A context is opened for both; only `key` demands one before anything is read. */
type Asked = Exclude<Access, 'probe'>

/** A route that needs nothing of express. */
export type PlainHandler = (request: IncomingMessage, response: ServerResponse, context: RequestContext) => Promise<void> | void

/**
 * One route: opens the context, refuses callers without a valid key before anything of the request is read, and answers
 * faults in `shape`.
 */
export function route(edge: Doorway, shape: ErrorShape, handle: RouteHandler, access: Asked = 'key'): RequestHandler {
  const refuse = refusal(edge, shape)
  return (request, response) => answer(edge, refuse, access, request, response, (context) => handle(request, response, context))
}

/** The same for a listener that the server calls directly. */
export function plainRoute(edge: Doorway, shape: ErrorShape, handle: PlainHandler): RequestListener {
  const refuse = refusal(edge, shape)
  return (request, response) =>
    void answer(edge, refuse, 'key', request, response, (context) => handle(request, response, context))
}

const refusal =
  ({ onUnexpected }: Doorway, shape: ErrorShape): Refuse =>
  (request, response, fault) =>
    sendError(request, response, fault, shape, onUnexpected)

async function answer(
  edge: Doorway,
  refuse: Refuse,
  access: Asked,
  request: IncomingMessage,
  response: ServerResponse,
  handle: (context: RequestContext) => Promise<void> | void,
): Promise<void> {
  let context: RequestContext | null = null
  try {
    const opened = edge.contexts.open(request, response, refuse)
    context = opened instanceof Promise ? await opened : opened
    response.setHeader('x-request-id', context.requestId)
    if (access === 'key' && !context.principal) throw authenticationError()
    await handle(context)
  } catch (error) {
    refuse(request, response, context ? faultIn(context, error) : toAppError(error))
  }
}
