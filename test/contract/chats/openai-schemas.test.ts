/** What we answer fits OpenAI's own schemas. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packageRoot } from '../../../src/platform/package-root.js'
import { FakeProvider } from '../../kit/fake-provider.js'
import { plays, simulated } from '../../kit/messages-simulator.js'
import { PRICE, startChatApp, type ChatApp } from './chat-app.js'
import { answering, CHAT, judged, question } from '../judged-calls.js'
import { streamData } from '../openapi-document.js'

let chat: ChatApp
let anthropic: FakeProvider
const { call } = judged(() => chat.app)

beforeAll(async () => {
  anthropic = await FakeProvider.start(plays(translated))
  const deployments = [{ provider: 'a1', model_id: 'claude', ...PRICE }]
  const provider = { id: 'a1', base_url: anthropic.baseUrl, api: 'messages', api_key: 'a-key' }
  chat = await startChatApp(answering, {}, [{ id: 'translated', tier: 'light', deployments }], { providers: [provider] })
})
afterAll(async () => {
  await chat.stop()
  await anthropic.stop()
})

/** Everything that a provider with Anthropic's API may say. */
const translated = simulated([
  { type: 'thinking', thinking: 'Hm.', signature: 'EqQB' },
  { type: 'text', text: 'Hello' },
  { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
  { type: 'tool_use', id: 'toolu_2', name: 'f', input: {} },
])

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addSchema({
  $id: 'openai',
  ...(JSON.parse(readFileSync(join(packageRoot, 'test', 'contract', 'chats', 'openai-schemas.json'), 'utf8')) as object),
})
const expectFits = (name: string, value: unknown) => {
  const validate = ajv.compile({ $ref: `openai#/components/schemas/${name}` })
  validate(value)
  expect(validate.errors).toBeNull()
}

it.each([...Object.keys(answering), 'translated'])('the answers of %s, whole and in chunks', async (model) => {
  expectFits('CreateChatCompletionResponse', (await call('POST', CHAT, question(model))).json)
  for (const options of [{}, { stream_options: { include_usage: true } }]) {
    const { text } = await call('POST', CHAT, question(model, { stream: true, ...options }))
    const chunks = streamData(text)
    expect(chunks.length).toBeGreaterThan(1)
    for (const chunk of chunks) expectFits('CreateChatCompletionStreamResponse', chunk)
  }
})

it('models and errors', async () => {
  expectFits('ListModelsResponse', (await call('GET', '/v1/models')).json)
  expectFits('Model', (await call('GET', '/v1/models/normal')).json)
  expectFits('ErrorResponse', (await call('GET', '/v1/models/nothing')).json)
  expectFits('ErrorResponse', (await call('GET', '/v1/models', { key: null })).json)
})
