/** Faults as GraphQL shows them: the error table's code, type and status in `extensions`, and nothing of our inside. */
import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { AppError, toAppError } from '#platform/errors.js'

/** The fault behind a GraphQL error: an AppError thrown by a resolver here, or one that crossed from a subgraph process. */
function appErrorOf(error: unknown): AppError | null {
  for (let at: unknown = error; at instanceof Error; at = at instanceof GraphQLError ? at.originalError : at.cause) {
    if (at instanceof AppError) return at
  }
  return null
}

const PUBLIC_CODES = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'BAD_REQUEST',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
])

/**
 * The error as a client may see it. `onUnexpected` gets what was hidden, for the log.
 */
export function publicError(
  formatted: GraphQLFormattedError,
  error: unknown,
  onUnexpected: (error: AppError) => void,
): GraphQLFormattedError {
  const { message, locations, path, extensions } = formatted
  const place = { ...(locations && { locations }), ...(path && { path }) }
  const known = appErrorOf(error)
  if (known) return { message: known.message, ...place, extensions: extensionsOf(known) }
  const code = extensions?.['code']
  // A document that does not fit the schema is the caller's and is told as it is, and so is a fault that a subgraph process
  // has already made public (it carries our `httpStatus`).
  if (typeof code === 'string' && (PUBLIC_CODES.has(code) || typeof extensions?.['httpStatus'] === 'number')) {
    const { stacktrace: _, ...shown } = extensions ?? {}
    return { message, ...place, extensions: shown }
  }
  const original = error instanceof GraphQLError ? (error.originalError ?? null) : error
  if (original === null || original === undefined) return { message, ...place, extensions: { code: code ?? 'BAD_USER_INPUT' } }
  const hidden = toAppError(original)
  onUnexpected(hidden)
  return { message: hidden.message, ...place, extensions: extensionsOf(hidden) }
}

/** The whole answer to an operation that ends before it has a result. */
export const faultResult = (error: AppError) => ({ errors: [{ message: error.message, extensions: extensionsOf(error) }] })

function extensionsOf(error: AppError) {
  return {
    code: error.code,
    type: error.type,
    param: error.param,
    httpStatus: error.httpStatus,
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
  }
}

/** A fault that was met before there was an operation. */
export const graphError = (error: AppError): object => ({
  errors: [{ message: error.message, extensions: extensionsOf(error) }],
})
