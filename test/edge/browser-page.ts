/** What the page of browser-apps.browser.test.ts runs: the SDKs as an application would bundle them. */
import { Client, fetchExchange } from '@urql/core'
import { createClient } from 'graphql-sse'
import OpenAI, { APIConnectionError, type APIError } from 'openai'

const MESSAGES = [{ role: 'user' as const, content: 'Hello' }]
const SUBSCRIPTION = `subscription ($input: ChatCompletionInput!) {
  chatCompletion(input: $input) { ... on ChatCompletionChunk { choices { delta { content } } } }
}`
const VARIABLES = { input: { model: 'normal', messages: MESSAGES.map((message) => ({ ...message, role: 'USER' })) } }

interface Chunk {
  readonly chatCompletion: { readonly choices: readonly { readonly delta: { readonly content: string | null } }[] }
}
const textOf = (chunks: readonly Chunk[]) =>
  chunks.map(({ chatCompletion }) => chatCompletion.choices[0]?.delta.content ?? '').join('')

const openai = (url: string, apiKey: string) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey, dangerouslyAllowBrowser: true, maxRetries: 0 })

const tasks = {
  async chat(url: string, key: string) {
    const { data, response } = await openai(url, key)
      .chat.completions.create({ model: 'normal', messages: MESSAGES })
      .withResponse()
    return { text: data.choices[0]!.message.content, requestId: response.headers.get('x-request-id') }
  },

  async stream(url: string, key: string) {
    let text = ''
    for await (const { choices } of await openai(url, key).chat.completions.create({
      model: 'normal',
      messages: MESSAGES,
      stream: true,
    }))
      text += choices[0]?.delta.content ?? ''
    return { text }
  },

  async fault(url: string) {
    const error: unknown = await openai(url, 'wrong')
      .models.list()
      .catch((thrown: unknown) => thrown)
    if (error instanceof APIConnectionError) return { isBlocked: true }
    const { status, type, requestID: requestId } = error as APIError
    return { status, type, requestId }
  },

  async urql(url: string, key: string) {
    const client = new Client({
      url: `${url}/graphql`,
      exchanges: [fetchExchange],
      fetchOptions: { headers: { authorization: `Bearer ${key}` } },
      fetchSubscriptions: true,
      preferGetMethod: 'within-url-limit',
    })
    const query = await client.query<{ viewer: { id: string } }>('{ viewer { id } }', {}).toPromise()
    const mistake = await client.query('query ($l: Int) { models(limit: $l) { __typename } }', { l: 'x' }).toPromise()
    const chunks = await new Promise<Chunk[]>((resolve, reject) => {
      const all: Chunk[] = []
      client.subscription<Chunk>(SUBSCRIPTION, VARIABLES).subscribe(({ data, error, hasNext }) => {
        if (error) reject(error)
        else if (hasNext && data) all.push(data)
        else resolve(data && all.length === 0 ? [data] : all)
      })
    })
    return { id: query.data?.viewer.id, mistake: mistake.error?.graphQLErrors[0]?.extensions['code'], text: textOf(chunks) }
  },

  async sse(url: string, key: string) {
    const client = createClient({ url: `${url}/graphql`, headers: { authorization: `Bearer ${key}` }, retryAttempts: 0 })
    const chunks: Chunk[] = []
    for await (const { data } of client.iterate<Chunk>({ query: SUBSCRIPTION, variables: VARIABLES })) if (data) chunks.push(data)
    return { text: textOf(chunks) }
  },
}

export type Task = keyof typeof tasks

Object.assign(globalThis, {
  run: async (task: Task, url: string, key: string): Promise<object> =>
    tasks[task](url, key).catch((error: unknown) => ({ failed: String(error) })),
})
