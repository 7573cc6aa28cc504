/** The edges of one process over its graph: REST, MCP, the console and /graphql, as far as its mode serves them. */
import { setImmediate as turn } from 'node:timers/promises'
import type { Express } from 'express'
import { systemClock } from '#platform/clock.js'
import type { AppError } from '#platform/errors.js'
import type { Logger } from '#platform/log.js'
import type { Metrics } from '#platform/metrics.js'
import { packageVersion } from '#platform/package-root.js'
import type { ContextSource } from '#platform/requests/request-context.js'
import type { App } from '../../app/compose.js'
import type { Readiness } from '../../app/readiness.js'
import type { Config } from '../../config/config.js'
import { allowedOrigins } from '../../edge/cors.js'
import { createLargeBodies, type LargeBodies } from '../../edge/large-bodies.js'
import type { Engine } from '../../graph/execution/engine.js'
import { createTypedGraph } from '../../graph/execution/typed-graph.js'
import type { RemoteSubgraphs } from '../../graph/gateway/remote/remote-subgraphs.js'
import { createGraphServer } from '../../graph/graph-server.js'
import { createGraphBackend } from '../../mcp/graph-backend.js'
import { createMcpRouter } from '../../mcp/http/mcp-router.js'
import type { createMcpServers } from '../../mcp/mcp-server.js'
import { directRoutes } from '../../rest/chat-completions/route.js'
import { homeAnswer } from '../../rest/console/files.js'
import { restEndpoints } from '../../rest/endpoints.js'
import { opsEndpoints } from '../../rest/ops/route.js'
import { createPathHint } from '../../rest/path-hints.js'
import { createRouter, unknownPath } from '../../rest/router.js'
import { scanEndpoints } from '../../rest/scan/route.js'
import type { Console } from './console.js'
import { describeApi, knownRoutes } from './described-api.js'
import { edgeLimits, graphBodyBytes, graphLimits, largeBodyLimits } from '../limits.js'
import { createModeEngine } from '../mode-engine.js'
import type { ServerMode } from '../modes.js'

export interface EdgeParts {
  readonly app: App
  readonly contexts: ContextSource
  readonly log: Logger
  readonly metrics: Metrics
  readonly webConsole: Console
}

/** What all edges of one process share. */
interface Shared extends EdgeParts {
  readonly config: Config
  readonly mode: ServerMode
  readonly engine: Engine
  readonly large: LargeBodies
  readonly allowsOrigin: ReturnType<typeof allowedOrigins>
  readonly onUnexpected: (error: AppError, requestId: string | undefined) => void
}

export async function createEdges(config: Config, mode: ServerMode, parts: EdgeParts) {
  const { app, log, metrics, webConsole } = parts
  const { engine, remotes } = await createModeEngine(config, mode, app.subgraphs, log)
  const large = createLargeBodies(largeBodyLimits(config), systemClock)
  const allowsOrigin = allowedOrigins({ origins: config.server.cors_origins, host: config.server.host })
  const onUnexpected = (error: AppError, requestId: string | undefined) => {
    metrics.unexpectedErrors.inc()
    log.error({ err: error.cause ?? error, requestId }, 'a request failed')
  }
  const shared: Shared = { ...parts, config, mode, engine, large, allowsOrigin, onUnexpected }
  const graph = await createGraphEdge(shared)
  const edge = restEdge(shared)
  const scanEdge = {
    ...edge,
    limits: { ...edge.limits, maxBodyBytes: config.scanner.body_bytes },
    version: packageVersion(),
  }
  const mcp = createMcpEdge(shared, scanEdge)
  const hint = createPathHint(mode.kind === 'subgraph' ? [] : knownRoutes)
  const publicUrl = config.server.public_url ?? null
  const ops = { ...edge, metrics, readiness: () => readiness(app, remotes), publicUrl, openApi: describeApi }
  const mount = (http: Express) => {
    if (mode.kind !== 'subgraph') {
      http.use(createRouter(restEndpoints, edge), createRouter(scanEndpoints, scanEdge))
      for (const router of webConsole.routers(edge)) http.use(router)
      http.use('/v1', unknownPath(edge, 'openai', hint))
      http.use('/api', unknownPath(scanEdge, 'scanner', hint))
      http.use('/mcp', mcp.router)
    }
    http.get('/', homeAnswer(packageVersion()))
    http.use(createRouter(opsEndpoints, ops))
    http.use('/graphql', graph.router)
  }
  const stop = async () => {
    await mcp.stop()
    await graph.stop()
    await remotes.close()
    await large.stop()
  }
  return { mount, allowsOrigin, hint, direct: mode.kind === 'subgraph' ? new Map() : directRoutes(edge), stop }
}

const createGraphEdge = ({ config, mode, engine, app, webConsole, large, metrics, onUnexpected }: Shared) =>
  createGraphServer({
    engine,
    contexts: webConsole.contexts,
    limits: graphLimits(config, mode),
    body: { maxBytes: graphBodyBytes(config, mode), maxDepth: config.limits.json_depth },
    large,
    pace: { clock: systemClock, stalledMs: config.limits.stalled_reader_seconds * 1000 },
    answers: new Set(app.subgraphs.flatMap(({ answers = [] }) => answers)),
    metrics,
    onUnexpected: (error, context) => onUnexpected(error, context?.trail?.requestId ?? context?.requestId),
  })

const restEdge = ({ config, mode, engine, app, contexts, large, onUnexpected }: Shared) => ({
  graph: createTypedGraph(engine),
  large,
  // A gateway does not read what another process answers.
  largeChats: { admit: app.largeChats.admit, read: mode.kind === 'gateway' ? null : app.largeChats.read },
  contexts,
  limits: edgeLimits(config),
  onUnexpected,
})

function createMcpEdge(
  { config, app, allowsOrigin, onUnexpected }: Shared,
  edge: ReturnType<typeof restEdge> & { readonly version: string },
) {
  const server = {
    backend: createGraphBackend(edge.graph, app.scans.onProgress),
    version: edge.version,
    languages: app.scans.languages,
    filenameFor: app.scans.filenameFor,
    onUnexpected: (error: AppError) => onUnexpected(error, undefined),
  }
  let servers: ReturnType<typeof createMcpServers> | null = null
  return createMcpRouter({
    edge,
    clock: systemClock,
    hosts: { host: config.server.host, publicUrl: config.server.public_url ?? null, allowsOrigin },
    events: app.events,
    limits: { sessions: config.limits.mcp_sessions, idleMs: config.limits.mcp_idle_seconds * 1000 },
    async createServer(memory) {
      const mcp = await import('../../mcp/mcp-server.js')
      if (!servers) await turn()
      servers ??= mcp.createMcpServers(server)
      return servers(memory)
    },
  })
}

/** The database first: without it no subgraph answers either. */
async function readiness(app: App, remotes: RemoteSubgraphs): Promise<Readiness> {
  const [own, reason] = await Promise.all([app.readiness(), remotes.problem()])
  return own.ok && reason !== null ? { ok: false, reason } : own
}
