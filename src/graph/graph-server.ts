/**
 * The /graphql endpoint: what the caller accepts decides between JSON (run by Apollo Server), a stream of events and
 * GraphiQL; the public SDL is beside it. A request is read, checked and limited once, before either engine sees it.
 */
import { ApolloServer, HeaderMap, type ApolloServerPlugin } from '@apollo/server'
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled'
import { Router, type Request, type Response } from 'express'
import { GraphQLError, lexicographicSortSchema, OperationTypeNode, printSchema, type ExecutionResult } from 'graphql'
import type { RequestContext } from '#platform/requests/context.js'
import { inSpan } from '#platform/requests/in-span.js'
import type { GraphMetrics } from '#platform/metrics/graph-metrics.js'
import { faultIn } from '#platform/requests/end-reasons.js'
import { AppError } from '#platform/errors.js'
import type { Refuse } from '#platform/requests/open-requests.js'
import type { ContextSource } from '#platform/requests/request-context.js'
import { largeReader, type BodyLimits, type LargeReader } from '../edge/json-body.js'
import type { LargeBodies } from '../edge/large-bodies.js'
import type { ReaderPace } from '../edge/reader-pace.js'
import type { EventForm } from './event-framing.js'
import { createEventStreams, type SendEvents } from './event-stream.js'
import type { Engine, EngineRequest } from './execution/engine.js'
import { createGraphiqlPage } from './graphiql/graphiql.js'
import { outcomeOf, publicFailure, publicResult, Refusal, type Outcome } from './graph-errors.js'
import { readGraphRequest } from './graph-request.js'
import type { GraphLimits } from './limits.js'
import { negotiate, type Accepted } from './negotiation.js'
import { createPrepare, requestOf, rootField, type Prepare, type PreparedOperation } from './prepared-operation.js'

export interface GraphServerOptions {
  readonly engine: Engine
  readonly contexts: ContextSource
  readonly limits: GraphLimits
  readonly body: Required<BodyLimits>
  readonly large: LargeBodies
  /** Of whoever reads an event stream. */
  readonly pace: ReaderPace
  /** Subscription fields whose events are an answer that is made for the caller; the others only look on. */
  readonly answers: ReadonlySet<string>
  readonly metrics: GraphMetrics
  /** Called with the faults that clients see only as `server_error`. */
  readonly onUnexpected: (error: AppError, context: RequestContext | undefined) => void
}

export interface GraphServer {
  /** Mount at /graphql; it reads its bodies itself. */
  readonly router: Router
  stop(): Promise<void>
}

export async function createGraphServer(given: GraphServerOptions): Promise<GraphServer> {
  const options: GraphServerOptions = {
    ...given,
    // What fails after a request was ended is a consequence of that.
    onUnexpected: (error, context) => context?.signal.aborted || given.onUnexpected(error, context),
  }
  const { schema } = options.engine
  const apollo = createApollo(options)
  await apollo.start()
  const engines: Engines = {
    options,
    apollo,
    prepare: createPrepare(schema, options.limits),
    sendEvents: createEventStreams(options),
  }
  const sendPage = createGraphiqlPage()

  const router = Router()
  router.get(
    '/schema.graphql',
    (_, response) => void response.type('text/plain').send(`${printSchema(lexicographicSortSchema(schema))}\n`),
  )
  router.use('/', (request, response) => {
    const accepted = negotiate(request.headers.accept)
    response.appendHeader('vary', 'Accept')
    if (request.method === 'GET' && accepted.prefersPage) return sendPage(request, response)
    return answer(engines, request, response, accepted)
  })
  return { router, stop: () => apollo.stop() }
}

/** What Apollo Server carries through its stages. */
interface Visit {
  readonly operation: PreparedOperation
  readonly context: RequestContext
}

interface Engines {
  readonly options: GraphServerOptions
  readonly apollo: ApolloServer<Visit>
  readonly prepare: Prepare
  readonly sendEvents: SendEvents
}

async function answer(engines: Engines, request: Request, response: Response, accepted: Accepted): Promise<void> {
  const { contexts, onUnexpected } = engines.options
  let context: RequestContext | undefined
  const refuse: Refuse = (_request, _response, fault) => {
    if (response.headersSent) return void response.destroy()
    sendResult(
      response,
      accepted,
      publicFailure(fault, () => undefined),
    )
  }
  try {
    context = await contexts.open(request, response, refuse)
    response.setHeader('x-request-id', context.requestId)
    const large = largeReader(engines.options.large, context.principal, response, engines.options.body.maxDepth)
    const operation = await acceptOperation(engines, request, accepted, large)
    if (context.trail) context.trail.operation = operation.name
    const events = operation.type === OperationTypeNode.SUBSCRIPTION || accepted.result === 'events' ? accepted.events : null
    if (events) {
      await inSpan(context, `graphql ${operation.name ?? operation.type}`, (within) =>
        sendCounted(engines, response, operation, within, events),
      )
    } else {
      const answered = await inSpan(context, `graphql ${operation.name ?? operation.type}`, (within) =>
        run(engines, operation, within),
      )
      send(response, accepted, answered)
    }
  } catch (error) {
    // A client that left is not told, and whoever was refused at the end of the server has been.
    if (response.destroyed || response.writableEnded) return
    const isOurs = context !== undefined && !(error instanceof Refusal)
    const failure = publicFailure(isOurs ? faultIn(context!, error) : error, (hidden) => onUnexpected(hidden, context))
    if (response.headersSent) return void response.destroy()
    if (context && failure.isWellFormed && accepted.result === 'events') {
      return engines.sendEvents(response, { kind: 'refusal', errors: failure.errors }, context, 'sse')
    }
    if (failure.status === 405) response.setHeader('allow', request.method === 'GET' ? 'POST' : 'GET, POST')
    sendResult(response, accepted, failure)
    // What is left of a refused upload is not read.
    if (!request.complete && !request.readableEnded) request.unpipe().resume()
  }
}

async function sendCounted(
  { options, sendEvents }: Engines,
  response: Response,
  operation: PreparedOperation,
  context: RequestContext,
  form: EventForm,
): Promise<void> {
  const source = { kind: 'operation', operation } as const
  const field = operation.type === OperationTypeNode.SUBSCRIPTION ? rootField(operation) : null
  if (field === null) return sendEvents(response, source, context, form)
  const ended = options.metrics.subscription(field)
  try {
    await sendEvents(response, source, context, form)
  } finally {
    ended()
  }
}

/** Everything that can be wrong with a request before it runs, from what it accepts to what it costs. */
async function acceptOperation(
  { options, prepare }: Engines,
  request: Request,
  accepted: Accepted,
  large: LargeReader,
): Promise<PreparedOperation> {
  if (accepted.result === null && accepted.events === null) throw notAcceptable()
  const operation = prepare(await readGraphRequest(request, options.body, large))
  if (operation.method === 'GET' && operation.type === OperationTypeNode.MUTATION) {
    throw new AppError('method_not_allowed', 'Send mutations with POST.')
  }
  if (operation.type === OperationTypeNode.SUBSCRIPTION) {
    if (accepted.events === null) {
      throw new AppError('not_acceptable', 'Send subscriptions with the header "Accept: text/event-stream".')
    }
  } else if (accepted.result === null) throw notAcceptable()
  options.metrics.operation({ name: operation.name ?? '', type: operation.type, cost: operation.cost })
  return operation
}

function notAcceptable(): AppError {
  const forms = 'application/json, application/graphql-response+json, text/event-stream'
  return new AppError('not_acceptable', `/graphql answers with one of ${forms}, and GET with text/html.`)
}

async function run(
  { apollo, options }: Engines,
  operation: PreparedOperation,
  context: RequestContext,
): Promise<Outcome | Uint8Array> {
  const relayed = await options.engine.relay?.(requestOf(operation, context))?.answer()
  if (relayed instanceof Uint8Array) return relayed
  if (relayed) return outcomeOf(publicResult(relayed, (hidden) => options.onUnexpected(hidden, context)))
  const { query, operationName, variables } = operation
  const named = operationName === null ? {} : { operationName }
  const { body } = await apollo.executeOperation({ query, variables, ...named }, { contextValue: { operation, context } })
  if (body.kind !== 'single') throw new Error('Nothing here asks for incremental delivery.')
  return outcomeOf(body.singleResult)
}

/** Bytes are an answer with data. */
const send = (response: Response, accepted: Accepted, answer: Outcome | Uint8Array): void =>
  answer instanceof Uint8Array ? sendJson(response, accepted, 200, answer) : sendResult(response, accepted, answer)

function sendResult(response: Response, accepted: Accepted, { status, isWellFormed, errors, data }: Outcome): void {
  const retryAfter = errors?.map(({ extensions }) => Number(extensions?.['retryAfterSeconds'] ?? 0)).toSorted((a, b) => b - a)[0]
  if (status === 401) response.setHeader('www-authenticate', 'Bearer')
  if ((status === 503 || status === 429) && retryAfter) response.setHeader('retry-after', String(retryAfter))
  sendJson(
    response,
    accepted,
    accepted.isLegacyJson && isWellFormed ? 200 : status,
    Buffer.from(JSON.stringify({ errors, data })),
  )
}

function sendJson(response: Response, { jsonType }: Accepted, status: number, text: Uint8Array): void {
  response.writeHead(status, { 'content-type': jsonType, 'content-length': text.byteLength, 'cache-control': 'no-store' })
  response.end(text)
}

function createApollo(options: GraphServerOptions) {
  return new ApolloServer<Visit>({
    schema: options.engine.schema,
    // Nothing arrives here that has not passed the same rules and ours.
    dangerouslyDisableValidation: true,
    plugins: [
      executedByEngine(options),
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    logger: silentLogger,
  })
}

const silentLogger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/**
 * Executes in Apollo Server's place. Not as its gateway, for which it makes an object with accessors each time: V8 makes those in
 * the old generation, where they keep all of the request alive (src/build/young-closures.mjs).
 */
const executedByEngine = ({ engine, onUnexpected }: GraphServerOptions): ApolloServerPlugin<Visit> => ({
  async requestDidStart() {
    return {
      async responseForOperation({ contextValue: { operation, context } }) {
        const result = await execute(engine, requestOf(operation, context))
        const singleResult = publicResult(result, (hidden) => onUnexpected(hidden, context))
        return { http: { headers: new HeaderMap() }, body: { kind: 'single', singleResult } }
      },
    }
  },
})

/** What is thrown is the result's error, so that it is shown, or hidden and told, as every other. */
async function execute(engine: Engine, request: EngineRequest): Promise<ExecutionResult> {
  try {
    return await engine.execute(request)
  } catch (error) {
    const thrown = error instanceof Error ? error : new Error(String(error))
    return { errors: [thrown instanceof GraphQLError ? thrown : new GraphQLError(thrown.message, { originalError: thrown })] }
  }
}
