/** One running server: the application behind its HTTP edges, in one of the three modes, from start to an orderly stop. */
import { systemClock } from '#platform/clock.js'
import type { Registry } from 'prom-client'
import { createLog, standardError, type DestinationStream } from '#platform/log.js'
import { createMetrics } from '#platform/metrics.js'
import { createContextSource } from '#platform/requests/request-context.js'
import { createApp, type App } from '../app/compose.js'
import { ensureAdministrator } from '../app/first-start.js'
import { watchKeys } from '../app/key-watch.js'
import type { Config } from '../config/config.js'
import { createCors } from '../edge/cors.js'
import { createRouteName } from '../rest/route-name.js'
import { createAccessLog } from './http/access-log.js'
import { createConsole, startCode } from './http/console.js'
import { knownRoutes } from './http/described-api.js'
import { createEdges } from './http/edges.js'
import type { OpenRequests } from '#platform/requests/open-requests.js'
import { startHttpServer } from './http/http.js'
import { httpLimits } from './limits.js'
import { ownSubgraphs, type ServerMode } from './modes.js'
import { openTracer } from './telemetry/tracer.js'
import { welcomeText } from './welcome.js'

export interface RunningServer {
  readonly url: string
  /** What to print: URLs, and on the first start the key with a ready curl. */
  readonly welcome: string
  /** The key that the first start made, null on every other. */
  readonly firstKey: string | null
  readonly app: App
  /** Those that are answered now. */
  readonly requests: Pick<OpenRequests, 'size' | 'opened'>
  stop(): Promise<void>
}

export interface StartOptions {
  /** Whether what is printed is read at a terminal, and so nobody else's to keep. */
  readonly isAtTerminal?: boolean
  /** Where several servers are one to whoever scrapes them: how their metrics are told together. */
  readonly metricsOfAll?: (own: readonly Registry[]) => () => Promise<string>
  /** Takes the lines of the log; standard error when left out. */
  readonly logTo?: DestinationStream
}

export async function startServer(
  config: Config,
  mode: ServerMode = { kind: 'serve' },
  { isAtTerminal = false, logTo: destination = standardError(), metricsOfAll }: StartOptions = {},
): Promise<RunningServer> {
  const log = createLog({ level: config.log.level, destination })
  const metrics = createMetrics(metricsOfAll)
  const tracer = await openTracer(config.environment, log)
  const app = await createApp(config, { log, metrics, tracer, work: ownSubgraphs(mode) })
  try {
    const { accounts, keys } = app
    const { starting_credits: startingCredits } = config.server
    const firstKey = await app.oneAtATime(() =>
      ensureAdministrator({ accounts, keys, startingCredits, adminKey: config.adminKey }),
    )
    await app.start()
    const contexts = createContextSource({ authenticate: keys.authenticate, clock: systemClock })
    const webConsole = createConsole(app, contexts, config)
    const edges = await createEdges(config, mode, { app, contexts, log, metrics, webConsole })
    const accessLog = config.log.access ? createAccessLog(log, (text) => destination.write(text), systemClock.now) : null
    const http = await startHttpServer({
      host: config.server.host,
      port: config.server.port,
      limits: httpLimits(config),
      log,
      metrics,
      accessLog,
      tracer,
      cors: createCors(edges.allowsOrigin),
      mount: edges.mount,
      direct: edges.direct,
      hint: edges.hint,
      routeName: createRouteName(knownRoutes),
      requests: contexts.requests,
      onDrain: () => app.drain(),
    })
    const stopWatchingKeys = watchKeys({ keys, requests: contexts.requests, clock: systemClock })
    const url = config.server.public_url ?? http.url
    app.servedAt(url)
    // A log is kept and read by others; it holds a code only where it holds the first key as well.
    const code = mode.kind !== 'subgraph' && (isAtTerminal || firstKey !== null) ? await startCode(app) : null
    return {
      url: http.url,
      welcome: welcomeText({ url, mode, firstKey, code, isSandboxed: app.isSandboxed }),
      firstKey,
      app,
      requests: contexts.requests,
      async stop() {
        await http.stop()
        stopWatchingKeys()
        await edges.stop()
        await app.stop()
        accessLog?.flush()
        await tracer?.stop()
      },
    }
  } catch (error) {
    await app.stop()
    throw error
  }
}
