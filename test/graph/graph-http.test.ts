/** What /graphql of a running server answers to what callers accept and to what they get wrong. */
import fc from 'fast-check'
import { buildSchema, isScalarType, getNamedType, type GraphQLSchema } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../kit/app.js'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
}

interface Asked {
  readonly accept?: string
  readonly key?: string | null
}

async function post(body: unknown, { accept, key = null }: Asked = {}): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(accept !== undefined && { accept }) }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return answerOf(await app.fetch('/graphql', { method: 'POST', key, headers, body: text }))
}

const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status,
  type: (response.headers.get('content-type') ?? '').split(';')[0]!,
  text: await response.text(),
})

interface Result {
  readonly data?: unknown
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
}

const json = ({ text }: Answer) => JSON.parse(text) as Result
/** The one event of a stream. */
const event = ({ text }: Answer) => JSON.parse(/event: next\ndata: (.*)/.exec(text)![1]!) as Result

async function unexpectedErrors(): Promise<number> {
  const text = await (await app.fetch('/metrics')).text()
  return Number(/^sluice_unexpected_errors_total (\d+)$/m.exec(text)![1])
}

const QUERY = { query: '{ __typename }' }
const SUBSCRIPTION = { query: 'subscription { creditBalance { id } }' }
const JSON_TYPE = 'application/json'
const GRAPHQL_TYPE = 'application/graphql-response+json'
const EVENTS = 'text/event-stream'
const URQL = 'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed'

describe('what the caller accepts', () => {
  it.each([
    ['*/*', JSON_TYPE],
    ['application/*', JSON_TYPE],
    [JSON_TYPE, JSON_TYPE],
    [`${JSON_TYPE}; charset=UTF-8`, JSON_TYPE],
    [GRAPHQL_TYPE, GRAPHQL_TYPE],
    [`${JSON_TYPE};q=0.5, ${GRAPHQL_TYPE}`, GRAPHQL_TYPE],
    [`${GRAPHQL_TYPE};q=0.5, ${JSON_TYPE};q=0.9`, JSON_TYPE],
    [`${JSON_TYPE}, ${EVENTS}`, JSON_TYPE],
    [`${EVENTS};q=0.1, ${JSON_TYPE};q=0.2`, JSON_TYPE],
    [`${EVENTS}, ${JSON_TYPE};q=0.2`, EVENTS],
    [EVENTS, EVENTS],
    [`${EVENTS}; charset=utf-8`, EVENTS],
    [URQL, GRAPHQL_TYPE],
    ['text/html, */*;q=0.1', JSON_TYPE],
  ])('%s is answered to a query with %s', async (accept, type) => {
    const answer = await post(QUERY, { accept })
    expect({ status: answer.status, type: answer.type }).toEqual({ status: 200, type })
    expect((type === EVENTS ? event : json)(answer)).toEqual({ data: { __typename: 'Query' } })
  })

  it.each([EVENTS, `${JSON_TYPE}, ${EVENTS}`, URQL, `${EVENTS}, multipart/mixed`])(
    '%s lets a subscription stream',
    async (accept) => {
      const { status, type, text } = await post(SUBSCRIPTION, { accept })
      expect({ status, type }).toEqual({ status: 200, type: EVENTS })
      expect(text).toContain('"code":"UNAUTHENTICATED"')
    },
  )

  it.each(['*/*', JSON_TYPE, `${JSON_TYPE}, ${EVENTS};q=0`])(
    '%s is a 406 for a subscription, with the header to send',
    async (accept) => {
      const answer = await post(SUBSCRIPTION, { accept })
      expect(answer.status).toBe(406)
      expect(json(answer).errors![0]!.message).toContain('Accept: text/event-stream')
    },
  )

  it.each(['image/png', 'text/html', 'multipart/mixed'])('%s is a 406 that names what there is', async (accept) => {
    const answer = await post(QUERY, { accept })
    expect(answer).toMatchObject({ status: 406, type: JSON_TYPE })
    expect(json(answer).errors![0]!.message).toContain(GRAPHQL_TYPE)
  })

  it('a page is for GET only, with and without a query', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    for (const path of ['/graphql', '/graphql?query=%7B__typename%7D']) {
      const response = await app.fetch(path, { headers: { accept } })
      expect(response.headers.get('content-type')).toContain('text/html')
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('referrer-policy')).toBe('no-referrer')
      expect(await response.text()).toContain('Sluice GraphiQL')
    }
    expect((await post(QUERY, { accept })).type).toBe(JSON_TYPE)
  })

  it('GET runs queries and subscriptions, and leaves mutations to POST', async () => {
    const get = async (query: string, accept: string) => {
      const response = await app.fetch(`/graphql?${new URLSearchParams({ query })}`, { headers: { accept } })
      return { ...(await answerOf(response)), allow: response.headers.get('allow') }
    }
    expect(json(await get('{ __typename }', JSON_TYPE))).toEqual({ data: { __typename: 'Query' } })
    expect(event(await get('{ __typename }', EVENTS))).toEqual({ data: { __typename: 'Query' } })
    for (const accept of [JSON_TYPE, EVENTS]) {
      const refused = await get('mutation { revokeApiKey(input: { id: "x" }) { apiKey { id } } }', accept)
      expect({ status: refused.status, allow: refused.allow }).toEqual({ status: 405, allow: 'POST' })
    }
    const other = await app.fetch('/graphql', { method: 'PUT' })
    expect({ status: other.status, allow: other.headers.get('allow') }).toEqual({ status: 405, allow: 'GET, POST' })
  })
})

const MISTAKES: readonly (readonly [string, object, string])[] = [
  [
    'a variable of another type',
    { query: 'query ($l: Int) { models(limit: $l) { __typename } }', variables: { l: 'x' } },
    'BAD_USER_INPUT',
  ],
  ['a missing variable', { query: 'query ($i: ID!) { model(id: $i) { id } }' }, 'BAD_USER_INPUT'],
  [
    'null for an argument that must be',
    { query: 'query ($i: ID = "a") { model(id: $i) { id } }', variables: { i: null } },
    'BAD_USER_INPUT',
  ],
  [
    'an unknown enum in a variable',
    { query: 'query ($t: Tier) { models(tier: $t) { __typename } }', variables: { t: 'x' } },
    'BAD_USER_INPUT',
  ],
  ['an unknown enum', { query: '{ models(tier: x) { __typename } }' }, 'GRAPHQL_VALIDATION_FAILED'],
  [
    'a date that is none',
    { query: '{ priceHistory(model: "m", from: "yesterday") { __typename } }' },
    'GRAPHQL_VALIDATION_FAILED',
  ],
  [
    'a date that is none in a variable',
    { query: 'query ($d: DateTime) { priceHistory(model: "m", from: $d) { __typename } }', variables: { d: 5 } },
    'BAD_USER_INPUT',
  ],
  ['an unknown field', { query: '{ nope }' }, 'GRAPHQL_VALIDATION_FAILED'],
  ['no GraphQL', { query: '{' }, 'GRAPHQL_PARSE_FAILED'],
  [
    'an unknown operation',
    { query: 'query A { __typename } query B { __typename }', operationName: 'C' },
    'OPERATION_RESOLUTION_FAILURE',
  ],
  ['no choice of the operation', { query: 'query A { __typename } query B { __typename }' }, 'OPERATION_RESOLUTION_FAILURE'],
  ['a deep document', { query: `${'{ a '.repeat(13)}${'}'.repeat(13)}` }, 'OPERATION_TOO_COMPLEX'],
  [
    'many aliases',
    { query: `{ ${Array.from({ length: 51 }, (_, i) => `a${i}: __typename`).join(' ')} }` },
    'OPERATION_TOO_COMPLEX',
  ],
  [
    'fragments within fragments without a type',
    { query: `{ viewer { ${'... { '.repeat(1_600)}id${' }'.repeat(1_600)} } }` },
    'OPERATION_TOO_COMPLEX',
  ],
  [
    'lists within lists',
    { query: `{ chatPromptTokens(body: { a: ${'['.repeat(2_400)}${']'.repeat(2_400)} }) }` },
    'OPERATION_TOO_COMPLEX',
  ],
  [
    'a subscription on a condition',
    { query: 'subscription ($a: Boolean!) { creditBalance @skip(if: $a) { id } }', variables: { a: false } },
    'GRAPHQL_VALIDATION_FAILED',
  ],
  [
    'a subscription whose fragment stands on a condition',
    { query: 'subscription { ... @skip(if: true) { ...f } } fragment f on Subscription { creditBalance { id } }' },
    'GRAPHQL_VALIDATION_FAILED',
  ],
  ['a field that repeats', { query: `{ viewer { ${'id '.repeat(400)} } }` }, 'OPERATION_TOO_COMPLEX'],
  [
    'a field that repeats through fragments',
    {
      query: `{ viewer { ${'id '.repeat(200)} ...a } } fragment a on Account { ${'id '.repeat(100)} ... { ...b } } fragment b on Account { ${'id '.repeat(100)} }`,
    },
    'OPERATION_TOO_COMPLEX',
  ],
  ['a selection that repeats', { query: `{ ${'viewer { id name } '.repeat(200)} }` }, 'OPERATION_TOO_COMPLEX'],
  [
    'a fragment that repeats and nobody spreads',
    { query: `{ __typename } fragment a on Account { ${'id '.repeat(400)} }` },
    'OPERATION_TOO_COMPLEX',
  ],
  ['many tokens', { query: `{ ${'__typename '.repeat(6_000)} }` }, 'OPERATION_TOO_COMPLEX'],
  [
    'a bomb of fragments',
    {
      query: `{ ...f0 } ${Array.from({ length: 30 }, (_, i) => `fragment f${i} on Query { ...f${i + 1} ...f${i + 1} }`).join(' ')} fragment f30 on Query { __typename }`,
    },
    'OPERATION_TOO_COMPLEX',
  ],
  [
    'fragments in a circle',
    { query: '{ ...a } fragment a on Query { ...b ...b } fragment b on Query { ...a ...a }' },
    'GRAPHQL_VALIDATION_FAILED',
  ],
]

describe('a mistake of the caller', () => {
  it.each(MISTAKES)('%s is a 400 and never counted as a bug, also 50 times without a key', async (_, body, code) => {
    const before = await unexpectedErrors()
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(body)))
    for (const answer of answers) {
      expect(answer.status).toBe(400)
      expect(json(answer).errors![0]!.extensions.code).toBe(code)
      expect(json(answer)).not.toHaveProperty('data')
    }
    expect(await unexpectedErrors()).toBe(before)
  })

  it.each(MISTAKES)('%s reads the same over an event stream and as application/json', async (_, body) => {
    const { errors } = json(await post(body))
    const streamed = await post(body, { accept: EVENTS })
    expect({ status: streamed.status, type: streamed.type }).toEqual({ status: 200, type: EVENTS })
    expect(event(streamed)).toEqual({ data: null, errors })
    expect(streamed.text).toContain('event: complete')
    // GraphQL over HTTP: clients of application/json take another status for that of something in between.
    const legacy = await post(body, { accept: JSON_TYPE })
    expect({ status: legacy.status, ...json(legacy) }).toEqual({ status: 200, errors })
    const today = await post(body, { accept: GRAPHQL_TYPE })
    expect({ status: today.status, ...json(today) }).toEqual({ status: 400, errors })
  })

  it.each([
    ['{', 400],
    ['[]', 400],
    ['null', 400],
    ['{}', 400],
    ['{"query": 5}', 400],
    ['{"query": "{ __typename }", "variables": []}', 400],
    ['{"query": "{ __typename }", "variables": "{}"}', 400],
    ['{"query": "{ __typename }", "extensions": 1}', 400],
    ['{"query": "{ __typename }", "operationName": {}}', 400],
    [`{"query": "{ __typename }", "variables": {"a": ${'['.repeat(500)}${']'.repeat(500)}}}`, 400],
  ])('%s is no GraphQL request: 400 in every form, with errors as GraphQL has them', async (body, status) => {
    for (const accept of ['*/*', JSON_TYPE, GRAPHQL_TYPE, EVENTS]) {
      const answer = await post(body, { accept })
      expect(answer.status).toBe(status)
      expect(json(answer).errors![0]!.extensions.code).toMatch(/^(BAD_REQUEST|invalid_request_error)$/)
    }
  })

  it('another content type is a 415, and a body over the limit a 413', async () => {
    const form = await app.fetch('/graphql', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' })
    expect(form.status).toBe(415)
    const large = await post({ query: '{ __typename }', variables: { x: 'x'.repeat(11_000_000) } })
    expect({ status: large.status, code: json(large).errors![0]!.extensions.code }).toEqual({
      status: 413,
      code: 'payload_too_large',
    })
  })

  it('is not quoted at full length', async () => {
    const secret = 'x'.repeat(100_000)
    const answer = await post({ query: 'query ($l: Int) { models(limit: $l) { __typename } }', variables: { l: secret } })
    expect(answer.status).toBe(400)
    expect(answer.text.length).toBeLessThan(2_000)
  })
})

/** Any JSON, more often of the kinds that a careless client sends. */
const anyJson = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom('', '{', '__proto__', 'DateTime', -1, 1e300, 2 ** 53, '2026-11-21T00:00:00Z', '0.5', null, true, [], {}, [
    null,
  ]),
)

/** A call of any root field with a variable for each argument. */
const operationsOf = (schema: GraphQLSchema): string[] =>
  [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!].flatMap((type, kind) =>
    Object.values(type.getFields()).map((field) => {
      const declared = field.args.map(({ name, type: of }) => `$${name}: ${String(of)}`).join(', ')
      const passed = field.args.map(({ name }) => `${name}: $${name}`).join(', ')
      const selected = isScalarType(getNamedType(field.type)) ? '' : '{ __typename }'
      const head = `${['query', 'mutation', 'subscription'][kind]!}${declared && `(${declared})`}`
      return `${head} { ${field.name}${passed && `(${passed})`} ${selected} }`
    }),
  )

describe('arbitrary parameters', () => {
  it('never bring a 5xx and never count as a bug, with a key and without', async () => {
    const sdl = await (await app.fetch('/graphql/schema.graphql')).text()
    const operations = operationsOf(buildSchema(sdl))
    expect(operations.length).toBeGreaterThan(30)
    const before = await unexpectedErrors()
    const names = [...new Set(operations.flatMap((text) => [...text.matchAll(/\$(\w+):/g)].map(([, name]) => name!)))]
    const variables = fc.oneof(
      { weight: 4, arbitrary: fc.dictionary(fc.constantFrom(...names), anyJson) },
      { weight: 1, arbitrary: anyJson },
    )
    const query = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...operations) },
      { weight: 1, arbitrary: fc.oneof(anyJson, fc.string()) },
    )
    const request = fc.record({ query, variables, operationName: anyJson, extensions: anyJson }, { requiredKeys: ['query'] })
    const asked = fc.oneof(
      // With a key a subscription would not end.
      fc.constantFrom({ accept: `${JSON_TYPE}, ${EVENTS}` }, { accept: EVENTS }),
      fc.record({ accept: fc.constantFrom('*/*', JSON_TYPE, GRAPHQL_TYPE), key: fc.constantFrom(null, app.adminKey) }),
    )
    await fc.assert(
      fc.asyncProperty(request, asked, async (body, how) => {
        const { status, text } = await post(body, how)
        expect({ status, text: status < 500 && !text.includes('"server_error"') ? '' : text }).toEqual({ status, text: '' })
      }),
      { numRuns: 400 },
    )
    expect(await unexpectedErrors()).toBe(before)
  })
})
