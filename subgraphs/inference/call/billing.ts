/**
 * What is billed: one number, which is also what the answer reports and what was delivered.
 *
 * - A provider's report of a whole answer counts when it keeps the limit that the provider was given. When it costs more than
 *   the hold, its prompt is larger than any count of ours: then the prompt tokens that the hold covers are billed and reported.
 * - Any other answer is counted by us, and cut at the limit before it is delivered, so the count never exceeds the hold.
 *
 * An explicit zero is a report. In a stream only our count knows where the limit is while the text goes by, unless the
 * provider counts along (`stream_usage: continuous`).
 */
import { tokenCost, type NanoUsd, type TokenBuckets, type TokenPrice } from '#platform/money.js'
import type { ReportedUsage } from '../tokens/usage.js'

/** What the hold of a request pays for at one provider. */
export interface Cover {
  readonly promptTokens: number
  /** For each choice. */
  readonly answerTokens: number
  readonly choices: number
  readonly amount: NanoUsd
  readonly price: TokenPrice
}

/** Whether a report keeps the limit. */
export const isWithin = (report: ReportedUsage, cover: Cover): boolean =>
  report.tokens.output <= cover.answerTokens * cover.choices

/** The report as it is billed, with the provider's own details while they still are true. */
export function billedReport({ tokens, details }: ReportedUsage, cover: Cover): ReportedUsage {
  if (tokenCost(tokens, cover.price) <= cover.amount) return { tokens, details }
  const prompt = Math.min(cover.promptTokens, tokens.input + tokens.cachedInput)
  const cachedInput = Math.min(tokens.cachedInput, prompt)
  return { tokens: { ...tokens, cachedInput, input: prompt - cachedInput }, details: {} }
}

/** Our own count as it is billed. */
export const billedCount = (promptTokens: number, output: number, cover: Cover): TokenBuckets => ({
  input: Math.min(promptTokens, cover.promptTokens),
  cachedInput: 0,
  output,
})

/** Above this many bytes for each token of the limit, an answer that is said to keep it is counted. */
const PLAUSIBLE_BYTES_PER_TOKEN = 16
/** Tokenizers differ, but not by more than this. */
const PLAUSIBLE_RATIO = 2

/** Whether the text may need counting although the report keeps the limit. */
export const isSuspicious = (bytes: number, cover: Cover): boolean =>
  bytes > cover.answerTokens * cover.choices * PLAUSIBLE_BYTES_PER_TOKEN

/** Whether an answer of `output` tokens by our count cannot have kept the limit, whatever the provider says. */
export const isOverLimit = (output: number, cover: Cover): boolean =>
  output > cover.answerTokens * cover.choices * PLAUSIBLE_RATIO
