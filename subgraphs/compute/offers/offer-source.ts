/** The stream behind `gpuOffersChanged`: the offers as they are, then again whenever they have become others. */
import { delay, type Clock } from '#platform/clock.js'
import { DatabaseOutage } from '#platform/database/outage.js'
import { requirePrincipal } from '#platform/requests/context.js'
import type { SubscriptionSource } from '#platform/subgraph.js'
import type { ComputePolicy } from '../policy.js'
import { offerKey, type Offer } from './offer.js'
import { offerFilter } from './offer-args.js'
import type { Offers } from './offers.js'

/**
 * Providers tell of no change, so the offers are looked at as often as they are fetched. Never ends by itself.
 *
 * @throws AppError 400 for a filter that is wrong
 */
export const offersSource =
  (offers: Offers, clock: Clock, { offerTtlMs }: Pick<ComputePolicy, 'offerTtlMs'>): SubscriptionSource =>
  (args, context) => {
    requirePrincipal(context)
    const filter = offerFilter(args)
    return changes(() => offers.list(filter).catch(nothingInAnOutage), clock, offerTtlMs, context.signal)
  }

async function* changes(
  look: () => Promise<readonly Offer[] | null>,
  clock: Clock,
  everyMs: number,
  signal: AbortSignal,
): AsyncGenerator<readonly Offer[]> {
  let told: string | null = null
  while (!signal.aborted) {
    const list = await look()
    const state = list?.map(stateOf).join('\n')
    if (list && state !== told) {
      told = state ?? null
      yield list
    }
    await delay(clock, everyMs, signal)
  }
}

/** When an offer was stated is no change of it. */
const stateOf = (offer: Offer): string =>
  [offerKey(offer), offer.gpuCount, offer.pricePerGpuHour, offer.interruptionProbability, offer.interruptionOrigin].join(' ')

/** The stream outlives trouble of the database: the next look finds what this one missed. */
function nothingInAnOutage(error: unknown): null {
  if (error instanceof DatabaseOutage) return null
  throw error
}
