/**
 * The /graphql endpoint: Apollo Server for queries and mutations, graphql-sse on the same path for whoever accepts an event
 * stream, GraphiQL for browsers, and the public SDL beside it. Both execution paths share limits, context and error form.
 */
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server'
import { isAsyncIterable } from '@graphql-tools/utils'
import { ApolloServerPluginInlineTraceDisabled, ApolloServerPluginUsageReportingDisabled } from '@apollo/server/plugin/disabled'
import { expressMiddleware } from '@as-integrations/express5'
import { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express'
import {
  getOperationAST,
  GraphQLError,
  Kind,
  OperationTypeNode,
  lexicographicSortSchema,
  parse,
  printSchema,
  validate,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql'
import { createHandler } from 'graphql-sse/lib/use/express'
import type { RequestContext } from '#platform/context.js'
import type { AppError } from '#platform/errors.js'
import type { Refuse } from '#platform/open-requests.js'
import type { ContextSource } from '#platform/request-context.js'
import { graphiqlPage } from './graphiql.js'
import { faultResult, publicError } from './graph-errors.js'
import { validationRules, type GraphLimits } from './limits.js'
import { toldWhyEnded } from './subscription-end.js'

export interface GraphServerOptions {
  readonly schema: GraphQLSchema
  readonly contexts: ContextSource
  readonly limits: GraphLimits
  /** Subscription fields whose events are an answer that is made for the caller; the others only look on. */
  readonly answers: ReadonlySet<string>
  /** Called with the faults that clients see only as `server_error`. */
  readonly onUnexpected: (error: AppError, context: RequestContext | undefined) => void
}

export interface GraphServer {
  /** Mount at /graphql behind a JSON body parser. */
  readonly router: Router
  stop(): Promise<void>
}

export async function createGraphServer(given: GraphServerOptions): Promise<GraphServer> {
  const options: GraphServerOptions = {
    ...given,
    // What fails after a request was ended is a consequence of that.
    onUnexpected: (error, context) => context?.signal.aborted || given.onUnexpected(error, context),
  }
  const { schema } = options
  const apollo = createApollo(options)
  await apollo.start()
  const overHttp = expressMiddleware(apollo, { context: ({ res }) => Promise.resolve(contextOf(res)) })
  const overSse = createSseHandler(options)
  const sdl = `${printSchema(lexicographicSortSchema(schema))}\n`
  const page = graphiqlPage()

  const router = Router()
  router.get('/schema.graphql', (_, res) => void res.type('text/plain').send(sdl))
  router.use('/', openContext(options.contexts), (req, res, next) => {
    const accept = req.headers.accept ?? ''
    if (accept.includes('text/event-stream')) return overSse(req, res).catch(unlessEnded(res, next))
    const isPageVisit = req.method === 'GET' && req.query['query'] === undefined && accept.includes('text/html')
    if (isPageVisit) return void res.setHeader('content-security-policy', GRAPHIQL_CSP).type('html').send(page)
    return overHttp(req, res, next)
  })
  return { router, stop: () => apollo.stop() }
}

const GRAPHIQL_CSP =
  "default-src 'self'; script-src 'self' 'unsafe-inline' blob:; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; worker-src blob:"

const contextOf = (res: Response) => res.locals['context'] as RequestContext

const openContext =
  (contexts: ContextSource): RequestHandler =>
  async (req, res, next) => {
    const context = await contexts.open(req, res, refuse)
    res.locals['context'] = context
    res.setHeader('x-request-id', context.requestId)
    next()
  }

/** Writing to a client that has left fails, and so does what was under way for it: only what fails before is a fault. */
const unlessEnded = (res: Response, next: NextFunction) => (error: unknown) => {
  if (!contextOf(res).signal.aborted) next(error)
}

const refuse: Refuse = (_request, response, fault) => {
  if (response.headersSent) return void response.destroy()
  const headers = { 'content-type': 'application/json; charset=utf-8', 'retry-after': String(fault.retryAfterSeconds ?? 1) }
  response.writeHead(fault.httpStatus, headers).end(JSON.stringify(faultResult(fault)))
}

function createApollo({ schema, limits, onUnexpected }: GraphServerOptions) {
  return new ApolloServer<RequestContext>({
    schema,
    introspection: limits.introspection,
    // Static rules only know the schema; cost needs the variables, so all of ours run in the plugin below.
    parseOptions: { maxTokens: limits.maxTokens },
    plugins: [
      limitsPlugin(schema, limits),
      requestErrorStatusPlugin,
      unexpectedErrorsPlugin(onUnexpected),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
    persistedQueries: false,
    allowBatchedHttpRequests: false,
    // Callers prove who they are with a bearer key, never with a cookie, so a forged cross-site request carries nothing.
    csrfPrevention: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    // What is hidden from the caller is logged by a plugin, which knows whose request it was.
    formatError: (formatted, error) => publicError(formatted, error, () => undefined),
    logger: silentLogger,
  })
}

const silentLogger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Our limits on Apollo's path, and a clear word for subscriptions that were sent without the event stream's Accept header. */
function limitsPlugin(schema: GraphQLSchema, limits: GraphLimits): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ document, request, operation }) {
          if (operation?.operation === OperationTypeNode.SUBSCRIPTION) {
            throw new GraphQLError('Send subscriptions with the header "Accept: text/event-stream".', {
              extensions: { code: 'BAD_REQUEST', http: { status: 406 } },
            })
          }
          const [error] = validate(schema, document, validationRules(limits, request.variables ?? {}))
          if (error) throw error
        },
      }
    },
  }
}

const unexpectedErrorsPlugin = (onUnexpected: GraphServerOptions['onUnexpected']): ApolloServerPlugin<RequestContext> => ({
  async requestDidStart() {
    return {
      async didEncounterErrors({ errors, contextValue }) {
        for (const error of errors) publicError(error.toJSON(), error, (hidden) => onUnexpected(hidden, contextValue))
      },
    }
  },
})

/** GraphQL over HTTP: under `application/json` a well-formed request that fails in GraphQL is still a 200. */
const requestErrorStatusPlugin: ApolloServerPlugin<RequestContext> = {
  async requestDidStart() {
    return {
      async willSendResponse({ request, response }) {
        const asGraphqlResponse = request.http?.headers.get('accept')?.includes('application/graphql-response+json')
        if (asGraphqlResponse || response.body.kind !== 'single' || response.http.status !== 400) return
        const code = response.body.singleResult.errors?.[0]?.extensions?.['code']
        if (code !== 'BAD_REQUEST') response.http.status = 200
      },
    }
  },
}

function createSseHandler({ schema, limits, contexts, answers, onUnexpected }: GraphServerOptions) {
  const shown = (error: GraphQLError, context: RequestContext) =>
    new GraphQLError(
      error.message,
      publicError(error.toJSON(), error, (hidden) => onUnexpected(hidden, context)),
    )
  return createHandler<RequestContext & Record<PropertyKey, unknown>>({
    schema,
    // Only distinct connections: the single connection mode keeps state for whoever reserves a token.
    authenticate: () => undefined,
    context: (req) => contextOf(req.context.res) as RequestContext & Record<PropertyKey, unknown>,
    onConnect: (req) =>
      req.method === 'PUT' || req.method === 'DELETE'
        ? [null, { status: 405, statusText: 'Method Not Allowed', headers: { allow: 'GET, POST' } }]
        : undefined,
    onSubscribe(req, params) {
      const context = contextOf(req.context.res)
      let document
      try {
        document = typeof params.query === 'string' ? parse(params.query, { maxTokens: limits.maxTokens }) : params.query
      } catch (error) {
        return { errors: [error as GraphQLError] }
      }
      const errors = validate(schema, document, validationRules(limits, params.variables ?? {}))
      if (errors.length > 0) return { errors }
      return {
        schema,
        document,
        operationName: params.operationName ?? null,
        variableValues: params.variables ?? null,
        contextValue: context as RequestContext & Record<PropertyKey, unknown>,
      }
    },
    onOperation(context, _req, { document, operationName }, result) {
      if (!isAsyncIterable<ExecutionResult>(result)) return
      const root = getOperationAST(document, operationName)?.selectionSet.selections[0]
      const isAnswer = root?.kind === Kind.FIELD && answers.has(root.name.value)
      if (!isAnswer) contexts.requests.watch(context.signal)
      return toldWhyEnded(result, context.signal)
    },
    onNext: (context, _req, result) =>
      'errors' in result && result.errors
        ? { ...result, errors: result.errors.map((error) => shown(error, context)) }
        : undefined,
  }) as (req: Request, res: Response) => Promise<void>
}
