/** What operators and probes ask: /healthz, /readyz, /metrics and /openapi.json. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Router } from 'express'
import { parse } from 'yaml'
import { requireScope } from '#platform/requests/context.js'
import type { Metrics } from '#platform/metrics.js'
import { packageRoot } from '#platform/package-root.js'
import { route, type RestEdge } from '../../edge/route.js'
import { openAiError, sendJson } from '../../edge/responses.js'

export interface OpsOptions {
  readonly edge: RestEdge
  readonly metrics: Metrics
  /** Whether requests can be served, and in words why not. */
  readonly readiness: () => Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: string }>
  /** Where callers reach this server, when the configuration says so. */
  readonly publicUrl: string | null
}

export function createOpsRouter({ edge, metrics, readiness, publicUrl }: OpsOptions): Router {
  const router = Router()
  router.get('/healthz', (_request, response) => sendJson(response, 200, { status: 'ok' }))
  router.get('/readyz', async (_request, response) => {
    const state = await readiness()
    if (state.ok) sendJson(response, 200, { status: 'ready' })
    else sendJson(response, 503, { status: 'not_ready', reason: state.reason })
  })
  router.get(
    '/metrics',
    // Numbers about all accounts: for a scraper with a key of its own, which needs no other scope, and for administrators.
    route(edge, openAiError, async (_request, response, context) => {
      requireScope(context, 'metrics')
      response.setHeader('content-type', metrics.registry.contentType)
      response.end(await metrics.registry.metrics())
    }),
  )
  router.get('/openapi.json', ({ headers }, response) => {
    sendJson(response, 200, openApiDocument(publicUrl ?? askedServer(headers.host)))
  })
  return router
}

const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/** The server by the name that it was asked under; relative to the document when that is no name. */
const askedServer = (host = ''): string => (HOST.test(host) ? `http://${host}` : '/')

const SERVER_URL = '{server}'
let openApiText: string | undefined

function openApiDocument(serverUrl: string): string {
  openApiText ??= JSON.stringify({ ...readOpenApi(), servers: [{ url: SERVER_URL }] })
  return openApiText.replace(SERVER_URL, () => serverUrl)
}

function readOpenApi(): object {
  const path = join(packageRoot, 'schema', 'openapi.yaml')
  return existsSync(path) ? (parse(readFileSync(path, 'utf8')) as object) : {}
}
