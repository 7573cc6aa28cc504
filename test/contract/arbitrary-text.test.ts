/** Whatever text a caller sends in whatever place, on PostgreSQL: it is an answer or the caller's mistake, never a fault of ours. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { buildSchema, type GraphQLField, type GraphQLObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/platform/package-root.js'
import { testLocation, type TestLocation } from '../kit/database.js'
import { byEffort } from '../kit/effort.js'
import { answersBoth } from '../kit/fake-provider-scenes.js'
import { argumentsOf, hardText, selectionOf, unstorableText } from './arbitrary-text.js'
import { startChatApp, type ChatApp } from './chats/chat-app.js'
import { METHODS, openApi } from './openapi-document.js'

const schema = buildSchema(readFileSync(join(packageRoot, 'schema', 'api.graphql'), 'utf8'))
const json = { 'content-type': 'application/json' }
let chat: ChatApp
let location: TestLocation
let known: string[]

beforeAll(async () => {
  location = await testLocation('postgres')
  chat = await startChatApp(
    { normal: answersBoth({ pieces: ['Hello'] }) },
    {
      compute: { drivers: [{ type: 'sandbox', boot_seconds: 0 }] },
      server: { starting_credits: '1000000' },
    },
    [],
    { env: { SLUICE_DATABASE_URL: location.url, SLUICE_DATABASE_MIGRATE: 'true' } },
  )
  const { id, keyId } = await chat.app.account({ credits: '10' })
  const { prices } = await chat.app.graphql<{ prices: { deploymentId: string }[] }>('{ prices { deploymentId } }')
  const { gpuOffers } = await chat.app.graphql<{ gpuOffers: { gpuModel: string }[] }>('{ gpuOffers { gpuModel } }')
  known = [id, keyId, 'normal', 'p1', prices[0]!.deploymentId, gpuOffers[0]!.gpuModel]
})
afterAll(async () => {
  await chat.stop()
  await location[Symbol.asyncDispose]()
})

/** Among few texts of all kinds, the kind that only PostgreSQL refuses may be missing. */
const samples = (): [fc.Arbitrary<string>, numRuns: number][] => [
  [hardText(known), byEffort({ brief: 4, short: 12, long: 100 })],
  [unstorableText(known), byEffort({ brief: 2, short: 4, long: 20 })],
]

async function unexpectedErrors(): Promise<number> {
  const metrics = await (await chat.app.fetch('/metrics')).text()
  return Number(/^sluice_unexpected_errors_total (\d+)/m.exec(metrics)?.[1])
}

/** The faults of ours in an answer of the graph, over JSON or as events. */
async function graphFaults(query: string, variables: object, accept: string): Promise<string[]> {
  const body = JSON.stringify({ query, variables })
  const leave = new AbortController()
  const answer = await chat.app.fetch('/graphql', {
    method: 'POST',
    headers: { ...json, accept },
    body,
    signal: leave.signal,
  })
  const text = accept.includes('event-stream') ? await firstEvent(answer) : await answer.text()
  leave.abort()
  const codes = [...text.matchAll(/"code":"(\w+)"/g)].map(([, code]) => code!)
  const faults = codes.filter((code) => /server_error|INTERNAL|upstream|UNAVAILABLE/i.test(code))
  return answer.status >= 500 || faults.length > 0 ? [`${answer.status} ${text.slice(0, 500)}`] : []
}

/** What a stream says at once: a fault of its opening. One that only waits for events is left. */
async function firstEvent(answer: Response): Promise<string> {
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  const first = reader.read().then(({ value = '' }) => value)
  const silence = chat.app.fetch('/healthz').then(() => '')
  return Promise.race([first, silence])
}

type Field = GraphQLField<unknown, unknown>
const fieldsWithArguments = (type: GraphQLObjectType): Field[] =>
  Object.values(type.getFields()).filter(({ args }) => args.length > 0)

/** A document that asks for one field with its arguments as variables. */
function documentFor(kind: string, field: Field, around: (inner: string) => string = (inner) => inner): string {
  const variables = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ')
  const passed = field.args.map(({ name }) => `${name}: $${name}`).join(', ')
  return `${kind} (${variables}) { ${around(`${field.name}(${passed}) ${selectionOf(field)}`)} }`
}

describe('arbitrary text in the arguments of', () => {
  const roots = [
    { kind: 'query', type: schema.getQueryType()!, accept: 'application/json' },
    { kind: 'mutation', type: schema.getMutationType()!, accept: 'application/json' },
    { kind: 'subscription', type: schema.getSubscriptionType()!, accept: 'text/event-stream' },
  ]
  const cases = [
    ...roots.flatMap(({ kind, type, accept }) =>
      fieldsWithArguments(type).map((field) => ({
        name: `${kind} ${field.name}`,
        field,
        document: documentFor(kind, field),
        accept,
      })),
    ),
    ...fieldsWithArguments(schema.getType('Account') as GraphQLObjectType).map((field) => ({
      name: `Account.${field.name}`,
      field,
      document: documentFor('query', field, (inner) => `viewer { ${inner} }`),
      accept: 'application/json',
    })),
  ]

  it.each(cases)('$name is an answer or a mistake of the caller', async ({ field, document, accept }) => {
    const before = await unexpectedErrors()
    for (const [texts, numRuns] of samples()) {
      await fc.assert(
        fc.asyncProperty(argumentsOf(field.args, texts), async (variables) => {
          expect(await graphFaults(document, variables, accept)).toEqual([])
        }),
        { numRuns },
      )
    }
    expect(await unexpectedErrors()).toBe(before)
  })
})

/** A valid body for every route that takes one; each text in it is replaced in turn. */
const BODIES: Readonly<Record<string, object>> = {
  '/v1/chat/completions': {
    model: 'normal',
    messages: [{ role: 'user', content: 'x', name: 'n' }],
    user: 'u',
    stop: ['s'],
    tools: [{ type: 'function', function: { name: 'f', description: 'd' } }],
  },
  '/v1/gpu/rent': {
    gpu_model: 'L4',
    provider_id: 'sandbox',
    region: 'r',
    model_id: 'm',
    docker_image: 'i',
    ssh_key: 'k',
    max_price_per_gpu_hour: '1',
  },
  '/api/scan': { code: 'x = 1', language: 'python', filename: 'a.py', standards: ['owasp'] },
  '/api/batch-scan': { files: [{ code: 'x = 1', language: 'python', filename: 'a.py' }], standards: ['owasp'] },
  '/mcp': {
    jsonrpc: '2.0',
    id: 'i',
    method: 'tools/call',
    params: { name: 'scan_code', arguments: { code: 'c', language: 'l' } },
  },
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
}

/** A valid body with one of its texts replaced. */
function bodyFor(path: string, texts: fc.Arbitrary<string>): fc.Arbitrary<string | undefined> {
  const body = BODIES[path]
  if (!body) return fc.constant(undefined)
  let count = 0
  JSON.stringify(body, (_key, value: unknown) => (typeof value === 'string' && count++, value))
  return fc.tuple(fc.nat(count - 1), texts).map(([at, text]) => {
    let seen = 0
    return JSON.stringify(body, (_key, value: unknown) => (typeof value === 'string' && seen++ === at ? text : value))
  })
}

describe('arbitrary text in a request of', () => {
  const routes = Object.entries(openApi.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const operation = item[method] as unknown as { parameters?: Parameter[] }
      const shared = (item as unknown as { parameters?: Parameter[] }).parameters ?? []
      return { method: method.toUpperCase(), path, parameters: [...shared, ...(operation.parameters ?? [])] }
    }),
  )

  it.each(routes)('$method $path is an answer or a mistake of the caller', async ({ method, path, parameters }) => {
    const before = await unexpectedErrors()
    for (const [texts, numRuns] of samples()) {
      const values = fc.record(Object.fromEntries(parameters.map(({ name }) => [name, texts])), { requiredKeys: [] })
      await fc.assert(
        fc.asyncProperty(values, bodyFor(path, texts), async (given, body) => {
          // A lone surrogate cannot be put into a URL or a header: those take bytes.
          const of = (place: Parameter['in']) =>
            parameters.flatMap(({ name, in: at }): [string, string][] =>
              at === place && given[name] !== undefined ? [[name, given[name].toWellFormed()]] : [],
            )
          const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent((given[name] ?? 'x').toWellFormed()))
          const headers = of('header').map(([name, value]): [string, string] => [name, value.replace(/[^\x20-\x7e]/g, '').trim()])
          const answer = await chat.app.fetch(`${filled}?${String(new URLSearchParams(of('query')))}`, {
            method,
            headers: { ...json, accept: 'application/json, text/event-stream', ...Object.fromEntries(headers) },
            ...(method === 'POST' && { body }),
          })
          const text = await answer.text()
          expect(answer.status, `${filled.slice(0, 200)} ${text.slice(0, 500)}`).toBeLessThan(500)
        }),
        { numRuns },
      )
    }
    expect(await unexpectedErrors()).toBe(before)
  })
})
