/** What is wrong, in a form that can be shown: the words of the server, its code, and the id of the request. */
import { CombinedError } from 'urql'

export interface Fault {
  readonly message: string
  /** Such as "insufficient_credits"; null where nobody answered. */
  readonly code: string | null
  readonly requestId: string | null
  /** The field of the input that is at fault, where the server names one. */
  readonly param?: string
}

interface ServerError {
  readonly message: string
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

const SIGNED_OUT = 'UNAUTHENTICATED'

const codeOf = ({ extensions }: ServerError): string | null =>
  typeof extensions?.['code'] === 'string' ? extensions['code'] : null

export const isSignedOut = ({ graphQLErrors }: CombinedError): boolean =>
  graphQLErrors.some((error) => codeOf(error) === SIGNED_OUT)

export function faultOf(error: CombinedError): Fault {
  const response = error.response as Response | undefined
  const first = error.graphQLErrors[0]
  if (!first) return { ...UNREACHED, requestId: null }
  return serverFault(first, response?.headers?.get('x-request-id') ?? null)
}

/** Of what was thrown where a query was awaited. */
export const thrownFault = (thrown: unknown): Fault =>
  thrown instanceof CombinedError ? faultOf(thrown) : { message: String(thrown), code: null, requestId: null }

export const serverFault = (error: ServerError, requestId: string | null): Fault => ({
  message: error.message,
  code: codeOf(error),
  requestId,
  ...(typeof error.extensions?.['param'] === 'string' && { param: error.extensions['param'] }),
})

export const UNREACHED: Fault = { message: 'The server cannot be reached.', code: null, requestId: null }

const HELP: Readonly<Record<string, string>> = {
  insufficient_credits: 'An administrator adds credits, or "sluice credits add" does.',
  insufficient_scope: 'Sign in with a key that may do this.',
  rate_limit: 'Wait a moment, then try again.',
  upstream_error: 'Every provider was tried. "sluice doctor --probe" asks each of them.',
  timeout: 'Try again, or ask for fewer tokens.',
  SERVICE_UNAVAILABLE: 'Try again in a moment.',
}

/** What helps; null where the message says it. */
export const helpFor = ({ code }: Fault): string | null => HELP[code ?? ''] ?? null
