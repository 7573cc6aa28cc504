/** Requests that were refused before a provider was asked can be looked at, by whoever was refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answers, wholeJson } from '../kit/fake-provider-scenes.js'
import { startChatApp, type ChatApp } from './chats/chat-app.js'

const LIST = `query ($code: String, $key: ID) { viewer { refusedRequests(first: 10, code: $code, key: $key) {
  nodes { id createdAt keyId model api code message } } } }`

interface Listed {
  readonly viewer: {
    readonly refusedRequests: {
      readonly nodes: readonly { readonly id: string; readonly code: string; readonly keyId: string }[]
    }
  }
}

describe('refused requests', () => {
  let chat: ChatApp
  beforeAll(async () => {
    chat = await startChatApp({ normal: answers(wholeJson('Hello')) })
  })
  afterAll(() => chat.stop())

  const ask = (path: string, key: string, body: object) =>
    chat.app.fetch(path, { method: 'POST', key, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const messages = [{ role: 'user', content: 'a secret of mine' }]

  it('say which, when, by which API and why, and nothing of their prompts', async () => {
    const { key } = await chat.app.account()
    const refused = await ask('/v1/chat/completions', key, { model: 'normal', messages })
    expect(refused.status).toBe(402)
    await ask('/v1/messages', key, { model: 'nothing like it', max_tokens: 10, messages })
    await ask('/v1/chat/completions', key, { model: 'normal', messages, temperature: 'hot' })
    const listed = async (variables = {}) => (await chat.app.graphql<Listed>(LIST, variables, key)).viewer.refusedRequests.nodes
    await expect.poll(async () => (await listed()).length, { timeout: 10_000 }).toBe(3)
    const all = await listed()
    expect(all.map(({ code }) => code)).toEqual(['invalid_request_error', 'model_not_found', 'insufficient_credits'])
    expect(all[1]).toMatchObject({ model: 'nothing like it', api: 'MESSAGES' })
    expect(all[2]).toMatchObject({ id: refused.headers.get('x-request-id'), model: 'normal', api: 'CHAT_COMPLETIONS' })
    expect(JSON.stringify(all)).not.toContain('secret')
    expect(await listed({ code: 'model_not_found' })).toHaveLength(1)
    expect(await listed({ key: all[0]!.keyId })).toHaveLength(3)
    expect(await listed({ key: 'key_of_nobody' })).toEqual([])
  })

  it('are their own account’s, and not what a provider has answered', async () => {
    const { key } = await chat.app.account({ credits: '1' })
    expect((await ask('/v1/chat/completions', key, { model: 'normal', messages })).status).toBe(200)
    await ask('/v1/chat/completions', key, { model: 'unpriced', messages })
    const listed = async () => (await chat.app.graphql<Listed>(LIST, {}, key)).viewer.refusedRequests.nodes
    await expect.poll(async () => (await listed()).map(({ code }) => code), { timeout: 10_000 }).toEqual(['pricing_pending'])
  })
})
