/** Requests as OpenTelemetry sees them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '#platform/log.js'
import { openTracer } from '../../src/server/telemetry/tracer.js'
import { PRICE, startChatApp, type ChatApp } from '../contract/chats/chat-app.js'
import { fails, streams } from '../kit/fake-provider-scenes.js'
import { FakeProvider } from '../kit/fake-provider.js'
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../kit/otlp-receiver.js'

const log = createLog({ level: 'silent' })
const PROMPT = 'a prompt that nobody else may read'
const TRACE = 'ab'.repeat(16)
const SCANS = 'ef'.repeat(16)
const CALLER = 'cd'.repeat(8)

let chat: ChatApp
let second: FakeProvider
let receiver: OtlpReceiver

beforeAll(async () => {
  receiver = await startOtlpReceiver()
  second = await FakeProvider.start(streams({ pieces: ['an', ' answer'] }))
  const deployments = [
    { provider: 'p1', model_id: 'failing', ...PRICE },
    { provider: 'p2', model_id: 'm', input_price_per_million: '1', output_price_per_million: '2' },
  ]
  chat = await startChatApp({ failing: fails(500) }, {}, [{ id: 'm', owned_by: 'test', deployments }], {
    isOfOneServer: true,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, OTEL_BSP_SCHEDULE_DELAY: '50' },
    providers: [{ id: 'p2', name: 'Second', base_url: second.baseUrl, api_key: 'second-key' }],
  })
})
afterAll(async () => {
  await chat.stop()
  await second.stop()
  await receiver[Symbol.asyncDispose]()
})

const named = (name: string) => receiver.spans.filter((span) => span.name === name && span.traceId === TRACE)
const ofScans = (name: string) => receiver.spans.filter((span) => span.name === name && span.traceId === SCANS)
const parentOf = ({ parentSpanId }: ReceivedSpan) => receiver.spans.find(({ spanId }) => spanId === parentSpanId)?.name

it('a chat is one trace from its caller to its settlement, with an attempt for each provider and no text', async () => {
  const response = await chat.app.fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: `00-${TRACE}-${CALLER}-01` },
    body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: PROMPT }] }),
  })
  await response.text()
  await expect.poll(() => named('POST /v1/chat/completions')).toHaveLength(1)
  const [request] = named('POST /v1/chat/completions')
  expect(request).toMatchObject({ parentSpanId: CALLER, isFailed: false })
  expect(request!.attributes.get('sluice.request.id')).toBe(response.headers.get('x-request-id'))
  const tree = receiver.spans.filter(({ traceId }) => traceId === TRACE).map((span) => [span.name, parentOf(span)])
  expect(new Map(tree as [string, string | undefined][])).toEqual(
    new Map([
      ['POST /v1/chat/completions', undefined],
      ['graphql RestChatCompletion', 'POST /v1/chat/completions'],
      ['chat m', 'graphql RestChatCompletion'],
      ['route', 'chat m'],
      ['admission', 'chat m'],
      ['attempt p1', 'chat m'],
      ['attempt p2', 'chat m'],
      ['stream', 'chat m'],
      ['settlement', 'chat m'],
    ]),
  )
  expect(named('attempt p1')[0]).toMatchObject({ isFailed: true })
  expect(named('attempt p1')[0]!.attributes.get('error.type')).toBe('500')
  expect(named('stream')[0]!.events).toEqual(['first_token', 'end'])
  const call = named('chat m')[0]!.attributes
  expect(call.get('gen_ai.operation.name')).toBe('chat')
  expect(call.get('gen_ai.request.model')).toBe('m')
  expect(call.get('gen_ai.provider.name')).toBe('p2')
  expect(Number(call.get('gen_ai.usage.output_tokens'))).toBe(2)
  // The provider's own spans belong to the attempt that asked it.
  expect(second.calls.at(-1)!.headers['traceparent']).toBe(`00-${TRACE}-${named('attempt p2')[0]!.spanId}-01`)
  expect(receiver.faults).toEqual([])
  for (const secret of [PROMPT, ' answer', chat.app.adminKey, 'second-key'])
    expect(receiver.bodies.join('')).not.toContain(secret)
})

it('a request that comes to no call ends its spans too, with the code of its fault', async () => {
  const { key } = await chat.app.account()
  const response = await chat.app.fetch('/v1/chat/completions', {
    method: 'POST',
    key,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: PROMPT }] }),
  })
  expect(response.status).toBe(402)
  const refused = () => receiver.spans.filter(({ attributes }) => attributes.get('error.type') === 'insufficient_credits')
  await expect.poll(() => refused().map(({ name }) => name)).toContain('chat m')
  expect(receiver.faults).toEqual([])
})

const scan = (files: readonly { code: string; language: string }[]) =>
  chat.app.fetch('/api/batch-scan', {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: `00-${SCANS}-${CALLER}-01` },
    body: JSON.stringify({ files }),
  })

it('a batch is a span with one for each file: what it was, how long it took and what was found, and none of its code', async () => {
  const python = 'import os, sys\nos.system("ls " + sys.argv[1])\n'
  expect(
    (
      await scan([
        { code: 'let secretName = 1', language: 'javascript' },
        { code: python, language: 'python' },
      ])
    ).status,
  ).toBe(200)
  await expect.poll(() => ofScans('POST /api/batch-scan')).toHaveLength(1)
  const [batch] = ofScans('scan')
  expect(batch!.attributes.get('sluice.scan.files')).toBe(2)
  expect(ofScans('scan_file javascript').map((span) => Object.fromEntries(span.attributes))).toEqual([
    {
      'sluice.scan.file.language': 'javascript',
      'sluice.scan.file.bytes': 18,
      'sluice.scan.file.findings': 0,
      'sluice.scan.file.outcome': 'done',
    },
  ])
  const [found] = ofScans('scan_file python')
  expect(found!.parentSpanId).toBe(batch!.spanId)
  expect(found!.attributes.get('sluice.scan.file.findings')).toBe(1)
  expect(found!.seconds).toBeGreaterThan(0)
  expect(found!.seconds).toBeLessThan(batch!.seconds)
  expect(receiver.bodies.join('')).not.toContain('secretName')
})

it('of a batch of many files the slowest have a span', async () => {
  const before = receiver.spans.length
  const small = Array.from({ length: 60 }, (_, index) => ({ code: `a = ${index}`, language: 'python' }))
  const slow = {
    code: Array.from({ length: 2_000 }, (_, line) => `v${line} = f(${line}) + g(v${line})`).join('\n'),
    language: 'ruby',
  }
  expect((await scan([...small, slow])).status).toBe(200)
  const files = () => receiver.spans.slice(before).filter(({ name }) => name.startsWith('scan_file '))
  await expect.poll(files).toHaveLength(20)
  expect(files().map(({ name }) => name)).toContain('scan_file ruby')
})

it('nothing is traced without an endpoint, and a sampler that does not exist stops the start', async () => {
  expect(await openTracer(new Map(), log)).toBeNull()
  expect(
    await openTracer(
      new Map([
        ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://a'],
        ['OTEL_SDK_DISABLED', 'true'],
      ]),
      log,
    ),
  ).toBeNull()
  const wrong = new Map([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://a'],
    ['OTEL_TRACES_SAMPLER', 'some'],
  ])
  await expect(openTracer(wrong, log)).rejects.toThrow('OTEL_TRACES_SAMPLER is one of')
})
