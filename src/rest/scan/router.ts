/** The routes of /api: which exist, which methods they take, and what everything else answers, in the scanner's own error shape. */
import { Router, type RequestHandler } from 'express'
import { AppError } from '#platform/errors.js'
import { route, type RouteHandler } from '../../edge/route.js'
import type { KnownRoutes, PathHint } from '../path-hints.js'
import { scannerError } from '../../edge/responses.js'
import { batchScan, listRules, readConfig, readHealth, scanCode, type ScanEdge } from './route.js'

type Method = 'get' | 'post'

interface ScanRoute {
  readonly path: string
  readonly method: Method
  readonly handle: RouteHandler
  /** Only the health needs no key. */
  readonly access: 'key' | 'open'
}

const routes = (edge: ScanEdge): ScanRoute[] => [
  { path: '/scan', method: 'post', handle: scanCode(edge), access: 'key' },
  { path: '/batch-scan', method: 'post', handle: batchScan(edge), access: 'key' },
  { path: '/config', method: 'get', handle: readConfig(edge), access: 'key' },
  { path: '/rules', method: 'get', handle: listRules(edge), access: 'key' },
  { path: '/health', method: 'get', handle: readHealth(edge), access: 'open' },
]

/** Paths with their methods, for hints. */
export const scanRoutes = (edge: ScanEdge): KnownRoutes =>
  Object.fromEntries(routes(edge).map(({ path, method }) => [`/api${path}`, [method.toUpperCase()]]))

/** Mount at /api. */
export function createScanRouter(edge: ScanEdge, hint: PathHint): Router {
  const router = Router({ caseSensitive: true })
  for (const { path, method, handle, access } of routes(edge)) {
    router[method](path, route(edge, scannerError, handle, access))
    router.all(path, methodNotAllowed(edge, method.toUpperCase(), access))
  }
  router.use(
    route(edge, scannerError, ({ method, originalUrl }) => {
      const path = originalUrl.split('?')[0]!
      throw new AppError('not_found', `There is no ${method} ${path}.${hint(method, path)}`)
    }),
  )
  return router
}

const methodNotAllowed = (edge: ScanEdge, allow: string, access: ScanRoute['access']): RequestHandler =>
  route(
    edge,
    scannerError,
    (request, response) => {
      response.setHeader('allow', allow)
      throw new AppError('method_not_allowed', `${request.originalUrl.split('?')[0]} takes ${allow}.`)
    },
    access,
  )
