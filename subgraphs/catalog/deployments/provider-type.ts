/** A provider as GraphQL shows it: callers see the routing identifier, administrators also see who it is. */
import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { DateTimeScalar } from '#platform/scalars.js'
import { HealthStatus } from '#platform/vocabulary/graph-enums.js'

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

@ObjectType('OpenCircuit', {
  description: 'A deployment that is asked nothing for a while, because it kept failing.',
  simpleResolvers: true,
})
class OpenCircuitType {
  @Field(() => ID, { description: 'Such as "qwen3-8b@hp-1".' })
  deploymentId!: string

  @Field(() => DateTimeScalar, { description: 'When the next request tries it again; each failed trial makes the pause longer.' })
  openUntil!: number
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

  @Field(() => [OpenCircuitType], {
    nullable: true,
    description: 'Its deployments whose circuit is open, as the server that was asked has found; only administrators see it.',
  })
  openCircuits!: readonly OpenCircuitType[] | null
}
