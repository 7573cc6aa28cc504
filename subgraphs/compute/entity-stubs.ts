/** Entities of other subgraphs as this one sees them: a key, to which sessions and rentals are joined. */
import { Directive, Field, ID, ObjectType } from 'type-graphql'

@Directive('@key(fields: "id")')
@ObjectType('Model', { description: 'A model under its canonical id, wherever it is deployed.', simpleResolvers: true })
export class ModelStub {
  @Field(() => ID, { description: 'The canonical id that chat requests name.' })
  id!: string
}

@Directive('@key(fields: "id")')
@ObjectType('Account', { description: 'Who owns keys, credits, rentals and scans.', simpleResolvers: true })
export class AccountStub {
  @Field(() => ID, { description: 'Such as acc_...' })
  id!: string
}
