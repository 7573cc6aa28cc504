/** Counts and durations. */

const COUNT = new Intl.NumberFormat('en-US')
const ONE_DIGIT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

export const count = (value: number): string => COUNT.format(value)

/** Of tokens, in round numbers: "128k", "1M". */
export function tokensShort(tokens: number): string {
  if (tokens >= 1_000_000) return `${ONE_DIGIT.format(tokens / 1_000_000)}M`
  return tokens >= 1_000 ? `${ONE_DIGIT.format(tokens / 1_000)}k` : COUNT.format(tokens)
}

/** "240 ms", "1.2 s", "3 min". */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${ONE_DIGIT.format(ms / 1_000)} s`
  return `${Math.round(ms / 60_000)} min`
}

/** Of tokens: "81.3/s", "5,556/s". */
export const perSecond = (value: number): string => `${value < 100 ? ONE_DIGIT.format(value) : COUNT.format(Math.round(value))}/s`
