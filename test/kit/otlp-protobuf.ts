/**
 * Reads a post of OTLP in protobuf, by the field numbers of its definitions (opentelemetry/proto/collector/trace/v1, trace/v1 and
 * common/v1), into the form that its JSON has. A field that they do not have, or of another type, is an error.
 */
import { PbfReader } from 'pbf'

type Json = Record<string, unknown>
type ReadField = (field: number, into: Json, from: PbfReader) => void

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const nanos = (from: PbfReader): string => {
  const [low, high] = [from.readFixed32(), from.readFixed32()]
  return String((BigInt(high) << 32n) | BigInt(low))
}
const [VARINT, FIXED64, BYTES] = [0, 1, 2]

/** @param fields by number: name, wire type, how it is read, and whether it may come more than once */
const reads =
  (
    fields: Readonly<Record<number, readonly [name: string, type: number, read: (from: PbfReader) => unknown, isList?: true]>>,
  ): ReadField =>
  (field, into, from) => {
    const known = fields[field]
    if (!known) throw new Error(`a field ${field} that the definitions do not have`)
    const [name, type, read, isList] = known
    if (from.type !== type) throw new Error(`${name} of wire type ${from.type}`)
    if (!isList && name in into) throw new Error(`${name} twice`)
    const value = read(from)
    if (isList) into[name] = [...((into[name] as unknown[] | undefined) ?? []), value]
    else into[name] = value
  }

const text = (from: PbfReader) => from.readString()
const inner =
  (read: ReadField, standard: () => Json = () => ({})) =>
  (from: PbfReader) =>
    from.readMessage(read, standard())

const value: ReadField = (...given) =>
  reads({
    1: ['stringValue', BYTES, text],
    2: ['boolValue', VARINT, (from) => from.readBoolean()],
    3: ['intValue', VARINT, (from) => from.readVarint(true)],
    4: ['doubleValue', FIXED64, (from) => from.readDouble()],
    5: ['arrayValue', BYTES, inner(reads({ 1: ['values', BYTES, inner(value), true] }), () => ({ values: [] }))],
  })(...given)
const attribute = inner(reads({ 1: ['key', BYTES, text], 2: ['value', BYTES, inner(value)] }))
const event = inner(
  reads({ 1: ['timeUnixNano', FIXED64, nanos], 2: ['name', BYTES, text], 3: ['attributes', BYTES, attribute, true] }),
)
const span = inner(
  reads({
    1: ['traceId', BYTES, (from) => hex(from.readBytes())],
    2: ['spanId', BYTES, (from) => hex(from.readBytes())],
    4: ['parentSpanId', BYTES, (from) => hex(from.readBytes())],
    5: ['name', BYTES, text],
    6: ['kind', VARINT, (from) => from.readVarint()],
    7: ['startTimeUnixNano', FIXED64, nanos],
    8: ['endTimeUnixNano', FIXED64, nanos],
    9: ['attributes', BYTES, attribute, true],
    11: ['events', BYTES, event, true],
    15: ['status', BYTES, inner(reads({ 2: ['message', BYTES, text], 3: ['code', VARINT, (from) => from.readVarint()] }))],
  }),
  () => ({ attributes: [], events: [] }),
)
const scope = inner(reads({ 1: ['name', BYTES, text], 2: ['version', BYTES, text] }))
const scopeSpans = inner(reads({ 1: ['scope', BYTES, scope], 2: ['spans', BYTES, span, true] }))
const resource = inner(reads({ 1: ['attributes', BYTES, attribute, true] }))
const resourceSpans = inner(reads({ 1: ['resource', BYTES, resource], 2: ['scopeSpans', BYTES, scopeSpans, true] }))

export const readTraces = (body: Uint8Array): Json =>
  new PbfReader(body).readFields(reads({ 1: ['resourceSpans', BYTES, resourceSpans, true] }), {})
