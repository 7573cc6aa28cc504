/** What is sent to a collector: any text arrives as it was, traces are sampled as the environment says, and no collector holds anything up. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { createLog } from '#platform/log.js'
import type { Tracer } from '#platform/requests/tracing.js'
import { openTracer } from '../../src/server/telemetry/tracer.js'
import { readTraces } from '../kit/otlp-protobuf.js'
import { startOtlpReceiver, type OtlpReceiver } from '../kit/otlp-receiver.js'

const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

const logged: string[] = []
const log = createLog({ level: 'warn', destination: { write: (line: string) => void logged.push(line) } })
const TRACE = 'ab'.repeat(16)
const CALLER = 'cd'.repeat(8)

async function tracerFor(endpoint: string, more: Record<string, string> = {}): Promise<Tracer> {
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: '10', ...more }
  const tracer = (await openTracer(new Map(Object.entries(environment)), log))!
  opened.push(() => tracer.stop())
  return tracer
}

async function receiving(more: Record<string, string> = {}): Promise<{ tracer: Tracer; receiver: OtlpReceiver }> {
  const receiver = await startOtlpReceiver()
  opened.push(() => receiver[Symbol.asyncDispose]())
  return { receiver, tracer: await tracerFor(receiver.endpoint, more) }
}

/** A collector that answers as it is told. */
async function collector(answer: (response: ServerResponse, posts: readonly Buffer[], request: IncomingMessage) => void) {
  const posts: Buffer[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      posts.push(body)
      answer(response, posts, request)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return { posts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('spans', () => {
  it('arrive as they were, whatever is in their texts', async () => {
    const { tracer, receiver } = await receiving()
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      // Where the bytes of a length become more.
      fc
        .tuple(fc.constantFrom('a', '\u00e9', '\u20ac', '\u{1f600}'), fc.constantFrom(0, 1, 41, 42, 43, 120, 16_300))
        .map(([character, times]) => character.repeat(times)),
    )
    const value = fc.oneof(
      texts,
      fc.double().map((number) => number || 0),
      fc.maxSafeInteger(),
      fc.constantFrom(127, 128, 2 ** 31 - 1, 2 ** 31, 2 ** 32, -1),
      fc.boolean(),
    )
    const sent = fc.sample(fc.tuple(fc.string({ unit: 'binary', minLength: 1 }), value), 1_000)
    for (const [name, attribute] of sent) {
      const span = tracer.request(name, undefined)
      span.set({ a: attribute, b: [String(attribute)] })
      span.set({})
      span.event(name, { a: attribute })
      span.end()
      span.end()
    }
    await expect.poll(() => receiver.spans.length, { timeout: 10_000 }).toBe(sent.length)
    expect(receiver.faults).toEqual([])
    const wellFormed = (given: unknown) => (typeof given === 'string' ? given.toWellFormed() : given)
    for (const [at, [name, attribute]] of sent.entries()) {
      expect(receiver.spans[at]!.name).toBe(wellFormed(name))
      expect(receiver.spans[at]!.events).toEqual([wellFormed(name)])
      const got = receiver.spans[at]!.attributes.get('a')
      expect(got).toBe(wellFormed(typeof attribute === 'number' && !Number.isFinite(attribute) ? String(attribute) : attribute))
    }
  })

  it('of one trace follow one clock, children within their parents', async () => {
    const { tracer, receiver } = await receiving()
    const before = Date.now()
    const request = tracer.request('request', `00-${TRACE}-${CALLER}-01`)
    const child = request.child('child', { n: 1.5 }, 'client')
    child.event('happened', { why: 'x' })
    child.past('past', { begunMs: 5, endedMs: 2, failedAs: 'lost' }, { m: 2 })
    child.end()
    request.end()
    await expect.poll(() => receiver.spans.length).toBe(3)
    const { resourceSpans } = JSON.parse(receiver.bodies.join('')) as {
      resourceSpans: { scopeSpans: { spans: { name: string; startTimeUnixNano: string; endTimeUnixNano: string }[] }[] }[]
    }
    const { spans } = resourceSpans[0]!.scopeSpans[0]!
    const at = (name: string) => {
      const { startTimeUnixNano: begun, endTimeUnixNano: ended } = spans.find((span) => span.name === name)!
      return [Number(BigInt(begun) / 1_000n) / 1_000, Number(BigInt(ended) / 1_000n) / 1_000] as const
    }
    expect(at('request')[0]).toBeGreaterThanOrEqual(before)
    expect(at('request')[1]).toBeLessThanOrEqual(Date.now() + 1)
    expect(at('child')[0]).toBeGreaterThanOrEqual(at('request')[0])
    expect(at('child')[1]).toBeLessThanOrEqual(at('request')[1])
    expect(at('past')[1] - at('past')[0]).toBeCloseTo(3, 1)
    expect(receiver.spans.map(({ traceId }) => traceId)).toEqual([TRACE, TRACE, TRACE])
    expect(receiver.spans.find(({ name }) => name === 'past')).toMatchObject({ isFailed: true })
    expect(receiver.spans.find(({ name }) => name === 'child')!.events).toEqual(['happened'])
    expect(receiver.spans.find(({ name }) => name === 'request')!.parentSpanId).toBe(CALLER)
  })
})

describe('sampling', () => {
  const recorded = (tracer: Tracer, traceparent?: string) => tracer.request('x', traceparent).isRecorded
  const sampled = `00-${TRACE}-${CALLER}-01`
  const unsampled = `00-${TRACE}-${CALLER}-00`

  it.each([
    ['parentbased_always_on', undefined, [true, true, false]],
    ['parentbased_always_off', undefined, [false, true, false]],
    ['always_on', undefined, [true, true, true]],
    ['always_off', undefined, [false, false, false]],
    ['parentbased_traceidratio', '0', [false, true, false]],
    ['traceidratio', '1', [true, true, true]],
  ])('%s (%s)', async (sampler, argument, expected) => {
    const { tracer } = await receiving({
      OTEL_TRACES_SAMPLER: sampler,
      ...(argument !== undefined && { OTEL_TRACES_SAMPLER_ARG: argument }),
    })
    expect([recorded(tracer), recorded(tracer, sampled), recorded(tracer, unsampled)]).toEqual(expected)
    // Whoever is called is told the same.
    const span = tracer.request('x', unsampled)
    expect(span.traceparent.endsWith(span.isRecorded ? '-01' : '-00')).toBe(true)
    expect(span.child('y').isRecorded).toBe(span.isRecorded)
  })

  it('by share takes about that share, and of one trace the same everywhere', async () => {
    const of = (share: string) => receiving({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: share })
    const [{ tracer: one }, { tracer: other }] = [await of('0.25'), await of('0.25')]
    let taken = 0
    for (let n = 0; n < 4_000; n++) {
      const span = one.request('x', undefined)
      if (span.isRecorded) taken++
      expect(recorded(other, span.traceparent)).toBe(span.isRecorded)
    }
    expect(taken).toBeGreaterThan(800)
    expect(taken).toBeLessThan(1_200)
  })

  it('a traceparent that is none begins a trace', async () => {
    const { tracer } = await receiving()
    for (const wrong of [
      '',
      'x',
      `00-${'0'.repeat(32)}-${CALLER}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `00-${TRACE}-${CALLER}`,
    ]) {
      expect(tracer.request('x', wrong).traceparent).not.toContain(TRACE)
    }
  })
})

describe('a collector', () => {
  const one = (tracer: Tracer) => tracer.request('one', undefined).end()

  it('gets the headers of the environment, and what it is that is traced', async () => {
    let headers: IncomingMessage['headers'] = {}
    const { url, posts } = await collector((response, _posts, request) => {
      headers = request.headers
      response.end('{}')
    })
    const tracer = await tracerFor(url, {
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=a%20b, authorization=Basic eA==',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-team=c',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging,service.name=other',
      OTEL_SERVICE_NAME: 'mine',
    })
    one(tracer)
    await expect.poll(() => posts.length).toBe(1)
    expect(headers).toMatchObject({ 'x-team': 'c', authorization: 'Basic eA==', 'content-type': 'application/x-protobuf' })
    const { resourceSpans } = readTraces(posts[0]!) as { resourceSpans: [{ resource: { attributes: object[] } }] }
    expect(resourceSpans[0].resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'mine' } })
    const stage = { key: 'deployment.environment.name', value: { stringValue: 'staging' } }
    expect(resourceSpans[0].resource.attributes).toContainEqual(stage)
  })

  it('that is busy is asked again; one that refuses is not, and the log says so once', async () => {
    const busy = await collector((response, posts) => void response.writeHead(posts.length < 3 ? 503 : 200).end('{}'))
    one(await tracerFor(busy.url))
    await expect.poll(() => busy.posts.length, { timeout: 10_000 }).toBe(3)
    expect(busy.posts.every((body) => body.equals(busy.posts[0]!))).toBe(true)
    logged.length = 0
    const strict = await collector((response) => void response.writeHead(401).end())
    const tracer = await tracerFor(strict.url)
    one(tracer)
    await expect.poll(() => logged.length).toBe(1)
    one(tracer)
    await expect.poll(() => strict.posts.length).toBe(2)
    await tracer.stop()
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('it answered 401')
  })

  it('gets many spans in few posts, and all of them before a stop is over', async () => {
    const { tracer, receiver } = await receiving({ OTEL_BSP_SCHEDULE_DELAY: '60000' })
    for (let n = 0; n < 2_000; n++) one(tracer)
    await tracer.stop()
    expect(receiver.spans).toHaveLength(2_000)
    expect(receiver.bodies.length).toBeLessThanOrEqual(5)
  })

  it('gets each span once, however many go at a time', async () => {
    const { tracer, receiver } = await receiving()
    const names: string[] = []
    for (const count of [1, 700, 3, 2_500, 1_200, 2]) {
      for (let n = 0; n < count; n++) {
        const name = `${names.length} ${'x'.repeat(names.length % 500)}`
        names.push(name)
        tracer.request(name, undefined).end()
        if (n % 1_000 === 999) await new Promise(setImmediate)
      }
      await expect.poll(() => receiver.spans.length, { timeout: 10_000 }).toBe(names.length)
    }
    expect(receiver.faults).toEqual([])
    expect(receiver.spans.map(({ name }) => name)).toEqual(names)
  })

  it('that never answers keeps no program from its end', async () => {
    const silent = await collector(() => undefined)
    const tracer = await tracerFor(silent.url)
    for (let n = 0; n < 20_000; n++) one(tracer)
    const begun = performance.now()
    await tracer.stop()
    expect(performance.now() - begun).toBeLessThan(6_000)
  })

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'nonsense'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'ftp://a'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'no value'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a"b=c'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', 'soon'],
    ['OTEL_BSP_SCHEDULE_DELAY', '0'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ])('cannot be meant by %s=%s', async (name, value) => {
    await expect(tracerFor('http://127.0.0.1:9', { [name]: value })).rejects.toThrow(name.replace('_ARG', ''))
  })
})
