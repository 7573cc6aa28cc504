/** The headers that tell the callers of a key with rates where they stand, as OpenAI's API names them. */
import type { AnswerHead } from './context.js'

type Rate = 'requests' | 'tokens'
type Fact = 'limit' | 'remaining' | 'reset'

export const rateHeader = (fact: Fact, rate: Rate): string => `x-ratelimit-${fact}-${rate}`

export const RATE_HEADERS: readonly string[] = (['limit', 'remaining', 'reset'] as const).flatMap((fact) => [
  rateHeader(fact, 'requests'),
  rateHeader(fact, 'tokens'),
])

/** What another process of ours has said goes on to the caller, unless the answer has begun. */
export function passOnRates(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  head: AnswerHead | undefined,
): void {
  if (!head || head.headersSent) return
  for (const name of RATE_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string') head.setHeader(name, value)
  }
}
