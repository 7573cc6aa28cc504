/** A declared route with what it does: the input is read by the declared schemas before the handler is called. */
import type { Request, RequestHandler, Response } from 'express'
import type { z } from 'zod'
import type { RequestContext } from '#platform/requests/context.js'
import type { Endpoint, Inputs } from '../edge/endpoint.js'
import { readInput, readQuery } from '../edge/input.js'
import { readJsonObject } from '../edge/json-body.js'
import { faultShapes } from '../edge/responses.js'
import { largeReaderOf, route, type Doorway, type RestEdge } from '../edge/route.js'

/** A route that can be mounted once there is the edge that it stands on. */
export interface RestEndpoint<Edge extends Doorway = RestEdge> extends Endpoint {
  readonly listen: (edge: Edge) => RequestHandler
}

type InputOf<Declared extends Inputs> = {
  readonly [Part in keyof Declared]: Declared[Part] extends z.ZodType ? z.output<Declared[Part]> : never
}

type Handler<Declared extends Inputs> = (
  input: InputOf<Declared>,
  response: Response,
  context: RequestContext,
  request: Request,
) => Promise<void> | void

interface Declaration<Declared extends Inputs, Edge> extends Omit<Endpoint, 'access' | 'faultShape' | 'input'> {
  /** A key unless said otherwise. */
  readonly access?: 'key' | 'open'
  /** OpenAI's unless said otherwise. */
  readonly faultShape?: Endpoint['faultShape']
  readonly input: Declared
  /** The body holds names and little else, so the smaller limit applies to it. */
  readonly hasSmallBody?: boolean
  readonly handle: (edge: Edge) => Handler<Declared>
}

export function restEndpoint<Declared extends Inputs, Edge extends RestEdge = RestEdge>({
  handle,
  hasSmallBody = false,
  access = 'key',
  faultShape = 'openai',
  ...declared
}: Declaration<Declared, Edge>): RestEndpoint<Edge> {
  const { path, query, body }: Inputs = declared.input
  return {
    ...declared,
    access,
    faultShape,
    listen(edge) {
      const run = handle(edge)
      const read = async (request: Request, response: Response, context: RequestContext) => ({
        ...(path && { path: readInput(path, pathValues(request)) }),
        ...(query && { query: readQuery(query, request.originalUrl) }),
        ...(body && { body: readInput(body, await readBody(edge, request, response, context, hasSmallBody)) }),
      })
      return route(
        edge,
        faultShapes[faultShape],
        async (request, response, context) => {
          const input = (await read(request, response, context)) as InputOf<Declared>
          await run(input, response, context, request)
        },
        access,
      )
    },
  }
}

/** A value with slashes comes in parts. */
const pathValues = ({ params }: Request): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, [value].flat().join('/')]))

function readBody(edge: RestEdge, request: Request, response: Response, context: RequestContext, isSmall: boolean) {
  const { maxBodyBytes, maxSmallBodyBytes, maxJsonDepth: maxDepth } = edge.limits
  const maxBytes = isSmall ? Math.min(maxSmallBodyBytes, maxBodyBytes) : maxBodyBytes
  return readJsonObject(request, { maxBytes, maxDepth }, largeReaderOf(edge, context, response))
}
