/** Takes what is posted as OTLP over HTTP, holds it to the form of the protocol, and tells the spans. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { readTraces } from './otlp-protobuf.js'

/** As https://opentelemetry.io/docs/specs/otlp has it: ids in hexadecimal, 64-bit integers as text. */
const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`))
const nanoseconds = z.string().regex(/^\d{16,20}$/)
const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: z.union([z.number(), z.string()]) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ arrayValue: z.looseObject({}) }),
])
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }))
const span = z.looseObject({
  traceId: hex(32),
  spanId: hex(16),
  parentSpanId: hex(16).optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  events: z.array(z.looseObject({ name: z.string(), timeUnixNano: nanoseconds, attributes: attributes.optional() })),
  status: z.looseObject({ code: z.int().optional() }),
})
const posted = z.looseObject({
  resourceSpans: z.array(
    z.looseObject({ resource: z.looseObject({ attributes }), scopeSpans: z.array(z.looseObject({ spans: z.array(span) })) }),
  ),
})

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly attributes: ReadonlyMap<string, unknown>
  readonly events: readonly string[]
  readonly isFailed: boolean
  readonly seconds: number
}

export interface OtlpReceiver extends AsyncDisposable {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly endpoint: string
  /** In the order of their ends. */
  readonly spans: readonly ReceivedSpan[]
  /** What was wrong with a post. */
  readonly faults: readonly string[]
  /** Everything that was posted, as JSON. */
  readonly bodies: readonly string[]
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const faults: string[] = []
  const bodies: string[] = []
  const receive = async (request: IncomingMessage) => {
    let body: object
    try {
      body = readTraces(await buffer(request))
    } catch (error) {
      return void faults.push(String(error))
    }
    bodies.push(JSON.stringify(body))
    if (`${request.method} ${request.url}` !== 'POST /v1/traces') faults.push(`${request.method} ${request.url}`)
    if (request.headers['content-type'] !== 'application/x-protobuf') faults.push(String(request.headers['content-type']))
    const read = posted.safeParse(body)
    if (!read.success) return void faults.push(z.prettifyError(read.error))
    for (const { scopeSpans } of read.data.resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans.map(received))
  }
  const server = createServer((request, response) => {
    void receive(request).then(() => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    faults,
    bodies,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const received = ({
  traceId,
  spanId,
  parentSpanId,
  name,
  attributes: given,
  events,
  status,
  startTimeUnixNano: begun,
  endTimeUnixNano: ended,
}: z.output<typeof span>): ReceivedSpan => ({
  traceId,
  spanId,
  parentSpanId,
  name,
  attributes: new Map(given.map((attribute) => [attribute.key, Object.values(attribute.value)[0]])),
  events: events.map((event) => event.name),
  isFailed: status.code === 2,
  seconds: Number(BigInt(ended) - BigInt(begun)) / 1e9,
})
