/** A deployment as GraphQL shows it: one model at one provider and region. */
import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { HealthStatus } from '#platform/vocabulary/graph-enums.js'
import type { DeploymentRecord } from '../records.js'

@Directive('@key(fields: "id")')
@ObjectType('Deployment', { description: 'One model at one provider and region.', simpleResolvers: true })
export class DeploymentType {
  @Field(() => ID, { description: 'Such as "gpt-oss-20b@hp07".' })
  id!: string

  @Field(() => String, { description: 'What the provider calls the model; opaque.' })
  providerModelId!: string

  @Field(() => String, { nullable: true, description: 'Where it runs, when the provider says.' })
  region!: string | null

  @Field(() => Boolean, { description: 'Whether it has a price and so may be routed to.' })
  isRoutable!: boolean

  @Field(() => HealthStatus, { description: 'How recent real traffic to it went.' })
  health!: (typeof HealthStatus)[keyof typeof HealthStatus]

  @Field(() => Int, { nullable: true, description: 'Tokens of input and output together; null when nobody has said.' })
  contextWindow!: number | null

  @Field(() => Int, { nullable: true, description: 'Most output tokens of one request; null when nobody has said.' })
  maxOutputTokens!: number | null

  @Field(() => Boolean, { nullable: true, description: 'Whether it takes tools; null when nobody has said.' })
  supportsFunctionCalling!: boolean | null

  @Field(() => Boolean, { nullable: true, description: 'Whether it takes a response_format of JSON; null when nobody has said.' })
  supportsJsonMode!: boolean | null

  /** For the field resolvers of model and provider. */
  record!: DeploymentRecord
}
