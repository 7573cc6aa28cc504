/** OpenAI's Agents SDK as its users write it, with a base URL and a key, by both of its APIs. */
import { Agent, OpenAIProvider, Runner, setOpenAIAPI, tool, type Usage } from '@openai/agents'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { billedTo, startChatApp, type ChatApp } from './chat-app.js'
import { HELLO, messagesOf, piecesOf, PLACE, textOf, weatherAgent } from './weather-agent.js'

let chat: ChatApp
beforeAll(async () => {
  // The SDK asks for this model where an agent names none.
  const aliases = { 'gpt-5.5': 'agent', 'gpt-5.6-luna': 'agent' }
  chat = await startChatApp({ agent: weatherAgent }, { aliases })
})
afterEach(() => setOpenAIAPI('responses'))
afterAll(() => chat.stop())

const weather = tool({
  name: 'weather',
  description: 'The weather of a city.',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `sun in ${city}`,
})
const outputType = z.object({ city: z.string(), lakes: z.number() })
const question = { role: 'user' as const, content: 'How is the weather?' }
const lastMessages = () => messagesOf(chat.provider.calls.at(-1)!)

const told = [
  { role: 'system', content: 'Be kind.' },
  question,
  ...['Bern', 'Ulm'].flatMap((city, at) => [
    { role: 'assistant', tool_calls: [{ id: `call_${at}`, function: { name: 'weather', arguments: JSON.stringify({ city }) } }] },
    { role: 'tool', tool_call_id: `call_${at}`, content: `sun in ${city}` },
  ]),
]

describe.each([
  ['responses', 'agent'],
  ['responses', 'gpt-5.5'],
  ['responses', undefined],
  ['chat_completions', 'agent'],
  ['chat_completions', 'gpt-5.5'],
  ['chat_completions', undefined],
] as const)('by %s, asked for %s', (api, model) => {
  const persona = { name: 'Weather', instructions: 'Be kind.', model }

  /** A run with a key of its own: what the SDK tells of tokens is what the key pays for, call by call. */
  async function runs(run: (runner: Runner) => Promise<Usage>): Promise<void> {
    setOpenAIAPI(api)
    const { key } = await chat.app.account({ credits: '1' })
    const modelProvider = new OpenAIProvider({ baseURL: `${chat.app.url}/v1`, apiKey: key })
    // A trace would be sent to OpenAI.
    const usage = await run(new Runner({ modelProvider, tracingDisabled: true }))
    const bill = await billedTo(chat.app, key)
    expect(bill.map((each) => [each.api, each.modelId])).toEqual(bill.map(() => [api.toUpperCase(), 'agent']))
    expect([usage.requests, usage.requestUsageEntries]).toMatchObject([
      bill.length,
      bill.map(({ inputTokens, cachedInputTokens, outputTokens }) => ({
        inputTokens: inputTokens + cachedInputTokens,
        inputTokensDetails: { cached_tokens: cachedInputTokens },
        outputTokens,
      })),
    ])
  }

  it('an agent with a tool comes to its end, and the conversation goes on', () =>
    runs(async (runner) => {
      const first = await runner.run(new Agent({ ...persona, tools: [weather] }), [question])
      expect(first.finalOutput).toBe('sun in Bern, sun in Ulm')
      expect(lastMessages()).toMatchObject(told)
      const again = { role: 'user' as const, content: 'And tomorrow?' }
      const second = await runner.run(new Agent(persona), [...first.history, again])
      expect(second.finalOutput).toBe(HELLO.join(''))
      expect(lastMessages()).toMatchObject([...told, { role: 'assistant' }, again])
      expect(textOf(lastMessages().at(-2)!.content)).toBe('sun in Bern, sun in Ulm')
      first.runContext.usage.add(second.runContext.usage)
      return first.runContext.usage
    }))

  it('a streamed agent with a tool comes to its end', () =>
    runs(async (runner) => {
      const run = await runner.run(new Agent({ ...persona, tools: [weather] }), [question], { stream: true })
      expect(await piecesOf(run.toTextStream())).toEqual(['sun in Bern, sun in Ulm'])
      await run.completed
      expect(run.newItems.map(({ type }) => type)).toEqual([
        'tool_call_item',
        'tool_call_output_item',
        'tool_call_item',
        'tool_call_output_item',
        'message_output_item',
      ])
      expect(lastMessages()).toMatchObject(told)
      return run.runContext.usage
    }))

  it('a stream tells each piece of the text as it comes', () =>
    runs(async (runner) => {
      const run = await runner.run(new Agent(persona), 'Hello there', { stream: true })
      expect(await piecesOf(run.toTextStream())).toEqual(HELLO)
      await run.completed
      expect(run.finalOutput).toBe(HELLO.join(''))
      return run.runContext.usage
    }))

  it('an output comes as its schema says', () =>
    runs(async (runner) => {
      const { finalOutput, runContext } = await runner.run(new Agent({ ...persona, outputType }), 'Which place?')
      expect(finalOutput).toEqual(PLACE)
      return runContext.usage
    }))
})
