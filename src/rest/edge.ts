/** What every REST route stands on: the graph, the caller's context, and the error shape of its contract. */
import type { Request, RequestHandler, Response } from 'express'
import { authenticationError, type RequestContext } from '#platform/context.js'
import type { ContextSource } from '#platform/request-context.js'
import type { Operations } from './operations.js'
import { sendError, type ErrorShape, type OnUnexpected } from './responses.js'

export interface RestEdge {
  readonly operations: Operations
  readonly contexts: ContextSource
  readonly limits: { readonly maxBodyBytes: number; readonly maxJsonDepth: number }
  readonly onUnexpected: OnUnexpected
}

export type RouteHandler = (request: Request, response: Response, context: RequestContext) => Promise<void> | void

/**
 * One route: opens the context, refuses callers without a valid key before anything of the request is read, and answers
 * faults in `shape`.
 */
export function route(edge: RestEdge, shape: ErrorShape, handle: RouteHandler, access: 'key' | 'open' = 'key'): RequestHandler {
  return async (request, response) => {
    try {
      const context = await edge.contexts.open(request, response)
      response.setHeader('x-request-id', context.requestId)
      if (access === 'key' && !context.principal) throw authenticationError()
      await handle(request, response, context)
    } catch (error) {
      sendError(request, response, error, shape, edge.onUnexpected)
    }
  }
}
