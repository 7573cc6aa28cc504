/** Operations over server-sent events in the distinct connections mode of the graphql-sse protocol. */
import type { ServerResponse } from 'node:http'
import { isAsyncIterable } from '@graphql-tools/utils'
import {
  getOperationAST,
  GraphQLError,
  Kind,
  type ExecutionResult,
  type ExecutionArgs,
  type GraphQLFormattedError,
} from 'graphql'
import { createHandler, type Request } from 'graphql-sse'
import type { RequestContext } from '#platform/requests/context.js'
import type { AppError } from '#platform/errors.js'
import type { ContextSource } from '#platform/requests/request-context.js'
import type { Engine, EngineRequest } from './execution/engine.js'
import { roomToWrite, type ReaderPace } from '../edge/reader-pace.js'
import { publicError, type OnUnexpected } from './graph-errors.js'
import type { PreparedOperation } from './prepared-operation.js'
import { toldWhyEnded } from './subscription-end.js'

/** What the stream tells: the events of an operation, or why there are none. */
export type EventSource =
  | { readonly kind: 'operation'; readonly operation: PreparedOperation }
  | { readonly kind: 'refusal'; readonly errors: readonly GraphQLFormattedError[] }

export type SendEvents = (response: ServerResponse, source: EventSource, context: RequestContext) => Promise<void>

interface Visit {
  readonly source: EventSource
  readonly context: RequestContext
}

type VisitContext = RequestContext & Record<PropertyKey, unknown>

export interface EventStreamOptions {
  readonly engine: Engine
  readonly contexts: ContextSource
  /** Subscription fields whose events are an answer that is made for the caller; the others only look on. */
  readonly answers: ReadonlySet<string>
  readonly onUnexpected: (error: AppError, context: RequestContext) => void
  readonly pace: ReaderPace
}

export function createEventStreams({ engine, contexts, answers, onUnexpected, pace }: EventStreamOptions): SendEvents {
  const handle = createHandler<null, Visit, VisitContext>({
    // Only distinct connections: the single connection mode keeps state for whoever reserves a token.
    authenticate: () => undefined,
    context: ({ context }) => context.context as VisitContext,
    // Already validated, with our limits.
    validate: () => [],
    execute: (args) => engine.execute(asRequest(args)),
    subscribe: (args) => engine.subscribe(asRequest(args)),
    onSubscribe({ context: { source, context } }) {
      // The protocol wants errors of the document as an event: a browser's EventSource cannot read the body of a 400.
      if (source.kind === 'refusal') return { data: null, errors: source.errors.map(asError) }
      const { document, operationName, variables } = source.operation
      return { schema: engine.schema, document, operationName, variableValues: variables, contextValue: context as VisitContext }
    },
    onOperation(context, { context: { source } }, _args, result) {
      if (!isAsyncIterable<ExecutionResult>(result)) return
      if (source.kind === 'operation' && !isAnswer(source.operation, answers)) contexts.requests.watch(context.signal)
      return toldWhyEnded(result, context.signal)
    },
    onNext: (context, _request, result) => {
      const { errors } = result as ExecutionResult
      return errors && { ...result, errors: errors.map((error) => shown(error, (hidden) => onUnexpected(hidden, context))) }
    },
  })
  return async (response, source, context) => {
    const [body, { status, headers }] = await handle(handshake({ source, context }))
    response.writeHead(status, headers)
    if (body === null || typeof body === 'string') return void response.end(body)
    await write(response, body, pace)
  }
}

/** What `onSubscribe` has made. */
const asRequest = (args: ExecutionArgs): EngineRequest => args as EngineRequest & ExecutionArgs

function isAnswer({ document, operationName }: PreparedOperation, answers: ReadonlySet<string>): boolean {
  const root = getOperationAST(document, operationName)?.selectionSet.selections[0]
  return root?.kind === Kind.FIELD && answers.has(root.name.value)
}

/** What graphql-sse looks at again has been negotiated and read. */
const handshake = (visit: Visit): Request<null, Visit> => ({
  method: 'POST',
  url: '/',
  headers: { get: (name) => HANDSHAKE_HEADERS.get(name) },
  body: { query: visit.source.kind === 'operation' ? visit.source.operation.query : '{ refused }' },
  raw: null,
  context: visit,
})

const HANDSHAKE_HEADERS: ReadonlyMap<string, string> = new Map([
  ['accept', 'text/event-stream'],
  ['content-type', 'application/json'],
])

/** An error that is public already. */
class PublicGraphQLError extends GraphQLError {}

const asError = ({ message, ...more }: GraphQLFormattedError): GraphQLError =>
  Object.assign(new PublicGraphQLError(message, more), { locations: more.locations })

const shown = (error: GraphQLError, onUnexpected: OnUnexpected): GraphQLError =>
  error instanceof PublicGraphQLError ? error : asError(publicError(error.toJSON(), error, onUnexpected))

/** A client that leaves, at whatever moment, ends the operation and is nobody's fault. */
async function write(response: ServerResponse, events: AsyncGenerator<string>, pace: ReaderPace): Promise<void> {
  const leave = () => void events.return(undefined)
  response.once('close', leave)
  for await (const text of events) {
    if (!response.writable) break
    if (!response.write(text)) await roomToWrite(response, pace)
  }
  response.off('close', leave)
  response.end()
}
