/** Prometheus metrics: one registry a program, so that two programs in one test process do not add up. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { TokenBuckets } from './money.js'

export interface Metrics {
  readonly registry: Registry
  /** One HTTP response, from the arrival of its request. */
  response(response: HttpResponseFacts): void
  /** What one chat request was billed. */
  charge(tokens: TokenBuckets, usd: number): void
  /** Where the number of open streams is read when it is asked for. */
  watchOpenStreams(count: () => number): void
  /** Where the number of settlements that wait for the database is read when it is asked for. */
  watchUnsettledOutcomes(count: () => number): void
  readonly ledgerInvariantsBroken: Gauge
  readonly unexpectedErrors: Counter
  /** By `part`: 1 while the database is in trouble. */
  readonly databaseOutage: Gauge
  /** By `part` and `reason`: what the database could not do. */
  readonly databaseFailures: Counter
}

export interface HttpResponseFacts {
  readonly route: string
  readonly method: string
  readonly status: number
  readonly seconds: number
}

/** Observations that wait for each other. */
const BATCH = 256

/**
 * Labels are looked up by text, which is slow for one request in between and quick for many in a row: observations wait until
 * there are enough, or until the figures are asked for.
 */
function inBatches<T>(record: (items: readonly T[]) => void): { add: (item: T) => void; flush: () => void } {
  let waiting: T[] = []
  const flush = () => {
    const items = waiting
    waiting = []
    record(items)
  }
  return {
    add(item) {
      if (waiting.push(item) >= BATCH) flush()
    },
    flush,
  }
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'sluice_' })
  const registers = [registry]
  const http = httpMetrics(registers)
  const chat = chatMetrics(registers)
  return {
    registry,
    response: http.add,
    charge: (tokens, usd) => chat.add({ tokens, usd }),
    watchOpenStreams: watched(registry, 'sluice_open_streams', 'Chat streams that are being delivered now.'),
    watchUnsettledOutcomes: watched(
      registry,
      'sluice_ledger_unsettled_outcomes',
      'Settlements and releases that the database has not taken and that are repeated until it does.',
    ),
    ledgerInvariantsBroken: new Gauge({
      name: 'sluice_ledger_invariants_broken',
      help: 'Ledger invariants that did not hold at the last check; anything but 0 is an incident.',
      registers,
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

function chatMetrics(registers: Registry[]) {
  const kinds = new Counter({
    name: 'sluice_chat_tokens_total',
    help: 'Tokens billed, by kind: input, cached_input, output.',
    labelNames: ['kind'],
    registers,
    collect: () => charges.flush(),
  })
  const dollars = new Counter({
    name: 'sluice_charged_usd_total',
    help: 'US dollars charged for chat.',
    registers,
    collect: () => charges.flush(),
  })
  const charges = inBatches<{ readonly tokens: TokenBuckets; readonly usd: number }>((items) => {
    const sum = (figure: (item: (typeof items)[number]) => number) => items.reduce((total, item) => total + figure(item), 0)
    kinds.inc(
      { kind: 'input' },
      sum(({ tokens }) => tokens.input),
    )
    kinds.inc(
      { kind: 'cached_input' },
      sum(({ tokens }) => tokens.cachedInput),
    )
    kinds.inc(
      { kind: 'output' },
      sum(({ tokens }) => tokens.output),
    )
    dollars.inc(sum(({ usd }) => usd))
  })
  return charges
}
