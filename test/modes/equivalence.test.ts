/**
 * Every document that we ship answers the same, whatever runs it: graphql-js on the merged schema, the compiled engine on it,
 * and a gateway in front of six subgraph servers. Each way plays one story on an installation of its own.
 */
import { createClient } from 'graphql-sse'
import {
  createSourceEventStream,
  execute,
  getOperationAST,
  OperationTypeNode,
  parse,
  print,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLFormattedError,
} from 'graphql'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { RequestContext } from '#platform/requests/context.js'
import { newId } from '#platform/ids.js'
import { SUBGRAPH_NAMES } from '../../src/app/subgraph-names.js'
import { buildSubgraphSchema } from '../../src/graph/composition/subgraph-schema.js'
import { createEngine } from '../../src/graph/execution/engine.js'
import { mergeSchemas } from '../../src/graph/execution/merged-schema.js'
import { publicError, Refusal } from '../../src/graph/graph-errors.js'
import { readApi } from '../../src/graph/gateway/supergraph.js'
import type { ServerMode } from '../../src/server/modes.js'
import { startTestApp, type TestApp } from '../kit/app.js'
import { testLocation } from '../kit/database.js'
import { FakeProvider } from '../kit/fake-provider.js'
import { answersBoth } from '../kit/fake-provider-scenes.js'
import { PRICE } from '../contract/chats/chat-app.js'
import { JOINS, STORY, ask, type Answer, type Story } from './equivalence-story.js'

interface Asked {
  readonly document: DocumentNode
  readonly variables: Record<string, unknown>
  /** Null for a caller without a key. */
  readonly key: string | null
}

/** The results of one operation; of a subscription that does not end by itself the first. */
type Way = (asked: Asked) => Promise<Answer[]>

const KEY = 'a-preset-key-of-the-administrator-0009'
const stops = new AsyncDisposableStack()
const ways: Record<string, Way> = {}

beforeAll(async () => {
  const provider = await FakeProvider.start(answersBoth({ pieces: ['Hel', 'lo'] }))
  provider.scenes.set('coder', answersBoth({ pieces: ['```python\nimport os\nos.system("ls " + input())\n```\n'] }))
  stops.defer(() => provider.stop())
  const model = (id: string, price: object) => ({
    id,
    owned_by: 't',
    tier: 'light',
    context_window: 8192,
    max_output_tokens: 100,
    deployments: [{ provider: 'p1', model_id: id, ...price }],
  })
  const config = {
    providers: [{ id: 'p1', base_url: provider.baseUrl, api_key: 'x' }],
    models: [
      model('normal', PRICE),
      model('coder', PRICE),
      model('unpriced', {}),
      ...Array.from({ length: 20 }, (_, n) => model(`m${n}`, PRICE)),
    ],
    compute: { drivers: [{ type: 'sandbox', boot_seconds: 3_600 }] },
  }
  const start = async (env: Record<string, string> = {}, mode?: ServerMode) =>
    stops.use(await startTestApp({ config, env: { SLUICE_ADMIN_KEY: KEY, ...env }, ...(mode && { mode }) }))

  ways['graphql-js'] = interpreted(await start())
  ways['compiled'] = compiled(await start())
  const database = stops.use(await testLocation('postgres'))
  const env = { SLUICE_DATABASE_URL: database.url, SLUICE_DATABASE_MIGRATE: 'true' }
  const urls = new Map<string, string>()
  for (const name of SUBGRAPH_NAMES) urls.set(name, `${(await start(env, { kind: 'subgraph', name })).url}/graphql`)
  ways['gateway'] = overHttp(await start(env, { kind: 'gateway', urls }))
}, 120_000)
afterAll(() => stops.disposeAsync())

const mergedOf = (app: TestApp) => mergeSchemas(readApi(), app.server.app.subgraphs.map(buildSubgraphSchema))

async function contextOf(app: TestApp, key: string | null): Promise<RequestContext> {
  const principal = key === null ? null : await app.server.app.keys.authenticate(key)
  const signal = new AbortController().signal
  return { requestId: newId('req'), principal, signal, startedAt: performance.now(), headers: new Map(), chats: { count: 0 } }
}

function interpreted(app: TestApp): Way {
  const schema = mergedOf(app)
  return async ({ document, variables, key }) => {
    const args = { schema, document, variableValues: variables, contextValue: await contextOf(app, key) }
    if (!isSubscription(document)) return [formatted(await execute(args))]
    const source = await createSourceEventStream(args)
    if (!(Symbol.asyncIterator in source)) return [formatted(source)]
    return firstOf(source, async (rootValue) => formatted(await execute({ ...args, rootValue })), document)
  }
}

function compiled(app: TestApp): Way {
  const engine = createEngine(mergedOf(app), { compiles: true })
  return async ({ document, variables, key }) => {
    const request = { document, variableValues: variables, contextValue: await contextOf(app, key), isOwn: true }
    if (!isSubscription(document)) return [formatted(await engine.execute(request))]
    const results = await engine.subscribe(request)
    return Symbol.asyncIterator in results ? firstOf(results, formatted, document) : [formatted(results)]
  }
}

function overHttp(app: TestApp): Way {
  return async ({ document, variables, key }) => {
    const request = { query: print(document), variables }
    if (isSubscription(document)) {
      const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
      const client = createClient({ url: `${app.url}/graphql`, headers, retryAttempts: 0 })
      try {
        return await firstOf(client.iterate(request), (result) => result as Answer, document)
      } finally {
        client.dispose()
      }
    }
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(request) }
    return [(await (await app.fetch('/graphql', { ...init, key })).json()) as Answer]
  }
}

const isSubscription = (document: DocumentNode) => getOperationAST(document)?.operation === OperationTypeNode.SUBSCRIPTION

async function firstOf<T>(
  events: AsyncIterable<T>,
  shown: (event: T) => Answer | Promise<Answer>,
  document: DocumentNode,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for await (const event of events) {
    answers.push(await shown(event))
    // An answer to the caller ends by itself; what looks on at stored state does not.
    if (!print(document).includes('chatCompletion')) break
  }
  return answers
}

/** As /graphql shows it, which refuses variables that do not fit before anything runs. */
function formatted({ data = null, errors = [] }: ExecutionResult): Answer {
  const isRefusal = errors.length > 0 && errors.every(({ path }) => path === undefined)
  return {
    data: JSON.parse(JSON.stringify(data)) as Answer['data'],
    errors: isRefusal
      ? new Refusal('BAD_USER_INPUT', errors).errors
      : errors.map((error) => publicError(error.toJSON(), error, () => undefined)),
  }
}

/** What differs between two installations at two moments, and where a fault is in the text. */
const ID = /\b([a-z]+)[_-](?:[0-9a-z]{18,}|(?<=bdg_)[0-9a-f]{12})\b/g
/** What signs a browser in. */
const CODE = /^[\w-]{43}$/
const TIME = /\b\d{4}-\d\d-\d\dT[\d:.]+Z\b/g
const MOMENTARY =
  /^(?:created|durationMs|latencyMs|latencyP\d+Ms|firstTokenMs|tokensPerSecond|serverUrl|secret|prefix|phase|estimatedReadySeconds|fetchedAt|cursor|startCursor|endCursor)$/

const comparable = (answers: readonly Answer[]): unknown =>
  JSON.parse(
    JSON.stringify(
      answers.map(({ data = null, errors = [] }) => ({ data, errors: errors.map(withoutPlace) })),
      (name, value: unknown) => {
        if (value !== null && MOMENTARY.test(name)) return '*'
        return typeof value === 'string'
          ? value
              .replaceAll(ID, '$1_*')
              .replaceAll(TIME, 'time')
              .replace(CODE, 'code')
              .replaceAll(/"(created)":\d+/g, '"$1":*')
          : value
      },
    ),
  )

const withoutPlace = ({ message, path, extensions }: GraphQLFormattedError) => ({ message, path, extensions })

async function play(way: Way, story: Story): Promise<Record<string, unknown>> {
  const told: Record<string, unknown> = {}
  const seen = new Map<string, Answer>()
  const surprises: string[][] = []
  for (const { title, document, variables, key, until, fails = false } of story) {
    const asked = { document: parse(print(document)), variables: { ...variables?.(seen) }, key: key === undefined ? KEY : key }
    let answers = await way(asked)
    if (until) await vi.waitUntil(async () => until((answers = await way(asked))[0]!), { timeout: 20_000, interval: 100 })
    const faults = answers.flatMap(({ errors = [] }) => errors.map(({ message }) => message))
    if (faults.length > 0 !== fails) surprises.push([title, ...faults])
    if (answers[0]) seen.set(title, answers[0])
    told[title] = comparable(answers)
  }
  expect(surprises).toEqual([])
  return told
}

it('the story has every document of REST, MCP and the command line', () => {
  const shipped = Object.values(ask).filter((one) => 'definitions' in one && getOperationAST(one as DocumentNode))
  const told = new Set(STORY.map(({ document }) => document as unknown))
  expect(shipped.filter((document) => !told.has(document)).map((document) => print(document as DocumentNode))).toEqual([])
})

it.each([
  ['shipped documents', STORY],
  ['joins', JOINS],
])(
  '%s answer the same, data and faults',
  async (_, story) => {
    const expected = await play(ways['graphql-js']!, story)
    expect(await play(ways['compiled']!, story)).toEqual(expected)
    expect(await play(ways['gateway']!, story)).toEqual(expected)
  },
  120_000,
)
