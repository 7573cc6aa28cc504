/**
 * Why a call to a provider gave no usable answer. What the provider said is in `words` only, cleaned, and not in the message:
 * it may quote the prompt.
 */
import type { ProviderWords } from './provider-words.js'

export type FailureKind =
  /** No connection. */
  | 'connect'
  /** The connection, the first byte or the next byte took too long. */
  | 'timeout'
  /** The connection broke before the answer's end. */
  | 'cut'
  /** An HTTP status other than 200. */
  | 'status'
  /** Not what an OpenAI-compatible server answers. */
  | 'malformed'
  /** A stream without a single token. */
  | 'empty'
  /** An error object where an answer was expected. */
  | 'error_frame'
  | 'too_large'
  /** We ended it: the caller left, or the time was over. */
  | 'cancelled'

export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'

  constructor(
    readonly kind: FailureKind,
    readonly status: number | null = null,
    /** From Retry-After. */
    readonly retryAfterMs: number | null = null,
    /** Words of ours about the refused request, such as `context_length_exceeded`. */
    readonly refusal: 'context_length_exceeded' | null = null,
    /** What it said, when it answered with a status. */
    readonly words: ProviderWords | null = null,
    /** The part of `stream_options` that it names in its refusal. */
    readonly refusedOption: 'continuous_usage_stats' | 'stream_options' | null = null,
  ) {
    super(status === null ? kind : `${kind} ${status}`)
  }

  /** The provider says that the request itself is wrong: trying elsewhere would repeat a mistake of the caller. */
  get isRefusal(): boolean {
    return this.kind === 'status' && (this.status === 400 || this.status === 413 || this.status === 415 || this.status === 422)
  }
}

/** Milliseconds of a Retry-After header: seconds or an HTTP date; null when it is neither. */
export function retryAfterMs(header: string | string[] | undefined, nowMs: number): number | null {
  const text = Array.isArray(header) ? header[0] : header
  if (text === undefined) return null
  if (/^\d{1,6}(\.\d{1,3})?$/.test(text.trim())) return Math.round(Number(text) * 1_000)
  const time = Date.parse(text)
  return Number.isNaN(time) ? null : Math.max(0, time - nowMs)
}
