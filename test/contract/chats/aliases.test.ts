/** Programs that have a model's name written into them: through every API they get the model that the operator put there. */
import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answersBoth, fakeUsage } from '../../kit/fake-provider-scenes.js'
import { startChatApp, type ChatApp } from './chat-app.js'

let chat: ChatApp
beforeAll(async () => {
  chat = await startChatApp(
    { normal: answersBoth({ pieces: ['Hello ', 'you'], usageObject: fakeUsage(11, 3) }) },
    { aliases: { 'gpt-5.5': 'light', 'claude-sonnet-4-5': { model: 'normal', show: true }, 'openai/gpt': 'normal' } },
  )
})
afterAll(() => chat.stop())

const messages = [{ role: 'user' as const, content: 'Hello there' }]

interface Usage {
  readonly viewer: {
    readonly usage: { readonly nodes: readonly { readonly modelId: string; readonly api: string; readonly cost: string }[] }
  }
}

it('is asked, told and charged as what it leads to, through every API', async () => {
  const openai = chat.app.openai()
  const anthropic = new Anthropic({ baseURL: chat.app.url, apiKey: chat.app.adminKey, maxRetries: 0 })
  const answers = [
    await openai.chat.completions.create({ model: 'gpt-5.5', messages }),
    await openai.responses.create({ model: 'openai/gpt', input: 'Hello there' }),
    await anthropic.messages.create({ model: 'claude-sonnet-4-5', max_tokens: 20, messages }),
  ]
  const create = `mutation { createChatCompletion(input: { model: "gpt-5.5", messages: [{ role: USER, content: "Hi" }] }) {
    ... on ChatCompletion { model } } }`
  const { createChatCompletion } = await chat.app.graphql<{ createChatCompletion: { model: string } }>(create)
  expect([...answers, createChatCompletion].map(({ model }) => model)).toEqual(Array(4).fill('normal'))
  expect(chat.provider.calls.map(({ body }) => body['model'])).toEqual(Array(4).fill('normal'))
  const { viewer } = await chat.app.graphql<Usage>('{ viewer { usage(first: 10) { nodes { modelId api cost } } } }')
  const charged = { modelId: 'normal', cost: viewer.usage.nodes[0]!.cost }
  expect(viewer.usage.nodes).toMatchObject(
    ['GRAPHQL', 'MESSAGES', 'RESPONSES', 'CHAT_COMPLETIONS'].map((api) => ({ ...charged, api })),
  )
})

it('is counted with the tokenizer of what it leads to', async () => {
  const anthropic = new Anthropic({ baseURL: chat.app.url, apiKey: chat.app.adminKey, maxRetries: 0 })
  const [named, alias] = await Promise.all(
    ['normal', 'claude-sonnet-4-5'].map((model) => anthropic.messages.countTokens({ model, messages })),
  )
  expect(alias).toEqual(named)
})

it('is told to whoever asks for the names', async () => {
  const query = '{ modelAliases { name tier isShown model { id } } model(id: "gpt-5.5") { id availability } }'
  const normal = { id: 'normal' }
  expect(await chat.app.graphql(query)).toEqual({
    modelAliases: [
      { name: 'claude-sonnet-4-5', tier: null, isShown: true, model: normal },
      { name: 'gpt-5.5', tier: 'LIGHT', isShown: false, model: normal },
      { name: 'openai/gpt', tier: null, isShown: false, model: normal },
    ].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    model: { ...normal, availability: 'INSTANT' },
  })
})
