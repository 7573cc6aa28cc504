/** Prometheus metrics: one registry a program, so that two programs in one test process do not add up. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  readonly registry: Registry
  readonly httpRequests: Counter<'route' | 'method' | 'status'>
  readonly httpSeconds: Histogram<'route'>
  /** Where the number of open streams is read when it is asked for. */
  watchOpenStreams(count: () => number): void
  readonly chatTokens: Counter<'kind'>
  readonly chargedUsd: Counter
  readonly ledgerInvariantsBroken: Gauge
  readonly unexpectedErrors: Counter
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'sluice_' })
  const registers = [registry]
  return {
    registry,
    httpRequests: new Counter({
      name: 'sluice_http_requests_total',
      help: 'HTTP responses by route, method and status.',
      labelNames: ['route', 'method', 'status'],
      registers,
    }),
    httpSeconds: new Histogram({
      name: 'sluice_http_request_seconds',
      help: 'Seconds from the arrival of a request to the end of its response.',
      labelNames: ['route'],
      buckets: SECONDS,
      registers,
    }),
    watchOpenStreams(count) {
      const collect = function (this: Gauge) {
        this.set(count())
      }
      const help = 'Chat streams that are being delivered now.'
      registry.registerMetric(new Gauge({ name: 'sluice_open_streams', help, registers: [], collect }))
    },
    chatTokens: new Counter({
      name: 'sluice_chat_tokens_total',
      help: 'Tokens billed, by kind: input, cached_input, output.',
      labelNames: ['kind'],
      registers,
    }),
    chargedUsd: new Counter({ name: 'sluice_charged_usd_total', help: 'US dollars charged for chat.', registers }),
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
  }
}
