/**
 * What each provider may be asked for in a stream. Some refuse `stream_options`, which our callers never sent: the request is
 * then repeated with less, and what worked is remembered, so that the tokens of that provider are counted by us.
 */
import { DAY_MS, type Clock } from '#platform/clock.js'
import type { ProviderConfig, StreamUsage } from '../ports.js'
import type { ProviderFailure } from './provider-failure.js'

/** A provider may learn: it is asked again after a day. */
const REMEMBERED_MS = DAY_MS

export class StreamUsageMemory {
  readonly #known = new Map<string, { readonly baseUrl: string; readonly usage: StreamUsage; readonly until: number }>()

  constructor(private readonly clock: Clock) {}

  of({ id, baseUrl, streamUsage }: ProviderConfig): StreamUsage {
    const known = this.#known.get(id)
    return known?.baseUrl === baseUrl && this.clock.monotonic() < known.until ? known.usage : streamUsage
  }

  remember({ id, baseUrl }: ProviderConfig, usage: StreamUsage): void {
    this.#known.set(id, { baseUrl, usage, until: this.clock.monotonic() + REMEMBERED_MS })
  }
}

/** What to ask for after a refusal of what was asked; null when the refusal is about something else. */
export function lessUsage(asked: StreamUsage, failure: ProviderFailure): StreamUsage | null {
  if (asked === 'none' || !failure.isRefusal || failure.refusedOption === null) return null
  return asked === 'continuous' && failure.refusedOption === 'continuous_usage_stats' ? 'include_usage' : 'none'
}
