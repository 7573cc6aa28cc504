/**
 * The provider's own token counts, wherever it puts them, in disjoint buckets.
 *
 * Providers count cached tokens inside the prompt tokens, some leave reasoning tokens out of the completion tokens, and the
 * object sits at the top of a chunk, inside a choice or inside an extension. An explicit zero is an answer; anything that is
 * not a whole number of tokens is no answer, and then we count.
 */
import type { TokenBuckets } from '#platform/money.js'

export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What the provider said, and the same thing in buckets. */
export interface ReportedUsage {
  readonly tokens: TokenBuckets
  /** The provider's object, kept because it may hold more than we know, such as reasoning tokens. */
  readonly details: JsonObject
}

const MAX_TOKENS = 1_000_000_000

const tokenCount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS ? value : null

/** Reads one usage object; null when it does not hold both counts. */
export function readUsage(value: unknown): ReportedUsage | null {
  if (!isObject(value)) return null
  const prompt = tokenCount(value['prompt_tokens'])
  const completion = tokenCount(value['completion_tokens'])
  if (prompt === null || completion === null) return null
  const cached = Math.min(prompt, cachedTokens(value))
  const output = completion + separateReasoning(value, prompt, completion)
  return { tokens: { input: prompt - cached, cachedInput: cached, output }, details: value }
}

function cachedTokens(usage: JsonObject): number {
  const details = usage['prompt_tokens_details']
  const nested = isObject(details) ? tokenCount(details['cached_tokens']) : null
  return nested ?? tokenCount(usage['prompt_cache_hit_tokens']) ?? tokenCount(usage['cached_tokens']) ?? 0
}

/** Reasoning tokens that the total contains and the completion tokens do not; else 0. */
function separateReasoning(usage: JsonObject, prompt: number, completion: number): number {
  const total = tokenCount(usage['total_tokens'])
  const details = usage['completion_tokens_details']
  const reasoning = isObject(details) ? tokenCount(details['reasoning_tokens']) : null
  return reasoning !== null && reasoning > 0 && total === prompt + completion + reasoning ? reasoning : 0
}

/** Takes the usage out of a chunk or a completion, from whichever place it is in, so that it is never sent on twice. */
export function takeUsage(object: JsonObject): ReportedUsage | null {
  let found: ReportedUsage | null = null
  const take = (owner: unknown) => {
    if (!isObject(owner) || !('usage' in owner)) return
    found ??= readUsage(owner['usage'])
    delete owner['usage']
  }
  if ('usage' in object) {
    found = readUsage(object['usage'])
    // JSON leaves it out; deleting would make the one large object slow to write.
    object['usage'] = undefined
  }
  take(object['x_groq'])
  const choices = object['choices']
  if (Array.isArray(choices)) choices.forEach(take)
  return found
}

/** The usage object of an answer: the billed counts, over whatever else the provider told. */
export function usageObject(tokens: TokenBuckets, details: JsonObject = {}): JsonObject {
  const prompt = tokens.input + tokens.cachedInput
  return { ...details, prompt_tokens: prompt, completion_tokens: tokens.output, total_tokens: prompt + tokens.output }
}
