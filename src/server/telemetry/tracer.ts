/** The tracer that the environment asks for; nothing of it is even loaded when it asks for none. */
import { packageVersion } from '#platform/package-root.js'
import type { Logger } from '#platform/log.js'
import type { SpanAttributes, Tracer } from '#platform/requests/tracing.js'
import { ConfigError } from '../../config/config-error.js'
import type { TraceId } from './otlp-protobuf.js'

type Environment = ReadonlyMap<string, string>

/** @throws ConfigError for a value that cannot be meant */
export async function openTracer(environment: Environment, log: Logger): Promise<Tracer | null> {
  const url = endpointOf(environment)
  const isOff = environment.get('OTEL_SDK_DISABLED') === 'true' || environment.get('OTEL_TRACES_EXPORTER') === 'none'
  if (url === null || isOff) return null
  const options = {
    url,
    version: packageVersion(),
    log,
    resource: resourceOf(environment),
    headers: {
      ...pairsOf(environment, 'OTEL_EXPORTER_OTLP_HEADERS'),
      ...pairsOf(environment, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
    },
    delayMs: millisecondsOf(environment, 'OTEL_BSP_SCHEDULE_DELAY', 5_000),
    timeoutMs: millisecondsOf(environment, 'OTEL_EXPORTER_OTLP_TIMEOUT', 10_000),
    ...samplingOf(environment),
  }
  const { createOtlpTracer } = await import('./otlp-tracer.js')
  return createOtlpTracer(options)
}

function endpointOf(environment: Environment): string | null {
  const traces = environment.get('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  const base = environment.get('OTEL_EXPORTER_OTLP_ENDPOINT')
  const url = traces ?? (base === undefined ? null : `${base.replace(/\/+$/, '')}/v1/traces`)
  if (url !== null && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new ConfigError('OTEL_EXPORTER_OTLP_ENDPOINT is an address such as http://127.0.0.1:4318.')
  return url
}

function millisecondsOf(environment: Environment, name: string, standard: number): number {
  const value = Number(environment.get(name) ?? standard)
  if (!(value > 0)) throw new ConfigError(`${name} is a number of milliseconds.`)
  return value
}

/** `name=value,name=value`, values in the encoding of addresses. */
function pairsOf(environment: Environment, variable: string): Record<string, string> {
  const pairs = (environment.get(variable) ?? '').split(',').filter((pair) => pair.trim() !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new ConfigError(`${variable} is a list such as name=value,other=value.`)
      return [pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim(), variable)]
    }),
  )
}

function decoded(value: string, variable: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    throw new ConfigError(`${variable} has a value with a "%" that is no encoding.`)
  }
}

/** What the environment says of the service wins. */
function resourceOf(environment: Environment): SpanAttributes {
  const name = environment.get('OTEL_SERVICE_NAME')
  const given = pairsOf(environment, 'OTEL_RESOURCE_ATTRIBUTES')
  for (const key of Object.keys(given))
    if (!/^[\w.\-/]+$/.test(key)) throw new ConfigError('OTEL_RESOURCE_ATTRIBUTES has a name that is none.')
  return {
    'service.name': 'sluice',
    'service.version': packageVersion(),
    'telemetry.sdk.language': 'nodejs',
    'telemetry.sdk.name': 'sluice',
    'telemetry.sdk.version': packageVersion(),
    ...given,
    ...(name !== undefined && { 'service.name': name }),
  }
}

const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const

function samplingOf(environment: Environment) {
  const asked = environment.get('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on'
  const root = SAMPLERS.find((name) => name === asked.replace(/^parentbased_/, ''))
  if (root === undefined) {
    throw new ConfigError(`OTEL_TRACES_SAMPLER is one of ${SAMPLERS.join(', ')}, or parentbased_ before one of them.`)
  }
  const ratio = Number(environment.get('OTEL_TRACES_SAMPLER_ARG') ?? 1)
  if (!(ratio >= 0 && ratio <= 1)) throw new ConfigError('OTEL_TRACES_SAMPLER_ARG is a number from 0 to 1.')
  const share = root === 'traceidratio' ? ratio : root === 'always_on' ? 1 : 0
  return { isSampled: (traceId: TraceId) => shareOf(traceId) < share, followsCaller: asked.startsWith('parentbased_') }
}

/** From 0 to 1, the same in every process: by the end of the id, which is random in every version of the standard. */
const shareOf = (traceId: TraceId): number => (traceId.d >>> 0) / 2 ** 32
