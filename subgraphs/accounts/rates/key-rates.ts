/**
 * How many chat requests, and tokens of them, keys make in a minute of the wall clock. Keys that share a group share its rates.
 */
import type { Clock } from '#platform/clock.js'
import type { RateLimits } from '#platform/requests/context.js'
import { RateWindow, type Lease } from './rate-window.js'

/** One rate as a caller is told of it. */
export interface RateState {
  readonly limit: number
  readonly remaining: number
}

export interface RateGrant {
  /** What kept the request out; null when it may go on. */
  readonly refusedBy: 'requests' | 'tokens' | null
  readonly requests: RateState | null
  readonly tokens: RateState | null
  /** Until the minute is over. */
  readonly resetSeconds: number
  /** The request is over: what its tokens were in fact. */
  settle(tokens: number): void
}

export interface KeyRates {
  /** Counts one request and sets tokens aside, as many as it is known to need. */
  take(limits: RateLimits, tokens: number): Promise<RateGrant>
}

const MINUTE_MS = 60_000
const WINDOWS_BEFORE_CLEANING = 10_000

export function createKeyRates(clock: Clock, lease: Lease | null): KeyRates {
  const windows = new Map<string, RateWindow>()
  const minuteNow = () => Math.floor(clock.now() / MINUTE_MS)
  let cleanAt = WINDOWS_BEFORE_CLEANING

  function windowOf(rate: 'requests' | 'tokens', group: string): RateWindow {
    const id = `${rate}:${group}`
    let window = windows.get(id)
    if (!window) {
      if (windows.size >= cleanAt) clean()
      windows.set(id, (window = new RateWindow(id, lease, minuteNow)))
    }
    return window
  }

  /** Keys that asked nothing in this minute have nothing to be remembered. */
  function clean(): void {
    for (const [id, { minute }] of windows) if (minute !== minuteNow()) windows.delete(id)
    cleanAt = Math.max(WINDOWS_BEFORE_CLEANING, windows.size * 2)
  }

  return {
    async take({ group, requestsPerMinute, tokensPerMinute }, tokens) {
      const requests = requestsPerMinute === null ? null : windowOf('requests', group)
      const ofTokens = tokensPerMinute === null ? null : windowOf('tokens', group)
      const setAside = Math.min(tokens, tokensPerMinute ?? 0)
      const grant = (refusedBy: RateGrant['refusedBy']): RateGrant => {
        const minute = ofTokens?.minute ?? 0
        return {
          refusedBy,
          requests: requests && { limit: requestsPerMinute!, remaining: requests.remaining },
          tokens: ofTokens && { limit: tokensPerMinute!, remaining: ofTokens.remaining },
          resetSeconds: Math.ceil((MINUTE_MS - (clock.now() % MINUTE_MS)) / 1000),
          settle: (used) => ofTokens?.correct(used - setAside, minute),
        }
      }
      if (requests && !(await requests.take(1, requestsPerMinute!))) return grant('requests')
      const { minute } = requests ?? { minute: 0 }
      if (!ofTokens || (await ofTokens.take(setAside, tokensPerMinute!))) return grant(null)
      requests?.correct(-1, minute)
      return grant('tokens')
    },
  }
}
