/** Entities of other subgraphs as this one sees them: a key, which usage points at. */
import { Directive, Field, ID, ObjectType } from 'type-graphql'

@Directive('@key(fields: "id")')
@ObjectType('PriceChange', { description: 'One version of one price.', simpleResolvers: true })
export class PriceChangeStub {
  @Field(() => ID, { description: 'The version id that charges name.' })
  id!: string
}
