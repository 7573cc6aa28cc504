/** The interface of everything that can be read by its id alone. */
import { Field, ID, InterfaceType } from 'type-graphql'

@InterfaceType('Node', {
  description: 'What has an id that no object of another type has.',
  autoRegisterImplementations: false,
})
export abstract class NodeType {
  @Field(() => ID, { description: 'The id.' })
  id!: string
}
