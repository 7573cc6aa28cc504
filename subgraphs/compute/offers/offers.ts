/** Offers of all drivers together: fetched at most once a minute, filtered, corrected by our own experience, cheapest first. */
import { DAY_MS, type Clock } from '#platform/clock.js'
import type { DriverCaps, GpuDriver } from '../drivers/driver.js'
import { withExperience, type Observation } from './interruption.js'
import { cheapestFirst, matchesFilter, offerKey, type Offer, type OfferFilter } from './offer.js'
import type { ComputePolicy } from '../policy.js'
import { withDeadline } from '../reconciler/perform.js'
import type { SessionStore } from '../store/session-store.js'

export interface Offers {
  /** Every offer that passes all filters, cheapest first. A provider that does not answer is left out. */
  list(filter: OfferFilter): Promise<readonly Offer[]>
  /** Offers that are neither barred nor behind an open circuit: what a session may be started on. */
  available(filter: OfferFilter): Promise<readonly Offer[]>
  /** Offers of one driver, asked for now. */
  fresh(driver: GpuDriver, filter: OfferFilter, signal: AbortSignal): Promise<readonly Offer[]>
  caps(driverId: string): DriverCaps | null
}

export interface OffersDeps {
  readonly drivers: ReadonlyMap<string, GpuDriver>
  readonly store: SessionStore
  readonly clock: Clock
  readonly policy: ComputePolicy
  readonly onError: (error: unknown, driverId: string) => void
}

const EXPERIENCE_WINDOW_MS = 90 * DAY_MS

export function createOffers({ drivers, store, clock, policy, onError }: OffersDeps): Offers {
  const cache = new Map<string, { at: number; offers: Promise<readonly Offer[]> }>()
  let experience: { at: number; seen: Promise<ReadonlyMap<string, Observation>> } | null = null

  /** All offers of a driver. Filtering happens here, so that one cached answer serves every filter. */
  function cached(driver: GpuDriver): Promise<readonly Offer[]> {
    const hit = cache.get(driver.id)
    if (hit && clock.now() - hit.at < policy.offerTtlMs) return hit.offers
    const offers = withDeadline(clock, policy.callTimeoutMs, (signal) => driver.listOffers({}, signal)).catch(
      (error: unknown) => {
        // What was last known is better than nothing: its `fetchedAt` tells the age.
        onError(error, driver.id)
        return hit?.offers ?? []
      },
    )
    cache.set(driver.id, { at: clock.now(), offers })
    return offers
  }

  function seen(): Promise<ReadonlyMap<string, Observation>> {
    if (!experience || clock.now() - experience.at >= policy.offerTtlMs) {
      experience = { at: clock.now(), seen: store.experience(clock.now() - EXPERIENCE_WINDOW_MS) }
    }
    return experience.seen
  }

  async function list(filter: OfferFilter): Promise<readonly Offer[]> {
    const [known, ...lists] = await Promise.all([seen(), ...[...drivers.values()].map(cached)])
    return lists
      .flat()
      .filter((offer) => matchesFilter(offer, filter))
      .map((offer) => withExperience(offer, known.get(offerKey(offer))))
      .sort(cheapestFirst)
  }

  return {
    list,
    async available(filter) {
      const now = clock.now()
      const [offers, barred, circuits] = await Promise.all([list(filter), store.barredAt(now), store.circuitsOpenAt(now)])
      return offers.filter((offer) => !barred.has(offerKey(offer)) && !circuits.has(offer.driverId))
    },
    fresh: (driver, filter, signal) => driver.listOffers(filter, signal),
    caps: (driverId) => drivers.get(driverId)?.caps ?? null,
  }
}
