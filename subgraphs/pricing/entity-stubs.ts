/** The catalogue's entities as this subgraph sees them: a key, to which prices are joined. */
import { Directive, Field, ID, ObjectType } from 'type-graphql'

@Directive('@key(fields: "id")')
@ObjectType('Model', { description: 'A model under its canonical id, wherever it is deployed.', simpleResolvers: true })
export class ModelStub {
  @Field(() => ID, { description: 'The canonical id that chat requests name.' })
  id!: string
}

@Directive('@key(fields: "id")')
@ObjectType('Deployment', { description: 'One model at one provider and region.', simpleResolvers: true })
export class DeploymentStub {
  @Field(() => ID, { description: 'Such as "gpt-oss-20b@hp07".' })
  id!: string
}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Provider', {
  description: 'A host that models are deployed at, known by an opaque routing identifier.',
  simpleResolvers: true,
})
export class ProviderStub {
  @Field(() => ID, { description: 'The routing identifier: opaque, stable, not a brand.' })
  id!: string
}
