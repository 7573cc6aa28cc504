/**
 * Spans as the text of OTLP/JSON (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). Each is written once, when it
 * ends, from values of ours: trees of objects that are turned into text later cost several times as much.
 */
import type { SpanAttributes } from '#platform/requests/tracing.js'

type Value = SpanAttributes[string]

/** Keys are names of our own, so nothing in them needs escaping. */
const attributeText = (key: string, value: Value): string => `{"key":"${key}","value":${valueText(value)}}`

function valueText(value: Value): string {
  switch (typeof value) {
    case 'string':
      return `{"stringValue":${JSON.stringify(value)}}`
    case 'boolean':
      return `{"boolValue":${value}}`
    case 'number':
      if (Number.isSafeInteger(value)) return `{"intValue":${value}}`
      // What JSON has no number for is no figure either.
      return Number.isFinite(value) ? `{"doubleValue":${value}}` : `{"stringValue":"${value}"}`
    case 'object':
      return `{"arrayValue":{"values":[${value.map(valueText).join(',')}]}}`
  }
}

/** Without the brackets around them. */
export function attributesText(attributes: SpanAttributes | undefined): string {
  let text = ''
  for (const key in attributes) {
    if (text !== '') text += ','
    text += attributeText(key, attributes[key]!)
  }
  return text
}

export const eventText = (name: string, atNano: string, attributes: SpanAttributes | undefined): string =>
  `{"name":"${name}","timeUnixNano":"${atNano}","attributes":[${attributesText(attributes)}]}`

export const SpanKind = { INTERNAL: 1, SERVER: 2, CLIENT: 3 } as const
export type SpanKind = (typeof SpanKind)[keyof typeof SpanKind]

export interface EndedSpan {
  readonly traceId: string
  readonly spanId: string
  /** Empty for the first of a trace. */
  readonly parentSpanId: string
  readonly name: string
  readonly kind: SpanKind
  readonly begunNano: string
  readonly endedNano: string
  /** As `attributesText` and `eventText` write them, with commas between. */
  readonly attributes: string
  readonly events: string
  readonly isFailed: boolean
}

export function spanText(span: EndedSpan): string {
  const parent = span.parentSpanId === '' ? '' : `"parentSpanId":"${span.parentSpanId}",`
  return (
    `{"traceId":"${span.traceId}","spanId":"${span.spanId}",${parent}"name":${JSON.stringify(span.name)},"kind":${span.kind},` +
    `"startTimeUnixNano":"${span.begunNano}","endTimeUnixNano":"${span.endedNano}","attributes":[${span.attributes}],` +
    `"events":[${span.events}],"status":{${span.isFailed ? '"code":2' : ''}}}`
  )
}

/** What stands around the spans of a post. */
export function envelope(resource: SpanAttributes, version: string): { readonly head: string; readonly tail: string } {
  return {
    head: `{"resourceSpans":[{"resource":{"attributes":[${attributesText(resource)}]},"scopeSpans":[{"scope":{"name":"sluice","version":${JSON.stringify(version)}},"spans":[`,
    tail: ']}]}]}',
  }
}
