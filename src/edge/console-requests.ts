/**
 * Requests of the console's own pages. A browser sends its cookie with whatever a page makes it ask, so a session counts only
 * where the page has added a header, which pages of other origins may not add to our requests, and the browser says that the page
 * is of this very origin.
 */
import type { IncomingMessage } from 'node:http'
import { bearerToken } from '#platform/requests/context.js'

export const CONSOLE_HEADER = 'x-sluice-console'

export interface ConsoleRequests {
  /** Whether a page of this server asks. */
  isOurs(request: IncomingMessage): boolean
  /** The caller's key, or the token of the console's session. */
  tokenOf(request: IncomingMessage): string | null
}

const COOKIE = 'sluice_session'

/** @param publicUrl where browsers reach this server, if that is not the host that they ask for */
export function createConsoleRequests(publicUrl: string | null): ConsoleRequests {
  const publicOrigin = publicUrl === null ? null : new URL(publicUrl).origin
  const isOurs = ({ headers }: IncomingMessage): boolean => {
    if (headers[CONSOLE_HEADER] !== '1') return false
    const site = headers['sec-fetch-site']
    if (site !== undefined) return site === 'same-origin'
    // Browsers say no more than the origin where the connection is not secure.
    const { origin } = headers
    return origin !== undefined && (origin === publicOrigin || hostOf(origin) === headers.host)
  }
  return {
    isOurs,
    tokenOf: (request) => bearerToken(request.headers.authorization) ?? (isOurs(request) ? sessionToken(request) : null),
  }
}

const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null)

/** The token in the cookie, whoever has made the browser send it. */
export function sessionToken({ headers }: IncomingMessage): string | null {
  const [, value] = /(?:^|;\s*)sluice_session=([\w-]{1,100})(?:;|$)/.exec(headers.cookie ?? '') ?? []
  return value ?? null
}

/** A `Set-Cookie` that begins a session, or ends it where the token is empty. */
export function sessionCookie(token: string, maxAgeSeconds: number, isSecure: boolean): string {
  const secure = isSecure ? '; Secure' : ''
  return `${COOKIE}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`
}
