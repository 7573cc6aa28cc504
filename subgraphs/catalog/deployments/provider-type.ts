/** A provider as GraphQL shows it: callers see the routing identifier, administrators also see who it is. */
import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { DateTimeScalar } from '#platform/scalars.js'
import { HealthStatus } from '../catalog-enums.js'

@ObjectType('ProviderError', {
  description: 'Why a provider does not answer, when only its operator can change that: a refused key, an unpaid bill.',
  simpleResolvers: true,
})
class ProviderErrorType {
  @Field(() => Int, { description: "The provider's HTTP status." })
  status!: number

  @Field(() => String, { description: 'What it said, without addresses and keys; may be empty.' })
  message!: string

  @Field(() => DateTimeScalar, { description: 'When it last said so.' })
  at!: number
}

@Directive('@key(fields: "id")')
@ObjectType('Provider', {
  description: 'A host that models are deployed at, known by an opaque routing identifier.',
  simpleResolvers: true,
})
export class ProviderType {
  @Field(() => ID, { description: 'The routing identifier: opaque, stable, not a brand.' })
  id!: string

  @Field(() => HealthStatus, { description: 'The best health among its deployments.' })
  health!: (typeof HealthStatus)[keyof typeof HealthStatus]

  @Field(() => String, { nullable: true, description: 'Who it is; only administrators see it.' })
  name!: string | null

  @Field(() => ProviderErrorType, {
    nullable: true,
    description: 'What keeps it from answering until it answers again; only administrators see it.',
  })
  lastError!: ProviderErrorType | null
}
