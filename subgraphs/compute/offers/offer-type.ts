/** An offer as GraphQL shows it. */
import { Field, Float, ID, Int, ObjectType } from 'type-graphql'
import type { NanoUsd } from '#platform/money.js'
import { DateTimeScalar, DecimalScalar } from '#platform/scalars.js'
import { InterruptionOrigin } from '../compute-enums.js'
import type { Offer } from './offer.js'

@ObjectType('GpuOffer', { description: 'A GPU that can be rented now.', simpleResolvers: true })
export class GpuOfferType {
  @Field(() => String, { description: 'The GPU, such as "H100".' })
  gpuModel!: string

  @Field(() => Int, { description: 'Memory of one GPU in gigabytes.' })
  vramGb!: number

  @Field(() => Int, { description: 'The smallest number of GPUs that is sold together.' })
  gpuCount!: number

  @Field(() => ID, { description: 'The routing identifier of the provider: opaque, stable, not a brand.' })
  providerId!: string

  @Field(() => String, { description: 'Where the GPU is.' })
  region!: string

  @Field(() => DecimalScalar, { description: 'USD per GPU and hour.' })
  pricePerGpuHour!: NanoUsd

  @Field(() => Float, { description: 'How likely it is taken away within 30 days, 0 to 1.' })
  interruptionProbability!: number

  @Field(() => InterruptionOrigin, { description: 'Where that probability comes from.' })
  interruptionOrigin!: Offer['interruptionOrigin']

  @Field(() => Boolean, { description: 'Whether the provider may take it away.' })
  spot!: boolean

  @Field(() => DateTimeScalar, { description: 'When the provider, or the catalogue file, stated this.' })
  fetchedAt!: number
}
