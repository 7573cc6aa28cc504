/** A GPU that can be had now: its shape, and the pure rules for filtering, ordering and choosing. */
import type { NanoUsd } from '#platform/money.js'

/** A provider's price may have moved by this much since it was agreed, and no further. */
export const PRICE_TOLERANCE_PERCENT = 5

/** Where an interruption probability comes from. */
export const InterruptionOrigin = {
  ON_DEMAND: 'on_demand',
  PUBLISHED: 'published',
  PRIOR: 'prior',
  OBSERVED: 'observed',
} as const
export type InterruptionOrigin = (typeof InterruptionOrigin)[keyof typeof InterruptionOrigin]

export interface Offer {
  readonly driverId: string
  /** The opaque routing id of the provider. */
  readonly providerId: string
  readonly region: string
  readonly gpuModel: string
  /** Per GPU, gigabytes. */
  readonly vramGb: number
  /** The smallest number of GPUs that is sold together. */
  readonly gpuCount: number
  readonly pricePerGpuHour: NanoUsd
  readonly spot: boolean
  /** Within 30 days, 0 to 1. */
  readonly interruptionProbability: number
  readonly interruptionOrigin: InterruptionOrigin
  /** Epoch milliseconds at which the provider (or the catalogue file) stated this. */
  readonly fetchedAt: number
  /** What the driver needs to take this very offer; opaque to everyone else. */
  readonly reference: string | null
}

export interface OfferFilter {
  readonly gpuModel?: string | null
  readonly providerId?: string | null
  readonly region?: string | null
  /** Per GPU, gigabytes. */
  readonly minVramGb?: number | null
  readonly maxPricePerGpuHour?: NanoUsd | null
  /** Only those that the provider may take away, or only others. */
  readonly spot?: boolean | null
}

/** What an offer is called in bars and in our own observations: the market, not the single machine. */
export const offerKey = (offer: Pick<Offer, 'driverId' | 'providerId' | 'region' | 'gpuModel' | 'spot'>): string =>
  [offer.driverId, offer.providerId, offer.region, offer.gpuModel, offer.spot ? 'spot' : 'on-demand'].join('/')

/** All filters stack; an absent one lets everything through. GPU names compare without case. */
export function matchesFilter(offer: Offer, filter: OfferFilter): boolean {
  if (filter.gpuModel != null && offer.gpuModel.toLowerCase() !== filter.gpuModel.toLowerCase()) return false
  if (filter.providerId != null && offer.providerId !== filter.providerId) return false
  if (filter.region != null && offer.region !== filter.region) return false
  if (filter.minVramGb != null && offer.vramGb < filter.minVramGb) return false
  if (filter.spot != null && offer.spot !== filter.spot) return false
  return filter.maxPricePerGpuHour == null || offer.pricePerGpuHour <= filter.maxPricePerGpuHour
}

/** Cheapest first; ties are ordered by what is least likely to be interrupted, then by name, so that answers are stable. */
export function cheapestFirst(a: Offer, b: Offer): number {
  if (a.pricePerGpuHour !== b.pricePerGpuHour) return a.pricePerGpuHour < b.pricePerGpuHour ? -1 : 1
  if (a.interruptionProbability !== b.interruptionProbability) return a.interruptionProbability - b.interruptionProbability
  return offerKey(a) < offerKey(b) ? -1 : offerKey(a) > offerKey(b) ? 1 : a.gpuCount - b.gpuCount
}

/** How many GPUs of this offer serve a need of `gpuCount` GPUs: whole multiples of what is sold together. */
export const gpusToTake = (offer: Offer, gpuCount: number): number => Math.ceil(gpuCount / offer.gpuCount) * offer.gpuCount

export interface Need {
  readonly filter: OfferFilter
  readonly gpuCount: number
  /** Over all GPUs taken, gigabytes. */
  readonly totalVramGb?: number
}

/** The offers that serve a need, cheapest whole session first. Offers with enough memory on fewer GPUs count too. */
export function offersFor(offers: readonly Offer[], need: Need, isBarred: (key: string) => boolean): Offer[] {
  const cost = (offer: Offer) => offer.pricePerGpuHour * BigInt(gpusToTake(offer, need.gpuCount))
  return offers
    .filter((offer) => matchesFilter(offer, need.filter) && !isBarred(offerKey(offer)))
    .filter((offer) => offer.vramGb * gpusToTake(offer, need.gpuCount) >= (need.totalVramGb ?? 0))
    .sort((a, b) => (cost(a) === cost(b) ? cheapestFirst(a, b) : cost(a) < cost(b) ? -1 : 1))
}
