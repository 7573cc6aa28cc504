/**
 * Turns what sources say about offers into offers that we trust, and puts the rest into quarantine with a reason.
 *
 * Sources are wrong in known ways: prices of zero or of a whole cluster, unknown GPU names, wrong memory, spot dearer than
 * on-demand. The same rules guard the shipped file and every live provider.
 */
import { z } from 'zod'
import { parseUsd, type NanoUsd } from '#platform/money.js'
import { knownGpu } from './gpu-table.js'
import { PRIOR_PROBABILITY } from './interruption.js'
import { InterruptionOrigin, type Offer } from './offer.js'
import { readShippedFile } from '../shipped/shipped-file.js'

/** An offer as a source states it. */
export interface StatedOffer {
  readonly driverId: string
  readonly providerId: string
  readonly region: string
  /** Any spelling. */
  readonly gpu: string
  readonly gpuCount: number
  readonly pricePerGpuHour: NanoUsd
  readonly spot: boolean
  /** Null when the source publishes none. */
  readonly interruption: { readonly probability: number; readonly origin: InterruptionOrigin } | null
  readonly fetchedAt: number
  readonly reference: string | null
}

export interface Quarantined {
  readonly offer: StatedOffer
  readonly reason: 'unknown_gpu' | 'price_too_low' | 'price_too_high' | 'spot_above_on_demand' | 'bad_count'
}

/** Per GPU-hour, 0.02 and 40 US dollars: outside of this a price is a mistake. */
const LOWEST_PRICE: NanoUsd = 20_000_000n
const HIGHEST_PRICE: NanoUsd = 40_000_000_000n

/** Splits statements into offers and quarantine. Memory always comes from our own table. */
export function importOffers(stated: readonly StatedOffer[]): { offers: Offer[]; quarantine: Quarantined[] } {
  const offers: Offer[] = []
  const quarantine: Quarantined[] = []
  const market = (offer: StatedOffer) => [offer.providerId, offer.region, offer.gpu, offer.gpuCount].join('/')
  const onDemand = new Map(stated.filter((offer) => !offer.spot).map((offer) => [market(offer), offer.pricePerGpuHour]))
  for (const offer of stated) {
    const gpu = knownGpu(offer.gpu)
    const reason = distrust(offer, gpu !== null, onDemand.get(market(offer)))
    if (reason || !gpu) {
      quarantine.push({ offer, reason: reason ?? 'unknown_gpu' })
      continue
    }
    const { driverId, providerId, region, gpuCount, pricePerGpuHour, spot, fetchedAt, reference } = offer
    const risk = riskOf(offer)
    offers.push({ driverId, providerId, region, ...gpu, gpuCount, pricePerGpuHour, spot, ...risk, fetchedAt, reference })
  }
  return { offers, quarantine }
}

function distrust(offer: StatedOffer, isKnownGpu: boolean, onDemandPrice: NanoUsd | undefined): Quarantined['reason'] | null {
  if (!isKnownGpu) return 'unknown_gpu'
  if (offer.pricePerGpuHour <= LOWEST_PRICE) return 'price_too_low'
  if (offer.pricePerGpuHour > HIGHEST_PRICE) return 'price_too_high'
  if (!Number.isInteger(offer.gpuCount) || offer.gpuCount < 1 || offer.gpuCount > 64) return 'bad_count'
  if (offer.spot && onDemandPrice !== undefined && offer.pricePerGpuHour >= onDemandPrice) return 'spot_above_on_demand'
  return null
}

function riskOf(offer: StatedOffer): Pick<Offer, 'interruptionProbability' | 'interruptionOrigin'> {
  if (!offer.spot) return { interruptionProbability: 0, interruptionOrigin: 'on_demand' }
  const { probability, origin } = offer.interruption ?? { probability: PRIOR_PROBABILITY, origin: 'prior' as const }
  return { interruptionProbability: Math.min(1, Math.max(0, probability)), interruptionOrigin: origin }
}

const fileShape = z.strictObject({
  as_of: z.string(),
  groups: z.array(
    z.strictObject({
      provider: z.string(),
      source: z.string(),
      as_of: z.string(),
      offers: z.array(
        z.strictObject({
          gpu: z.string(),
          region: z.string(),
          price: z.string(),
          gpus: z.int(),
          spot: z.boolean(),
          interruption: z.number(),
          origin: z.enum(InterruptionOrigin).exclude(['OBSERVED']),
        }),
      ),
    }),
  ),
})

/** The offers that ship with the program, as `driverId` sells them. `fetchedAt` is the date of the file. */
export function shippedOffers(driverId: string): Offer[] {
  const file = fileShape.parse(readShippedFile('offers.yaml'))
  const fetchedAt = Date.parse(`${file.as_of}T00:00:00Z`)
  const stated = file.groups.flatMap((group) =>
    group.offers.map((offer) => ({
      driverId,
      providerId: group.provider,
      region: offer.region,
      gpu: offer.gpu,
      gpuCount: offer.gpus,
      pricePerGpuHour: parseUsd(offer.price),
      spot: offer.spot,
      interruption: { probability: offer.interruption, origin: offer.origin },
      fetchedAt,
      reference: null,
    })),
  )
  return importOffers(stated).offers
}
