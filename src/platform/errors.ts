/**
 * One error class and one table for every fault that a caller may see.
 *
 * A row of the table says how a code looks at each edge: the HTTP status, the `error.type` of the OpenAI-shaped body and the
 * scanner's code. Conversion happens only at the edges (src/rest, src/graph, src/mcp); the domain throws `AppError`.
 */

interface ErrorRow {
  readonly httpStatus: number
  /** `error.type` on /v1. */
  readonly type: string
  /** `code` on /api and MCP. */
  readonly scannerCode: ScannerErrorCode
}

export type ScannerErrorCode =
  | 'AUTH_ERROR'
  | 'RATE_LIMIT'
  | 'INVALID_REQUEST'
  | 'UNSUPPORTED_LANGUAGE'
  | 'SERVER_ERROR'
  | 'TIMEOUT'

const row = (httpStatus: number, type: string, scannerCode: ScannerErrorCode): ErrorRow => ({ httpStatus, type, scannerCode })

/** Keys are the wire codes: `error.code` on /v1 and, but for the words below, `extensions.code` in GraphQL. */
export const errorTable = {
  invalid_request_error: row(400, 'invalid_request_error', 'INVALID_REQUEST'),
  pricing_pending: row(400, 'invalid_request_error', 'INVALID_REQUEST'),
  context_length_exceeded: row(400, 'invalid_request_error', 'INVALID_REQUEST'),
  unsupported_language: row(400, 'invalid_request_error', 'UNSUPPORTED_LANGUAGE'),
  authentication_error: row(401, 'authentication_error', 'AUTH_ERROR'),
  insufficient_credits: row(402, 'insufficient_credits', 'INVALID_REQUEST'),
  insufficient_scope: row(403, 'permission_error', 'AUTH_ERROR'),
  model_not_found: row(404, 'model_not_found', 'INVALID_REQUEST'),
  not_found: row(404, 'not_found_error', 'INVALID_REQUEST'),
  rental_not_found: row(404, 'not_found_error', 'INVALID_REQUEST'),
  unsupported_endpoint: row(404, 'invalid_request_error', 'INVALID_REQUEST'),
  method_not_allowed: row(405, 'invalid_request_error', 'INVALID_REQUEST'),
  not_acceptable: row(406, 'invalid_request_error', 'INVALID_REQUEST'),
  offer_unavailable: row(409, 'invalid_request_error', 'INVALID_REQUEST'),
  idempotency_conflict: row(409, 'invalid_request_error', 'INVALID_REQUEST'),
  conflict: row(409, 'invalid_request_error', 'INVALID_REQUEST'),
  payload_too_large: row(413, 'invalid_request_error', 'INVALID_REQUEST'),
  unsupported_media_type: row(415, 'invalid_request_error', 'INVALID_REQUEST'),
  rate_limit: row(429, 'rate_limit', 'RATE_LIMIT'),
  client_closed_request: row(499, 'invalid_request_error', 'SERVER_ERROR'),
  server_error: row(500, 'server_error', 'SERVER_ERROR'),
  upstream_error: row(502, 'upstream_error', 'SERVER_ERROR'),
  model_deploying: row(503, 'model_deploying', 'SERVER_ERROR'),
  /** The database, a subgraph or another part that we stand on is in trouble: not a bug, and worth a retry. */
  service_unavailable: row(503, 'server_error', 'SERVER_ERROR'),
  shutting_down: row(503, 'server_error', 'SERVER_ERROR'),
  timeout: row(504, 'upstream_error', 'TIMEOUT'),
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof errorTable

/**
 * What every GraphQL server can say has a word that its clients know, in capitals; what only this gateway says keeps its code.
 * What is wrong with a document is in src/graph/graph-errors.ts: it is never the domain's to say.
 */
const graphqlWords: Partial<Record<ErrorCode, string>> = {
  service_unavailable: 'SERVICE_UNAVAILABLE',
  shutting_down: 'SERVICE_UNAVAILABLE',
  authentication_error: 'UNAUTHENTICATED',
}

/** `extensions.code` back to the code of the table, for what crossed from a process of ours; null for words of others. */
export function errorCodeOf(graphqlCode: unknown): ErrorCode | null {
  if (typeof graphqlCode !== 'string') return null
  if (Object.hasOwn(errorTable, graphqlCode)) return graphqlCode as ErrorCode
  const found = Object.entries(graphqlWords).find(([, word]) => word === graphqlCode)
  return found ? (found[0] as ErrorCode) : null
}

export interface AppErrorOptions {
  /** The request field at fault, as a path: `messages[0].role`. */
  readonly param?: string
  /** A finer code than that of the table, such as the one that a provider gave. */
  readonly publicCode?: string
  /** For the log only: may name internals, must not hold a key or a prompt. */
  readonly detail?: string
  readonly cause?: unknown
  readonly retryAfterSeconds?: number
}

/** When callers should come again. */
export const RETRY_SECONDS = {
  /** As long as a load balancer, or the database's own restart, takes to notice. */
  outage: 2,
  /** As long as the work of others takes that fills the room. */
  busy: 5,
}

/** A fault with a public message. Everything else that is thrown is a bug and reaches callers as `server_error`. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly param: string | null
  readonly publicCode: string
  readonly detail: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: AppErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.param = options.param ?? null
    this.publicCode = options.publicCode ?? code
    this.detail = options.detail
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get httpStatus(): number {
    return errorTable[this.code].httpStatus
  }

  get type(): string {
    return errorTable[this.code].type
  }

  /** `extensions.code` in GraphQL. */
  get graphqlCode(): string {
    return graphqlWords[this.code] ?? this.code
  }

  get scannerCode(): ScannerErrorCode {
    return errorTable[this.code].scannerCode
  }
}

/**
 * The same fault in the words of who is told of it: the domain names its own fields, in `param` and in the message, and an edge
 * that calls them otherwise says so.
 */
export function reworded(error: AppError, words: (text: string) => string): AppError {
  const { code, message, param, publicCode, detail, cause, retryAfterSeconds } = error
  return new AppError(code, words(message), {
    publicCode,
    cause,
    ...(param !== null && { param: words(param) }),
    ...(detail !== undefined && { detail }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}

/** A 400 that names the field at fault. */
export const invalidRequest = (message: string, param?: string): AppError =>
  new AppError('invalid_request_error', message, param === undefined ? {} : { param })

const SHOWN_NAME = 100

/** The 404 that names the model it was asked for: a caller's text, so it is cut, and what no screen should get is left out. */
export function modelNotFound(name: string, param = 'model'): AppError {
  const printable = name.replaceAll(/[^\P{C}]/gu, '')
  const shown = printable.length > SHOWN_NAME ? `${printable.slice(0, SHOWN_NAME)}...` : printable
  return new AppError('model_not_found', `There is no model "${shown}", and none of that name can be deployed.`, { param })
}

/** What a caller may see of any thrown value: itself when public, else a `server_error` that keeps the original as cause. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return new AppError('server_error', 'The server failed to answer this request.', { cause: error, detail })
}
