/** The same service through the graph: typed fields, raw objects, errors and events. */
import { createSourceEventStream, execute, parse, subscribe, type ExecutionResult } from 'graphql'
import { describe, expect, it } from 'vitest'
import { AppError } from '#platform/errors.js'
import { buildSubgraphSchema } from '../../src/graph/composition/subgraph-schema.js'
import { ChatCompletionChunk } from '../../subgraphs/inference/index.js'
import { answersBoth, echoes, streams } from '../kit/fake-provider-scenes.js'
import { startFakeProvider } from '../kit/fake-provider.js'
import { body, candidate, chatKit, contextFor, toArray } from './chat-kit.js'

const PIECES = ['Hel', 'lo']

async function graph(scene = answersBoth({ pieces: PIECES })) {
  const provider = await startFakeProvider(scene)
  const kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
  const { schema, sdl } = buildSubgraphSchema(kit.subgraph)
  const run = (document: string, input: object, context = contextFor()) =>
    execute({ schema, document: parse(document), variableValues: { input }, contextValue: context }) as Promise<
      ExecutionResult<Record<string, never>>
    >
  const end = async () => {
    await kit[Symbol.asyncDispose]()
    await provider.stop()
  }
  return { provider, kit, schema, sdl, run, [Symbol.asyncDispose]: end }
}

const MUTATION = `mutation ($input: ChatCompletionInput!) {
  createChatCompletion(input: $input) {
    __typename
    ... on ChatCompletion {
      id object created model
      choices { index finishReason message { role content toolCalls } }
      usage { promptTokens completionTokens totalTokens }
      raw
    }
  }
}`
const RAW_MUTATION = `mutation ($input: ChatCompletionInput!) { createChatCompletion(input: $input) { __typename ... on ChatCompletion { raw } } }`
const SUBSCRIPTION = `subscription ($input: ChatCompletionInput!) {
  chatCompletion(input: $input) { ... on ChatCompletionChunk { choices { delta { role content } finishReason } usage { totalTokens } } }
}`

describe('createChatCompletion', () => {
  it('gives each call of one operation a hold of its own', async () => {
    await using setup = await graph()
    const context = contextFor()
    const twice = `mutation ($input: ChatCompletionInput!) {
      a: createChatCompletion(input: $input) { __typename }
      b: createChatCompletion(input: $input) { __typename }
    }`
    const { errors } = await setup.run(twice, { extra: body() }, context)
    expect(errors).toBeUndefined()
    expect(setup.kit.ledger.usage.map(({ requestId }) => requestId)).toEqual([context.requestId, `${context.requestId}.2`])
  })

  it('has typed fields and the raw answer', async () => {
    await using setup = await graph()
    const input = { model: 'my-model', messages: [{ role: 'user', content: 'Hello' }], maxTokens: 100 }
    const { data, errors } = await setup.run(MUTATION, input)
    expect(errors).toBeUndefined()
    expect(data!['createChatCompletion']).toMatchObject({
      __typename: 'ChatCompletion',
      model: 'my-model',
      choices: [{ index: 0, finishReason: 'stop', message: { role: 'assistant', content: 'Hello', toolCalls: null } }],
      usage: { promptTokens: 11, completionTokens: 2, totalTokens: 13 },
      raw: { object: 'chat.completion', usage: { total_tokens: 13 } },
    })
  })

  it('maps typed fields and passes everything else on unchanged', async () => {
    await using setup = await graph(echoes)
    const input = {
      model: 'my-model',
      topP: 0.5,
      maxTokens: 9,
      stop: ['a'],
      toolChoice: 'auto',
      responseFormat: { type: 'text' },
      messages: [{ role: 'tool', content: [{ type: 'text', text: 'x' }], toolCallId: 'c', name: 'n', extra: { y: 1 } }],
      extra: { reasoning_effort: 'low', max_tokens: 1 },
    }
    await setup.run(RAW_MUTATION, input)
    expect(setup.provider.calls[0]!.body).toEqual({
      model: 'vendor/model',
      stream: false,
      top_p: 0.5,
      max_tokens: 9,
      stop: ['a'],
      tool_choice: 'auto',
      response_format: { type: 'text' },
      reasoning_effort: 'low',
      messages: [{ role: 'tool', content: [{ type: 'text', text: 'x' }], tool_call_id: 'c', name: 'n', y: 1 }],
    })
  })

  it('takes a whole OpenAI-shaped body as `extra`', async () => {
    await using setup = await graph(echoes)
    const request = body({ anything: { deep: [1, null] } })
    await setup.run(RAW_MUTATION, { extra: request })
    expect(setup.provider.calls[0]!.body).toEqual({ ...request, model: 'vendor/model', stream: false })
  })

  it('refuses with the code and param of the error table, before any call or hold', async () => {
    await using setup = await graph()
    const { errors } = await setup.run(RAW_MUTATION, { extra: { model: 'my-model' } })
    expect(errors![0]!.originalError).toBeInstanceOf(AppError)
    expect(errors![0]!.originalError).toMatchObject({ code: 'invalid_request_error', param: 'messages' })
    expect(setup.kit.ledger.holds.size).toBe(0)
  })
})

describe('chatCompletion', () => {
  it('yields typed chunks', async () => {
    await using setup = await graph()
    const document = parse(SUBSCRIPTION)
    const result = await subscribe({
      schema: setup.schema,
      document,
      variableValues: { input: { extra: body() } },
      contextValue: contextFor(),
    })
    const events = await toArray(
      result as AsyncIterable<{ data: { chatCompletion: { choices: { delta: { content: string } }[]; usage: unknown } } }>,
    )
    expect(events.map(({ data }) => data.chatCompletion.choices[0]!.delta.content).join('')).toBe('Hello')
    expect(events.at(-1)!.data.chatCompletion.usage).toEqual({ totalTokens: 13 })
  })

  it('gives the source event stream chunks with their text', async () => {
    await using setup = await graph()
    const document = parse(SUBSCRIPTION)
    const source = await createSourceEventStream({
      schema: setup.schema,
      document,
      variableValues: { input: { extra: body() } },
      contextValue: contextFor(),
    })
    const events = await toArray(source as AsyncIterable<ChatCompletionChunk>)
    expect(events.every((event) => event instanceof ChatCompletionChunk)).toBe(true)
    expect(events[0]!.payload).toMatch(/^\{"id":"chatcmpl-.*\}$/)
  })

  it('refuses before the stream, without a hold or a provider call', async () => {
    await using setup = await graph()
    for (const [extra, context, code] of [
      [{ model: 'my-model' }, contextFor(), 'invalid_request_error'],
      [body(), contextFor({ principal: null }), 'authentication_error'],
      [body({ model: 'nope' }), contextFor(), 'model_not_found'],
    ] as const) {
      const result = await subscribe({
        schema: setup.schema,
        document: parse(SUBSCRIPTION),
        variableValues: { input: { extra } },
        contextValue: context,
      })
      expect((result as ExecutionResult).errors![0]!.originalError).toMatchObject({ code })
    }
    expect(setup.kit.ledger.holds.size).toBe(0)
    expect(setup.provider.calls).toHaveLength(0)
  })

  it('tells of a broken stream as an error after its chunks', async () => {
    await using setup = await graph(streams({ pieces: PIECES, ending: 'reset' }))
    const result = await subscribe({
      schema: setup.schema,
      document: parse(SUBSCRIPTION),
      variableValues: { input: { extra: body() } },
      contextValue: contextFor(),
    })
    const events = await toArray(result as AsyncIterable<ExecutionResult>)
    expect(events.slice(0, -1).every(({ errors }) => errors === undefined)).toBe(true)
    expect(events.at(-1)!.errors![0]!.originalError).toMatchObject({ code: 'upstream_error' })
  })
})

describe('UsageRecord.route', () => {
  it('joins the stored explanation to usage records of other subgraphs', async () => {
    await using setup = await graph()
    const context = contextFor()
    await setup.run(RAW_MUTATION, { extra: body() }, context)
    const document = parse(
      `query ($refs: [_Any!]!) { _entities(representations: $refs) { ... on UsageRecord { id route { servedBy candidates { deploymentId kept reason effectivePrice } attempts { outcome } } } } }`,
    )
    const refs = [context.requestId, 'unknown'].map((id) => ({ __typename: 'UsageRecord', id }))
    const { data, errors } = (await execute({
      schema: setup.schema,
      document,
      variableValues: { refs },
      contextValue: context,
    })) as ExecutionResult<{ _entities: unknown[] }>
    expect(errors).toBeUndefined()
    expect(data!._entities).toMatchObject([
      {
        id: context.requestId,
        route: {
          servedBy: 'dep-1',
          candidates: [{ deploymentId: 'dep-1', kept: true, reason: 'cheapest' }],
          attempts: [{ outcome: 'answered' }],
        },
      },
      { id: 'unknown', route: null },
    ])
  })

  it('is described, like every type, field and argument of the subgraph', async () => {
    await using setup = await graph()
    const types = Object.values(setup.schema.getTypeMap()).filter(
      ({ name }) =>
        !name.startsWith('_') &&
        !['Query', 'Mutation', 'Subscription', 'FieldSet', 'Int', 'Float', 'String', 'Boolean', 'ID'].includes(name),
    )
    const missing = types.flatMap((type) => {
      const fields = 'getFields' in type ? Object.values(type.getFields()) : []
      return [type, ...fields].filter(({ description }) => !description).map(({ name }) => `${type.name}.${name}`)
    })
    expect(missing).toEqual([])
    expect(setup.sdl).toContain('type UsageRecord @key(fields: "id")')
  })
})
