/** The routes of /v1: which exist, which methods they take, and what everything else answers. */
import type { RequestListener } from 'node:http'
import { Router, type RequestHandler } from 'express'
import { AppError } from '#platform/errors.js'
import { createChatCompletion, type ChatEdge } from './chat-completions/route.js'
import { readCredits } from './credits/route.js'
import { plainRoute, route, type RestEdge, type RouteHandler } from '../edge/route.js'
import { listOffers, listRentals, readRental, rentGpu, terminateRental } from './gpu/route.js'
import { listModels, readModel } from './models/route.js'
import type { KnownRoutes, PathHint } from './path-hints.js'
import { listBenchmarks, listPrices } from './pricing/route.js'
import { openAiError } from '../edge/responses.js'

type Method = 'get' | 'post' | 'delete'
type Methods = Partial<Record<Method, RouteHandler>>

const routes = (edge: ChatEdge): Record<string, Methods> => ({
  '/chat/completions': { post: createChatCompletion(edge) },
  '/models': { get: listModels(edge) },
  '/models/*id': { get: readModel(edge) },
  '/pricing': { get: listPrices(edge) },
  '/pricing/benchmark': { get: listBenchmarks(edge) },
  '/credits': { get: readCredits(edge) },
  '/gpu/offers': { get: listOffers(edge) },
  '/gpu/rent': { post: rentGpu(edge) },
  '/gpu/rentals': { get: listRentals(edge) },
  '/gpu/rentals/:id': { get: readRental(edge), delete: terminateRental(edge) },
})

/** The hot routes by method and path, for a server that can call them without a router in between. */
export const directRoutes = (edge: ChatEdge): ReadonlyMap<string, RequestListener> =>
  new Map([['POST /v1/chat/completions', plainRoute(edge, openAiError, createChatCompletion(edge))]])

/** Paths with their methods, for hints. */
export const restRoutes = (edge: ChatEdge): KnownRoutes =>
  Object.fromEntries(Object.entries(routes(edge)).map(([path, methods]) => [`/v1${path}`, namesOf(methods)]))

const namesOf = (methods: Methods): string[] => Object.keys(methods).map((method) => method.toUpperCase())

/** Mount at /v1. */
export function createRestRouter(edge: ChatEdge, hint: PathHint): Router {
  const router = Router({ caseSensitive: true })
  for (const [path, methods] of Object.entries(routes(edge))) {
    for (const [method, handle] of Object.entries(methods)) router[method as Method](path, route(edge, openAiError, handle))
    router.all(path, methodNotAllowed(edge, namesOf(methods)))
  }
  router.use(unsupportedEndpoint(edge, hint))
  return router
}

function methodNotAllowed(edge: RestEdge, methods: readonly string[]): RequestHandler {
  const allow = methods.join(', ')
  return route(edge, openAiError, (request, response) => {
    response.setHeader('allow', allow)
    throw new AppError('method_not_allowed', `${request.originalUrl.split('?')[0]} takes ${allow}.`)
  })
}

/** A 404 and not a 501, which SDKs would retry. */
function unsupportedEndpoint(edge: RestEdge, hint: PathHint): RequestHandler {
  return route(edge, openAiError, ({ method, originalUrl }) => {
    const path = originalUrl.split('?')[0]!
    throw new AppError('unsupported_endpoint', `This gateway has no ${method} ${path}.${hint(method, path)}`)
  })
}
