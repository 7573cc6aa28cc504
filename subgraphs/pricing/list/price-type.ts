/** A price row as GraphQL shows it: everything of the contract's flat pricing row, in the same nesting. */
import { Field, Float, ID, Int, ObjectType } from 'type-graphql'
import type { PricePerMillion } from '#platform/money.js'
import { DateTimeScalar, DecimalScalar } from '#platform/scalars.js'
import { DeploymentStub, ModelStub, ProviderStub } from '../entity-stubs.js'
import { HealthStatus } from '#platform/vocabulary/graph-enums.js'
import { PricingType } from '../pricing-enums.js'
import { PriceOrigin } from '../versions/price-version.js'

@ObjectType('PriceTerms', { description: 'What tokens cost, in US dollars per million.', simpleResolvers: true })
export class PriceTermsType {
  @Field(() => PricingType, { description: 'How the deployment is charged.' })
  type!: (typeof PricingType)[keyof typeof PricingType]

  @Field(() => DecimalScalar, { description: 'Per million input tokens.' })
  inputPerMillion!: PricePerMillion

  @Field(() => DecimalScalar, { description: 'Per million output tokens.' })
  outputPerMillion!: PricePerMillion

  @Field(() => DecimalScalar, { nullable: true, description: 'Per million cached input tokens; null: as much as input.' })
  cachedInputPerMillion!: PricePerMillion | null
}

@ObjectType('PriceCapabilities', { description: 'What the deployment can do for that price.', simpleResolvers: true })
export class PriceCapabilitiesType {
  @Field(() => Int, { description: 'Tokens of input and output together.' })
  contextWindow!: number

  @Field(() => Int, { description: 'Most output tokens of one request.' })
  maxOutputTokens!: number

  @Field(() => Boolean, { description: 'Whether it is known to take tools.' })
  supportsFunctionCalling!: boolean

  @Field(() => Boolean, { description: 'Whether it is known to take a response_format of JSON.' })
  supportsJsonMode!: boolean

  @Field(() => Int, { description: 'The tier as a number: 1 light, 2 medium, 3 high.' })
  qualityTier!: number
}

@ObjectType('PriceHealth', { description: 'How recent real traffic to the deployment went.', simpleResolvers: true })
export class PriceHealthType {
  @Field(() => HealthStatus, { description: 'Healthy until traffic shows otherwise.' })
  status!: (typeof HealthStatus)[keyof typeof HealthStatus]

  @Field(() => Int, { description: 'Median milliseconds to the start of an answer; 0 before any traffic.' })
  latencyP50Ms!: number

  @Field(() => Int, { description: '95th percentile of the same; 0 before any traffic.' })
  latencyP95Ms!: number

  @Field(() => Float, { description: 'Median output tokens per second; 0 before any traffic.' })
  tokensPerSecond!: number
}

@ObjectType('Price', { description: 'What one deployment costs now.', simpleResolvers: true })
export class PriceType {
  @Field(() => ID, { description: 'The deployment, such as "gpt-oss-20b@hp07".' })
  deploymentId!: string

  @Field(() => ID, { description: 'The canonical model id.' })
  canonicalModelId!: string

  @Field(() => ID, { description: 'The routing identifier of the host.' })
  providerId!: string

  @Field(() => String, { description: 'What the provider calls the model; opaque.' })
  providerModelId!: string

  @Field(() => String, { nullable: true, description: 'Where it runs, when the provider says.' })
  region!: string | null

  @Field(() => PriceTermsType, { description: 'What tokens cost.' })
  pricing!: PriceTermsType

  @Field(() => PriceCapabilitiesType, { description: 'What it can do.' })
  capabilities!: PriceCapabilitiesType

  @Field(() => PriceHealthType, { description: 'How it does.' })
  health!: PriceHealthType

  @Field(() => DateTimeScalar, { description: 'Since when this price is in force.' })
  lastPriceUpdate!: Date

  @Field(() => ID, { description: 'The version that charges at this price are pinned to.' })
  versionId!: string

  @Field(() => PriceOrigin, { description: 'Who said it.' })
  origin!: PriceOrigin

  @Field(() => ModelStub, { nullable: true, description: 'The model; null while the catalogue does not answer.' })
  model!: ModelStub | null

  @Field(() => DeploymentStub, { nullable: true, description: 'The deployment; null while the catalogue does not answer.' })
  deployment!: DeploymentStub | null

  @Field(() => ProviderStub, { nullable: true, description: 'The host; null while the catalogue does not answer.' })
  provider!: ProviderStub | null
}

@ObjectType({ description: 'A price that was set.' })
export class SetPricePayload {
  @Field(() => PriceType, { description: 'The price in force from now on.' })
  price!: PriceType
}
