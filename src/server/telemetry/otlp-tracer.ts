/**
 * Spans of OpenTelemetry, sent as OTLP over HTTP. Loaded only when an endpoint is set. Our own spans and our own bytes of them: see
 * decision 0041 for what that costs, and what the libraries for it did.
 */
import { randomFillSync } from 'node:crypto'
import type { PastWork, SpanAttributes, Tracer, TraceSpan } from '#platform/requests/tracing.js'
import { createSpanBatch, SpanKind, type EndedSpan, type SpanEvent, type SpanId, type TraceId } from './otlp-protobuf.js'
import { createSpanSender, type SenderOptions } from './otlp-sender.js'

export interface TracerOptions extends Omit<SenderOptions, 'newBatch'> {
  /** What the spans are of: `service.name` and the like. */
  readonly resource: SpanAttributes
  readonly version: string
  /** Whether a trace that begins here is recorded, by its id. */
  readonly isSampled: (traceId: TraceId) => boolean
  /** Whether the trace of a caller is recorded when, and only when, its caller records it. */
  readonly followsCaller: boolean
}

export function createOtlpTracer({ resource, version, isSampled, followsCaller, ...sending }: TracerOptions): Tracer {
  const sender = createSpanSender({ ...sending, newBatch: () => createSpanBatch(resource, version) })
  const begin = (name: string, kind: SpanKind, traceparent?: string): TraceSpan => {
    const caller = callerOf(traceparent)
    const traceId = caller?.traceId ?? newTraceId()
    const isRecorded = caller && followsCaller ? caller.isSampled : isSampled(traceId)
    const spanId = newSpanId()
    if (!isRecorded) return new UnrecordedSpan(traceparentOf(traceId, spanId, '00'))
    const begunAt = performance.now()
    const trace = { traceId, offsetMs: Date.now() - begunAt, send: sender.add }
    return new RecordedSpan(trace, spanId, caller?.spanId ?? null, name, kind, begunAt)
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
  readonly traceId: TraceId
  /** From the clock that is never set to the wall's, as it was when the trace began: one for all of its spans. */
  readonly offsetMs: number
  readonly send: (span: EndedSpan) => void
}

const microsAt = (trace: Trace, at: number): number => Math.round((trace.offsetMs + at) * 1000)

class RecordedSpan implements TraceSpan, EndedSpan {
  readonly isRecorded = true
  readonly begunMicros: number
  readonly attributes: SpanAttributes[] = []
  readonly events: SpanEvent[] = []
  endedMicros = 0
  isFailed = false

  constructor(
    private readonly trace: Trace,
    readonly spanId: SpanId,
    readonly parentSpanId: SpanId | null,
    readonly name: string,
    readonly kind: SpanKind,
    begunAt: number,
  ) {
    this.begunMicros = microsAt(trace, begunAt)
  }

  get traceId(): TraceId {
    return this.trace.traceId
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
    this.attributes.push(attributes)
  }

  event(name: string, attributes?: SpanAttributes): void {
    this.events.push({ name, atMicros: microsAt(this.trace, performance.now()), attributes })
  }

  fail(type: string): void {
    this.set({ 'error.type': type })
    this.isFailed = true
  }

  end(): void {
    this.#endAt(performance.now())
  }

  get traceparent(): string {
    return traceparentOf(this.traceId, this.spanId, '01')
  }

  #child(name: string, kind: SpanKind, begunAt: number): RecordedSpan {
    return new RecordedSpan(this.trace, newSpanId(), this.spanId, name, kind, begunAt)
  }

  #endAt(at: number): void {
    if (this.endedMicros !== 0) return
    this.endedMicros = microsAt(this.trace, at)
    this.trace.send(this)
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

/** Random words for some hundred ids: asking for a few at a time costs more than they do. */
const pool = new Int32Array(1_024)
let used = pool.length

function newWord(): number {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  return pool[used++]!
}

const newTraceId = (): TraceId => ({ a: newWord(), b: newWord(), c: newWord(), d: newWord() })
const newSpanId = (): SpanId => ({ a: newWord(), b: newWord() })

/** Both ids of a `traceparent` on their way between words and hex. */
const ids = Buffer.alloc(24)

function traceparentOf({ a, b, c, d }: TraceId, spanId: SpanId, flags: string): string {
  ids.writeInt32BE(a, 0)
  ids.writeInt32BE(b, 4)
  ids.writeInt32BE(c, 8)
  ids.writeInt32BE(d, 12)
  ids.writeInt32BE(spanId.a, 16)
  ids.writeInt32BE(spanId.b, 20)
  return `00-${ids.toString('hex', 0, 16)}-${ids.toString('hex', 16)}-${flags}`
}

const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/
/** An id of nothing but zeros is none. */
const NO_ID = /^0+$/

function callerOf(traceparent: string | undefined) {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return null
  if (NO_ID.test(traceId) || NO_ID.test(spanId)) return null
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1
  ids.write(traceId + spanId, 'hex')
  const wordAt = (index: number) => ids.readInt32BE(index * 4)
  return {
    traceId: { a: wordAt(0), b: wordAt(1), c: wordAt(2), d: wordAt(3) },
    spanId: { a: wordAt(4), b: wordAt(5) },
    isSampled,
  }
}
