/** A provider as GraphQL shows it: callers see the routing identifier, administrators also see who it is. */
import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { HealthStatus } from './catalog-enums.js'

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
}
