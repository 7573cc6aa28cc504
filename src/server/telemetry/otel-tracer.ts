/**
 * Spans by OpenTelemetry, sent as OTLP over HTTP in JSON. Loaded only when an endpoint is set. Our own spans and no automatic
 * instrumentation, which costs more than the request.
 */
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer as OtelTracer,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace'
import type { PastWork, SpanAttributes, Tracer, TraceSpan } from '#platform/requests/tracing.js'

export interface TracerOptions {
  /** Where spans are posted, with its path. */
  readonly url: string
  readonly version: string
  /** `OTEL_TRACES_SAMPLER` and its argument. */
  readonly sampler: string
  readonly samplerArgument: number
  /** Milliseconds between two posts. */
  readonly delayMs: number
}

export function createOtelTracer({ url, version, delayMs, ...sampling }: TracerOptions): Tracer {
  const service = resourceFromAttributes({ 'service.name': 'sluice', 'service.version': version })
  const provider = new TracerProvider({
    // What the environment says of the service wins.
    resource: defaultResource()
      .merge(service)
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(sampling),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }), scheduledDelayMillis: delayMs, maxQueueSize: 8_192 }),
    ],
  })
  const tracer = provider.getTracer('sluice', version)
  return {
    request(name, traceparent) {
      const parent = parentOf(traceparent)
      return new RecordedSpan(tracer, tracer.startSpan(name, { kind: SpanKind.SERVER }, parent))
    },
    moment: (name, attributes) => tracer.startSpan(name, { attributes }, ROOT_CONTEXT).end(),
    // A collector that does not answer must not keep the program from its end.
    stop: () => provider.shutdown().catch(() => undefined),
  }
}

function samplerOf({ sampler, samplerArgument }: Pick<TracerOptions, 'sampler' | 'samplerArgument'>): Sampler {
  const name = sampler.replace(/^parentbased_/, '')
  const root = rootSampler(name, samplerArgument)
  return name === sampler ? root : new ParentBasedSampler({ root })
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler()
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler()
}

class RecordedSpan implements TraceSpan {
  readonly #inside: Context

  constructor(
    private readonly tracer: OtelTracer,
    private readonly span: Span,
  ) {
    this.#inside = trace.setSpan(ROOT_CONTEXT, span)
  }

  child(name: string, attributes?: SpanAttributes, kind?: 'client'): TraceSpan {
    const options = {
      kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
      ...(attributes && { attributes }),
    }
    return new RecordedSpan(this.tracer, this.tracer.startSpan(name, options, this.#inside))
  }

  past(name: string, { begunMs, endedMs, failedAs }: PastWork, attributes: SpanAttributes): void {
    const now = Date.now()
    const span = this.tracer.startSpan(name, { attributes, startTime: now - begunMs }, this.#inside)
    if (failedAs !== undefined) new RecordedSpan(this.tracer, span).fail(failedAs)
    span.end(now - endedMs)
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(attributes)
  }

  event(name: string, attributes?: SpanAttributes): void {
    this.span.addEvent(name, attributes)
  }

  fail(type: string): void {
    this.span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR })
  }

  end(): void {
    this.span.end()
  }

  get isRecorded(): boolean {
    return this.span.isRecording()
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.span.spanContext()
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  }
}

const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/

function parentOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true })
}
