/** What the graph shows of refused requests. */
import { ArgsType, Field, ID, ObjectType } from 'type-graphql'
import { connectionType, pageArgs } from '#platform/paging/connection.js'
import { DateTimeScalar } from '#platform/scalars.js'
import { ChatApi } from '#platform/vocabulary/graph-enums.js'

@ObjectType('RefusedRequest', {
  description: 'A chat request that was refused before a provider was asked. Nothing of its prompt is kept.',
  simpleResolvers: true,
})
export class RefusedRequestType {
  @Field(() => ID, { description: 'The request id.' })
  id!: string

  @Field(() => DateTimeScalar, { description: 'When it was refused.' })
  createdAt!: number

  @Field(() => ID, { description: 'The API key that asked.' })
  keyId!: string

  @Field(() => String, { nullable: true, description: 'The model as it was asked for; null where none was.' })
  model!: string | null

  @Field(() => ChatApi, { description: 'The API that it came by.' })
  api!: ChatApi

  @Field(() => String, { description: 'The code of the error, such as "insufficient_credits".' })
  code!: string

  @Field(() => String, { description: 'What the caller was told.' })
  message!: string
}

export const RefusedRequestConnection = connectionType(RefusedRequestType, {
  name: 'RefusedRequest',
  of: 'refused requests, newest first.',
})

@ArgsType()
export class RefusedRequestsArgs extends pageArgs({ standard: 50, most: 500 }) {
  @Field(() => ID, { nullable: true, description: 'Only asked with this API key.' })
  key?: string | null

  @Field(() => String, { nullable: true, description: 'Only refused with this code.' })
  code?: string | null
}
