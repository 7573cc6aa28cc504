/** What operators and probes ask: /healthz, /readyz, /metrics and /openapi.json. */
import { requireScope } from '#platform/requests/context.js'
import type { Metrics } from '#platform/metrics.js'
import { openAiError, sendJson } from '../../edge/responses.js'
import { route, type Doorway } from '../../edge/route.js'
import type { RestEndpoint } from '../rest-endpoint.js'
import * as output from './output.js'

export interface OpsEdge extends Doorway {
  readonly metrics: Metrics
  /** Whether requests can be served, and in words why not. */
  readonly readiness: () => Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: string }>
  /** Where callers reach this server, when the configuration says so. */
  readonly publicUrl: string | null
  /** The description of the REST API, made when it is first asked for. */
  readonly openApi: () => Promise<object>
}

const common = { method: 'get', faultShape: 'openai', tag: 'operations', input: {} } as const

const readLiveness: RestEndpoint<OpsEdge> = {
  ...common,
  path: '/healthz',
  access: 'probe',
  operationId: 'readLiveness',
  summary: 'Whether the process answers.',
  answers: { 200: { description: 'It does.', body: output.liveness } },
  listen: () => (_request, response) => sendJson(response, 200, { status: 'ok' }),
}

const readReadiness: RestEndpoint<OpsEdge> = {
  ...common,
  path: '/readyz',
  access: 'probe',
  operationId: 'readReadiness',
  summary: 'Whether requests can be served and their charges written; answers within a second.',
  answers: {
    200: { description: 'It can.', body: output.readiness },
    503: { description: 'It cannot now.', body: output.readiness },
  },
  listen:
    ({ readiness }) =>
    async (_request, response) => {
      const state = await readiness()
      if (state.ok) sendJson(response, 200, { status: 'ready' })
      else sendJson(response, 503, { status: 'not_ready', reason: state.reason })
    },
}

/** Numbers about all accounts: for a scraper with a key of its own, which needs no other scope, and for administrators. */
const readMetrics: RestEndpoint<OpsEdge> = {
  ...common,
  path: '/metrics',
  access: 'key',
  operationId: 'readMetrics',
  summary: "Prometheus metrics, for keys with the scope metrics and administrators' keys.",
  answers: { 200: { description: 'The metrics.', content: { 'text/plain': { schema: output.metricsText } } } },
  faults: [403],
  listen: (edge) =>
    route(edge, openAiError, async (_request, response, context) => {
      requireScope(context, 'metrics')
      const { registry, text } = edge.metrics
      response.setHeader('content-type', registry.contentType)
      response.end(await text())
    }),
}

const readOpenApi: RestEndpoint<OpsEdge> = {
  ...common,
  path: '/openapi.json',
  access: 'probe',
  operationId: 'readOpenApi',
  summary: 'This description.',
  answers: { 200: { description: 'This description.', body: output.description } },
  listen({ openApi, publicUrl }) {
    let text: Promise<string> | undefined
    return async ({ headers }, response) => {
      text ??= openApi().then((document) => JSON.stringify({ ...document, servers: [{ url: SERVER_URL }] }))
      const url = publicUrl ?? askedServer(headers.host)
      sendJson(
        response,
        200,
        (await text).replace(SERVER_URL, () => url),
      )
    }
  },
}

export const opsEndpoints = [readLiveness, readReadiness, readMetrics, readOpenApi]

const SERVER_URL = '{server}'
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/** The server by the name that it was asked under; relative to the document when that is no name. */
const askedServer = (host = ''): string => (HOST.test(host) ? `http://${host}` : '/')
