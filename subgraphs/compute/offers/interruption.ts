/**
 * How likely a spot GPU is to be taken away within 30 days.
 *
 * A published or assumed probability is a starting point that counts as 30 days of experience; what we observed ourselves is
 * added to it (a Gamma posterior of the interruption rate), so that a few lucky hours do not make a market look safe.
 */
import type { Offer } from './offer.js'

/** What we saw of one market: time our instances ran there, and how often they were taken away. */
export interface Observation {
  readonly runningDays: number
  readonly interruptions: number
}

const WINDOW_DAYS = 30

/** Used when a provider publishes nothing: flagged as `prior` in the answer. */
export const PRIOR_PROBABILITY = 0.15

/** Below this much own experience without an interruption, the stated probability stands alone. */
const ENOUGH_DAYS = 1

/** The offer with its probability corrected by our own experience; on-demand offers stay at zero. */
export function withExperience(offer: Offer, seen: Observation | undefined): Offer {
  if (!offer.spot || !seen || (seen.interruptions === 0 && seen.runningDays < ENOUGH_DAYS)) return offer
  const priorRate = -Math.log(1 - Math.min(0.99, offer.interruptionProbability)) / WINDOW_DAYS
  const rate = (priorRate * WINDOW_DAYS + seen.interruptions) / (WINDOW_DAYS + seen.runningDays)
  const probability = 1 - Math.exp(-rate * WINDOW_DAYS)
  return { ...offer, interruptionProbability: Math.round(probability * 1000) / 1000, interruptionOrigin: 'observed' }
}
