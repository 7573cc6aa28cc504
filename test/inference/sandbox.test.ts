/** The sandbox provider: a real child process behind the real service. Needs the compiled program (`npm run build`). */
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '#platform/clock.js'
import { ChatCompletion, spawnSandboxServer, startSandbox, type Sandbox } from '../../subgraphs/inference/index.js'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { body, candidate, chatKit, collect, contextFor, toArray } from './chat-kit.js'

let sandbox: Sandbox
const exits: (number | null)[] = []

beforeAll(async () => {
  const onExit = ({ code }: { code: number | null }) => void exits.push(code)
  sandbox = await startSandbox({
    providerId: 'sandbox',
    models: ['sandbox-small'],
    tokensPerSecond: 5_000,
    clock: systemClock,
    onExit,
  })
})
afterAll(() => sandbox.stop())

const client = () => new OpenAI({ baseURL: sandbox.provider.baseUrl, apiKey: sandbox.provider.apiKey!, maxRetries: 0 })
const ask = (content: string, more: object = {}) =>
  client().chat.completions.create({ model: 'sandbox-small', messages: [{ role: 'user', content }], ...more })
const textOf = async (content: string, more: object = {}) => (await ask(content, more)).choices[0]!.message.content!

describe('the sandbox model', () => {
  it('answers sensibly, and the same for the same prompt and seed', async () => {
    expect(await textOf('What is 12 * 12?')).toBe('12 * 12 = 144')
    expect(await textOf('Say exactly: pong')).toBe('pong')
    expect(await textOf('Count to 5')).toBe('1, 2, 3, 4, 5')
    expect(await textOf('Who are you?')).toContain('sandbox')
    const about = await textOf('Explain eventual consistency', { seed: 1 })
    expect(about).toContain('eventual consistency')
    expect(await textOf('Explain eventual consistency', { seed: 1 })).toBe(about)
    expect(
      new Set(await Promise.all([2, 3, 4, 5].map((seed) => textOf('Explain eventual consistency', { seed })))).size,
    ).toBeGreaterThan(1)
  })

  it('respects max_tokens and stop, and reports real token counts', async () => {
    const short = await ask('Write a long story about rivers', { max_tokens: 7 })
    expect(short.choices[0]!.finish_reason).toBe('length')
    expect(encode(short.choices[0]!.message.content!)).toHaveLength(7)
    expect(short.usage).toMatchObject({ completion_tokens: 7, total_tokens: short.usage!.prompt_tokens + 7 })
    expect(await textOf('Count to 9', { stop: [', 4', '7'] })).toBe('1, 2, 3')
  })

  it('calls a tool when one is demanded, and answers JSON when that is', async () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } }
    const tools = [{ type: 'function', function: { name: 'get_weather', parameters } }]
    const called = (await ask('Paris', { tools, tool_choice: 'required' })).choices[0]!
    expect(called.finish_reason).toBe('tool_calls')
    const [call] = called.message.tool_calls as { function: { name: string; arguments: string } }[]
    expect(call!.function.name).toBe('get_weather')
    expect(JSON.parse(call!.function.arguments)).toEqual({ city: 'Paris', days: 1 })
    expect(JSON.parse(await textOf('Anything', { response_format: { type: 'json_object' } }))).toHaveProperty('answer')
  })

  it('streams one token a chunk, with usage when asked for', async () => {
    const stream = await client().chat.completions.create({
      model: 'sandbox-small',
      messages: [{ role: 'user', content: 'Count to 5' }],
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks = await toArray(stream)
    const texts = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').filter(Boolean)
    expect(texts.join('')).toBe('1, 2, 3, 4, 5')
    expect(chunks.at(-1)!.usage!.completion_tokens).toBe(texts.length)
  })

  it('is closed to those without its key', async () => {
    const response = await fetch(`${sandbox.provider.baseUrl}/models`)
    expect(response.status).toBe(401)
    expect((await client().models.list()).data.map(({ id }) => id)).toEqual(['sandbox-small'])
  })
})

describe('behind the service', () => {
  it('a whole answer and a stream say the same and are charged the same', async () => {
    await using kit = chatKit({ deployments: [candidate('', { provider: sandbox.provider })] })
    const request = body({ messages: [{ role: 'user', content: 'Explain tides' }] })
    const whole = (await kit.chat.complete(request, contextFor())) as ChatCompletion
    const streamed = await collect(await kit.chat.stream({ ...request, stream: true }, contextFor()))
    expect(streamed.text).toBe(whole.choices[0]!.message.content)
    expect(streamed.chunks.at(-1)!.usage).toEqual(whole.raw['usage'])
    expect(kit.ledger.captured[0]).toBe(kit.ledger.captured[1])
    expect(kit.ledger.usage.every(({ usageSource }) => usageSource === 'reported')).toBe(true)
  })
})

describe('the process', () => {
  it('is replaced when it dies', async () => {
    const { pid } = sandbox
    process.kill(pid!, 'SIGKILL')
    await vi.waitUntil(() => sandbox.pid !== pid && sandbox.pid !== null, { interval: 10, timeout: 30_000 })
    const isUp = () =>
      fetch(`${sandbox.provider.baseUrl.replace('/v1', '')}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    await vi.waitUntil(isUp, { interval: 10, timeout: 30_000 })
    expect(await textOf('Say exactly: alive')).toBe('alive')
    expect(exits).toHaveLength(1)
  })

  it('ends with its parent, and is not ready before its boot time', async () => {
    const options = { apiKey: 'k', port: 0, models: [], tokensPerSecond: 100, bootMs: 60_000 }
    const { child, listening } = spawnSandboxServer(options)
    const port = await listening
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(503)
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
    child.disconnect()
    expect(await exited).toBe(0)
  })
})
