/** A model as GraphQL shows it. Everything but the joins is worked out when the object is made. */
import { Directive, Field, Float, ID, Int, ObjectType } from 'type-graphql'
import type { NanoUsd } from '#platform/money.js'
import { DecimalScalar } from '#platform/scalars.js'
import { Tier } from '#platform/vocabulary/graph-enums.js'
import { Availability, InputModality } from '../catalog-enums.js'

@Directive('@key(fields: "id")')
@ObjectType('Model', { description: 'A model under its canonical id, wherever it is deployed.', simpleResolvers: true })
export class ModelType {
  @Field(() => ID, { description: 'The canonical id that chat requests name.' })
  id!: string

  @Field(() => String, { description: 'The name for people.' })
  displayName!: string

  @Field(() => String, { description: 'Who published it.' })
  ownedBy!: string

  @Field(() => Int, { description: 'Unix seconds of its release, or of the day from which its entry dates.' })
  created!: number

  @Field(() => Tier, { description: 'The tier keyword that also reaches it.' })
  tier!: (typeof Tier)[keyof typeof Tier]

  @Field(() => Int, { description: 'The tier as a number: 1 light, 2 medium, 3 high.' })
  qualityTier!: number

  @Field(() => Boolean, { description: 'Whether its weights are published.' })
  openWeight!: boolean

  @Field(() => Float, { nullable: true, description: 'Billions of parameters; null when not known.' })
  paramsB!: number | null

  @Field(() => Float, { nullable: true, description: 'Billions of parameters used per token, for a mixture of experts.' })
  activeParamsB!: number | null

  @Field(() => Int, { nullable: true, description: 'Tokens of input and output together; null when nobody has said.' })
  contextWindow!: number | null

  @Field(() => Int, { nullable: true, description: 'Most output tokens of one request; null when nobody has said.' })
  maxOutputTokens!: number | null

  @Field(() => Boolean, { nullable: true, description: 'Whether it takes tools; null when nobody has said.' })
  supportsFunctionCalling!: boolean | null

  @Field(() => Boolean, { nullable: true, description: 'Whether it takes a response_format of JSON; null when nobody has said.' })
  supportsJsonMode!: boolean | null

  @Field(() => [InputModality], { nullable: true, description: 'What its messages may hold; null when nobody has said.' })
  inputModalities!: readonly InputModality[] | null

  @Field(() => Availability, { description: 'Whether it answers now; derived at the moment of asking.' })
  availability!: (typeof Availability)[keyof typeof Availability]

  @Field(() => [ID], { nullable: true, description: 'Routing identifiers of its hosts, for diagnosis; only for instant models.' })
  providers!: readonly string[] | null

  @Field(() => Int, { nullable: true, description: 'How many providers host it; only for instant models.' })
  providerCount!: number | null

  @Field(() => Int, { nullable: true, description: 'Seconds until it answers; only for deploying models.' })
  estimatedDeploySeconds!: number | null

  @Field(() => DecimalScalar, { nullable: true, description: 'What its GPU costs per hour; only for deploying models.' })
  estimatedCostPerHour!: NanoUsd | null
}

@ObjectType('ModelList', { description: 'A page of models and how many there are in all.', simpleResolvers: true })
export class ModelListType {
  @Field(() => Int, { description: 'How many models fit the filters, on all pages.' })
  totalCount!: number

  @Field(() => [ModelType], { description: 'The models of this page, ordered by id.' })
  models!: ModelType[]
}

@ObjectType('ModelAlias', { description: 'Another name that requests may use for a model or a tier.', simpleResolvers: true })
export class ModelAliasType {
  @Field(() => ID, { description: 'What requests say.' })
  name!: string

  @Field(() => Tier, { nullable: true, description: 'The tier that it stands for; null for one model.' })
  tier!: (typeof Tier)[keyof typeof Tier] | null

  @Field(() => ModelType, { description: 'The model that it leads to now; the cheapest one of a tier.' })
  model!: ModelType

  @Field(() => Boolean, { description: 'Whether GET /v1/models lists it beside the models.' })
  isShown!: boolean
}
