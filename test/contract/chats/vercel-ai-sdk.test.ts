/** The Vercel AI SDK as its users write it, with a base URL and a key: its OpenAI provider by both APIs, and its Anthropic provider. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import {
  generateObject,
  generateText,
  isStepCount,
  Output,
  streamText,
  tool,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage,
} from 'ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { billedTo, nano, PRICE, startChatApp, type ChatApp } from './chat-app.js'
import { HELLO, messagesOf, piecesOf, PLACE, weatherAgent } from './weather-agent.js'

let chat: ChatApp
beforeAll(async () => {
  // It warns of every model whose name it does not know.
  globalThis.AI_SDK_LOG_WARNINGS = false
  // The Anthropic provider asks for as many tokens as the model of that name can write.
  const sizes = { context_window: 200_000, max_output_tokens: 64_000 }
  const capable = { id: 'capable', ...sizes, deployments: [{ provider: 'p1', model_id: 'agent', ...PRICE }] }
  const aliases = { 'gpt-5.5': 'capable', 'claude-sonnet-4-5': 'capable' }
  chat = await startChatApp({ agent: weatherAgent }, { aliases }, [capable])
})
afterAll(() => {
  globalThis.AI_SDK_LOG_WARNINGS = undefined
  return chat.stop()
})

interface Settings {
  readonly baseURL: string
  readonly apiKey: string
}
const openai = (name: string) => (settings: Settings) => createOpenAI(settings)(name)
const openaiChat = (name: string) => (settings: Settings) => createOpenAI(settings).chat(name)
const anthropic = (name: string) => (settings: Settings) => createAnthropic(settings)(name)

const place = z.object({ city: z.string(), lakes: z.number() })
const weather = tool({
  description: 'The weather of a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => `sun in ${city}`,
})
const task = { prompt: 'How is the weather?', tools: { weather }, stopWhen: isStepCount(5) }
const sumOf = <Each>(list: readonly Each[], count: (each: Each) => number) => list.reduce((sum, each) => sum + count(each), 0)
const lastCall = () => chat.provider.calls.at(-1)!

describe.each([
  ['RESPONSES', 'capable', openai],
  ['RESPONSES', 'gpt-5.5', openai],
  ['CHAT_COMPLETIONS', 'capable', openaiChat],
  ['CHAT_COMPLETIONS', 'gpt-5.5', openaiChat],
  ['MESSAGES', 'capable', anthropic],
  ['MESSAGES', 'claude-sonnet-4-5', anthropic],
])('by %s, asked for %s', (api, name, modelOf) => {
  /** The call, with a key of its own: what the SDK tells of tokens is what the key pays for. */
  async function asks(call: (model: LanguageModel) => Promise<LanguageModelUsage | LanguageModelUsage[]>): Promise<void> {
    const { key } = await chat.app.account({ credits: '1' })
    const told = [await call(modelOf(name)({ baseURL: `${chat.app.url}/v1`, apiKey: key }))].flat()
    const bill = await billedTo(chat.app, key)
    expect(bill.map((each) => [each.api, each.modelId])).toEqual(bill.map(() => [api, 'capable']))
    const input = sumOf(bill, (each) => each.inputTokens + each.cachedInputTokens)
    const output = sumOf(bill, (each) => each.outputTokens)
    const cached = sumOf(bill, (each) => each.cachedInputTokens)
    expect(sumOf(told, ({ inputTokens = 0 }) => inputTokens)).toBe(input)
    expect(sumOf(told, ({ outputTokens = 0 }) => outputTokens)).toBe(output)
    expect(sumOf(told, ({ inputTokenDetails: { cacheReadTokens = 0 } }) => cacheReadTokens)).toBe(cached)
    expect([cached > 0, sumOf(bill, ({ cost }) => nano(cost))]).toEqual([true, input + 2 * output])
  }

  it('generateText answers', () =>
    asks(async (model) => {
      const { text, finishReason, usage } = await generateText({ model, prompt: 'Hello there' })
      expect([text, finishReason]).toEqual([HELLO.join(''), 'stop'])
      expect(messagesOf(lastCall())).toEqual([{ role: 'user', content: 'Hello there' }])
      return usage
    }))

  it('streamText tells each piece of the text as it comes', () =>
    asks(async (model) => {
      const { textStream, finishReason, usage } = streamText({ model, instructions: 'Be kind.', prompt: 'Hello there' })
      expect([await piecesOf(textStream), await finishReason]).toEqual([HELLO, 'stop'])
      expect(messagesOf(lastCall())).toMatchObject([{ content: 'Be kind.' }, { role: 'user', content: 'Hello there' }])
      return usage
    }))

  it('an object comes as its schema says, whole and streamed', async () => {
    await asks(async (model) => {
      const { output, usage } = await generateText({ model, prompt: 'Which place?', output: Output.object({ schema: place }) })
      expect(output).toEqual(PLACE)
      return usage
    })
    await asks(async (model) => {
      const { object, usage } = await generateObject({ model, prompt: 'Which place?', schema: place })
      expect(object).toEqual(PLACE)
      return usage
    })
    await asks(async (model) => {
      const { output, usage } = streamText({ model, prompt: 'Which place?', output: Output.object({ schema: place }) })
      expect(await output).toEqual(PLACE)
      return usage
    })
    // By name: what the SDK does not know takes a tool in the place of a format.
    const { response_format: format, tools } = lastCall().body
    expect(JSON.stringify(format ?? tools)).toContain('"properties":{"city":{"type":"string"},"lakes":{"type":"number"}}')
  })

  it.each(['generateText', 'streamText'])('a task of two tool calls is done to the end by %s', (way) =>
    asks(async (model) => {
      const { text, steps, usage } =
        way === 'generateText' ? await generateText({ model, ...task }) : streamText({ model, ...task })
      expect(await text).toBe('sun in Bern, sun in Ulm')
      expect((await steps).map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'tool-calls', 'stop'])
      const asked = (id: string, city: string) => [
        { role: 'assistant', tool_calls: [{ id, function: { name: 'weather', arguments: JSON.stringify({ city }) } }] },
        { role: 'tool', tool_call_id: id, content: `sun in ${city}` },
      ]
      const said = [{ role: 'user', content: task.prompt }, ...asked('call_0', 'Bern'), ...asked('call_1', 'Ulm')]
      expect(messagesOf(lastCall())).toMatchObject(said)
      return usage
    }),
  )

  it('a conversation goes on after an answer', () =>
    asks(async (model) => {
      // Otherwise texts of the assistant are sent as references to what OpenAI has stored.
      const providerOptions = { openai: { store: false } }
      const messages: ModelMessage[] = [{ role: 'user', content: 'Hello there' }]
      const first = await generateText({ model, messages, providerOptions })
      messages.push(...first.response.messages, { role: 'user', content: 'And again?' })
      const { text, usage } = await generateText({ model, messages, providerOptions })
      expect(text).toBe(HELLO.join(''))
      expect(messagesOf(lastCall())).toMatchObject([
        { role: 'user', content: 'Hello there' },
        { role: 'assistant', content: HELLO.join('') },
        { role: 'user', content: 'And again?' },
      ])
      return [first.usage, usage]
    }))
})
