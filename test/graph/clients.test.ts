/** The GraphQL clients that people use, as they come: queries, mutations, subscriptions and errors on a running server. */
import { ApolloClient, ApolloLink, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { cacheExchange, Client, fetchExchange, subscriptionExchange, type SubscriptionForwarder } from '@urql/core'
import { OperationTypeNode, print } from 'graphql'
import { createClient } from 'graphql-sse'
import {
  commitMutation,
  Environment,
  fetchQuery,
  Network,
  Observable as RelayObservable,
  RecordSource,
  requestSubscription,
  Store,
  type ConcreteRequest,
} from 'relay-runtime'
import { firstValueFrom, Observable, toArray } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answersBoth, streams } from '../kit/fake-provider-scenes.js'
import { startChatApp, type ChatApp } from '../contract/chats/chat-app.js'

let chat: ChatApp
let url: string
let headers: { authorization: string }

beforeAll(async () => {
  chat = await startChatApp({
    normal: answersBoth({ pieces: ['Hel', 'lo'] }),
    fault: streams({ pieces: ['Hel', 'lo'], ending: 'error_event' }),
  })
  url = `${chat.app.url}/graphql`
  headers = { authorization: `Bearer ${(await chat.app.account({ credits: '1' })).key}` }
})
afterAll(() => chat.stop())

const QUERY = 'query Balance { viewer { id balance } }'
const MUTATION = `mutation Ask($input: ChatCompletionInput!) {
  createChatCompletion(input: $input) { ... on ChatCompletion { choices { message { content } } } }
}`
const SUBSCRIPTION = `subscription Talk($input: ChatCompletionInput!) {
  chatCompletion(input: $input) { ... on ChatCompletionChunk { choices { delta { content } } } }
}`
const input = (model: string) => ({ input: { model, messages: [{ role: 'USER', content: 'Hello' }] } })
const WRONG = { input: { model: 'normal', messages: 'Hello' } }

interface Chunk {
  readonly chatCompletion: { readonly choices: readonly { readonly delta: { readonly content: string | null } }[] }
}
const textOf = (chunks: readonly unknown[]) =>
  (chunks as Chunk[]).map(({ chatCompletion }) => chatCompletion.choices[0]?.delta.content ?? '').join('')

interface GraphFault {
  readonly message: string
  readonly extensions?: Record<string, unknown>
}
const codeOf = (error: GraphFault | undefined) => error?.extensions?.['code']

describe('urql', () => {
  const forwardSubscription: SubscriptionForwarder = ({ query, variables }) => ({
    subscribe(sink) {
      const events = createClient({ url, headers })
      return { unsubscribe: events.subscribe({ query: query!, variables: variables as Record<string, unknown> }, sink as never) }
    },
  })
  const plain = () =>
    new Client({ url, exchanges: [cacheExchange, fetchExchange], fetchOptions: { headers }, preferGetMethod: 'within-url-limit' })
  const withFetch = () =>
    new Client({ url, exchanges: [fetchExchange], fetchOptions: { headers }, fetchSubscriptions: true, preferGetMethod: false })
  const withSse = () =>
    new Client({
      url,
      exchanges: [fetchExchange, subscriptionExchange({ forwardSubscription })],
      fetchOptions: { headers },
      preferGetMethod: false,
    })

  it.each([
    ['by GET', plain],
    ['by POST', withFetch],
  ])('queries %s', async (_, client) => {
    const { data, error } = await client().query<{ viewer: { balance: string } }>(QUERY, {}).toPromise()
    expect(error).toBeUndefined()
    expect(Number(data!.viewer.balance)).toBeGreaterThan(0)
  })

  it('runs mutations', async () => {
    const { data, error } = await plain().mutation(MUTATION, input('normal')).toPromise()
    expect(error).toBeUndefined()
    expect(data).toMatchObject({ createChatCompletion: { choices: [{ message: { content: 'Hello' } }] } })
  })

  it.each([
    ['fetchSubscriptions', withFetch],
    ['subscriptionExchange and graphql-sse', withSse],
  ])('subscribes with %s, and hears of a stream that breaks', async (_, client) => {
    const results = (model: string) =>
      new Promise<{ data?: unknown; error?: { graphQLErrors: GraphFault[] } | undefined }[]>((resolve) => {
        const all: { data?: unknown; error?: { graphQLErrors: GraphFault[] } | undefined }[] = []
        client()
          .subscription(SUBSCRIPTION, input(model))
          .subscribe((result) => {
            if (result.data || result.error) all.push(result)
            if (!result.hasNext) resolve(all)
          })
      })
    const whole = await results('normal')
    expect(whole.every(({ error }) => error === undefined)).toBe(true)
    expect(textOf(whole.map(({ data }) => data))).toContain('Hello')
    const broken = await results('fault')
    expect(codeOf(broken.findLast(({ error }) => error)?.error!.graphQLErrors[0])).toBe('upstream_error')
  })

  it.each([
    ['queries', () => plain().query('query ($l: Int) { models(limit: $l) { __typename } }', { l: 'x' }).toPromise()],
    ['mutations', () => plain().mutation(MUTATION, WRONG).toPromise()],
    ['subscriptions by fetch', () => withFetch().subscription(SUBSCRIPTION, WRONG).toPromise()],
    ['subscriptions by graphql-sse', () => withSse().subscription(SUBSCRIPTION, WRONG).toPromise()],
  ])('shows the code of a mistake in %s', async (_, ask) => {
    const { error } = await ask()
    expect(codeOf(error!.graphQLErrors[0])).toBe('BAD_USER_INPUT')
  })
})

describe('Apollo Client', () => {
  const events = () => {
    const sse = createClient({ url, headers })
    return new ApolloLink(
      ({ query, variables, operationName }) =>
        new Observable((sink) =>
          sse.subscribe({ query: print(query), variables, ...(operationName && { operationName }) }, sink as never),
        ),
    )
  }
  const http = () => new HttpLink({ uri: url, headers })
  const client = (link: ApolloLink = http()) => new ApolloClient({ link, cache: new InMemoryCache() })
  const withSse = () => {
    const isSubscription = ({ operationType }: ApolloLink.Operation) => operationType === OperationTypeNode.SUBSCRIPTION
    return client(ApolloLink.split(isSubscription, events(), http()))
  }

  it('queries and runs mutations', async () => {
    const { data } = await client().query<{ viewer: { balance: string } }>({ query: gql(QUERY) })
    expect(Number(data!.viewer.balance)).toBeGreaterThan(0)
    const asked = await client().mutate({ mutation: gql(MUTATION), variables: input('normal') })
    expect(asked.data).toMatchObject({ createChatCompletion: { choices: [{ message: { content: 'Hello' } }] } })
  })

  it.each([
    ['HttpLink alone', () => client()],
    ['graphql-sse', withSse],
  ])('subscribes with %s, and hears of a stream that breaks', async (_, clientOf) => {
    const results = (model: string) =>
      firstValueFrom(
        clientOf()
          .subscribe({ query: gql(SUBSCRIPTION), variables: input(model) })
          .pipe(toArray()),
      )
    const whole = await results('normal')
    expect(whole.every(({ error }) => error === undefined)).toBe(true)
    expect(textOf(whole.map(({ data }) => data))).toContain('Hello')
    const { error } = (await results('fault')).at(-1)!
    expect(codeOf((error as CombinedGraphQLErrors).errors[0])).toBe('upstream_error')
  })

  it('shows the code of a mistake', async () => {
    const wrongQuery = { query: gql('query ($l: Int) { models(limit: $l) { __typename } }'), variables: { l: 'x' } }
    const wrong = [
      () => client().query(wrongQuery),
      () => client().mutate({ mutation: gql(MUTATION), variables: WRONG }),
      ...[() => client(), withSse].map((clientOf) => async () => {
        const { error } = await firstValueFrom(clientOf().subscribe({ query: gql(SUBSCRIPTION), variables: WRONG }))
        throw error!
      }),
    ]
    for (const attempt of wrong) {
      const error: unknown = await attempt().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(CombinedGraphQLErrors)
      expect(codeOf((error as CombinedGraphQLErrors).errors[0])).toBe('BAD_USER_INPUT')
    }
  })
})

describe('graphql-sse', () => {
  it('runs queries, mutations and subscriptions', async () => {
    const client = createClient({ url, headers })
    const { value: balance } = await client.iterate<{ viewer: { balance: string } }>({ query: QUERY }).next()
    expect(Number(balance!.data!.viewer.balance)).toBeGreaterThan(0)
    const { value: asked } = await client.iterate({ query: MUTATION, variables: input('normal') }).next()
    expect(asked).toMatchObject({ data: { createChatCompletion: { choices: [{ message: { content: 'Hello' } }] } } })
    const chunks: unknown[] = []
    for await (const { data } of client.iterate({ query: SUBSCRIPTION, variables: input('normal') })) chunks.push(data)
    expect(textOf(chunks)).toBe('Hello')
    client.dispose()
  })
})

/** What relay-compiler makes of `{ account { id balance } }`. */
function compiled(kind: 'query' | 'mutation' | 'subscription', field: string, text: string): ConcreteRequest {
  const scalar = (name: string) => ({ alias: null, args: null, kind: 'ScalarField', name, storageKey: null }) as const
  const linked = (name: string, concreteType: string, selections: readonly object[], args: readonly object[] | null = null) =>
    ({ alias: null, args, concreteType, kind: 'LinkedField', name, plural: false, selections, storageKey: null }) as const
  const money = [scalar('id'), scalar('balance')]
  const input = text.includes('$input')
  const args = input ? [{ kind: 'Variable', name: 'input', variableName: 'input' }] : null
  // A mutation answers a payload that holds the account.
  const selections =
    kind === 'mutation'
      ? [linked(field, 'CreateAccountPayload', [linked('account', 'Account', money)], args)]
      : [linked(field, 'Account', money, args)]
  const argumentDefinitions = input ? [{ defaultValue: null, kind: 'LocalArgument', name: 'input' } as const] : []
  const type = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }[kind]
  return {
    kind: 'Request',
    fragment: { argumentDefinitions, kind: 'Fragment', metadata: null, name: 'Test', selections, type, abstractKey: null },
    operation: { argumentDefinitions, kind: 'Operation', name: 'Test', selections },
    params: { cacheID: text, id: null, metadata: {}, name: 'Test', operationKind: kind, text },
  } as unknown as ConcreteRequest
}

describe('Relay', () => {
  const environment = (key: string) => {
    const authorization = `Bearer ${key}`
    const events = createClient({ url, headers: { authorization } })
    const network = Network.create(
      async ({ text }, variables) => {
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            Accept: 'application/graphql-response+json; charset=utf-8, application/json; charset=utf-8',
            'Content-Type': 'application/json',
            authorization,
          },
          body: JSON.stringify({ query: text, variables }),
        })
        return (await response.json()) as never
      },
      ({ text, name }, variables) =>
        RelayObservable.create((sink) => events.subscribe({ query: text!, operationName: name, variables }, sink as never)),
    )
    return new Environment({ network, store: new Store(new RecordSource()) })
  }

  it('queries, runs mutations and subscribes through its network layer', async () => {
    const { adminKey } = chat.app
    const viewer = compiled('query', 'viewer', 'query Test { viewer { id balance } }')
    const before = (await fetchQuery(environment(adminKey), viewer, {}).toPromise()) as { viewer: { id: string } }
    expect(before.viewer.id).toMatch(/^acc_/)
    const create = compiled(
      'mutation',
      'createAccount',
      'mutation Test($input: CreateAccountInput!) { createAccount(input: $input) { account { id balance } } }',
    )
    const created = await new Promise((resolve, reject) =>
      commitMutation(environment(adminKey), {
        mutation: create,
        variables: { input: { name: 'relay', credits: '2' } },
        onCompleted: resolve,
        onError: reject,
      }),
    )
    expect(created).toMatchObject({ createAccount: { account: { balance: '2.00' } } })
    const subscription = compiled('subscription', 'creditBalance', 'subscription Test { creditBalance { id balance } }')
    const event = await new Promise((resolve, reject) => {
      const { dispose } = requestSubscription(environment(adminKey), {
        subscription,
        variables: {},
        onNext(data) {
          resolve(data)
          dispose()
        },
        onError: reject,
      })
    })
    expect(event).toMatchObject({ creditBalance: { id: before.viewer.id } })
  })

  it('shows a mistake', async () => {
    const wrong = compiled('query', 'viewer', 'query Test { viewer { id balances } }')
    await expect(fetchQuery(environment(chat.app.adminKey), wrong, {}).toPromise()).rejects.toThrow('Cannot query field')
  })
})
