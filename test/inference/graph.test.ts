/** The same service through the graph: typed fields, raw objects, errors and events. */
import { createSourceEventStream, execute, parse, subscribe, type ExecutionResult } from 'graphql'
import { describe, expect, it } from 'vitest'
import { AppError } from '#platform/errors.js'
import { buildSubgraphSchema } from '../../src/graph/composition/subgraph-schema.js'
import { ChatStreamFault } from '../../subgraphs/inference/chat/chat-type.js'
import { ChatCompletionChunk } from '../../subgraphs/inference/index.js'
import { answersBoth, echoes, streams } from '../kit/fake-provider-scenes.js'
import { startFakeProvider } from '../kit/fake-provider.js'
import { body, candidate, chatKit, contextFor, toArray } from './chat-kit.js'

const PIECES = ['Hel', 'lo']

async function graph(scene = answersBoth({ pieces: PIECES })) {
  const provider = await startFakeProvider(scene)
  const kit = chatKit({ deployments: [candidate(provider.baseUrl)] })
  const { schema, sdl } = buildSubgraphSchema(kit.subgraph)
  const run = (document: string, variableValues: Record<string, unknown>, context = contextFor()) =>
    execute({ schema, document: parse(document), variableValues, contextValue: context }) as Promise<
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
      id requestId created model
      choices { index finishReason message { role content toolCalls { id } } }
      usage { promptTokens completionTokens totalTokens }
      raw
    }
  }
}`
const RAW_MUTATION = `mutation ($body: JSONObject!) { createChatCompletionRaw(body: $body) { __typename ... on ChatCompletion { raw } } }`
const SUBSCRIPTION = `subscription ($body: JSONObject!) {
  chatCompletionRaw(body: $body) { ... on ChatCompletionChunk { choices { delta { role content } finishReason } usage { totalTokens } } }
}`

describe('createChatCompletion', () => {
  it('gives each call of one operation a hold of its own', async () => {
    await using setup = await graph()
    const context = contextFor()
    const twice = `mutation ($body: JSONObject!) {
      a: createChatCompletionRaw(body: $body) { ... on ChatCompletion { requestId } }
      b: createChatCompletionRaw(body: $body) { ... on ChatCompletion { requestId } }
    }`
    const { data, errors } = await setup.run(twice, { body: body() }, context)
    expect(errors).toBeUndefined()
    const ids = [context.requestId, `${context.requestId}.2`]
    expect(setup.kit.ledger.usage.map(({ requestId }) => requestId)).toEqual(ids)
    expect(data).toEqual({ a: { requestId: ids[0] }, b: { requestId: ids[1] } })
  })

  it('has typed fields and the raw answer', async () => {
    await using setup = await graph()
    const input = { model: 'my-model', messages: [{ role: 'USER', content: 'Hello' }], maxTokens: 100 }
    const { data, errors } = await setup.run(MUTATION, { input })
    expect(errors).toBeUndefined()
    expect(data!['createChatCompletion']).toMatchObject({
      __typename: 'ChatCompletion',
      model: 'my-model',
      choices: [{ index: 0, finishReason: 'stop', message: { role: 'ASSISTANT', content: 'Hello', toolCalls: null } }],
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
      tools: [{ function: { name: 'f', parameters: { type: 'object' } } }],
      toolChoice: { function: 'f' },
      responseFormat: { type: 'JSON_SCHEMA', jsonSchema: { name: 's', schema: { type: 'object' } } },
      messages: [
        { role: 'USER', parts: [{ text: 'x' }, { image: { url: 'data:,' } }, { raw: { type: 'odd' } }] },
        { role: 'ASSISTANT', content: null, toolCalls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] },
        { role: 'TOOL', content: 'y', toolCallId: 'c', name: 'n', extra: { y: 1 } },
      ],
      extra: { reasoning_effort: 'low', max_tokens: 1 },
    }
    expect((await setup.run(MUTATION, { input })).errors).toBeUndefined()
    expect(setup.provider.calls[0]!.body).toEqual({
      model: 'vendor/model',
      stream: false,
      top_p: 0.5,
      max_tokens: 9,
      stop: ['a'],
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
      tool_choice: { type: 'function', function: { name: 'f' } },
      response_format: { type: 'json_schema', json_schema: { name: 's', schema: { type: 'object' } } },
      reasoning_effort: 'low',
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: 'x' }, { type: 'image_url', image_url: { url: 'data:,' } }, { type: 'odd' }],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', content: 'y', tool_call_id: 'c', name: 'n', y: 1 },
      ],
    })
  })

  it.each([
    [{ maxTokens: 0 }, 'maxTokens'],
    [{ topP: 2 }, 'topP'],
    [{ toolChoice: {} }, 'toolChoice'],
    [{ toolChoice: { mode: 'AUTO', function: 'f' } }, 'toolChoice'],
    [{ messages: [] }, 'messages'],
    [{ messages: [{ role: 'USER', content: 'x', parts: [{ text: 'x' }] }] }, 'messages[0].parts'],
    [{ messages: [{ role: 'USER', parts: [{ text: 'x' }, {}] }] }, 'messages[0].parts[1]'],
    [{ messages: [{ role: 'USER' }] }, 'messages[0].content'],
    [{ extra: { n: 'two' } }, 'extra.n'],
  ])('names the field of its input that is wrong: %j', async (wrong, param) => {
    await using setup = await graph()
    const input = { model: 'my-model', messages: [{ role: 'USER', content: 'Hello' }], ...wrong }
    const { errors } = await setup.run(MUTATION, { input })
    const { originalError } = errors![0]!
    expect(originalError).toMatchObject({ code: 'invalid_request_error', param })
    expect(originalError!.message).not.toMatch(/[a-z]_[a-z]/)
    expect(setup.kit.ledger.holds.size).toBe(0)
  })

  it('is refused by the schema without a model or messages', async () => {
    await using setup = await graph()
    for (const input of [{ model: 'my-model' }, { messages: [{ role: 'USER', content: 'Hello' }] }]) {
      expect((await setup.run(MUTATION, { input })).errors![0]!.message).toContain('was not provided')
    }
  })

  it('takes a whole OpenAI-shaped body in its raw form', async () => {
    await using setup = await graph(echoes)
    const request = body({ anything: { deep: [1, null] } })
    await setup.run(RAW_MUTATION, { body: request })
    expect(setup.provider.calls[0]!.body).toEqual({ ...request, model: 'vendor/model', stream: false })
  })

  it('refuses with the code and param of the error table, before any call or hold', async () => {
    await using setup = await graph()
    const { errors } = await setup.run(RAW_MUTATION, { body: { model: 'my-model' } })
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
      variableValues: { body: body() },
      contextValue: contextFor(),
    })
    const events = await toArray(
      result as AsyncIterable<{ data: { chatCompletionRaw: { choices: { delta: { content: string } }[]; usage: unknown } } }>,
    )
    expect(events.map(({ data }) => data.chatCompletionRaw.choices[0]!.delta.content).join('')).toBe('Hello')
    expect(events.at(-1)!.data.chatCompletionRaw.usage).toEqual({ totalTokens: 13 })
  })

  it('gives the source event stream chunks with their text', async () => {
    await using setup = await graph()
    const document = parse(SUBSCRIPTION)
    const source = await createSourceEventStream({
      schema: setup.schema,
      document,
      variableValues: { body: body() },
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
        variableValues: { body: extra },
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
      variableValues: { body: body() },
      contextValue: contextFor(),
    })
    const events = await toArray(result as AsyncIterable<ExecutionResult>)
    expect(events.slice(0, -1).every(({ errors }) => errors === undefined)).toBe(true)
    expect(events.at(-1)!.errors![0]!.originalError).toMatchObject({ code: 'upstream_error' })
  })
})

describe('a fault within a stream', () => {
  it.each([
    ['chatCompletion', '$input: ChatCompletionInput!', 'input: $input', 'maxTokens'],
    ['chatCompletionRaw', '$body: JSONObject!', 'body: $body', 'max_tokens'],
  ])('names the parameter as %s calls it', async (field, declared, given, param) => {
    await using setup = await graph()
    const fault = new AppError('invalid_request_error', 'The field "max_tokens" is wrong.', { param: 'max_tokens' })
    const { errors } = await execute({
      schema: setup.schema,
      document: parse(`subscription (${declared}) { ${field}(${given}) { __typename } }`),
      variableValues: { input: { model: 'my-model', messages: [] }, body: body() },
      contextValue: contextFor(),
      rootValue: new ChatStreamFault(fault),
    })
    expect(errors![0]!.originalError).toMatchObject({ param, message: `The field "${param}" is wrong.` })
  })
})

describe('UsageRecord.route', () => {
  it('joins the stored explanation to usage records of other subgraphs', async () => {
    await using setup = await graph()
    const context = contextFor()
    await setup.run(RAW_MUTATION, { body: body() }, context)
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
          candidates: [{ deploymentId: 'dep-1', kept: true, reason: 'CHEAPEST' }],
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
