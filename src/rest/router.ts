/** The router of declared routes: which exist, which methods they take, and what everything else answers. */
import { Router, type RequestHandler } from 'express'
import { AppError } from '#platform/errors.js'
import { expressPath, methodsOf, type FaultShape } from '../edge/endpoint.js'
import { faultShapes } from '../edge/responses.js'
import { route, type Doorway } from '../edge/route.js'
import type { PathHint } from './path-hints.js'
import type { RestEndpoint } from './rest-endpoint.js'

/** Mount at the root: declared paths are whole. */
export function createRouter<Edge extends Doorway>(endpoints: readonly RestEndpoint<Edge>[], edge: Edge): Router {
  const router = Router({ caseSensitive: true })
  for (const { method, path, listen } of endpoints) router[method](expressPath(path), listen(edge))
  const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]))
  for (const [path, { access, faultShape }] of byPath) {
    const refuse = methodNotAllowed(methodsOf(endpoints, path).join(', '))
    router.all(expressPath(path), route(edge, faultShapes[faultShape], refuse, access === 'key' ? 'key' : 'open'))
  }
  return router
}

const methodNotAllowed =
  (allow: string): Parameters<typeof route>[2] =>
  (request, response) => {
    response.setHeader('allow', allow)
    throw new AppError('method_not_allowed', `${request.originalUrl.split('?')[0]} takes ${allow}.`)
  }

/** What answers for every path below a prefix that is no route. A 404 and not a 501, which SDKs would retry. */
export const unknownPath = (edge: Doorway, faultShape: FaultShape, hint: PathHint): RequestHandler =>
  route(edge, faultShapes[faultShape], ({ method, originalUrl }) => {
    const path = originalUrl.split('?')[0]!
    const asked = `${method} ${path}.${hint(method, path)}`
    if (faultShape === 'openai') throw new AppError('unsupported_endpoint', `This gateway has no ${asked}`)
    throw new AppError('not_found', `There is no ${asked}`)
  })
