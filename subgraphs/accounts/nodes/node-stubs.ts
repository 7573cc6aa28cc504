/** Objects of other subgraphs that are nodes, as this one sees them: a key. */
import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { NodeType } from './node-type.js'

const key = Directive('@key(fields: "id")')

@key
@ObjectType('Rental', { implements: NodeType, description: 'A GPU that an account rents for itself.', simpleResolvers: true })
export class RentalStub {
  @Field(() => ID, { description: 'Such as rent_...; `rental_id` of the REST API.' })
  id!: string
}

@key
@ObjectType('Scan', {
  implements: NodeType,
  description: 'One request to scan code. The code itself is not kept.',
  simpleResolvers: true,
})
export class ScanStub {
  @Field(() => ID, { description: 'Such as scan_...' })
  id!: string
}

@key
@ObjectType('Model', {
  implements: NodeType,
  description: 'A model under its canonical id, wherever it is deployed.',
  simpleResolvers: true,
})
export class ModelStub {
  @Field(() => ID, { description: 'The canonical id that chat requests name.' })
  id!: string
}

@key
@ObjectType('Deployment', { implements: NodeType, description: 'One model at one provider and region.', simpleResolvers: true })
export class DeploymentStub {
  @Field(() => ID, { description: 'Such as "gpt-oss-20b@hp07".' })
  id!: string
}
