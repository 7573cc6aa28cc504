/** Which offer a rent request gets. */
import { AppError, invalidRequest } from '#platform/errors.js'
import { matchesFilter, offersFor, type Need, type Offer } from '../offers/offer.js'
import type { Offers } from '../offers/offers.js'
import type { RentRequest } from './rent-request.js'

/** The cheapest offer that fits, or the most helpful reason why there is none. */
export async function chooseOffer(offers: Offers, request: RentRequest, need: Omit<Need, 'filter'>): Promise<Offer> {
  const { gpuModel, providerId, region, spot, maxPricePerGpuHour } = request
  const market = { gpuModel, providerId, region, spot }
  const inMarket = await offers.available(market)
  if (inMarket.length === 0) {
    throw new AppError('offer_unavailable', `No offer for ${gpuModel} matches right now.`, { param: paramOf(request) })
  }
  const large = offersFor(inMarket, { filter: {}, ...need }, () => false)
  if (large.length === 0) {
    const message = `The model needs ${need.totalVramGb} GB of GPU memory in total, more than these offers of ${gpuModel} have.`
    throw invalidRequest(message, 'gpuModel')
  }
  const able = large.filter((offer) => canDo(offers, offer, request))
  if (able.length === 0) {
    const param = request.sshKey === null ? 'dockerImage' : 'sshKey'
    throw new AppError('offer_unavailable', `No provider of ${gpuModel} accepts ${param} right now.`, { param })
  }
  const offer = able.find((candidate) => matchesFilter(candidate, { maxPricePerGpuHour }))
  if (!offer) {
    const message = `No offer for ${gpuModel} costs at most maxPricePerGpuHour right now.`
    throw new AppError('offer_unavailable', message, { param: 'maxPricePerGpuHour' })
  }
  return offer
}

function canDo(offers: Offers, offer: Offer, { sshKey, dockerImage }: RentRequest): boolean {
  const caps = offers.caps(offer.driverId)
  return caps !== null && (sshKey === null || caps.ssh) && (dockerImage === null || caps.image)
}

function paramOf({ region, providerId, spot }: RentRequest): string {
  if (region !== null) return 'region'
  if (providerId !== null) return 'providerId'
  return spot === null ? 'gpuModel' : 'spot'
}
