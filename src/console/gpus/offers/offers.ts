/** The offers as rows: told apart, filtered, and what can be filtered by. */
import type { OfferFieldsFragment } from '../../../generated/console-gpus.js'
import { compareDecimals } from '../../format/decimal.js'
import { amountFault } from '../../format/amount-input.js'
import type { OfferFilters } from '../gpus-search.js'

export interface OfferRow extends OfferFieldsFragment {
  /** Of this row in the list: a provider may offer several machines of one kind. */
  readonly key: string
}

export function offerRows(offers: readonly OfferFieldsFragment[]): readonly OfferRow[] {
  const seen = new Map<string, number>()
  return offers.map((offer) => {
    const kind = [offer.gpuModel, offer.vramGb, offer.gpuCount, offer.providerId, offer.region, offer.spot].join(' ')
    const before = seen.get(kind) ?? 0
    seen.set(kind, before + 1)
    return { ...offer, key: `${kind} ${before}` }
  })
}

/** All filters stack; an amount that is none filters nothing. */
export function fits(offer: OfferFieldsFragment, { gpu, provider, region, kind, vram, price }: OfferFilters): boolean {
  return (
    (gpu === undefined || offer.gpuModel === gpu) &&
    (provider === undefined || offer.providerId === provider) &&
    (region === undefined || offer.region === region) &&
    (kind === undefined || offer.spot === (kind === 'spot')) &&
    (vram === undefined || offer.vramGb >= vram) &&
    (price === undefined || amountFault(price) !== null || compareDecimals(offer.pricePerGpuHour, price.trim()) <= 0)
  )
}

export interface OfferChoices {
  readonly gpus: readonly string[]
  readonly providers: readonly string[]
  readonly regions: readonly string[]
  /** Gigabytes, from the least. */
  readonly memories: readonly number[]
}

export const choicesOf = (offers: readonly OfferFieldsFragment[]): OfferChoices => ({
  gpus: distinct(offers.map(({ gpuModel }) => gpuModel)).toSorted(),
  providers: distinct(offers.map(({ providerId }) => providerId)).toSorted(),
  regions: distinct(offers.map(({ region }) => region)).toSorted(),
  memories: distinct(offers.map(({ vramGb }) => vramGb)).toSorted((a, b) => a - b),
})

const distinct = <Value>(values: readonly Value[]): Value[] => [...new Set(values)]
