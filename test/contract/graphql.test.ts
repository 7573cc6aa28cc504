/** The same resolvers through GraphQL: mutation, subscription over server-sent events, joins, and what a caller may see. */
import { createClient } from 'graphql-sse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answersBoth, fails, streams } from '../kit/fake-provider-scenes.js'
import { nano, startChatApp, type ChatApp } from './chats/chat-app.js'

let chat: ChatApp

beforeAll(async () => {
  chat = await startChatApp({
    normal: answersBoth({ pieces: ['Hel', 'lo'] }),
    fault: streams({ pieces: ['Hel', 'lo'], ending: 'error_event' }),
    broken: fails(500),
    endless: streams({ pieces: Array.from({ length: 100 }, () => 'word '), betweenMs: 300 }),
  })
})
afterAll(() => chat.stop())

const messages = [{ role: 'USER', content: 'Hello' }]
const MUTATION = `mutation ($input: ChatCompletionInput!) {
  createChatCompletion(input: $input) {
    ... on ChatCompletion { id requestId created model choices { index message { role content } finishReason } usage { promptTokens completionTokens totalTokens } raw }
  }
}`
const SUBSCRIPTION = `subscription ($input: ChatCompletionInput!) {
  chatCompletion(input: $input) {
    ... on ChatCompletionChunk { id choices { delta { role content } finishReason } usage { totalTokens } }
  }
}`

interface Fault {
  readonly message: string
  readonly extensions: Record<string, unknown>
}

async function query(text: string, variables: object, key = chat.app.adminKey) {
  const response = await chat.app.fetch('/graphql', {
    method: 'POST',
    key,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: text, variables }),
  })
  return (await response.json()) as { data: Record<string, never> | null; errors?: Fault[] }
}

const sse = (key: string) =>
  createClient({ url: `${chat.app.url}/graphql`, headers: { authorization: `Bearer ${key}` }, retryAttempts: 0 })

describe('createChatCompletion', () => {
  it('answers typed fields and the raw object, and costs what REST costs', async () => {
    const { key } = await chat.app.account({ credits: '1' })
    const { data, errors } = await query(MUTATION, { input: { model: 'normal', messages, maxTokens: 50 } }, key)
    expect(errors).toBeUndefined()
    expect(data!['createChatCompletion']).toMatchObject({
      requestId: expect.stringMatching(/^req_/),
      model: 'normal',
      choices: [{ index: 0, message: { role: 'ASSISTANT', content: 'Hello' }, finishReason: 'stop' }],
      usage: { promptTokens: 11, completionTokens: 2, totalTokens: 13 },
      raw: { object: 'chat.completion', usage: { total_tokens: 13 } },
    })
    expect(1e9 - nano((await chat.app.credits(key)).balance)).toBe(15)
  })

  it('maps typed input to the provider, and extra fields unchanged', async () => {
    const input = {
      model: 'normal',
      messages: [{ role: 'TOOL', content: 'x', toolCallId: 'c1', extra: { vendor: 1 } }],
      topP: 0.5,
      extra: { top_k: 3 },
    }
    expect((await query(MUTATION, { input })).errors).toBeUndefined()
    expect(chat.provider.calls.at(-1)!.body).toMatchObject({
      messages: [{ role: 'tool', content: 'x', tool_call_id: 'c1', vendor: 1 }],
      top_p: 0.5,
      top_k: 3,
    })
  })

  it.each([
    [{ model: '', messages }, 'invalid_request_error', 'model', 400],
    [{ model: 'nope', messages }, 'model_not_found', 'model', 404],
    [{ model: 'broken', messages }, 'upstream_error', null, 502],
    [{ model: 'unpriced', messages }, 'pricing_pending', 'model', 400],
  ])('tells faults by code, param and status: %o', async (input, code, param, httpStatus) => {
    const { errors } = await query(MUTATION, { input })
    expect(errors![0]!.extensions).toMatchObject({ code, param, httpStatus })
  })

  it('does not echo a prompt in any error', async () => {
    const secret = 'the-prompt-that-must-not-come-back'
    for (const input of [
      { model: 'nope', messages: [{ role: 'USER', content: secret }] },
      { model: 'normal', messages: [{ role: secret, content: secret }] },
      { model: 'normal', messages: [{ role: 'USER', content: secret, unknown: secret }] },
      { model: 'normal', messages: [{ role: 'USER', content: secret }], temperature: 9 },
    ]) {
      const { errors } = await query(MUTATION, { input })
      expect(errors).toBeDefined()
      // graphql-js itself quotes a value that does not fit the schema: that is the caller's own document, so only ours count.
      for (const { message, extensions } of errors!) if ('httpStatus' in extensions) expect(message).not.toContain(secret)
    }
  })
})

describe('the subscription chatCompletion', () => {
  it('streams chunks to the official client, the last with usage, and is charged', async () => {
    const { key } = await chat.app.account({ credits: '1' })
    const client = sse(key)
    const chunks: { choices: { delta: { content: string | null } }[]; usage: { totalTokens: number } | null }[] = []
    for await (const { data, errors } of client.iterate<{ chatCompletion: never }>({
      query: SUBSCRIPTION,
      variables: { input: { model: 'normal', messages } },
    })) {
      expect(errors).toBeUndefined()
      chunks.push(data!.chatCompletion)
    }
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('Hello')
    expect(chunks.at(-1)!.usage).toEqual({ totalTokens: 13 })
    expect(1e9 - nano((await chat.app.credits(key)).balance)).toBe(15)
    client.dispose()
  })

  it('is refused before it starts when the input is wrong, and nothing is called', async () => {
    const before = chat.provider.calls.length
    const client = sse(chat.app.adminKey)
    // The protocol wants what does not fit the schema as an event: a client in a browser cannot read the body of a 400.
    const { value: misfit } = await client
      .iterate({ query: SUBSCRIPTION, variables: { input: { model: 'normal', messages: 'x' } } })
      .next()
    expect(misfit!.errors![0]).toMatchObject({
      message: expect.stringContaining('input.messages') as string,
      extensions: { code: 'BAD_USER_INPUT' },
    })
    const { value: typed } = await client
      .iterate({ query: SUBSCRIPTION, variables: { input: { model: 'normal', messages: [] } } })
      .next()
    expect(typed!.errors![0]!.extensions).toMatchObject({ code: 'invalid_request_error', param: 'messages' })
    expect(chat.provider.calls.length).toBe(before)
    client.dispose()
  })

  it('tells of a broken stream with an error after the chunks', async () => {
    const client = sse(chat.app.adminKey)
    const results: { data?: unknown; errors?: readonly { extensions?: object }[] }[] = []
    for await (const result of client.iterate({ query: SUBSCRIPTION, variables: { input: { model: 'fault', messages } } }))
      results.push(result)
    expect(results.length).toBeGreaterThan(1)
    expect(results.at(-1)!.errors![0]!.extensions).toMatchObject({ code: 'upstream_error' })
    client.dispose()
  })

  it('without a key is refused', async () => {
    const client = createClient({ url: `${chat.app.url}/graphql`, retryAttempts: 0 })
    const { value } = await client.iterate({ query: SUBSCRIPTION, variables: { input: { model: 'normal', messages } } }).next()
    expect(value!.errors![0]!.extensions).toMatchObject({
      code: 'UNAUTHENTICATED',
      type: 'authentication_error',
      httpStatus: 401,
    })
    client.dispose()
  })

  it('that is left ends the provider call and is settled', async () => {
    const { key } = await chat.app.account({ credits: '1' })
    const client = sse(key)
    const events = client.iterate({ query: SUBSCRIPTION, variables: { input: { model: 'endless', messages } } })
    await events.next()
    await events.return?.()
    await chat.provider.until(() => chat.provider.openCalls === 0)
    await expect.poll(async () => (await chat.app.credits(key)).held).toBe('0.00')
    client.dispose()
  })
})

describe('creditBalance', () => {
  it('sends the balance now and after every charge', async () => {
    const { key } = await chat.app.account({ credits: '1' })
    const client = sse(key)
    const events = client.iterate<{ creditBalance: { balance: string } }>({ query: 'subscription { creditBalance { balance } }' })
    expect((await events.next()).value!.data!.creditBalance.balance).toBe('1.00')
    await chat.app.openai(key).chat.completions.create({ model: 'normal', messages: [{ role: 'user', content: 'x' }] })
    // The hold of the request is told as well, and may come on its own.
    let told = '1.00'
    while (told === '1.00') told = (await events.next()).value!.data!.creditBalance.balance
    expect(told).toBe('0.999999985')
    await events.return?.()
    client.dispose()
  })
})

describe('accounts', () => {
  it('stores each charge with its price version, its route and where the counts come from', async () => {
    const { key, keyId } = await chat.app.account({ credits: '1' })
    await chat.app.openai(key).chat.completions.create({ model: 'normal', messages: [{ role: 'user', content: 'x' }] })
    const { viewer } = await chat.app.graphql<{
      viewer: { usage: { nodes: Record<string, unknown>[] }; entries: { nodes: Record<string, unknown>[] } }
    }>(
      `{ viewer {
        usage(first: 1) { nodes { id keyId modelId deploymentId priceVersionId inputTokens outputTokens usageSource cost outcome route { requested servedBy candidates { deploymentId reason } } } }
        entries(first: 5) { nodes { amount kind holdId } }
      } }`,
      {},
      key,
    )
    expect(viewer.usage.nodes[0]).toMatchObject({
      keyId,
      modelId: 'normal',
      deploymentId: 'normal@p1',
      priceVersionId: expect.any(String) as string,
      inputTokens: 11,
      outputTokens: 2,
      usageSource: 'REPORTED',
      cost: '0.000000015',
      outcome: 'COMPLETED',
      route: { requested: 'normal', servedBy: 'normal@p1' },
    })
    expect(viewer.entries.nodes).toMatchObject([
      { amount: '-0.000000015', kind: 'CHARGE', holdId: viewer.usage.nodes[0]!['id'] },
      { amount: '1.00', kind: 'TOP_UP', holdId: null },
    ])
  })

  it('of others do not exist: not as account, key, usage record or entity', async () => {
    const [mine, theirs] = [await chat.app.account({ credits: '1' }), await chat.app.account({ credits: '1' })]
    expect((await query('query ($id: ID!) { account(id: $id) { balance } }', { id: theirs.id }, mine.key)).data).toEqual({
      account: null,
    })
    for (const mutation of [
      'revokeApiKey(input: { id: $id }) { apiKey { id } }',
      'rotateApiKey(input: { id: $id }) { secret }',
    ]) {
      const { errors } = await query(`mutation ($id: ID!) { ${mutation} }`, { id: theirs.keyId }, mine.key)
      expect(errors![0]!.extensions).toMatchObject({ code: 'not_found' })
    }
    const refused = await query(
      'mutation ($id: ID!) { createApiKey(input: { accountId: $id }) { secret } }',
      { id: theirs.id },
      mine.key,
    )
    expect(refused.errors![0]!.extensions).toMatchObject({ code: 'not_found' })
  })

  it('cannot be made stronger from inside: a key hands out no scope that it lacks', async () => {
    const { id } = await chat.app.account()
    const { createApiKey: strong } = await chat.app.graphql<{ createApiKey: { apiKey: { id: string } } }>(
      'mutation ($id: ID!) { createApiKey(input: { accountId: $id, scopes: [ADMIN] }) { apiKey { id } } }',
      { id },
    )
    const { createApiKey: weak } = await chat.app.graphql<{ createApiKey: { secret: string } }>(
      'mutation ($id: ID!) { createApiKey(input: { accountId: $id, scopes: [CHAT] }) { secret } }',
      { id },
    )
    const made = await query('mutation { createApiKey(input: { scopes: [ADMIN] }) { secret } }', {}, weak.secret)
    const rotated = await query(
      'mutation ($id: ID!) { rotateApiKey(input: { id: $id }) { secret } }',
      { id: strong.apiKey.id },
      weak.secret,
    )
    for (const { errors } of [made, rotated])
      expect(errors![0]!.extensions).toMatchObject({ code: 'insufficient_scope', httpStatus: 403 })
    for (const operation of ['accounts { nodes { id } }', 'rent: accounts { nodes { id } }']) {
      expect((await query(`{ ${operation} }`, {}, weak.secret)).errors![0]!.extensions).toMatchObject({
        code: 'insufficient_scope',
      })
    }
  })
})
