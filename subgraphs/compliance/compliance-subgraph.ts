/** The compliance subgraph: scans over the engine, behind one account's limits, kept without their code. */
import 'reflect-metadata'
import type { Registry } from 'prom-client'
import { HOUR_MS, delay, type Clock } from '#platform/clock.js'
import { invalidRequest } from '#platform/errors.js'
import type { Database } from '#platform/database/database.js'
import type { EventBus } from '#platform/events/events.js'
import type { Logger } from '#platform/log.js'
import type { Outbox } from '#platform/events/outbox.js'
import type { Subgraph } from '#platform/subgraph.js'
import { createCodeChecks, type CodeChecks } from './answers/code-check.js'
import { CodeCheckResolver } from './answers/code-check-resolver.js'
import { ChatCompletionStub } from './answers/code-check-type.js'
import { createScanner, filenameFor, languages, selectStandards, type Scanner } from './engine/index.js'
import type { ComplianceOptions } from './compliance-config.js'
import { createComplianceMetrics, type ComplianceMetrics } from './compliance-metrics.js'
import { AccountStub } from './entity-stubs.js'
import type { ScanAccountsPort } from './ports.js'
import { createRateLimits, type RateLimits } from './limits/rate-limits.js'
import { RuleResolver } from './rules/rule-resolver.js'
import { RuleType, ruleType } from './rules/rule-type.js'
import { SCAN_PROGRESS, scanSource } from './scans/scan-progress.js'
import { AccountScansResolver, ScanResolver } from './scans/scan-resolver.js'
import { createScanStore, type ScanStore } from './scans/scan-store.js'
import { ScanType, scanType } from './scans/scan-type.js'
import { createScannerState } from './rules/scanner-state.js'
import { createScans, type Scans } from './scans/scans.js'

export interface ComplianceDependencies {
  readonly database: Database
  readonly outbox: Outbox
  readonly events: EventBus
  readonly clock: Clock
  readonly log: Logger
  readonly registry: Registry
  readonly accounts: ScanAccountsPort
  readonly options: ComplianceOptions
  readonly version: string
  /** Where this server is reached; known once it listens. */
  readonly serverUrl: () => string
}

export interface ComplianceSubgraph extends Subgraph {
  readonly scans: Scans
  readonly checks: CodeChecks
  /** The supported languages. */
  readonly languages: readonly string[]
  /** What a file of this language is called whose sender gave it no name. */
  filenameFor(language: string): string
  /** Calls `listener` after files of the batch that this request scans; the returned function ends that. */
  onProgress(requestId: string, listener: (done: number, total: number) => void): () => void
}

export function createComplianceSubgraph(deps: ComplianceDependencies): ComplianceSubgraph {
  const { database, outbox, events, clock, log, options } = deps
  const { limits } = options
  const metrics = createComplianceMetrics(deps.registry)
  const scanner = measuredScanner(deps, metrics)
  const standards = options.standards === null ? scanner.standards : selectStandards(options.standards, scanner.standards)
  const store = createScanStore(database, outbox)
  const rateLimits = createRateLimits(database, 'scan', options.tiers)
  const onFault = (error: unknown) => log.warn({ err: error }, 'background work of compliance failed')
  const scans = createScans({
    store,
    scanner,
    standards,
    rateLimits,
    accounts: deps.accounts,
    events,
    clock,
    onEnd: metrics.scan,
    maxOpenScans: options.maxOpenScans,
    maxOpenScansOfAccount: options.maxOpenScansOfAccount,
    onFault,
  })
  const answerLimits = createRateLimits(database, 'answers', options.tiers)
  const checks = createCodeChecks({ scanner, standards, rateLimits: answerLimits, accounts: deps.accounts, onFault })
  const state = createScannerState({ scanner, standards, limits, version: deps.version, serverUrl: deps.serverUrl, clock })
  const stopping = new AbortController()

  return {
    name: 'compliance',
    scans,
    checks,
    languages,
    filenameFor,
    onProgress: (requestId, listener) =>
      events.listen(SCAN_PROGRESS, (tick) => {
        if (tick['requestId'] === requestId) listener(Number(tick['done']), Number(tick['total']))
      }),
    resolvers: [new ScanResolver(scans), new AccountScansResolver(scans), new RuleResolver(state), new CodeCheckResolver(checks)],
    orphanedTypes: [ScanType, RuleType, AccountStub, ChatCompletionStub],
    entities: {
      Scan: {
        kind: 'owner',
        async load(references, { principal }) {
          const ids = references.map(({ id }) => id)
          const found = await scans.findMany(ids, principal?.accountId ?? '')
          return found.map((scan) => scan && scanType(scan))
        },
      },
      Rule: {
        kind: 'owner',
        load: async (references) =>
          references.map(({ id }) => {
            const rule = state.rule(id)
            return rule && ruleType(rule)
          }),
      },
      Account: { kind: 'contributor' },
      ChatCompletion: { kind: 'extension', requires: ['texts'], read: readTexts },
    },
    sources: { scanProgress: scanSource(store, outbox) },
    async startWork() {
      // An embedded database has one process: whatever still runs there was left by one that died.
      await store.failAbandoned(database.dialect === 'sqlite' ? clock.now() + 1 : clock.now() - ABANDONED_MS, clock.now())
      void sweep({ store, rateLimits, clock, log, keepMs: options.keepMs, signal: stopping.signal })
    },
    async stop() {
      stopping.abort()
      await scans.stop()
      await scanner.close()
    },
  }
}

function measuredScanner({ clock, options: { analyzers, limits } }: ComplianceDependencies, metrics: ComplianceMetrics): Scanner {
  const size = analyzers === undefined ? {} : { analyzers }
  const scanner = createScanner({ ...size, limits, clock, isShared: true, onFile: metrics.file })
  metrics.watchWaitingFiles(scanner.waitingFiles)
  return scanner
}

/** The texts of a completion come from whoever answers for it; a router sends them along, and so might somebody else. */
function readTexts({ texts }: Readonly<Record<string, unknown>>): object {
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string')) {
    throw invalidRequest('The texts of a chat completion are strings.', 'representations')
  }
  return { texts }
}

const SWEEP_MS = HOUR_MS
/** Far longer than a scan may take. */
const ABANDONED_MS = 2 * HOUR_MS

interface Sweep {
  readonly store: ScanStore
  readonly rateLimits: RateLimits
  readonly clock: Clock
  readonly log: Logger
  readonly keepMs: number
  readonly signal: AbortSignal
}

/** Every hour: forgets old scans and rate windows, and ends those whose process is gone. */
async function sweep({ store, rateLimits, clock, log, keepMs, signal }: Sweep): Promise<void> {
  for (;;) {
    await delay(clock, SWEEP_MS, signal)
    if (signal.aborted) return
    try {
      await store.failAbandoned(clock.now() - ABANDONED_MS, clock.now())
      await store.prune(clock.now() - keepMs)
      await rateLimits.prune(clock.now())
    } catch (error) {
      log.warn({ err: error }, 'old scans could not be removed')
    }
  }
}
