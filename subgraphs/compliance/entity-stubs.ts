/** Entities of other subgraphs as this one sees them: a key, to which scans are joined. */
import { Directive, Field, ID, ObjectType } from 'type-graphql'

@Directive('@key(fields: "id")')
@ObjectType('Account', { description: 'Who owns keys, credits, rentals and scans.', simpleResolvers: true })
export class AccountStub {
  @Field(() => ID, { description: 'Such as acc_...' })
  id!: string
}
