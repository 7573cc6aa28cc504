/** The roll-up of prices by tier as GraphQL shows it. */
import { Field, ID, Int, ObjectType } from 'type-graphql'
import type { PricePerMillion } from '#platform/money.js'
import { DecimalScalar } from '#platform/scalars.js'
import { ModelStub } from '../entity-stubs.js'
import { Tier } from '#platform/vocabulary/graph-enums.js'

@ObjectType('TierPrice', { description: 'The cheapest price of one model in a tier.', simpleResolvers: true })
export class TierPriceType {
  @Field(() => ID, { description: 'The canonical model id.' })
  canonicalModelId!: string

  @Field(() => ID, { description: 'The routing identifier of the cheapest host.' })
  providerId!: string

  @Field(() => DecimalScalar, { description: 'US dollars per million input tokens.' })
  inputPerMillion!: PricePerMillion

  @Field(() => DecimalScalar, { description: 'US dollars per million output tokens.' })
  outputPerMillion!: PricePerMillion

  @Field(() => ModelStub, { nullable: true, description: 'The model; null while the catalogue does not answer.' })
  model!: ModelStub | null
}

@ObjectType('PriceTier', { description: 'The prices of one tier, rolled up.', simpleResolvers: true })
export class PriceTierType {
  @Field(() => Tier, { description: 'The tier keyword.' })
  tier!: (typeof Tier)[keyof typeof Tier]

  @Field(() => Int, { description: 'The tier as a number: 1 light, 2 medium, 3 high.' })
  qualityTier!: number

  @Field(() => TierPriceType, { description: 'The deployment with the lowest input plus output price.' })
  cheapest!: TierPriceType

  @Field(() => DecimalScalar, { description: 'The lowest input price of the tier, wherever it is.' })
  lowestInputPerMillion!: PricePerMillion

  @Field(() => DecimalScalar, { description: 'The lowest output price of the tier, wherever it is.' })
  lowestOutputPerMillion!: PricePerMillion

  @Field(() => [TierPriceType], { description: 'The cheapest price of each model, cheapest first.' })
  models!: TierPriceType[]
}
