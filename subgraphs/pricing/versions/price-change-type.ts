/** Price versions as GraphQL shows them: what changed, when, and who said so. */
import { Directive, Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql'
import { countedConnectionType } from '#platform/paging/connection.js'
import type { PricePerMillion } from '#platform/money.js'
import { DateTimeScalar, DecimalScalar } from '#platform/scalars.js'
import { ModelStub } from '../entity-stubs.js'
import { PriceOrigin } from './price-version.js'

@Directive('@key(fields: "id")')
@ObjectType('PriceChange', { description: 'One version of one price.', simpleResolvers: true })
export class PriceChangeType {
  @Field(() => ID, { description: 'The version id that charges name.' })
  id!: string

  @Field(() => ID, { description: 'The deployment, or "<model>@session" for GPU sessions of a model.' })
  deploymentId!: string

  @Field(() => ID, { description: 'The canonical model id.' })
  canonicalModelId!: string

  @Field(() => ModelStub, { nullable: true, description: 'The model; null when it has left the catalogue.' })
  model!: ModelStub | null

  @Field(() => ID, { description: 'The routing identifier of the host.' })
  providerId!: string

  @Field(() => DecimalScalar, { nullable: true, description: 'Per million input tokens; null: the price was withdrawn.' })
  inputPerMillion!: PricePerMillion | null

  @Field(() => DecimalScalar, { nullable: true, description: 'Per million output tokens; null: the price was withdrawn.' })
  outputPerMillion!: PricePerMillion | null

  @Field(() => DecimalScalar, { nullable: true, description: 'Per million cached input tokens; null: as much as input.' })
  cachedInputPerMillion!: PricePerMillion | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What the provider bills us for input; only administrators see it.',
  })
  costInputPerMillion!: PricePerMillion | null

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What the provider bills us for output; only administrators see it.',
  })
  costOutputPerMillion!: PricePerMillion | null

  @Field(() => PriceOrigin, { description: 'Who said it.' })
  origin!: PriceOrigin

  @Field(() => DateTimeScalar, { description: 'Since when it is in force, or proposed.' })
  validFrom!: Date

  @Field(() => Boolean, { description: 'Whether it is the price in force.' })
  isCurrent!: boolean

  @Field(() => Boolean, { description: 'Whether it waits for an administrator.' })
  isPending!: boolean

  @Field(() => String, { nullable: true, description: 'Why it waits, or why there is no price; only administrators see it.' })
  reason!: string | null
}

@ObjectType('PendingPrice', { description: 'A deployment that waits for an administrator.', simpleResolvers: true })
export class PendingPriceType {
  @Field(() => ID, { description: 'The deployment, or "<model>@session" for GPU sessions of a model.' })
  deploymentId!: string

  @Field(() => ID, { description: 'The canonical model id.' })
  canonicalModelId!: string

  @Field(() => ID, { description: 'The routing identifier of the host.' })
  providerId!: string

  @Field(() => PriceChangeType, { nullable: true, description: 'The price in force; null: unpriced, so not routable.' })
  current!: PriceChangeType | null

  @Field(() => PriceChangeType, { nullable: true, description: 'What a price list proposes; null when nothing does.' })
  proposal!: PriceChangeType | null
}

@ObjectType('PriceFeed', { description: 'A public price list and how its last reading went.', simpleResolvers: true })
export class PriceFeedType {
  @Field(() => ID, { description: 'The name in the configuration.' })
  name!: string

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was last read, well or not.' })
  lastRunAt!: Date | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was last read well.' })
  lastSuccessAt!: Date | null

  @Field(() => String, { nullable: true, description: 'Why the last reading changed nothing; null when it went well.' })
  problem!: string | null

  @Field(() => Int, { description: 'Rows of the last good reading that fit a deployment of ours.' })
  matched!: number

  @Field(() => Int, { description: 'Prices that it changed.' })
  changed!: number

  @Field(() => Int, { description: 'Prices that it proposed and that wait.' })
  pending!: number

  @Field(() => [String], { description: 'Rows that were refused, and why; at most 20.' })
  refused!: string[]

  @Field(() => Float, { description: 'Seconds between readings.' })
  intervalSeconds!: number
}

export const PriceChangeConnection = countedConnectionType(PriceChangeType, {
  name: 'PriceChange',
  of: 'prices that a model had, newest first.',
})

const DEPLOYMENT = 'The deployment, or "<model>@session" for GPU sessions of a model.'

@InputType({ description: 'Whose price to take back.' })
export class ClearPriceInput {
  @Field(() => ID, { description: DEPLOYMENT })
  deploymentId!: string
}

@ObjectType({ description: 'A price that was taken back.' })
export class ClearPricePayload {
  @Field(() => PriceChangeType, {
    nullable: true,
    description: 'What is in force now; null when there was nothing to take back.',
  })
  priceChange!: PriceChangeType | null
}

@InputType({ description: 'What to do with a price that waits.' })
export class ResolvePendingPriceInput {
  @Field(() => ID, { description: DEPLOYMENT })
  deploymentId!: string

  @Field(() => Boolean, { description: 'Whether it becomes the price in force.' })
  accept!: boolean
}

@ObjectType({ description: 'A price that was accepted or refused.' })
export class ResolvePendingPricePayload {
  @Field(() => PriceChangeType, { nullable: true, description: 'The price that waited; null when none did.' })
  priceChange!: PriceChangeType | null
}

@InputType({ description: 'A price in US dollars per million tokens.' })
export class SetPriceInput {
  @Field(() => ID, { description: DEPLOYMENT })
  deploymentId!: string

  @Field(() => DecimalScalar, { description: 'Per million input tokens.' })
  inputPerMillion!: string

  @Field(() => DecimalScalar, { description: 'Per million output tokens.' })
  outputPerMillion!: string

  @Field(() => DecimalScalar, { nullable: true, description: 'Per million cached input tokens; left out: as much as input.' })
  cachedInputPerMillion?: string | null

  @Field(() => DecimalScalar, { nullable: true, description: 'What the provider bills us for input; left out: as known.' })
  costInputPerMillion?: string | null

  @Field(() => DecimalScalar, { nullable: true, description: 'What the provider bills us for output; left out: as known.' })
  costOutputPerMillion?: string | null

  @Field(() => DecimalScalar, { nullable: true, description: 'What the provider bills us for cached input.' })
  costCachedInputPerMillion?: string | null
}
