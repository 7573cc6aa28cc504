/**
 * Whose fault is it, and how GraphQL shows it: the one place that decides, for JSON answers and event streams alike.
 *
 * - What is wrong before anything has run is a `Refusal`: the caller's, a 4xx, and never counted as a bug.
 * - A resolver's `AppError` is shown with its row of the error table.
 * - An argument that turns out not to fit while the operation runs is the caller's too.
 * - Everything else is a bug: hidden behind `server_error`, and told to `onUnexpected`.
 */
import { GraphQLError, Kind, type ExecutionResult, type FormattedExecutionResult, type GraphQLFormattedError } from 'graphql'
import { AppError, toAppError } from '#platform/errors.js'

/** The words for what is wrong with a request, beside those of the error table, and the HTTP status of each. */
export const requestFaults = {
  /** The parameters of the HTTP request are not those of a GraphQL request. */
  BAD_REQUEST: 400,
  GRAPHQL_PARSE_FAILED: 400,
  GRAPHQL_VALIDATION_FAILED: 400,
  /** No operation of that name, or several and no name. */
  OPERATION_RESOLUTION_FAILURE: 400,
  /** Depth, aliases, directives, tokens or cost over `graphql.max_*`; brackets nested more than 200 deep. */
  OPERATION_TOO_COMPLEX: 400,
  /** A variable or argument that does not fit its type. */
  BAD_USER_INPUT: 400,
  /** Clients that try a hash first take this answer, a success by convention, as a request for the whole document. */
  PERSISTED_QUERY_NOT_SUPPORTED: 200,
} as const

type RequestFault = keyof typeof requestFaults

/** graphql-js quotes a value that does not fit, however long it is. */
const MAX_MESSAGE_LENGTH = 1_000

/** A request that was refused before anything of it has run. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly errors: readonly GraphQLFormattedError[]

  constructor(
    readonly code: RequestFault,
    errors: readonly (GraphQLError | string)[],
  ) {
    super(code)
    this.errors = errors.map((error) => {
      const { message, locations } = typeof error === 'string' ? new GraphQLError(error) : error
      const shown = message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}...` : message
      return { message: shown, ...(locations && { locations }), extensions: { code } }
    })
  }
}

export type OnUnexpected = (error: AppError) => void

/** An error of an execution as a client may see it. `onUnexpected` gets what was hidden, for the log. */
export function publicError(formatted: GraphQLFormattedError, error: unknown, onUnexpected: OnUnexpected): GraphQLFormattedError {
  const { message, locations, path, extensions } = formatted
  const place = { ...(locations && { locations }), ...(path && { path }) }
  const known = appErrorOf(error)
  if (known) {
    if (known.code === 'server_error') onUnexpected(known)
    return { message: known.message, ...place, extensions: extensionsOf(known) }
  }
  const code: unknown = extensions?.['code']
  // A fault that a subgraph process has already made public carries our `httpStatus`.
  if (isRequestFault(code) || typeof extensions?.['httpStatus'] === 'number') {
    const { stacktrace: _, ...shown } = extensions ?? {}
    return { message, ...place, extensions: shown }
  }
  if (isAboutTheDocument(error)) return { message, ...place, extensions: { code: 'BAD_USER_INPUT' } }
  const hidden = toAppError(error instanceof GraphQLError ? (error.originalError ?? error) : error)
  onUnexpected(hidden)
  return { message: hidden.message, ...place, extensions: extensionsOf(hidden) }
}

/** A result of an execution as a client may see it. */
export function publicResult({ errors, ...result }: ExecutionResult, onUnexpected: OnUnexpected): FormattedExecutionResult {
  return errors ? { errors: errors.map((error) => publicError(error.toJSON(), error, onUnexpected)), ...result } : result
}

/** What a request is answered with, and the HTTP status of it. */
export interface Outcome {
  readonly status: number
  /** Whether it was a GraphQL request as HTTP has them, so that what is wrong is in its document or variables. */
  readonly isWellFormed: boolean
  readonly errors?: readonly GraphQLFormattedError[] | undefined
  readonly data?: unknown
}

/** The outcome of a request that ended before there was a result: a refusal, a fault of the table, or a bug. */
export function publicFailure(thrown: unknown, onUnexpected: OnUnexpected): Outcome & Required<Pick<Outcome, 'errors'>> {
  if (thrown instanceof Refusal) {
    return { status: requestFaults[thrown.code], isWellFormed: thrown.code !== 'BAD_REQUEST', errors: thrown.errors }
  }
  const error = toAppError(thrown)
  if (error.code === 'server_error') onUnexpected(error)
  return { status: error.httpStatus, isWellFormed: false, errors: [{ message: error.message, extensions: extensionsOf(error) }] }
}

/**
 * The outcome of an execution: a 200, also with errors, unless nothing came of it because a part that we stand on is in trouble.
 * Then it is the 503 that load balancers and clients know to repeat, without `data`, which would demand a 2xx.
 */
export function outcomeOf({ data, errors = [] }: FormattedExecutionResult): Outcome {
  const statuses = errors.map(({ extensions }) => statusOf(extensions))
  const cameToNothing = Object.values(data ?? {}).every((value) => value === null)
  if (cameToNothing && errors.length > 0 && statuses.every((status) => status === 503)) {
    return { status: 503, isWellFormed: false, errors }
  }
  const status = data === undefined ? (statuses[0] ?? 500) : 200
  return { status, isWellFormed: true, ...(errors.length > 0 && { errors }), data }
}

function statusOf(extensions: GraphQLFormattedError['extensions']): number {
  const { httpStatus, code } = extensions ?? {}
  if (typeof httpStatus === 'number') return httpStatus
  return isRequestFault(code) ? requestFaults[code] : 500
}

const isRequestFault = (code: unknown): code is RequestFault => typeof code === 'string' && Object.hasOwn(requestFaults, code)

/** The fault behind a GraphQL error: an AppError thrown by a resolver here, or one that crossed from a subgraph process. */
function appErrorOf(error: unknown): AppError | null {
  for (const at of causesOf(error)) if (at instanceof AppError) return at
  return null
}

/**
 * graphql-js names the place in the document of an argument or variable that does not fit, at the very error that it makes of
 * it. A value of ours that does not fit its type has no such place of its own, or the whole field.
 */
function isAboutTheDocument(error: unknown): boolean {
  const root = [...causesOf(error)].at(-1)
  return root instanceof GraphQLError && root.nodes !== undefined && root.nodes.some(({ kind }) => kind !== Kind.FIELD)
}

function* causesOf(error: unknown): Generator<Error> {
  for (let at: unknown = error; at instanceof Error; at = at instanceof GraphQLError ? at.originalError : at.cause) yield at
}

function extensionsOf(error: AppError) {
  return {
    code: error.graphqlCode,
    type: error.type,
    ...(error.publicCode !== error.code && { publicCode: error.publicCode }),
    param: error.param,
    httpStatus: error.httpStatus,
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
  }
}

/** A fault that was met before there was an operation. */
export const graphError = (error: AppError): object => ({
  errors: [{ message: error.message, extensions: extensionsOf(error) }],
})
