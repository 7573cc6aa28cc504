/** What operators and probes ask: /healthz, /readyz, /metrics and /openapi.json. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Router } from 'express'
import { parse } from 'yaml'
import { requireScope } from '#platform/context.js'
import type { Metrics } from '#platform/metrics.js'
import { packageRoot } from '../package-root.js'
import { route, type RestEdge } from './edge.js'
import { openAiError, sendJson } from './responses.js'

export interface OpsOptions {
  readonly edge: RestEdge
  readonly metrics: Metrics
  /** Whether requests can be served, and in words why not. */
  readonly readiness: () => Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: string }>
}

export function createOpsRouter({ edge, metrics, readiness }: OpsOptions): Router {
  const router = Router()
  router.get('/healthz', (_request, response) => sendJson(response, 200, { status: 'ok' }))
  router.get('/readyz', async (_request, response) => {
    const state = await readiness()
    if (state.ok) sendJson(response, 200, { status: 'ready' })
    else sendJson(response, 503, { status: 'not_ready', reason: state.reason })
  })
  router.get(
    '/metrics',
    // Numbers about all accounts: for administrators, such as a scraper with a key of its own.
    route(edge, openAiError, async (_request, response, context) => {
      requireScope(context, 'admin')
      response.setHeader('content-type', metrics.registry.contentType)
      response.end(await metrics.registry.metrics())
    }),
  )
  router.get('/openapi.json', (_request, response) => sendJson(response, 200, openApiDocument()))
  return router
}

let openApiText: string | undefined

function openApiDocument(): string {
  const path = join(packageRoot, 'schema', 'openapi.yaml')
  return (openApiText ??= existsSync(path) ? JSON.stringify(parse(readFileSync(path, 'utf8'))) : '{}')
}
