/** Prompts and answers are in traces where the operator says so, and in nothing that leaves the program where he does not. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/config.js'
import { startServer, type RunningServer } from '../../src/server/server.js'
import { PRICE } from '../contract/chats/chat-app.js'
import { databaseFolder } from '../kit/database.js'
import { answersBoth, deltaJson, playsEvents, type Scene } from '../kit/fake-provider-scenes.js'
import { FakeProvider } from '../kit/fake-provider.js'
import { startOtlpReceiver, type OtlpReceiver } from '../kit/otlp-receiver.js'

const ADMIN_KEY = 'an-administrators-key-that-is-long-enough'
const RULES = 'rules that nobody else may read'
const PROMPT = 'a prompt that nobody else may read'
const PIECES = ['an answer', ' that nobody', ' else may read']
const ANSWER = PIECES.join('')

const callOf = (more: object) => ({ tool_calls: [{ index: 0, ...more }] })
const SCENES: Record<string, Scene> = {
  m: answersBoth({ pieces: PIECES }),
  calls: playsEvents([
    deltaJson(callOf({ id: 'call_1', type: 'function', function: { name: 'look', arguments: '' } })),
    deltaJson(callOf({ function: { arguments: '{"at":' } })),
    deltaJson(callOf({ function: { arguments: '"Rome"}' } })),
    deltaJson({}, 'tool_calls'),
  ]),
  long: answersBoth({ pieces: ['x'.repeat(20_000)] }),
}

let provider: FakeProvider
beforeAll(async () => {
  provider = await FakeProvider.start(SCENES['m']!)
  for (const [name, scene] of Object.entries(SCENES)) provider.scenes.set(name, scene)
})
afterAll(() => provider.stop())

interface Traced {
  readonly receiver: OtlpReceiver
  readonly logged: string[]
  post(path: string, body: object): Promise<string>
  stop(): Promise<void>
}

async function startTraced(telemetry: object): Promise<Traced> {
  const receiver = await startOtlpReceiver()
  const folder = databaseFolder('sluice-content-')
  const logged: string[] = []
  writeFileSync(
    join(folder, 'sluice.config.yaml'),
    stringify({
      sandbox: false,
      catalog: { include_shipped: false },
      providers: [{ id: 'p1', base_url: provider.baseUrl, api_key: 'provider-key' }],
      models: Object.keys(SCENES).map((id) => ({
        id,
        owned_by: 'test',
        deployments: [{ provider: 'p1', model_id: id, ...PRICE }],
      })),
      limits: { drain_seconds: 0, shutdown_seconds: 0.05 },
      log: { level: 'trace' },
      telemetry,
    }),
  )
  const env = {
    SLUICE_PORT: '0',
    SLUICE_ADMIN_KEY: ADMIN_KEY,
    SLUICE_DATABASE_URL: `sqlite:${folder}/sluice.db`,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '50',
  }
  const config = loadConfig({ workingDirectory: folder, env })
  const server: RunningServer = await startServer(config, undefined, { logTo: { write: (line) => void logged.push(line) } })
  return {
    receiver,
    logged,
    async post(path, body) {
      const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' }
      const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      const text = await response.text()
      expect({ status: response.status, text }).toMatchObject({ status: 200 })
      return text
    },
    async stop() {
      await server.stop()
      await receiver[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The same question by each API. */
const ASKED: Record<string, object> = {
  '/v1/chat/completions': {
    model: 'm',
    messages: [
      { role: 'system', content: RULES },
      { role: 'user', content: PROMPT },
    ],
  },
  '/v1/responses': { model: 'm', instructions: RULES, input: PROMPT },
  '/v1/messages': { model: 'm', max_tokens: 100, system: RULES, messages: [{ role: 'user', content: PROMPT }] },
}
const CALLS = Object.entries(ASKED).flatMap(([path, body]) => [false, true].map((stream) => [path, stream, body] as const))

const text = (content: string) => ({ type: 'text', content })

describe('with `telemetry.content`', () => {
  let traced: Traced
  beforeAll(async () => {
    traced = await startTraced({ content: true })
  })
  afterAll(() => traced.stop())

  /** The three attributes of the next chat, read. */
  async function contentOf(path: string, body: object) {
    const { spans } = traced.receiver
    const chats = () => spans.filter(({ name }) => name.startsWith('chat '))
    const before = chats().length
    await traced.post(path, body)
    await expect.poll(chats).toHaveLength(before + 1)
    const { attributes } = chats().at(-1)!
    const read = (name: string) => JSON.parse((attributes.get(name) ?? 'null') as string) as { parts: { content: string }[] }[]
    return {
      instructions: read('gen_ai.system_instructions'),
      input: read('gen_ai.input.messages'),
      output: read('gen_ai.output.messages'),
    }
  }

  it.each(CALLS)('a chat by %s (stream: %s) tells instructions, prompt and answer', async (path, stream, body) => {
    expect(await contentOf(path, { ...body, stream })).toEqual({
      instructions: [text(RULES)],
      input: [{ role: 'user', parts: [text(PROMPT)] }],
      output: [{ role: 'assistant', parts: [text(ANSWER)], finish_reason: 'stop' }],
    })
    expect(traced.receiver.faults).toEqual([])
  })

  it('calls of functions and what they brought are told as such, an image without its bytes', async () => {
    const called = { id: 'call_0', type: 'function', function: { name: 'look', arguments: '{}' } }
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(100)}` } }
    const { input, output } = await contentOf('/v1/chat/completions', {
      model: 'calls',
      stream: true,
      messages: [
        { role: 'user', content: [{ type: 'text', text: PROMPT }, image] },
        { role: 'assistant', content: null, tool_calls: [called] },
        { role: 'tool', tool_call_id: 'call_0', content: 'rain' },
      ],
    })
    expect(input).toEqual([
      { role: 'user', parts: [text(PROMPT), { type: 'blob', modality: 'image', content: '[122 characters left out]' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'call_0', name: 'look', arguments: '{}' }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_0', response: 'rain' }] },
    ])
    const call = { type: 'tool_call', id: 'call_1', name: 'look', arguments: '{"at":"Rome"}' }
    expect(output).toEqual([{ role: 'assistant', parts: [call], finish_reason: 'tool_call' }])
  })

  it('what is long is cut, and says so: the oldest messages, the end of an answer, a request that a thread has read', async () => {
    const turns = Array.from({ length: 2_000 }, (_, turn) => ({ role: 'user', content: `${turn} ${'w '.repeat(20)}` }))
    const { input, output } = await contentOf('/v1/chat/completions', { model: 'long', messages: turns })
    expect(JSON.stringify(input).length).toBeLessThan(50_000)
    expect(input[0]!.parts[0]!.content).toBe(`[${2_001 - input.length} messages left out]`)
    expect(input.at(-1)!.parts[0]!.content).toBe(turns.at(-1)!.content)
    expect(output[0]!.parts[0]!.content).toMatch(/^x{16000,16384}\[\d{4} characters left out\]$/)

    const large = await contentOf('/v1/chat/completions', {
      model: 'm',
      messages: [{ role: 'user', content: 'w '.repeat(200_000) }],
    })
    expect(large.input[0]!.parts[0]!.content).toMatch(/^\[40\d{4} bytes left out\]$/)
    expect(large.output[0]!.parts).toEqual([text(ANSWER)])
  })

  it('the log is as silent as ever', () => {
    for (const secret of [RULES, PROMPT, 'that nobody']) expect(traced.logged.join('')).not.toContain(secret)
  })
})

describe('without it', () => {
  let traced: Traced
  beforeAll(async () => {
    traced = await startTraced({})
  })
  afterAll(() => traced.stop())

  it('nothing of a prompt or an answer is in any span or line, whichever API and form', async () => {
    for (const [path, stream, body] of CALLS) expect(await traced.post(path, { ...body, stream })).toContain('else may read')
    await expect.poll(() => traced.receiver.spans.filter(({ name }) => name === 'chat m')).toHaveLength(CALLS.length)
    await expect.poll(() => traced.logged.join('').match(/"msg":"request"/g)).toHaveLength(CALLS.length)
    const left = traced.receiver.bodies.join('') + traced.logged.join('')
    for (const secret of [RULES, PROMPT, 'that nobody', 'else may read', 'gen_ai.input', 'gen_ai.output', 'gen_ai.system'])
      expect(left).not.toContain(secret)
  })
})
