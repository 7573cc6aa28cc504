/**
 * Spans of OpenTelemetry, sent as OTLP over HTTP. Loaded only when an endpoint is set. Our own spans and our own bytes of them: see
 * decision 0041 for what that costs, and what the libraries for it did.
 */
import { randomFillSync } from 'node:crypto'
import type { PastWork, SpanAttributes, Tracer, TraceSpan } from '#platform/requests/tracing.js'
import { createSpanBatch, SpanKind, type EndedSpan, type IdBytes, type SpanEvent } from './otlp-protobuf.js'
import { createSpanSender, type SenderOptions } from './otlp-sender.js'

export interface TracerOptions extends Omit<SenderOptions, 'newBatch'> {
  /** What the spans are of: `service.name` and the like. */
  readonly resource: SpanAttributes
  readonly version: string
  /** Whether a trace that begins here is recorded, by its id. */
  readonly isSampled: (traceId: string) => boolean
  /** Whether the trace of a caller is recorded when, and only when, its caller records it. */
  readonly followsCaller: boolean
}

export function createOtlpTracer({ resource, version, isSampled, followsCaller, ...sending }: TracerOptions): Tracer {
  const sender = createSpanSender({ ...sending, newBatch: () => createSpanBatch(resource, version) })
  const begin = (name: string, kind: SpanKind, traceparent?: string): TraceSpan => {
    const caller = callerOf(traceparent)
    const traceId = caller?.traceId ?? newId(TRACE_BYTES)
    const isRecorded = caller && followsCaller ? caller.isSampled : isSampled(hexOf(traceId))
    const clock = { wallMs: Date.now(), begunAt: performance.now() }
    const spanId = newId(SPAN_BYTES)
    if (!isRecorded) return new UnrecordedSpan(`00-${hexOf(traceId)}-${hexOf(spanId)}-00`)
    return new RecordedSpan({ traceId, clock, send: sender.add }, spanId, caller?.spanId ?? null, name, kind)
  }
  return {
    request: (name, traceparent) => begin(name, SpanKind.SERVER, traceparent),
    moment(name, attributes) {
      const span = begin(name, SpanKind.INTERNAL)
      span.set(attributes)
      span.end()
    },
    stop: sender.stop,
  }
}

interface Trace {
  readonly traceId: IdBytes
  /** One clock for all of its spans: the wall's time at its beginning, and what has passed since by one that is never set. */
  readonly clock: { readonly wallMs: number; readonly begunAt: number }
  readonly send: (span: EndedSpan) => void
}

const microsAt = ({ wallMs, begunAt }: Trace['clock'], at: number): number => Math.round((wallMs + at - begunAt) * 1000)

class RecordedSpan implements TraceSpan {
  readonly isRecorded = true
  readonly #begunAt: number
  readonly #attributes: SpanAttributes[] = []
  readonly #events: SpanEvent[] = []
  #isFailed = false
  #isEnded = false

  constructor(
    private readonly trace: Trace,
    private readonly spanId: IdBytes,
    private readonly parentSpanId: IdBytes | null,
    private readonly name: string,
    private readonly kind: SpanKind,
    begunAt = performance.now(),
  ) {
    this.#begunAt = begunAt
  }

  child(name: string, attributes?: SpanAttributes, kind?: 'client'): TraceSpan {
    const span = this.#child(name, kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, performance.now())
    if (attributes) span.set(attributes)
    return span
  }

  past(name: string, { begunMs, endedMs, failedAs }: PastWork, attributes: SpanAttributes): void {
    const now = performance.now()
    const span = this.#child(name, SpanKind.INTERNAL, now - begunMs)
    span.set(attributes)
    if (failedAs !== undefined) span.fail(failedAs)
    span.#endAt(now - endedMs)
  }

  set(attributes: SpanAttributes): void {
    this.#attributes.push(attributes)
  }

  event(name: string, attributes?: SpanAttributes): void {
    this.#events.push({ name, atMicros: microsAt(this.trace.clock, performance.now()), attributes })
  }

  fail(type: string): void {
    this.set({ 'error.type': type })
    this.#isFailed = true
  }

  end(): void {
    this.#endAt(performance.now())
  }

  get traceparent(): string {
    return `00-${hexOf(this.trace.traceId)}-${hexOf(this.spanId)}-01`
  }

  #child(name: string, kind: SpanKind, begunAt: number): RecordedSpan {
    return new RecordedSpan(this.trace, newId(SPAN_BYTES), this.spanId, name, kind, begunAt)
  }

  #endAt(at: number): void {
    if (this.#isEnded) return
    this.#isEnded = true
    const { traceId, clock, send } = this.trace
    send({
      traceId,
      spanId: this.spanId,
      parentSpanId: this.parentSpanId,
      name: this.name,
      kind: this.kind,
      begunMicros: microsAt(clock, this.#begunAt),
      endedMicros: microsAt(clock, at),
      attributes: this.#attributes,
      events: this.#events,
      isFailed: this.#isFailed,
    })
  }
}

/** Of a trace that is not among those that are sampled; whoever is called within it is told so. */
class UnrecordedSpan implements TraceSpan {
  readonly isRecorded = false

  constructor(readonly traceparent: string) {}

  child(): TraceSpan {
    return this
  }
  past(): void {
    // Nothing of it is kept.
  }
  set(): void {
    // Nothing of it is kept.
  }
  event(): void {
    // Nothing of it is kept.
  }
  fail(): void {
    // Nothing of it is kept.
  }
  end(): void {
    // Nothing of it is kept.
  }
}

const TRACE_BYTES = 16
const SPAN_BYTES = 8

/** Random bytes for some hundred ids: asking for a few at a time costs more than they do. Each pool lasts as long as its ids. */
const POOL_BYTES = 4_096
let pool = Buffer.alloc(0)
let used = 0

function newId(bytes: number): IdBytes {
  if (used + bytes > pool.length) {
    pool = randomFillSync(Buffer.allocUnsafeSlow(POOL_BYTES))
    used = 0
  }
  used += bytes
  return pool.subarray(used - bytes, used)
}

const hexOf = (id: IdBytes): string => Buffer.from(id.buffer, id.byteOffset, id.byteLength).toString('hex')

const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/
/** An id of nothing but zeros is none. */
const NO_ID = /^0+$/

function callerOf(traceparent: string | undefined) {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return null
  if (NO_ID.test(traceId) || NO_ID.test(spanId)) return null
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1
  return { traceId: Buffer.from(traceId, 'hex'), spanId: Buffer.from(spanId, 'hex'), isSampled }
}
