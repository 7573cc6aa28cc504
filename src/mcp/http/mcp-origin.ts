/**
 * Protection against DNS rebinding: a page in a browser must not reach a scanner on the same machine under a name of its own.
 *
 * A server that listens on this machine only answers to this machine's names; behind a public name it also answers to that.
 * Pages of other origins are those of `server.cors_origins`, which says for every edge whose pages may read answers.
 */
import { isIP } from 'node:net'
import type { IncomingMessage } from 'node:http'
import { hostHeaderValidation } from '@modelcontextprotocol/sdk/server/middleware/hostHeaderValidation.js'
import type { RequestHandler } from 'express'
import { isLoopback, type AllowsOrigin } from '../../edge/cors.js'

const LOCAL_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

export interface AllowedHosts {
  /** The address that the server listens on. */
  readonly host: string
  readonly publicUrl: string | null
  readonly allowsOrigin: AllowsOrigin
}

const publicNames = ({ publicUrl }: AllowedHosts): string[] => (publicUrl === null ? [] : [new URL(publicUrl).hostname])

/** Refuses requests that name another server; null where any name may lead here. */
export const hostCheck = (hosts: AllowedHosts): RequestHandler | null =>
  isLoopback(hosts.host) ? hostHeaderValidation([...LOCAL_NAMES, ...publicNames(hosts)]) : null

/** Whether the page that sent the request (if one did) is of this server or may talk to it. */
export function isAllowedPage({ headers }: IncomingMessage, hosts: AllowedHosts): boolean {
  const { origin } = headers
  if (origin === undefined || hosts.allowsOrigin(origin)) return true
  const page = hostnameOf(origin)
  const asked = hostnameOf(`http://${headers.host ?? ''}`)
  if (page === null || asked === null) return false
  // On all interfaces an address in the Host header was typed by somebody; a name could be anybody's, but for our own.
  const own = LOCAL_NAMES.includes(asked) || isIP(asked.replace(/^\[|\]$/g, '')) > 0 ? [asked] : []
  return [...publicNames(hosts), ...own].includes(page)
}

const hostnameOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).hostname : null)
