/** What a key has opened ends with the key: in this process and in others, when it is revoked and when it expires. */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { createClient } from 'graphql-sse'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ManualClock } from '../../kit/manual-clock.js'
import { OpenRequests } from '#platform/requests/open-requests.js'
import { watchKeys } from '../../../src/app/key-watch.js'
import { startTestApp, type TestApp } from '../../kit/app.js'
import { testLocation } from '../../kit/database.js'
import { hangs, streams } from '../../kit/fake-provider-scenes.js'
import { nano, startChatApp, type ChatApp } from '../chats/chat-app.js'

interface Failed {
  readonly errors?: readonly { readonly extensions: { readonly httpStatus: number; readonly type: string } }[]
}

/** Reads a subscription to its end; resolves with its results. */
async function subscribe(app: TestApp, key: string, query: string, onFirst: () => void = () => undefined): Promise<Failed[]> {
  const client = createClient({ url: `${app.url}/graphql`, headers: { authorization: `Bearer ${key}` }, retryAttempts: 0 })
  const results: Failed[] = []
  for await (const result of client.iterate({ query })) {
    results.push(result as Failed)
    onFirst()
  }
  client.dispose()
  return results
}

const chatBody = (model: string, more: object = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 50, ...more }),
})

const unauthenticated = expect.objectContaining({ extensions: expect.objectContaining({ httpStatus: 401 }) as unknown })

describe('a key that is revoked', () => {
  let chat: ChatApp
  beforeAll(async () => {
    chat = await startChatApp({ endless: streams({ pieces: ['one ', 'two ', 'three '], ending: 'hang' }), silent: hangs })
  })
  afterAll(() => chat.stop())

  const revoke = (id: string) =>
    chat.app.graphql('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }', { id })

  it('ends its streams, requests, subscriptions and sessions with an authentication error, billed for what was delivered', async () => {
    const { app } = chat
    const { key, keyId } = await app.account({ credits: '1' })
    const stream = await app.fetch('/v1/chat/completions', { key, ...chatBody('endless', { stream: true }) })
    const whole = app.fetch('/v1/chat/completions', { key, ...chatBody('silent') })
    const answers = Promise.withResolvers<void>()
    const looks = Promise.withResolvers<void>()
    const answer = subscribe(
      app,
      key,
      'subscription { chatCompletion(input: { model: "endless", messages: [{ role: USER, content: "Hi" }] }) { ... on ChatCompletionChunk { id } } }',
      answers.resolve,
    )
    const watch = subscribe(app, key, 'subscription { creditBalance { id } }', looks.resolve)
    const transport = new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 1,
        maxReconnectionDelay: 1,
        reconnectionDelayGrowFactor: 1,
      },
    })
    const session = new Client({ name: 'test', version: '1' })
    await session.connect(transport)
    await Promise.all([answers.promise, looks.promise, chat.provider.until(() => chat.provider.calls.length === 3)])
    const others = await app.account({ credits: '1' })
    const untouched = await app.fetch('/v1/chat/completions', { key: others.key, ...chatBody('endless', { stream: true }) })

    await revoke(keyId)
    const events = (await stream.text()).split('\n\n').filter((frame) => frame.startsWith('data: '))
    expect(events.at(-1)).toBe('data: [DONE]')
    expect(JSON.parse(events.at(-2)!.slice(6))).toMatchObject({ error: { type: 'authentication_error' } })
    expect((await whole).status).toBe(401)
    expect((await answer).at(-1)!.errors).toEqual([unauthenticated])
    expect((await watch).at(-1)!.errors).toEqual([unauthenticated])
    await expect(session.listTools()).rejects.toThrow()
    await session.close()

    // Both streams have delivered three words; the request that got nothing pays nothing.
    const { viewer } = await accountOf(key)
    expect(viewer.held).toBe('0.00')
    expect(viewer.usage.nodes.map(({ outcome, outputTokens }) => [outcome, outputTokens > 0])).toEqual([
      ['KEY_ENDED', expect.any(Boolean)],
      ['KEY_ENDED', expect.any(Boolean)],
      ['KEY_ENDED', expect.any(Boolean)],
    ])
    expect(viewer.usage.nodes.filter(({ outputTokens }) => outputTokens > 0)).toHaveLength(2)
    expect(1e9 - nano(viewer.balance)).toBe(viewer.usage.nodes.reduce((sum, { cost }) => sum + nano(cost), 0))

    const reader = untouched.body!.getReader()
    expect((await reader.read()).done).toBe(false)
    await reader.cancel()
  })

  /** Read by another key of the same account, since its own is gone. */
  async function accountOf(key: string) {
    const publicId = key.split('_')[1]
    const { accounts } = await chat.app.graphql<{
      accounts: {
        nodes: {
          keys: { nodes: { prefix: string }[] }
          balance: string
          held: string
          usage: { nodes: { outcome: string; outputTokens: number; cost: string }[] }
        }[]
      }
    }>('{ accounts { nodes { keys { nodes { prefix } } balance held usage { nodes { outcome outputTokens cost } } } } }')
    return { viewer: accounts.nodes.find(({ keys }) => keys.nodes.some(({ prefix }) => prefix.includes(publicId!)))! }
  }
})

describe('a key that ends elsewhere', () => {
  it('ends its subscriptions in every process on one PostgreSQL', async () => {
    await using database = await testLocation('postgres')
    const env = { SLUICE_DATABASE_URL: database.url, SLUICE_DATABASE_MIGRATE: 'true' }
    await using one = await startTestApp({ env: { ...env, SLUICE_ADMIN_KEY: 'the-key-of-both-administrators-0123456789' } })
    await using two = await startTestApp({ env: { ...env, SLUICE_ADMIN_KEY: one.adminKey } })
    const { key, keyId } = await one.account({ credits: '1' })
    const opened = Promise.withResolvers<void>()
    const watch = subscribe(two, key, 'subscription { creditBalance { id } }', opened.resolve)
    await opened.promise
    await one.graphql('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }', { id: keyId })
    expect((await watch).at(-1)!.errors).toEqual([unauthenticated])
  })

  it('ends its subscriptions when it expires', async () => {
    await using app = await startTestApp()
    const { createApiKey } = await app.graphql<{ createApiKey: { secret: string } }>(
      'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
      { input: { expiresAt: new Date(Date.now() + 4_000).toISOString() } },
    )
    const results = await subscribe(app, createApiKey.secret, 'subscription { creditBalance { id } }')
    expect(results.at(-1)!.errors).toEqual([unauthenticated])
  })
})

describe('the watch over keys', () => {
  it('looks every two seconds where announcements are lost, and asks again after a database that did not answer', async () => {
    const clock = new ManualClock()
    const requests = new OpenRequests()
    const asked: (readonly string[])[] = []
    let answer = (): Promise<string[]> => Promise.reject(new Error('the database is away'))
    const keys = {
      ended: (ids: readonly string[]) => {
        asked.push(ids)
        return answer()
      },
      onChange: () => () => undefined,
    }
    const stop = watchKeys({ keys, requests, clock })
    await clock.advance(2_000)
    expect(asked).toEqual([])
    const ended: unknown[] = []
    for (const keyId of ['key_1', 'key_2']) {
      const request = new IncomingMessage(new Socket())
      const opened = requests.add(request, new ServerResponse(request), () => undefined)
      opened.keyId = keyId
      opened.signal.addEventListener('abort', () => ended.push([keyId, opened.signal.reason]))
    }
    await clock.advance(2_000)
    expect(asked).toEqual([['key_1', 'key_2']])
    expect(ended).toEqual([])
    answer = async () => ['key_2']
    await clock.advance(2_000)
    expect(ended).toEqual([['key_2', expect.objectContaining({ code: 'authentication_error' })]])
    stop()
    await clock.advance(10_000)
    expect(asked).toHaveLength(2)
  })
})
