/** The headers that tell the callers of a key with rates where they stand, as OpenAI's API names them. */
type Rate = 'requests' | 'tokens'
type Fact = 'limit' | 'remaining' | 'reset'

export const rateHeader = (fact: Fact, rate: Rate): string => `x-ratelimit-${fact}-${rate}`

export const RATE_HEADERS: readonly string[] = (['limit', 'remaining', 'reset'] as const).flatMap((fact) => [
  rateHeader(fact, 'requests'),
  rateHeader(fact, 'tokens'),
])
