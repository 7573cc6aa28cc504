/**
 * The composition root: builds the subgraphs over one database and hands each its ports. Every process of an installation
 * builds all of them, so money never crosses a network call of ours; modes differ in what they serve and in which background
 * work they do.
 */
import 'reflect-metadata'
import { oneAtATime } from '#platform/database/one-at-a-time.js'
import { systemClock, type Clock } from '#platform/clock.js'
import type { EventBus } from '#platform/events/events.js'
import type { Logger } from '#platform/log.js'
import type { Metrics } from '#platform/metrics.js'
import type { Tracer } from '#platform/requests/tracing.js'
import type { Subgraph } from '#platform/subgraph.js'
import type { Accounts, ConsolePasses, Keys, Ledger, Reloaded } from '../../subgraphs/accounts/index.js'
import type { ComplianceSubgraph } from '../../subgraphs/compliance/index.js'
import type { Config } from '../config/config.js'
import { createClosing } from './closing.js'
import { openFoundation } from './foundation.js'
import { startHousekeeping } from './housekeeping.js'
import { createReadiness, type Readiness } from './readiness.js'
import { createSettingsInForce } from './settings-in-force.js'
import { openDrivers, openSandbox } from './sandbox.js'
import type { BackgroundWork, SubgraphName } from './subgraph-names.js'
import { buildSubgraphs } from './subgraphs.js'

export interface AppOptions {
  readonly log: Logger
  readonly metrics: Metrics
  /** Nobody traces when left out. */
  readonly tracer?: Tracer | null
  readonly work: BackgroundWork
  readonly clock?: Clock
}

export interface App {
  readonly subgraphs: readonly Subgraph[]
  readonly accounts: Accounts
  readonly keys: Keys
  readonly consolePasses: ConsolePasses
  readonly ledger: Ledger
  /** What the tools for assistants need besides the graph: the languages, and the progress of a request's batch. */
  readonly scans: Pick<ComplianceSubgraph, 'languages' | 'filenameFor' | 'onProgress'>
  /** What a chat request goes through when its body is too large for the event loop. */
  readonly largeChats: ReturnType<typeof buildSubgraphs>['largeChats']
  /** What the processes of an installation tell each other. */
  readonly events: Pick<EventBus, 'publish' | 'listen'>
  /** Runs what only one process of the installation may do at a time. */
  oneAtATime<Result>(work: () => Promise<Result>): Promise<Result>
  /** Tells the app where it is reached, once its server listens. */
  servedAt(url: string): void
  /** Whether the embedded sandbox answers chat requests. */
  readonly isSandboxed: boolean
  /** Reads the configuration again. @throws AppError 400 with the reason; everything is then as it was. */
  reload(): Promise<Reloaded>
  /** Whether requests can be served and their charges written, in less than a second. */
  readiness(): Promise<Readiness>
  start(): Promise<void>
  /** The server takes no more requests and is about to stop. */
  drain(): void
  stop(): Promise<void>
}

/** Connects, migrates or refuses, and builds everything; nothing runs in the background before `start`. */
export async function createApp(config: Config, options: AppOptions): Promise<App> {
  const { log, metrics, tracer = null, work, clock = systemClock } = options
  const closing = createClosing()
  try {
    const foundation = await openFoundation(config, { clock, log, metrics }, closing)
    const { database, events, outbox, ledger, fileOwner } = foundation
    const sandbox = await openSandbox(config, { work, clock, log })
    if (sandbox?.process) closing.add(() => sandbox.process!.stop())
    const inForce = createSettingsInForce(config, { events, log })
    const address = { url: config.server.public_url ?? `http://${config.server.host}:${config.server.port}` }
    const parts = buildSubgraphs(config, {
      ...foundation,
      tracer,
      inForce,
      sandbox: sandbox?.provider ?? null,
      drivers: openDrivers(config, clock, sandbox !== null),
      serverUrl: () => address.url,
    })
    return {
      ...parts,
      ledger,
      events,
      oneAtATime: (work) => oneAtATime(database, work),
      servedAt(url) {
        address.url = url
      },
      isSandboxed: sandbox !== null,
      reload: inForce.reload,
      readiness: createReadiness({ database, ledger, accounts: parts.accounts, keys: parts.keys }),
      async start() {
        for (const subgraph of parts.subgraphs) {
          if (subgraph.stop) closing.add(() => subgraph.stop!())
          await subgraph.start?.()
        }
        fileOwner?.touch()
        for (const subgraph of parts.subgraphs) if (work.has(subgraph.name as SubgraphName)) await subgraph.startWork?.()
        if (work.has('accounts'))
          closing.add(
            startHousekeeping({
              ledger,
              outbox,
              webhooks: parts.webhooks,
              tellLedger: parts.tellLedger,
              storedResponses: parts.storedResponses,
              refusals: parts.refusals,
              clock,
              log,
              metrics,
              sweepMs: config.ledger.sweep_seconds * 1000,
              checkMs: config.ledger.check_seconds * 1000,
              keepDays: () => ({ ledger: inForce.config.ledger.keep_days, usage: inForce.config.usage.keep_days }),
            }),
          )
      },
      drain() {
        for (const subgraph of parts.subgraphs) subgraph.drain?.()
      },
      stop: closing.closeAll,
    }
  } catch (error) {
    await closing.closeAll()
    throw error
  }
}
