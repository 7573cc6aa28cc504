/** What offers are filtered by, as GraphQL takes it. */
import { ArgsType, Field, ID, Int } from 'type-graphql'
import { invalidRequest } from '#platform/errors.js'
import { parseUsd } from '#platform/money.js'
import { DecimalScalar } from '#platform/scalars.js'
import type { OfferFilter } from './offer.js'

@ArgsType()
export class OffersArgs {
  @Field(() => String, { nullable: true, description: 'Only this GPU; upper and lower case are the same.' })
  gpuModel?: string | null

  @Field(() => ID, { nullable: true, description: 'Only this provider.' })
  provider?: string | null

  @Field(() => Int, { nullable: true, description: 'At least this many gigabytes of memory per GPU.' })
  minVram?: number | null

  @Field(() => DecimalScalar, { nullable: true, description: 'At most this many USD per GPU and hour.' })
  maxPrice?: string | null
}

/** @throws AppError 400 that names the argument */
export function offerFilter({ gpuModel, provider, minVram, maxPrice }: OffersArgs): OfferFilter {
  if (minVram != null && minVram < 0) throw invalidRequest('minVram is a number of gigabytes, 0 or more.', 'minVram')
  const maxPricePerGpuHour = maxPrice == null ? null : parseUsd(maxPrice, 'maxPrice')
  if (maxPricePerGpuHour !== null && maxPricePerGpuHour < 0n) throw invalidRequest('maxPrice must not be negative.', 'maxPrice')
  return { gpuModel: gpuModel ?? null, providerId: provider ?? null, minVramGb: minVram ?? null, maxPricePerGpuHour }
}
