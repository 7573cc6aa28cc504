/** One running server: the application behind its HTTP edges, in one of the three modes, from start to an orderly stop. */
import type { Express } from 'express'
import type { Executor } from '@graphql-tools/utils'
import type { GraphQLSchema } from 'graphql'
import { systemClock } from '#platform/clock.js'
import type { RequestContext } from '#platform/requests/context.js'
import { createLog, type Logger } from '#platform/log.js'
import { createMetrics, type Metrics } from '#platform/metrics.js'
import { createContextSource, type ContextSource } from '#platform/requests/request-context.js'
import type { AppError } from '#platform/errors.js'
import { createApp, type App } from '../app/compose.js'
import type { Config } from '../config/config.js'
import { ensureAdministrator } from '../app/first-start.js'
import { allowedOrigins, createCors } from '../edge/cors.js'
import { createEngine, type Engine } from '../graph/execution/engine.js'
import { mergeSchemas } from '../graph/execution/merged-schema.js'
import { createTypedGraph } from '../graph/execution/typed-graph.js'
import { localExecutor } from '../graph/gateway/executors.js'
import { createGatewaySchema } from '../graph/gateway/gateway.js'
import { readApi, readSupergraph } from '../graph/gateway/supergraph.js'
import { createGraphServer } from '../graph/graph-server.js'
import type { HopLimits } from '../graph/gateway/remote-subgraph.js'
import { connectSubgraphs, type RemoteSubgraphs } from '../graph/gateway/remote-subgraphs.js'
import { buildSubgraphSchema, type SubgraphSchema } from '../graph/composition/subgraph-schema.js'
import { startHttpServer } from './http.js'
import { collectWhenIdle } from './idle-collection.js'
import { watchKeys } from '../app/key-watch.js'
import { createGraphBackend } from '../mcp/graph-backend.js'
import { createMcpRouter } from '../mcp/mcp-router.js'
import { createMcpServer } from '../mcp/mcp-server.js'
import { homePage } from '../rest/home/route.js'
import { directRoutes } from '../rest/chat-completions/route.js'
import { opsEndpoints } from '../rest/ops/route.js'
import { createLargeBodies, type LargeBodyLimits } from '../edge/large-bodies.js'
import { createPathHint } from '../rest/path-hints.js'
import { restEndpoints } from '../rest/endpoints.js'
import { createRouter, unknownPath } from '../rest/router.js'
import { scanEndpoints } from '../rest/scan/route.js'
import { packageVersion } from '#platform/package-root.js'
import type { Readiness } from '../app/readiness.js'
import { describeApi, knownRoutes } from './described-api.js'
import { ownSubgraphs, type ServerMode } from './modes.js'
import { welcomeText } from './welcome.js'

export interface RunningServer {
  readonly url: string
  /** What to print: URLs, and on the first start the key with a ready curl. */
  readonly welcome: string
  /** The key that the first start made, null on every other. */
  readonly firstKey: string | null
  readonly app: App
  stop(): Promise<void>
}

export async function startServer(config: Config, mode: ServerMode = { kind: 'serve' }): Promise<RunningServer> {
  const log = createLog({ level: config.log.level })
  const metrics = createMetrics()
  const app = await createApp(config, { log, metrics, work: ownSubgraphs(mode) })
  try {
    const { accounts, keys } = app
    const { starting_credits: startingCredits } = config.server
    const firstKey = await app.oneAtATime(() =>
      ensureAdministrator({ accounts, keys, startingCredits, adminKey: config.adminKey }),
    )
    await app.start()
    const contexts = createContextSource(keys.authenticate, systemClock)
    const edges = await createEdges(config, mode, { app, contexts, log, metrics })
    const http = await startHttpServer({
      host: config.server.host,
      port: config.server.port,
      limits: {
        headerBytes: config.limits.header_bytes,
        headerMs: config.limits.header_seconds * 1000,
        bodyMs: config.limits.body_seconds * 1000,
        keepAliveMs: config.limits.keep_alive_seconds * 1000,
        drainMs: config.limits.drain_seconds * 1000,
        shutdownMs: config.limits.shutdown_seconds * 1000,
      },
      log,
      metrics,
      cors: createCors(edges.allowsOrigin),
      mount: edges.mount,
      direct: edges.direct,
      hint: edges.hint,
      requests: contexts.requests,
      onDrain: () => app.drain(),
    })
    const stopWatchingKeys = watchKeys({ keys, requests: contexts.requests, clock: systemClock })
    const callOffCollection = collectWhenIdle(contexts.requests, systemClock)
    const url = config.server.public_url ?? http.url
    app.servedAt(url)
    return {
      url: http.url,
      welcome: welcomeText({ url, mode, firstKey, isSandboxed: app.isSandboxed }),
      firstKey,
      app,
      async stop() {
        callOffCollection()
        await http.stop()
        stopWatchingKeys()
        await edges.mcp.stop()
        await edges.graph.stop()
        await edges.remotes.close()
        await edges.large.stop()
        await app.stop()
      },
    }
  } catch (error) {
    await app.stop()
    throw error
  }
}

interface EdgeParts {
  readonly app: App
  readonly contexts: ContextSource
  readonly log: Logger
  readonly metrics: Metrics
}

async function createEdges(config: Config, mode: ServerMode, { app, contexts, log, metrics }: EdgeParts) {
  const subgraphs = app.subgraphs.map(buildSubgraphSchema)
  const remotes = connectSubgraphs(mode.kind === 'gateway' ? mode.urls : new Map(), hopLimits(config), systemClock)
  const engine = createModeEngine(mode, subgraphs, remotes)
  const onUnexpected = (error: AppError, requestId: string | undefined) => {
    metrics.unexpectedErrors.inc()
    log.error({ err: error.cause ?? error, requestId }, 'a request failed')
  }
  const large = createLargeBodies(largeBodyLimits(config), systemClock)
  const graph = await createGraphServer({
    engine,
    contexts,
    limits: graphLimits(config, mode),
    body: { maxBytes: graphBodyBytes(config, mode), maxDepth: config.limits.json_depth },
    large,
    pace: { clock: systemClock, stalledMs: config.limits.stalled_reader_seconds * 1000 },
    answers: new Set(app.subgraphs.flatMap(({ answers = [] }) => answers)),
    onUnexpected: (error, context) => onUnexpected(error, context?.requestId),
  })
  const isLocal = mode.kind !== 'gateway'
  const typed = createTypedGraph(engine)
  const edge = {
    graph: typed,
    large,
    largeChats: { admit: app.largeChats.admit, read: isLocal ? app.largeChats.read : null },
    contexts,
    limits: {
      maxBodyBytes: config.limits.body_bytes,
      maxSmallBodyBytes: config.limits.small_body_bytes,
      maxJsonDepth: config.limits.json_depth,
    },
    onUnexpected: (error: AppError, requestId: string | undefined) => onUnexpected(error, requestId),
  }
  const scanEdge = {
    ...edge,
    limits: { ...edge.limits, maxBodyBytes: config.scanner.body_bytes },
    version: packageVersion(),
  }
  const mcpServer = {
    backend: createGraphBackend(typed, app.scans.onProgress),
    version: scanEdge.version,
    languages: app.scans.languages,
    filenameFor: app.scans.filenameFor,
    onUnexpected: (error: AppError) => onUnexpected(error, undefined),
  }
  const allowsOrigin = allowedOrigins({ origins: config.server.cors_origins, host: config.server.host })
  const mcp = createMcpRouter({
    edge: scanEdge,
    clock: systemClock,
    hosts: { host: config.server.host, publicUrl: config.server.public_url ?? null, allowsOrigin },
    events: app.events,
    limits: { sessions: config.limits.mcp_sessions, idleMs: config.limits.mcp_idle_seconds * 1000 },
    createServer: (memory) => createMcpServer(mcpServer, memory),
  })
  const hint = createPathHint(mode.kind === 'subgraph' ? [] : knownRoutes)
  const mount = (http: Express) => {
    if (mode.kind !== 'subgraph') {
      http.use(createRouter(restEndpoints, edge), createRouter(scanEndpoints, scanEdge))
      http.use('/v1', unknownPath(edge, 'openai', hint))
      http.use('/api', unknownPath(scanEdge, 'scanner', hint))
      http.use('/mcp', mcp.router)
    }
    const publicUrl = config.server.public_url ?? null
    http.get('/', homePage(packageVersion(), publicUrl))
    const ops = { ...edge, metrics, readiness: () => readiness(app, remotes), publicUrl, openApi: describeApi }
    http.use(createRouter(opsEndpoints, ops))
    http.use('/graphql', graph.router)
  }
  return {
    graph,
    mcp,
    remotes,
    large,
    mount,
    allowsOrigin,
    hint,
    direct: mode.kind === 'subgraph' ? new Map() : directRoutes(edge),
  }
}

/** The database first: without it no subgraph answers either. */
async function readiness(app: App, remotes: RemoteSubgraphs): Promise<Readiness> {
  const [own, reason] = await Promise.all([app.readiness(), remotes.problem()])
  return own.ok && reason !== null ? { ok: false, reason } : own
}

const largeBodyLimits = ({ limits }: Config): LargeBodyLimits => ({
  fromBytes: limits.large_body_bytes,
  accountBytes: limits.large_body_account_bytes,
  totalBytes: limits.large_body_total_bytes,
  accountWaiting: limits.large_body_account_waiting,
  waitMs: limits.large_body_wait_seconds * 1000,
  maxValues: limits.json_values,
})

/** What a gateway of ours accepted must pass the hop to the process that scans it. */
const graphBodyBytes = ({ limits, scanner }: Config, mode: ServerMode): number =>
  mode.kind === 'subgraph' ? Math.max(limits.body_bytes, scanner.body_bytes) : limits.body_bytes

/** What runs the operations of this process: its own subgraph, all of them merged, or those of other processes stitched. */
function createModeEngine(mode: ServerMode, subgraphs: readonly SubgraphSchema[], remotes: RemoteSubgraphs): Engine {
  if (mode.kind === 'gateway') return createEngine(createGateway(subgraphs, remotes), { compiles: false })
  const own = mode.kind === 'subgraph' ? subgraphs.find(({ name }) => name === mode.name) : null
  return createEngine(own ? own.schema : mergeSchemas(readApi(), subgraphs), { compiles: true })
}

function createGateway(subgraphs: readonly SubgraphSchema[], remotes: RemoteSubgraphs): GraphQLSchema {
  const executors = new Map<string, Executor<RequestContext>>(
    subgraphs.map((subgraph) => [subgraph.name, remotes.executorOf(subgraph.name) ?? localExecutor(subgraph.schema)]),
  )
  return createGatewaySchema({
    supergraphSdl: readSupergraph(),
    executorFor: (name) => executors.get(name) as Executor,
  })
}

const hopLimits = ({ graphql }: Config): HopLimits => ({
  connectMs: graphql.subgraph_connect_seconds * 1000,
  answerMs: graphql.subgraph_answer_seconds * 1000,
  idleMs: graphql.subgraph_idle_seconds * 1000,
  silenceMs: graphql.subgraph_silence_seconds * 1000,
})

function graphLimits({ graphql }: Config, mode: ServerMode) {
  // A router in front asks for many entities in one document and has limits of its own.
  const factor = mode.kind === 'subgraph' ? 10 : 1
  return {
    maxDepth: graphql.max_depth * factor,
    maxAliases: graphql.max_aliases * factor,
    maxDirectives: graphql.max_directives * factor,
    maxTokens: graphql.max_tokens * factor,
    maxCost: graphql.max_cost * factor,
    introspection: graphql.introspection,
  }
}
