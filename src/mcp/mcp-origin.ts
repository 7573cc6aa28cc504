/**
 * Protection against DNS rebinding: a page in a browser must not reach a scanner on the same machine under a name of its own.
 *
 * A server that listens on this machine only answers to this machine's names; behind a public name it also answers to that.
 * Pages of other origins are those of `server.cors_origins`, which says for every edge whose pages may read answers.
 */
import { isIP } from 'node:net'
import type { IncomingMessage } from 'node:http'
import { isLoopback, type AllowsOrigin } from '../edge/cors.js'

const LOCAL_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

export interface AllowedHosts {
  /** The address that the server listens on. */
  readonly host: string
  readonly publicUrl: string | null
  readonly allowsOrigin: AllowsOrigin
}

/** Whether the request names this server, and the page that sent it (if one did) is of this server or may talk to it. */
export function isAllowedHost(request: IncomingMessage, { host, publicUrl, allowsOrigin }: AllowedHosts): boolean {
  const publicName = publicUrl === null ? [] : [new URL(publicUrl).hostname]
  const asked = hostnameOf(`http://${request.headers.host ?? ''}`)
  if (asked === null || (isLoopback(host) && ![...LOCAL_NAMES, ...publicName].includes(asked))) return false
  const { origin } = request.headers
  if (origin === undefined || allowsOrigin(origin)) return true
  const page = hostnameOf(origin)
  // On all interfaces an address in the Host header was typed by somebody; a name could be anybody's, but for our own.
  const own = LOCAL_NAMES.includes(asked) || isIP(asked.replace(/^\[|\]$/g, '')) > 0 ? [asked] : []
  return page !== null && [...publicName, ...own].includes(page)
}

const hostnameOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).hostname : null)
