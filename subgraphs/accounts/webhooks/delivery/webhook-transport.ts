/**
 * HTTP to addresses that somebody typed in, which must not become a way into the operator's network.
 *
 * The address is judged when the connection is made, on the IP that is then connected to: a name that resolves to another address
 * than a moment ago gains nothing. Redirects are not followed, and of an answer only the status is used.
 */
import { lookup as resolveName, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector, request } from 'undici'
import type { Clock } from '#platform/clock.js'
import { MAX_FAILURE } from '../webhook.js'

export interface TransportOptions {
  /** Networks of special addresses that may be called all the same, such as `10.1.0.0/16`. */
  readonly allowNetworks: readonly string[]
  /** For everything until the head of the answer. */
  readonly attemptMs: number
  readonly clock: Clock
}

export interface Posting {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What came of one attempt. */
export interface Attempt {
  /** Null when there was no answer. */
  readonly status: number | null
  /** Null when it was taken. */
  readonly failure: string | null
}

export interface WebhookTransport {
  /** Never throws. `signal`: the program stops. */
  post(posting: Posting, signal?: AbortSignal): Promise<Attempt>
  close(): Promise<void>
}

/** The internet as it is reachable: IPv6 has nothing else. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')
/** What is read of an answer, so that its connection can be used again; more closes it. */
const ANSWER_BYTES = 16 * 1024
const CONNECTIONS_AN_ORIGIN = 4

class RefusedAddress extends Error {
  constructor(address: string) {
    super(`${address} is a private or special address, which "webhooks.allow_networks" does not list`)
  }
}

/** Whether a webhook may be sent to an IP address, given as text. */
export function createAddressRule(allowNetworks: readonly string[]): (address: string) => boolean {
  const networks = allowNetworks.map((text) => ipaddr.parseCIDR(text))
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    // An IPv4 address in IPv6's clothes is the IPv4 address.
    const address = ipaddr.process(text)
    const isIn = ([network, bits]: (typeof networks)[number]) =>
      network.kind() === address.kind() && address.match([network, bits] as never)
    if (networks.some(isIn)) return true
    return address.range() === 'unicast' && (address.kind() === 'ipv4' || isIn(GLOBAL_IPV6))
  }
}

/** The IP address that a URL names in the place of a host, null for a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(bare) === 0 ? null : bare
}

export function createWebhookTransport({ allowNetworks, attemptMs, clock }: TransportOptions): WebhookTransport {
  const isAllowed = createAddressRule(allowNetworks)
  const connect = buildConnector({ lookup: safeLookup(isAllowed), timeout: attemptMs, allowH2: false })
  const agent = new Agent({
    connections: CONNECTIONS_AN_ORIGIN,
    pipelining: 1,
    allowH2: false,
    // Our own timer: one for each attempt, on the clock that tests move.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(options, callback) {
      // Where there is nothing to look up, nobody asks `lookup`.
      const literal = literalAddress(options.hostname)
      if (literal !== null && !isAllowed(literal)) callback(new RefusedAddress(literal), null)
      else connect(options, callback)
    },
  })
  return {
    async post({ url, headers, body }, signal) {
      const timeout = new AbortController()
      const cancelTimer = clock.setTimeout(() => timeout.abort(), attemptMs)
      const ends = signal ? AbortSignal.any([timeout.signal, signal]) : timeout.signal
      try {
        const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent, signal: ends })
        await answer.body.dump({ limit: ANSWER_BYTES, signal: ends }).catch(() => undefined)
        const status = answer.statusCode
        return { status, failure: status >= 200 && status < 300 ? null : `the receiver answered ${status}` }
      } catch (error) {
        return { status: null, failure: timeout.signal.aborted ? `no answer within ${attemptMs / 1000} s` : inWords(error) }
      } finally {
        cancelTimer()
      }
    },
    close: () => agent.destroy(),
  }
}

function safeLookup(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return callback(error, [])
      const allowed = found.filter(({ address }) => isAllowed(address))
      const [first] = allowed
      if (!first) return callback(new RefusedAddress(found[0]?.address ?? hostname), [])
      if (options.all) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
}

/** The innermost cause says most; several addresses that were tried are told by the first. */
function inWords(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return inWords(error.errors[0])
  if (!(error instanceof Error)) return 'the attempt failed'
  if (error.cause instanceof Error) return inWords(error.cause)
  return (error.message === '' ? error.name : error.message).slice(0, MAX_FAILURE)
}
