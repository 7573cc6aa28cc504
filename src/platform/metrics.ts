/** Prometheus metrics: one registry a program, so that two programs in one test process do not add up. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { inBatches } from './metrics/batches.js'
import { createChatMetrics, type ChatMetrics } from './metrics/chat-metrics.js'
import { createGraphMetrics, type GraphMetrics } from './metrics/graph-metrics.js'
import { createLedgerMetrics, type LedgerMetrics } from './metrics/ledger-metrics.js'

export interface Metrics extends ChatMetrics, GraphMetrics, LedgerMetrics {
  readonly registry: Registry
  /** Everything, the process's own figures too, as Prometheus reads it. */
  text(): Promise<string>
  /** One HTTP response, from the arrival of its request. */
  response(response: HttpResponseFacts): void
  /** Where the number of open streams is read when it is asked for. */
  watchOpenStreams(count: () => number): void
  /** Where the state of deployments that had traffic is read when it is asked for. */
  watchDeployments(read: () => readonly DeploymentState[]): void
  readonly ledgerInvariantsBroken: Gauge
  readonly unexpectedErrors: Counter
  /** By `part`: 1 while the database is in trouble. */
  readonly databaseOutage: Gauge
  /** By `part` and `reason`: what the database could not do. */
  readonly databaseFailures: Counter
}

export interface DeploymentState {
  readonly deploymentId: string
  readonly status: string
  /** Its circuit is open: it is asked nothing. */
  readonly isOpen: boolean
}

export interface HttpResponseFacts {
  readonly route: string
  readonly method: string
  readonly status: number
  readonly seconds: number
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

/** Watched once, whatever begins and ends in the process: those watches have no end, and hold on to what they are of. */
let ofProcess: Registry | undefined

function processMetrics(): Registry {
  if (!ofProcess) collectDefaultMetrics({ register: (ofProcess = new Registry()), prefix: 'sluice_' })
  return ofProcess
}

/** @param textOf how everything is told; as it is here when left out */
export function createMetrics(textOf?: (own: readonly Registry[]) => () => Promise<string>): Metrics {
  const registry = new Registry()
  const all = [processMetrics(), registry]
  const registers = [registry]
  const http = httpMetrics(registers)
  return {
    registry,
    text: textOf?.(all) ?? (() => Registry.merge(all).metrics()),
    response: http.add,
    ...createChatMetrics(registry),
    ...createGraphMetrics(registry),
    ...createLedgerMetrics(registry),
    watchOpenStreams: watched(registry, 'sluice_open_streams', 'Chat streams that are being delivered now.'),
    watchDeployments: deploymentGauges(registers),
    ledgerInvariantsBroken: new Gauge({
      name: 'sluice_ledger_invariants_broken',
      help: 'Ledger invariants that did not hold at the last check; anything but 0 is an incident.',
      registers,
      aggregator: 'max',
    }),
    unexpectedErrors: new Counter({
      name: 'sluice_unexpected_errors_total',
      help: 'Faults that callers saw as server_error.',
      registers,
    }),
    databaseOutage: new Gauge({
      name: 'sluice_database_outage',
      help: '1 while the database is in trouble and what needs it is answered with 503, by part: database, ledger.',
      labelNames: ['part'],
      registers,
      aggregator: 'max',
    }),
    databaseFailures: new Counter({
      name: 'sluice_database_failures_total',
      help: 'What the database could not do, by part and by reason: connection, timeout, locked, read_only, full, overloaded.',
      labelNames: ['part', 'reason'],
      registers,
    }),
  }
}

const watched = (registry: Registry, name: string, help: string) => (count: () => number) => {
  const collect = function (this: Gauge) {
    this.set(count())
  }
  registry.registerMetric(new Gauge({ name, help, registers: [], collect }))
}

function httpMetrics(registers: Registry[]) {
  const requests = new Counter({
    name: 'sluice_http_requests_total',
    help: 'HTTP responses by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
    collect: () => responses.flush(),
  })
  const seconds = new Histogram({
    name: 'sluice_http_request_seconds',
    help: 'Seconds from the arrival of a request to the end of its response.',
    labelNames: ['route'],
    buckets: SECONDS,
    registers,
    collect: () => responses.flush(),
  })
  const responses = inBatches<HttpResponseFacts>((items) => {
    const kinds = Map.groupBy(items, ({ route, method, status }) => `${route} ${method} ${status}`)
    for (const alike of kinds.values()) {
      const { route, method, status } = alike[0]!
      requests.inc({ route, method, status }, alike.length)
      for (const { seconds: took } of alike) seconds.observe({ route }, took)
    }
  })
  return responses
}

/** Series of deployments that are gone end with them. */
function deploymentGauges(registers: Registry[]): Metrics['watchDeployments'] {
  let read: () => readonly DeploymentState[] = () => []
  const health = new Gauge({
    name: 'sluice_deployment_health',
    help: '1 for the state that a deployment is in, by what its last calls told: healthy, degraded, down.',
    labelNames: ['deployment', 'status'],
    registers,
    aggregator: 'max',
    collect() {
      health.reset()
      for (const { deploymentId, status } of read()) health.set({ deployment: deploymentId, status }, 1)
    },
  })
  const circuit = new Gauge({
    name: 'sluice_circuit_open',
    help: '1 while a deployment that kept failing is asked nothing.',
    labelNames: ['deployment'],
    registers,
    aggregator: 'max',
    collect() {
      circuit.reset()
      for (const { deploymentId, isOpen } of read()) circuit.set({ deployment: deploymentId }, isOpen ? 1 : 0)
    },
  })
  return (from) => {
    read = from
  }
}
