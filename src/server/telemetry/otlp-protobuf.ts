/**
 * Spans as the bytes of OTLP (https://github.com/open-telemetry/opentelemetry-proto, trace/v1 and common/v1), written once, when
 * each ends. Field numbers are those of the definitions.
 */
import type { SpanAttributes } from '#platform/requests/tracing.js'
import { ProtobufWriter } from './protobuf-writer.js'

type Value = SpanAttributes[string]

/** Ids as 32-bit words, the first byte of each its highest; random, so of either sign. */
export interface TraceId {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly d: number
}
export interface SpanId {
  readonly a: number
  readonly b: number
}

export const SpanKind = { INTERNAL: 1, SERVER: 2, CLIENT: 3 } as const
export type SpanKind = (typeof SpanKind)[keyof typeof SpanKind]

export interface SpanEvent {
  readonly name: string
  /** Microseconds since the epoch. */
  readonly atMicros: number
  readonly attributes: SpanAttributes | undefined
}

export interface EndedSpan {
  readonly traceId: TraceId
  readonly spanId: SpanId
  /** Null for the first of a trace. */
  readonly parentSpanId: SpanId | null
  readonly name: string
  readonly kind: SpanKind
  /** Microseconds since the epoch. */
  readonly begunMicros: number
  readonly endedMicros: number
  readonly attributes: readonly SpanAttributes[]
  readonly events: readonly SpanEvent[]
  readonly isFailed: boolean
}

const STATUS_ERROR = 2
const UINT32 = 2 ** 32

/** Nanoseconds in two halves: as one number they would not be exact. */
function writeNanos(field: number, micros: number, to: ProtobufWriter): void {
  const high = Math.floor(micros / UINT32)
  const low = (micros - high * UINT32) * 1000
  const carried = Math.floor(low / UINT32)
  to.fixed64(field, low - carried * UINT32, high * 1000 + carried)
}

function writeValue(field: number, value: Value, to: ProtobufWriter): void {
  const begun = to.begin(field)
  switch (typeof value) {
    case 'string':
      to.text(1, value)
      break
    case 'boolean':
      to.bool(2, value)
      break
    case 'number':
      if (Number.isSafeInteger(value)) to.int(3, value)
      else if (Number.isFinite(value)) to.double(4, value)
      // What is no number in JSON is none to many who read traces.
      else to.text(1, String(value))
      break
    case 'object': {
      const list = to.begin(5)
      for (const item of value) writeValue(1, item, to)
      to.end(list)
    }
  }
  to.end(begun)
}

function writeAttributes(field: number, attributes: SpanAttributes, to: ProtobufWriter): void {
  for (const key in attributes) {
    const begun = to.begin(field)
    to.text(1, key)
    writeValue(2, attributes[key]!, to)
    to.end(begun)
  }
}

function writeEvent({ name, atMicros, attributes }: SpanEvent, to: ProtobufWriter): void {
  const begun = to.begin(11)
  writeNanos(1, atMicros, to)
  to.text(2, name)
  if (attributes) writeAttributes(3, attributes, to)
  to.end(begun)
}

/** Of most spans. */
const SPAN_LENGTH_BYTES = 2

function writeSpan(span: EndedSpan, to: ProtobufWriter): void {
  const begun = to.begin(2, SPAN_LENGTH_BYTES)
  const { traceId, spanId, parentSpanId } = span
  to.words(1, traceId.a, traceId.b, traceId.c, traceId.d)
  to.words(2, spanId.a, spanId.b)
  if (parentSpanId) to.words(4, parentSpanId.a, parentSpanId.b)
  to.text(5, span.name)
  to.int(6, span.kind)
  writeNanos(7, span.begunMicros, to)
  writeNanos(8, span.endedMicros, to)
  for (const attributes of span.attributes) writeAttributes(9, attributes, to)
  for (const event of span.events) writeEvent(event, to)
  const status = to.begin(15)
  if (span.isFailed) to.int(3, STATUS_ERROR)
  to.end(status)
  to.end(begun, SPAN_LENGTH_BYTES)
}

/** Spans of one program on their way together. */
export interface SpanBatch {
  readonly count: number
  /** Whether they fill a post. */
  readonly isFull: boolean
  add(span: EndedSpan): void
  /** The body of a post; its bytes last until the batch is emptied. */
  finish(): Uint8Array
  /** Begins it anew, in the same memory. */
  empty(): void
}

/** Spans are bytes from their end on: as objects they would grow old while they wait, and be collected dearly. */
const FULL_BYTES = 224 * 1024
const FIRST_BYTES = 256 * 1024
/** Of what is as long as a full batch. */
const BATCH_LENGTH_BYTES = 3

export function createSpanBatch(resource: SpanAttributes, version: string): SpanBatch {
  const writer = new ProtobufWriter(FIRST_BYTES)
  let count = 0
  let resourceSpans = 0
  let scopeSpans = 0
  const batch: SpanBatch = {
    get count() {
      return count
    },
    get isFull() {
      return writer.length >= FULL_BYTES
    },
    add(span) {
      writeSpan(span, writer)
      count++
    },
    finish() {
      writer.end(scopeSpans, BATCH_LENGTH_BYTES)
      writer.end(resourceSpans, BATCH_LENGTH_BYTES)
      return writer.written()
    },
    empty() {
      count = 0
      writer.reset()
      resourceSpans = writer.begin(1, BATCH_LENGTH_BYTES)
      const about = writer.begin(1)
      writeAttributes(1, resource, writer)
      writer.end(about)
      scopeSpans = writer.begin(2, BATCH_LENGTH_BYTES)
      const scope = writer.begin(1)
      writer.text(1, 'sluice')
      writer.text(2, version)
      writer.end(scope)
    },
  }
  batch.empty()
  return batch
}
