/**
 * Spans as the bytes of OTLP (https://github.com/open-telemetry/opentelemetry-proto, trace/v1 and common/v1), written once, when
 * each ends. Field numbers are those of the definitions.
 */
import { PbfWriter } from 'pbf'
import type { SpanAttributes } from '#platform/requests/tracing.js'

type Value = SpanAttributes[string]

/** An id as it is sent; as it is written in headers elsewhere. */
export type IdBytes = Uint8Array

export const SpanKind = { INTERNAL: 1, SERVER: 2, CLIENT: 3 } as const
export type SpanKind = (typeof SpanKind)[keyof typeof SpanKind]

export interface SpanEvent {
  readonly name: string
  /** Microseconds since the epoch. */
  readonly atMicros: number
  readonly attributes: SpanAttributes | undefined
}

export interface EndedSpan {
  readonly traceId: IdBytes
  readonly spanId: IdBytes
  /** Null for the first of a trace. */
  readonly parentSpanId: IdBytes | null
  readonly name: string
  readonly kind: SpanKind
  /** Microseconds since the epoch. */
  readonly begunMicros: number
  readonly endedMicros: number
  readonly attributes: readonly SpanAttributes[]
  readonly events: readonly SpanEvent[]
  readonly isFailed: boolean
}

const FIXED64 = 1
const STATUS_ERROR = 2
const UINT32 = 2 ** 32

/** Nanoseconds in two halves: as one number they would not be exact. */
function writeNanos(field: number, micros: number, to: PbfWriter): void {
  const high = Math.floor(micros / UINT32)
  const low = (micros - high * UINT32) * 1000
  const carried = Math.floor(low / UINT32)
  to.writeTag(field, FIXED64)
  to.writeFixed32(low - carried * UINT32)
  to.writeFixed32(high * 1000 + carried)
}

const SURROGATE = /[\ud800-\udfff]/

/** `pbf` writes characters of the second plane and others beyond the first wrong: it joins their halves by "or" (5.1.2). */
function writeText(field: number, text: string, to: PbfWriter): void {
  if (SURROGATE.test(text)) to.writeBytesField(field, Buffer.from(text))
  else to.writeStringField(field, text)
}

function writeValue(value: Value, to: PbfWriter): void {
  switch (typeof value) {
    case 'string':
      return writeText(1, value, to)
    case 'boolean':
      return to.writeBooleanField(2, value)
    case 'number':
      if (Number.isSafeInteger(value)) return to.writeVarintField(3, value)
      // What is no number in JSON is none to many who read traces.
      return Number.isFinite(value) ? to.writeDoubleField(4, value) : writeText(1, String(value), to)
    case 'object':
      return to.writeMessage(5, writeValues, value)
  }
}

function writeValues(values: readonly string[], to: PbfWriter): void {
  for (const value of values) to.writeMessage(1, writeValue, value)
}

function writeAttribute({ key, value }: { readonly key: string; readonly value: Value }, to: PbfWriter): void {
  writeText(1, key, to)
  to.writeMessage(2, writeValue, value)
}

function writeAttributes(field: number, attributes: SpanAttributes, to: PbfWriter): void {
  for (const key in attributes) to.writeMessage(field, writeAttribute, { key, value: attributes[key]! })
}

function writeEvent({ name, atMicros, attributes }: SpanEvent, to: PbfWriter): void {
  writeNanos(1, atMicros, to)
  writeText(2, name, to)
  if (attributes) writeAttributes(3, attributes, to)
}

function writeSpan(span: EndedSpan, to: PbfWriter): void {
  to.writeBytesField(1, span.traceId)
  to.writeBytesField(2, span.spanId)
  if (span.parentSpanId) to.writeBytesField(4, span.parentSpanId)
  writeText(5, span.name, to)
  to.writeVarintField(6, span.kind)
  writeNanos(7, span.begunMicros, to)
  writeNanos(8, span.endedMicros, to)
  for (const attributes of span.attributes) writeAttributes(9, attributes, to)
  for (const event of span.events) to.writeMessage(11, writeEvent, event)
  to.writeMessage(15, writeStatus, span.isFailed)
}

function writeStatus(isFailed: boolean, to: PbfWriter): void {
  if (isFailed) to.writeVarintField(3, STATUS_ERROR)
}

/** Spans of one program on their way together. */
export interface SpanBatch {
  readonly count: number
  add(span: EndedSpan): void
  /** The body of a post. */
  finish(): Uint8Array
}

/** Spans are bytes from their end on: as objects they would grow old while they wait, and be collected dearly. */
const FIRST_BYTES = 64 * 1024

export function createSpanBatch(resource: SpanAttributes, version: string): SpanBatch {
  const spans = new PbfWriter(new Uint8Array(FIRST_BYTES))
  let count = 0
  const writeScope = (_: null, to: PbfWriter) => {
    writeText(1, 'sluice', to)
    writeText(2, version, to)
  }
  const writeScopeSpans = (written: Uint8Array, to: PbfWriter) => {
    to.writeMessage(1, writeScope, null)
    to.realloc(written.length)
    to.buf.set(written, to.pos)
    to.pos += written.length
  }
  const writeResourceSpans = (written: Uint8Array, to: PbfWriter) => {
    to.writeMessage(1, (attributes, inner) => writeAttributes(1, attributes, inner), resource)
    to.writeMessage(2, writeScopeSpans, written)
  }
  return {
    get count() {
      return count
    },
    add(span) {
      spans.writeMessage(2, writeSpan, span)
      count++
    },
    finish() {
      const written = spans.finish()
      const body = new PbfWriter(new Uint8Array(written.length + 1_024))
      body.writeMessage(1, writeResourceSpans, written)
      return body.finish()
    },
  }
}
