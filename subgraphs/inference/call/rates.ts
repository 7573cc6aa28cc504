/**
 * The rates of a key: how many requests and tokens it may ask in a minute. Keys without rates do not come here.
 *
 * Callers are told in the headers that the SDKs read, with every answer of such a key and before the 429.
 */
import { AppError } from '#platform/errors.js'
import type { AnswerHead, RateLimits } from '#platform/requests/context.js'
import { rateHeader } from '#platform/requests/rate-headers.js'
import type { KeyRates, RateGrant, RateState } from '../ports.js'

/** @throws AppError 429 */
export async function takeRates(
  rates: KeyRates,
  limits: RateLimits,
  tokens: number,
  head: AnswerHead | undefined,
): Promise<RateGrant> {
  const grant = await rates.take(limits, tokens)
  if (head && !head.headersSent) tell(head, grant)
  if (grant.refusedBy === null) return grant
  const { limit } = grant[grant.refusedBy]!
  throw new AppError(
    'rate_limit',
    `This API key may use ${limit} ${grant.refusedBy} a minute; ask again in ${grant.resetSeconds} s.`,
    { retryAfterSeconds: grant.resetSeconds },
  )
}

function tell(head: AnswerHead, { requests, tokens, resetSeconds }: RateGrant): void {
  tellOf(head, 'requests', requests, resetSeconds)
  tellOf(head, 'tokens', tokens, resetSeconds)
}

function tellOf(head: AnswerHead, what: 'requests' | 'tokens', state: RateState | null, resetSeconds: number): void {
  if (!state) return
  head.setHeader(rateHeader('limit', what), String(state.limit))
  head.setHeader(rateHeader('remaining', what), String(state.remaining))
  head.setHeader(rateHeader('reset', what), `${resetSeconds}s`)
}
