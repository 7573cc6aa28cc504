/** The tracer that the environment asks for; OpenTelemetry is not even loaded when it asks for none. */
import { packageVersion } from '#platform/package-root.js'
import type { Tracer } from '#platform/requests/tracing.js'
import { ConfigError } from '../../config/config-error.js'

const SAMPLERS = ['always_on', 'always_off', 'traceidratio']

/** @throws ConfigError for a value that cannot be meant */
export async function openTracer(environment: ReadonlyMap<string, string>): Promise<Tracer | null> {
  const url = endpointOf(environment)
  const isOff = environment.get('OTEL_SDK_DISABLED') === 'true' || environment.get('OTEL_TRACES_EXPORTER') === 'none'
  if (url === null || isOff) return null
  const sampler = environment.get('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on'
  if (!SAMPLERS.includes(sampler.replace(/^parentbased_/, ''))) {
    throw new ConfigError(`OTEL_TRACES_SAMPLER is one of ${SAMPLERS.join(', ')}, or parentbased_ before one of them.`)
  }
  const samplerArgument = Number(environment.get('OTEL_TRACES_SAMPLER_ARG') ?? 1)
  if (!(samplerArgument >= 0 && samplerArgument <= 1)) throw new ConfigError('OTEL_TRACES_SAMPLER_ARG is a number from 0 to 1.')
  const delayMs = Number(environment.get('OTEL_BSP_SCHEDULE_DELAY') ?? 5_000)
  if (!(delayMs > 0)) throw new ConfigError('OTEL_BSP_SCHEDULE_DELAY is a number of milliseconds.')
  const { createOtelTracer } = await import('./otel-tracer.js')
  return createOtelTracer({ url, version: packageVersion(), sampler, samplerArgument, delayMs })
}

function endpointOf(environment: ReadonlyMap<string, string>): string | null {
  const traces = environment.get('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  const base = environment.get('OTEL_EXPORTER_OTLP_ENDPOINT')
  const url = traces ?? (base === undefined ? null : `${base.replace(/\/+$/, '')}/v1/traces`)
  if (url !== null && !URL.canParse(url))
    throw new ConfigError('OTEL_EXPORTER_OTLP_ENDPOINT is an address such as http://127.0.0.1:4318.')
  return url
}
